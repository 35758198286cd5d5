//! From a tool call to an implementation and back. No transport, no executor.

use std::fmt;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    CallContext, CallError, Content, Contract, Tool, ToolError, ToolOutput, ToolResult,
    contract::OutputPolicy, guard, operator, violation::Violations,
};

/// A set of tools that can be served. Generated servers implement it; so does [`combine`](crate::combine()).
pub trait Toolset: Send + Sync + 'static {
    /// What the tools promise.
    fn contract(&self) -> &'static Contract;

    /// Answers one call.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    fn call(&self, call: ToolCall) -> impl Future<Output = Result<ToolOutput, CallError>> + Send;
}

/// Whether error texts for the client may show the values that the client sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Redact {
    /// `expected at most 7, got 9`: best for a model that is to correct itself.
    #[default]
    Nothing,
    /// `expected at most 7`: for arguments that must not appear in transcripts or logs.
    Values,
}

impl Redact {
    /// The violations as they may be shown and logged.
    pub(crate) fn apply(self, violations: Violations) -> Violations {
        match self {
            Self::Nothing => violations,
            Self::Values => violations.redacted(),
        }
    }
}

/// One `tools/call`.
#[derive(Clone)]
pub struct ToolCall {
    name: String,
    arguments: Value,
    context: CallContext,
    redact: Redact,
}

impl ToolCall {
    /// A call of the tool `name`. Absent arguments are `{}`: pass `Value::Object` of an empty map.
    pub fn new(name: impl Into<String>, arguments: Value) -> Self {
        Self {
            name: name.into(),
            arguments,
            context: CallContext::default(),
            redact: Redact::default(),
        }
    }

    /// Sets what the transport knows of the call.
    #[must_use]
    pub fn with_context(mut self, context: CallContext) -> Self {
        self.context = context;
        self
    }

    /// Sets whether error texts show values.
    #[must_use]
    pub fn with_redact(mut self, redact: Redact) -> Self {
        self.redact = redact;
        self
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as they came, not validated.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// The error for a name that no tool has.
    pub fn unknown_tool(self) -> CallError {
        CallError::UnknownTool { name: self.name }
    }

    /// Calls a tool with an output schema: validates and types the arguments, runs `body`, and
    /// validates what it returns.
    ///
    /// # Errors
    ///
    /// All but [`CallError::UnknownTool`].
    pub async fn structured<I, O, F, Fut>(
        self,
        tool: &'static Tool,
        body: F,
    ) -> Result<ToolOutput, CallError>
    where
        I: DeserializeOwned,
        O: Serialize,
        F: FnOnce(I, CallContext) -> Fut,
        Fut: Future<Output = ToolResult<O>> + Send,
    {
        let (output, context) = self.run(tool, body).await?;
        // Types that are not generated bring their own `Serialize`, which is user code too.
        let value = guard::catch(|| promised(tool, &output, context.redact()))
            .map_err(|panic| panicked(tool, &panic))??;
        let extras = context.take_extras();
        ToolOutput::structured(tool, value, extras).map_err(|error| failed(tool, &error))
    }

    /// Calls a tool without output schema: validates and types the arguments, and runs `body`.
    ///
    /// # Errors
    ///
    /// All but [`CallError::UnknownTool`] and [`CallError::InvalidOutput`].
    pub async fn content<I, F, Fut>(
        self,
        tool: &'static Tool,
        body: F,
    ) -> Result<ToolOutput, CallError>
    where
        I: DeserializeOwned,
        F: FnOnce(I, CallContext) -> Fut,
        Fut: Future<Output = ToolResult<Content>> + Send,
    {
        let (output, context) = self.run(tool, body).await?;
        let extras = context.take_extras();
        ToolOutput::content(output, extras).map_err(|error| failed(tool, &error))
    }

    async fn run<I, O, F, Fut>(
        self,
        tool: &'static Tool,
        body: F,
    ) -> Result<(O, CallContext), CallError>
    where
        I: DeserializeOwned,
        F: FnOnce(I, CallContext) -> Fut,
        Fut: Future<Output = ToolResult<O>> + Send,
    {
        // Types that are not generated bring their own `Deserialize`, which is user code too.
        let input = guard::catch(|| tool.decode_input(&self.arguments))
            .map_err(|panic| panicked(tool, &panic))?
            .map_err(|violations| CallError::InvalidArguments {
                tool: tool.name(),
                violations: self.redact.apply(violations),
            })?;
        let context = self.context.for_tool(tool, self.redact);
        // Typed and no longer needed: large arguments must not live as long as the tool runs.
        drop(self.arguments);
        match guard::run(body, input, context.clone()).await {
            Ok(Ok(output)) => Ok((output, context)),
            Ok(Err(error)) => Err(failed(tool, &error)),
            Err(panic) => Err(panicked(tool, &panic)),
        }
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ToolCall");
        out.field("name", &self.name)
            .field("context", &self.context);
        match self.redact {
            Redact::Nothing => out.field("arguments", &self.arguments).finish(),
            Redact::Values => out.finish_non_exhaustive(),
        }
    }
}

fn failed(tool: &'static Tool, error: &ToolError) -> CallError {
    CallError::Failed {
        tool: tool.name(),
        message: error.disclose(tool.name()),
    }
}

fn panicked(tool: &'static Tool, panic: &str) -> CallError {
    operator::failure(tool.name(), "it panicked", &panic);
    CallError::Failed {
        tool: tool.name(),
        message: format!("tool `{}` failed", tool.name()),
    }
}

/// What the tool returned, held against its output schema as the tool's policy says.
fn promised<O: Serialize>(
    tool: &'static Tool,
    output: &O,
    redact: Redact,
) -> Result<Value, CallError> {
    let (value, violations) = match tool.inspect_output(output) {
        Ok(value) => return Ok(value),
        Err((value, violations)) => (value, redact.apply(violations)),
    };
    if let (OutputPolicy::Warn, Some(value)) = (tool.settings().output, value) {
        tracing::warn!(tool = tool.name(), %violations, "output breaks its schema, sent by policy");
        return Ok(value);
    }
    operator::failure(
        tool.name(),
        "its result breaks the schema and was not sent",
        &violations,
    );
    // The client never gets the output, so it does not get parts of it either.
    let violations = violations.redacted();
    Err(CallError::InvalidOutput {
        tool: tool.name(),
        violations,
    })
}
