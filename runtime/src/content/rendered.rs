//! A content block on its way to the client.

use serde_json::{Map, Value};

/// A content block as MCP has it. Plain texts, which most are, stay texts until they are sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rendered {
    /// `{"type": "text", "text": …}`.
    Text(String),
    /// Any other block, complete.
    Other(Value),
}

impl Rendered {
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Text(text) => Value::Object(Map::from_iter([
                ("type".to_owned(), Value::from("text")),
                ("text".to_owned(), Value::String(text)),
            ])),
            Self::Other(block) => block,
        }
    }
}
