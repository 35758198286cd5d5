//! A server in the same process as a connection: no transport, no executor.

use serde_json::{Map, Value};

use super::{Connection, ConnectionFuture, Request};
use crate::{CallContext, GetPrompt, ReadResource, Revision, ToolCall, Toolset, wire};

pub(super) struct InProcess<T> {
    server: T,
    revision: Revision,
}

impl<T: Toolset> InProcess<T> {
    pub(super) const fn new(server: T, revision: Revision) -> Self {
        Self { server, revision }
    }
}

impl<T: Toolset> Connection for InProcess<T> {
    fn revision(&self) -> Revision {
        self.revision
    }

    fn request<'a>(&'a self, request: Request<'a>) -> ConnectionFuture<'a, Map<String, Value>> {
        let contract = self.server.contract();
        let context = CallContext::new().with_revision(self.revision);
        Box::pin(async move {
            let result = match request {
                Request::CallTool { tool, arguments } => {
                    let call = ToolCall::new(tool.name(), Value::Object(arguments));
                    let result = self.server.call(call.with_context(context)).await;
                    wire::call_result(contract, result, self.revision)
                }
                Request::ReadResource { uri } => {
                    let read = ReadResource::new(contract, uri).with_context(context);
                    wire::read_result(contract, self.server.read(read).await, self.revision)
                }
                Request::GetPrompt { name, arguments } => {
                    let get = GetPrompt::new(contract, name, Value::Object(arguments));
                    let result = self.server.prompt(get.with_context(context)).await;
                    wire::prompt_result(contract, result, self.revision)
                }
            };
            Ok(result?)
        })
    }
}
