//! Bundles: what they look like, and that they say what the files say.

use serde_json::{Value, json};

use crate::{
    diagnostics::Pointer,
    resolve::{
        engine,
        fixture::{json, json_files, shared, with_set},
        schemas::{file_uri, root_uri},
    },
};

/// Bundles the output schema of `s/t.tool.json` among `files`.
fn published(output: &str, files: &[(&str, &str)]) -> Value {
    let tool = format!(r#"{{"name": "t", "inputSchema": {{"type": "object"}}, "outputSchema": {output}}}"#);
    let mut all = vec![("s/t.tool.json", tool.as_str())];
    all.extend(files);
    with_set(&all, |documents, set, found| {
        assert_eq!(found, [""; 0]);
        let tool = documents.iter().next().unwrap();
        set.at(tool, &Pointer::parse("/outputSchema")).unwrap().published()
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
        assert_eq!(published.to_string(), json(schema).to_string(), "with the order of its keys");
    }
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
        &[("old.schema.json", old), ("s/new.schema.json", r#"{"prefixItems": [{"$ref": "../old.schema.json"}]}"#)],
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
        let input = set.at(documents.iter().next().unwrap(), &Pointer::parse("/inputSchema")).unwrap();
        let list = input.child(&["properties", "list"]).unwrap();
        assert_eq!(
            list.bundle(),
            json(r##"{"$schema": "https://json-schema.org/draft/2020-12/schema",
                "anyOf": [{"$ref": "#/$defs/N"}, {"type": "array", "items": {"$ref": "#"}}], "$defs": {"N": {"type": "integer"}}}"##)
        );
        assert!(engine::is_valid(&list, &json!([[1, [2]], 3])));
        assert!(!engine::is_valid(&list, &json!([[1, ["2"]], 3])));
        let own = input.child(&["properties", "self"]).unwrap().bundle();
        assert_eq!(own["properties"]["down"], json!({"$ref": "#/properties/up"}));
        assert!(engine::check_compiles(&own).is_ok());
    });
}

/// Contracts of several files, with instances of the output schema: valid ones, then invalid ones.
fn contracts() -> Vec<(&'static str, Vec<(&'static str, &'static str)>, Vec<Value>, Vec<Value>)> {
    let tree = r##"{"$id": "https://example.com/tree", "$dynamicAnchor": "node", "type": "object", "properties": {
        "value": true, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}}"##;
    let strict = r##"{"$id": "https://example.com/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false}"##;
    let old = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/Pair", "definitions": {
        "Pair": {"items": [{"$ref": "#/definitions/N"}, {"$ref": "modern.schema.json"}], "additionalItems": false},
        "N": {"type": "number", "title": "n"}}}"##;
    let modern = r##"{"prefixItems": [{"type": "string"}], "items": {"$ref": "old.schema.json"}, "contains": {"type": "string"}}"##;
    let draft4 = r##"{"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/four", "minimum": 0, "exclusiveMinimum": true, "definitions": {
        "X": {"id": "x", "allOf": [{"$ref": "four"}], "maximum": 9}}}"##;
    vec![
        (
            r##"{"properties": {"a": {"$ref": "types.schema.json#/$defs/A"}, "t": {"$ref": "types.schema.json"}}}"##,
            vec![("s/types.schema.json", r##"{"type": "object", "properties": {"next": {"$ref": "#"}, "a": {"$ref": "types.schema.json#/$defs/A"}}, "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}}"##)],
            vec![json!({"a": [[], [[]]], "t": {"next": {"a": []}}})],
            vec![json!({"a": [[1]]}), json!({"t": {"next": {"next": 3}}}), json!({"t": {"a": {}}})],
        ),
        (
            r##"{"items": {"$ref": "https://example.com/strict"}}"##,
            vec![("tree.schema.json", tree), ("strict.schema.json", strict)],
            vec![json!([{"value": 1, "children": [{"value": 2}]}])],
            vec![json!([{"vaule": 1}]), json!([{"children": [{"children": [{"vaule": 1}]}]}]), json!([1])],
        ),
        (
            r##"{"anyOf": [{"type": "null"}, {"$ref": "../old.schema.json"}]}"##,
            vec![("old.schema.json", old), ("modern.schema.json", modern)],
            vec![json!(null), json!([1, ["a", [2, ["b"]]]]), json!([])],
            vec![json!(["1"]), json!([1, [2]]), json!([1, ["a", ["2"]]]), json!([1, ["a"], 3]), json!([1, ["a", [2, ["b"], 3]]])],
        ),
        (
            r##"{"items": {"$ref": "http://example.com/x"}, "contains": {"$ref": "../a.schema.json#/definitions/X"}}"##,
            vec![("a.schema.json", draft4)],
            vec![json!([1]), json!([9, 0.5])],
            vec![json!([0]), json!([10]), json!([])],
        ),
        (
            r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "modern.schema.json", "definitions": {"own": {}}}"##,
            vec![("s/modern.schema.json", r##"{"prefixItems": [{"type": "string"}], "items": {"$ref": "#/prefixItems/0"}, "$comment": "c"}"##)],
            vec![json!(["a", "b"])],
            vec![json!([1]), json!(["a", 1])],
        ),
        (
            r##"{"properties": {"e": {"$id": "https://example.com/e", "properties": {"self": {"$ref": "#"}, "out": {"$ref": "https://example.com/tree"}}, "required": ["self"]}, "f": {"$ref": "https://example.com/e#/properties/out"}}}"##,
            vec![("tree.schema.json", tree)],
            vec![json!({"f": {"children": [{}]}}), json!({"e": 3}), json!({"f": {}})],
            vec![json!({"e": {"self": {}}}), json!({"f": 3}), json!({"f": {"children": [3]}})],
        ),
    ]
}

#[test]
fn bundles_accept_and_refuse_as_the_files_do() {
    for (output, files, valid, invalid) in contracts() {
        let output_value = json(output);
        let bundle = published(output, &files);
        let values: Vec<_> = files.iter().map(|(path, text)| (file_uri(path).to_string(), json(text))).collect();
        let files: Vec<_> = values.iter().map(|(uri, value)| (uri.clone(), value)).collect();
        let verdicts = valid.iter().map(|it| (it, true)).chain(invalid.iter().map(|it| (it, false)));
        for (instance, expected) in verdicts {
            let own = engine::verdict_over_files(&files, "contract:///-/s/t.tool.json?/outputSchema", &output_value, instance);
            assert_eq!(own, expected, "the files: {output} {instance}");
            let bundled = engine::verdict_over_files(&[], "contract:///elsewhere", &bundle, instance);
            assert_eq!(bundled, expected, "the bundle: {bundle:#} {instance}");
        }
    }
}

/// The official suite: each schema as the output schema of a tool, its remotes as shared files.
/// The published schema has to give the suite's answers wherever the validator does.
#[test]
fn the_official_suite_holds_for_bundles() {
    let Some(suite) = shared("suite") else { return };
    let (mut verdicts, mut wrong, mut refused) = (0, Vec::new(), Vec::new());
    for (folder, dialect) in [
        ("draft4", "http://json-schema.org/draft-04/schema#"),
        ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ] {
        let remotes = remotes(&suite.join("remotes"), folder, dialect);
        for (name, text) in json_files(&suite.join("tests").join(folder)) {
            for group in json(&text).as_array().unwrap() {
                let mut schema = group["schema"].clone();
                if let Some(object) = schema.as_object_mut() {
                    object.entry("$schema").or_insert_with(|| Value::from(dialect));
                }
                let title = format!("{folder}/{name}: {}", group["description"].as_str().unwrap());
                match bundle_with_remotes(&schema, &remotes) {
                    Err(found) => refused.push(format!("{title}: {found:?}")),
                    Ok(bundle) => {
                        for test in group["tests"].as_array().unwrap() {
                            verdicts += 1;
                            let expected = test["valid"] == json!(true);
                            if engine::verdict_over_files(&[], "contract:///x", &bundle, &test["data"]) != expected {
                                wrong.push(format!("{title}: {}\n  {bundle}", test["description"]));
                            }
                        }
                    }
                }
            }
        }
    }
    eprintln!("{verdicts} verdicts, {} wrong, {} refused", wrong.len(), refused.len());
    assert_eq!(wrong, [""; 0]);
    // Dialects of the author's own, and files that are not what their `$id` says they are.
    let by_design = |it: &&String| !it.contains("unknown-dialect") && !it.contains("remote HTTP ref with different");
    assert_eq!(refused.iter().filter(by_design).collect::<Vec<_>>(), [""; 0]);
    assert!(verdicts > 4900);
}

fn remotes(folder: &std::path::Path, draft: &str, dialect: &str) -> Vec<(String, String)> {
    let mut pending = vec![(folder.to_owned(), String::new())];
    let mut files = Vec::new();
    while let Some((folder, path)) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{path}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                // Each draft has remotes of its own beside those that all share.
                if !name.starts_with("draft") || name.starts_with(draft) {
                    pending.push((entry.path(), format!("{name}/")));
                }
                continue;
            }
            let mut value = json(&std::fs::read_to_string(entry.path()).unwrap());
            let url = format!("http://localhost:1234/{name}");
            if let Some(object) = value.as_object_mut() {
                object.entry("$schema").or_insert_with(|| Value::from(dialect));
                object.entry(if draft == "draft4" { "id" } else { "$id" }).or_insert_with(|| Value::from(url));
            }
            files.push((format!("{}.schema.json", name.trim_end_matches(".json")), value.to_string()));
        }
    }
    files.sort();
    files
}

fn bundle_with_remotes(schema: &Value, remotes: &[(String, String)]) -> Result<Value, Vec<String>> {
    let text = schema.to_string();
    let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}).to_string();
    let mut files = vec![("t.tool.json".to_owned(), tool)];
    if text.contains("localhost:1234") {
        files.extend(remotes.iter().cloned());
    }
    with_set(&files, |documents, set, found| {
        let tool = documents.iter().next().unwrap();
        assert_eq!(root_uri(tool, &Pointer::parse("/outputSchema")).as_str(), "contract:///-/t.tool.json?/outputSchema");
        let found: Vec<_> = found.into_iter().filter(|it| it.contains("t.tool.json")).collect();
        if found.is_empty() {
            Ok(set.at(tool, &Pointer::parse("/outputSchema")).unwrap().published())
        } else {
            Err(found)
        }
    })
}

#[test]
fn scratch_inner() {
    let suite = shared("suite").unwrap();
    let (mut n, mut bad, mut fail) = (0, 0, 0);
    for folder in ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"] {
        let dialect = crate::resolve::Dialect::ALL.into_iter().find(|d| d.name().replace("draft-0", "draft") == folder.replace("draft20", "20")).unwrap();
        let remotes = remotes(&suite.join("remotes"), folder, dialect.uri());
        for (name, text) in json_files(&suite.join("tests").join(folder)) {
            for group in json(&text).as_array().unwrap() {
                let mut schema = group["schema"].clone();
                if let Some(object) = schema.as_object_mut() {
                    object.entry("$schema").or_insert_with(|| Value::from(dialect.uri()));
                }
                let file = schema.to_string();
                let mut files = vec![("t.schema.json".to_owned(), file)];
                if schema.to_string().contains("localhost:1234") { files.extend(remotes.iter().cloned()); }
                let values: Vec<_> = files.iter().map(|(p, t)| (file_uri(p).to_string(), json(t))).collect();
                let over: Vec<_> = values.iter().map(|(u, v)| (u.clone(), v)).collect();
                with_set(&files, |_, set, found| {
                    if !found.is_empty() { return; }
                    for id in set.schemas.order() {
                        let node = crate::resolve::Node::new(set, *id);
                        let bundle = node.bundle();
                        if let Err(e) = engine::check_compiles(&bundle) { fail += 1; eprintln!("FAIL {folder}/{name} {} {node:?}: {e:?} {bundle}", group["description"]); continue; }
                        let whole = format!("{node:?}");
                        if !whole.starts_with("t.schema.json") || schema.to_string().contains("ref\":\"http://json-schema.org") || schema.to_string().contains("ref\":\"https://json-schema.org") { continue; }
                        let pointer = whole.split_once('#').unwrap().1;
                        let base = "contract:///-/t.schema.json";
                        let wrapper = json!({"$schema": dialect.uri(), "$ref": format!("{base}#{}", crate::resolve::schemas::encode(pointer))});
                        for test in group["tests"].as_array().unwrap() {
                            n += 1;
                            let a = engine::verdict_over_files(&over, "contract:///wrapper", &wrapper, &test["data"]);
                            let b = engine::verdict_over_files(&[], "contract:///x", &bundle, &test["data"]);
                            if a != b { bad += 1; eprintln!("BAD {folder}/{name} {} {pointer} files={a} bundle={b} {} {bundle}\n   {schema}", group["description"], test["data"]); }
                        }
                    }
                });
            }
        }
    }
    eprintln!("INNER {n} {bad} {fail}");
}
