//! What the phase reports about servers and tools, and what it publishes.
#![expect(clippy::unwrap_used, reason = "tests")]

use serde_json::{Map, Value};

use super::{Contract, contract};
use crate::{
    config::{Config, TextPolicy},
    diagnostics::Diagnostics,
    resolve::{
        self,
        fixture::{found, json_files, shared, sources},
    },
};

/// Runs the phases up to `contract` and shows its value and the findings.
fn with_contract<P: AsRef<str>, T: AsRef<str>, R>(
    files: &[(P, T)],
    then: impl FnOnce(&Contract<'_>, Vec<String>) -> R,
) -> R {
    let sources = sources(files);
    let mut diagnostics = Diagnostics::new();
    let documents = resolve::parse(&sources, &mut diagnostics);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let mut config = Config::new("schemas");
    config.root_name = "My tools".to_owned();
    config.version = "1.2.3".to_owned();
    config
        .tools
        .entry("a_server.*".to_owned())
        .or_default()
        .text = Some(TextPolicy::Pretty);
    let contract = contract(&set, &config, &mut diagnostics);
    then(&contract, found(&sources, &diagnostics))
}

#[track_caller]
fn check<P: AsRef<str>, T: AsRef<str>>(files: &[(P, T)], expected: &[&str]) {
    with_contract(files, |_, found| assert_eq!(found, expected));
}

/// A list of tools, each with a description and an empty input schema unless it has its own.
fn tools(tools: &[&str]) -> String {
    let tool = |members: &&str| {
        let mut tool: Map<String, Value> = serde_json::from_str(&format!("{{{members}}}")).unwrap();
        tool.entry("description")
            .or_insert_with(|| Value::from("d"));
        tool.entry("inputSchema")
            .or_insert_with(|| serde_json::json!({"type": "object"}));
        Value::Object(tool)
    };
    Value::Array(tools.iter().map(tool).collect()).to_string()
}

#[test]
fn folders_are_servers() {
    let files = [
        (
            "a-server/x.server.yaml",
            "instructions: read me\ntitle: A\nname: io.example/a\n$schema: ../meta/server.schema.json",
        ),
        (
            "a-server/pair.input.json",
            r#"{"type": "object", "title": "Pair", "description": "Of the input."}"#,
        ),
        (
            "a-server/pair.output.json",
            r#"{"type": "array", "items": {"$ref": "../shared/types/t.schema.json"}}"#,
        ),
        (
            "a-server/named.input.yaml",
            "type: object\ndescription: Not used.",
        ),
        (
            "a-server/named.tool.json",
            r#"{"description": "Of the tool.", "annotations": {"readOnlyHint": true}, "name": "real.name"}"#,
        ),
        (
            "a-server/list.tools.json",
            r#"{"tools": [{"x-first": 1, "inputSchema": {"type": "object"}, "name": "zz", "description": "d", "execution": {"taskSupport": "optional"}}]}"#,
        ),
        (
            "root.tool.json",
            r#"{"name": "in_root", "description": "d", "inputSchema": {"type": "object"}}"#,
        ),
        ("shared/types/t.schema.json", r#"{"type": "string"}"#),
    ];
    with_contract(&files, |contract, found| {
        let note = "not-sent a-server/list.tools.json#/tools/0/execution (key): `execution` of tool `zz` is not sent to clients \
                    [of an older revision] help: leave it out: calls of this tool are answered at once, which is what clients \
                    expect without it";
        assert_eq!(found, [note]);
        let [first, root] = contract.servers.as_slice() else {
            panic!("two servers")
        };
        assert_eq!(
            (first.module.as_str(), first.trait_name.as_str()),
            ("a_server", "AServer")
        );
        assert_eq!(first.origin, "schemas/a-server");
        assert_eq!(
            Value::Object(first.info.clone()).to_string(),
            r#"{"title":"A","version":"1.2.3","name":"io.example/a"}"#
        );
        assert_eq!(first.instructions.as_deref(), Some("read me"));
        assert_eq!(
            (root.module.as_str(), root.trait_name.as_str()),
            ("my_tools", "MyTools")
        );
        assert_eq!(
            Value::Object(root.info.clone()).to_string(),
            r#"{"name":"My tools","version":"1.2.3"}"#
        );
        assert_eq!(root.origin, "schemas");
        let published: Vec<_> = first
            .tools
            .iter()
            .map(|it| Value::Object(it.published.clone()).to_string())
            .collect();
        assert_eq!(
            published,
            [
                r##"{"name":"pair","title":"Pair","description":"Of the input.","inputSchema":{"type":"object","title":"Pair","description":"Of the input."},"outputSchema":{"type":"array","items":{"$ref":"#/$defs/t"},"$defs":{"t":{"type":"string"}}}}"##,
                r#"{"description":"Of the tool.","annotations":{"readOnlyHint":true},"name":"real.name","inputSchema":{"type":"object","description":"Not used."}}"#,
                r#"{"x-first":1,"inputSchema":{"type":"object"},"name":"zz","description":"d","execution":{"taskSupport":"optional"}}"#,
            ]
        );
        let methods: Vec<_> = first.tools.iter().map(|it| it.method.as_str()).collect();
        assert_eq!(methods, ["pair", "real_name", "zz"]);
        assert_eq!(first.tools[1].annotations.read_only, Some(true));
        assert_eq!(
            (first.tools[0].settings.text, root.tools[0].settings.text),
            (TextPolicy::Pretty, TextPolicy::Compact)
        );
    });
}

#[test]
fn tools_have_what_the_protocol_wants() {
    check(
        &[
            (
                "s/a.tool.json",
                r#"{"name": "a", "inputSchema": null, "description": ""}"#,
            ),
            ("s/b.output.json", "true"),
            (
                "s/c.tools.json",
                r#"[3, {"inputSchema": {"type": "object"}}, {"name": "c1", "description": "d", "inputSchema": true},
                    {"name": "c2", "description": "d", "inputSchema": {"type": ["object", "null"]}, "outputSchema": null},
                    {"name": "c3", "description": "d", "inputSchema": {"oneOf": []}, "outputSchema": 5}]"#,
            ),
            (
                "s/d.tool.json",
                r#"{"inputSchema": {"type": "object"}, "description": "d"}"#,
            ),
            ("s/e.input.json", r#"{"type": "object"}"#),
        ],
        &[
            "invalid-schema s/c.tools.json#/4/inputSchema/oneOf: this is no valid 2020-12 schema [this has less than 1 item]",
            "invalid-tool s/c.tools.json#/0: a tool is an object, not a number [expected an object]",
            "missing-input-schema s/b.output.json: tool `b` has an output schema but no input schema [] help: add `b.input.json`; for a tool without arguments: {\"type\": \"object\"}",
            "missing-input-schema s/a.tool.json#/name: tool `a` has no input schema [needs an `inputSchema`] help: for a tool without arguments: \"inputSchema\": {\"type\": \"object\"}",
            "missing-description s/a.tool.json#/name: tool `a` has no description [needs a `description`] help: models choose tools by their descriptions",
            "missing-name s/c.tools.json#/1: this tool has no name [needs a `name`]",
            "missing-description s/c.tools.json#/1: a tool without a name has no description [needs a `description`] help: models choose tools by their descriptions",
            "wrong-root-type s/c.tools.json#/2/inputSchema: the input schema of tool `c1` does not say `\"type\": \"object\"` at its root [arguments are an object] help: add \"type\": \"object\" to the root of the schema; other keywords may stand beside it",
            "invalid-tool s/c.tools.json#/3/outputSchema: `outputSchema` of tool `c2` is null [not a schema] help: leave it out for a tool that answers with text or media",
            "wrong-root-type s/c.tools.json#/3/inputSchema/type: the input schema of tool `c2` does not say `\"type\": \"object\"` at its root [arguments are an object] help: write \"type\": \"object\": clients take nothing else here",
            "wrong-root-type s/c.tools.json#/4/inputSchema: the input schema of tool `c3` does not say `\"type\": \"object\"` at its root [arguments are an object] help: add \"type\": \"object\" to the root of the schema; other keywords may stand beside it",
            "wrong-root-type s/c.tools.json#/4/outputSchema: `outputSchema` of tool `c3` is a JSON Schema, not a number [expected an object or a boolean]",
            "missing-name s/d.tool.json#: this tool has no name [needs a `name`] help: add \"name\": \"d\"",
            "missing-description s/e.input.json: tool `e` has no description [needs a `description`] help: models choose tools by their descriptions: put one at the root of the input schema, or into `e.tool.json`",
        ],
    );
}

/// What is faulty is reported once; what only misses it, or is checked by it, is not reported at all.
#[test]
fn nothing_follows_from_what_is_reported() {
    let broken = r#"{"type": }"#;
    let refers = |to: &str| {
        format!(
            r#"{{"description": "d", "inputSchema": {{"type": "object", "properties": {{"a": {{"$ref": "{to}"}}}}}}}}"#
        )
    };
    let good = r#"{"type": "object", "description": "d"}"#;
    let files = [
        ("bad.schema.json", broken.to_owned()),
        (
            "wrong.schema.json",
            r#"{"items": {"type": "text"}}"#.to_owned(),
        ),
        ("round.schema.json", r##"{"$ref": "#"}"##.to_owned()),
        ("http://x.example/bad.json", broken.to_owned()),
        // References into all of these, and a pair and an object that lack each other.
        ("s/a.tool.json", refers("../bad.schema.json#/$defs/A")),
        ("s/b.tool.json", refers("../wrong.schema.json")),
        ("s/c.tool.json", refers("../round.schema.json")),
        ("s/d.tool.json", refers("http://x.example/bad.json")),
        ("s/e.input.json", broken.to_owned()),
        ("s/e.output.json", good.to_owned()),
        ("s/f.tool.json", broken.to_owned()),
        ("s/f.input.json", r#"{"type": "object"}"#.to_owned()),
        ("s/g.input.json", broken.to_owned()),
        ("s/g.tool.json", "{}".to_owned()),
        ("lonely/x.server.json", "{}".to_owned()),
        ("lonely/x.tools.json", "{}".to_owned()),
        // Faulty tools take their names.
        (
            "s/h.tools.json",
            r#"[{"name": "dup", "description": "d", "inputSchema": 3}, {"name": "dup", "description": "d"}]"#.to_owned(),
        ),
    ];
    with_contract(&files, |contract, found| {
        let places: Vec<_> = found
            .iter()
            .map(|it| it.split(':').next().unwrap())
            .collect();
        assert_eq!(
            places,
            [
                "bad-json bad.schema.json@9..10",
                "bad-json s/e.input.json@9..10",
                "bad-json s/f.tool.json@9..10",
                "bad-json s/g.input.json@9..10",
                "wrong-root-type lonely/x.tools.json#",
                "bad-json http",
                "circular-ref round.schema.json#/$ref",
                "invalid-schema wrong.schema.json#/items/type",
                "missing-name s/a.tool.json#",
                "missing-name s/b.tool.json#",
                "missing-name s/c.tool.json#",
                "missing-name s/d.tool.json#",
                "wrong-root-type s/h.tools.json#/0/inputSchema",
                "missing-input-schema s/h.tools.json#/1/name",
                "duplicate-tool s/h.tools.json#/1/name",
            ]
        );
        assert_eq!(contract.servers.len(), 1);
    });
}

#[test]
fn members_of_tools_have_their_types() {
    let tool = r#""name": "a", "title": 1, "annotations": {"readOnlyHint": "yes", "title": null, "custom": 1}, "_meta": [], "execution": 1,
        "icons": [1, {"mimeType": 2, "sizes": "48x48", "theme": "blue"}, {"src": "https://example.com/i.png", "sizes": ["any"], "theme": "dark"}]"#;
    check(
        &[(
            "s/t.tools.json",
            tools(&[
                tool,
                r#""name": "b", "annotations": true, "icons": {}, "description": 3"#,
            ]),
        )],
        &[
            "invalid-tool s/t.tools.json#/0/title: `title` of tool `a` is a string, not a number [expected a string]",
            "invalid-tool s/t.tools.json#/0/annotations/title: `title` of tool `a` is a string, not null [expected a string]",
            "invalid-tool s/t.tools.json#/0/annotations/readOnlyHint: `readOnlyHint` of tool `a` is a boolean, not a string [expected a boolean]",
            "invalid-tool s/t.tools.json#/0/icons/0: an icon of tool `a` is an object, not a number [expected an object]",
            "invalid-tool s/t.tools.json#/0/icons/1/mimeType: `mimeType` of tool `a` is a string, not a number [expected a string]",
            "invalid-tool s/t.tools.json#/0/icons/1: an icon of tool `a` has no `src` [needs `src`, an `https:` or `data:` URI]",
            "invalid-tool s/t.tools.json#/0/icons/1/sizes: `sizes` of an icon of tool `a` is an array of strings [such as [\"48x48\"]]",
            "invalid-tool s/t.tools.json#/0/icons/1/theme: `theme` of an icon of tool `a` is `light` or `dark` []",
            "invalid-tool s/t.tools.json#/0/execution: `execution` of tool `a` is an object, not a number [expected an object]",
            "invalid-tool s/t.tools.json#/0/_meta: `_meta` of tool `a` is an object, not an array [expected an object]",
            "invalid-tool s/t.tools.json#/1/description: `description` of tool `b` is a string, not a number [expected a string]",
            "invalid-tool s/t.tools.json#/1/annotations: `annotations` of tool `b` is an object, not a boolean [expected an object]",
            "invalid-tool s/t.tools.json#/1/icons: `icons` of tool `b` is an array, not an object [expected an array]",
        ],
    );
}

#[test]
fn names_are_allowed_unique_and_apart_in_rust() {
    let long = "n".repeat(65);
    let too_long = "m".repeat(129);
    let names = [
        "../evil",
        "",
        "a b",
        "naïve",
        &long,
        &too_long,
        "x.y",
        "x-y",
        "../../etc/passwd",
    ];
    let listed: Vec<_> = names
        .iter()
        .map(|it| format!("\"name\": \"{it}\""))
        .collect();
    let listed: Vec<_> = listed.iter().map(String::as_str).collect();
    let allowed = "help: names are 1 to 128 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`";
    check(
        &[
            ("s/a.tools.json", tools(&listed)),
            ("s/b.tools.json", tools(&["\"name\": \"x.y\""])),
            ("t/b.tools.json", tools(&["\"name\": \"x.y\""])),
        ],
        &[
            &format!(
                "invalid-tool-name s/a.tools.json#/0/name: \"../evil\" cannot be the name of a tool [it holds '/'] {allowed}"
            ),
            &format!(
                "invalid-tool-name s/a.tools.json#/1/name: \"\" cannot be the name of a tool [it is empty] {allowed}"
            ),
            &format!(
                "invalid-tool-name s/a.tools.json#/2/name: \"a b\" cannot be the name of a tool [it holds ' '] {allowed}"
            ),
            &format!(
                "invalid-tool-name s/a.tools.json#/3/name: \"naïve\" cannot be the name of a tool [it holds 'ï'] {allowed}"
            ),
            &format!(
                "long-tool-name s/a.tools.json#/4/name: the name of tool `{long}` has 65 characters [some clients accept 64] help: shorten it to 64 characters"
            ),
            &format!(
                "invalid-tool-name s/a.tools.json#/5/name: {too_long:?} cannot be the name of a tool [it has 129 characters] {allowed}"
            ),
            &format!(
                "invalid-tool-name s/a.tools.json#/8/name: \"../../etc/passwd\" cannot be the name of a tool [it holds '/'] {allowed}"
            ),
            "name-collision s/a.tools.json#/6/name: tools `x-y` and `x.y` would both be the method `x_y` [this tool] (s/a.tools.json#/7/name: and this one) help: rename one of the tools, or move it to another server",
            "duplicate-tool s/b.tools.json#/0/name: tool `x.y` is defined twice [here again] (s/a.tools.json#/6/name: first here) help: tools of one server need different names",
        ],
    );
    check(
        &[
            ("s/t.input.json", r#"{"type": "object"}"#),
            (
                "s/t.tool.json",
                r#"{"name": "t", "description": "d", "inputSchema": {"type": "object"}}"#,
            ),
            (
                "s/u.input.schema.json",
                r#"{"type": "object", "description": "d"}"#,
            ),
            ("s/u.input.yaml", "type: object\ndescription: d"),
        ],
        &[
            "duplicate-tool s/u.input.yaml: a schema of tool `u` is given twice [here again] (s/u.input.schema.json: first here) help: keep one of the two",
            "duplicate-tool s/t.input.json: a schema of tool `t` is given twice [here again] (s/t.tool.json#/inputSchema: first here) help: keep one of the two",
        ],
    );
}

#[test]
fn servers_have_what_the_protocol_wants() {
    let tool = tools(&["\"name\": \"t\""]);
    let tool = tool.as_str();
    check(
        &[
            ("a-b/t.tools.json", tool),
            ("a.b/t.tools.json", tool),
            (
                "bad/x.server.json",
                r#"{"name": "", "verison": "1", "icons": [{}], "homepage": "x", "websiteUrl": 3}"#,
            ),
            ("bad/y.server.json", "{}"),
            ("bad/t.tools.json", tool),
            ("lonely/x.server.json", "{}"),
            ("res/p.prompt.json", "{}"),
            (
                "res/r.resource.json",
                r#"{"uri": "file:///r", "name": "r"}"#,
            ),
        ],
        &[
            "invalid-server bad/y.server.json: this folder describes its server twice [the second file] (bad/x.server.json: the first file) help: a folder is one server: keep one of the files",
            "invalid-server bad/x.server.json#/websiteUrl: `websiteUrl` of a server is a string, not a number [expected a string]",
            "invalid-server bad/x.server.json#/icons/0: an icon of a server has no `src` [needs `src`, an `https:` or `data:` URI]",
            "invalid-server bad/x.server.json#/verison (key): a server has no `verison` [unknown member] help: did you mean `version`?",
            "invalid-server bad/x.server.json#/homepage (key): a server has no `homepage` [unknown member] help: known are name, title, version, description, instructions, websiteUrl, icons",
            "invalid-server bad/x.server.json#/name: the `name` of a server is not empty [empty] help: leave it out for the default",
            "invalid-server lonely/x.server.json: this server has no tools, resources or prompts [] help: put them into the same folder",
            "missing-name res/p.prompt.json: this prompt has no name [needs a `name`] help: add \"name\": \"p\"",
            "name-collision a.b/t.tools.json: two servers would both be the module `a_b` [this server] (a-b/t.tools.json: and this one) help: rename one of the folders",
        ],
    );
    check(
        &[("types/a.schema.json", "{}")],
        &[
            "empty-contract-root: there are no tools, resources or prompts below `schemas` help: a tool is a `<tool>.tool.json`, a `<tool>.input.json`, or an entry of a `<name>.tools.json`",
        ],
    );
}

#[test]
fn the_tools_of_public_servers_are_published_as_they_are() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let (mut servers, mut tools) = (0, 0);
    for (server, text) in json_files(&corpus) {
        with_contract(
            &[(format!("{server}/all.tools.json"), &text)],
            |contract, mut found| {
                found.retain(|it| !it.starts_with("not-sent "));
                assert_eq!(found, [""; 0], "{server}");
                let original: Value = serde_json::from_str(&text).unwrap();
                let original = original["tools"].as_array().unwrap();
                for tool in &contract.servers[0].tools {
                    let own = original
                        .iter()
                        .find(|it| it["name"] == tool.name.as_str())
                        .unwrap();
                    assert_eq!(
                        Value::Object(tool.published.clone()).to_string(),
                        own.to_string()
                    );
                    tools += 1;
                }
                servers += 1;
            },
        );
    }
    assert!(
        servers >= 36 && tools >= 1153,
        "{servers} servers, {tools} tools"
    );
}

#[test]
fn every_order_of_files_gives_the_same_contract() {
    let tool = |name: &str| {
        format!(
            r#"{{"name": "{name}", "description": "d", "inputSchema": {{"type": "object", "properties": {{"a": {{"$ref": "../t.schema.json"}}}}}}}}"#
        )
    };
    let mut files = vec![
        ("a/x.tool.json", tool("x")),
        ("a/y.tool.json", tool("y")),
        ("b/z.tool.json", tool("z")),
        ("t.schema.json", r#"{"type": "string"}"#.to_owned()),
    ];
    let show = |contract: &Contract<'_>, found: Vec<String>| {
        assert_eq!(found, [""; 0]);
        let servers = contract.servers.iter().map(|it| {
            (
                it.module.to_string(),
                it.tools
                    .iter()
                    .map(|it| it.published.clone())
                    .collect::<Vec<_>>(),
            )
        });
        servers.collect::<Vec<_>>()
    };
    let expected = with_contract(&files, show);
    for _ in 0..files.len() {
        files.rotate_left(1);
        assert_eq!(with_contract(&files, show), expected);
    }
}

#[test]
fn schemas_of_texts_may_be_written_in_many_ways() {
    let files = [
        (
            "kit/a.prompt.json",
            r#"{"$schema": "x", "name": "a", "_meta": {"k": 1}}"#,
        ),
        (
            "kit/a.arguments.yaml",
            "type: object\n\
             properties:\n  \
               e: {enum: [x, y]}\n  \
               c: {const: x}\n  \
               r: {$ref: t.schema.json}\n  \
               o: {oneOf: [{const: x, title: X}, {$ref: t.schema.json}]}\n  \
               l: {allOf: [{minLength: 1}, {type: string}], description: l}\n\
             required: [e]",
        ),
        ("kit/t.schema.json", r#"{"type": "string"}"#),
        ("kit/b.resource.yml", "name: b\nuriTemplate: 'b://{+p}{?q}'"),
        (
            "kit/c.elicitation.json",
            r#"{"requestedSchema": {"type": "object", "properties": {}}}"#,
        ),
    ];
    with_contract(&files, |contract, found| {
        assert_eq!(found, [""; 0]);
        let [kit] = contract.servers.as_slice() else {
            panic!("one server")
        };
        assert_eq!(
            Value::Object(kit.prompts[0].offer.published.clone()).to_string(),
            r#"{"name":"a","_meta":{"k":1},"arguments":[{"name":"e","required":true},{"name":"c"},{"name":"r"},{"name":"o"},{"name":"l","description":"l"}]}"#
        );
        assert_eq!(
            kit.templates[0].variables.value().to_string(),
            r#"{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"string"}},"required":["p"],"additionalProperties":false}"#
        );
        assert_eq!(
            kit.completable(),
            ["b.p", "b.q", "a.e", "a.c", "a.r", "a.o", "a.l"]
        );
        let inputs: Vec<_> = kit.inputs().map(|it| it.type_name().to_string()).collect();
        assert_eq!(inputs, ["BVariables", "AArguments", "C"]);
    });
}

/// What a file that cannot be read would have said is not missed.
#[test]
fn unreadable_schemas_are_reported_once() {
    let prompt = r#"{"name": "a", "arguments": [{"name": "b", "required": true}]}"#;
    check(
        &[("kit/a.prompt.json", prompt), ("kit/a.arguments.json", "{")],
        &[
            "bad-json kit/a.arguments.json@1..1: the text ends while parsing an object [] (kit/a.arguments.json@0..1: this is never closed)",
        ],
    );
    check(
        &[("kit/a.prompt.json", "{"), ("kit/a.arguments.json", "{}")],
        &[
            "bad-json kit/a.prompt.json@1..1: the text ends while parsing an object [] (kit/a.prompt.json@0..1: this is never closed)",
        ],
    );
    let unresolved = [
        ("kit/a.prompt.json", prompt),
        (
            "kit/a.arguments.json",
            r##"{"type": "object", "properties": {"b": {"type": "string", "$ref": "#/no"}}, "required": ["b"]}"##,
        ),
    ];
    with_contract(&unresolved, |_, found| {
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("unresolved-ref "), "{found:?}");
    });
}
