//! Runs a method of the implementation that is no tool's: for a resource, a prompt, a completion.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    CallContext, CallError, Redact, Subject, ToolResult, context::Extras, guard,
    violation::Violations,
};

/// Types what the client passed; what breaks the schema is told, and user code does not run.
pub(crate) fn typed<I: DeserializeOwned>(
    subject: Subject,
    redact: Redact,
    values: &Value,
    decode: impl FnOnce(&Value) -> Result<I, Violations>,
) -> Result<I, CallError> {
    // Types that are not generated bring their own `Deserialize`, which is user code too.
    guard::catch(|| decode(values))
        .map_err(|panic| CallError::panicked(subject, &panic))?
        .map_err(|violations| CallError::InvalidParams {
            subject,
            violations: redact.apply(violations),
        })
}

/// What the method returned, and what it set beside.
pub(crate) async fn run<I, O, F, Fut>(
    subject: Subject,
    body: F,
    input: I,
    context: &CallContext,
) -> Result<(O, Extras), CallError>
where
    F: FnOnce(I, CallContext) -> Fut,
    Fut: Future<Output = ToolResult<O>> + Send,
{
    let output = match guard::run(body, input, context.clone()).await {
        Ok(output) => output.map_err(|error| CallError::failed(subject, &error))?,
        Err(stop) => return Err(stop.into_error(|panic| CallError::panicked(subject, panic))),
    };
    let extras = context.take_extras();
    if !extras.attachments.is_empty() {
        tracing::warn!(%subject, "attached content is not sent: only results of tools have a place for it");
    }
    Ok((output, extras))
}
