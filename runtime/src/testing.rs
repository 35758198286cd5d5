//! A client in the same process, for tests of servers: no transport, no executor.

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use serde_json::{Value, json};

use crate::{CallContext, Revision, ToolCall, Toolset, wire};

/// A client in the same process.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{Toolset, serde_json::json, testing::InProcess};
///
/// async fn it_is_cold_in_oslo(server: impl Toolset) {
///     let client = InProcess::new(server);
///     let result = client.call("get_weather", json!({ "location": "Oslo" })).await;
///     assert_eq!(result["structuredContent"]["temperature"], 4.5);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct InProcess<T> {
    toolset: T,
    context: CallContext,
}

impl<T: Toolset> InProcess<T> {
    /// A client that speaks the latest revision to `toolset`.
    pub fn new(toolset: T) -> Self {
        Self {
            toolset,
            context: CallContext::new(),
        }
    }

    /// Sets the revision that the client speaks.
    #[must_use]
    pub fn with_revision(mut self, revision: Revision) -> Self {
        self.context = self.context.with_revision(revision);
        self
    }

    /// Sets what the tools learn of their calls; its revision counts.
    #[must_use]
    pub fn with_context(mut self, context: CallContext) -> Self {
        self.context = context;
        self
    }

    /// The server under test.
    pub fn server(&self) -> &T {
        &self.toolset
    }

    /// The `tools` of a `tools/list` result.
    pub fn list_tools(&self) -> Vec<Value> {
        wire::tools(self.toolset.contract(), self.context.revision())
    }

    /// Calls a tool: the `CallToolResult`, or `{"error": …}` with the JSON-RPC error.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        // What one call attaches must not show up in the next.
        let call = ToolCall::new(tool, arguments).with_context(self.context.for_new_call());
        let result = self.toolset.call(call).await;
        match wire::call_result(self.toolset.contract(), result, self.context.revision()) {
            Ok(result) => Value::Object(result),
            Err(error) => json!({ "error": error.to_value() }),
        }
    }
}

/// Runs a future to its end on this thread, for tests without an executor.
pub fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut cx = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod servers;
#[cfg(test)]
mod tests;
