//! What resources, templates and prompts have in common: a name, prose, and an object that is published.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Offer,
    fields::{Checker, Type},
};
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer},
    naming::MethodName,
    resolve::Document,
};

/// A contract file with one MCP object that has a name.
#[derive(Clone, Copy)]
pub(super) struct Source<'d> {
    pub(super) document: &'d Document,
    pub(super) members: &'d Map<String, Value>,
    /// `resource`, `resource template`, `prompt`.
    pub(super) noun: &'static str,
    /// Under which id its faults are reported.
    pub(super) id: Id,
}

impl<'d> Source<'d> {
    /// What messages call it: "prompt `review`".
    pub(super) fn what(&self) -> String {
        match self.text("name") {
            Some(name) => format!("{} `{name}`", self.noun),
            None => format!("this {}", self.noun),
        }
    }

    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        self.members.get(key)?.as_str()
    }

    /// The value of a member; the file where it has none.
    pub(super) fn place(&self, key: &str) -> Place {
        if self.members.contains_key(key) {
            let at = Pointer::root().child(key);
            self.document.place_of(at)
        } else {
            self.document.place()
        }
    }

    pub(super) fn finding(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.id, message)
    }

    /// Checks the types of its members.
    pub(super) fn check(&self, table: &[(&str, Type)], diagnostics: &mut Diagnostics) {
        let what = self.what();
        let checker = Checker {
            document: self.document,
            id: self.id,
            what: &what,
        };
        checker.check(self.members, &Pointer::root(), table, diagnostics);
    }

    /// Its name, which has been reported where it is missing or empty.
    pub(super) fn name(&self, diagnostics: &mut Diagnostics) -> Option<&'d str> {
        let Some(name) = self.members.get("name") else {
            let stem = &self.document.stem;
            diagnostics.push(
                Diagnostic::new(Id::MissingName, format!("{} has no name", self.what()))
                    .at(self.document.place(), "needs a `name`")
                    .help(format!("add \"name\": \"{stem}\"")),
            );
            return None;
        };
        // One of another type has been reported as such.
        let name = name.as_str()?;
        if name.is_empty() {
            let message = format!("the name of this {} is empty", self.noun);
            let help = format!("for example \"{}\"", self.document.stem);
            diagnostics.push(
                self.finding(message)
                    .at(self.place("name"), "empty")
                    .help(help),
            );
            return None;
        }
        Some(name)
    }

    /// What all of them have, with a method of this name.
    pub(super) fn offer(&self, name: &str, method: MethodName) -> Offer {
        let owned = |key: &str| self.text(key).map(str::to_owned);
        let mut published = self.members.clone();
        published.shift_remove("$schema");
        Offer {
            name: name.to_owned(),
            method,
            title: owned("title"),
            description: owned("description"),
            mime_type: owned("mimeType"),
            published,
            place: self.place("name"),
        }
    }
}

/// Reports what has the name, or the URI, of something else.
pub(super) fn report_duplicates(
    id: Id,
    noun: &str,
    names: impl IntoIterator<Item = (String, Place)>,
    diagnostics: &mut Diagnostics,
) {
    let mut seen: BTreeMap<String, Place> = BTreeMap::new();
    for (name, place) in names {
        match seen.get(&name) {
            Some(first) => diagnostics.push(
                Diagnostic::new(id, format!("{noun} `{name}` is defined twice"))
                    .at(place, "here again")
                    .and_at(first.clone(), "first here")
                    .help(format!("each {noun} of a server is there once")),
            ),
            None => _ = seen.insert(name, place),
        }
    }
}
