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
        (
            json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "string", "const": "a" }),
            "exact",
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
    ];
    assert_read(&cases);
}

#[test]
fn reading_parts() {
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let cases = [
        (
            object(json!({ "a": { "type": "string" }, "b": { "type": ["integer", "null"] } })),
            "exact",
        ),
        (
            object(
                json!({ "a/b": { "type": "array", "items": { "type": "string", "maxLength": 2 } } }),
            ),
            "exact",
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
            "exact",
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
    assert_read(&cases);
}

fn assert_read(cases: &[(Value, &str)]) {
    for (schema, expected) in cases {
        let found = proved(schema).map_or_else(|| "refused".to_owned(), |it| told(&it.input));
        assert_eq!(&found, expected, "{schema}");
    }
}

/// Schemas whose rules a plain type does not keep.
fn ruled() -> Vec<Value> {
    vec![
        json!({ "type": "string", "minLength": 1, "maxLength": 3 }),
        json!({ "type": "string", "pattern": "^(?!\\d)" }),
        json!({ "type": "string", "allOf": [{ "pattern": "a" }, { "pattern": "b" }] }),
        json!({ "type": "integer", "minimum": 1, "exclusiveMaximum": 7 }),
        json!({ "type": "integer", "multipleOf": 2 }),
        json!({ "type": "number", "exclusiveMinimum": 0.5, "multipleOf": 0.1 }),
        json!({ "type": "array", "items": { "type": "integer" }, "minItems": 1, "uniqueItems": true }),
        json!({ "type": "object", "additionalProperties": { "type": "string" }, "minProperties": 1, "maxProperties": 2 }),
        json!({ "type": "object", "additionalProperties": { "type": "string" }, "propertyNames": { "pattern": "^x-" } }),
        json!({ "type": ["string", "null"], "minLength": 1 }),
        json!({ "anyOf": [{ "type": "string", "minLength": 1 }, { "type": "null" }] }),
    ]
}

#[test]
fn rules_hold_where_somebody_checks_them() {
    let field = |schema: &Value| json!({ "type": "object", "properties": { "p": schema } });
    for schema in ruled() {
        let holders = [
            field(&schema),
            json!({ "type": "object", "properties": { "p": schema }, "required": ["p"] }),
            field(&json!({ "type": "array", "items": schema })),
            field(&json!({ "type": "object", "additionalProperties": schema })),
            field(
                &json!({ "type": "array", "prefixItems": [schema, { "type": "boolean" }], "items": false, "minItems": 2 }),
            ),
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": schema }),
            json!({ "type": "object", "properties": { "p": { "$ref": "#/$defs/d" }, "q": { "type": "array", "items": { "$ref": "#/$defs/d" } } },
                "$defs": { "d": schema } }),
            field(&json!({ "anyOf": [schema, { "type": "boolean" }] })),
        ];
        for held in holders {
            let found = proved(&held).map_or_else(|| "refused".to_owned(), |it| told(&it.input));
            assert_eq!(found, "exact", "{held}");
        }
        // What a tool takes or gives as a whole is read as a plain type, and written as one everywhere.
        let alone = proved(&schema).expect("the schema is right");
        assert!(
            matches!(alone.input, Verdict::Refuted(_) | Verdict::Unknown(_)),
            "{schema}"
        );
        let written = proved(&field(&schema)).expect("the schema is right");
        assert!(
            matches!(written.output, Verdict::Refuted(_) | Verdict::Unknown(_)),
            "{schema}"
        );
    }
}

#[test]
fn rules_that_some_values_need_not_keep_are_nobodys() {
    let list = json!({ "type": "array", "items": { "type": "string" }, "maxItems": 1 });
    let cases = [
        // One of two branches.
        (
            json!({ "anyOf": [{ "type": "string", "minLength": 3 }, { "type": "string", "pattern": "^a" }] }),
            false,
        ),
        (
            json!({ "anyOf": [{ "type": "string", "minLength": 3 }, { "const": "a" }] }),
            false,
        ),
        // Two variants, of which the schema of the one that is chosen has been kept.
        (
            json!({ "anyOf": [list, { "type": "array", "items": { "type": "string" }, "minItems": 3 }] }),
            true,
        ),
        // A condition.
        (
            json!({ "type": "string", "if": { "minLength": 3 }, "then": { "pattern": "^a" } }),
            false,
        ),
        (
            json!({ "type": "string", "not": { "minLength": 3 } }),
            false,
        ),
        // Patterns of names with rules of their own.
        (
            json!({ "type": "object", "patternProperties": { "^a": { "type": "string", "minLength": 1 }, "^b": { "type": "string", "maxLength": 1 } },
            "additionalProperties": false }),
            false,
        ),
        // A draft that says it with a mark.
        (
            json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "number", "minimum": 1, "exclusiveMinimum": true }),
            true,
        ),
    ];
    for (schema, exact) in cases {
        let dialect = schema.get("$schema").cloned();
        let mut held = json!({ "type": "object", "properties": { "p": schema } });
        if let Some(dialect) = dialect {
            held["$schema"] = dialect;
        }
        let found = proved(&held).expect("the schema is right").input;
        assert!(
            !matches!(found, Verdict::Unsound(_)),
            "{held}: {}",
            told(&found)
        );
        assert_eq!(found == Verdict::Exact, exact, "{held}: {}", told(&found));
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
