//! Another weather service, played by its last two answers.

use mcp_codegen_runtime::{ToolError, ToolResult, Value, serde_json};

/// Its answer of today lacks `humidity`, which it always used to send.
const LONDON: &str = r#"{"temperature": 16.2, "conditions": "overcast"}"#;
const CAIRO: &str = r#"{"temperature": 34.1, "humidity": 0.21, "conditions": "clear"}"#;

/// What the service answers for a city, as it came over the wire.
pub(crate) fn fetch(city: &str) -> ToolResult<Value> {
    let body = match city {
        "London" => LONDON,
        "Cairo" => CAIRO,
        _ => {
            return Err(ToolError::new(format!(
                "the other service does not know `{city}`; try London or Cairo"
            )));
        }
    };
    // Text that is no JSON would be its fault, not the caller's: `?` logs the cause and answers in general terms.
    Ok(serde_json::from_str(body)?)
}
