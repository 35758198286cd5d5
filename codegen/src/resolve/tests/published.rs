//! Schemas as they are found in the wild: no panic, and no report that is not true.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    diagnostics::Pointer,
    resolve::{engine, fixture::{json_files, shared, with_set}},
};

#[test]
fn the_tools_of_public_servers_resolve() {
    let Some(corpus) = shared("corpus") else { return };
    let mut schemas = 0;
    for (server, text) in json_files(&corpus) {
        with_set(&[(format!("s/{server}.tools.json"), &text)], |documents, set, found| {
            assert_eq!(found, [""; 0], "{server}");
            let document = documents.iter().next().unwrap();
            for root in document.schema_roots() {
                let node = set.at(document, &root).unwrap();
                assert_eq!(&node.published(), node.value(), "{node:?} refers to nothing outside itself");
                assert_eq!(engine::check_compiles(&node.bundle()), Ok(()), "{node:?}");
                schemas += 1;
            }
        });
    }
    eprintln!("{schemas} schemas");
    assert!(schemas > 1153);
}

/// Published schemas as shared types, each reached from a small tool.
#[test]
fn published_schemas_resolve_as_shared_types() {
    let Some(published) = shared("published/schemas") else { return };
    let mut reports = BTreeMap::new();
    let mut bundled = 0;
    for (name, text) in json_files(&published) {
        let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"$ref": "it.schema.json"}});
        let files = [("t.tool.json", tool.to_string()), ("it.schema.json", text.clone())];
        with_set(&files, |documents, set, found| {
            if !found.is_empty() {
                reports.insert(name.clone(), found);
                return;
            }
            let tool = documents.iter().next().unwrap();
            let bundle = set.at(tool, &Pointer::parse("/outputSchema")).unwrap().published();
            assert_eq!(engine::check_compiles(&bundle), Ok(()), "{name}");
            bundled += 1;
        });
    }
    eprintln!("{bundled} bundled");
    for (name, found) in &reports {
        eprintln!("{name}: {} {:?}", found.len(), &found[..found.len().min(3)]);
    }
}
