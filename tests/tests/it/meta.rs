//! The published schemas of our own file formats: up to date, true of real files, and of use to an editor.

use std::{fs, path::Path};

use mcp_codegen_tests::{expect_file, shared, workspace};
use serde_json::{Value, json};

#[test]
fn schemas_are_as_the_structs_say() {
    for (name, text) in mcp_codegen::meta::schemas() {
        expect_file(&workspace().join("schemas/meta").join(name), &text);
    }
}

#[test]
fn contract_files_of_the_examples_satisfy_them() {
    let mut wrong = Vec::new();
    for (kind, text) in mcp_codegen::meta::schemas() {
        let kind = kind.trim_end_matches(".schema.json");
        let validator = validator(&text);
        for path in files(&workspace().join("schemas")) {
            if path.ends_with(&format!(".{kind}.json")) {
                let instance = read(Path::new(&path));
                wrong.extend(
                    validator
                        .iter_errors(&instance)
                        .map(|it| format!("{path}: {it}")),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn real_tool_lists_satisfy_them() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let validator = validator(&schema("tools"));
    let mut wrong = Vec::new();
    for path in files(&folder) {
        let instance = read(Path::new(&path));
        wrong.extend(
            validator
                .iter_errors(&instance)
                .map(|it| format!("{path}: {}: {it}", it.instance_path())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mistakes_are_seen() {
    let tool = |schema: Value| json!({ "name": "a", "inputSchema": schema });
    let object = json!({ "type": "object" });
    let wrong = [
        ("tool", json!({ "inputSchema": object }), "no name"),
        (
            "tool",
            json!({ "name": "no spaces", "inputSchema": object }),
            "a name with a space",
        ),
        (
            "tool",
            json!({ "name": "a", "title": null, "inputSchema": object }),
            "null for a title",
        ),
        ("tool", tool(json!({})), "an input that is no object"),
        (
            "tool",
            tool(json!({ "type": "object", "required": "a" })),
            "a keyword of the wrong type",
        ),
        (
            "tool",
            tool(json!({ "type": "object", "properties": { "a": { "type": "text" } } })),
            "an unknown type",
        ),
        (
            "tool",
            json!({ "name": "a", "annotations": { "readOnlyHint": "yes" } }),
            "a text for a hint",
        ),
        (
            "tool",
            json!({ "name": "a", "icons": [{ "src": "http://example.org/a.png" }] }),
            "an insecure icon",
        ),
        ("server", json!({ "name": "" }), "an empty name"),
        ("tools", json!({ "tools": {} }), "tools that are no list"),
        (
            "resource",
            json!({ "name": "a" }),
            "a resource without a URI",
        ),
        (
            "resource",
            json!({ "name": "a", "uri": "a://b", "uriTemplate": "a://{b}" }),
            "a resource that is a template too",
        ),
        (
            "prompt",
            json!({ "name": "a", "arguments": { "b": {} } }),
            "arguments that are no list",
        ),
        (
            "elicitation",
            json!({ "requestedSchema": { "type": "object", "properties": { "a": { "type": "object" } } } }),
            "a form in a form",
        ),
        (
            "config",
            json!({ "lists": { "page-size": 0 } }),
            "an empty page",
        ),
        (
            "config",
            json!({ "schema": "schemas" }),
            "an unknown setting",
        ),
        (
            "config",
            json!({ "tools": { "a": { "text": "none", "wrap": "never" } } }),
            "an unknown policy",
        ),
    ];
    for (kind, instance, what) in wrong {
        assert!(
            !validator(&schema(kind)).is_valid(&instance),
            "{kind}: {what}"
        );
    }
}

#[test]
fn right_files_pass() {
    let tool = |schema: Value| json!({ "name": "a", "inputSchema": schema });
    let object = json!({ "type": "object" });
    let right = [
        ("tool", tool(json!({ "type": "object", "required": ["a"] }))),
        (
            "tool",
            tool(json!({
                "$schema": "http://json-schema.org/draft-04/schema#",
                "type": "object",
                "properties": { "a": { "minimum": 0, "exclusiveMinimum": true } }
            })),
        ),
        ("tools", json!([tool(object.clone())])),
        (
            "tools",
            json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [tool(object)] } }),
        ),
        (
            "resource",
            json!({ "name": "a", "uriTemplate": "a://{b}", "annotations": { "audience": ["user"], "priority": 1 } }),
        ),
        (
            "prompt",
            json!({ "name": "a", "arguments": [{ "name": "b", "required": true }] }),
        ),
        (
            "elicitation",
            json!({ "message": "?", "requestedSchema": { "type": "object", "properties": {
                "a": { "type": "string", "format": "date", "title": "A" },
                "b": { "type": "array", "items": { "type": "string", "enum": ["x", "y"] } },
                "c": { "type": "string", "oneOf": [{ "const": "x", "title": "X" }] }
            } } }),
        ),
        (
            "config",
            json!({ "completion": { "methods": ["a.b"] }, "lists": { "ttl-ms": 0, "cache-scope": "public" } }),
        ),
        (
            "config",
            json!({ "schemas": "schemas", "out": "src/gen", "tools": { "*": { "text": "pretty" } } }),
        ),
    ];
    for (kind, instance) in right {
        let errors: Vec<_> = validator(&schema(kind))
            .iter_errors(&instance)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{kind}: {instance}: {errors:?}");
    }
}

fn schema(kind: &str) -> String {
    let name = format!("{kind}.schema.json");
    let all = mcp_codegen::meta::schemas();
    all.into_iter()
        .find(|(it, _)| *it == name)
        .expect("the kind has a schema")
        .1
}

/// A validator that knows every dialect a contract may be written in.
fn validator(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).expect("our schemas are JSON");
    jsonschema::options()
        .with_registry(&referencing::SPECIFICATIONS)
        .offline()
        .build(&schema)
        .expect("our schemas are schemas")
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("contract files can be read");
    serde_json::from_str(&text).expect("contract files are JSON")
}

/// The paths of the JSON files below a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("folders of contracts can be read") {
        let path = entry
            .expect("entries of contract folders can be read")
            .path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "json") {
            all.push(path.to_string_lossy().into_owned());
        }
    }
    all.sort();
    all
}
