//! Questions to clients since 2026-07-28: listed in the answer to their request, which they repeat.

use rmcp::{
    ErrorData,
    model::{InputRequest, InputRequests, InputRequiredResult, InputResponses, MetaObject},
};
use serde_json::{Map, Value};

use super::result::rpc_error;
use crate::{Answers, InputRequired, Question};

/// The formats of texts in forms that MCP names, and rmcp carries.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// What the client answered so far. `method` and `name` say what it requests.
///
/// # Errors
///
/// `-32602` for a `requestState` that was not given out for that.
pub(super) fn answers(
    method: &str,
    name: &str,
    responses: Option<InputResponses>,
    state: Option<&str>,
) -> Result<Answers, ErrorData> {
    let responses = responses.unwrap_or_default();
    Answers::new(format!("{method} {name}"), responses, state).map_err(rpc_error)
}

/// The result that asks; `server_meta` is what every result's `_meta` has.
///
/// # Errors
///
/// When rmcp cannot carry one of the questions.
pub(super) fn required(
    input: &InputRequired,
    server_meta: &Map<String, Value>,
) -> Result<InputRequiredResult, ErrorData> {
    let requests = input.requests().map(|(key, question)| {
        let request = model(question).map_err(|error| {
            let text = format!("the question `{key}` cannot be sent: {error}");
            tracing::error!("{text}");
            ErrorData::internal_error(text, None)
        });
        Ok((key.to_owned(), request?))
    });
    let requests: InputRequests = requests.collect::<Result<_, ErrorData>>()?;
    let state = input.request_state().to_owned();
    let mut result = InputRequiredResult::new(Some(requests), Some(state));
    if !server_meta.is_empty() {
        result.meta = Some(MetaObject::from(server_meta.clone()));
    }
    Ok(result)
}

/// rmcp's own type, which holds what MCP says of forms and nothing else. What is left out, such as a `pattern`, the client
/// does not see; the answer is held against it all the same.
fn model(question: &Question) -> serde_json::Result<InputRequest> {
    let mut request = question.to_value();
    let properties = request.pointer_mut("/params/requestedSchema/properties");
    for property in properties
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(Map::values_mut)
    {
        let format = property.get("format").and_then(Value::as_str);
        if format.is_some_and(|format| !FORMATS.contains(&format))
            && let Some(property) = property.as_object_mut()
        {
            property.shift_remove("format");
        }
    }
    serde_json::from_value(request)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Ability;

    /// What rmcp makes of a form.
    fn carried(schema: &Value) -> Value {
        let params = json!({ "message": "m", "requestedSchema": schema });
        let params = params.as_object().expect("an object was written").clone();
        let request = model(&Question::new(Ability::Form, "f", params)).expect("rmcp carries it");
        let mut value = serde_json::to_value(request).expect("rmcp's types are JSON");
        value["params"]["requestedSchema"].take()
    }

    #[test]
    fn forms_keep_what_mcp_says_of_them() {
        let schema = json!({
            "type": "object",
            "properties": {
                "z": { "type": "string", "title": "Z", "description": "d", "minLength": 1, "maxLength": 9, "default": "x" },
                "mail": { "type": "string", "format": "email" },
                "n": { "type": "integer", "minimum": 0, "maximum": 7, "default": 3 },
                "b": { "type": "boolean", "default": false },
                "one": { "type": "string", "enum": ["a", "b"] },
                "old": { "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] },
                "titled": { "type": "string", "oneOf": [{ "const": "a", "title": "A" }] },
                "many": { "type": "array", "maxItems": 1, "items": { "type": "string", "enum": ["a", "b"] } },
                "titles": { "type": "array", "items": { "anyOf": [{ "const": "a", "title": "A" }] } }
            },
            "required": ["z"]
        });
        // As text, because the order is that of the form on the screen.
        assert_eq!(
            carried(&schema)["properties"].to_string(),
            schema["properties"].to_string()
        );
        assert_eq!(carried(&schema)["required"], schema["required"]);
    }

    #[test]
    fn what_rmcp_cannot_carry_is_left_out_of_the_form() {
        let schema = json!({
            "type": "object",
            "properties": {
                "id": { "type": "string", "format": "uuid", "minLength": 36 },
                "code": { "type": "string", "pattern": "^[A-Z]+$" }
            }
        });
        let expected = json!({
            "id": { "type": "string", "minLength": 36 }, "code": { "type": "string" }
        });
        assert_eq!(carried(&schema)["properties"], expected);
    }
}
