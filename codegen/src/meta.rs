//! JSON Schemas of the files this crate reads, so that editors complete and check them.
//!
//! The contract files are MCP's own objects and are read as JSON values, because what is published
//! must be the author's own text; the structs here exist to be described. They follow `Tool` and
//! `Implementation` of the Model Context Protocol, revisions 2025-06-18 to 2026-07-28.

mod offers;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::config;

/// The name of each schema file below `schemas/meta/`, and its text: pretty-printed, with a trailing newline.
///
/// # Examples
///
/// ```
/// let names: Vec<_> = mcp_codegen::meta::schemas().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(
///     names,
///     ["config", "elicitation", "prompt", "resource", "server", "tool", "tools"].map(|it| format!("{it}.schema.json"))
/// );
/// ```
pub fn schemas() -> Vec<(String, String)> {
    [
        ("config", schemars::schema_for!(config::File)),
        ("elicitation", schemars::schema_for!(offers::Elicitation)),
        ("prompt", schemars::schema_for!(offers::Prompt)),
        ("resource", schemars::schema_for!(offers::Resource)),
        ("server", schemars::schema_for!(Server)),
        ("tool", schemars::schema_for!(Tool)),
        ("tools", schemars::schema_for!(Tools)),
    ]
    .map(|(name, mut schema)| {
        options_are_not_null(&mut schema);
        (
            format!("{name}.schema.json"),
            format!("{:#}\n", Value::from(schema)),
        )
    })
    .into()
}

/// One tool of an MCP server: an entry of `tools/list`, published exactly as written here.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", title = "MCP tool contract")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct Tool {
    /// Where the schema of this file is, for editors. Not published.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What clients call the tool by, unique in its server. Some accept 64 characters at most.
    #[schemars(regex(pattern = "^[A-Za-z0-9_.-]{1,128}$"))]
    name: String,
    /// A name for people.
    title: Option<String>,
    /// What the tool does and when to use it: the model chooses by this text.
    description: Option<String>,
    /// What the arguments must be: a JSON Schema whose root says `"type": "object"`.
    input_schema: Option<InputSchema>,
    /// What a successful call answers in `structuredContent`: any JSON Schema. Without one the tool answers in text and media.
    output_schema: Option<AnySchema>,
    /// Hints about behaviour. Clients must not trust them.
    annotations: Option<Annotations>,
    /// Pictures for the tool, in several sizes or themes.
    icons: Option<Vec<Icon>>,
    /// How the tool may be run; revision 2025-11-25.
    execution: Option<Execution>,
    /// Metadata for clients and proxies that know it.
    #[schemars(rename = "_meta")]
    meta: Option<Map<String, Value>>,
}

/// Hints about behaviour. Say `false` explicitly: the defaults are pessimistic.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct Annotations {
    /// A name for people; `title` of the tool comes first.
    title: Option<String>,
    /// The tool changes nothing. Default: false.
    read_only_hint: Option<bool>,
    /// The tool may destroy something. Default: true; means something only if the tool is not read-only.
    destructive_hint: Option<bool>,
    /// Calling again with the same arguments changes nothing more. Default: false.
    idempotent_hint: Option<bool>,
    /// The tool reaches beyond its own closed domain, as a web search does. Default: true.
    open_world_hint: Option<bool>,
}

/// A picture that clients may show.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct Icon {
    /// An `https:` or `data:` URI.
    #[schemars(regex(pattern = "^(https:|data:)"))]
    src: String,
    /// The media type, where the URI does not tell it: `image/png`.
    mime_type: Option<String>,
    /// The sizes it is made for: `48x48`, or `any` for a scalable one.
    #[schemars(inner(regex(pattern = "^([0-9]+x[0-9]+|any)$")))]
    sizes: Option<Vec<String>>,
    /// The background it is made for.
    theme: Option<Theme>,
}

/// The background an icon is made for.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
enum Theme {
    Light,
    Dark,
}

/// How a tool may be run; revision 2025-11-25.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct Execution {
    /// Whether the call may, must or must not be a task. Default: forbidden.
    task_support: Option<TaskSupport>,
}

/// Whether a call may, must or must not be a task.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
enum TaskSupport {
    Forbidden,
    Optional,
    Required,
}

/// What a server says about itself: MCP's `Implementation`, and `instructions`.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", title = "MCP server contract")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct Server {
    /// Where the schema of this file is, for editors. Not published.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What programs call the server by. Default: its folder.
    #[schemars(length(min = 1))]
    name: Option<String>,
    /// A name for people.
    title: Option<String>,
    /// The version of the server. Default: that of the package, or of `mcp-codegen.toml`.
    version: Option<String>,
    /// What the server is for.
    description: Option<String>,
    /// How to use the server and its tools together; clients may give it to the model.
    instructions: Option<String>,
    /// The server's web page.
    #[schemars(url)]
    website_url: Option<String>,
    /// Pictures for the server, in several sizes or themes.
    icons: Option<Vec<Icon>>,
}

/// Many tools in one file: a `tools/list` result, a JSON-RPC response that holds one, or a bare array.
#[derive(JsonSchema)]
#[schemars(untagged, title = "MCP tools/list dump")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
enum Tools {
    Bare(Vec<Tool>),
    List(ToolsList),
    Response(Response),
}

/// The result of `tools/list`. Other members may stand beside `tools`.
#[derive(JsonSchema)]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct ToolsList {
    /// The tools, in any order.
    tools: Vec<Tool>,
}

/// A JSON-RPC response to `tools/list`.
#[derive(JsonSchema)]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct Response {
    /// The result of `tools/list`.
    result: ToolsList,
}

/// The dialects that are read, newest and default first, with the spelling `$schema` must have.
const DIALECTS: [&str; 5] = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-04/schema#",
];

/// Any JSON Schema, of the dialect it names.
struct AnySchema;

impl JsonSchema for AnySchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnySchema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // An absent `$schema` satisfies `if` of the first branch alone, the others ask for it: that makes 2020-12 the default.
        let by_dialect = DIALECTS.iter().enumerate().map(|(index, uri)| {
            let named = json!({ "properties": { "$schema": { "enum": [uri, uri.trim_end_matches('#')] } } });
            let required = json!({ "required": ["$schema"] });
            let condition = if index == 0 { named } else { json!({ "allOf": [required, named] }) };
            json!({ "if": condition, "then": { "$ref": uri } })
        });
        json_schema!({
            "description": "A JSON Schema. The default dialect is 2020-12.",
            "type": ["object", "boolean"],
            "properties": {
                "$schema": { "description": "The dialect.", "type": "string" },
                "x-rust-name": { "description": "The name of the generated Rust type or variant, in UpperCamelCase, or of the field, in snake_case.", "type": "string" },
                "x-rust-type": {
                    "description": "An existing Rust type to use, as typify and progenitor read it.",
                    "type": "object",
                    "properties": {
                        "crate": { "description": "The crate that has the type.", "type": "string" },
                        "version": { "description": "Which versions of it, as in a Cargo.toml.", "type": "string" },
                        "path": { "description": "The path of the type, from the crate's name.", "type": "string" },
                        "parameters": { "description": "Schemas of its generic parameters.", "type": "array", "items": { "type": ["object", "boolean"] } },
                    },
                    "required": ["crate", "version", "path"],
                },
            },
            "allOf": by_dialect.collect::<Vec<_>>(),
        })
    }
}

/// A JSON Schema that MCP allows as `inputSchema`.
struct InputSchema;

impl JsonSchema for InputSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "InputSchema".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let any = generator.subschema_for::<AnySchema>();
        json_schema!({
            "description": "A JSON Schema whose root says `\"type\": \"object\"`.",
            "type": "object",
            "properties": { "type": { "const": "object" } },
            "required": ["type"],
            "allOf": [any],
        })
    }
}

/// What may be absent may not be `null`, in MCP's objects as in TOML; schemars describes `Option` as serde reads it.
fn options_are_not_null(schema: &mut Schema) {
    let Some(root) = schema.as_object_mut() else {
        return;
    };
    properties_are_not_null(root);
    if let Some(Value::Object(definitions)) = root.get_mut("$defs") {
        for definition in definitions.values_mut().filter_map(Value::as_object_mut) {
            properties_are_not_null(definition);
        }
    }
}

fn properties_are_not_null(schema: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        if let Some(Value::Array(kinds)) = property.get_mut("type") {
            kinds.retain(|kind| kind != "null");
            if let [only] = kinds.as_mut_slice() {
                let only = only.take();
                property.insert("type".to_owned(), only);
            }
        }
        let Some(Value::Array(branches)) = property.get_mut("anyOf") else {
            continue;
        };
        branches.retain(|branch| branch != &json!({ "type": "null" }));
        if let [Value::Object(only)] = branches.as_mut_slice() {
            let only = std::mem::take(only);
            property.remove("anyOf");
            property.extend(only);
        }
    }
}
