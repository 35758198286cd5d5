//! What `[dialects]` and `unresolved` change: what is reported, and what is published.

use serde_json::Value;

use crate::{
    config::{Config, DialectName, UnresolvedPolicy},
    diagnostics::{Diagnostics, Pointer},
    resolve::{
        self, engine,
        fixture::{found, json, sources},
    },
};

/// The output schema of a tool as it is published under these settings, and the findings.
fn published(schema: &str, config: &Config) -> (Value, Vec<String>) {
    let tool = format!(
        r#"{{"name": "t", "inputSchema": {{"type": "object"}}, "outputSchema": {schema}}}"#
    );
    let sources = sources(&[("s/t.tool.json", tool)]);
    let mut diagnostics = Diagnostics::new();
    let documents = resolve::parse(&sources, &mut diagnostics).read_as(config);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let tool = documents.iter().next().unwrap();
    let node = set.at(tool, &Pointer::parse("/outputSchema")).unwrap();
    let published = node.published();
    assert!(node.is_sound());
    engine::check_compiles(&published).unwrap();
    (published, found(&sources, &diagnostics))
}

#[test]
fn a_reference_that_leads_nowhere_may_accept_anything() {
    let mut config = Config::new("schemas");
    config.unresolved = UnresolvedPolicy::Any;
    let cases = [
        (
            r##"{"properties": {"a": {"$ref": "https://example.com/a"}, "b": {"$ref": "#/$defs/B"}, "c": {"$ref": "#/$defs/C"}},
                "$defs": {"B": {"type": "string", "$ref": "../../b.json"}}}"##,
            r##"{"properties": {"a": true, "b": {"$ref": "#/$defs/B"}, "c": true}, "$defs": {"B": {"type": "string"}}}"##,
            3,
        ),
        // Beside a reference of draft-07 nothing holds; without one it would.
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema#",
                "items": {"$ref": "nowhere.json", "type": "string", "title": "T", "definitions": {"D": {}}}}"#,
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": {"title": "T", "definitions": {"D": {}}}}"#,
            1,
        ),
        // draft-04 has no `true`.
        (
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "items": {"$ref": "nowhere.json"}}"#,
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "items": {}}"#,
            1,
        ),
        // But a tool is refused whose schema is not called an object.
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["a"], "$ref": "nowhere.json"}"#,
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}"#,
            1,
        ),
        // The root stays an object.
        (r#"{"$ref": "nowhere.json"}"#, "{}", 1),
    ];
    for (schema, expected, warnings) in cases {
        let (published, found) = published(schema, &config);
        assert_eq!(published.to_string(), json(expected).to_string());
        assert_eq!(found.len(), warnings, "{found:#?}");
        assert!(found.iter().all(|it| it.starts_with("accepts-anything ")));
    }
}

#[test]
fn a_meta_schema_may_be_read_and_published_as_a_dialect() {
    let mut config = Config::new("schemas");
    let known = [
        ("https://example.com/new.json", DialectName::Draft202012),
        ("https://example.com/old.json#", DialectName::Draft4),
    ];
    config.dialects = known.map(|(uri, it)| (uri.to_owned(), it)).into();
    let cases = [
        (
            r#"{"$schema": "https://example.com/new.json#", "prefixItems": [true],
                "default": {"$schema": "https://example.com/new.json"}}"#,
            r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [true],
                "default": {"$schema": "https://example.com/new.json"}}"#,
        ),
        (
            r#"{"$schema": "https://example.com/old.json", "minimum": 1, "exclusiveMinimum": true}"#,
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}"#,
        ),
    ];
    for (schema, expected) in cases {
        let (published, found) = published(schema, &config);
        assert_eq!(published.to_string(), json(expected).to_string());
        assert_eq!(found, [""; 0]);
    }
}

#[test]
fn published_meta_schemas_that_add_only_remarks_are_read_as_what_they_extend() {
    let links = r#""links": [{"rel": "self", "href": "/{id}"}]"#;
    let cases = [
        (
            "http://json-schema.org/draft-04/hyper-schema#",
            "http://json-schema.org/draft-04/schema#",
        ),
        (
            "https://json-schema.org/draft-05/schema",
            "http://json-schema.org/draft-04/schema#",
        ),
        (
            "http://json-schema.org/draft-07/hyper-schema",
            "http://json-schema.org/draft-07/schema#",
        ),
        (
            "https://json-schema.org/draft/2019-09/hyper-schema",
            "https://json-schema.org/draft/2019-09/schema",
        ),
        (
            "https://spec.openapis.org/oas/3.1/dialect/base",
            "https://json-schema.org/draft/2020-12/schema",
        ),
    ];
    for (named, read) in cases {
        let schema = format!(r#"{{"$schema": "{named}", "type": "string", {links}}}"#);
        let (published, found) = published(&schema, &Config::new("schemas"));
        let expected = format!(r#"{{"$schema": "{read}", "type": "string", {links}}}"#);
        assert_eq!(published.to_string(), json(&expected).to_string());
        assert!(
            found.iter().all(|it| it.starts_with("ignored-keyword ")),
            "{found:#?}"
        );
    }
}
