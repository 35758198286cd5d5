//! Unions: how variants are told apart, named, and kept from losing anything.

use serde_json::json;

use super::{
    check, lower_output,
    model::{Dropped, lost, round_trip},
};
use crate::{diagnostics::Id, graph::TypeKind};

#[test]
fn tags_are_found_through_references_and_may_be_absent() {
    check(
        &json!({
            "$defs": {
                "Circle": { "type": "object", "required": ["kind"], "properties": { "kind": { "const": "circle" } } },
                "Square": { "type": "object", "properties": { "kind": { "enum": ["square", "sq"] } } },
            },
            "oneOf": [{ "$ref": "#/$defs/Circle" }, { "$ref": "#/$defs/Square" }],
        }),
        r#"TOutput
        union TOutput by tag kind
          Circle(Circle) = "circle"
          Square(Square) = "square" | "sq" or absent
        struct Circle
          kind: CircleKind
        struct Square
          kind?: SquareKind
        constant CircleKind = "circle"
        literals SquareKind
          Square = "square"
          Sq = "sq""#,
    );
}

#[test]
fn kinds_tell_apart() {
    check(
        &json!({ "type": "object", "properties": {
            "several": { "type": ["string", "integer", "null"] },
            "mode": { "anyOf": [{ "enum": ["auto"] }, { "type": "integer", "minimum": 0 }] },
            "numbers": { "anyOf": [{ "type": "integer" }, { "type": "number" }] },
            "words": { "anyOf": [{ "enum": ["a", "b"] }, { "type": "string" }] },
            "sets": { "anyOf": [{ "enum": ["a", "b"] }, { "enum": ["b", "c"] }] },
            "deep": { "anyOf": [{ "anyOf": [{ "type": "string" }, { "type": "boolean" }] }, { "type": "null" }] },
        }}),
        r#"TOutput
        struct TOutput
          several?: TOutputSeveral?
          mode?: TOutputMode
          numbers?: f64
          words?: string
          sets?: TOutputSets
          deep?: TOutputDeep?
        union TOutputSeveral by kind
          Integer(i64) = integer
          String(string) = string
        union TOutputMode by kind
          Auto(TOutputModeAuto) = string
          Integer(u64) = integer
        literals TOutputSets
          A = "a"
          B = "b"
          C = "c"
        union TOutputDeep by kind
          String(string) = string
          Boolean(bool) = boolean
        constant TOutputModeAuto = "auto""#,
    );
}

#[test]
fn untagged_objects_keep_what_other_variants_declare() {
    check(
        &json!({ "anyOf": [
            { "type": "object", "properties": { "a": { "type": "string" }, "same": { "type": "object",
                "properties": { "x": { "type": "string" } } } }, "required": ["a"] },
            { "type": "object", "properties": { "b": { "type": "string" }, "same": { "type": "object",
                "properties": { "y": { "type": "string" } } } }, "required": ["b"] },
        ]}),
        "TOutput
        union TOutput by schema
          A(TOutputA)
          B(TOutputB)
        struct TOutputA
          a: string
          same?: any
          b?: any
        struct TOutputB
          b: string
          same?: TOutputBSame
        struct TOutputBSame
          y?: string",
    );
    // `oneOf` allows only one of them, so nothing of the other can be there.
    check(
        &json!({ "oneOf": [
            { "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] },
            { "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"] },
        ]}),
        "TOutput
        union TOutput by schema
          A(TOutputA)
          B(TOutputB)
        struct TOutputA
          a: string
        struct TOutputB
          b: string",
    );
}

#[test]
fn unions_multiply_and_impossible_variants_vanish() {
    check(
        &json!({
            "type": "object",
            "properties": { "kind": { "enum": ["a", "b"] } },
            "required": ["kind"],
            "oneOf": [
                { "properties": { "kind": { "const": "a" }, "x": { "type": "string" } } },
                { "properties": { "kind": { "const": "b" }, "y": { "type": "string" } } },
                { "properties": { "kind": { "const": "c" }, "z": { "type": "string" } } },
            ],
        }),
        r#"TOutput
        union TOutput by tag kind
          A(TOutputA) = "a"
          B(TOutputB) = "b"
        struct TOutputA
          kind: TOutputAKind
          x?: string
        struct TOutputB
          kind: TOutputBKind
          y?: string
        constant TOutputAKind = "a"
        constant TOutputBKind = "b""#,
    );
}

#[test]
fn a_schema_without_type_takes_every_other_kind_too() {
    let lowered = check(
        &json!({ "properties": { "a": { "type": "string" } } }),
        "TOutput
        union TOutput by kind
          Object(TOutputObject) = object
          Other(any) = null | boolean | number | string | array
        struct TOutputObject
          a?: string",
    );
    assert_eq!(lowered.count(Id::Widened), 1);
}

#[test]
fn equal_branches_collapse_and_are_reported() {
    let lowered = check(
        &json!({ "oneOf": [
            { "type": "string", "title": "one" },
            { "type": "string", "title": "two" },
            { "type": "string", "format": "uuid" },
            { "type": "null" },
        ]}),
        "string?",
    );
    assert_eq!(lowered.count(Id::DuplicateBranch), 1);
}

#[test]
fn variants_know_their_own_instances() {
    // Branches that become one type, that allow several kinds, and that refer to what stands
    // outside of them, in dialects that read `$ref` differently.
    for (dialect, definitions) in [
        ("https://json-schema.org/draft/2020-12/schema", "$defs"),
        ("http://json-schema.org/draft-07/schema#", "definitions"),
    ] {
        let reference = |key: &str| json!({ "$ref": format!("#/{definitions}/{key}") });
        let schema = json!({
            "$schema": dialect,
            definitions: {
                "A": { "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] },
                "B": { "type": ["object", "array"], "properties": { "b": reference("A") },
                    "required": ["b"], "items": reference("A") },
            },
            "anyOf": [
                { "allOf": [reference("A")], "maxProperties": 1 },
                { "allOf": [reference("A")], "minProperties": 3 },
                reference("B"),
            ],
        });
        let lowered = lower_output(&schema);
        let server = lowered.server();
        let shape = server.tools[0]
            .output
            .as_ref()
            .expect("the tool has an output");
        for value in [
            json!({ "a": 1 }),
            json!({ "a": 1, "x": 2, "y": 3 }),
            json!({ "b": { "a": 1 } }),
            json!({ "a": 1, "b": { "a": 1 } }),
            json!({ "a": "no", "b": { "a": 1 } }),
            json!([{ "a": 1 }]),
        ] {
            let mut dropped = Dropped::default();
            let after =
                round_trip(server, shape, &value, &mut dropped).expect("a variant takes it");
            assert_eq!(lost(&value, &after, &dropped), None);
            assert!(
                value.get("b").is_none_or(|it| after["b"] == *it),
                "{value} became {after}"
            );
        }
    }
}

#[test]
fn a_definition_of_literals_keeps_its_name() {
    check(
        &json!({
            "type": "object",
            "properties": {
                "plain": { "$ref": "#/$defs/colour" },
                "nullable": { "anyOf": [{ "$ref": "#/$defs/colour" }, { "type": "null" }] },
                "wide": { "anyOf": [{ "$ref": "#/$defs/colour" }, { "type": "integer" }] },
                "one": { "oneOf": [{ "$ref": "#/$defs/only" }, { "type": "integer" }, { "type": "null" }] },
                "two": { "anyOf": [{ "$ref": "#/$defs/colour" }, { "enum": ["blue"] }, { "type": "integer" }] },
            },
            "$defs": { "colour": { "enum": ["red", "green"] }, "only": { "const": "x" } },
        }),
        r#"TOutput
        struct TOutput
          plain?: Colour
          nullable?: Colour?
          wide?: TOutputWide
          one?: TOutputOne?
          two?: TOutputTwo
        literals Colour
          Red = "red"
          Green = "green"
        union TOutputWide by kind
          Colour(Colour) = string
          Integer(i64) = integer
        union TOutputOne by kind
          X(Only) = string
          Integer(i64) = integer
        union TOutputTwo by kind
          Literal(TOutputTwoLiteral) = string
          Integer(i64) = integer
        constant Only = "x"
        literals TOutputTwoLiteral
          Red = "red"
          Green = "green"
          Blue = "blue""#,
    );
}

#[test]
fn all_kinds_by_name_are_no_missing_type() {
    let lowered = check(
        &json!({
            "type": "object",
            "properties": {
                "json": { "$ref": "#/$defs/Json" },
                "values": { "enum": [null, true, 1, 1.5, "a", [2], {}] },
                "kinds": { "type": ["null", "boolean", "integer", "number", "string", "array", "object"] },
            },
            "$defs": { "Json": { "anyOf": [
                { "type": "null" },
                { "type": "boolean" },
                { "type": "number" },
                { "type": "string" },
                { "type": "array", "items": { "$ref": "#/$defs/Json" } },
                { "type": "object", "additionalProperties": { "$ref": "#/$defs/Json" } },
            ] } },
        }),
        r#"TOutput
        struct TOutput
          json?: Json?
          values?: TOutputValues?
          kinds?: TOutputKinds?
        union Json by kind
          Boolean(bool) = boolean
          Number(f64) = number
          String(string) = string
          Array([Json?]) = array
          Object({Json?}) = object
        literals TOutputValues
          True = true
          V1 = 1
          V1_5 = 1.5
          A = "a"
          V2 = [2]
          OpenBraceCloseBrace = {}
        union TOutputKinds by kind
          Boolean(bool) = boolean
          Number(f64) = number
          String(string) = string
          Array([any]) = array
          Object({any}) = object"#,
    );
    assert_eq!(lowered.count(Id::Widened), 0);
}

#[test]
fn fields_for_the_sake_of_others_say_so() {
    let lowered = lower_output(&json!({ "anyOf": [
        { "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] },
        { "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"] },
    ]}));
    let mut prose = Vec::new();
    for def in &lowered.server().types {
        if let TypeKind::Struct(it) = &def.kind {
            let docs = it.fields.iter();
            prose.extend(docs.map(|it| (it.key.as_str(), it.docs.description.as_deref())));
        }
    }
    let said = Some("Declared by another alternative of this union.");
    assert_eq!(prose, [("a", None), ("b", said), ("b", None)]);
}
