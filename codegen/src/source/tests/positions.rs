//! Where a pointer stands in a text.

use super::{Format, source};
use crate::{
    diagnostics::{Locator, Place, Pointer},
    source::{SourceMap, Spans},
};

const JSON: &str = "{\n  \"a/b\": {\n    \"é~\": [1, \"zwei\", {}]\n  },\n  \"x\": \"y\"\n}\n";
const YAML: &str =
    "# é\na/b:\n  é~:\n    - 1\n    - zwei # comment\n    - {}\n\nx: |\n  y\n  z\nt: *none\n";

#[test]
fn keys_and_values() {
    let yaml = YAML.replace("*none", "y");
    for (format, text, pointer, key, value) in [
        (
            Format::Json,
            JSON,
            "/a~1b/é~0",
            "\"é~\"",
            "[1, \"zwei\", {}]",
        ),
        (Format::Json, JSON, "/a~1b/é~0/1", "\"zwei\"", "\"zwei\""),
        (Format::Json, JSON, "/x", "\"x\"", "\"y\""),
        // what does not exist stands at its nearest ancestor
        (Format::Json, JSON, "/x/deep/er", "\"x\"", "\"y\""),
        (
            Format::Json,
            JSON,
            "/a~1b/é~0/7",
            "\"é~\"",
            "[1, \"zwei\", {}]",
        ),
        (
            Format::Yaml,
            &yaml,
            "/a~1b",
            "a/b",
            "é~:\n    - 1\n    - zwei # comment\n    - {}",
        ),
        (Format::Yaml, &yaml, "/a~1b/é~0/1", "zwei", "zwei"),
        (Format::Yaml, &yaml, "/a~1b/é~0/2", "{}", "{}"),
        (Format::Yaml, &yaml, "/x", "x", "y\n  z"),
        (Format::Yaml, "a: &k {b: 1}\nc: *k\n", "/c/b", "c", "*k"),
        (Format::Yaml, "a: &k {b: 1}\nc: *k\n", "/a/b", "b", "1"),
        (Format::Yaml, "a:\nb: 2\n", "/a", "a", ""),
        (
            Format::Toml,
            "[tools.\"w.*\"]\ntext = 'x'\n",
            "/tools/w.*/text",
            "text",
            "'x'",
        ),
        (
            Format::Toml,
            "[tools.\"w.*\"]\ntext = 'x'\n",
            "/tools/w.*",
            "\"w.*\"",
            "[tools.\"w.*\"]",
        ),
    ] {
        let (sources, id) = source(format, text);
        let spans = Spans::of(sources.file(id));
        let pointer = Pointer::parse(pointer);
        assert_eq!(
            &text[spans.key(&pointer).unwrap()],
            key,
            "key of {pointer} in {text}"
        );
        assert_eq!(
            &text[spans.value(&pointer).unwrap()],
            value,
            "value of {pointer} in {text}"
        );
    }
}

#[test]
fn positions_count_characters_on_one_line() {
    let (sources, id) = source(Format::Json, JSON);
    for (place, expected) in [
        (
            Place::value(id, Pointer::parse("/a~1b/é~0/1")),
            Some((3, 15, 21)),
        ),
        // a value of several lines stands at its key, one without key at its first line
        (Place::value(id, Pointer::parse("/a~1b")), Some((2, 3, 8))),
        (Place::value(id, Pointer::root()), Some((1, 1, 2))),
        (Place::key(id, Pointer::parse("/x")), Some((5, 3, 6))),
        (Place::bytes(id, 0..JSON.len()), Some((1, 1, 2))),
        (Place::bytes(id, 9_999..10_000), Some((7, 1, 1))),
        (Place::file(id), None),
    ] {
        let found = Locator::new(&sources).locate(&place);
        let found = found.map(|it| (it.start.line, it.start.column, it.end.column));
        assert_eq!(found, expected, "{place:?}");
    }
}

#[test]
fn a_text_that_does_not_parse_has_no_positions() {
    let mut sources = SourceMap::default();
    for (format, text) in [
        (Format::Json, "{"),
        (Format::Yaml, "a: [\n"),
        (Format::Toml, "a ="),
    ] {
        let id = sources.add("x".to_owned(), "x".to_owned(), format, text.to_owned());
        let place = Place::value(id, Pointer::root().child("a"));
        assert_eq!(Locator::new(&sources).locate(&place), None);
    }
}
