//! Schemas made to hurt: everything stays finite, quick and sound.

use serde_json::{Value, json};

use super::{dumped, lower_output};
use crate::diagnostics::Id;

#[test]
fn nested_bounded_lists_stay_lists() {
    let mut schema = json!({ "type": "string" });
    for _ in 0..100 {
        schema = json!({ "type": "array", "items": schema, "minItems": 0, "maxItems": 1000 });
    }
    let lowered = lower_output(&schema);
    assert_eq!(lowered.count(Id::Widened), 1);
    assert!(dumped(&lowered).starts_with(&"[".repeat(60)));
}

#[test]
fn wide_all_of_merges() {
    let branches: Vec<Value> = (0..200)
        .map(|it| json!({ "properties": { format!("p{it}"): { "type": "string" } } }))
        .collect();
    let lowered = lower_output(&json!({ "type": "object", "allOf": branches }));
    assert_eq!(dumped(&lowered).lines().count(), 202);
}

#[test]
fn multiplying_unions_widen() {
    let either = |it: usize| {
        json!({ "oneOf": [
            { "properties": { format!("a{it}"): { "type": "string" } }, "required": [format!("a{it}")] },
            { "properties": { format!("b{it}"): { "type": "string" } }, "required": [format!("b{it}")] },
        ]})
    };
    let unions: Vec<Value> = (0..12).map(either).collect();
    let lowered = lower_output(&json!({ "type": "object", "allOf": unions }));
    assert_eq!(dumped(&lowered).trim(), "any");
    assert_eq!(lowered.count(Id::Widened), 1);
}

#[test]
fn long_chains_of_definitions_need_no_deep_stack() {
    let mut definitions = serde_json::Map::new();
    for it in 0..500 {
        let next = format!("#/$defs/D{}", (it + 1) % 500);
        let schema = if it % 2 == 0 {
            json!({ "type": "object", "required": ["n"], "properties": { "n": { "$ref": next } } })
        } else {
            json!({ "type": "array", "items": { "$ref": next } })
        };
        definitions.insert(format!("D{it}"), schema);
    }
    let lowered = lower_output(&json!({ "$defs": definitions, "$ref": "#/$defs/D0" }));
    assert_eq!(lowered.server().types.len(), 501);
    assert_eq!(lowered.count(Id::Widened), 0);
}

#[test]
fn deep_inline_objects_get_short_names() {
    let mut schema = json!({ "type": "string" });
    for _ in 0..55 {
        schema = json!({ "type": "object", "properties": { "nested_property": schema } });
    }
    let lowered = lower_output(&schema);
    let names = lowered
        .server()
        .types
        .iter()
        .map(|it| it.name.as_str().len());
    assert!(names.max().is_some_and(|it| it < 110));
}

#[test]
fn mutual_recursion_is_boxed_once() {
    let lowered = lower_output(&json!({
        "$defs": {
            "A": { "type": "object", "required": ["b"], "properties": { "b": { "$ref": "#/$defs/B" } } },
            "B": { "type": "object", "required": ["c"], "properties": { "c": { "$ref": "#/$defs/C" } } },
            "C": { "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "string" }] },
        },
        "$ref": "#/$defs/A",
    }));
    assert_eq!(
        dumped(&lowered).matches("box ").count(),
        1,
        "{}",
        dumped(&lowered)
    );
}

#[test]
fn many_untagged_variants_get_a_map_each() {
    let branch = |it: usize| {
        let key = |at: usize| format!("p{it}_{at}");
        json!({ "type": "object", "required": [key(0)], "properties": {
            key(0): { "type": "string" }, key(1): { "type": "string" }, key(2): { "type": "string" },
        }})
    };
    let lowered = lower_output(&json!({ "anyOf": (0..20).map(branch).collect::<Vec<_>>() }));
    let text = dumped(&lowered);
    assert_eq!(text.matches(" keeps rest: any").count(), 17, "{text}");
}
