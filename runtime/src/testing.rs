//! A client in the same process, for tests of servers: no transport, no executor.

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use serde_json::{Map, Value, json};

pub use self::answers::Answer;
use self::answers::Script;
use crate::{
    CallContext, CallError, Complete, CompletionTarget, GetPrompt, Partial, ReadResource,
    ResourceTemplate, Revision, ToolCall, Toolset,
    wire::{self, RpcError},
};

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
    answers: Option<Script>,
}

impl<T: Toolset> InProcess<T> {
    /// A client that speaks the latest revision to `toolset`.
    pub fn new(toolset: T) -> Self {
        Self {
            toolset,
            context: CallContext::new(),
            answers: None,
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

    /// Makes the client answer what a call asks: the first question with the first of `answers`, and so on.
    ///
    /// Without an answer left, a call in a revision before 2026-07-28 fails as if the client could not be reached, and a call in a later
    /// one gives the `input_required` result.
    ///
    /// # Examples
    ///
    /// ```
    /// use mcp_codegen_runtime::{Toolset, serde_json::json, testing::{Answer, InProcess}};
    ///
    /// async fn nothing_is_deleted_against_the_users_will(server: impl Toolset) {
    ///     let client = InProcess::new(server).with_answers([Answer::decline()]);
    ///     let result = client.call("delete_notes", json!({ "tag": "old" })).await;
    ///     assert_eq!(result["structuredContent"]["deleted"], 0);
    /// }
    /// ```
    #[must_use]
    pub fn with_answers(mut self, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.answers = Some(Script::new(answers));
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
        let result = self
            .ask(|context| {
                let call = ToolCall::new(tool, arguments.clone()).with_context(context);
                self.toolset.call(call)
            })
            .await;
        let contract = self.toolset.contract();
        answer(wire::call_result(contract, result, self.context.revision()))
    }

    /// The `resources` of a `resources/list` result.
    pub fn resources(&self) -> Vec<Value> {
        wire::resources(self.toolset.contract())
    }

    /// The `resourceTemplates` of a `resources/templates/list` result.
    pub fn resource_templates(&self) -> Vec<Value> {
        wire::resource_templates(self.toolset.contract())
    }

    /// The `prompts` of a `prompts/list` result.
    pub fn prompts(&self) -> Vec<Value> {
        wire::prompts(self.toolset.contract())
    }

    /// Reads a resource: the `ReadResourceResult`, or `{"error": …}` with the JSON-RPC error.
    pub async fn read(&self, uri: &str) -> Value {
        let contract = self.toolset.contract();
        let request = |context| {
            let read = ReadResource::new(contract, uri).with_context(context);
            self.toolset.read(read)
        };
        let result = self.ask(request).await;
        answer(wire::read_result(contract, result, self.context.revision()))
    }

    /// Gets a prompt: the `GetPromptResult`, or `{"error": …}` with the JSON-RPC error.
    pub async fn prompt(&self, name: &str, arguments: Value) -> Value {
        let contract = self.toolset.contract();
        let request = |context| {
            let get = GetPrompt::new(contract, name, arguments.clone()).with_context(context);
            self.toolset.prompt(get)
        };
        let result = self.ask(request).await;
        answer(wire::prompt_result(
            contract,
            result,
            self.context.revision(),
        ))
    }

    /// Completes an argument: the `CompleteResult`, or `{"error": …}` with the JSON-RPC error.
    ///
    /// `partial` is what was typed so far: a text, or a [`Partial`] that knows other arguments too.
    pub async fn complete(
        &self,
        target: CompletionTarget<'_>,
        partial: impl Into<Partial>,
    ) -> Value {
        let contract = self.toolset.contract();
        let complete = match target {
            CompletionTarget::Prompt(prompt, argument) => {
                Complete::prompt(contract, prompt, argument, partial)
            }
            CompletionTarget::Template(name, variable) => {
                let mut templates = contract.resource_templates().iter();
                let template = templates.find(|it| it.name() == name);
                let uri = template.map_or(name, ResourceTemplate::uri_template);
                Complete::template(contract, uri, variable, partial)
            }
            CompletionTarget::Unknown => Complete::prompt(contract, "", "", partial),
        };
        let complete = complete.with_context(self.context.for_new_call());
        let result = self.toolset.complete(complete).await;
        answer(wire::completion_result(
            contract,
            result,
            self.context.revision(),
        ))
    }

    /// Makes a request, and again as long as it needs answers that there are.
    async fn ask<O, Fut>(&self, request: impl Fn(CallContext) -> Fut) -> Result<O, CallError>
    where
        Fut: Future<Output = Result<O, CallError>>,
    {
        // What one call attaches must not show up in the next.
        let context = self.context.for_new_call();
        let Some(script) = &self.answers else {
            return request(context).await;
        };
        let context = script.answering(context);
        let rounds = script.rounds(|answers| {
            let context = context.for_new_call();
            request(match answers {
                Some(answers) => context.with_answers(answers),
                None => context,
            })
        });
        rounds.await
    }
}

fn answer(result: Result<Map<String, Value>, RpcError>) -> Value {
    match result {
        Ok(result) => Value::Object(result),
        Err(error) => json!({ "error": error.to_value() }),
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

mod answers;

#[cfg(test)]
mod servers;
#[cfg(test)]
mod tests;
