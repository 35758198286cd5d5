//! A server whose tools ask the client, written as mcp-codegen would write it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mcp_codegen_runtime::{
    Ability, CallContext, CallError, Complete, Completions, Content, Contract, Elicitation,
    Elicited, GetPrompt, PromptMessages, PromptOutput, ReadResource, ResourceContents,
    ResourceOutput, Sampling, ToolCall, ToolOutput, ToolResult, Toolset,
};
use serde::{Deserialize, Serialize};

pub static CONTRACT: Contract = Contract::new(include_str!("asking.json"));

/// Whether to go on (form `confirm`).
pub static CONFIRM: Elicitation<Confirm> = Elicitation::new(&CONTRACT, "confirm");

/// The server; clones count together.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// How often a method began.
    pub runs: Arc<AtomicUsize>,
    /// How often notes were deleted.
    pub deletions: Arc<AtomicUsize>,
}

#[derive(Deserialize)]
struct Notes {
    notes: i64,
}

#[derive(Serialize)]
struct Deleted {
    deleted: i64,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Empty {}

#[derive(Debug, Deserialize)]
pub struct Confirm {
    sure: bool,
    #[serde(default)]
    reason: Option<String>,
}

impl Toolset for Asking {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        let run = self.runs.fetch_add(1, Ordering::SeqCst);
        match call.name() {
            "delete" => {
                call.structured(CONTRACT.tool(0), |input, cx| self.delete(input, cx))
                    .await
            }
            "sum_up" => call.content(CONTRACT.tool(1), sum_up).await,
            "folders" => call.content(CONTRACT.tool(2), folders).await,
            "sign_in" => call.content(CONTRACT.tool(3), sign_in).await,
            "all_at_once" => call.content(CONTRACT.tool(4), all_at_once).await,
            "reckless" => {
                call.content(CONTRACT.tool(5), |input, cx| self.reckless(input, cx))
                    .await
            }
            "moody" => {
                call.content(CONTRACT.tool(6), |_: Empty, cx| async move {
                    // The second run asks something else than the first, the third what the second did.
                    let answer = cx.elicit(&CONFIRM, format!("Mood {}?", run.min(1))).await?;
                    Ok(said(&answer).into())
                })
                .await
            }
            "spawned" => call.content(CONTRACT.tool(7), spawned).await,
            _ => Err(call.unknown_tool()),
        }
    }

    async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
        read.resource(|cx| async move {
            let answer = cx.elicit(&CONFIRM, "Read your diary?").await?;
            Ok(ResourceContents::text(said(&answer)))
        })
        .await
    }

    async fn prompt(&self, get: GetPrompt) -> Result<PromptOutput, CallError> {
        get.messages(|_: Empty, cx| async move {
            let answer = cx.elicit(&CONFIRM, "Show it to a model?").await?;
            Ok(PromptMessages::user(said(&answer)))
        })
        .await
    }

    async fn complete(&self, complete: Complete) -> Result<Completions, CallError> {
        complete
            .values(|_, cx| async move {
                let answer = cx.elicit_default(&CONFIRM).await?;
                Ok(vec![said(&answer)])
            })
            .await
    }
}

impl Asking {
    /// Asks once, and for many notes twice.
    async fn delete(&self, input: Notes, cx: CallContext) -> ToolResult<Deleted> {
        let nothing = Ok(Deleted { deleted: 0 });
        let Notes { notes } = input;
        let Elicited::Accepted(Confirm { sure: true, .. }) = cx
            .elicit(&CONFIRM, format!("Delete {notes} notes?"))
            .await?
        else {
            return nothing;
        };
        if notes > 10 {
            let really = cx.elicit(&CONFIRM, "Really so many?").await?.accepted();
            if !really.is_some_and(|it| it.sure) {
                return nothing;
            }
        }
        self.deletions.fetch_add(1, Ordering::SeqCst);
        Ok(Deleted { deleted: notes })
    }

    /// Does not look at the answer.
    async fn reckless(&self, _: Empty, cx: CallContext) -> ToolResult<Content> {
        let answer = cx.elicit_default(&CONFIRM).await;
        self.deletions.fetch_add(1, Ordering::SeqCst);
        Ok(answer
            .map_or_else(|error| format!("no answer: {error}"), |it| said(&it))
            .into())
    }
}

async fn sum_up(input: Text, cx: CallContext) -> ToolResult<Content> {
    let task = Sampling::new(input.text)
        .with_max_tokens(100)
        .with_system_prompt("Be brief.")
        .with_temperature(0.5)
        .with_model_hint("small")
        .with_speed_priority(1.0);
    let written = cx.sample(task).await?;
    Ok(format!("{} wrote: {}", written.model, written.text()).into())
}

async fn folders(_: Empty, cx: CallContext) -> ToolResult<Content> {
    let roots = cx.roots().await?;
    let uris: Vec<String> = roots.into_iter().map(|it| it.uri).collect();
    Ok(uris.join(" ").into())
}

async fn sign_in(_: Empty, cx: CallContext) -> ToolResult<Content> {
    let answer = cx
        .elicit_url("https://example.com/sign-in", "Sign in, please.")
        .await?;
    Ok(format!("{answer:?}").into())
}

async fn all_at_once(_: Empty, cx: CallContext) -> ToolResult<Content> {
    let asked = tokio::join!(
        cx.elicit_default(&CONFIRM),
        cx.sample(Sampling::new("Greet.")),
        cx.roots()
    );
    let (answer, greeting, roots) = (asked.0?, asked.1?, asked.2?);
    Ok(format!("{}, {}, {}", said(&answer), greeting.text(), roots.len()).into())
}

async fn spawned(_: Empty, cx: CallContext) -> ToolResult<Content> {
    let can = cx.client_can(Ability::Form);
    let task = tokio::spawn(async move { cx.elicit_default(&CONFIRM).await });
    let answer = task.await??;
    Ok(format!("{can}, {}", said(&answer)).into())
}

fn said(answer: &Elicited<Confirm>) -> String {
    match answer {
        Elicited::Accepted(Confirm { sure, reason }) => {
            format!(
                "sure: {sure}, because {}",
                reason.as_deref().unwrap_or("so")
            )
        }
        Elicited::Declined => "declined".to_owned(),
        Elicited::Cancelled => "cancelled".to_owned(),
    }
}
