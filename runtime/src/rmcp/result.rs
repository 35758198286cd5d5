//! From the core's results to rmcp's. The core says what goes over the wire; rmcp only carries it.

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, ErrorCode, MetaObject},
};
use serde_json::{Map, Value};

use crate::{
    CallError, Revision, ToolOutput,
    content::Rendered,
    operator,
    wire::{Parts, RpcError},
};

/// The result of a call of `tool` that ended; `server_meta` is what every result's `_meta` has.
///
/// # Errors
///
/// A protocol error for an unknown tool.
pub(super) fn from_outcome(
    tool: &str,
    outcome: Result<ToolOutput, CallError>,
    server_meta: &Map<String, Value>,
    revision: Revision,
) -> Result<CallToolResult, ErrorData> {
    let parts = Parts::new(outcome, revision).map_err(rpc_error)?;
    model(parts, server_meta).or_else(|error| {
        // Content that rmcp cannot carry. The model is told, because it waits for an answer.
        operator::failure(tool, "its result cannot be sent", &error);
        error_result("the tool's result cannot be sent".to_owned(), server_meta)
    })
}

/// The result of a call that was dropped because it took longer than `limit`.
///
/// # Errors
///
/// Never in fact: see [`error_result`].
pub(super) fn too_late(
    tool: &str,
    limit: Duration,
    server_meta: &Map<String, Value>,
) -> Result<CallToolResult, ErrorData> {
    let text = format!("tool `{tool}` did not answer within {limit:?}");
    error_result(text, server_meta)
}

/// A result with one text, which rmcp can carry.
fn error_result(
    text: String,
    server_meta: &Map<String, Value>,
) -> Result<CallToolResult, ErrorData> {
    model(Parts::error(text), server_meta)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn rpc_error(error: RpcError) -> ErrorData {
    // JSON-RPC's codes are small; one that is not would be a bug of ours, and still an error.
    let code = i32::try_from(error.code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
    ErrorData::new(code, error.message, None)
}

/// Part by part, so that a large value is moved and not walked through.
fn model(parts: Parts, server_meta: &Map<String, Value>) -> serde_json::Result<CallToolResult> {
    let blocks = parts.blocks.into_iter().map(|block| match block {
        Rendered::Text(text) => Ok(ContentBlock::text(text)),
        Rendered::Other(block) => serde_json::from_value(block),
    });
    let mut model = CallToolResult::success(blocks.collect::<serde_json::Result<_>>()?);
    model.is_error = Some(parts.is_error);
    model.structured_content = parts.structured;
    let mut meta = server_meta.clone();
    // The tool's own `_meta` wins.
    meta.extend(parts.meta);
    if !meta.is_empty() {
        model.meta = Some(MetaObject::from(meta));
    }
    // `resultType` needs no care: rmcp sets it, and takes it away for the revisions before it.
    Ok(model)
}
