//! What the users of clients can be asked: forms that are flat, as MCP wants them, so that every client can show them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Form,
    fields::{Checker, ELICITATION},
};
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer, did_you_mean},
    naming::{ConstantName, constant_name},
    resolve::{Document, Kind, SchemaSet, engine, type_name},
};

/// The forms of one server, in name order.
pub(super) fn forms<'d>(
    set: &'d SchemaSet<'d>,
    documents: &[&'d Document],
    diagnostics: &mut Diagnostics,
) -> Vec<Form<'d>> {
    let mut forms = Vec::new();
    let mut seen: BTreeMap<ConstantName, Place> = BTreeMap::new();
    let mut documents: Vec<_> = documents
        .iter()
        .copied()
        .filter(|it| it.kind == Kind::Elicitation)
        .collect();
    documents.sort_by(|a, b| a.stem.cmp(&b.stem));
    for document in documents {
        let constant = constant_name(&document.stem);
        match seen.get(&constant) {
            Some(first) => diagnostics.push(
                Diagnostic::new(
                    Id::NameCollision,
                    format!("two elicitations would both be the static `{constant}`"),
                )
                .at(document.place(), "this one")
                .and_at(first.clone(), "and this one")
                .help("rename one of the files"),
            ),
            None => _ = seen.insert(constant.clone(), document.place()),
        }
        forms.extend(form(set, document, constant, diagnostics));
    }
    forms
}

fn form<'d>(
    set: &'d SchemaSet<'d>,
    document: &'d Document,
    constant: ConstantName,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'d>> {
    let members = document.value.as_object()?;
    let name = document.stem.as_str();
    let what = format!("elicitation `{name}`");
    let check = Checker {
        document,
        id: Id::InvalidElicitation,
        what: &what,
    };
    check.check(members, &Pointer::root(), ELICITATION, diagnostics);
    let at = Pointer::root().child("requestedSchema");
    let Some(requested) = members.get("requestedSchema") else {
        diagnostics.push(
            Diagnostic::new(
                Id::InvalidElicitation,
                format!("{what} has no `requestedSchema`"),
            )
            .at(document.place(), "needs a `requestedSchema`")
            .help("what the user is to fill in: {\"type\": \"object\", \"properties\": {…}}"),
        );
        return None;
    };
    let flat = Flat {
        document,
        what: &what,
    };
    let is_flat = flat.root(requested, &at, diagnostics);
    let node = set.at(document, &at).filter(|_| is_flat)?;
    // Of one with faults it is known why it does not compile.
    if node.is_sound()
        && let Err(fault) = engine::check_compiles(requested)
    {
        let message = format!("`requestedSchema` of {what} cannot be compiled");
        diagnostics
            .push(Diagnostic::new(Id::InvalidSchema, message).at(node.place(), fault.message));
    }
    let text = |key: &str| members.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Form {
        name: name.to_owned(),
        constant,
        message: text("message"),
        requested: requested.as_object()?.clone(),
        schema: node,
    })
}

/// Checks that a form is flat: MCP's `requestedSchema` and `PrimitiveSchemaDefinition`, which clients make input fields of.
struct Flat<'d> {
    document: &'d Document,
    what: &'d str,
}

/// The keywords of every field.
const PROSE: &[&str] = &["type", "title", "description", "default"];
const TEXT: &[&str] = &["minLength", "maxLength", "pattern", "format"];
const CHOICE: &[&str] = &["enum", "enumNames", "oneOf"];
const NUMBER: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];
const LIST: &[&str] = &["items", "minItems", "maxItems", "uniqueItems"];
const FORMATS: &[&str] = &["email", "uri", "date", "date-time"];

impl Flat<'_> {
    fn root(&self, schema: &Value, at: &Pointer, diagnostics: &mut Diagnostics) -> bool {
        let Value::Object(members) = schema else {
            let message = format!(
                "`requestedSchema` of {} is an object, not {}",
                self.what,
                type_name(schema)
            );
            return self.refuse(message, at, "expected an object", diagnostics);
        };
        let known = [
            "$schema",
            "type",
            "title",
            "description",
            "properties",
            "required",
            "additionalProperties",
        ];
        let mut fits = self.only(members, &[&known], at, diagnostics);
        if members.get("type").and_then(Value::as_str) != Some("object") {
            let message = format!(
                "`requestedSchema` of {} does not say `\"type\": \"object\"`",
                self.what
            );
            fits = self.refuse(message, at, "a form has fields by name", diagnostics);
        }
        let Some(properties) = members.get("properties").and_then(Value::as_object) else {
            // What is no object needs none, and has been reported.
            if fits {
                let message = format!("`requestedSchema` of {} has no `properties`", self.what);
                fits = self.refuse(message, at, "a form has fields by name", diagnostics);
            }
            return fits;
        };
        for (name, field) in properties {
            let at = at.child("properties").child(name);
            fits &= self.field(name, field, &at, diagnostics);
        }
        fits & self.required(members, properties, at, diagnostics)
    }

    /// Whether all that is required can be filled in: a form with any other could not be sent off.
    fn required(
        &self,
        members: &Map<String, Value>,
        properties: &Map<String, Value>,
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let required = members.get("required").and_then(Value::as_array);
        let at = at.child("required");
        let mut fits = true;
        for (number, name) in required.into_iter().flatten().enumerate() {
            if let Some(name) = name.as_str()
                && !properties.contains_key(name)
            {
                let message = format!("{} requires `{name}`, which is no field of it", self.what);
                let place = self.document.place_of(at.child(number));
                let finding = Diagnostic::new(Id::InvalidElicitation, message);
                let finding = finding.at(place, "no such field");
                diagnostics.push(
                    match did_you_mean(name, properties.keys().map(String::as_str)) {
                        Some(near) => finding.help(format!("did you mean `{near}`?")),
                        None => finding.help("add it to `properties`, or do not require it"),
                    },
                );
                fits = false;
            }
        }
        fits
    }

    fn field(
        &self,
        name: &str,
        field: &Value,
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let members = field.as_object();
        let kind = members
            .and_then(|it| it.get("type"))
            .and_then(Value::as_str);
        let (Some(members), Some(kind)) = (members, kind) else {
            let message = format!("field `{name}` of {} does not say its `type`", self.what);
            return self.refuse(message, at, "needs one type", diagnostics);
        };
        let keywords: &[&[&str]] = match kind {
            "string" if CHOICE.iter().any(|it| members.contains_key(*it)) => &[PROSE, CHOICE],
            "string" => &[PROSE, TEXT],
            "integer" | "number" => &[PROSE, NUMBER],
            "boolean" => &[PROSE],
            "array" => &[PROSE, LIST],
            _ => {
                let message = format!("field `{name}` of {} is of type `{kind}`", self.what);
                return self.refuse(message, &at.child("type"), "no form has it", diagnostics);
            }
        };
        let mut fits = self.only(members, keywords, at, diagnostics);
        fits &= self.choice(name, members, "oneOf", at, diagnostics);
        let format = members.get("format").and_then(Value::as_str);
        if let Some(format) = format.filter(|it| !FORMATS.contains(it)) {
            let message = format!("field `{name}` of {} has the format `{format}`", self.what);
            let label = "forms know `email`, `uri`, `date` and `date-time`";
            fits = self.refuse(message, &at.child("format"), label, diagnostics);
        }
        if kind == "array" {
            fits &= self.items(name, members.get("items"), at, diagnostics);
        }
        fits
    }

    /// The items of a list are a choice: clients show a box for each.
    fn items(
        &self,
        name: &str,
        items: Option<&Value>,
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let at = at.child("items");
        let members = items.and_then(Value::as_object);
        let is_choice =
            members.is_some_and(|it| it.contains_key("enum") || it.contains_key("anyOf"));
        let Some(members) = members.filter(|_| is_choice) else {
            let message = format!("the list `{name}` of {} is no choice", self.what);
            let label = "`items` needs an `enum`, or an `anyOf` of constants";
            return self.refuse(message, &at, label, diagnostics);
        };
        let known = ["type", "enum", "anyOf"];
        self.only(members, &[&known], &at, diagnostics)
            & self.choice(name, members, "anyOf", &at, diagnostics)
    }

    /// The choices of a field: texts, or constants with titles.
    fn choice(
        &self,
        name: &str,
        members: &Map<String, Value>,
        titled: &str,
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let mut fits = true;
        for (key, is_right, label) in [
            (
                "enum",
                Value::is_string as fn(&Value) -> bool,
                "a list of texts",
            ),
            (
                titled,
                is_titled,
                "a list of {\"const\": \"…\", \"title\": \"…\"}",
            ),
        ] {
            let Some(list) = members.get(key) else {
                continue;
            };
            let list_fits = list.as_array().is_some_and(|it| it.iter().all(is_right));
            if !list_fits {
                let message = format!("the choices of `{name}` of {} are not all texts", self.what);
                fits = self.refuse(message, &at.child(key), label, diagnostics);
            }
        }
        fits
    }

    /// Refuses keywords that no form has; extensions are nobody's to understand.
    fn only(
        &self,
        members: &Map<String, Value>,
        known: &[&[&str]],
        at: &Pointer,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let known: Vec<&str> = known.concat();
        let is_known = |key: &str| key.starts_with("x-") || known.contains(&key);
        let mut fits = true;
        for key in members.keys().filter(|key| !is_known(key)) {
            let message = format!("{} uses `{key}`, which forms do not have here", self.what);
            let place = Place::key(self.document.file, at.child(key));
            diagnostics.push(
                Diagnostic::new(Id::InvalidElicitation, message)
                    .at(place, "clients would not know what to show")
                    .help(format!("known here are {}", known.join(", "))),
            );
            fits = false;
        }
        fits
    }

    fn refuse(
        &self,
        message: String,
        at: &Pointer,
        label: &str,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let place = self.document.place_of(at.clone());
        diagnostics.push(
            Diagnostic::new(Id::InvalidElicitation, message)
                .at(place, label)
                .help(
                    "a form has texts, numbers, booleans, choices of texts and lists of such choices; \
                     nothing nested",
                ),
        );
        false
    }
}

/// Whether a choice is a text with a title.
fn is_titled(choice: &Value) -> bool {
    let known = ["const", "title", "description"];
    let of_texts = |it: &Map<String, Value>| {
        let mut members = it.iter();
        it.contains_key("const")
            && members.all(|(key, it)| known.contains(&key.as_str()) && it.is_string())
    };
    choice.as_object().is_some_and(of_texts)
}
