//! One open connection of a client.

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse,
        ReadResourceRequestParams, ReadResourceResponse,
    },
    service::{RunningService, ServiceError},
};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::{OnceCell, RwLock};

use super::{mute::Mute, refusal, unreachable};
use crate::{
    Revision, Tool,
    client::{
        Connection, ConnectionError, ConnectionFuture, Request, TransportError, wants_to_ask,
    },
};

type Running = RunningService<RoleClient, Mute>;

/// A client of the official SDK.
pub(super) struct RmcpConnection {
    /// Shared by requests, and taken whole to end it.
    running: RwLock<Running>,
    revision: Revision,
    headers: bool,
    /// Whether the SDK has seen the list of tools.
    listed: OnceCell<()>,
}

impl RmcpConnection {
    /// `headers`: arguments that the schema marks go into headers of requests.
    pub(super) fn new(running: Running, headers: bool) -> Self {
        let version = running
            .peer()
            .peer_info()
            .map(|it| it.protocol_version.clone());
        let revision = version.and_then(|it| it.as_str().parse().ok());
        Self {
            running: RwLock::new(running),
            // One that is not known here was agreed upon by `initialize`, so it is an old one or a draft of one.
            revision: revision.unwrap_or(Revision::V2025_11_25),
            headers,
            listed: OnceCell::new(),
        }
    }

    async fn call(
        &self,
        tool: &Tool,
        arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, ConnectionError> {
        let running = self.running.read().await;
        let schema = tool.definition().get("inputSchema");
        if self.headers && self.revision.is_modern() && has_headers(schema) {
            // The SDK puts arguments into headers for tools of which it has seen the list.
            let list = || async { running.list_all_tools().await.map(drop) };
            if let Err(error) = self.listed.get_or_try_init(list).await {
                tracing::debug!(%error, "the server does not list its tools");
            }
        }
        let params = CallToolRequestParams::new(tool.name().to_owned()).with_arguments(arguments);
        // Once: the SDK would answer the server's questions for a user who never sees them.
        let mut result = match running.call_tool_once(params).await.map_err(error)? {
            CallToolResponse::Complete(result) => result,
            CallToolResponse::InputRequired(_) => return Err(wants_to_ask().into()),
            _ => return Err(error(ServiceError::UnexpectedResponse)),
        };
        // Moved and not walked through: it may be large.
        let structured = result.structured_content.take();
        let mut members = members(&result)?;
        if let Some(structured) = structured {
            members.insert("structuredContent".to_owned(), structured);
        }
        Ok(members)
    }

    async fn read(&self, uri: String) -> Result<Map<String, Value>, ConnectionError> {
        let running = self.running.read().await;
        let params = ReadResourceRequestParams::new(uri);
        match running.read_resource_once(params).await.map_err(error)? {
            ReadResourceResponse::Complete(result) => members(&result),
            ReadResourceResponse::InputRequired(_) => Err(wants_to_ask().into()),
            _ => Err(error(ServiceError::UnexpectedResponse)),
        }
    }

    async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, ConnectionError> {
        let running = self.running.read().await;
        let params = GetPromptRequestParams::new(name).with_arguments(arguments);
        match running.get_prompt_once(params).await.map_err(error)? {
            GetPromptResponse::Complete(result) => members(&result),
            GetPromptResponse::InputRequired(_) => Err(wants_to_ask().into()),
            _ => Err(error(ServiceError::UnexpectedResponse)),
        }
    }
}

impl Connection for RmcpConnection {
    fn revision(&self) -> Revision {
        self.revision
    }

    fn request<'a>(&'a self, request: Request<'a>) -> ConnectionFuture<'a, Map<String, Value>> {
        match request {
            Request::CallTool { tool, arguments } => Box::pin(self.call(tool, arguments)),
            Request::ReadResource { uri } => Box::pin(self.read(uri)),
            Request::GetPrompt { name, arguments } => Box::pin(self.prompt(name, arguments)),
        }
    }

    fn close(&self) -> ConnectionFuture<'_, ()> {
        Box::pin(async {
            // Requests under way hold the lock; this ends them.
            let token = self.running.read().await.cancellation_token();
            token.cancel();
            let ended = self.running.write().await.close().await;
            let message = "the task of the connection failed";
            ended.map(drop).map_err(|error| {
                ConnectionError::Transport(TransportError::new(message).with_source(error))
            })
        })
    }
}

/// Whether any property of a schema says `x-mcp-header` (SEP-2243), at any depth.
fn has_headers(schema: Option<&Value>) -> bool {
    match schema {
        Some(Value::Object(members)) => {
            members.contains_key("x-mcp-header") || members.values().any(|it| has_headers(Some(it)))
        }
        Some(Value::Array(items)) => items.iter().any(|it| has_headers(Some(it))),
        _ => false,
    }
}

fn members<T: Serialize>(result: &T) -> Result<Map<String, Value>, ConnectionError> {
    match serde_json::to_value(result) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(TransportError::new("the server's result is no object").into()),
        Err(error) => {
            let message = format!("the server's result is no JSON: {error}");
            Err(TransportError::new(message).with_source(error).into())
        }
    }
}

fn error(error: ServiceError) -> ConnectionError {
    let message = match error {
        ServiceError::McpError(error) => return ConnectionError::Refused(refusal(error)),
        ServiceError::TransportSend(error) => return unreachable(error).into(),
        ServiceError::TransportClosed => "the server has closed the connection".to_owned(),
        ServiceError::UnexpectedResponse => {
            "the server's result is not what MCP has for this request".to_owned()
        }
        ref other => format!("the server does not answer: {other}"),
    };
    TransportError::new(message).with_source(error).into()
}
