//! What is proved about small schemas, and how it is said.

use serde_json::{Value, json};

use super::{Verdict, proved};

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Exact => "exact".to_owned(),
        Verdict::Refuted(gaps) => gaps
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; "),
        Verdict::Unknown(why) => format!("unknown: {why}"),
        Verdict::Unsound(why) => format!("unsound: {why}"),
    }
}

#[test]
fn reading() {
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let cases = [
        (json!({ "type": "string" }), "exact"),
        (json!({ "type": "integer" }), "exact"),
        (json!({ "type": "integer", "minimum": 0 }), "exact"),
        (
            json!({ "type": "integer", "minimum": 1 }),
            "integers below 1",
        ),
        (
            json!({ "type": "integer", "format": "int8", "minimum": -128, "maximum": 127 }),
            "exact",
        ),
        (json!({ "type": "number" }), "exact"),
        (
            json!({ "type": "string", "minLength": 0, "title": "T", "x-a": 1 }),
            "exact",
        ),
        (json!({ "type": "string", "format": "date" }), "exact"),
        (
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "type": "string", "format": "date" }),
            "what `format: \"date\"` refuses",
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "type": "string", "format": "uuid" }),
            "exact",
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "integer" }),
            "integers that are written with a fraction (`3.0`)",
        ),
        (json!({ "enum": ["a", "b", 1, null] }), "exact"),
        (json!({ "type": ["string", "null"] }), "exact"),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            "exact",
        ),
        (
            json!({ "anyOf": [{ "type": "string", "minLength": 1 }, { "type": "null" }] }),
            "what `minLength: 1` refuses",
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "integer" } }] }),
            "exact",
        ),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            "exact",
        ),
        (
            json!({ "type": "object", "propertyNames": { "type": "string" } }),
            "exact",
        ),
        (
            json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": false, "minItems": 1 }),
            "exact",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
            "what `minItems: 1` refuses",
        ),
        (
            object(json!({ "a": { "type": "string" }, "b": { "type": ["integer", "null"] } })),
            "exact",
        ),
        (
            object(
                json!({ "a/b": { "type": "array", "items": { "type": "string", "maxLength": 2 } } }),
            ),
            "at `/a~1b/*`, what `maxLength: 2` refuses",
        ),
        (
            json!({ "$ref": "#/$defs/n", "$defs": { "n": {
                "type": "object", "required": ["v"],
                "properties": { "v": { "type": "string" }, "next": { "$ref": "#/$defs/n" } },
            } } }),
            "exact",
        ),
        (
            json!({ "type": "object", "properties": { "next": { "$ref": "#" }, "v": { "type": "string", "minLength": 3 } } }),
            "at `/v`, what `minLength: 3` refuses",
        ),
        (
            json!({ "oneOf": [
                { "type": "object", "properties": { "k": { "const": "a" }, "v": { "type": "string" } }, "required": ["k", "v"] },
                { "type": "object", "properties": { "k": { "const": "b" } }, "required": ["k"] },
            ] }),
            "exact",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            "for example `{}`",
        ),
        (
            json!({ "type": "object", "not": { "required": ["a"] } }),
            "for example `{\"\":{},\"a\":true,\"x-a\":{}}`",
        ),
        // The algebra knows that the second branch is within the first.
        (
            json!({ "type": "string", "anyOf": [{ "minLength": 1 }, { "maxLength": 1 }] }),
            "exact",
        ),
    ];
    for (schema, expected) in cases {
        let found = proved(&schema).map_or_else(|| "refused".to_owned(), |it| told(&it.input));
        assert_eq!(found, expected, "{schema}");
    }
}

#[test]
fn writing() {
    let cases = [
        (json!({ "type": "integer" }), "exact"),
        // NaN and infinities are not written.
        (json!({ "type": "number" }), "exact"),
        (json!({ "type": ["number", "null"] }), "exact"),
        // What is not declared is not written.
        (
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "maxProperties": 1 }),
            "exact",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": true }),
            "at `/a`, when it stands in the map of undeclared properties, values that are not of the schema's type",
        ),
        // Nor is a name twice.
        (
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"], "additionalProperties": true }),
            "exact",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "string", "default": "x" } }, "required": ["a"] }),
            "exact",
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "boolean" }] }),
            "exact",
        ),
    ];
    for (schema, expected) in cases {
        let found = proved(&schema).map_or_else(|| "refused".to_owned(), |it| told(&it.output));
        assert_eq!(found, expected, "{schema}");
    }
}
