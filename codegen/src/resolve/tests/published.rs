//! Schemas as they are found in the wild: no panic, and no report that is not true.

use serde_json::json;

use crate::{
    diagnostics::Pointer,
    resolve::{
        engine,
        fixture::{json, json_files, shared, with_set},
    },
};

#[test]
fn the_tools_of_public_servers_resolve() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let mut schemas = 0;
    for (server, text) in json_files(&corpus) {
        with_set(
            &[(format!("s/{server}.tools.json"), &text)],
            |documents, set, found| {
                assert_eq!(found, [""; 0], "{server}");
                let document = documents.iter().next().unwrap();
                for root in document.schema_roots() {
                    let node = set.at(document, &root).unwrap();
                    assert_eq!(
                        &node.published(),
                        node.value(),
                        "{node:?} refers to nothing outside itself"
                    );
                    assert_eq!(engine::check_compiles(&node.bundle()), Ok(()), "{node:?}");
                    schemas += 1;
                }
            },
        );
    }
    eprintln!("{schemas} schemas");
    assert!(schemas > 1153);
}

/// Published schemas as shared types, each reached from a small tool: whatever is refused is refused
/// for what it is, and a bundle accepts the documents that the schema itself accepts.
#[test]
fn published_schemas_resolve_as_shared_types() {
    let Some(published) = shared("published") else {
        return;
    };
    let (mut bundled, mut documents_checked) = (0, 0);
    for (name, text) in json_files(&published.join("schemas")) {
        let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"$ref": "it.schema.json"}});
        let files = [
            ("t.tool.json", tool.to_string()),
            ("it.schema.json", text.clone()),
        ];
        with_set(&files, |documents, set, found| {
            // Files that are not here, and dialects that nobody else knows.
            let honest = |it: &String| {
                ["network-ref ", "unknown-dialect "]
                    .iter()
                    .any(|id| it.starts_with(id))
                    || it.contains("there is no contract file")
                    // A slip that was really published, in nbformat.
                    || it.contains("properties/authors/item (key)")
            };
            assert!(found.iter().all(honest), "{name}: {found:#?}");
            if !found.is_empty() {
                return;
            }
            let tool = documents.iter().next().unwrap();
            let node = set.at(tool, &Pointer::parse("/outputSchema")).unwrap();
            let bundle = node.published();
            assert_eq!(engine::check_compiles(&bundle), Ok(()), "{name}");
            bundled += 1;
            let original = json(&text);
            for valid in ["valid", "invalid"] {
                let folder = published.join("instances").join(&name).join(valid);
                for (title, instance) in folder
                    .is_dir()
                    .then(|| json_files(&folder))
                    .into_iter()
                    .flatten()
                {
                    let instance = json(&instance);
                    let expected =
                        engine::verdict_over_files(&[], "contract:///x", &original, &instance);
                    let verdict =
                        engine::verdict_over_files(&[], "contract:///x", &bundle, &instance);
                    assert_eq!(verdict, expected, "{name}/{valid}/{title}");
                    documents_checked += 1;
                }
            }
        });
    }
    eprintln!("{bundled} bundled, {documents_checked} documents");
    assert!(bundled > 50);
}
