//! From the core's results to rmcp's. The core says what goes over the wire; rmcp only carries it.

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, ErrorCode, MetaObject},
};
use serde_json::{Map, Value};

use crate::{
    CallError, Contract, Revision, ToolOutput,
    wire::{self, RpcError},
};

/// The result of a call that ended.
///
/// # Errors
///
/// A protocol error for an unknown tool.
pub(super) fn from_outcome(
    contract: &'static Contract,
    outcome: Result<ToolOutput, CallError>,
    revision: Revision,
) -> Result<CallToolResult, ErrorData> {
    let result = wire::call_result(contract, outcome, revision).map_err(rpc_error)?;
    model(result).or_else(|error| {
        // Content that rmcp cannot carry. The model is told, because it waits for an answer.
        tracing::error!(%error, "the result cannot be sent");
        error_result(contract, "the tool's result cannot be sent", revision)
    })
}

/// The result of a call that was dropped because it took longer than `limit`.
///
/// # Errors
///
/// Never in fact: see [`error_result`].
pub(super) fn too_late(
    contract: &'static Contract,
    tool: &str,
    limit: Duration,
    revision: Revision,
) -> Result<CallToolResult, ErrorData> {
    let text = format!("tool `{tool}` did not answer within {limit:?}");
    error_result(contract, &text, revision)
}

/// A result with one text, which rmcp can carry.
fn error_result(
    contract: &'static Contract,
    text: &str,
    revision: Revision,
) -> Result<CallToolResult, ErrorData> {
    model(wire::error_result(contract, text, revision))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn rpc_error(error: RpcError) -> ErrorData {
    // JSON-RPC's codes are small; one that is not would be a bug of ours, and still an error.
    let code = i32::try_from(error.code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
    ErrorData::new(code, error.message, None)
}

/// Member by member, so that a large value is moved and not walked through.
fn model(mut result: Map<String, Value>) -> serde_json::Result<CallToolResult> {
    let blocks = result
        .remove("content")
        .unwrap_or_else(|| Value::Array(Vec::new()));
    let blocks: Vec<ContentBlock> = serde_json::from_value(blocks)?;
    let mut model = CallToolResult::success(blocks);
    model.is_error = result.get("isError").and_then(Value::as_bool);
    model.structured_content = result.remove("structuredContent");
    if let Some(Value::Object(meta)) = result.remove("_meta") {
        model.meta = Some(MetaObject::from(meta));
    }
    // `resultType` needs no care: rmcp sets it, and takes it away for the revisions before it.
    Ok(model)
}
