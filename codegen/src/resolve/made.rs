//! Schemas that nobody wrote: of a template's variables and a prompt's arguments, where no file beside them has one.
//!
//! They are documents like any other from here on, so that types, proofs and the published document know one way only.

use mcp_codegen_grammar::uri_template::UriTemplate;
use serde_json::{Map, Value};

use super::{
    documents::{Document, Documents, Kind},
    schemas::file_uri,
};

/// Adds the schemas that are missing. Of what is faulty there is none: that is reported elsewhere.
pub(super) fn add(documents: &mut Documents) {
    let owners = documents.iter();
    let made = owners.filter_map(|owner| {
        let (kind, schema) = match owner.kind {
            Kind::Resource => (Kind::Variables, of_template(&owner.value)?),
            Kind::Prompt => (Kind::Arguments, of_prompt(&owner.value)),
            _ => return None,
        };
        let is_written = documents.beside(owner, kind).next().is_some()
            || documents.lacks(owner.folder.as_deref(), kind, Some(&owner.stem));
        (!is_written).then(|| document(owner, kind, schema))
    });
    let made: Vec<_> = made.collect();
    documents.add_made(made);
}

fn document(owner: &Document, kind: Kind, schema: Value) -> Document {
    let what = match kind {
        Kind::Variables => "variables",
        _ => "arguments",
    };
    Document {
        file: owner.file,
        path: owner.path.clone(),
        // No file is below a file.
        uri: file_uri(&format!("{}/{what}", owner.path)),
        folder: owner.folder.clone(),
        kind,
        stem: owner.stem.clone(),
        value: schema,
        tools: Vec::new(),
        made: true,
    }
}

/// The variables of a template are texts; those that every URI has are required.
fn of_template(resource: &Value) -> Option<Value> {
    let text = resource.get("uriTemplate")?.as_str()?;
    let template = UriTemplate::parse(text).ok()?;
    let variables = template.variables();
    Some(object(variables.map(|it| {
        let schema = Map::from_iter([("type".to_owned(), Value::from("string"))]);
        (it.name.to_owned(), schema, it.always)
    })))
}

/// The arguments of a prompt are texts.
fn of_prompt(prompt: &Value) -> Value {
    let listed = prompt.get("arguments").and_then(Value::as_array);
    let arguments = listed.into_iter().flatten().filter_map(|it| {
        let mut schema = Map::from_iter([("type".to_owned(), Value::from("string"))]);
        for key in ["title", "description"] {
            if let Some(text) = it.get(key).filter(|it| it.is_string()) {
                schema.insert(key.to_owned(), text.clone());
            }
        }
        let required = it.get("required").and_then(Value::as_bool);
        let name = it.get("name")?.as_str()?.to_owned();
        Some((name, schema, required.unwrap_or_default()))
    });
    object(arguments)
}

/// A closed object: what is not listed means nothing.
fn object(properties: impl Iterator<Item = (String, Map<String, Value>, bool)>) -> Value {
    let mut members = Map::new();
    let mut required = Vec::new();
    for (name, schema, is_required) in properties {
        if is_required {
            required.push(Value::from(name.as_str()));
        }
        members.insert(name, schema.into());
    }
    let mut schema = Map::from_iter([
        ("type".to_owned(), Value::from("object")),
        ("properties".to_owned(), members.into()),
    ]);
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema.into()
}
