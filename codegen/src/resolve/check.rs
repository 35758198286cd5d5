//! Every schema against the meta-schema of its own dialect, and every pattern against the regular
//! expressions that validators use.

use serde_json::{Map, Value};

use super::{
    dialect::{Declared, Dialect},
    engine,
    index::{Index, NodeId},
    schemas::Schemas,
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id, Pointer, did_you_mean};

/// Reports everything that makes a schema invalid by itself.
pub(super) fn check(index: &Index<'_>, schemas: &Schemas, diagnostics: &mut Diagnostics) {
    for id in schemas.order() {
        check_meta(index, schemas, *id, diagnostics);
        check_patterns(index, *id, diagnostics);
    }
}

/// A meta-schema reaches down to every subschema, so only those are checked that none around them
/// covers: roots, targets of references into data, and schemas of another dialect.
fn check_meta(index: &Index<'_>, schemas: &Schemas, id: NodeId, diagnostics: &mut Diagnostics) {
    let Some(facts) = schemas.facts(id) else {
        return;
    };
    let outer = facts.parent.and_then(|it| schemas.facts(it));
    // By what rules a schema of an unknown dialect is valid, nobody can say.
    let unknown = matches!(schemas.declared(index.value(id)), Declared::Unknown(_));
    if unknown || outer.is_some_and(|it| it.dialect == facts.dialect) {
        return;
    }
    let own = without_foreign(index, schemas, id, id);
    for fault in engine::meta_faults(facts.dialect, &own) {
        let mut pointer = index.pointer(id);
        for segment in Pointer::parse(&fault.pointer).segments() {
            pointer = pointer.child(segment);
        }
        let message = format!("this is no valid {} schema", facts.dialect.name());
        let mut diagnostic = Diagnostic::new(Id::InvalidSchema, message)
            .at(index.document(id).place_of(pointer), fault.message);
        diagnostic.help = help(facts.dialect, &fault.pointer, &own);
        diagnostics.push(diagnostic);
    }
}

/// The fix for mistakes that are often made: words of other languages, and keywords as they were
/// in another dialect.
fn help(dialect: Dialect, at: &str, schema: &Value) -> Option<String> {
    let keyword = at.rsplit('/').next()?;
    match (keyword, schema.pointer(at)?) {
        ("type", Value::String(word)) => {
            let meant = match word.as_str() {
                "int" | "long" => "integer",
                "float" | "double" | "decimal" => "number",
                "str" | "text" | "date" => "string",
                "bool" => "boolean",
                "list" | "tuple" => "array",
                "dict" | "map" => "object",
                "none" | "nil" => "null",
                "any" => return Some("leave `type` out to accept any value".to_owned()),
                word => did_you_mean(word, TYPES)?,
            };
            Some(format!("did you mean `\"{meant}\"`?"))
        }
        ("items", Value::Array(_)) if dialect == Dialect::Draft202012 => Some(
            "in 2020-12 a tuple is `prefixItems`; a schema of draft-07 says so in `$schema`"
                .to_owned(),
        ),
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) if dialect != Dialect::Draft4 => {
            Some(
                "it is the bound itself, a number; a schema of draft-04 says so in `$schema`"
                    .to_owned(),
            )
        }
        ("required", Value::Bool(_)) if dialect != Dialect::Draft4 => Some(
            "the object around the property lists the names of those that are required".to_owned(),
        ),
        _ => None,
    }
}

/// The words that `type` may hold.
pub(crate) const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// The schema with every subschema of another dialect taken out: those obey rules of their own.
fn without_foreign(index: &Index<'_>, schemas: &Schemas, root: NodeId, id: NodeId) -> Value {
    let value = index.value(id);
    let foreign = id != root
        && match (schemas.facts(id), schemas.facts(root)) {
            (Some(own), Some(outer)) => own.dialect != outer.dialect && own.parent.is_some(),
            _ => false,
        };
    if foreign && value.is_object() {
        return Value::Object(Map::new());
    }
    let inner = |child: &Value| match index.find(child) {
        Some(child) => without_foreign(index, schemas, root, child),
        None => child.clone(),
    };
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(key, it)| (key.clone(), inner(it)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(inner).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn check_patterns(index: &Index<'_>, id: NodeId, diagnostics: &mut Diagnostics) {
    let value = index.value(id);
    let document = index.document(id);
    let at = index.pointer(id);
    let mut report = |pattern: &str, place| {
        if let Err(reason) = engine::check_pattern(pattern) {
            diagnostics.push(
                Diagnostic::new(
                    Id::InvalidPattern,
                    format!("`{pattern}` is not a regular expression"),
                )
                .at(place, reason)
                .help("patterns are those of ECMA-262, without flags"),
            );
        }
    };
    if let Some(pattern) = value.get("pattern").and_then(Value::as_str) {
        report(pattern, document.place_of(at.child("pattern")));
    }
    let keys = value.get("patternProperties").and_then(Value::as_object);
    for key in keys.into_iter().flat_map(Map::keys) {
        let pointer = at.child("patternProperties").child(key);
        report(key, crate::diagnostics::Place::key(document.file, pointer));
    }
}
