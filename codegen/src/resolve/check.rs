//! Every schema against the meta-schema of its own dialect, and every pattern against the regular
//! expressions that validators use.

use serde_json::{Map, Value};

use super::{
    dialect::{Declared, Dialect},
    engine,
    index::{Index, NodeId},
    schemas::Schemas,
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id, Pointer};

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
    let unknown = matches!(Dialect::declared(index.value(id)), Declared::Unknown(_));
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
        diagnostics.push(
            Diagnostic::new(Id::InvalidSchema, message)
                .at(index.document(id).place_of(pointer), fault.message),
        );
    }
}

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
