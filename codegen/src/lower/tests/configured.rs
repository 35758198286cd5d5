//! Types that schemas and settings choose: names, foreign types, constraints.

use std::path::Path;

use serde_json::{Value, json};

use super::{Lowered, dumped, lower_files, tool};
use crate::{config::Config, diagnostics::Id};

fn configured(schema: &Value, toml: &str) -> Lowered {
    let config = Config::from_toml(Path::new("mcp-codegen.toml"), "mcp-codegen.toml", toml);
    config.check().expect("the settings of tests are right");
    lower_files(&[("s/t.tool.json", tool(schema))], &config)
}

#[track_caller]
fn check(schema: &Value, toml: &str, expected: &str) -> Lowered {
    let lowered = configured(schema, toml);
    let lines = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        lines(&dumped(&lowered)),
        lines(expected),
        "for {schema}\n{toml}"
    );
    lowered
}

fn uuid() -> Value {
    json!({ "crate": "uuid", "version": "1.2", "path": "uuid::Uuid" })
}

#[test]
fn a_schema_names_its_rust_type() {
    check(
        &json!({
            "type": "object",
            "required": ["id", "also"],
            "properties": {
                "id": { "type": "string", "x-rust-type": uuid() },
                "also": { "$ref": "#/$defs/Id" },
                "longer": { "$ref": "#/$defs/Id", "minLength": 3 },
                "nullable": { "anyOf": [{ "$ref": "#/$defs/Id" }, { "type": "null" }] },
                "null": { "type": ["string", "null"], "x-rust-type": uuid() },
                "list": { "type": "array", "items": { "$ref": "#/$defs/Id" } },
                "free": { "x-rust-type": { "crate": "my-crate", "version": "*", "path": "my_crate::Any" } },
                "tree": { "$ref": "#/$defs/Tree" },
                "other": { "allOf": [{ "$ref": "#/$defs/Place" }, { "properties": { "b": { "type": "string" } } }] },
            },
            "$defs": {
                "Id": { "type": "string", "x-rust-type": uuid() },
                "Place": { "type": "object", "properties": { "a": { "type": "string" } },
                    "x-rust-type": { "crate": "geo", "version": "1", "path": "geo::Place" } },
                "Tree": { "type": "object", "x-rust-type": { "crate": "tree", "version": ">=1, <2", "path": "tree::Tree",
                    "parameters": [{ "$ref": "#/$defs/Leaf" }, { "type": "integer" }, true] } },
                "Leaf": { "type": "object", "properties": { "up": { "$ref": "#/$defs/Tree" } } },
            },
        }),
        "",
        "TOutput
        struct TOutput
          id: uuid::Uuid
          also: uuid::Uuid
          longer?: uuid::Uuid
          nullable?: uuid::Uuid?
          null?: uuid::Uuid?
          list?: [uuid::Uuid]
          free?: my_crate::Any
          tree?: tree::Tree<Leaf, i64, any>
          other?: TOutputOther
        struct Leaf
          up?: tree::Tree<box Leaf, i64, any>
        struct TOutputOther
          a?: string
          b?: string",
    );
}

#[test]
fn foreign_types_in_unions_stand_where_they_are_certain() {
    check(
        &json!({ "type": "object", "properties": {
            "certain": { "anyOf": [{ "type": "string", "x-rust-type": uuid() }, { "type": "integer" }] },
            "mapped": { "anyOf": [{ "type": "string", "format": "uuid" }, { "type": "integer" }] },
            // "hello" is valid, and no UUID.
            "both": { "anyOf": [{ "type": "string", "x-rust-type": uuid() }, { "type": "string" }] },
            "objects": { "oneOf": [
                { "type": "object", "required": ["a"], "properties": { "a": { "const": 1 } },
                  "x-rust-type": { "crate": "m", "version": "1", "path": "m::A" } },
                { "type": "object", "required": ["a"], "properties": { "a": { "const": 2 } } },
            ] },
        }}),
        "[formats]\nuuid = 'uuid::Uuid'",
        "TOutput
        struct TOutput
          certain?: TOutputCertain
          mapped?: TOutputMapped
          both?: string
          objects?: TOutputObjects
        union TOutputCertain by kind
          String(uuid::Uuid) = string
          Integer(i64) = integer
        union TOutputMapped by kind
          String(uuid::Uuid) = string
          Integer(i64) = integer
        union TOutputObjects by tag a
          V1(m::A) = 1
          V2(TOutputObjectsV2) = 2
        struct TOutputObjectsV2
          a: TOutputObjectsV2A
        constant TOutputObjectsV2A = 2",
    );
}

#[test]
fn formats_become_types() {
    let lowered = check(
        &json!({ "type": "object", "properties": {
            "id": { "type": "string", "format": "uuid", "minLength": 3 },
            "null": { "anyOf": [{ "type": "string", "format": "uuid" }, { "type": "null" }] },
            "time": { "type": ["integer", "null"], "format": "unix-time" },
            "merged": { "allOf": [{ "type": "string" }, { "format": "uuid" }] },
            "default": { "type": "string", "format": "uuid", "default": "x" },
            "several": { "type": ["string", "integer"], "format": "uuid" },
            "untyped": { "format": "uuid" },
            "known": { "format": "uuid", "enum": ["a", "b"] },
            "other": { "type": "string", "format": "uri" },
        }}),
        "[formats]\nuuid = 'uuid::Uuid'\nunix-time = 'crate::Time'",
        r#"TOutput
        struct TOutput
          id?: uuid::Uuid
          null?: uuid::Uuid?
          time?: crate::Time?
          merged?: uuid::Uuid
          default?: uuid::Uuid
          several?: TOutputSeveral
          untyped?: any
          known?: TOutputKnown
          other?: string
        union TOutputSeveral by kind
          Integer(i64) = integer
          String(string) = string
        literals TOutputKnown
          A = "a"
          B = "b""#,
    );
    assert_eq!(
        lowered.messages(Id::DefaultIgnored),
        [
            "the default of `default` cannot be checked against a type that is not generated, and is not applied"
        ]
    );
    let formats = &lowered.server().selectable.formats;
    assert_eq!(formats, &["unix-time", "uri", "uuid"]);
}

#[test]
fn schemas_choose_names() {
    let lowered = check(
        &json!({ "type": "object", "x-rust-name": "Answer", "properties": {
            "a-b": { "type": "string", "x-rust-name": "ab" },
            "kind": { "type": "string", "x-rust-name": "type" },
            "type": { "type": "string", "x-rust-name": "other_type" },
            "inline": { "type": "object", "properties": { "x": { "enum": ["p", "q"], "x-rust-name": "Letter" } },
                "x-rust-name": "Inner" },
            "ref": { "$ref": "#/$defs/thing", "x-rust-name": "referred" },
            "union": { "oneOf": [
                { "type": "object", "x-rust-name": "First", "required": ["a"], "properties": { "a": { "type": "string" } } },
                { "type": "integer", "x-rust-name": "Second" },
                { "$ref": "#/$defs/thing" },
            ] },
            "unused": { "type": "string", "x-rust-name": "NoType" },
        }, "$defs": { "thing": { "type": "object", "required": ["b"], "properties": { "b": { "type": "string" } }, "x-rust-name": "URL" } } }),
        "",
        r#"Answer
        struct Answer
          ab "a-b"?: string
          r#type "kind"?: string
          other_type "type"?: string
          inline?: Inner
          referred "ref"?: URL
          union?: AnswerUnion
          unused?: string
        struct Inner
          x?: Letter
        struct URL
          b: string
        union AnswerUnion by schema
          First(First)
          URL(URL)
          Second(i64)
        literals Letter
          P = "p"
          Q = "q"
        struct First
          a: string"#,
    );
    assert_eq!(lowered.count(Id::IgnoredKeyword), 1, "of `unused`");
    assert_eq!(lowered.count(Id::InvalidExtension), 0);
}

#[test]
fn wrong_extensions_are_reported() {
    let cases = [
        (
            json!(1),
            "`x-rust-type` must be an object with `crate`, `version` and `path`",
        ),
        (
            json!({ "crate": "a", "path": "a::B" }),
            "`x-rust-type` has no `version`",
        ),
        (
            json!({ "crate": 1, "version": "1", "path": "a::B" }),
            "`crate` must be a text",
        ),
        (
            json!({ "crate": "a", "version": "one", "path": "a::B" }),
            "`one` is no version requirement as in a `Cargo.toml`",
        ),
        (
            json!({ "crate": "a", "version": "1", "path": "a b" }),
            "`a b` is no path of a Rust type",
        ),
        (
            json!({ "crate": "a-c", "version": "1", "path": "a::B" }),
            "`a::B` does not begin with the crate, `a_c::`",
        ),
        (
            json!({ "crate": "a", "version": "1", "path": "a::B", "parameters": "x" }),
            "`parameters` must be a list of schemas",
        ),
    ];
    for (extension, message) in cases {
        let schema = json!({ "type": "object", "properties": { "p": { "type": "string", "x-rust-type": extension } } });
        let lowered = configured(&schema, "");
        assert_eq!(lowered.messages(Id::InvalidExtension), [message]);
    }
    let names = json!({ "type": "object", "properties": {
        "a": { "type": "string", "x-rust-name": 3 },
        "b": { "type": "string", "x-rust-name": "a b" },
        "c": { "type": "object", "x-rust-name": "Option", "properties": { "x": true } },
        "d": { "type": "string", "x-rust-name": "d" },
        "e": { "type": "string", "x-rust-name": "d" },
    } });
    let found = configured(&names, "");
    assert_eq!(
        found.messages(Id::InvalidExtension),
        [
            "`x-rust-name` must be a text",
            "`a b` is no name in snake_case",
            "`Option` is a name of Rust's prelude, or one that generated code imports",
            "`d` is the name of another field already",
        ]
    );
    let twice = json!({ "type": "object", "properties": {
        "a": { "type": "object", "x-rust-name": "Same", "properties": { "x": true } },
        "b": { "type": "object", "x-rust-name": "Same", "properties": { "y": true } },
    } });
    let found = configured(&twice, "");
    assert_eq!(
        found.messages(Id::NameCollision),
        ["`Same` is the name of something else already"]
    );
}

#[test]
fn settings_rename_and_replace() {
    let schema = json!({
        "type": "object",
        "properties": {
            "units": { "enum": ["metric", "imperial"] },
            "type": { "type": "string" },
            "place": { "$ref": "#/$defs/Place" },
            "only-there": { "type": "array", "items": { "$ref": "#/$defs/Place" }, "default": [] },
            "here": { "$ref": "#/$defs/Place", "default": {} },
        },
        "$defs": { "Place": { "type": "object", "properties": { "at": { "type": "object", "properties": { "x": true } } } } },
    });
    let lowered = check(
        &schema,
        "[rename]\n'TOutputUnits' = 'Units'\n's.TOutput.type' = 'kind'\n'TOutputUnits::Metric' = 'SI'\n\
         [replace]\n's.Place' = { path = 'crate::Place', derives = ['Eq'] }",
        r#"TOutput
        struct TOutput
          units?: Units
          kind "type"?: string
          place?: crate::Place
          only_there "only-there": [crate::Place] = []
          here?: crate::Place
        literals Units
          SI = "metric"
          Imperial = "imperial""#,
    );
    assert_eq!(lowered.count(Id::DefaultIgnored), 1, "of `here`");
    let names = &lowered.server().selectable;
    assert!(names.types.contains(&"Place".to_owned()));
    assert!(names.renames.contains(&"TOutputUnits::Metric".to_owned()));

    let wrong = configured(
        &schema,
        "[rename]\nTOutputUnits = 'TInput'\n'TOutput.units' = 'place'\n'TOutput.type' = 'Kind'\n\
         'TOutputUnits::Metric' = 'Imperial'\nPlace = 'S'\nPlaceAt = 'a b'",
    );
    assert_eq!(
        wrong.messages(Id::NameCollision),
        [
            "another type is called `TInput` already",
            "another type is called `S` already",
            "another field is called `place` already",
            "another variant is called `Imperial` already",
        ]
    );
    assert_eq!(
        wrong.messages(Id::InvalidSetting),
        [
            "`a b` is no name in UpperCamelCase",
            "`Kind` is no name in snake_case"
        ]
    );
}

#[test]
fn constraints_become_types_where_they_are_asked_for() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "minLength": 1, "pattern": "^[A-Z]" },
            "null": { "anyOf": [{ "type": "string", "maxLength": 3 }, { "type": "null" }], "default": null },
            "days": { "type": "integer", "minimum": 1, "maximum": 7, "default": 3 },
            "count": { "type": "integer", "minimum": 0 },
            "ratio": { "type": "number", "exclusiveMinimum": 0 },
            "tags": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } },
            "code": { "$ref": "#/$defs/Code" },
            "codes": { "type": "array", "items": { "$ref": "#/$defs/Code" } },
            "short": { "$ref": "#/$defs/Code", "maxLength": 2 },
            "list": { "$ref": "#/$defs/List" },
            "enum": { "enum": ["a", "bb"], "minLength": 1 },
            "union": { "anyOf": [{ "type": "string", "minLength": 2 }, { "type": "integer", "minimum": 3 }] },
            "plain": { "type": "string" },
        },
        "$defs": {
            "Code": { "type": "string", "pattern": "^a" },
            "List": { "type": "array", "uniqueItems": true, "items": { "$ref": "#/$defs/List" } },
        },
    });
    let off = configured(&schema, "");
    check(
        &schema,
        "[types.'*']\nconstraints = 'newtype'",
        r#"TOutput
        struct TOutput
          city?: TOutputCity
          null: TOutputNull? = null
          days: TOutputDays = 3
          count?: u64
          ratio?: TOutputRatio
          tags?: TOutputTags
          code?: Code
          codes?: [Code]
          short?: TOutputShort
          list?: List
          r#enum "enum"?: TOutputEnum
          union?: TOutputUnion
          plain?: string
        constrained TOutputCity = string with minLength 1, pattern "^[A-Z]"
        constrained TOutputNull = string with maxLength 3
        constrained TOutputDays = u64 with minimum 1, maximum 7
        constrained TOutputRatio = f64 with exclusiveMinimum 0
        constrained TOutputTags = [string (minLength 1)] with minItems 1
        constrained Code = string with pattern "^a"
        constrained TOutputShort = string with maxLength 2, pattern "^a"
        constrained List = [List] with uniqueItems true
        literals TOutputEnum
          A = "a"
          Bb = "bb"
        union TOutputUnion by kind
          String(string (minLength 2)) = string
          Integer(u64 (minimum 3)) = integer"#,
    );
    // A setting for one type changes no other.
    let one = configured(&schema, "[types.Code]\nconstraints = 'newtype'");
    let expected = dumped(&off)
        .replace("code?: string (pattern \"^a\")", "code?: Code")
        .replace("codes?: [string (pattern \"^a\")]", "codes?: [Code]")
        .replace(
            "newtype List",
            "constrained Code = string with pattern \"^a\"\nnewtype List",
        );
    assert_eq!(dumped(&one), expected);
    // Plain types keep the rules beside them.
    for line in [
        "city?: string (minLength 1, pattern \"^[A-Z]\")",
        "null: string (maxLength 3)? = null",
        "days: u64 (minimum 1, maximum 7) = 3",
        "tags?: [string (minLength 1)] (minItems 1)",
        "newtype List = [List] (uniqueItems true)",
    ] {
        assert!(dumped(&off).contains(line), "{line}: {}", dumped(&off));
    }
}
