//! Patterns mean what ECMA-262 says, also with look-around and back-references.

#![expect(clippy::unwrap_used, reason = "tests")]

use mcp_codegen_grammar::ecma;
use serde_json::{Value, json};

use super::LazyChecker;
use crate::{Contract, contract::FormatPolicy};

fn checker(schema: Value) -> LazyChecker {
    LazyChecker::new(schema, FormatPolicy::Dialect)
}

/// Pattern, what it accepts, what it refuses.
const TABLE: &[(&str, &[&str], &[&str])] = &[
    (r"^\d(?!0)", &["1a", "1"], &["١a", "10"]),
    (r"^\D(?!0)", &["١a", "xa"], &["1a", "x0"]),
    (r"^\w+(?<!x)$", &["a_9"], &["ax", "é", "aé"]),
    (r"^\W(?=a)", &["éa", "-a"], &["_a", "é"]),
    (
        r"^\s(?=a)",
        &["\u{feff}a", "\u{3000}a", "\u{2029}a", " a"],
        &["\u{85}a", "\u{180e}a", "xa"],
    ),
    (r"^\S(?=a)", &["\u{85}a", "xa"], &["\u{feff}a", " a"]),
    (r"^(?=.)a\b", &["a", "a b", "aé"], &["ab", "a_"]),
    (r"^(?=.)a\B", &["ab"], &["a", "aé"]),
    (
        r"^(?!x).$",
        &["a", "é", "\u{85}"],
        &["x", "\n", "\r", "\u{2028}"],
    ),
    (r"^(?s:.)(?!x)$", &["\n", "a"], &["ax"]),
    (r"^(a)\1\d$", &["aa1"], &["aa١", "a1"]),
    (r"^(?=.)[\d-]+$", &["1-2", "-"], &["١", "x"]),
    (r"^(?=.)[-\w]+$", &["a-b"], &["é"]),
    (r"^(?=.)[^\d]$", &["١", "a"], &["1"]),
    (r"^(?=.)[\D]$", &["١", "a", "\u{10ffff}", "\0"], &["1"]),
    (r"^(?=.)[^\W]$", &["a", "_"], &["é", "-"]),
    (
        r"^(?=.)[\W1]$",
        &["é", "-", "1", "[", "^", "]", "\\"],
        &["a", "_", "2"],
    ),
    (r"^(?=.)[\S]$", &["\u{85}", "a"], &["\u{feff}", " "]),
    (r"^(?!x)[\s\S]$", &["\n", "a"], &["x"]),
    (r"^(?=.)[\b]$", &["\u{8}"], &["b", "a"]),
    (r"^(?=.)[a\]\d]$", &["a", "]", "1"], &["١", "\\"]),
    (r"^(?=.)[a-c\d]$", &["b", "1"], &["-", "d"]),
    (r"^(?=.)[\x41-\x43\d]$", &["B", "1"], &["-", "x"]),
    (r"^(?=.)[+--]$", &[",", "-"], &["."]),
    (r"^(?=.)[\\d]$", &["\\", "d"], &["1"]),
    (r"^(?!a)\\d$", &["\\d"], &["1"]),
    (r"^(?=.)\.[.]$", &[".."], &[".a", "a."]),
    (r"^(?=.*\d)(?=.*[a-z])\w{4,}$", &["ab12"], &["ab١٢", "abcd"]),
    (r"\bfoo", &["foo", "éfoo", "-foo"], &["xfoo"]),
    (r"^a\B", &["ab"], &["a", "aé"]),
    // What the validator refuses or misreads by itself; the verdicts are those of V8 with the flag `u`.
    (r"^(?<n>x)\k<n>$", &["xx"], &["x", "xy"]),
    (r"^(?<é>a)\k<é>0$", &["aa0"], &["a0"]),
    (r"^(a(?<n>b))\k<n>$", &["abb"], &["aba", "ab"]),
    (r"^\0$", &["\0"], &["0", ""]),
    (r"^[\0]$", &["\0"], &["0"]),
    (r"^\cJ$", &["\n"], &["cJ", "J"]),
    (r"^(?!x)[\cJ\cA]$", &["\n", "\u{1}"], &["J", "c"]),
    (r"^[\b]$", &["\u{8}"], &["b"]),
    (r"^\u{1F600}$", &["😀"], &["a"]),
    (r"^\ud83d\ude00$", &["😀"], &["a"]),
    (r"^(?!x)[\ud83d\ude00]$", &["😀"], &["a"]),
    (r"^[^\uD800-\uDFFF]$", &["a", "😀"], &["aa"]),
    (r"^[\uD7FE-\uD800a]$", &["\u{d7ff}", "a"], &["\u{e000}"]),
    (r"^\ud83d?$", &[""], &["😀"]),
    (r"^[^]$", &["\n", "😀"], &["", "ab"]),
    (r"^[]?a$", &["a"], &["", "[]a"]),
    (r"^(?!x)[[a&&b~~]$", &["[", "&", "~"], &["x", "]"]),
    (r"^a{0,99999999999999999999}$", &["", "aaa"], &["b"]),
    // A group without a text is nothing.
    (r"^(?:(a)|b)\1$", &["aa", "b"], &["a", "ba"]),
    (r"^(a)(b)?\2$", &["a", "abb"], &["ab"]),
    (r"^\2(a)(b)$", &["ab"], &["bab"]),
    (r"^(a\1)$", &["a"], &["aa"]),
    (r"^(?!(a))\1b$", &["b"], &["ab"]),
    (r"^\p{Script=Greek}(?!x)$", &["α"], &["a", "αx"]),
    (r"(?<!foo)bar", &["bar", "xbar"], &["foobar"]),
    (r"^a+?$", &["aa"], &["ab"]),
    // `$` is the end only.
    (r"^(?=a)a$", &["a"], &["a\n"]),
    // Without any of these the validator translates by itself.
    (r"^\d$", &["1"], &["١"]),
    (r"^[\w-]$", &["a", "-"], &["é"]),
];

#[test]
fn classes_are_those_of_ecma() {
    let mut wrong = Vec::new();
    for (pattern, good, bad) in TABLE {
        let value = checker(json!({ "pattern": pattern }));
        let name =
            checker(json!({"patternProperties": {*pattern: true}, "additionalProperties": false}));
        for (texts, expected) in [(good, true), (bad, false)] {
            for text in *texts {
                let by_value = value.get().accepts(&json!(text));
                let by_name = name.get().accepts(&json!({ *text: 1 }));
                if (by_value, by_name) != (expected, expected) {
                    wrong.push(format!("{pattern} {text:?}: {by_value} {by_name}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_schemas_are_translated_and_only_where_needed() {
    for plain in [
        json!({"pattern": r"^\d.$"}),
        json!({"pattern": "^(?!x)[0-9]"}),
        json!({"const": {"pattern": r"\d(?!0)"}, "default": {"pattern": r"\d(?!0)"}}),
        json!({"enum": [{"patternProperties": {r"\d(?!0)": 1}}], "examples": [{"pattern": r"\d(?!0)"}]}),
        json!({"properties": {"pattern": {"const": r"\d(?!0)"}, r"\d(?!0)": true}}),
    ] {
        assert_eq!(ecma::translated(&plain), None, "{plain}");
    }
    // A property that is called like a keyword holds a schema.
    let named = json!({"properties": {"const": {"pattern": r"^\d(?!0)"}}});
    assert!(!checker(named.clone()).get().accepts(&json!({"const": "١"})));
    // Data stays what it is beside a schema that changes.
    let data = json!({"pattern": r"^\d(?!0)"});
    let schema = json!({"const": data, "not": {"type": "string", "pattern": r"^\d(?!0)"}});
    assert!(checker(schema).get().accepts(&data));
}

#[test]
fn names_by_pattern_stay_apart_and_reachable() {
    let schema = json!({
        "patternProperties": {
            r"^\d(?!0)": {"type": "integer"},
            "^[0-9](?!0)": {"minimum": 5},
            r"^/~\d(?!é)": {"type": "boolean"},
        },
        "properties": {
            "a": {"$ref": r"#/patternProperties/%5E%5Cd(%3F!0)"},
            "b": {"$ref": "#/patternProperties/%5E~1~0%5Cd(%3F!%C3%A9)"},
        },
        "additionalProperties": false,
    });
    let checker = checker(schema);
    for (value, expected) in [
        (json!({"1": 5, "a": 1, "b": true, "/~1": false}), ""),
        (json!({"1": 4}), "- /1: expected at least 5, got 4"),
        (json!({"1": "x"}), "- /1: expected integer, got string"),
        (json!({"a": "x"}), "- /a: expected integer, got string"),
        (json!({"b": 1}), "- /b: expected boolean, got integer"),
        (json!({"/~1": 1}), "- /~1~01: expected boolean, got integer"),
        (
            json!({"١": 1}),
            "- /١: unknown property; known properties: `a`, `b`, or a name matching `^\\d(?!0)`, \
             `^[0-9](?!0)`, `^/~\\d(?!é)`",
        ),
    ] {
        let told = checker
            .get()
            .check(&value)
            .map_or_else(|it| it.to_string(), |()| String::new());
        assert_eq!(told, expected, "{value}");
    }
}

#[test]
fn messages_show_what_the_author_wrote() {
    for (schema, value, expected) in [
        (
            json!({"pattern": r"^\d(?!0)"}),
            json!("١"),
            "- expected to match the pattern `^\\d(?!0)`, got \"١\"",
        ),
        (
            json!({"not": {"pattern": r"^\d(?!0)", "const": r"1\d(?!0)"}}),
            json!(r"1\d(?!0)"),
            r#"- must not match {"pattern":"^\\d(?!0)","const":"1\\d(?!0)"}"#,
        ),
        (
            json!({"propertyNames": {"pattern": r"^\d(?!0)"}}),
            json!({"x": 1}),
            "- the property name `x` is not allowed: expected to match the pattern `^\\d(?!0)`",
        ),
        (
            json!({"anyOf": [{"pattern": r"^\d(?!0)"}, {"type": "null"}]}),
            json!("١"),
            "- expected to match the pattern `^\\d(?!0)`, got \"١\"",
        ),
    ] {
        let told = checker(schema.clone()).get().check(&value).unwrap_err();
        assert_eq!(told.to_string(), expected, "{schema}");
    }
}

#[test]
fn tools_hold_arguments_and_results_against_them() {
    const PUBLISHED: &str = r#"{
        "server": {"name": "s", "version": "1"},
        "tools": [{
            "name": "t",
            "inputSchema": {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": {"code": {"type": "string", "pattern": "^\\d(?!0)"}}
            },
            "outputSchema": {"type": "object", "patternProperties": {"^\\w+$(?<!x)": {"type": "integer"}}, "additionalProperties": false}
        }]
    }"#;
    static CONTRACT: Contract = Contract::new(PUBLISHED);
    let tool = CONTRACT.tool(0);
    let read = |code: &str| tool.decode_input::<Value>(&json!({ "code": code }));
    assert!(read("1").is_ok());
    assert_eq!(
        read("١").unwrap_err().to_string(),
        "- /code: expected to match the pattern `^\\d(?!0)`, got \"١\""
    );
    assert!(tool.encode_output(&json!({"a": 1})).is_ok());
    assert_eq!(
        tool.encode_output(&json!({"é": 1}))
            .unwrap_err()
            .to_string(),
        "- /é: unknown property; names must match `^\\w+$(?<!x)`"
    );
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    assert_eq!(
        tool.definition()["inputSchema"],
        published["tools"][0]["inputSchema"]
    );
}
