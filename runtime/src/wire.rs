//! What goes over the wire: results and listings as MCP has them, per protocol revision.
//!
//! Source: the schemas of the revisions (`CallToolResult`, `ListToolsResult`, `Tool`), SEP-1303 for bad
//! arguments, SEP-2106 for `structuredContent` of any type. Every transport sends exactly these.

use serde_json::{Map, Value, json};

use crate::{CallError, Contract, Revision, ToolOutput, content::text_block};

/// The key in a result's `_meta` under which a server of 2026-07-28 says who it is.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// JSON-RPC's code for bad parameters; MCP uses it for unknown tools and malformed calls.
pub const INVALID_PARAMS: i64 = -32602;

/// A JSON-RPC error object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RpcError {
    /// JSON-RPC's error code.
    pub code: i64,
    /// What is wrong.
    pub message: String,
}

impl RpcError {
    /// An error of code [`INVALID_PARAMS`].
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self {
            code: INVALID_PARAMS,
            message: message.into(),
        }
    }

    /// As in a JSON-RPC response.
    pub fn to_value(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}

/// The `CallToolResult` for what a call gave.
///
/// # Errors
///
/// An unknown tool is a protocol error, not a result.
pub fn call_result(
    contract: &'static Contract,
    result: Result<ToolOutput, CallError>,
    revision: Revision,
) -> Result<Map<String, Value>, RpcError> {
    let output = match result {
        Ok(output) => output,
        Err(error @ CallError::UnknownTool { .. }) => {
            return Err(RpcError::invalid_params(error.to_string()));
        }
        Err(error) => return Ok(error_result(contract, &error.to_string(), revision)),
    };
    let mut out = Map::new();
    out.insert("content".to_owned(), Value::Array(output.blocks));
    if let Some((tool, value)) = output.structured {
        out.insert(
            "structuredContent".to_owned(),
            tool.shape_output(value, revision),
        );
    }
    out.insert("isError".to_owned(), Value::Bool(false));
    finish(contract, &mut out, output.meta, revision);
    Ok(out)
}

/// A `CallToolResult` with `isError: true` and `text` for the model.
pub fn error_result(
    contract: &'static Contract,
    text: &str,
    revision: Revision,
) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("content".to_owned(), Value::Array(vec![text_block(text)]));
    out.insert("isError".to_owned(), Value::Bool(true));
    finish(contract, &mut out, Map::new(), revision);
    out
}

/// The `tools` of a `tools/list` result, in the contract's order, as `revision` has them.
pub fn tools(contract: &'static Contract, revision: Revision) -> Vec<Value> {
    contract
        .tools()
        .iter()
        .map(|tool| Value::Object(tool.definition_for(revision).clone()))
        .collect()
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

/// Adds what results of `revision` have in common. The tool's own `_meta` wins.
fn finish(
    contract: &'static Contract,
    out: &mut Map<String, Value>,
    meta: Map<String, Value>,
    revision: Revision,
) {
    if revision.is_modern() {
        out.insert("resultType".to_owned(), Value::from("complete"));
    }
    let mut all = server_meta(contract, revision);
    all.extend(meta);
    if !all.is_empty() {
        out.insert("_meta".to_owned(), Value::Object(all));
    }
}
