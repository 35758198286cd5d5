//! Texts that the client's model writes for a method.

use serde_json::{Map, Value, json};

use crate::{
    Content, Revision, ToolError, ToolResult,
    content::{Rendered, Role},
};

/// How many tokens are asked for where nobody says.
const MAX_TOKENS: u32 = 1024;

/// What the client's model is to write.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{CallContext, Sampling, ToolResult};
///
/// async fn summary(text: &str, cx: CallContext) -> ToolResult<String> {
///     let task = Sampling::new(format!("Sum this up in one sentence:\n\n{text}"))
///         .with_system_prompt("You are terse.")
///         .with_max_tokens(200);
///     Ok(cx.sample(task).await?.text())
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    messages: Vec<(Role, Content)>,
    max_tokens: u32,
    system_prompt: Option<String>,
    temperature: Option<f64>,
    stop_sequences: Vec<String>,
    hints: Vec<String>,
    priorities: Map<String, Value>,
}

impl Sampling {
    /// An answer to `prompt`: text, images or sounds; of 1,024 tokens at most.
    pub fn new(prompt: impl Into<Content>) -> Self {
        Self {
            messages: vec![(Role::User, prompt.into())],
            max_tokens: MAX_TOKENS,
            system_prompt: None,
            temperature: None,
            stop_sequences: Vec::new(),
            hints: Vec::new(),
            priorities: Map::new(),
        }
    }

    /// Adds what the user says next.
    #[must_use]
    pub fn and_user(mut self, content: impl Into<Content>) -> Self {
        self.messages.push((Role::User, content.into()));
        self
    }

    /// Adds what the model said next.
    #[must_use]
    pub fn and_assistant(mut self, content: impl Into<Content>) -> Self {
        self.messages.push((Role::Assistant, content.into()));
        self
    }

    /// Sets how long the answer may be.
    #[must_use]
    pub const fn with_max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = max_tokens;
        self
    }

    /// Sets what the model is told before all else. The client may change it.
    #[must_use]
    pub fn with_system_prompt(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// Sets the temperature; what is no number says nothing.
    #[must_use]
    pub const fn with_temperature(mut self, temperature: f64) -> Self {
        if temperature.is_finite() {
            self.temperature = Some(temperature);
        }
        self
    }

    /// Adds a text before which the model stops.
    #[must_use]
    pub fn with_stop_sequence(mut self, text: impl Into<String>) -> Self {
        self.stop_sequences.push(text.into());
        self
    }

    /// Adds a model, or a part of its name, that would do; the first one that the client has wins.
    #[must_use]
    pub fn with_model_hint(mut self, model: impl Into<String>) -> Self {
        self.hints.push(model.into());
        self
    }

    /// Sets how much a low price counts in the choice of the model: 0 to 1.
    #[must_use]
    pub fn with_cost_priority(self, priority: f64) -> Self {
        self.with_priority("costPriority", priority)
    }

    /// Sets how much a quick answer counts in the choice of the model: 0 to 1.
    #[must_use]
    pub fn with_speed_priority(self, priority: f64) -> Self {
        self.with_priority("speedPriority", priority)
    }

    /// Sets how much a good answer counts in the choice of the model: 0 to 1.
    #[must_use]
    pub fn with_intelligence_priority(self, priority: f64) -> Self {
        self.with_priority("intelligencePriority", priority)
    }

    fn with_priority(mut self, key: &str, priority: f64) -> Self {
        if !priority.is_nan() {
            let priority = priority.clamp(0.0, 1.0).into();
            self.priorities.insert(key.to_owned(), priority);
        }
        self
    }

    /// Whether its parameters cannot be made without reading files.
    pub(super) fn reads_files(&self) -> bool {
        self.messages
            .iter()
            .any(|(_, content)| content.reads_files())
    }

    /// The parameters of `sampling/createMessage`. Media are read now.
    pub(super) fn params(self, revision: Revision) -> ToolResult<Map<String, Value>> {
        let mut messages = Vec::new();
        for (role, content) in self.messages {
            add_message(role, content, revision, &mut messages)?;
        }
        let mut params = Map::new();
        let mut set = |key: &str, value: Value| params.insert(key.to_owned(), value);
        set("messages", Value::Array(messages));
        set("maxTokens", self.max_tokens.into());
        if let Some(prompt) = self.system_prompt {
            set("systemPrompt", prompt.into());
        }
        if let Some(temperature) = self.temperature {
            set("temperature", temperature.into());
        }
        if !self.stop_sequences.is_empty() {
            set("stopSequences", self.stop_sequences.into());
        }
        let mut preferences = self.priorities;
        if !self.hints.is_empty() {
            let hints = self.hints.into_iter().map(|name| json!({ "name": name }));
            preferences.insert("hints".to_owned(), hints.collect());
        }
        if !preferences.is_empty() {
            set("modelPreferences", Value::Object(preferences));
        }
        Ok(params)
    }
}

/// Adds one message; a message has one block before 2025-11-25, so there each block is a message.
fn add_message(
    role: Role,
    content: Content,
    revision: Revision,
    messages: &mut Vec<Value>,
) -> ToolResult<()> {
    let mut blocks = Vec::new();
    content.render(&mut blocks)?;
    let mut blocks: Vec<Value> = blocks.into_iter().map(Rendered::into_value).collect();
    for block in &blocks {
        if !matches!(block["type"].as_str(), Some("text" | "image" | "audio")) {
            let text = "a model can be shown texts, images and sounds, no resources";
            return Err(ToolError::new(text));
        }
    }
    let message = |content: Value| json!({ "role": role.as_str(), "content": content });
    if blocks.len() > 1 && revision >= Revision::V2025_11_25 {
        blocks = vec![Value::Array(blocks)];
    }
    messages.extend(blocks.into_iter().map(message));
    Ok(())
}

/// What the client's model wrote.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampled {
    /// Whose message it is: the model's.
    pub role: Role,
    /// The content blocks of MCP, `{"type": "text", "text": …}` and the like.
    pub content: Vec<Value>,
    /// The model that wrote it.
    pub model: String,
    /// Why it ended: `endTurn`, `stopSequence`, `maxTokens`, or what the client's model says.
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// The texts in it, one after the other.
    pub fn text(&self) -> String {
        let texts = self.content.iter();
        texts
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect()
    }

    /// The result of `sampling/createMessage`.
    pub(super) fn read(result: &Value) -> Result<Self, &'static str> {
        let content = match result.get("content") {
            Some(block @ Value::Object(_)) => vec![block.clone()],
            Some(Value::Array(blocks)) if blocks.iter().all(Value::is_object) => blocks.clone(),
            _ => return Err("`content` is neither a content block nor an array of them"),
        };
        let text = |key: &str| result.get(key).and_then(Value::as_str);
        Ok(Self {
            role: match text("role") {
                Some("assistant") => Role::Assistant,
                Some("user") => Role::User,
                _ => return Err("`role` is neither `assistant` nor `user`"),
            },
            content,
            model: text("model").ok_or("`model` is not a string")?.to_owned(),
            stop_reason: text("stopReason").map(str::to_owned),
        })
    }
}
