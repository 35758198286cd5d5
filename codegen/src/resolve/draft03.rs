//! Schemas of draft-03, put in the words of draft-04: it says the same in other places.
//!
//! No client and no engine that is kept up reads draft-03. What it calls `extends`, `disallow` and `divisibleBy`, a
//! `required` inside of the property and schemas inside of `type` all have a successor of the same meaning, so
//! later phases, the validator and clients see draft-04.
//!
//! Source: draft-zyp-json-schema-03, sections 5.1 to 5.26, and draft-zyp-json-schema-04, change log.

use serde_json::{Map, Value, json};

use super::dialect::Dialect;

const URI: &str = "json-schema.org/draft-03/schema";

/// Keywords of draft-04 that draft-03 does not have: there they mean nothing.
const UNKNOWN: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "multipleOf",
    "minProperties",
    "maxProperties",
];

/// Rewrites every schema of draft-03 in a document.
pub(super) fn translate(document: &mut Value) {
    match document {
        Value::Object(members) if is_draft03(members) => {
            schema(members);
            members.insert("$schema".to_owned(), Dialect::Draft4.uri().into());
        }
        Value::Object(members) => members.values_mut().for_each(translate),
        Value::Array(items) => items.iter_mut().for_each(translate),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_draft03(schema: &Map<String, Value>) -> bool {
    let uri = schema.get("$schema").and_then(Value::as_str);
    let bare = uri.and_then(|it| {
        it.strip_prefix("http://")
            .or_else(|| it.strip_prefix("https://"))
    });
    bare.is_some_and(|it| it.trim_end_matches('#') == URI)
}

/// A schema that may stand where draft-03 also takes texts and booleans, or that names another dialect.
fn subschema(value: &mut Value) {
    let Value::Object(members) = value else {
        return;
    };
    match members.get("$schema") {
        Some(_) if !is_draft03(members) => members.values_mut().for_each(translate),
        named => {
            let named = named.is_some();
            schema(members);
            if named {
                members.insert("$schema".to_owned(), Dialect::Draft4.uri().into());
            }
        }
    }
}

fn schema(members: &mut Map<String, Value>) {
    members.retain(|key, _| !UNKNOWN.contains(&key.as_str()));
    let required = required(members);
    let entries = std::mem::take(members);
    let mut all_of = Vec::new();
    for (key, mut value) in entries {
        subschemas(&key, &mut value);
        match (key.as_str(), value) {
            // Said by the schema that has the property; at the root it says nothing.
            ("required", Value::Bool(_)) => {}
            ("type", value) => match kinds(value) {
                Kinds::Any => {}
                Kinds::Names(value) => put(members, "type", value),
                Kinds::Schemas(any) => put(members, "anyOf", any),
            },
            ("disallow", value) => {
                let refused = match kinds(value) {
                    Kinds::Any => json!({}),
                    Kinds::Names(names) => json!({ "type": names }),
                    Kinds::Schemas(any) => json!({ "anyOf": any }),
                };
                put(members, "not", refused);
            }
            ("extends", Value::Array(parts)) => all_of.extend(parts),
            ("extends", part) => all_of.push(part),
            ("divisibleBy", value) => put(members, "multipleOf", value),
            ("format", value) => put(members, "format", format(value)),
            (_, value) => {
                members.insert(key, value);
            }
        }
    }
    if !required.is_empty() {
        put(members, "required", required.into());
    }
    if !all_of.is_empty() {
        put(members, "allOf", all_of.into());
    }
}

fn put(members: &mut Map<String, Value>, key: &str, value: Value) {
    members.insert(key.to_owned(), value);
}

/// The properties that say of themselves that they are required.
fn required(members: &Map<String, Value>) -> Vec<String> {
    let properties = members.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    properties
        .filter(|(_, it)| it.get("required") == Some(&Value::Bool(true)))
        .map(|(name, _)| name.clone())
        .collect()
}

/// Translates the schemas in the value of a keyword.
fn subschemas(key: &str, value: &mut Value) {
    match (key, value) {
        ("properties" | "patternProperties" | "definitions", Value::Object(schemas)) => {
            schemas.values_mut().for_each(subschema);
        }
        ("dependencies", Value::Object(dependencies)) => {
            for it in dependencies.values_mut() {
                match it {
                    Value::String(name) => *it = json!([name]),
                    other => subschema(other),
                }
            }
        }
        (
            "items" | "additionalItems" | "additionalProperties" | "extends" | "type" | "disallow",
            value,
        ) => match value {
            Value::Array(schemas) => schemas.iter_mut().for_each(subschema),
            other => subschema(other),
        },
        _ => {}
    }
}

/// What `type` and `disallow` name.
enum Kinds {
    /// Every value.
    Any,
    /// A name, or several.
    Names(Value),
    /// Schemas: names among them have become ones.
    Schemas(Value),
}

fn kinds(value: Value) -> Kinds {
    let any = Value::from("any");
    match value {
        Value::Array(all) if all.contains(&any) || all.is_empty() => Kinds::Any,
        Value::Array(all) if all.iter().all(Value::is_string) => Kinds::Names(all.into()),
        Value::Array(all) => {
            let schemas = all.into_iter().map(|it| match it {
                Value::String(name) => json!({ "type": name }),
                schema => schema,
            });
            Kinds::Schemas(schemas.collect())
        }
        value if value == any => Kinds::Any,
        value if value.is_object() => Kinds::Schemas(json!([value])),
        value => Kinds::Names(value),
    }
}

/// Formats that have had another name since.
fn format(value: Value) -> Value {
    match value.as_str() {
        Some("host-name") => "hostname".into(),
        Some("ip-address") => "ipv4".into(),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_of_draft_03_says_the_same_in_draft_04() {
        let cases = [
            (
                json!({"properties": {"a": {"required": true, "type": "any"}, "b": {"required": false}}}),
                json!({"properties": {"a": {}, "b": {}}, "required": ["a"]}),
            ),
            (
                json!({"type": ["string", "null"]}),
                json!({"type": ["string", "null"]}),
            ),
            (json!({"type": ["string", "any"]}), json!({})),
            (
                json!({"type": ["string", {"extends": {"$ref": "#"}}]}),
                json!({"anyOf": [{"type": "string"}, {"allOf": [{"$ref": "#"}]}]}),
            ),
            (
                json!({"type": {"divisibleBy": 2}}),
                json!({"anyOf": [{"multipleOf": 2}]}),
            ),
            (json!({"disallow": "any"}), json!({"not": {}})),
            (
                json!({"disallow": "null"}),
                json!({"not": {"type": "null"}}),
            ),
            (
                json!({"disallow": ["null", {"minimum": 1}]}),
                json!({"not": {"anyOf": [{"type": "null"}, {"minimum": 1}]}}),
            ),
            (
                json!({"extends": [{"$ref": "#/a"}, {"required": true}]}),
                json!({"allOf": [{"$ref": "#/a"}, {}]}),
            ),
            (
                json!({"dependencies": {"a": "b", "c": ["d"], "e": {"disallow": "null"}}}),
                json!({"dependencies": {"a": ["b"], "c": ["d"], "e": {"not": {"type": "null"}}}}),
            ),
            (
                json!({"items": [{"type": "any"}], "additionalItems": {"divisibleBy": 1}, "additionalProperties": false}),
                json!({"items": [{}], "additionalItems": {"multipleOf": 1}, "additionalProperties": false}),
            ),
            (
                json!({"anyOf": [{"type": "null"}], "format": "ip-address"}),
                json!({"format": "ipv4"}),
            ),
            // What is no schema stays, whatever it looks like.
            (
                json!({"enum": [{"type": "any"}], "default": {"extends": 1}}),
                json!({"enum": [{"type": "any"}], "default": {"extends": 1}}),
            ),
        ];
        for (mut old, mut new) in cases {
            old["$schema"] = "http://json-schema.org/draft-03/schema#".into();
            new["$schema"] = Dialect::Draft4.uri().into();
            let mut document = json!({ "inputSchema": old });
            translate(&mut document);
            assert_eq!(document["inputSchema"], new);
        }
    }

    #[test]
    fn other_dialects_are_left_alone() {
        let newer = json!({"$schema": "http://json-schema.org/draft-07/schema#", "extends": 1});
        let mut document = json!({
            "$schema": "https://json-schema.org/draft-03/schema", "properties": {"a": newer}
        });
        translate(&mut document);
        assert_eq!(document["properties"]["a"], newer);
    }
}
