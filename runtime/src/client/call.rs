//! Calls of tools: arguments held against the contract, results too.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{Breach, Client, ClientError, Direction, Reply, Request, ToolFailure, TransportError};
use crate::{Subject, Tool, Violation, Violations};

impl Client {
    /// Calls a tool that has an output schema. Generated code calls this.
    ///
    /// A result that the server wrapped as `{"result": …}`, as peers before 2026-07-28 do, is unwrapped.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. A result without `structuredContent` breaks the contract.
    pub async fn call<I, O>(&self, tool: &'static Tool, input: &I) -> Result<O, ClientError>
    where
        I: Serialize + Sync,
        O: DeserializeOwned,
    {
        let (output, _) = self.call_with_reply(tool, input).await?;
        Ok(output)
    }

    /// The same, with all else that the tool said: content blocks and `_meta`.
    ///
    /// # Errors
    ///
    /// As for [`call`](Self::call).
    pub async fn call_with_reply<I, O>(
        &self,
        tool: &'static Tool,
        input: &I,
    ) -> Result<(O, Reply), ClientError>
    where
        I: Serialize + Sync,
        O: DeserializeOwned,
    {
        let mut reply = self.reply(tool, input).await?;
        let breach = |violations| received(tool, violations);
        let Some(value) = reply.take_structured() else {
            let missing = Violation::new("", "expected `structuredContent`, which is not there");
            return Err(breach(missing.into()));
        };
        let output = tool.decode_result(&value, self.revision());
        Ok((output.map_err(breach)?, reply))
    }

    /// Calls a tool for its content blocks: one without output schema. Generated code calls this.
    ///
    /// # Errors
    ///
    /// See [`ClientError`].
    pub async fn reply<I>(&self, tool: &'static Tool, input: &I) -> Result<Reply, ClientError>
    where
        I: Serialize + Sync,
    {
        let arguments = tool.encode_input(input).and_then(object);
        let arguments = arguments.map_err(|violations| Breach {
            subject: Subject::Tool(tool.name()),
            direction: Direction::Sent,
            violations,
        })?;
        let result = self.request(Request::CallTool { tool, arguments }).await?;
        let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
        let reply = Reply::new(result);
        if failed {
            return Err(ClientError::Tool(ToolFailure::new(tool.name(), reply)));
        }
        Ok(reply)
    }

    /// The complete result of a request.
    pub(super) async fn request(
        &self,
        request: Request<'_>,
    ) -> Result<Map<String, Value>, ClientError> {
        let result = self.0.request(request).await?;
        match result.get("resultType").and_then(Value::as_str) {
            None | Some("complete") => Ok(result),
            Some("input_required") => Err(wants_to_ask().into()),
            Some(other) => {
                let message = format!("the server answers with a result of type `{other}`");
                Err(TransportError::new(message).into())
            }
        }
    }
}

/// The error of a request in which the server asks something.
pub(crate) fn wants_to_ask() -> TransportError {
    TransportError::new(
        "the server wants to ask the user or the model, whom this client cannot reach",
    )
}

fn received(tool: &'static Tool, violations: Violations) -> ClientError {
    Breach {
        subject: Subject::Tool(tool.name()),
        direction: Direction::Received,
        violations,
    }
    .into()
}

/// What MCP sends as arguments.
pub(super) fn object(value: Value) -> Result<Map<String, Value>, Violations> {
    match value {
        Value::Object(members) => Ok(members),
        _ => Err(Violation::new("", "expected an object").into()),
    }
}
