//! Cross-cutting rules about what contract files say: text that reads as something else than it is.

use serde_json::{Map, Value};

use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Pointer},
    emit::hides,
    resolve::{Document, Documents},
};

/// The members that hold prose, in MCP objects and in schemas alike.
const PROSE: [&str; 3] = ["title", "description", "instructions"];

/// Reports what is valid, but should not be in a contract.
pub(crate) fn check(documents: &Documents, diagnostics: &mut Diagnostics) {
    for document in documents.iter() {
        walk(document, &document.value, &Pointer::root(), diagnostics);
    }
}

fn walk(document: &Document, value: &Value, at: &Pointer, diagnostics: &mut Diagnostics) {
    match value {
        Value::Object(members) => {
            check_prose(document, members, at, diagnostics);
            for (key, member) in members {
                walk(document, member, &at.child(key), diagnostics);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                walk(document, item, &at.child(number), diagnostics);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn check_prose(
    document: &Document,
    members: &Map<String, Value>,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) {
    for key in PROSE {
        let text = members.get(key).and_then(Value::as_str).unwrap_or_default();
        let unsafe_ones = text
            .chars()
            .filter(|it| hides(*it) && !matches!(it, '\n' | '\r' | '\t'));
        let mut shown: Vec<String> = Vec::new();
        for it in unsafe_ones {
            let code = format!("U+{:04X}", u32::from(it));
            if !shown.contains(&code) {
                shown.push(code);
            }
        }
        if shown.is_empty() {
            continue;
        }
        let message = format!(
            "this {key} holds characters that cannot be seen: {}",
            shown.join(", ")
        );
        diagnostics.push(
            Diagnostic::new(Id::UnsafeText, message)
                .at(document.place_of(at.child(key)), "may read as something else than it is")
                .help("remove them; generated docs leave them out, and the contract publishes them as they are"),
        );
    }
}
