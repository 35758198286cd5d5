//! Schemas whose `$schema` names a meta-schema of their author's own: what is published of them, and what is said.

use serde_json::{Value, json};

use crate::{
    config::{Config, DialectName, FormatPolicy, ToolOverrides},
    diagnostics::{Diagnostics, Pointer},
    resolve::{
        self, engine,
        fixture::{found, json, sources},
    },
};

const META: &str = "https://example.com/meta.json";

/// A meta-schema of 2020-12 with these vocabularies, each required or not, and with more to say.
fn meta(vocabularies: &[(&str, bool)], more: &Value) -> Value {
    let mut meta = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": META, "$dynamicAnchor": "meta"});
    let mut parts = Vec::new();
    for (name, required) in vocabularies {
        let uri = if name.contains(':') {
            (*name).to_owned()
        } else {
            let part = format!("https://json-schema.org/draft/2020-12/meta/{name}");
            parts.push(json!({"$ref": part}));
            format!("https://json-schema.org/draft/2020-12/vocab/{name}")
        };
        meta["$vocabulary"][uri] = Value::from(*required);
    }
    meta["allOf"] = Value::from(parts);
    for (key, value) in more.as_object().into_iter().flatten() {
        meta[key] = value.clone();
    }
    meta
}

/// The output schema of a tool as it is published beside these files, and the findings.
fn published(schema: &Value, others: &[(&str, &Value)], config: &Config) -> (Value, Vec<String>) {
    let tool = json!({"name": "t", "description": "T.", "inputSchema": {"type": "object"}, "outputSchema": schema});
    let mut files = vec![("s/t.tool.json", tool.to_string())];
    files.extend(others.iter().map(|(path, it)| (*path, it.to_string())));
    let sources = sources(&files);
    let mut diagnostics = Diagnostics::new();
    let documents = resolve::parse(&sources, &mut diagnostics).read_as(config);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let tool = documents.iter().next().unwrap();
    let node = set.at(tool, &Pointer::parse("/outputSchema")).unwrap();
    let published = node.published();
    let found = found(&sources, &diagnostics);
    if node.is_sound() {
        engine::check_compiles(&published).unwrap();
    }
    (published, found)
}

#[test]
fn keywords_of_vocabularies_that_are_not_listed_are_taken_out_of_schemas_only() {
    let meta = meta(&[("core", true), ("applicator", true)], &json!({}));
    let schema = json(
        r##"{
            "$schema": "https://example.com/meta.json#",
            "type": "object", "title": "T", "unevaluatedProperties": false, "format": "date",
            "properties": {
                "type": {"minimum": 10, "default": {"minimum": 1}, "items": {"const": {"type": 1}, "not": false}},
                "base": {"$schema": "https://json-schema.org/draft/2020-12/schema", "minimum": 1},
                "remote": {"$ref": "https://example.com/remote.json"},
                "island": {"$ref": "#/x-more/a"}
            },
            "dependencies": {"a": ["b"]},
            "x-more": {"a": {"type": "string", "description": "A"}, "b": {"type": "string"}},
            "examples": [{"type": "x"}]
        }"##,
    );
    let remote = json!({"$schema": "http://json-schema.org/draft-07/schema#", "minimum": 3});
    let shared = [
        ("https://example.com/remote.json", &remote),
        ("s/meta.schema.json", &meta),
    ];
    let vendored = [("https://example.com/remote.json", &remote), (META, &meta)];
    for others in [shared, vendored] {
        let (mut published, found) = published(&schema, &others, &Config::new("schemas"));
        // The copy of the draft-07 schema stands among the definitions.
        let definitions = published.as_object_mut().unwrap().shift_remove("$defs");
        let definitions = definitions.unwrap().to_string();
        assert!(definitions.contains(r#""minimum":3"#), "{definitions}");
        published["properties"]["remote"] = json!({});
        let expected = json(
            r##"{
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "title": "T",
                "properties": {
                    "type": {"default": {"minimum": 1}, "items": {"not": false}},
                    "base": {"$schema": "https://json-schema.org/draft/2020-12/schema", "minimum": 1},
                    "remote": {},
                    "island": {"$ref": "#/x-more/a"}
                },
                "x-more": {"a": {"description": "A"}, "b": {"type": "string"}},
                "examples": [{"type": "x"}]
            }"##,
        );
        assert_eq!(published.to_string(), expected.to_string());
        assert_eq!(
            found,
            [
                "ignored-keyword s/t.tool.json#/outputSchema/$schema: `const`, `dependencies`, `format`, `minimum`, `type` \
              and `unevaluatedProperties` mean nothing under `https://example.com/meta.json` and are not published \
              [it lists no vocabulary for that] \
              (s/t.tool.json#/outputSchema/type (key): dropped) \
              (s/t.tool.json#/outputSchema/unevaluatedProperties (key): dropped) \
              (s/t.tool.json#/outputSchema/format (key): dropped) \
              (s/t.tool.json#/outputSchema/dependencies (key): dropped) \
              (s/t.tool.json#/outputSchema/properties/type/minimum (key): dropped) \
              (s/t.tool.json#/outputSchema/properties/type/items/const (key): dropped) \
              (s/t.tool.json#/outputSchema/x-more/a/type (key): dropped)"
            ]
        );
    }
}

#[test]
fn schemas_below_what_is_taken_out_go_with_it() {
    let meta = meta(&[("core", true), ("validation", true)], &json!({}));
    let schema = json!({"$schema": META, "type": "object", "properties": {"a": {"$ref": "nowhere.json"}},
        "$defs": {"A": {"anyOf": [{"not": {}}], "maximum": 1}}});
    let (published, found) = published(&schema, &[(META, &meta)], &Config::new("schemas"));
    let expected = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "$defs": {"A": {"maximum": 1}}});
    assert_eq!(published, expected);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains(": `anyOf` and `properties` mean nothing"),
        "{found:#?}"
    );
}

#[test]
fn vocabularies_that_are_not_known_may_be_optional_but_not_required() {
    let schema = json!({"$schema": META, "type": "string", "unit": "kg"});
    let known = [("core", true), ("validation", true)];
    for (required, expected) in [
        (false, None),
        (true, Some("requires a vocabulary that is not known here")),
    ] {
        let vocabularies = [&known[..], &[("https://example.com/vocab/units", required)]].concat();
        let meta = meta(&vocabularies, &json!({}));
        let (published, found) = published(&schema, &[(META, &meta)], &Config::new("schemas"));
        assert_eq!(published["unit"], "kg");
        assert_eq!(found.len(), usize::from(required), "{found:#?}");
        let places = "(https://example.com/meta.json#/$vocabulary/https:~1~1example.com~1vocab~1units (key): required here)";
        let says = expected.is_none_or(|it| found[0].contains(it) && found[0].contains(places));
        assert!(says, "{found:#?}");
    }
    // The settings know better.
    let meta = meta(&[("https://example.com/vocab/units", true)], &json!({}));
    let mut config = Config::new("schemas");
    config.dialects = [(META.to_owned(), DialectName::Draft202012)].into();
    let (published, found) = published(&schema, &[(META, &meta)], &config);
    assert_eq!(published["type"], "string");
    assert_eq!(found, [""; 0]);
}

#[test]
fn the_base_is_at_the_end_of_the_chain() {
    let core = json!({"https://json-schema.org/draft/2019-09/vocab/core": true, "https://json-schema.org/draft/2019-09/vocab/validation": true});
    let old = "https://json-schema.org/draft/2019-09/schema";
    let end = json!({"$id": "https://example.com/end.json", "$schema": old});
    let chained =
        json!({"$id": META, "$schema": "https://example.com/end.json", "$vocabulary": core});
    let itself = json!({"$id": META, "$schema": META, "$vocabulary": core});
    let schema =
        json!({"$schema": META, "type": "array", "items": [{"type": "string"}], "maxItems": 2});
    for meta in [&chained, &itself] {
        let others = [(META, meta), ("https://example.com/end.json", &end)];
        let (published, found) = published(&schema, &others, &Config::new("schemas"));
        assert_eq!(
            published,
            json!({"$schema": old, "type": "array", "maxItems": 2})
        );
        assert!(
            found.iter().all(|it| it.starts_with("ignored-keyword ")),
            "{found:#?}"
        );
    }
    // Older dialects have no vocabularies.
    let older = json!({"$schema": "http://json-schema.org/draft-07/schema#", "$vocabulary": core});
    let (_, found) = published(&schema, &[(META, &older)], &Config::new("schemas"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("does not say by which vocabularies"),
        "{found:#?}"
    );
}

#[test]
fn schemas_are_held_against_the_meta_schema_too() {
    let more = json!({"properties": {"title": {"maxLength": 3}}, "required": ["title"]});
    let meta = meta(
        &[("core", true), ("applicator", true), ("validation", true)],
        &more,
    );
    let schema = json!({"$schema": META, "title": "Long", "type": "txt",
        "properties": {"a": {}, "b": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}});
    let (_, found) = published(&schema, &[(META, &meta)], &Config::new("schemas"));
    let says = |it: &String| {
        it.split(" [")
            .next()
            .unwrap()
            .replace("invalid-schema s/t.tool.json#/outputSchema", "")
    };
    assert_eq!(
        found.iter().map(says).collect::<Vec<_>>(),
        [
            "/type: this is no valid 2020-12 schema",
            "/properties/a: this is no valid schema by `https://example.com/meta.json`",
            "/title: this is no valid schema by `https://example.com/meta.json`",
        ]
    );
    // One that cannot be used at all is no reason to be silent.
    let broken = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": {}, "$ref": "gone.json"});
    let (_, found) = published(
        &json!({"$schema": META}),
        &[(META, &broken)],
        &Config::new("schemas"),
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("nothing can be held against"),
        "{found:#?}"
    );
}

#[test]
fn a_meta_schema_that_asserts_formats_is_told_of() {
    let meta = meta(&[("core", true), ("format-assertion", true)], &json!({}));
    let schema = json!({"$schema": META, "format": "date"});
    let mut config = Config::new("schemas");
    let (published_as, found) = published(&schema, &[(META, &meta)], &config);
    assert_eq!(published_as["format"], "date");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("asserts `format`"), "{found:#?}");
    let asserted = ToolOverrides {
        formats: Some(FormatPolicy::Assert),
        ..ToolOverrides::default()
    };
    config.tools.insert("*".to_owned(), asserted);
    assert_eq!(published(&schema, &[(META, &meta)], &config).1, [""; 0]);
}
