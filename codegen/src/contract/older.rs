//! What tools of older revisions have, and what becomes of it.

use serde_json::Value;

use super::sources::Object;
use crate::diagnostics::{Diagnostic, Diagnostics, Id, Place};

/// Says that `execution` is not sent: 2026-07-28 took it out of tools, and the SDK sends it to nobody.
pub(super) fn note_execution(object: &Object<'_>, what: &str, diagnostics: &mut Diagnostics) {
    // Of another type it is reported as that.
    if !object
        .members
        .get("execution")
        .is_some_and(Value::is_object)
    {
        return;
    }
    let place = Place::key(object.document.file, object.at.child("execution"));
    diagnostics.push(
        Diagnostic::new(
            Id::NotSent,
            format!("`execution` of {what} is not sent to clients"),
        )
        .at(place, "of an older revision")
        .help("leave it out: calls of this tool are answered at once, which is what clients expect without it"),
    );
}
