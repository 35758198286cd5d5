//! Bundles: what they look like, and that they say what the files say.

use serde_json::{Value, json};

use crate::{
    config::FormatPolicy,
    diagnostics::Pointer,
    resolve::{
        Dialect, Node, engine,
        fixture::{json, json_files, shared, with_set},
        schemas::{encode, file_uri, root_uri},
    },
};

/// Bundles the output schema of `s/t.tool.json` among `files`.
fn published(output: &str, files: &[(&str, &str)]) -> Value {
    let tool = format!(
        r#"{{"name": "t", "inputSchema": {{"type": "object"}}, "outputSchema": {output}}}"#
    );
    let mut all = vec![("s/t.tool.json", tool.as_str())];
    all.extend(files);
    with_set(&all, |documents, set, found| {
        assert_eq!(found, [""; 0]);
        let tool = documents.iter().next().unwrap();
        set.at(tool, &Pointer::parse("/outputSchema"))
            .unwrap()
            .published()
    })
}

#[test]
fn a_schema_without_external_references_is_published_as_it_is() {
    for schema in [
        r##"{"title": "z first", "type": "object", "$defs": {"A": {"$anchor": "a"}}, "properties": {"b": {"$ref": "#a"}, "a": {"$ref": "#"}, "c": {"$ref": "#/$defs/A"}}}"##,
        r##"{"$id": "https://example.com/t", "$defs": {"A": {"$id": "a", "$defs": {"B": {"$ref": "#"}}}}, "properties": {"a": {"$ref": "a"}, "b": {"$ref": "a#/$defs/B"}}}"##,
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/A", "definitions": {"A": {"items": {"$ref": "#/definitions/A"}}}}"##,
        r##"{"$dynamicAnchor": "n", "additionalProperties": {"$dynamicRef": "#n"}, "not": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}"##,
        "true",
    ] {
        let published = published(schema, &[]);
        assert_eq!(
            published.to_string(),
            json(schema).to_string(),
            "with the order of its keys"
        );
    }
}

#[test]
fn references_that_are_no_uris_are_published_as_uris() {
    let published = published(
        r##"{"$defs": {"List<Größe>": {"type": "array"}, "a b": {"$ref": "#/$defs/List<Größe>"}, "100%": {}, "x[]^%41": {}},
            "properties": {"a": {"$ref": "#/$defs/a b"}, "b": {"$ref": "#/$defs/100%"}, "c": {"$ref": "#/$defs/a%20b"}}}"##,
        &[],
    );
    let expected = r##"{"$defs": {"List<Größe>": {"type": "array"}, "a b": {"$ref": "#/$defs/List%3CGr%C3%B6%C3%9Fe%3E"}, "100%": {}, "x[]^%41": {}},
            "properties": {"a": {"$ref": "#/$defs/a%20b"}, "b": {"$ref": "#/$defs/100%25"}, "c": {"$ref": "#/$defs/a%20b"}}}"##;
    assert_eq!(published.to_string(), json(expected).to_string());
    engine::check_compiles(&published).unwrap();
}

#[test]
fn external_references_go_into_definitions() {
    let common = r##"{"$id": "https://example.com/common", "title": "Common", "$defs": {
        "City": {"$anchor": "c", "properties": {"twin": {"$ref": "#/$defs/City"}, "in": {"$ref": "#/$defs/Country"}}},
        "Country": {"type": "string"}, "Unused": {}},
        "properties": {"cities": {"items": {"$ref": "#c"}}}}"##;
    let published = published(
        r##"{"title": "T", "properties": {
            "a": {"$ref": "../common.schema.json#/$defs/City", "title": "kept"},
            "b": {"$ref": "https://example.com/common"},
            "c": {"$ref": "#/$defs/Country"}},
            "$defs": {"Country": {"const": "mine"}}, "type": "object"}"##,
        &[("common.schema.json", common)],
    );
    let expected = json(
        r##"{"title": "T", "properties": {
            "a": {"$ref": "#/$defs/City", "title": "kept"},
            "b": {"$ref": "#/$defs/common"},
            "c": {"$ref": "#/$defs/Country"}},
            "$defs": {
                "Country": {"const": "mine"},
                "City": {"properties": {"twin": {"$ref": "#/$defs/City"}, "in": {"$ref": "#/$defs/Country_2"}}},
                "common": {"title": "Common", "properties": {"cities": {"items": {"$ref": "#/$defs/City"}}}},
                "Country_2": {"type": "string"}},
            "type": "object"}"##,
    );
    assert_eq!(published.to_string(), expected.to_string());
}

#[test]
fn another_dialect_gets_a_resource_of_its_own() {
    let old = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/A", "definitions": {
        "A": {"items": [{"$ref": "#/definitions/B"}], "additionalItems": false},
        "B": {"type": "object", "properties": {"back": {"$ref": "s/new.schema.json"}}}}}"##;
    let published = published(
        r#"{"items": {"$ref": "../old.schema.json"}}"#,
        &[
            ("old.schema.json", old),
            (
                "s/new.schema.json",
                r#"{"prefixItems": [{"$ref": "../old.schema.json"}]}"#,
            ),
        ],
    );
    let expected = json(
        r##"{"items": {"$ref": "contract:///draft-07#/definitions/old"}, "$defs": {
            "draft-07": {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "contract:///draft-07", "definitions": {
                "old": {"$ref": "#/definitions/A"},
                "A": {"items": [{"$ref": "#/definitions/B"}], "additionalItems": false},
                "B": {"type": "object", "properties": {"back": {"$ref": "contract:///2020-12#/$defs/new"}}}}},
            "2020-12": {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "contract:///2020-12", "$defs": {
                "new": {"prefixItems": [{"$ref": "contract:///draft-07#/definitions/old"}]}}}}}"##,
    );
    assert_eq!(published, expected);
}

#[test]
fn a_part_of_a_schema_becomes_a_whole_one() {
    let tool = r##"{"name": "t", "inputSchema": {"type": "object", "$defs": {"N": {"type": "integer"}}, "properties": {
        "list": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "array", "items": {"$ref": "#/properties/list"}}]},
        "self": {"properties": {"up": {"$ref": "#"}, "down": {"$ref": "#/properties/self/properties/up"}}}}}}"##;
    with_set(&[("s/t.tool.json", tool)], |documents, set, found| {
        assert_eq!(found, [""; 0]);
        let input = set
            .at(
                documents.iter().next().unwrap(),
                &Pointer::parse("/inputSchema"),
            )
            .unwrap();
        let list = input.child(&["properties", "list"]).unwrap();
        assert_eq!(
            list.bundle(),
            json(
                r##"{"$schema": "https://json-schema.org/draft/2020-12/schema",
                "anyOf": [{"$ref": "#/$defs/N"}, {"type": "array", "items": {"$ref": "#"}}], "$defs": {"N": {"type": "integer"}}}"##
            )
        );
        assert!(engine::is_valid(
            &list,
            &json!([[1, [2]], 3]),
            FormatPolicy::Dialect
        ));
        assert!(!engine::is_valid(
            &list,
            &json!([[1, ["2"]], 3]),
            FormatPolicy::Dialect
        ));
        let own = input.child(&["properties", "self"]).unwrap().bundle();
        assert_eq!(
            own["properties"]["down"],
            json!({"$ref": "#/properties/up"})
        );
        assert!(engine::check_compiles(&own).is_ok());
    });
}

const TREE: &str = r##"{"$id": "https://example.com/tree", "$dynamicAnchor": "node", "type": "object", "properties": {
    "value": true, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}}"##;

/// An output schema among files: the files and the bundle accept the valid instances, and refuse
/// the others.
#[track_caller]
fn same_verdicts(output: &str, files: &[(&str, &str)], valid: &Value, invalid: &Value) {
    let bundle = published(output, files);
    let values: Vec<_> = files
        .iter()
        .map(|(path, text)| (file_uri(path).to_string(), json(text)))
        .collect();
    let files: Vec<_> = values
        .iter()
        .map(|(uri, value)| (uri.clone(), value))
        .collect();
    let own = "contract:///-/s/t.tool.json?/outputSchema";
    for (instances, expected) in [(valid, true), (invalid, false)] {
        for instance in instances.as_array().unwrap() {
            let by_files = engine::verdict_over_files(&files, own, &json(output), instance);
            assert_eq!(by_files, expected, "the files: {output} {instance}");
            let bundled = engine::verdict_over_files(&[], "contract:///x", &bundle, instance);
            assert_eq!(bundled, expected, "the bundle: {bundle:#} {instance}");
        }
    }
}

#[test]
fn bundles_accept_and_refuse_as_the_files_do() {
    same_verdicts(
        r#"{"properties": {"a": {"$ref": "types.schema.json#/$defs/A"}, "t": {"$ref": "types.schema.json"}}}"#,
        &[(
            "s/types.schema.json",
            r##"{"type": "object", "properties": {"next": {"$ref": "#"}, "a": {"$ref": "types.schema.json#/$defs/A"}}, "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}}"##,
        )],
        &json!([{"a": [[], [[]]], "t": {"next": {"a": []}}}]),
        &json!([{"a": [[1]]}, {"t": {"next": {"next": 3}}}, {"t": {"a": {}}}]),
    );
    // An embedded resource, inside of which `#` is itself.
    same_verdicts(
        r##"{"properties": {
            "e": {"$id": "https://example.com/e", "properties": {"self": {"$ref": "#"}, "out": {"$ref": "https://example.com/tree"}}, "required": ["self"]},
            "f": {"$ref": "https://example.com/e#/properties/out"}}}"##,
        &[("tree.schema.json", TREE)],
        &json!([{"f": {"children": [{}]}}, {"e": 3}, {"f": {}}]),
        &json!([{"e": {"self": {}}}, {"f": 3}, {"f": {"children": [3]}}]),
    );
}

#[test]
fn bundles_keep_the_dynamic_scope() {
    let strict = r#"{"$id": "https://example.com/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false}"#;
    same_verdicts(
        r#"{"items": {"$ref": "https://example.com/strict"}}"#,
        &[("tree.schema.json", TREE), ("strict.schema.json", strict)],
        &json!([[{"value": 1, "children": [{"value": 2}]}]]),
        &json!([[{"vaule": 1}], [{"children": [{"children": [{"vaule": 1}]}]}], [1]]),
    );
}

#[test]
fn bundles_keep_dialects_apart() {
    let old = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/Pair", "definitions": {
        "Pair": {"items": [{"$ref": "#/definitions/N"}, {"$ref": "modern.schema.json"}], "additionalItems": false},
        "N": {"type": "number", "title": "n"}}}"##;
    let modern = r#"{"prefixItems": [{"type": "string"}], "items": {"$ref": "old.schema.json"}, "contains": {"type": "string"}}"#;
    same_verdicts(
        r#"{"anyOf": [{"type": "null"}, {"$ref": "../old.schema.json"}]}"#,
        &[("old.schema.json", old), ("modern.schema.json", modern)],
        &json!([null, [1, ["a", [2, ["b"]]]], []]),
        &json!([
            ["1"],
            [1, [2]],
            [1, ["a", ["2"]]],
            [1, ["a"], 3],
            [1, ["a", [2, ["b"], 3]]]
        ]),
    );
    let draft4 = r#"{"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/four", "minimum": 0, "exclusiveMinimum": true,
        "definitions": {"X": {"id": "x", "allOf": [{"$ref": "four"}], "maximum": 9}}}"#;
    same_verdicts(
        r#"{"items": {"$ref": "http://example.com/x"}, "contains": {"$ref": "../a.schema.json#/definitions/X"}}"#,
        &[("a.schema.json", draft4)],
        &json!([[1], [9, 0.5]]),
        &json!([[0], [10], []]),
    );
    // Up to draft-07, `$ref` makes everything beside it void, but what it leads to may stand there.
    same_verdicts(
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "modern.schema.json", "definitions": {"own": {}}}"#,
        &[(
            "s/modern.schema.json",
            r##"{"prefixItems": [{"type": "string"}], "items": {"$ref": "#/prefixItems/0"}}"##,
        )],
        &json!([["a", "b"]]),
        &json!([[1], ["a", 1]]),
    );
}

#[test]
fn meta_schemas_of_other_dialects_are_embedded() {
    let swagger = r#"{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"title": {"$ref": "http://json-schema.org/draft-04/schema#/properties/title"}}}"#;
    let bundle = published(
        r#"{"$ref": "../swagger.schema.json"}"#,
        &[("swagger.schema.json", swagger)],
    );
    assert_eq!(engine::check_compiles(&bundle), Ok(()));
    for (instance, expected) in [(json!({"title": "a"}), true), (json!({"title": 1}), false)] {
        assert_eq!(
            engine::verdict_over_files(&[], "contract:///x", &bundle, &instance),
            expected
        );
    }
}

/// The official suite: each schema as the output schema of a tool, its remotes as copies of remote files.
/// The published schema has to give the suite's answers wherever the validator does.
#[test]
fn the_official_suite_holds_for_bundles() {
    let Some(suite) = shared("suite") else { return };
    let (mut verdicts, mut wrong, mut refused) = (0, Vec::new(), Vec::new());
    for dialect in Dialect::ALL {
        let folder = suite_folder(dialect);
        let remotes = remotes(&suite);
        for (name, text) in json_files(&suite.join("tests").join(folder)) {
            for group in json(&text).as_array().unwrap() {
                let schema = with_dialect(&group["schema"], dialect.uri());
                let title = format!(
                    "{folder}/{name}: {}",
                    group["description"].as_str().unwrap()
                );
                match bundle_with_remotes(&schema, &remotes) {
                    Err(found) => refused.push(format!("{title}: {found:?}")),
                    Ok(bundle) => {
                        for test in group["tests"].as_array().unwrap() {
                            verdicts += 1;
                            let expected = test["valid"] == json!(true);
                            if engine::verdict_over_files(
                                &[],
                                "contract:///x",
                                &bundle,
                                &test["data"],
                            ) != expected
                            {
                                wrong.push(format!("{title}: {}\n  {bundle}", test["description"]));
                            }
                        }
                    }
                }
            }
        }
    }
    eprintln!(
        "{verdicts} verdicts, {} wrong, {} refused",
        wrong.len(),
        refused.len()
    );
    assert_eq!(wrong, [""; 0]);
    // Only dialects of the author's own.
    refused.retain(|it| !it.contains("unknown-dialect"));
    assert_eq!(refused, [""; 0]);
    assert!(verdicts > 4900);
}

/// The remotes of the suite as they are, by URL.
fn remotes(suite: &std::path::Path) -> Vec<(String, String)> {
    let mut pending = vec![(suite.join("remotes"), "http://localhost:1234/".to_owned())];
    let mut files = Vec::new();
    while let Some((folder, url)) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let url = format!("{url}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                pending.push((entry.path(), format!("{url}/")));
            } else {
                files.push((url, std::fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn bundle_with_remotes(schema: &Value, remotes: &[(String, String)]) -> Result<Value, Vec<String>> {
    let text = schema.to_string();
    let tool =
        json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}).to_string();
    let mut files = vec![("t.tool.json".to_owned(), tool)];
    if text.contains("localhost:1234") {
        files.extend(remotes.iter().cloned());
    }
    with_set(&files, |documents, set, found| {
        let tool = documents.iter().next().unwrap();
        assert_eq!(
            root_uri(tool, &Pointer::parse("/outputSchema")).as_str(),
            "contract:///-/t.tool.json?/outputSchema"
        );
        let found: Vec<_> = found
            .into_iter()
            .filter(|it| !it.starts_with("missing-"))
            .collect();
        if found.is_empty() {
            Ok(set
                .at(tool, &Pointer::parse("/outputSchema"))
                .unwrap()
                .published())
        } else {
            Err(found)
        }
    })
}

/// The same for every schema inside the suite's schemas, made a document of its own.
#[test]
fn the_official_suite_holds_for_parts() {
    let Some(suite) = shared("suite") else { return };
    let (mut verdicts, mut wrong) = (0, Vec::new());
    for dialect in [Dialect::Draft7, Dialect::Draft201909, Dialect::Draft202012] {
        let folder = suite_folder(dialect);
        let remotes = remotes(&suite);
        let tests = json_files(&suite.join("tests").join(folder));
        let about_references = [
            "ref",
            "refRemote",
            "anchor",
            "defs",
            "definitions",
            "dynamicRef",
            "recursiveRef",
            "id",
        ];
        for (name, text) in tests
            .iter()
            .filter(|(name, _)| about_references.contains(&name.as_str()))
        {
            for group in json(text).as_array().unwrap() {
                let title = format!("{folder}/{name}: {}", group["description"]);
                verdicts += check_parts(&title, group, dialect, &remotes, &mut wrong);
            }
        }
    }
    eprintln!("{verdicts} verdicts");
    assert_eq!(wrong, [""; 0]);
    assert!(verdicts > 800);
}

fn check_parts(
    title: &str,
    group: &Value,
    dialect: Dialect,
    remotes: &[(String, String)],
    wrong: &mut Vec<String>,
) -> usize {
    let schema = with_dialect(&group["schema"], dialect.uri());
    let text = schema.to_string();
    let mut files = vec![("t.schema.json".to_owned(), text.clone())];
    if text.contains("localhost:1234") {
        files.extend(remotes.iter().cloned());
    }
    // With a registry of files, the validator does not know the meta-schemas.
    let has_oracle = !text.contains("ref\":\"http://json-schema.org")
        && !text.contains("ref\":\"https://json-schema.org");
    let mut verdicts = 0;
    with_set(&files, |documents, set, found| {
        let own = documents
            .iter()
            .find(|it| it.path == "t.schema.json")
            .filter(|_| found.is_empty());
        let Some(own) = own else { return };
        // The oracle has to be told the dialect of files that do not say it.
        let known = set.documents.all().zip(set.index.roots());
        let values: Vec<_> = known
            .filter(|(_, root)| set.schemas.facts(*root).is_some())
            .map(|(it, _)| (it.uri.to_string(), with_dialect(&it.value, dialect.uri())))
            .collect();
        let over: Vec<_> = values.iter().map(|(uri, it)| (uri.clone(), it)).collect();
        for id in set.schemas.order() {
            let node = Node::new(set, *id);
            let bundle = node.bundle();
            if let Err(fault) = engine::check_compiles(&bundle) {
                wrong.push(format!("{title} {node:?}: {fault:?}\n  {bundle}"));
                continue;
            }
            let pointer = set.index.pointer(*id);
            let is_part = set.index.document(*id).file == own.file && pointer != Pointer::root();
            if !is_part || !has_oracle {
                continue;
            }
            let address = format!("contract:///-/t.schema.json#{}", encode(pointer.as_str()));
            let whole = json!({"$schema": dialect.uri(), "$ref": address});
            for test in group["tests"].as_array().unwrap() {
                verdicts += 1;
                let expected =
                    engine::verdict_over_files(&over, "contract:///x", &whole, &test["data"]);
                if engine::verdict_over_files(&[], "contract:///x", &bundle, &test["data"])
                    != expected
                {
                    wrong.push(format!(
                        "{title} {node:?} {} is {expected}\n  {bundle}",
                        test["data"]
                    ));
                }
            }
        }
    });
    verdicts
}

fn suite_folder(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Draft4 => "draft4",
        Dialect::Draft6 => "draft6",
        Dialect::Draft7 => "draft7",
        Dialect::Draft201909 => "draft2019-09",
        Dialect::Draft202012 => "draft2020-12",
    }
}

fn with_dialect(schema: &Value, dialect: &str) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object
            .entry("$schema")
            .or_insert_with(|| Value::from(dialect));
    }
    schema
}
