//! Schemas compared as sets of values: the only module that names `jsonschema::canonical`.
//!
//! That part of `jsonschema` is experimental, so it stays behind these few functions. It is slow
//! on large schemas, and much slower in the debug build that a build script is, so only small ones
//! get here, by counts: the outcome must not depend on the machine.

use jsonschema::canonical::{self, CanonicalSchema, Containment, Satisfiability};
use mcp_codegen_grammar::ecma::{self, Renames};
use serde_json::{Map, Value, json};

/// JSON values in both schemas together. Past it nothing is tried.
const MAX_VALUES: usize = 300;
/// Branches of unions in both schemas together; what they multiply to is what costs.
const MAX_BRANCHES: usize = 24;

/// What a comparison came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Yes,
    /// With the values in between, where they can be told.
    No(Option<Value>),
    /// With the reason.
    Unknown(&'static str),
}

/// Why schemas are not compared that have no room beside each other.
pub(super) const TOO_LARGE: Answer = Answer::Unknown("the schemas are too large to be compared");

/// How many JSON values another schema may have in it, for both to be compared.
pub(super) fn room_beside(schema: &Value) -> usize {
    MAX_VALUES.saturating_sub(size(schema))
}

/// How many JSON values are in one, with itself.
pub(super) fn size(value: &Value) -> usize {
    count(value, &|_| 1)
}

/// Whether every value that `inner` accepts is one that `outer` accepts. Both are self-contained
/// and of one dialect.
pub(super) fn is_within(inner: &Value, outer: &Value) -> Answer {
    if size(inner) + size(outer) > MAX_VALUES {
        return TOO_LARGE;
    }
    if count(inner, &branches) + count(outer, &branches) > MAX_BRANCHES {
        return Answer::Unknown("the schemas have too many branches to be compared");
    }
    // Patterns mean here what they mean to the validator.
    let mut authors = Renames::new();
    let (Some(inner), Some(outer)) = (
        canonical(inner, &mut authors),
        canonical(outer, &mut authors),
    ) else {
        return Answer::Unknown("the schemas have no canonical form");
    };
    match outer.covers(&inner) {
        Ok(Containment::Yes) => Answer::Yes,
        Ok(Containment::No) => {
            Answer::No(gap(&inner, &outer).map(|it| ecma::renamed(&it, &authors)))
        }
        Ok(Containment::Unknown) => Answer::Unknown("the comparison is too hard"),
        Err(_) => Answer::Unknown("the schemas cannot be compared"),
    }
}

/// What `inner` accepts and `outer` does not.
fn gap(inner: &CanonicalSchema, outer: &CanonicalSchema) -> Option<Value> {
    let gap = inner.subtract(outer).ok()?;
    let mut schema = (gap.satisfiability() != Satisfiability::No).then(|| gap.to_json_schema())?;
    if let Some(members) = schema.as_object_mut() {
        members.shift_remove("$schema");
    }
    Some(schema)
}

fn canonical(schema: &Value, authors: &mut Renames) -> Option<CanonicalSchema> {
    let translated = ecma::translated(schema).map(|(translated, renames)| {
        authors.extend(renames);
        translated
    });
    let schema = without_root_references(translated.as_ref().unwrap_or(schema))?;
    canonical::options().offline().canonicalize(&schema).ok()
}

/// The same schema without references to its root, which two documents cannot both have: the root
/// moves into the definitions. `None` where nested resources make that hard.
fn without_root_references(schema: &Value) -> Option<Value> {
    const ROOT: &str = "#/$defs/mcp-codegen root";
    let Value::Object(members) = schema else {
        return Some(schema.clone());
    };
    let is_definitions = |key: &str| matches!(key, "$defs" | "definitions");
    if !members.iter().any(|(_, it)| refers_outside_definitions(it)) {
        return Some(schema.clone());
    }
    if members.iter().any(|(_, it)| has_id(it)) {
        return None;
    }
    let mut moved = Map::new();
    let mut root = Map::new();
    let mut document = Map::new();
    for (key, value) in members {
        let mut value = value.clone();
        redirect(&mut value, ROOT);
        match key.as_str() {
            "$schema" | "$id" | "id" => {
                document.insert(key.clone(), value);
            }
            key if is_definitions(key) => {
                document.insert(key.to_owned(), value);
            }
            _ => {
                root.insert(key.clone(), value);
            }
        }
    }
    let definitions = document.entry("$defs").or_insert_with(|| json!({}));
    moved.extend(definitions.as_object().cloned().unwrap_or_default());
    moved.insert("mcp-codegen root".to_owned(), root.into());
    *definitions = moved.into();
    document.insert(
        "allOf".to_owned(),
        json!([{ "$ref": ROOT.replace(' ', "%20") }]),
    );
    Some(Value::Object(document))
}

fn reference(schema: &Value) -> Option<&str> {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .filter(|it| it.starts_with('#'))
}

fn stays_in_definitions(target: &str) -> bool {
    target.starts_with("#/$defs/") || target.starts_with("#/definitions/") || anchors(target)
}

fn anchors(target: &str) -> bool {
    target.len() > 1 && !target.starts_with("#/")
}

fn refers_outside_definitions(value: &Value) -> bool {
    reference(value).is_some_and(|it| !stays_in_definitions(it))
        || any_child(value, &refers_outside_definitions)
}

fn has_id(value: &Value) -> bool {
    ["$id", "id"]
        .iter()
        .any(|it| value.get(it).is_some_and(Value::is_string))
        || any_child(value, &has_id)
}

fn any_child(value: &Value, test: &dyn Fn(&Value) -> bool) -> bool {
    match value {
        Value::Object(members) => members.values().any(test),
        Value::Array(items) => items.iter().any(test),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn redirect(value: &mut Value, root: &str) {
    let target = reference(value)
        .filter(|it| !stays_in_definitions(it))
        .map(str::to_owned);
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(|it| redirect(it, root));
            if let Some(target) = target {
                let moved = format!("{}{}", root.replace(' ', "%20"), &target[1..]);
                members.insert("$ref".to_owned(), moved.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| redirect(it, root)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Sums over a value and everything in it.
fn count(value: &Value, of: &dyn Fn(&Value) -> usize) -> usize {
    let below: usize = match value {
        Value::Object(members) => members.values().map(|it| count(it, of)).sum(),
        Value::Array(items) => items.iter().map(|it| count(it, of)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    of(value) + below
}

fn branches(value: &Value) -> usize {
    let lists = ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|it| value.get(it)?.as_array());
    lists.map(Vec::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_ecma() {
        let outer = json!({"pattern": r"^\d(?!0)"});
        assert_eq!(is_within(&json!({"const": "1a"}), &outer), Answer::Yes);
        let other = json!({"const": "١a"});
        assert!(matches!(is_within(&other, &outer), Answer::No(_)));
        // A gap is told in the words of the author.
        let text = json!({"type": "string"});
        let gap = json!({"type": "string", "allOf": [{"not": outer}]});
        assert_eq!(is_within(&text, &outer), Answer::No(Some(gap)));
    }
}
