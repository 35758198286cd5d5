//! What goes over the wire: results and listings as MCP has them, per protocol revision.
//!
//! Source: the schemas of the revisions (`CallToolResult`, `ListToolsResult`, `Tool`), SEP-1303 for bad
//! arguments, SEP-2106 for `structuredContent` of any type. Every transport sends exactly these.

mod offers;

use serde_json::{Map, Value, json};

pub use self::offers::{
    completion_result, prompt_result, prompts, read_result, resource_templates, resources,
    rpc_error,
};
use crate::{CallError, Contract, InputRequired, Revision, ToolOutput, content::Rendered};

/// The key in a result's `_meta` under which a server of 2026-07-28 says who it is.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// JSON-RPC's code for bad parameters; MCP uses it for unknown tools and prompts and malformed requests.
pub const INVALID_PARAMS: i64 = -32602;

/// JSON-RPC's code for a failure of the server; MCP uses it where a request has no result that could tell of one.
pub const INTERNAL_ERROR: i64 = -32603;

/// MCP's code for an unknown resource, before 2026-07-28; since then it is [`INVALID_PARAMS`].
pub const RESOURCE_NOT_FOUND: i64 = -32002;

/// MCP's code for a request that cannot be answered without a capability that the client does not declare, since 2026-07-28.
pub const MISSING_CAPABILITY: i64 = -32021;

/// A JSON-RPC error object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RpcError {
    /// JSON-RPC's error code.
    pub code: i64,
    /// What is wrong.
    pub message: String,
    /// What programs may want to know of it.
    pub data: Option<Value>,
}

impl RpcError {
    /// An error of code [`INVALID_PARAMS`].
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self {
            code: INVALID_PARAMS,
            message: message.into(),
            data: None,
        }
    }

    /// As in a JSON-RPC response.
    pub fn to_value(&self) -> Value {
        let mut out = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            out["data"] = data.clone();
        }
        out
    }
}

/// A `CallToolResult` before it is JSON, for transports that have their own model of it.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) blocks: Vec<Rendered>,
    pub(crate) structured: Option<Value>,
    pub(crate) is_error: bool,
    /// Without what every result has, see [`server_meta`].
    pub(crate) meta: Map<String, Value>,
}

impl Parts {
    /// What a call gave, as `revision` has it.
    ///
    /// # Errors
    ///
    /// An unknown tool, an answer of the user that is none, and a capability that a client of 2026-07-28 would need are
    /// protocol errors, not results.
    pub(crate) fn new(
        result: Result<ToolOutput, CallError>,
        revision: Revision,
    ) -> Result<Self, RpcError> {
        match result {
            Ok(output) => Ok(Self {
                blocks: output.blocks,
                structured: output
                    .structured
                    .map(|(tool, value)| tool.shape_output(value, revision)),
                is_error: false,
                meta: output.meta,
            }),
            Err(error @ (CallError::UnknownTool { .. } | CallError::InvalidAnswer { .. })) => {
                Err(rpc_error(&error, revision))
            }
            Err(error @ CallError::MissingAbility { .. }) if revision.is_modern() => {
                Err(rpc_error(&error, revision))
            }
            Err(error) => Ok(Self::error(error.to_string())),
        }
    }

    /// `text` for the model, as an error.
    pub(crate) fn error(text: String) -> Self {
        Self {
            blocks: vec![Rendered::Text(text)],
            structured: None,
            is_error: true,
            meta: Map::new(),
        }
    }

    /// The whole as JSON.
    fn into_json(self, contract: &'static Contract, revision: Revision) -> Map<String, Value> {
        let blocks = self.blocks.into_iter().map(Rendered::into_value);
        let mut out = Map::new();
        out.insert("content".to_owned(), blocks.collect());
        if let Some(value) = self.structured {
            out.insert("structuredContent".to_owned(), value);
        }
        out.insert("isError".to_owned(), Value::Bool(self.is_error));
        complete(&mut out, contract, self.meta, revision);
        out
    }
}

/// Adds what every result has that is an answer; `own` is its own `_meta`, which wins.
fn complete(
    out: &mut Map<String, Value>,
    contract: &'static Contract,
    own: Map<String, Value>,
    revision: Revision,
) {
    if revision.is_modern() {
        out.insert("resultType".to_owned(), Value::from("complete"));
    }
    add_meta(out, contract, own, revision);
}

fn add_meta(
    out: &mut Map<String, Value>,
    contract: &'static Contract,
    own: Map<String, Value>,
    revision: Revision,
) {
    let mut meta = server_meta(contract, revision);
    meta.extend(own);
    if !meta.is_empty() {
        out.insert("_meta".to_owned(), Value::Object(meta));
    }
}

/// The `CallToolResult` for what a call gave, or the [`input_required`] result.
///
/// # Errors
///
/// An unknown tool, an answer of the user that is none, and a capability that a client of 2026-07-28 would need are
/// protocol errors and not results.
pub fn call_result(
    contract: &'static Contract,
    result: Result<ToolOutput, CallError>,
    revision: Revision,
) -> Result<Map<String, Value>, RpcError> {
    if let Err(CallError::InputRequired(input)) = &result {
        return Ok(input_required(contract, input, revision));
    }
    Ok(Parts::new(result, revision)?.into_json(contract, revision))
}

/// The `InputRequiredResult` (SEP-2322), which asks a client of 2026-07-28 to repeat its request with answers.
pub fn input_required(
    contract: &'static Contract,
    input: &InputRequired,
    revision: Revision,
) -> Map<String, Value> {
    let requests = input.requests();
    let requests: Map<String, Value> = requests
        .map(|(key, question)| (key.to_owned(), question.to_value()))
        .collect();
    let mut out = Map::new();
    out.insert("resultType".to_owned(), Value::from("input_required"));
    out.insert("inputRequests".to_owned(), Value::Object(requests));
    out.insert("requestState".to_owned(), input.request_state().into());
    add_meta(&mut out, contract, Map::new(), revision);
    out
}

/// A `CallToolResult` with `isError: true` and `text` for the model.
pub fn error_result(
    contract: &'static Contract,
    text: &str,
    revision: Revision,
) -> Map<String, Value> {
    Parts::error(text.to_owned()).into_json(contract, revision)
}

/// The `tools` of a `tools/list` result, in the contract's order, as `revision` has them.
pub fn tools(contract: &'static Contract, revision: Revision) -> Vec<Value> {
    let tools = contract.tools().iter();
    list(tools.map(|it| it.definition_for(revision)))
}

fn list<'a>(definitions: impl Iterator<Item = &'a Map<String, Value>>) -> Vec<Value> {
    definitions.cloned().map(Value::Object).collect()
}

/// The `_meta` that every result of `revision` carries; empty before 2026-07-28.
pub fn server_meta(contract: &'static Contract, revision: Revision) -> Map<String, Value> {
    let mut meta = Map::new();
    if revision.is_modern() {
        let info = Value::Object(contract.server().definition().clone());
        meta.insert(SERVER_INFO.to_owned(), info);
    }
    meta
}
