//! From a `prompts/get` to an implementation and back.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    CallContext, CallError, Content, Contract, Prompt, Redact, Subject, ToolResult,
    content::{Rendered, Role},
    method,
};

/// One `prompts/get`.
#[derive(Clone)]
pub struct GetPrompt {
    name: String,
    prompt: Option<&'static Prompt>,
    arguments: Value,
    context: CallContext,
}

impl GetPrompt {
    /// A request for the prompt `name`. Absent arguments are `{}`: pass `Value::Object` of an empty map.
    pub fn new(contract: &'static Contract, name: impl Into<String>, arguments: Value) -> Self {
        let name = name.into();
        Self {
            prompt: contract.find_prompt(&name),
            name,
            arguments,
            context: CallContext::default(),
        }
    }

    /// Sets what the transport knows of the request.
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

    /// The prompt's name, as the client asked for it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as they came, not validated.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// The error for a name that no prompt has.
    pub fn unknown_prompt(self) -> CallError {
        CallError::UnknownPrompt { name: self.name }
    }

    /// Gives the prompt: validates and types the arguments, and runs `body`.
    ///
    /// # Errors
    ///
    /// [`CallError::UnknownPrompt`], [`CallError::InvalidParams`] and [`CallError::Unavailable`], or what has to be asked before.
    pub async fn messages<I, F, Fut>(self, body: F) -> Result<PromptOutput, CallError>
    where
        I: DeserializeOwned,
        F: FnOnce(I, CallContext) -> Fut,
        Fut: Future<Output = ToolResult<PromptMessages>> + Send,
    {
        let Some(prompt) = self.prompt else {
            return Err(self.unknown_prompt());
        };
        let subject = Subject::Prompt(prompt.name());
        let decode = |it: &Value| prompt.decode_arguments(it);
        let context = self.context;
        let mut messages = method::call(subject, &context, self.arguments, decode, body).await?;
        let meta = method::meta(subject, &context);
        let description = messages.description.take();
        let blocks = messages.reads_files();
        let messages = method::render(subject, &context, blocks, move || messages.render()).await?;
        Ok(PromptOutput {
            description: description.or_else(|| prompt.description().map(str::to_owned)),
            messages,
            meta,
        })
    }
}

impl fmt::Debug for GetPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("GetPrompt");
        out.field("name", &self.name)
            .field("context", &self.context);
        if self.context.redact() == Redact::Nothing {
            out.field("arguments", &self.arguments);
        }
        out.finish_non_exhaustive()
    }
}

/// The messages of a prompt, in the order in which they are said.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{PromptMessages, content::{EmbeddedResource, Image}};
///
/// let messages = PromptMessages::user("Review this logo by our guidelines.")
///     .and_user(Image::from_path("assets/logo.png"))
///     .and_user(EmbeddedResource::text("brand://guidelines", "# Colours"))
///     .and_assistant("I will look at contrast first.")
///     .with_description("A review of the light logo");
/// # let _ = messages;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptMessages {
    description: Option<String>,
    messages: Vec<(Role, Content)>,
}

impl PromptMessages {
    /// What the user says: a text or other content. Of several blocks, each is a message.
    pub fn user(content: impl Into<Content>) -> Self {
        Self::default().and_user(content)
    }

    /// What the assistant says.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self::default().and_assistant(content)
    }

    /// Then the user says.
    #[must_use]
    pub fn and_user(self, content: impl Into<Content>) -> Self {
        self.said(Role::User, content.into())
    }

    /// Then the assistant says.
    #[must_use]
    pub fn and_assistant(self, content: impl Into<Content>) -> Self {
        self.said(Role::Assistant, content.into())
    }

    /// Says what these messages are for; without it, the contract's description of the prompt does.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    fn said(mut self, role: Role, content: Content) -> Self {
        self.messages.push((role, content));
        self
    }

    fn reads_files(&self) -> bool {
        self.messages.iter().any(|(_, it)| it.reads_files())
    }

    /// MCP content block by content block; media are read and encoded now.
    fn render(self) -> ToolResult<Vec<(Role, Rendered)>> {
        let mut messages = Vec::new();
        for (role, content) in self.messages {
            let mut blocks = Vec::new();
            content.render(&mut blocks)?;
            messages.extend(blocks.into_iter().map(|block| (role, block)));
        }
        Ok(messages)
    }
}

impl From<String> for PromptMessages {
    fn from(text: String) -> Self {
        Self::user(text)
    }
}

impl From<&str> for PromptMessages {
    fn from(text: &str) -> Self {
        Self::user(text)
    }
}

/// What a prompt gives: MCP prompt messages, complete.
#[derive(Clone, Debug)]
pub struct PromptOutput {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<(Role, Rendered)>,
    pub(crate) meta: Map<String, Value>,
}

impl PromptOutput {
    /// What the messages are for.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The MCP prompt messages.
    pub fn messages(&self) -> Vec<Value> {
        self.messages.iter().cloned().map(message).collect()
    }
}

/// An MCP `PromptMessage`.
pub(crate) fn message((role, block): (Role, Rendered)) -> Value {
    Value::Object(Map::from_iter([
        ("role".to_owned(), Value::from(role.as_str())),
        ("content".to_owned(), block.into_value()),
    ]))
}
