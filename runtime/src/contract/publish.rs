//! Output schemas for peers that accept object results only.
//!
//! Before 2026-07-28 the root of an `outputSchema` must say `type: object`. A schema of other
//! values is published there as that of `{"result": value}`; a schema of objects that does not say so
//! itself gets the word added.

use mcp_codegen_grammar::percent;
use serde_json::{Map, Value, json};

/// The property that holds a wrapped value; the name is that of the Python SDK.
pub(super) const RESULT: &str = "result";

/// `{"result": value}`.
pub(super) fn wrap(value: Value) -> Value {
    Value::Object(Map::from_iter([(RESULT.to_owned(), value)]))
}

/// The value inside of what [`wrap`] made.
pub(super) fn unwrap(wrapper: Value) -> Value {
    match wrapper {
        Value::Object(mut members) => members.remove(RESULT).unwrap_or_default(),
        other => other,
    }
}

/// The value inside, if this is what [`wrap`] makes.
pub(super) fn inner(value: &Value) -> Option<&Value> {
    let members = value.as_object().filter(|it| it.len() == 1);
    members?.get(RESULT)
}

/// What values an output schema allows, as far as its publication is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// Its root says `type: object`.
    Object,
    /// Only objects, though its root does not say so.
    ImplicitObject,
    /// Possibly other values.
    Other,
}

impl OutputForm {
    pub(super) fn of(schema: &Value) -> Self {
        let hidden = schema.get("$ref").is_some() && hides_siblings(schema);
        if !hidden && schema.get("type") == Some(&Value::from("object")) {
            Self::Object
        } else if only_objects(schema, schema, 0) {
            Self::ImplicitObject
        } else {
            Self::Other
        }
    }
}

/// The `Tool` object with an output schema that says `type: object`; other members and their
/// order are kept.
pub(super) fn legacy(definition: &Map<String, Value>, form: OutputForm) -> Map<String, Value> {
    let publish = |schema: &Value| match form {
        OutputForm::Object => schema.clone(),
        OutputForm::ImplicitObject => typed(schema),
        OutputForm::Other => wrapped(schema),
    };
    let entry = |(key, value): (&String, &Value)| {
        let value = if key == "outputSchema" {
            publish(value)
        } else {
            value.clone()
        };
        (key.clone(), value)
    };
    definition.iter().map(entry).collect()
}

/// Whether the schema provably refuses all but objects. Cheap and by structure: where it says
/// `false` for a schema of objects, the value is wrapped, which is right too, only less pretty.
pub(crate) fn only_objects(root: &Value, schema: &Value, depth: usize) -> bool {
    // Deep enough for real schemas; ends recursion that makes no progress.
    if depth > 16 {
        return false;
    }
    // Pointers inside a resource of its own start there, not at `root`.
    if depth > 0 && schema.get("$id").is_some() {
        return false;
    }
    let all = |key: &str| schema.get(key).and_then(Value::as_array);
    let follow = |schema: &Value| only_objects(root, schema, depth + 1);
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|it| resolve(root, it));
    if target.is_some_and(follow) {
        return true;
    }
    // Up to draft 7, keywords beside `$ref` mean nothing; they are taken at their word only where a `$ref` is absent.
    if schema.get("$ref").is_some() && hides_siblings(root) {
        return false;
    }
    let types = schema.get("type");
    types == Some(&json!("object"))
        || types == Some(&json!(["object"]))
        || schema.get("const").is_some_and(Value::is_object)
        || all("enum").is_some_and(|it| !it.is_empty() && it.iter().all(Value::is_object))
        || all("allOf").is_some_and(|it| it.iter().any(follow))
        || ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(all)
            .any(|it| !it.is_empty() && it.iter().all(follow))
}

pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    // Only pointers of the root resource are followed: codegen bundles everything else behind them.
    let pointer = reference.strip_prefix('#')?;
    root.pointer(&percent::lossy(pointer))
}

fn dialect(root: &Value) -> &str {
    root.get("$schema")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn hides_siblings(root: &Value) -> bool {
    let dialect = dialect(root);
    ["draft-04", "draft-06", "draft-07"]
        .into_iter()
        .any(|draft| dialect.contains(draft))
}

fn typed(schema: &Value) -> Value {
    let mut out = Map::new();
    let members = schema.as_object().into_iter().flatten();
    for (key, value) in members.clone().filter(|(key, _)| *key == "$schema") {
        out.insert(key.clone(), value.clone());
    }
    out.insert("type".to_owned(), Value::from("object"));
    for (key, value) in members.filter(|(key, _)| !["$schema", "type"].contains(&key.as_str())) {
        out.insert(key.clone(), value.clone());
    }
    Value::Object(out)
}

pub(crate) fn wrapped(schema: &Value) -> Value {
    let mut inner = schema.clone();
    let mut out = Map::new();
    if let Value::Object(members) = &mut inner
        && let Some(dialect) = members.shift_remove("$schema")
    {
        // Only the root of a document may name its dialect.
        out.insert("$schema".to_owned(), dialect);
    }
    let draft4 = dialect(schema).contains("draft-04");
    move_references(&mut inner, if draft4 { "id" } else { "$id" });
    out.insert("type".to_owned(), Value::from("object"));
    out.insert("properties".to_owned(), json!({ RESULT: inner }));
    out.insert("required".to_owned(), json!([RESULT]));
    Value::Object(out)
}

/// Makes the references of a schema that moves to `#/properties/result` point to where their targets are now.
///
/// `id_keyword` is the dialect's word for `$id`.
fn move_references(schema: &mut Value, id_keyword: &str) {
    let Value::Object(members) = schema else {
        return;
    };
    // A schema with an id of its own is a resource of its own: pointers in it start there still.
    let id = members.get(id_keyword).and_then(Value::as_str);
    if id.is_some_and(|id| !id.starts_with('#')) {
        return;
    }
    if let Some(Value::String(_)) = members.get("$recursiveRef") {
        // It always says `#`. In one resource it is what `$ref` is; left alone it would point to the wrapper.
        rename(members, "$recursiveRef", "$ref");
    }
    for (key, value) in members.iter_mut() {
        match (key.as_str(), value) {
            ("$ref" | "$dynamicRef", Value::String(reference)) => {
                let moved = reference
                    .strip_prefix('#')
                    .filter(|it| it.is_empty() || it.starts_with('/'));
                if let Some(pointer) = moved {
                    *reference = format!("#/properties/{RESULT}{pointer}");
                }
            }
            ("const" | "enum" | "default" | "examples" | "example", _) => {}
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                | "dependencies",
                Value::Object(schemas),
            ) => schemas
                .values_mut()
                .for_each(|it| move_references(it, id_keyword)),
            (_, Value::Array(schemas)) => {
                for it in schemas {
                    move_references(it, id_keyword);
                }
            }
            (_, value) => move_references(value, id_keyword),
        }
    }
}

/// Renames a member in its place.
fn rename(members: &mut Map<String, Value>, from: &str, to: &str) {
    let entries = std::mem::take(members);
    let renamed =
        |(key, value): (String, Value)| (if key == from { to.to_owned() } else { key }, value);
    *members = entries.into_iter().map(renamed).collect();
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn form_of_output_schemas() {
        let cases = [
            (json!({"type": "object"}), OutputForm::Object),
            (json!({"type": ["object"]}), OutputForm::ImplicitObject),
            (
                json!({"$ref": "#/$defs/A%20b", "$defs": {"A b": {"type": "object"}}}),
                OutputForm::ImplicitObject,
            ),
            (
                json!({"allOf": [{}, {"type": "object"}]}),
                OutputForm::ImplicitObject,
            ),
            (
                json!({"oneOf": [{"type": "object"}, {"const": {}}]}),
                OutputForm::ImplicitObject,
            ),
            (
                json!({"anyOf": [{"type": "object"}, {"type": "null"}]}),
                OutputForm::Other,
            ),
            (json!({"type": ["object", "null"]}), OutputForm::Other),
            (json!({"properties": {"a": {}}}), OutputForm::Other),
            (json!({"$ref": "#"}), OutputForm::Other),
            (
                json!({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/x",
                    "type": "object", "definitions": {"x": {}}}),
                OutputForm::Other,
            ),
            (json!(true), OutputForm::Other),
        ];
        for (schema, form) in cases {
            assert_eq!(OutputForm::of(&schema), form, "{schema}");
        }
    }

    #[test]
    fn wrapping_moves_references_and_dialect() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "array",
            "items": {"$ref": "#/$defs/Node"},
            "$defs": {
                "Node": {
                    "properties": {
                        "$ref": {"$ref": "#"},
                        "anchor": {"$ref": "#here"},
                        "other": {"$ref": "https://example.com/x#/a"},
                        "own": {"$id": "https://example.com/own", "$ref": "#/$defs/a", "$defs": {"a": {}}},
                        "data": {"const": {"$ref": "#/data"}}
                    }
                }
            }
        });
        let out = wrapped(&schema);
        let node = &out["properties"]["result"]["$defs"]["Node"]["properties"];
        assert_eq!(out["$schema"], schema["$schema"]);
        assert_eq!(out["required"], json!(["result"]));
        assert_eq!(out["properties"]["result"].get("$schema"), None);
        assert_eq!(
            out["properties"]["result"]["items"]["$ref"],
            "#/properties/result/$defs/Node"
        );
        assert_eq!(node["$ref"]["$ref"], "#/properties/result");
        assert_eq!(node["anchor"]["$ref"], "#here");
        assert_eq!(node["other"]["$ref"], "https://example.com/x#/a");
        assert_eq!(node["own"]["$ref"], "#/$defs/a");
        assert_eq!(node["data"]["const"]["$ref"], "#/data");
    }
}
