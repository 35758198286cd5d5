//! Everything that can be wrong with files, references and schemas, and where it is reported.

use crate::resolve::fixture::with_set;

/// A tool whose input schema has these members beside `"type": "object"`.
fn tool(members: &str) -> String {
    format!(
        r#"{{"name": "t", "description": "d", "inputSchema": {{"type": "object", {members}}}}}"#
    )
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    with_set(files, |_, _, found| assert_eq!(found, expected));
}

#[track_caller]
fn check_tool(members: &str, expected: &[&str]) {
    check(&[("s/t.tool.json", &tool(members))], expected);
}

#[test]
fn files_are_read_by_their_names() {
    check(
        &[
            ("s/a.input.schema.yaml", "type: object"),
            ("s/a.output.json", "true"),
            (
                "s/b.tools.json",
                r#"{"jsonrpc": "2.0", "result": {"tools": []}}"#,
            ),
            ("s/c.tools.yml", "[]"),
            ("s/d.tools.json", r#"{"server": "x", "tools": []}"#),
            ("s/deep/er/e.schema.json", "{}"),
        ],
        &[],
    );
    check(
        &[
            ("s/deep/a.tool.json", "{}"),
            ("s/b.json", "nonsense"),
            ("s/tool.json", "{}"),
            ("s/c.tools.json", r#"{"tool": []}"#),
            ("s/d.tool.json", "[]"),
            ("s/e.schema.json", "3"),
        ],
        &[
            "misplaced-file s/deep/a.tool.json: `s/deep/a.tool.json` stands too deep: a server is one folder below the contract root [] help: move it up; deeper folders may hold only shared `*.schema.json` files",
            "unknown-file-kind s/b.json: `b.json` is no kind of contract file and is not read [] help: name it `b.tool.json` for one tool, `b.tools.json` for a list of tools, `b.input.json` and `b.output.json` for the schemas of a tool, `b.resource.json`, `b.prompt.json` or `b.elicitation.json` for what else a server has, or `b.schema.json` for shared types",
            "unknown-file-kind s/tool.json: `tool.json` is no kind of contract file and is not read [] help: give it a stem: `name.tool.json`",
            "wrong-root-type s/c.tools.json#: this file holds no list of tools [no array here, nor at `tools` or `result.tools`] help: write an array of tools, `{\"tools\": […]}`, or the JSON-RPC response to `tools/list`",
            "wrong-root-type s/d.tool.json#: a tool is an object, but this file holds an array [expected an object]",
            "wrong-root-type s/e.schema.json#: a JSON Schema is an object or a boolean, but this file holds a number [expected an object or a boolean]",
        ],
    );
}

#[test]
fn references_that_lead_nowhere_say_what_was_meant() {
    check_tool(
        r##""$defs": {"City": {"$anchor": "town"}}, "properties": {
            "a": {"$ref": "#/$defs/Citi"},
            "b": {"$ref": "#/definitions/City"},
            "c": {"$ref": "#twon"},
            "d": {"$ref": "#/type"},
            "e": {"$ref": "\\windows path"},
            "f": {"$ref": "urn:x:y"}
        }"##,
        &[
            "unresolved-ref s/t.tool.json#/inputSchema/properties/a/$ref: `#/$defs/Citi` leads nowhere [`/$defs` has no `Citi`] help: did you mean `#/$defs/City`?",
            "unresolved-ref s/t.tool.json#/inputSchema/properties/b/$ref: `#/definitions/City` leads nowhere [the schema has no `definitions`] help: this schema keeps its definitions in `$defs`",
            "unresolved-ref s/t.tool.json#/inputSchema/properties/c/$ref: `#twon` leads nowhere [no anchor `twon`] help: did you mean `#town`?",
            "unresolved-ref s/t.tool.json#/inputSchema/properties/d/$ref: `#/type` leads to a string, not to a schema [not a schema] (s/t.tool.json#/inputSchema/type: this is what it leads to)",
            r"unresolved-ref s/t.tool.json#/inputSchema/properties/e/$ref: `\windows path` is not a URI reference [not a URI reference (RFC 3986)] help: use forward slashes, and write other characters as `%20`",
            "unresolved-ref s/t.tool.json#/inputSchema/properties/f/$ref: no schema of this contract is named `urn:x:y` [leads nowhere] help: give the schema that is meant this `$id`, or refer to its file by a relative path",
        ],
    );
}

#[test]
fn references_across_files_stay_below_the_root() {
    check(
        &[
            (
                "s/t.tool.json",
                &tool(
                    r#""properties": {
                        "a": {"$ref": "comon.schema.json#/$defs/City"},
                        "b": {"$ref": "../common.schema.json#/$defs/Citi"},
                        "c": {"$ref": "../../outside.schema.json"},
                        "d": {"$ref": "file:///etc/passwd"},
                        "e": {"$ref": "https://example.com/common.schema.json"},
                        "f": {"$ref": "https://example.com/other.json#/a"},
                        "g": {"$ref": "t.tool.json#/annotations"},
                        "h": {"$ref": "/common.schema.json"},
                        "i": {"$ref": "../common.schema.json#/$defs/City"},
                        "j": {"$ref": "t.tool.json#/inputSchema"}
                    }"#,
                )
                .replace(
                    r#""description": "d","#,
                    r#""description": "d", "annotations": {},"#,
                ),
            ),
            (
                "common.schema.json",
                r#"{"$defs": {"City": {"type": "string"}}}"#,
            ),
        ],
        &[
            "unresolved-ref s/t.tool.json#/inputSchema/properties/a/$ref: there is no contract file `s/comon.schema.json` [no such file] help: did you mean `../common.schema.json#/$defs/City`?",
            "unresolved-ref s/t.tool.json#/inputSchema/properties/b/$ref: `../common.schema.json#/$defs/Citi` leads nowhere [`/$defs` has no `Citi`] help: did you mean `../common.schema.json#/$defs/City`?",
            "ref-outside-root s/t.tool.json#/inputSchema/properties/c/$ref: `../../outside.schema.json` leaves the contract root [outside the contract root] help: move the shared types below the contract root, and refer to them relative to this file",
            "ref-outside-root s/t.tool.json#/inputSchema/properties/d/$ref: `file:///etc/passwd` leaves the contract root [outside the contract root] help: move the shared types below the contract root, and refer to them relative to this file",
            "network-ref s/t.tool.json#/inputSchema/properties/e/$ref: `https://example.com/common.schema.json` is not part of this contract, and nothing is fetched over the network [needs the network] help: give `common.schema.json` the `$id` `https://example.com/common.schema.json`",
            "network-ref s/t.tool.json#/inputSchema/properties/f/$ref: `https://example.com/other.json#/a` is not part of this contract, and nothing is fetched over the network [needs the network] help: save the schema in a folder that `[remotes]` of mcp-codegen.toml names: `\"https://example.com/\" = \"vendor\"`; or as a `*.schema.json` below the contract root, and refer to it by a relative path",
            "unresolved-ref s/t.tool.json#/inputSchema/properties/g/$ref: `t.tool.json#/annotations` leads to part of a tool that is no schema, not to a schema [not a schema] (s/t.tool.json#/annotations: this is what it leads to)",
            "ref-outside-root s/t.tool.json#/inputSchema/properties/h/$ref: `/common.schema.json` leaves the contract root [outside the contract root] help: move the shared types below the contract root, and refer to them relative to this file",
        ],
    );
}

#[test]
fn data_is_never_read_as_schema() {
    check_tool(
        r##""default": {"$ref": "#/nowhere"}, "examples": [{"$ref": "#/nowhere"}], "x-foo": {"$ref": "#/nowhere", "type": 5},
            "properties": {"$ref": {"enum": [{"$ref": "#/nowhere"}], "const": {"$ref": "#/nowhere"}, "$schema-ish": {"$schema": "x"}}}"##,
        &[],
    );
    // What a reference leads into is a schema, though, wherever it stands.
    check_tool(
        r##""x-types": {"A": {"type": 5}}, "properties": {"a": {"$ref": "#/x-types/A"}}"##,
        &[
            "invalid-schema s/t.tool.json#/inputSchema/x-types/A/type: this is no valid 2020-12 schema [expected one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\", or an array of them]",
        ],
    );
}

#[test]
fn circles_without_progress_are_found_once() {
    check_tool(
        r##""$defs": {
            "A": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/B"}]},
            "B": {"allOf": [{"not": {"$ref": "#/$defs/A"}}]},
            "Self": {"$ref": "#/$defs/Self"},
            "Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}, "additionalProperties": {"$ref": "#/$defs/Tree"}},
            "List": {"anyOf": [{"type": "null"}, {"items": {"$ref": "#/$defs/List"}}]}
        }, "properties": {"tree": {"$ref": "#/$defs/Tree"}, "again": {"$ref": "#"}}"##,
        &[
            "circular-ref s/t.tool.json#/inputSchema/$defs/A/anyOf/1/$ref: this reference leads back to itself without looking at any part of the instance [the circle starts here] (s/t.tool.json#/inputSchema/$defs/B/allOf/0/not/$ref: goes on here) help: recursion has to pass through `properties`, `items` or another keyword that goes into the instance",
            "circular-ref s/t.tool.json#/inputSchema/$defs/Self/$ref: this reference leads back to itself without looking at any part of the instance [the circle starts here] help: recursion has to pass through `properties`, `items` or another keyword that goes into the instance",
        ],
    );
}

#[test]
fn schemas_obey_their_own_dialect() {
    check_tool(
        r#""$schema": "http://example.com/mine", "properties": {"a": {"$id": "x", "$schema": "http://json-schema.org/draft-03/schema#"}}"#,
        &[
            "unknown-dialect s/t.tool.json#/inputSchema/$schema: `http://example.com/mine` is not a dialect that is known here [unknown dialect] help: known are https://json-schema.org/draft/2020-12/schema, https://json-schema.org/draft/2019-09/schema, http://json-schema.org/draft-07/schema#, http://json-schema.org/draft-06/schema#, http://json-schema.org/draft-04/schema#; without `$schema` it is 2020-12; where it only adds to one of them, `[dialects]` of mcp-codegen.toml can say to which",
            "unknown-dialect s/t.tool.json#/inputSchema/properties/a/$schema: `http://json-schema.org/draft-03/schema#` is not a dialect that is known here [unknown dialect] help: known are https://json-schema.org/draft/2020-12/schema, https://json-schema.org/draft/2019-09/schema, http://json-schema.org/draft-07/schema#, http://json-schema.org/draft-06/schema#, http://json-schema.org/draft-04/schema#; without `$schema` it is 2020-12; where it only adds to one of them, `[dialects]` of mcp-codegen.toml can say to which",
        ],
    );
    for known in [
        "http://json-schema.org/draft-04/schema",
        "https://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema#",
        "http://json-schema.org/draft/2020-12/schema",
    ] {
        check_tool(&format!(r#""$schema": "{known}", "required": ["a"]"#), &[]);
    }
    // All that is wrong at once; the embedded draft-04 schema may have a boolean `exclusiveMinimum`.
    check_tool(
        r#""required": "a", "minProperties": -1, "properties": {
            "a": {"exclusiveMinimum": true},
            "b": {"$id": "b", "$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true},
            "c": {"$id": "c", "$schema": "http://json-schema.org/draft-04/schema#", "minimum": "1"}
        }"#,
        &[
            "invalid-schema s/t.tool.json#/inputSchema/minProperties: this is no valid 2020-12 schema [this is less than the minimum of 0]",
            "invalid-schema s/t.tool.json#/inputSchema/properties/a/exclusiveMinimum: this is no valid 2020-12 schema [expected number] help: it is the bound itself, a number; a schema of draft-04 says so in `$schema`",
            "invalid-schema s/t.tool.json#/inputSchema/required: this is no valid 2020-12 schema [expected array]",
            "invalid-schema s/t.tool.json#/inputSchema/properties/c/minimum: this is no valid draft-04 schema [expected number]",
        ],
    );
}

#[test]
fn patterns_have_to_compile() {
    check_tool(
        r#""properties": {"a": {"pattern": "(?<=a)b\\d"}, "b": {"pattern": "["}}, "patternProperties": {"(": {}}"#,
        &[
            "invalid-pattern s/t.tool.json#/inputSchema/patternProperties/( (key): `(` is not a regular expression [opening parenthesis without closing parenthesis (at character 1)] help: patterns are those of ECMA-262, without flags",
            "invalid-pattern s/t.tool.json#/inputSchema/properties/b/pattern: `[` is not a regular expression [invalid character class (at character 1)] help: patterns are those of ECMA-262, without flags",
        ],
    );
    check_tool(
        r#""$schema": "http://json-schema.org/draft-07/schema#", "patternProperties": {"(": {}}"#,
        &[
            "invalid-pattern s/t.tool.json#/inputSchema/patternProperties/( (key): `(` is not a regular expression [opening parenthesis without closing parenthesis (at character 1)] help: patterns are those of ECMA-262, without flags",
        ],
    );
}

#[test]
fn an_id_names_one_schema() {
    let id = r#"{"$id": "https://example.com/a"}"#;
    check(
        &[("a.schema.json", id), ("b.schema.json", id)],
        &[
            "invalid-schema b.schema.json#/$id: `https://example.com/a` names two schemas [the same again] (a.schema.json#/$id: first here) help: give each schema an `$id` of its own, or none",
        ],
    );
    // Dumps of servers repeat ids; each schema of a tool is a document of its own.
    let tool = tool(
        r#""$id": "https://example.com/a", "$defs": {"A": {}}, "properties": {"a": {"$ref": "https://example.com/a#/$defs/A"}}"#,
    );
    check(&[("s/a.tool.json", &tool), ("s/b.tool.json", &tool)], &[]);
    check_tool(
        r#""$id": "https://exa mple.com""#,
        &[
            "invalid-schema s/t.tool.json#/inputSchema/$id: `https://exa mple.com` is not a valid `$id` [not a URI reference (RFC 3986)]",
        ],
    );
}
