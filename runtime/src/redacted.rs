//! A server whose error texts never repeat what the client sent.

use crate::{
    CallError, Complete, Completions, Contract, GetPrompt, PromptOutput, ReadResource, Redact,
    ResourceOutput, ResourceUpdates, ToolCall, ToolOutput, Toolset,
};

/// A [`Toolset`] whose error texts do not show argument values. Made by [`redacted()`].
#[derive(Clone, Debug)]
pub struct Redacted<T>(T);

/// Serves `toolset` so that violations name place and expectation, but never the value sent.
pub const fn redacted<T: Toolset>(toolset: T) -> Redacted<T> {
    Redacted(toolset)
}

impl<T: Toolset> Toolset for Redacted<T> {
    fn contract(&self) -> &'static Contract {
        self.0.contract()
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        self.0.call(call.with_redact(Redact::Values)).await
    }

    async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
        self.0.read(read.with_redact(Redact::Values)).await
    }

    async fn prompt(&self, get: GetPrompt) -> Result<PromptOutput, CallError> {
        self.0.prompt(get.with_redact(Redact::Values)).await
    }

    async fn complete(&self, complete: Complete) -> Result<Completions, CallError> {
        self.0.complete(complete.with_redact(Redact::Values)).await
    }

    fn updates(&self) -> Option<ResourceUpdates> {
        self.0.updates()
    }
}
