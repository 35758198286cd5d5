//! Resources, prompts and elicitations as contract files, described for editors.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::Icon;

/// One resource, or one resource template: an entry of `resources/list` or `resources/templates/list`, published exactly as
/// written here. It has a `uri` or a `uriTemplate`.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", title = "MCP resource contract")]
#[schemars(extend("oneOf" = [{ "required": ["uri"] }, { "required": ["uriTemplate"] }]))]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
pub(super) struct Resource {
    /// Where the schema of this file is, for editors. Not published.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What programs call it, unique among the resources and templates of its server.
    #[schemars(length(min = 1))]
    name: String,
    /// A name for people.
    title: Option<String>,
    /// The URI of the resource: `notes://all`.
    #[schemars(url)]
    uri: Option<String>,
    /// The URIs of many resources (RFC 6570): `notes://{id}`, with `{v}`, `{+v}`, `{/v}`, `{?a,b}` and `{&a}`.
    uri_template: Option<String>,
    /// What it holds.
    description: Option<String>,
    /// The MIME type of what it holds; of a template, of everything that it matches.
    mime_type: Option<String>,
    /// How many bytes it has, before any encoding. Not of templates.
    size: Option<u64>,
    /// For whom it is, and how much it matters.
    annotations: Option<ResourceAnnotations>,
    /// Pictures for it, in several sizes or themes.
    icons: Option<Vec<Icon>>,
    /// Metadata for clients and proxies that know it.
    #[schemars(rename = "_meta")]
    meta: Option<Map<String, Value>>,
}

/// For whom a resource is, and how much it matters.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct ResourceAnnotations {
    /// For whom it is.
    audience: Option<Vec<Role>>,
    /// How much it matters, from 0 (not at all) to 1 (always needed).
    #[schemars(range(min = 0, max = 1))]
    priority: Option<f64>,
    /// When it was last changed: `2026-01-02T03:04:05Z`.
    last_modified: Option<String>,
}

/// A part in a conversation.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
enum Role {
    User,
    Assistant,
}

/// One prompt: an entry of `prompts/list`, published exactly as written here.
#[derive(JsonSchema)]
#[schemars(title = "MCP prompt contract")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
pub(super) struct Prompt {
    /// Where the schema of this file is, for editors. Not published.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What clients call it by, unique in its server.
    #[schemars(length(min = 1))]
    name: String,
    /// A name for people.
    title: Option<String>,
    /// What it is for.
    description: Option<String>,
    /// Its arguments: texts by name. Default: the properties of `<stem>.arguments.json`, where there is one.
    arguments: Option<Vec<PromptArgument>>,
    /// Pictures for it, in several sizes or themes.
    icons: Option<Vec<Icon>>,
    /// Metadata for clients and proxies that know it.
    #[schemars(rename = "_meta")]
    meta: Option<Map<String, Value>>,
}

/// An argument of a prompt.
#[derive(JsonSchema)]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
struct PromptArgument {
    /// What it is called, unique in its prompt.
    name: String,
    /// A name for people.
    title: Option<String>,
    /// What to put there.
    description: Option<String>,
    /// It has to be there. Default: false.
    required: Option<bool>,
}

/// What the user of a client can be asked: a form.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", title = "MCP elicitation contract")]
#[expect(
    dead_code,
    reason = "described, never built: contract files stay JSON values"
)]
pub(super) struct Elicitation {
    /// Where the schema of this file is, for editors. Not sent.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What the user reads above the form, unless the method says something else.
    message: Option<String>,
    /// What the user is to fill in.
    requested_schema: RequestedSchema,
}

/// A flat object: fields by name, nothing nested.
struct RequestedSchema;

impl JsonSchema for RequestedSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RequestedSchema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let field = |kinds: Value, more: Value| {
            let mut properties = json!({
                "type": kinds,
                "title": { "type": "string" },
                "description": { "type": "string" },
                "default": true,
            });
            if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
                properties.extend(more);
            }
            json!({
                "type": "object",
                "properties": properties,
                "required": ["type"],
                "patternProperties": { "^x-": true },
                "additionalProperties": false,
            })
        };
        let (count, number) = (
            json!({ "type": "integer", "minimum": 0 }),
            json!({ "type": "number" }),
        );
        let texts = json!({ "type": "array", "items": { "type": "string" } });
        let titled = json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": { "const": { "type": "string" }, "title": { "type": "string" }, "description": { "type": "string" } },
                "required": ["const"],
                "additionalProperties": false,
            },
        });
        let choice = json!({
            "type": "object",
            "properties": { "type": { "const": "string" }, "enum": texts, "anyOf": titled },
            "additionalProperties": false,
        });
        let fields = [
            field(
                json!({ "const": "string" }),
                json!({
                    "minLength": count, "maxLength": count, "pattern": { "type": "string", "format": "regex" },
                    "format": { "enum": ["email", "uri", "date", "date-time"] },
                    "enum": texts, "enumNames": texts, "oneOf": titled,
                }),
            ),
            field(
                json!({ "enum": ["integer", "number"] }),
                json!({
                    "minimum": number, "maximum": number, "exclusiveMinimum": number, "exclusiveMaximum": number,
                    "multipleOf": number,
                }),
            ),
            field(json!({ "const": "boolean" }), json!({})),
            field(
                json!({ "const": "array" }),
                json!({ "items": choice, "minItems": count, "maxItems": count, "uniqueItems": { "type": "boolean" } }),
            ),
        ];
        json_schema!({
            "description": "A flat object: fields by name, nothing nested. Texts, numbers, booleans, choices of texts and lists of such choices.",
            "type": "object",
            "properties": {
                "$schema": { "type": "string" },
                "type": { "const": "object" },
                "title": { "type": "string" },
                "description": { "type": "string" },
                "properties": { "type": "object", "additionalProperties": { "anyOf": fields } },
                "required": texts,
                "additionalProperties": { "type": "boolean" },
            },
            "required": ["type"],
            "patternProperties": { "^x-": true },
            "additionalProperties": false,
        })
    }
}
