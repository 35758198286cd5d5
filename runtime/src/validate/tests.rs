//! What is said of values that break schemas.

#![expect(clippy::unwrap_used, reason = "tests")]

use serde_json::{Map, Value, json};

use super::*;
use crate::Contract;

fn told(schema: Value, value: &Value) -> String {
    LazyChecker::new(schema, FormatPolicy::Dialect)
        .get()
        .check(value)
        .unwrap_err()
        .to_string()
}

fn tell(cases: impl IntoIterator<Item = (Value, Value, &'static str)>) {
    for (schema, value, expected) in cases {
        assert_eq!(told(schema.clone(), &value), expected, "{schema}");
    }
}

#[test]
fn scalars_in_words() {
    tell([
        (
            json!({"type": "integer"}),
            json!("x"),
            "- expected integer, got string",
        ),
        (
            json!({"type": "integer"}),
            json!("5"),
            "- expected integer, got string; send it without quotes",
        ),
        (
            json!({"type": "integer"}),
            json!(1.5),
            "- expected integer, got number",
        ),
        (
            json!({"type": "object"}),
            json!("{\"a\": 1}"),
            "- expected object, got a JSON text: send the object itself",
        ),
        (
            json!({"type": ["null", "array"]}),
            json!("[1]"),
            "- expected array or null, got a JSON text: send the array itself",
        ),
        (
            json!({"const": {"a": 1}}),
            json!(2),
            "- expected {\"a\":1}, got 2",
        ),
        (
            json!({"enum": ["red", "green"]}),
            json!("grene"),
            "- expected one of \"red\", \"green\", got \"grene\"; did you mean \"green\"?",
        ),
        (
            json!({"minimum": 1.5}),
            json!(1),
            "- expected at least 1.5, got 1",
        ),
        (
            json!({"exclusiveMaximum": 3}),
            json!(3),
            "- expected less than 3, got 3",
        ),
        (
            json!({"multipleOf": 5}),
            json!(7),
            "- expected a multiple of 5, got 7",
        ),
        (
            json!({"pattern": "^a"}),
            json!("b"),
            "- expected to match the pattern `^a`, got \"b\"",
        ),
    ]);
}

#[test]
fn sizes_and_structures_in_words() {
    tell([
        (
            json!({"maxLength": 1}),
            json!("äö"),
            "- expected at most 1 character, got 2",
        ),
        (
            json!({"minItems": 2}),
            json!([1]),
            "- expected at least 2 elements, got 1",
        ),
        (
            json!({"maxProperties": 1}),
            json!({"a": 1, "b": 2}),
            "- expected at most 1 property, got 2",
        ),
        (
            json!({"uniqueItems": true}),
            json!([1, 1]),
            "- expected elements that all differ",
        ),
        (
            json!({"prefixItems": [{}], "items": false}),
            json!([1, 2]),
            "- /1: must be absent: no value is allowed here",
        ),
        (
            json!({"properties": {"a": false}}),
            json!({"a": 1}),
            "- /a: must be absent: no value is allowed here",
        ),
        (
            json!({"not": {"type": "null"}}),
            json!(null),
            "- must not match {\"type\":\"null\"}",
        ),
    ]);
}

#[test]
fn names_that_are_not_allowed_in_words() {
    tell([
        (
            json!({"propertyNames": {"maxLength": 1}}),
            json!({"ab": 1}),
            "- the property name `ab` is not allowed: expected at most 1 character, got 2",
        ),
        (
            json!({"additionalProperties": false}),
            json!({"a/b": 1}),
            "- /a~1b: unknown property; no properties are allowed here",
        ),
        (
            json!({"properties": {"o": {"type": "object", "properties": {}, "additionalProperties": false}}}),
            json!({"o": {"a": 1, "b": 2}}),
            "- /o/a: unknown property; no properties are allowed here\n\
             - /o/b: unknown property; no properties are allowed here",
        ),
        (
            json!({"properties": {"o": {"properties": {"name": {}}, "additionalProperties": {"not": {}}}}}),
            json!({"o": {"nam": 1, "a/b": 2}}),
            "- /o/nam: unknown property; did you mean `name`?\n\
             - /o/a~1b: unknown property; known properties: `name`",
        ),
        (
            json!({"properties": {"gone": {"not": {}}}}),
            json!({"gone": 1}),
            "- /gone: must be absent: no value is allowed here",
        ),
        (
            json!({"patternProperties": {"^x-": {}}, "additionalProperties": false}),
            json!({"a": 1, "x-b": 2}),
            "- /a: unknown property; names must match `^x-`",
        ),
        (
            json!({"properties": {"id": {}}, "patternProperties": {"^x-": {}}, "additionalProperties": false}),
            json!({"other": 1}),
            "- /other: unknown property; known properties: `id`, or a name matching `^x-`",
        ),
        (
            json!({"oneOf": [{}, {"type": "null"}, true]}),
            json!(1),
            "- matches alternatives 1 and 3 at once; exactly one must match",
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "format": "date"}),
            json!("x"),
            "- expected the format `date`, got \"x\"",
        ),
    ]);
}

#[test]
fn formats_mean_what_the_settings_say() {
    let new = json!({"format": "date"});
    let old = json!({"$schema": "http://json-schema.org/draft-07/schema#", "format": "date"});
    for (formats, new_refuses, old_refuses) in [
        (FormatPolicy::Dialect, false, true),
        (FormatPolicy::Assert, true, true),
        (FormatPolicy::Annotate, false, false),
    ] {
        for (schema, refuses) in [(&new, new_refuses), (&old, old_refuses)] {
            let checker = LazyChecker::new(schema.clone(), formats);
            let outcome = checker.get().check(&json!("x"));
            assert_eq!(outcome.is_err(), refuses, "{formats:?} {schema}");
            assert!(checker.get().accepts(&json!("2026-11-30")), "{schema}");
        }
    }
}

#[test]
fn formats_hold_for_arguments_results_and_unions() {
    static CONTRACT: Contract = Contract::new(
        r#"{
            "server": {"name": "s", "version": "1"},
            "tools": [
                {"name": "strict", "inputSchema": {"type": "object", "properties": {"day": {"format": "date"}}}, "outputSchema": {"format": "date"}},
                {"name": "plain", "inputSchema": {"type": "object", "properties": {"day": {"format": "date"}}}, "outputSchema": {"format": "date"}}
            ],
            "settings": {"strict": {"formats": "assert", "exactInput": true, "exactOutput": true}},
            "unions": {"Either": [{"format": "date"}, {"type": "string"}]}
        }"#,
    );
    for (tool, refuses) in [("strict", true), ("plain", false)] {
        let tool = CONTRACT.find(tool).unwrap();
        let read = tool.decode_input::<Value>(&json!({"day": "x"}));
        assert_eq!(read.is_err(), refuses, "{tool:?}");
        assert_eq!(tool.encode_output(&"x").is_err(), refuses, "{tool:?}");
        assert!(tool.encode_output(&"2026-11-30").is_ok(), "{tool:?}");
    }
    // One of the two tools lets it through as the first.
    assert_eq!(CONTRACT.select("Either", &json!("x")), Some(0));
}

#[test]
fn unknown_properties_are_matched_with_the_declared_and_absent_ones() {
    let schema = json!({
        "$defs": {"base": {"properties": {"user_id": {}, "colour": {}}}},
        "$ref": "#/$defs/base",
        "properties": {"name": {}},
        "unevaluatedProperties": false,
    });
    let cases = [
        (
            json!({"userId": 1}),
            "- /userId: unknown property; did you mean `user_id`?",
        ),
        (
            json!({"color": 1}),
            "- /color: unknown property; did you mean `colour`?",
        ),
        (
            json!({"nam": 1, "name": 1}),
            "- /nam: unknown property; known properties: `name`, `user_id`, `colour`",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(told(schema.clone(), &value), expected);
    }
}

#[test]
fn unions_are_told_by_the_branch_that_was_meant() {
    let shape = |kind: &str, size: &str| json!({"type": "object", "required": ["kind", size], "properties": {"kind": {"const": kind}, size: {"type": "number"}}});
    let shapes = json!({"oneOf": [shape("circle", "radius"), shape("square", "side")]});
    let nullable = json!({"anyOf": [shapes, {"type": "null"}]});
    let objects = json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let needs = |all: &[&str]| json!({"type": "object", "required": all});
    let sources = json!({"anyOf": [needs(&["url"]), needs(&["owner", "repo"])]});
    let constants = json!({"oneOf": [{"const": "a"}, {"const": "b"}]});
    let cases = [
        (
            &shapes,
            json!({"kind": "square"}),
            "- missing required property `side`",
        ),
        (
            &shapes,
            json!({"kind": "oval"}),
            "- /kind: expected one of \"circle\", \"square\", got \"oval\"",
        ),
        (&shapes, json!(3), "- expected object, got integer"),
        (
            &nullable,
            json!({"kind": "circle", "radius": "x"}),
            "- /radius: expected number, got string",
        ),
        (
            &nullable,
            json!(3),
            "- expected object or null, got integer",
        ),
        (
            &objects,
            json!({}),
            "- missing required property `a` or `b`",
        ),
        (
            &sources,
            json!({}),
            "- missing required property `url`, or `owner` and `repo`",
        ),
        (
            &sources,
            json!({"owner": 1}),
            "- missing required property `url` or `repo`",
        ),
        (
            &constants,
            json!("c"),
            "- expected one of \"a\", \"b\", got \"c\"",
        ),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(told(schema.clone(), &value), expected, "{schema}");
    }
}

#[test]
fn long_lists_are_cut_and_counted() {
    let schema = json!({"items": {"type": "string"}});
    let value = Value::from(vec![1; 60]);
    let violations = LazyChecker::new(schema, FormatPolicy::Dialect)
        .get()
        .check(&value)
        .unwrap_err();
    assert_eq!((violations.len(), violations.count()), (50, 60));
    assert!(
        violations
            .to_string()
            .ends_with("\n- /49: expected string, got integer\n- and 10 more")
    );
}

#[test]
fn long_values_are_shortened() {
    let text = told(json!({"const": 1}), &json!("ä".repeat(500)));
    assert!(text.chars().count() < 110 && text.ends_with('…'), "{text}");
}

#[test]
fn nothing_is_fetched() {
    let schema = json!({"$ref": "https://example.com/schema.json"});
    assert!(!LazyChecker::new(schema, FormatPolicy::Dialect).compiles());
}

/// What a client may send costs what its size costs, and what it gets back is short.
#[test]
fn hostile_arguments_are_answered_in_short() {
    let closed = json!({"properties": {"alpha": {}, "beta": {}}, "additionalProperties": false});
    let empty = json!({"additionalProperties": false});
    let names: Map<String, Value> = (0..50_000)
        .map(|number| (format!("alph{number}"), Value::Null))
        .collect();
    for schema in [closed.clone(), empty] {
        let text = told(schema, &Value::Object(names.clone()));
        assert_eq!(text.lines().count(), 51, "{text}");
        assert!(text.ends_with("\n- and 49950 more"), "{text}");
    }
    let long = "x".repeat(1_000_000);
    let inner = json!({"additionalProperties": {"items": {"type": "integer"}}});
    let cases = [
        (closed, json!({ long.clone(): 1 })),
        (
            json!({"propertyNames": {"maxLength": 3}}),
            json!({ long.clone(): 1 }),
        ),
        (inner, json!({ long: vec![""; 60] })),
    ];
    for (schema, value) in cases {
        let text = told(schema.clone(), &value);
        assert!(text.len() < 20_000, "{schema}: {} bytes", text.len());
    }
}

/// Each branch looks at the same inner value, so the errors of one leaf multiply with every level.
#[test]
fn unions_that_contain_themselves_are_explained_at_bounded_cost() {
    let operator = |name: &str| {
        json!({"type": "object", "required": ["kind"], "properties": {
            "kind": {"const": name}, "of": {"type": "array", "items": {"$ref": "#/$defs/F"}}}})
    };
    let leaf = json!({"type": "object", "required": ["kind", "value"], "properties": {
        "kind": {"const": "leaf"}, "value": {"type": "string"}}});
    let schema = json!({
        "properties": {"f": {"$ref": "#/$defs/F"}, "n": {"type": "integer"}},
        "$defs": {"F": {"oneOf": [operator("and"), operator("or"), operator("not"), leaf]}}
    });
    let filter = |levels: usize, value: Value| {
        (0..levels).fold(
            json!({"kind": "leaf", "value": value}),
            |inner, _| json!({"kind": "and", "of": [inner]}),
        )
    };
    // As deep as it can be told, with the place; deeper, with the place as far as it can be told.
    assert_eq!(
        told(schema.clone(), &json!({"f": filter(3, json!(1))})),
        "- /f/of/0/of/0/of/0/value: expected string, got integer"
    );
    let deep = filter(40, json!(1));
    let text = told(schema.clone(), &json!({ "f": deep.clone() }));
    assert!(text.starts_with("- /f/of/0/of/0/of/0"), "{text}");
    assert!(
        text.ends_with(": something in here is wrong, nested too deep to say what"),
        "{text}"
    );
    // What is only out of sight is not called wrong where something else is.
    assert_eq!(
        told(schema.clone(), &json!({ "f": deep, "n": "1" })),
        "- /n: expected integer, got string; send it without quotes"
    );
    // A deep value whose errors are few is told whole, however deep.
    let good = filter(40, json!("x"));
    assert_eq!(
        told(schema, &json!({ "f": good, "n": true })),
        "- /n: expected integer, got boolean"
    );
}
