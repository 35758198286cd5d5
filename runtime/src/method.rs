//! Runs the implementation's method for a tool, a resource, a prompt or a completion.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{CallContext, CallError, Subject, ToolResult, guard, offload, violation::Violations};

/// Types what the client passed and runs `body` with it. What breaks the schema is told, and user code does not run.
pub(crate) async fn call<I, O, F, Fut>(
    subject: Subject,
    context: &CallContext,
    passed: Value,
    decode: impl FnOnce(&Value) -> Result<I, Violations>,
    body: F,
) -> Result<O, CallError>
where
    I: DeserializeOwned,
    F: FnOnce(I, CallContext) -> Fut,
    Fut: Future<Output = ToolResult<O>>,
{
    // Types that are not generated bring their own `Deserialize`, which is user code too.
    let input = guard::catch(subject, || decode(&passed))?
        .map_err(|violations| CallError::invalid(subject, context.redact().apply(violations)))?;
    // Typed and no longer needed: large arguments must not live as long as the method runs.
    drop(passed);
    guard::run(subject, context, input, body).await
}

/// Puts what the method returned into MCP's words, elsewhere if that `blocks`.
pub(crate) async fn render<T: Send + 'static>(
    subject: Subject,
    context: &CallContext,
    blocks: bool,
    work: impl FnOnce() -> ToolResult<T> + Send + 'static,
) -> Result<T, CallError> {
    let rendered = offload::run(context, blocks, work).await;
    rendered.map_err(|error| CallError::failed(subject, &error))
}

/// The `_meta` that the method set, for a result that has a place for nothing else.
pub(crate) fn meta(subject: Subject, context: &CallContext) -> Map<String, Value> {
    let extras = context.take_extras();
    if !extras.attachments.is_empty() {
        tracing::warn!(%subject, "attached content is not sent: only results of tools have a place for it");
    }
    extras.meta
}
