//! Where references lead: identity, dialects, and what only the instance decides.

use crate::resolve::{Dialect, Kind, Node, Reference, SchemaSet, fixture::with_set};

/// The schemas of the first tool or shared file, as `(node, what it refers to)`.
fn root<'d>(set: &'d SchemaSet<'d>, path: &str, pointer: &str) -> Node<'d> {
    let document = set.documents().iter().find(|it| it.path == path).unwrap();
    set.at(document, &crate::diagnostics::Pointer::parse(pointer))
        .unwrap()
}

fn target<'d>(node: &Node<'d>) -> Node<'d> {
    match node.reference() {
        Some(Reference::To(target)) => target,
        other => panic!("{node:?} refers to {other:?}"),
    }
}

#[test]
fn every_way_to_a_schema_gives_one_identity() {
    let tool = r##"{"name": "t", "inputSchema": {"type": "object", "$id": "https://example.com/t",
        "$defs": {"A/b": {"$anchor": "a", "type": "string"}},
        "properties": {
            "pointer": {"$ref": "#/$defs/A~1b"},
            "encoded": {"$ref": "#/%24defs/A~1b"},
            "anchor": {"$ref": "#a"},
            "absolute": {"$ref": "https://example.com/t#a"},
            "whole": {"$ref": "#"},
            "city": {"$ref": "https://example.com/city"},
            "street": {"$ref": "https://example.com/city#/properties/street"}
        }}}"##;
    let city = r##"{"$id": "https://example.com/city", "properties": {"street": {"$ref": "#/$defs/S"}}, "$defs": {"S": {"type": "string"}}}"##;
    with_set(
        &[("city.schema.json", city), ("s/t.tool.json", tool)],
        |documents, set, found| {
            assert_eq!(found, [""; 0]);
            let input = root(set, "s/t.tool.json", "/inputSchema");
            let property = |name: &str| input.child(&["properties", name]).unwrap();
            let wanted = input.child(&["$defs", "A/b"]).unwrap();
            for name in ["pointer", "encoded", "anchor", "absolute"] {
                assert_eq!(target(&property(name)).id(), wanted.id(), "{name}");
            }
            assert_eq!(target(&property("whole")).id(), input.id());
            let city = root(set, "city.schema.json", "");
            assert_eq!(target(&property("city")).id(), city.id());
            let street = target(&property("street"));
            assert_eq!(
                street.id(),
                city.child(&["properties", "street"]).unwrap().id()
            );
            assert_eq!(
                format!("{:?}", target(&street)),
                "city.schema.json#/$defs/S"
            );
            assert_eq!(target(&street).key_of_definition().as_deref(), Some("S"));
            assert_eq!(city.key_of_definition().as_deref(), Some("city"));
            assert_eq!(street.key_of_definition(), None);
            let names: Vec<_> = input
                .children("properties")
                .into_iter()
                .map(|(name, _)| name)
                .collect();
            assert_eq!(
                names,
                [
                    "pointer", "encoded", "anchor", "absolute", "whole", "city", "street"
                ]
            );
            assert_eq!(
                documents.iter().map(|it| it.kind).collect::<Vec<_>>(),
                [Kind::Schema, Kind::Tool]
            );
        },
    );
}

#[test]
fn a_tool_schema_is_its_own_root_and_starts_from_its_folder() {
    let tools = r##"{"tools": [
        {"name": "a", "inputSchema": {"type": "object", "$defs": {"X": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/X"}}}},
        {"name": "b", "inputSchema": {"type": "object", "$defs": {"X": {"type": "number"}}, "properties": {"x": {"$ref": "#/$defs/X"}}},
         "outputSchema": {"$ref": "types/x.schema.yaml"}}
    ]}"##;
    let files = [
        ("s/all.tools.json", tools),
        ("s/types/x.schema.yaml", "$ref: ../../y.schema.json"),
        ("y.schema.json", "true"),
    ];
    with_set(&files, |_, set, found| {
        assert_eq!(found, [""; 0]);
        for tool in ["0", "1"] {
            let input = root(
                set,
                "s/all.tools.json",
                &format!("/tools/{tool}/inputSchema"),
            );
            let x = target(&input.child(&["properties", "x"]).unwrap());
            assert_eq!(x.id(), input.child(&["$defs", "X"]).unwrap().id());
        }
        let output = root(set, "s/all.tools.json", "/tools/1/outputSchema");
        assert_eq!(format!("{:?}", target(&target(&output))), "y.schema.json#");
    });
}

#[test]
fn dialects_hold_where_they_are_declared() {
    let old = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"A": {"$ref": "#/definitions/B", "title": "hidden"}, "B": {}}}"##;
    let tool = r#"{"name": "t", "inputSchema": {"type": "object", "properties": {
        "a": {"$ref": "../old.schema.json#/definitions/A", "title": "seen"},
        "b": {"$id": "b", "$schema": "http://json-schema.org/draft-04/schema", "items": {}}}}}"#;
    with_set(
        &[("old.schema.json", old), ("s/t.tool.json", tool)],
        |_, set, found| {
            assert_eq!(found, [""; 0]);
            let input = root(set, "s/t.tool.json", "/inputSchema");
            let a = input.child(&["properties", "a"]).unwrap();
            assert_eq!(
                (a.dialect(), a.ref_hides_siblings()),
                (Dialect::Draft202012, false)
            );
            let old = target(&a);
            assert_eq!(
                (old.dialect(), old.ref_hides_siblings()),
                (Dialect::Draft7, true)
            );
            assert_eq!(target(&old).key_of_definition().as_deref(), Some("B"));
            let items = input.child(&["properties", "b", "items"]).unwrap();
            assert_eq!(items.dialect(), Dialect::Draft4);
        },
    );
}

#[test]
fn a_dynamic_reference_with_one_possible_target_is_an_ordinary_one() {
    let tree = r##"{"$id": "https://example.com/tree", "$dynamicAnchor": "node", "properties": {"children": {"items": {"$dynamicRef": "#node"}}}}"##;
    let strict = r#"{"$id": "https://example.com/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false}"#;
    let items = |set: &SchemaSet<'_>| {
        let root = root(set, "tree.schema.json", "");
        matches!(root.child(&["properties", "children", "items"]).unwrap().reference(), Some(Reference::To(it)) if it.id() == root.id())
    };
    with_set(&[("tree.schema.json", tree)], |_, set, found| {
        assert_eq!(found, [""; 0]);
        assert!(items(set));
    });
    with_set(
        &[("strict.schema.json", strict), ("tree.schema.json", tree)],
        |_, set, found| {
            assert_eq!(found, [""; 0]);
            assert!(!items(set), "the strict tree makes its nodes strict");
        },
    );
    // The meta-schemas of JSON Schema are known without any file.
    let meta = r#"{"$ref": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "https://json-schema.org/draft/2020-12/meta/core"}}}"#;
    with_set(&[("meta.schema.json", meta)], |_, set, found| {
        assert_eq!(found, [""; 0]);
        assert!(matches!(
            root(set, "meta.schema.json", "").reference(),
            Some(Reference::Dynamic)
        ));
    });
}

/// Copies of remote files: found by URL and by `$id`, in their own dialect or that of what refers to them.
#[test]
fn copies_of_remote_files_are_schemas_when_something_refers_to_them() {
    let files = [
        (
            "s/t.tool.json",
            r#"{"name": "t", "inputSchema": {"type": "object", "properties": {
                "a": {"$ref": "https://example.com/a.json"},
                "id": {"$ref": "https://example.org/other#/definitions/B"},
                "part": {"$ref": "https://example.com/doc.json#/x/0"}}},
                "outputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/out", "items": {"$ref": "old.json"}}}"#,
        ),
        (
            "https://example.com/a.json",
            r#"{"properties": {"next": {"$ref": "far/b.yaml"}}}"#,
        ),
        (
            "https://example.com/far/b.yaml",
            "$ref: ../s.json\ntitle: seen",
        ),
        ("https://example.com/s.json", r#"{"type": "string"}"#),
        (
            "https://example.com/old.json",
            r#"{"$ref": "./older.json#/definitions/O", "title": "hidden"}"#,
        ),
        (
            "https://example.com/older.json",
            r#"{"definitions": {"O": {"type": "string"}}}"#,
        ),
        (
            "https://example.com/c.json",
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "id": "https://example.org/other", "definitions": {"B": {}}}"#,
        ),
        (
            "https://example.com/doc.json",
            r#"{"x": [{"type": "null"}]}"#,
        ),
        (
            "https://example.com/unused.json",
            r#"{"$schema": "urn:nobody", "type": 3, "$ref": "nowhere"}"#,
        ),
    ];
    with_set(&files, |documents, set, found| {
        assert_eq!(found, [""; 0]);
        assert_eq!(documents.iter().count(), 1);
        let input = root(set, "s/t.tool.json", "/inputSchema");
        let property = |name: &str| target(&input.child(&["properties", name]).unwrap());
        let b = target(&property("a").child(&["properties", "next"]).unwrap());
        assert_eq!(format!("{b:?}"), "https://example.com/far/b.yaml#");
        assert!(!b.ref_hides_siblings());
        assert_eq!(
            (b.key_of_definition().as_deref(), target(&b).dialect()),
            (Some("b"), Dialect::Draft202012)
        );
        assert_eq!(property("id").dialect(), Dialect::Draft4);
        assert_eq!(
            format!("{:?}", property("part")),
            "https://example.com/doc.json#/x/0"
        );
        let output = root(set, "s/t.tool.json", "/outputSchema");
        let old = target(&output.child(&["items"]).unwrap());
        assert!(old.ref_hides_siblings());
        assert_eq!(old.dialect(), Dialect::Draft7);
    });
}
