//! Texts that are values, and bytes that are anything.

use serde_json::{Value, json};

use super::{Format, source, value};
use crate::{
    diagnostics::{Diagnostics, render},
    source::parse_value,
};

#[test]
fn key_order_and_numbers_are_kept() {
    let text =
        r#"{"z": 1, "a": [1.0, 2.50, -0, 18446744073709551615, 1e2], "m": {"y": 1, "b": 2}}"#;
    assert_eq!(
        value(Format::Json, text).to_string(),
        r#"{"z":1,"a":[1.0,2.5,-0.0,18446744073709551615,100.0],"m":{"y":1,"b":2}}"#
    );
    assert_eq!(value(Format::Json, "\u{feff}{}\r\n"), json!({}));
}

#[test]
fn yaml_follows_the_core_schema() {
    for (text, expected) in [
        ("~", json!(null)),
        ("NULL", json!(null)),
        ("no", json!("no")),
        ("on", json!("on")),
        ("True", json!(true)),
        ("tRUE", json!("tRUE")),
        ("012", json!(12)),
        ("0o17", json!(15)),
        ("0xFf", json!(255)),
        ("+1", json!(1)),
        ("-.5", json!(-0.5)),
        ("1.", json!(1.0)),
        ("1e3", json!(1000.0)),
        ("1e", json!("1e")),
        ("1_000", json!("1_000")),
        ("1.2.3", json!("1.2.3")),
        (".", json!(".")),
        ("-", json!([null])),
        ("2026-07-28", json!("2026-07-28")),
        ("12:30:45", json!("12:30:45")),
        (
            "18446744073709551615",
            json!(18_446_744_073_709_551_615_u64),
        ),
        ("'1'", json!("1")),
        ("\"\\u00e9\\n\"", json!("é\n")),
        ("|\n  a\n  b\n", json!("a\nb\n")),
        (">-\n  a\n  b\n", json!("a b")),
        ("'~': x", json!({"~": "x"})),
        ("a: &x [1, 2]\nb: *x\n", json!({"a": [1, 2], "b": [1, 2]})),
        ("&k key: 1\nother: *k\n", json!({"key": 1, "other": "key"})),
        ("--- # one\na: 1\n...\n", json!({"a": 1})),
        (
            "\u{feff}a: 1\r\nb:\r\n  - c\r\n",
            json!({"a": 1, "b": ["c"]}),
        ),
    ] {
        assert_eq!(value(Format::Yaml, text), expected, "{text:?}");
    }
}

#[test]
fn json_is_yaml() {
    let text = "{\n  \"type\": \"object\",\n  \"properties\": { \"a\": { \"enum\": [\"no\", null, 1.5] } }\n}\n";
    assert_eq!(value(Format::Json, text), value(Format::Yaml, text));
}

/// Any text ends in a value or in findings that can be rendered, never in a panic.
#[test]
fn any_text_is_a_value_or_findings() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ": ",
        ",",
        "\"",
        "'",
        "\\",
        "\\u",
        "\\ud83d",
        "#",
        "&a",
        "*a",
        "!",
        "!!",
        "!!str ",
        "|",
        ">",
        "|+2",
        "-",
        "- ",
        "?",
        "? ",
        "%YAML 1.2\n",
        "---",
        "...",
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "  ",
        "    ",
        "a",
        "key",
        "é",
        "🦀",
        "\u{feff}",
        "\u{0}",
        "\u{1b}",
        "\u{202e}",
        "\u{85}",
        "\u{2028}",
        "<<",
        "~",
        "null",
        "true",
        "0",
        "1",
        "-1",
        "1e5",
        "0x1",
        ".inf",
        ".",
        "\"a\": 1",
        "a: 1\n",
        "@",
        "`",
    ];
    for round in 0..6_000 {
        let length = random.below(if round % 20 == 0 { 400 } else { 14 });
        let text: String = (0..length)
            .map(|_| pieces[random.below(pieces.len())])
            .collect();
        for format in [Format::Json, Format::Yaml] {
            let (sources, id) = source(format, &text);
            let mut diagnostics = Diagnostics::new();
            let value = parse_value(sources.file(id), &mut diagnostics);
            assert_ne!(value.is_some(), !diagnostics.is_empty(), "{text:?}");
            if let Some(value) = value {
                every_pointer_has_a_span(&sources, id, &value);
            }
            render(&sources, &diagnostics, true);
        }
    }
}

fn every_pointer_has_a_span(
    sources: &crate::source::SourceMap,
    id: crate::source::FileId,
    value: &Value,
) {
    let file = sources.file(id);
    let spans = crate::source::Spans::of(file);
    let mut open = vec![(crate::diagnostics::Pointer::root(), value)];
    while let Some((pointer, value)) = open.pop() {
        let key = spans.key(&pointer).unwrap();
        let at = spans.value(&pointer).unwrap();
        assert!(
            file.text.get(at.clone()).is_some() && file.text.get(key).is_some(),
            "{pointer}"
        );
        match value {
            Value::Object(map) => open.extend(map.iter().map(|(key, it)| (pointer.child(key), it))),
            Value::Array(list) => {
                open.extend(
                    list.iter()
                        .enumerate()
                        .map(|(at, it)| (pointer.child(at), it)),
                );
            }
            Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
    }
}

/// A small generator (xorshift64), the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}
