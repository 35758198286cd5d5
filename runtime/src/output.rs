//! What a call gives, before it is put into the words of a protocol revision.

use serde_json::{Map, Value};

use crate::{Content, Tool, ToolError, content::Rendered, context::Extras, contract::TextPolicy};

/// What a successful call gives: a validated value or content blocks, and what was attached.
#[derive(Clone, Debug)]
pub struct ToolOutput {
    /// The tool and the value, where the tool has an output schema.
    pub(crate) structured: Option<(&'static Tool, Value)>,
    /// MCP content blocks, complete.
    pub(crate) blocks: Vec<Rendered>,
    pub(crate) meta: Map<String, Value>,
}

impl ToolOutput {
    /// A value that keeps the tool's output schema, told also as text by the tool's policy.
    pub(crate) fn structured(
        tool: &'static Tool,
        value: Value,
        extras: Extras,
    ) -> Result<Self, ToolError> {
        let mut blocks = texts(&value, tool.settings().text)?;
        for attachment in extras.attachments {
            attachment.render(&mut blocks)?;
        }
        Ok(Self {
            structured: Some((tool, value)),
            blocks,
            meta: extras.meta,
        })
    }

    /// Content blocks only.
    pub(crate) fn content(content: Content, extras: Extras) -> Result<Self, ToolError> {
        let mut blocks = Vec::new();
        content.render(&mut blocks)?;
        for attachment in extras.attachments {
            attachment.render(&mut blocks)?;
        }
        Ok(Self {
            structured: None,
            blocks,
            meta: extras.meta,
        })
    }

    /// The structured value, not wrapped; `None` for a tool without output schema.
    pub fn value(&self) -> Option<&Value> {
        self.structured.as_ref().map(|(_, value)| value)
    }

    /// The MCP content blocks.
    pub fn blocks(&self) -> Vec<Value> {
        let blocks = self.blocks.iter().cloned();
        blocks.map(Rendered::into_value).collect()
    }
}

/// `Value`'s own `Display` is not used: it passes through a formatter, piece by piece.
fn texts(value: &Value, policy: TextPolicy) -> serde_json::Result<Vec<Rendered>> {
    let compact = |value: &Value| serde_json::to_string(value).map(Rendered::Text);
    match (policy, value) {
        (TextPolicy::None, _) => Ok(Vec::new()),
        (TextPolicy::Items, Value::Array(items)) => items.iter().map(compact).collect(),
        (TextPolicy::Compact | TextPolicy::Items, _) => Ok(vec![compact(value)?]),
        (TextPolicy::Pretty, _) => Ok(vec![Rendered::Text(serde_json::to_string_pretty(value)?)]),
    }
}
