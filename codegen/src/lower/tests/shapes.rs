//! What each keyword becomes.

use serde_json::json;

use super::{check, lower_files, lower_output, tool};
use crate::{
    config::Config,
    diagnostics::{Id, Spot},
    graph::{TypeKind, dump},
};

#[test]
fn presence_null_and_defaults() {
    let lowered = check(
        &json!({ "type": "object", "required": ["a", "b"], "properties": {
            "a": { "type": "string" },
            "b": { "type": ["string", "null"] },
            "c": { "type": "string" },
            "d": { "type": ["string", "null"] },
            "e": { "type": "integer", "default": 5.0 },
            "f": { "type": ["integer", "null"], "default": null },
            "g": { "type": "string", "default": null },
            "h": { "type": "string", "minLength": 3, "default": "ab" },
            "i": { "anyOf": [{ "type": "array", "items": { "type": "number" } }, { "type": "null" }] },
        }}),
        "TOutput
        struct TOutput
          a: string
          b: string?
          c?: string
          d?: string?
          e: i64 = 5
          f: i64? = null
          g?: string
          h?: string (minLength 3)
          i?: [f64]?",
    );
    assert_eq!(lowered.count(Id::DefaultIgnored), 2);
}

#[test]
fn schemas_that_refuse_everything_have_no_values() {
    let lowered = check(
        &json!({ "type": "object", "required": ["never", "list"], "properties": {
            "never": { "not": {} },
            "list": { "type": "array", "items": { "type": "string", "not": true } },
            // What may be absent, and can have no value, is absent.
            "absent": { "not": {} },
            "gone": false,
            "null": { "anyOf": [{ "not": {} }, { "type": "null" }] },
        }}),
        "TOutput
        struct TOutput
          never: never
          list: [never]
          null?: null",
    );
    assert_eq!(lowered.count(Id::Widened), 0);
}

#[test]
fn what_happens_to_undeclared_properties() {
    check(
        &json!({ "type": "object", "properties": {
            "closed": { "type": "object", "additionalProperties": false, "properties": { "x": {"type": "null"} } },
            "empty": { "type": "object", "additionalProperties": false },
            // What Go's generator writes for `false`.
            "not": { "type": "object", "additionalProperties": { "not": {} }, "properties": { "x": {"type": "null"} } },
            "free": { "type": "object" },
            "kept": { "type": "object", "additionalProperties": true, "properties": { "rest": {"type": "string"} } },
            "map": { "type": "object", "additionalProperties": { "type": "integer" } },
            "patterns": { "type": "object", "patternProperties": { "^x-": { "type": "string" } },
                "additionalProperties": false },
            "mixed": { "type": "object", "patternProperties": { "^x-": { "type": "string" } },
                "additionalProperties": { "type": "number" } },
            "bare": { "type": "object", "required": ["id"] },
        }}),
        "TOutput
        struct TOutput
          closed?: TOutputClosed
          empty?: TOutputEmpty
          not?: TOutputNot
          free?: {any}
          kept?: TOutputKept
          map?: {i64}
          patterns?: {string}
          mixed?: {any}
          bare?: TOutputBare
        struct TOutputClosed closed
          x?: null
        struct TOutputEmpty closed
        struct TOutputNot closed
          x?: null
        struct TOutputKept keeps rest_2: any
          rest?: string
        struct TOutputBare
          id: any",
    );
}

#[test]
fn integers_fit_their_bounds() {
    check(
        &json!({ "type": "object", "properties": {
            "plain": { "type": "integer" },
            "natural": { "type": "integer", "minimum": 0 },
            "above": { "type": "integer", "exclusiveMinimum": -1 },
            "byte": { "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 },
            "unproved": { "type": "integer", "format": "int32" },
            "small": { "type": "integer", "format": "int8", "minimum": -128, "exclusiveMaximum": 128 },
            "exact": { "type": "integer", "format": "uint32", "minimum": 0, "maximum": 4_294_967_296_u64 },
            "whole": { "type": "number", "multipleOf": 1 },
        }}),
        "TOutput
        struct TOutput
          plain?: i64
          natural?: u64
          above?: u64
          byte?: u8
          unproved?: i64
          small?: i8
          exact?: u64 (maximum 4294967296)
          whole?: f64 (multipleOf 1)",
    );
}

#[test]
fn lists_and_tuples() {
    let lowered = check(
        &json!({ "type": "object", "properties": {
            "list": { "type": "array", "items": { "type": "string" }, "minItems": 3, "maxItems": 3 },
            "free": { "type": "array" },
            "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "boolean" }],
                "minItems": 2, "maxItems": 2 },
            "short": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "boolean" }],
                "items": false },
            "alike": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }],
                "items": { "type": "number" } },
            "points": { "type": "array", "items": { "type": "object", "properties": { "x": { "type": "number" } } } },
        }}),
        "TOutput
        struct TOutput
          list?: [string] (minItems 3, maxItems 3)
          free?: [any]
          pair?: (string, bool)
          short?: [any]
          alike?: [f64]
          points?: [TOutputPointsItem]
        struct TOutputPointsItem
          x?: f64",
    );
    assert_eq!(lowered.count(Id::Widened), 1);
}

#[test]
fn closed_sets() {
    let lowered = check(
        &json!({ "type": "object", "properties": {
            "words": { "enum": ["N/A", "n/a", "*/*", "+1", "-1", ""] },
            "flags": { "enum": [true, false] },
            "yes": { "const": true },
            "nothing": { "const": null },
            "same": { "enum": [1, 1.0, 2] },
            "narrowed": { "type": "string", "enum": ["a", 1, null] },
            "none": { "type": "string", "enum": [1] },
            "described": { "oneOf": [
                { "const": "c", "title": "Celsius" }, { "const": "f", "title": "Fahrenheit" },
            ]},
        }}),
        r#"TOutput
        struct TOutput
          words?: TOutputWords
          flags?: bool
          yes?: TOutputYes
          nothing?: null
          same?: TOutputSame
          narrowed?: TOutputNarrowed
          described?: TOutputDescribed
        literals TOutputWords
          NA = "N/A"
          NSlashA = "n/a"
          StarSlashStar = "*/*"
          Plus1 = "+1"
          Minus1 = "-1"
          Empty = ""
        constant TOutputYes = true
        literals TOutputSame
          V1 = 1
          V2 = 2
        constant TOutputNarrowed = "a"
        literals TOutputDescribed
          C = "c"
          F = "f""#,
    );
    let renamed = lowered.messages(Id::Renamed);
    assert!(
        matches!(renamed.as_slice(), [only] if only.contains("NSlashA")),
        "{renamed:?}"
    );
}

#[test]
fn all_of_merges() {
    check(
        &json!({
            "$defs": {
                "Base": { "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"] },
            },
            "type": "object",
            "properties": {
                "noted": { "allOf": [{ "$ref": "#/$defs/Base" }], "description": "still a Base" },
                "typed": { "$ref": "#/$defs/Base", "type": "object" },
                "child": {
                    "allOf": [{ "$ref": "#/$defs/Base" }, { "properties": { "n": { "type": "integer" } } }],
                    "required": ["n"],
                },
                "narrower": {
                    "allOf": [{ "$ref": "#/$defs/Base" }],
                    "properties": { "id": { "enum": ["a", "b"] } },
                },
                "closed": {
                    "allOf": [{ "$ref": "#/$defs/Base" }, { "properties": { "x": {} } }],
                    "properties": { "id": true },
                    "additionalProperties": false,
                },
            },
        }),
        r#"TOutput
        struct TOutput
          noted?: Base
          typed?: Base
          child?: TOutputChild
          narrower?: TOutputNarrower
          closed?: TOutputClosed
        struct Base
          id: string
        struct TOutputChild
          id: string
          n: i64
        struct TOutputNarrower
          id: TOutputNarrowerId
        struct TOutputClosed closed
          id: string
        literals TOutputNarrowerId
          A = "a"
          B = "b""#,
    );
}

#[test]
fn conditions_keep_what_they_mention() {
    check(
        &json!({
            "type": "object",
            "properties": { "kind": { "type": "string" }, "size": {
                "type": "object", "properties": { "w": { "type": "number" } },
            }},
            "if": { "properties": { "kind": { "const": "x" } } },
            "then": { "properties": { "url": { "type": "string" } }, "required": ["url"] },
            "else": { "properties": { "size": { "properties": { "h": { "type": "number" } } } } },
            "anyOf": [{ "required": ["kind"] }, { "required": ["other"] }],
        }),
        "TOutput
        struct TOutput
          kind?: string
          size?: any
          other?: any
          url?: any",
    );
}

#[test]
fn references_and_recursion() {
    check(
        &json!({
            "$defs": {
                "Tree": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
                "Names": { "type": "array", "items": { "type": "string" } },
                "Node": { "type": "object", "required": ["next"], "properties": {
                    "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] },
                    "peer": { "$ref": "#/$defs/Peer" },
                    "many": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
                }},
                "Peer": { "type": "object", "properties": { "node": { "$ref": "#/$defs/Node" } } },
                "Expr": { "anyOf": [
                    { "type": "number" },
                    { "type": "array", "items": { "$ref": "#/$defs/Expr" } },
                ]},
            },
            "type": "object",
            "properties": {
                "tree": { "$ref": "#/$defs/Tree" },
                "names": { "$ref": "#/$defs/Names" },
                "node": { "$ref": "#/$defs/Node" },
                "expr": { "$ref": "#/$defs/Expr" },
                "itself": { "$ref": "#" },
            },
        }),
        "TOutput
        struct TOutput
          tree?: Tree
          names?: Names
          node?: Node
          expr?: Expr
          itself?: box TOutput
        newtype Tree = [Tree]
        alias Names = [string]
        struct Node
          next: box Node?
          peer?: Peer
          many?: [Node]
        union Expr by kind
          Number(f64) = number
          Array([Expr]) = array
        struct Peer
          node?: box Node",
    );
}

#[test]
fn siblings_of_references_follow_the_dialect() {
    let schema = |dialect: &str| {
        json!({ "$schema": dialect, "definitions": { "S": { "type": "string" } }, "type": "object",
            "properties": { "x": { "$ref": "#/definitions/S", "default": "d", "enum": ["d"] } } })
    };
    check(
        &schema("http://json-schema.org/draft-07/schema#"),
        "TOutput
        struct TOutput
          x?: string",
    );
    check(
        &schema("https://json-schema.org/draft/2019-09/schema"),
        r#"TOutput
        struct TOutput
          x: TOutputX = "d"
        constant TOutputX = "d""#,
    );
}

#[test]
fn tools_share_equal_definitions_and_keep_others_apart() {
    let with = |name: &str, filter: &str| {
        let schema = json!({
            "$defs": { "Filter": { "type": "object", "properties": { "f": { "type": filter } } } },
            "type": "object",
            "properties": { "filter": { "$ref": "#/$defs/Filter" } },
        });
        tool(&schema).replace(r#""name":"t""#, &format!(r#""name":"{name}""#))
    };
    let files = [
        ("s/a.tool.json", with("a", "string")),
        ("s/b.tool.json", with("b", "string")),
        ("s/c.tool.json", with("c", "integer")),
    ];
    let lowered = lower_files(&files, &Config::new("schemas"));
    let text = dump(lowered.server());
    assert!(
        text.contains("struct BOutput\n  filter?: Filter\n"),
        "{text}"
    );
    assert!(
        text.contains("struct COutput\n  filter?: CFilter\n"),
        "{text}"
    );
    let filters: Vec<_> = lowered
        .server()
        .types
        .iter()
        .filter(|it| it.name.as_str().ends_with("Filter"))
        .collect();
    assert_eq!(
        filters.iter().map(|it| it.tool).collect::<Vec<_>>(),
        [None, Some(2)]
    );
}

#[test]
fn what_json_schema_does_not_know_is_noted() {
    let lowered = check(
        &json!({ "type": "object", "properties": {
            "a b": { "type": "string", "nullable": true },
            "any": {},
        }}),
        r#"TOutput
        struct TOutput
          a_b "a b"?: string
          any?: any"#,
    );
    assert_eq!(lowered.count(Id::IgnoredKeyword), 1);
    assert_eq!(lowered.count(Id::HazardousPropertyName), 1);
    assert_eq!(
        lowered.messages(Id::Widened),
        ["the schema accepts any value"]
    );
}

#[test]
fn notes_say_what_a_type_becomes_and_where() {
    let lowered = lower_output(&json!({ "type": "object", "properties": {
        "refused": { "not": {} },
        "other": { "not": { "type": "string" } },
        "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "number" }] },
        "a b": { "type": "string" },
        "a_b": { "type": "string" },
        "": { "type": "string" },
    }}));
    let found: Vec<_> = lowered
        .diagnostics
        .iter()
        .map(|it| {
            let (place, label) = it.place.as_ref().expect("it has a place");
            let key = matches!(place.spot, Spot::Key(_));
            (it.message.as_str(), label.as_str(), key)
        })
        .collect();
    for expected in [
        (
            "`not` gives no Rust type, any value is accepted",
            "becomes `Value`",
            false,
        ),
        (
            "items of different types without a fixed length have no Rust type, any elements are accepted",
            "becomes `Vec<Value>`",
            false,
        ),
        (
            "the property `a_b` becomes the field `a_b_2`, because another property has the same plain name",
            "two properties read alike",
            true,
        ),
        (
            "some clients have trouble with a property whose name is empty",
            "not portable",
            true,
        ),
    ] {
        assert!(
            found.contains(&expected),
            "{expected:?} is not in {found:#?}"
        );
    }
}

#[test]
fn a_rest_knows_whether_patterns_choose_it() {
    let lowered = lower_output(&json!({ "type": "object", "properties": {
        "some": { "type": "object", "properties": { "x": { "type": "string" } },
            "patternProperties": { "^x-": { "type": "string" } }, "additionalProperties": false },
        "all": { "type": "object", "properties": { "x": { "type": "string" } },
            "patternProperties": { "^x-": { "type": "string" } } },
    }}));
    let structs = lowered
        .server()
        .types
        .iter()
        .filter_map(|it| match &it.kind {
            TypeKind::Struct(it) => Some(it.patterns),
            _ => None,
        });
    // Input, output, and the two.
    assert_eq!(structs.collect::<Vec<_>>(), [false, false, true, false]);
}
