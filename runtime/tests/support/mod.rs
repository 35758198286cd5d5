//! A server with a tool for every way to answer, written as mcp-codegen would write it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::{
    num::ParseIntError,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_codegen_runtime::{
    CallContext, CallError, Content, Contract, LogLevel, Progress, ToolCall, ToolError, ToolOutput,
    ToolResult, Toolset, Value,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub static CONTRACT: Contract = Contract::new(include_str!("contract.json"));

/// The server; clones count together.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    /// How often `slow` began.
    pub started: Counter,
    /// How often `slow` saw that its client was gone.
    pub cancelled: Counter,
}

/// Counts, and can be waited for.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicUsize>);

impl Counter {
    pub fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits until it has counted at all, ten seconds at most.
    pub async fn counted(&self) {
        for _ in 0..1000 {
            if self.get() > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it did not happen");
    }

    fn count(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Deserialize)]
struct WeatherInput {
    location: String,
    #[serde(default)]
    days: Option<i64>,
}

#[derive(Serialize)]
struct WeatherOutput {
    temperature: f64,
    conditions: String,
}

#[derive(Deserialize)]
struct AddInput {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct FailsInput {
    how: String,
}

#[derive(Deserialize)]
struct UpstreamInput {
    value: Value,
}

#[derive(Deserialize)]
struct SlowInput {
    steps: Option<i64>,
}

#[derive(Deserialize)]
struct Empty {}

impl Toolset for Probe {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match call.name() {
            "weather" => call.structured(CONTRACT.tool(0), weather).await,
            "add" => {
                call.structured(CONTRACT.tool(1), |it: AddInput, _| async move {
                    Ok(it.a + it.b)
                })
                .await
            }
            "names" => {
                call.structured(CONTRACT.tool(2), |_: Empty, _| async { Ok(["a", "b"]) })
                    .await
            }
            "nothing" => {
                call.structured(CONTRACT.tool(3), |_: Empty, _| async { Ok(()) })
                    .await
            }
            "report" => {
                call.content(CONTRACT.tool(4), |_: Empty, _| async {
                    Ok(Content::text("all is well"))
                })
                .await
            }
            "panics" => call.content(CONTRACT.tool(5), panics).await,
            "fails" => call.content(CONTRACT.tool(6), fails).await,
            "upstream" => {
                call.structured(CONTRACT.tool(7), |it: UpstreamInput, _| async {
                    Ok(it.value)
                })
                .await
            }
            "slow" => {
                call.content(CONTRACT.tool(8), |it, cx| self.slow(it, cx))
                    .await
            }
            "whoami" => call.structured(CONTRACT.tool(9), whoami).await,
            _ => Err(call.unknown_tool()),
        }
    }
}

async fn weather(input: WeatherInput, _: CallContext) -> ToolResult<WeatherOutput> {
    let conditions = format!("{} days in {}", input.days.unwrap_or(1), input.location);
    Ok(WeatherOutput {
        temperature: 4.5,
        conditions,
    })
}

async fn panics(_: Empty, _: CallContext) -> ToolResult<Content> {
    panic!("a secret of the server")
}

async fn fails(input: FailsInput, _: CallContext) -> ToolResult<Content> {
    if input.how == "decision" {
        return Err(ToolError::new("no station near Nowhere"));
    }
    let number: Result<i64, ParseIntError> = "a secret of the server".parse();
    Ok(Content::text(number?.to_string()))
}

async fn whoami(_: Empty, cx: CallContext) -> ToolResult<Value> {
    cx.meta("com.example/seen", true);
    #[cfg(feature = "http")]
    let (agent, remote) = {
        let parts = cx
            .extensions()
            .get::<mcp_codegen_runtime::http::request::Parts>();
        let agent = parts.and_then(|it| {
            it.headers
                .get("user-agent")?
                .to_str()
                .ok()
                .map(str::to_owned)
        });
        let remote = parts.and_then(|it| {
            it.extensions
                .get::<mcp_codegen_runtime::RemoteAddr>()
                .copied()
        });
        (agent, remote.map(|it| it.0.ip().to_string()))
    };
    #[cfg(not(feature = "http"))]
    let (agent, remote) = (None::<String>, None::<String>);
    Ok(json!({
        "tool": cx.tool(),
        "id": cx.request_id(),
        "revision": cx.revision().as_str(),
        "client": cx.client().map(|it| it.name.clone()),
        "agent": agent,
        "remote": remote,
    }))
}

impl Probe {
    /// With `steps`, that many steps at once; without, until the client is gone.
    async fn slow(&self, input: SlowInput, cx: CallContext) -> ToolResult<Content> {
        self.started.count();
        cx.log(LogLevel::Debug, "starting").await;
        cx.log(LogLevel::Warning, json!({ "about": "to work" }))
            .await;
        let Some(steps) = input.steps else {
            cx.cancelled().await;
            self.cancelled.count();
            return Ok(Content::text("too late"));
        };
        for step in 1..=steps {
            let done = f64::from(i32::try_from(step).unwrap());
            let progress = Progress::new(done).of(f64::from(i32::try_from(steps).unwrap()));
            cx.progress(progress.with_message(format!("step {step}")))
                .await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(Content::text("done"))
    }
}
