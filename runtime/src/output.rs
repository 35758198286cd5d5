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
        let blocks = texts(&value, tool.settings().text)?;
        Self::with(Some((tool, value)), blocks, extras)
    }

    /// Content blocks only.
    pub(crate) fn content(content: Content, extras: Extras) -> Result<Self, ToolError> {
        let mut blocks = Vec::new();
        content.render(&mut blocks)?;
        Self::with(None, blocks, extras)
    }

    fn with(
        structured: Option<(&'static Tool, Value)>,
        mut blocks: Vec<Rendered>,
        extras: Extras,
    ) -> Result<Self, ToolError> {
        for attachment in extras.attachments {
            attachment.render(&mut blocks)?;
        }
        Ok(Self {
            structured,
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
        (TextPolicy::Python, _) => {
            let mut blocks = Vec::new();
            python_texts(value, &mut blocks)?;
            Ok(blocks)
        }
    }
}

/// What the Python SDK makes of a value that a tool returns.
fn python_texts(value: &Value, blocks: &mut Vec<Rendered>) -> serde_json::Result<()> {
    match value {
        Value::Null => {}
        Value::String(text) => blocks.push(Rendered::Text(text.clone())),
        Value::Array(items) => {
            for item in items {
                python_texts(item, blocks)?;
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            blocks.push(Rendered::Text(serde_json::to_string_pretty(value)?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_policies() {
        let list = json!(["a", 1, [null, "b"], {"c": true}]);
        let cases: [(TextPolicy, Value, &[&str]); 10] = [
            (TextPolicy::Compact, json!("a"), &["\"a\""]),
            (
                TextPolicy::Compact,
                list.clone(),
                &["[\"a\",1,[null,\"b\"],{\"c\":true}]"],
            ),
            (
                TextPolicy::Pretty,
                json!({"c": true}),
                &["{\n  \"c\": true\n}"],
            ),
            (TextPolicy::Items, json!(null), &["null"]),
            (
                TextPolicy::Items,
                list.clone(),
                &["\"a\"", "1", "[null,\"b\"]", "{\"c\":true}"],
            ),
            (TextPolicy::Python, json!(null), &[]),
            (TextPolicy::Python, json!("a"), &["a"]),
            (TextPolicy::Python, json!(1.0), &["1.0"]),
            (
                TextPolicy::Python,
                list.clone(),
                &["a", "1", "b", "{\n  \"c\": true\n}"],
            ),
            (TextPolicy::None, list, &[]),
        ];
        for (policy, value, expected) in cases {
            let blocks = texts(&value, policy).expect("any value can be written");
            let blocks: Vec<String> = blocks
                .into_iter()
                .map(|it| {
                    it.into_value()["text"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned()
                })
                .collect();
            assert_eq!(blocks, expected, "{policy:?} of {value}");
        }
    }
}
