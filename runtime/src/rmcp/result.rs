//! From the core's results to rmcp's. The core says what goes over the wire; rmcp only carries it.

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, ErrorCode, InputRequiredResult, MetaObject},
};
use serde_json::{Map, Value};

use super::{handler::Ended, input};
use crate::{
    CallError, Revision, ToolOutput,
    content::Rendered,
    operator,
    wire::{self, Parts, RpcError},
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
        operator::failure(
            &format_args!("tool `{tool}`"),
            "its result cannot be sent",
            &error,
        );
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

pub(super) fn rpc_error(error: RpcError) -> ErrorData {
    // JSON-RPC's codes are small; one that is not would be a bug of ours, and still an error.
    let code = i32::try_from(error.code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
    ErrorData::new(code, error.message, error.data)
}

/// Part by part, so that a large value is moved and not walked through.
fn model(parts: Parts, server_meta: &Map<String, Value>) -> serde_json::Result<CallToolResult> {
    let blocks = parts.blocks.into_iter().map(block);
    let mut model = CallToolResult::success(blocks.collect::<serde_json::Result<_>>()?);
    model.is_error = Some(parts.is_error);
    model.structured_content = parts.structured;
    model.meta = meta(server_meta, parts.meta);
    // `resultType` needs no care: rmcp sets it, and takes it away for the revisions before it.
    Ok(model)
}

pub(super) fn block(block: Rendered) -> serde_json::Result<ContentBlock> {
    match block {
        Rendered::Text(text) => Ok(ContentBlock::text(text)),
        Rendered::Other(block) => serde_json::from_value(block),
    }
}

/// The `_meta` of a result: what every result has, and its own, which wins.
pub(super) fn meta(
    server_meta: &Map<String, Value>,
    own: Map<String, Value>,
) -> Option<MetaObject> {
    let mut meta = server_meta.clone();
    meta.extend(own);
    (!meta.is_empty()).then(|| MetaObject::from(meta))
}

/// What a request that is no call of a tool gave.
pub(super) enum Answer<O> {
    Output(O),
    InputRequired(InputRequiredResult),
}

/// What came of a request that is no call of a tool, for which there are no results that tell of errors.
///
/// # Errors
///
/// Whatever went wrong.
pub(super) fn answered<O>(
    ended: Ended<O>,
    revision: Revision,
    server_meta: &Map<String, Value>,
) -> Result<Answer<O>, ErrorData> {
    match ended {
        Ended::Answered(Ok(output)) => Ok(Answer::Output(output)),
        Ended::Answered(Err(CallError::InputRequired(questions))) => {
            input::required(&questions, server_meta).map(Answer::InputRequired)
        }
        Ended::Answered(Err(error)) => Err(rpc_error(wire::rpc_error(&error, revision))),
        Ended::Abandoned => Err(abandoned()),
        Ended::Late(limit) => {
            tracing::error!(?limit, "a request took too long and was dropped");
            let message = format!("the server did not answer within {limit:?}");
            Err(ErrorData::internal_error(message, None))
        }
    }
}

/// For form only: rmcp sends no answer to a request that the client gave up.
pub(super) fn abandoned() -> ErrorData {
    ErrorData::internal_error("the request was cancelled", None)
}
