//! From a tool call to an implementation and back. No transport, no executor.

use std::{fmt, future::ready};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    CallContext, CallError, Complete, Completions, Content, Contract, GetPrompt, PromptOutput,
    ReadResource, ResourceOutput, ResourceUpdates, Subject, Tool, ToolOutput, ToolResult,
    contract::OutputPolicy, guard, method, operator, violation::Violations,
};

/// A set of tools, resources and prompts that can be served. Generated servers implement it; so does [`combine`](crate::combine()).
pub trait Toolset: Send + Sync + 'static {
    /// What they promise.
    fn contract(&self) -> &'static Contract;

    /// Answers one call.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    fn call(&self, call: ToolCall) -> impl Future<Output = Result<ToolOutput, CallError>> + Send;

    /// Answers one read of a resource. Without resources in the contract there is nothing to do.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    fn read(
        &self,
        read: ReadResource,
    ) -> impl Future<Output = Result<ResourceOutput, CallError>> + Send {
        ready(Err(read.unknown_resource()))
    }

    /// Gives one prompt. Without prompts in the contract there is nothing to do.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    fn prompt(
        &self,
        get: GetPrompt,
    ) -> impl Future<Output = Result<PromptOutput, CallError>> + Send {
        ready(Err(get.unknown_prompt()))
    }

    /// Completes one argument of a prompt or variable of a resource template. The values that schemas list need no code.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    fn complete(
        &self,
        complete: Complete,
    ) -> impl Future<Output = Result<Completions, CallError>> + Send {
        ready(complete.from_contract())
    }

    /// Where changes of resources are told, for servers that tell them: see [`watched`](crate::watched()).
    fn updates(&self) -> Option<ResourceUpdates> {
        None
    }
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
}

impl ToolCall {
    /// A call of the tool `name`. Absent arguments are `{}`: pass `Value::Object` of an empty map.
    pub fn new(name: impl Into<String>, arguments: Value) -> Self {
        Self {
            name: name.into(),
            arguments,
            context: CallContext::default(),
        }
    }

    /// Sets what the transport knows of the call.
    #[must_use]
    pub fn with_context(mut self, context: CallContext) -> Self {
        self.context = context.with_redact(self.context.redact());
        self
    }

    /// Sets whether error texts show values.
    #[must_use]
    pub fn with_redact(mut self, redact: Redact) -> Self {
        self.context = self.context.with_redact(redact);
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
        let promised = || promised(tool, &output, context.redact());
        let value = guard::catch(subject(tool), promised)??;
        let extras = context.take_extras();
        let blocks = extras.read_files();
        let render = move || ToolOutput::structured(tool, value, extras);
        method::render(subject(tool), &context, blocks, render).await
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
        let blocks = output.reads_files() || extras.read_files();
        let render = move || ToolOutput::content(output, extras);
        method::render(subject(tool), &context, blocks, render).await
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
        let context = self.context.for_tool(tool);
        let decode = |it: &Value| tool.decode_input(it);
        let output = method::call(subject(tool), &context, self.arguments, decode, body).await?;
        Ok((output, context))
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ToolCall");
        out.field("name", &self.name)
            .field("context", &self.context);
        if self.context.redact() == Redact::Nothing {
            out.field("arguments", &self.arguments);
        }
        out.finish_non_exhaustive()
    }
}

/// The tool in the words of messages.
fn subject(tool: &'static Tool) -> Subject {
    Subject::Tool(tool.name())
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
        &subject(tool),
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    static CONTRACT: Contract = Contract::new(r#"{ "server": { "name": "s", "version": "1" } }"#);

    #[test]
    fn requests_that_must_not_be_shown_stay_so_with_another_context() {
        fn shown(redact: Redact) -> [String; 4] {
            let call = ToolCall::new("t", json!("SECRET")).with_redact(redact);
            let get = GetPrompt::new(&CONTRACT, "p", json!("SECRET")).with_redact(redact);
            let read = ReadResource::new(&CONTRACT, "x:SECRET").with_redact(redact);
            let complete = Complete::prompt(&CONTRACT, "p", "a", "SECRET").with_redact(redact);
            [
                format!("{:?}", call.with_context(CallContext::new())),
                format!("{:?}", get.with_context(CallContext::new())),
                format!("{:?}", read.with_context(CallContext::new())),
                format!("{:?}", complete.with_context(CallContext::new())),
            ]
        }
        for text in shown(Redact::Nothing) {
            assert!(text.contains("SECRET"), "{text}");
        }
        for text in shown(Redact::Values) {
            assert!(!text.contains("SECRET"), "{text}");
        }
    }
}
