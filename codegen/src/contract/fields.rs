//! The members of MCP's own objects: which JSON type each has.

use serde_json::{Map, Value};

use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer, misspelt},
    resolve::{Document, is_uri, type_name},
};

/// What a member of an MCP object holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Flag,
    Number,
    Object,
    Annotations,
    /// Those of resources, which are others.
    ResourceAnnotations,
    Icons,
    /// Looked at elsewhere.
    Other,
}

/// `Tool` of the MCP schema.
pub(super) const TOOL: &[(&str, Type)] = &[
    ("name", Type::Text),
    ("title", Type::Text),
    ("description", Type::Text),
    ("inputSchema", Type::Other),
    ("outputSchema", Type::Other),
    ("annotations", Type::Annotations),
    ("icons", Type::Icons),
    ("execution", Type::Object),
    ("_meta", Type::Object),
];

/// `Implementation` of the MCP schema, and `instructions` of the results that carry one.
pub(super) const SERVER: &[(&str, Type)] = &[
    ("$schema", Type::Text),
    ("name", Type::Text),
    ("title", Type::Text),
    ("version", Type::Text),
    ("description", Type::Text),
    ("instructions", Type::Text),
    ("websiteUrl", Type::Text),
    ("icons", Type::Icons),
];

/// `Resource` of the MCP schema.
pub(super) const RESOURCE: &[(&str, Type)] = &[
    ("$schema", Type::Text),
    ("name", Type::Text),
    ("title", Type::Text),
    ("uri", Type::Text),
    ("description", Type::Text),
    ("mimeType", Type::Text),
    ("size", Type::Number),
    ("annotations", Type::ResourceAnnotations),
    ("icons", Type::Icons),
    ("_meta", Type::Object),
];

/// `ResourceTemplate` of the MCP schema.
pub(super) const RESOURCE_TEMPLATE: &[(&str, Type)] = &[
    ("$schema", Type::Text),
    ("name", Type::Text),
    ("title", Type::Text),
    ("uriTemplate", Type::Text),
    ("description", Type::Text),
    ("mimeType", Type::Text),
    ("annotations", Type::ResourceAnnotations),
    ("icons", Type::Icons),
    ("_meta", Type::Object),
];

/// `Prompt` of the MCP schema.
pub(super) const PROMPT: &[(&str, Type)] = &[
    ("$schema", Type::Text),
    ("name", Type::Text),
    ("title", Type::Text),
    ("description", Type::Text),
    ("arguments", Type::Other),
    ("icons", Type::Icons),
    ("_meta", Type::Object),
];

/// `PromptArgument` of the MCP schema.
pub(super) const ARGUMENT: &[(&str, Type)] = &[
    ("name", Type::Text),
    ("title", Type::Text),
    ("description", Type::Text),
    ("required", Type::Flag),
];

/// The parameters of `elicitation/create` that stand in a file.
pub(super) const ELICITATION: &[(&str, Type)] = &[
    ("$schema", Type::Text),
    ("message", Type::Text),
    ("requestedSchema", Type::Other),
];

const RESOURCE_ANNOTATIONS: &[(&str, Type)] = &[
    ("audience", Type::Other),
    ("priority", Type::Number),
    ("lastModified", Type::Text),
];

const ANNOTATIONS: &[(&str, Type)] = &[
    ("title", Type::Text),
    ("readOnlyHint", Type::Flag),
    ("destructiveHint", Type::Flag),
    ("idempotentHint", Type::Flag),
    ("openWorldHint", Type::Flag),
];

const ICON: &[(&str, Type)] = &[
    ("src", Type::Text),
    ("mimeType", Type::Text),
    ("sizes", Type::Other),
    ("theme", Type::Text),
];

/// Checks the members that are known, and reports under one id.
pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    /// What the report is about: a tool or a server.
    pub(super) id: Id,
    /// What it is called there: "tool `get_weather`".
    pub(super) what: &'a str,
}

impl Checker<'_> {
    /// Reports every member of an object that has another type than the table says. Members that
    /// the table does not have are fine, since MCP objects are open, unless they look like one that it has.
    pub(super) fn check(
        &self,
        object: &Map<String, Value>,
        at: &Pointer,
        table: &[(&str, Type)],
        diagnostics: &mut Diagnostics,
    ) {
        for (name, expected) in table {
            if let Some(value) = object.get(*name) {
                self.check_member(value, name, &at.child(name), *expected, diagnostics);
            }
        }
        // What a server has is listed in full, and reported as such.
        if self.id == Id::InvalidServer && table == SERVER {
            return;
        }
        let known = || table.iter().map(|(name, _)| *name);
        for key in object.keys().filter(|key| known().all(|it| it != *key)) {
            // A missing schema is an error of its own, which says the same.
            if let Some(meant) = misspelt(key, known())
                && (meant != "inputSchema" || object.contains_key(meant))
            {
                let place = Place::key(self.document.file, at.child(key));
                let message = format!("`{key}` of {} means nothing to clients", self.what);
                diagnostics.push(
                    Diagnostic::new(Id::UnknownKeyword, message)
                        .at(place, "unknown member")
                        .help(format!("did you mean `{meant}`?")),
                );
            }
        }
    }

    fn check_member(
        &self,
        value: &Value,
        name: &str,
        at: &Pointer,
        expected: Type,
        diagnostics: &mut Diagnostics,
    ) {
        match (expected, value) {
            (Type::Text, Value::String(_))
            | (Type::Flag, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::Object, Value::Object(_))
            | (Type::Other, _) => {}
            (Type::Annotations, Value::Object(members)) => {
                self.check(members, at, ANNOTATIONS, diagnostics);
            }
            (Type::ResourceAnnotations, Value::Object(members)) => {
                self.check(members, at, RESOURCE_ANNOTATIONS, diagnostics);
                self.check_audience(members, at, diagnostics);
            }
            (Type::Icons, Value::Array(icons)) => {
                for (number, icon) in icons.iter().enumerate() {
                    self.check_icon(icon, &at.child(number), diagnostics);
                }
            }
            _ => {
                let wanted = match expected {
                    Type::Text => "a string",
                    Type::Flag => "a boolean",
                    Type::Number => "a number",
                    Type::Object | Type::Annotations | Type::ResourceAnnotations => "an object",
                    Type::Icons => "an array",
                    Type::Other => return,
                };
                let message = format!(
                    "`{name}` of {} is {wanted}, not {}",
                    self.what,
                    type_name(value)
                );
                self.report(message, at, format!("expected {wanted}"), diagnostics);
            }
        }
    }

    /// For whom a resource is, and how much it matters.
    fn check_audience(
        &self,
        members: &Map<String, Value>,
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) {
        let is_role = |it: &Value| it == "user" || it == "assistant";
        let of_roles = |it: &Value| it.as_array().is_some_and(|it| it.iter().all(is_role));
        if members.get("audience").is_some_and(|it| !of_roles(it)) {
            let message = format!("`audience` of {} is not of roles", self.what);
            let label = "an array of `user` and `assistant`".to_owned();
            self.report(message, &at.child("audience"), label, diagnostics);
        }
        let priority = members.get("priority").and_then(Value::as_f64);
        if priority.is_some_and(|it| !(0.0..=1.0).contains(&it)) {
            let message = format!("`priority` of {} is from 0 to 1", self.what);
            let label = "not from 0 to 1".to_owned();
            self.report(message, &at.child("priority"), label, diagnostics);
        }
    }

    fn check_icon(&self, icon: &Value, at: &Pointer, diagnostics: &mut Diagnostics) {
        let Value::Object(members) = icon else {
            let message = format!(
                "an icon of {} is an object, not {}",
                self.what,
                type_name(icon)
            );
            return self.report(message, at, "expected an object".to_owned(), diagnostics);
        };
        self.check(members, at, ICON, diagnostics);
        self.check_icon_source(members, at, diagnostics);
        let sizes_fit = match members.get("sizes") {
            None => true,
            Some(Value::Array(sizes)) => sizes.iter().all(Value::is_string),
            Some(_) => false,
        };
        if !sizes_fit {
            let message = format!("`sizes` of an icon of {} is an array of strings", self.what);
            self.report(
                message,
                &at.child("sizes"),
                "such as [\"48x48\"]".to_owned(),
                diagnostics,
            );
        }
        let theme = members.get("theme").and_then(Value::as_str);
        if theme.is_some_and(|it| !matches!(it, "light" | "dark")) {
            let message = format!("`theme` of an icon of {} is `light` or `dark`", self.what);
            self.report(message, &at.child("theme"), String::new(), diagnostics);
        }
    }

    /// Clients must refuse icons of any other scheme: MCP has them load pictures from nowhere but `https:` and `data:`.
    fn check_icon_source(
        &self,
        members: &Map<String, Value>,
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(source) = members.get("src") else {
            let message = format!("an icon of {} has no `src`", self.what);
            let label = "needs `src`, an `https:` or `data:` URI".to_owned();
            return self.report(message, at, label, diagnostics);
        };
        // One of another type has been reported as such.
        let Some(source) = source.as_str() else {
            return;
        };
        let scheme = source.split_once(':').map_or("", |(scheme, _)| scheme);
        let is_safe = ["https", "data"]
            .iter()
            .any(|it| scheme.eq_ignore_ascii_case(it));
        if !is_safe || !is_uri(source) {
            let message = format!(
                "`src` of an icon of {} is no `https:` or `data:` URI",
                self.what
            );
            let label = "clients do not load it".to_owned();
            self.report(message, &at.child("src"), label, diagnostics);
        }
    }

    fn report(&self, message: String, at: &Pointer, label: String, diagnostics: &mut Diagnostics) {
        let place = self.document.place_of(at.clone());
        diagnostics.push(Diagnostic::new(self.id, message).at(place, label));
    }
}
