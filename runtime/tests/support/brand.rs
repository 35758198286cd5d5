//! A server with resources, templates, prompts and completions, written as mcp-codegen would write it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use std::{future::ready, path::PathBuf};

use mcp_codegen_runtime::{
    CallContext, CallError, Complete, CompletionTarget, Completions, Content, Contract, GetPrompt,
    Partial, PromptMessages, PromptOutput, ReadResource, ResourceContents, ResourceOutput,
    ResourceUpdates, ToolCall, ToolError, ToolOutput, ToolResult, Toolset,
    content::{EmbeddedResource, Image, ImageFormat},
};
use serde::Deserialize;
use serde_json::json;

pub static CONTRACT: Contract = Contract::new(include_str!("brand.json"));

/// The first bytes of a PNG.
pub const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The server.
#[derive(Clone, Debug, Default)]
pub struct Brand {
    /// Told by the tool `touch`.
    pub updates: ResourceUpdates,
}

#[derive(Deserialize)]
struct TouchInput {
    uri: Option<String>,
}

#[derive(Deserialize)]
struct Empty {}

#[derive(Deserialize)]
struct LogoVariables {
    theme: Theme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Theme {
    #[serde(rename = "light")]
    Light,
    #[serde(rename = "dark")]
    Dark,
    Darker,
}

#[derive(Deserialize)]
struct NoteVariables {
    path: String,
    line: Option<String>,
}

#[derive(Deserialize)]
struct ReviewArguments {
    asset: String,
    tone: Option<String>,
}

#[derive(Deserialize)]
struct FailsArguments {
    how: Option<String>,
}

impl Toolset for Brand {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match call.name() {
            "touch" => {
                call.content(CONTRACT.tool(0), |it, _| ready(Ok(self.touch(it))))
                    .await
            }
            "picture" => {
                call.content(CONTRACT.tool(1), |_: Empty, _| async {
                    Ok(Image::from_path(file("brand.json"))
                        .with_mime_type("image/x")
                        .into())
                })
                .await
            }
            _ => Err(call.unknown_tool()),
        }
    }

    async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
        match read.name() {
            "guidelines" => read.resource(guidelines).await,
            "palette" => read.resource(palette).await,
            "folder" => read.resource(folder).await,
            "file" => {
                read.resource(|_| async { Ok(ResourceContents::file(file("brand.json"))) })
                    .await
            }
            "missing" => {
                read.resource(|_| async { Ok(ResourceContents::file(file("no.txt"))) })
                    .await
            }
            "refused" => {
                read.resource(|_| async { Err(ToolError::new("not before noon")) })
                    .await
            }
            "broken" => read.resource(broken).await,
            "panics" => read.resource(panics).await,
            "special" => {
                read.resource(|_| async { Ok("exact URIs win".into()) })
                    .await
            }
            "logo" => read.template(logo).await,
            "note" => read.template(note).await,
            _ => Err(read.unknown_resource()),
        }
    }

    async fn prompt(&self, get: GetPrompt) -> Result<PromptOutput, CallError> {
        match get.name() {
            "review" => get.messages(review).await,
            "greet" => {
                get.messages(|_: Empty, _| async { Ok("Say hello.".into()) })
                    .await
            }
            "fails" => get.messages(fails).await,
            _ => Err(get.unknown_prompt()),
        }
    }

    async fn complete(&self, complete: Complete) -> Result<Completions, CallError> {
        match complete.target() {
            CompletionTarget::Prompt("review", "asset") => complete.values(assets).await,
            _ => complete.from_contract(),
        }
    }
}

impl Brand {
    fn touch(&self, input: TouchInput) -> Content {
        match input.uri {
            Some(uri) => self.updates.updated(uri),
            None => self.updates.list_changed(),
        }
        Content::text("done")
    }
}

pub fn file(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/support").join(name)
}

async fn guidelines(cx: CallContext) -> ToolResult<ResourceContents> {
    cx.meta("com.example/seen", cx.revision().as_str());
    Ok(ResourceContents::text("# Use few colours").with_meta("com.example/part", 1))
}

async fn palette(_: CallContext) -> ToolResult<ResourceContents> {
    ResourceContents::json(&json!({ "red": "#f00" }))
}

async fn folder(_: CallContext) -> ToolResult<ResourceContents> {
    let readme = ResourceContents::text("read me").with_uri("brand://folder/readme");
    let logo = ResourceContents::bytes(PNG)
        .with_uri("brand://folder/logo")
        .with_mime_type("image/png");
    Ok(readme.and(logo))
}

async fn broken(_: CallContext) -> ToolResult<ResourceContents> {
    let number: i64 = "a secret of the server".parse()?;
    Ok(ResourceContents::text(number.to_string()))
}

async fn panics(_: CallContext) -> ToolResult<ResourceContents> {
    panic!("a secret of the server")
}

async fn logo(variables: LogoVariables, _: CallContext) -> ToolResult<ResourceContents> {
    let mut bytes = PNG.to_vec();
    bytes.push(u8::from(variables.theme == Theme::Dark));
    Ok(ResourceContents::bytes(bytes))
}

async fn note(variables: NoteVariables, _: CallContext) -> ToolResult<ResourceContents> {
    let line = variables.line.unwrap_or_default();
    Ok(ResourceContents::text(format!("{}:{line}", variables.path)))
}

async fn review(arguments: ReviewArguments, _: CallContext) -> ToolResult<PromptMessages> {
    let tone = arguments.tone.unwrap_or_default();
    let messages = PromptMessages::user(format!("Review {} {tone}", arguments.asset))
        .and_user(Image::from_bytes(PNG, ImageFormat::Png))
        .and_user(EmbeddedResource::text("brand://guidelines", "# Few"))
        .and_assistant("Contrast first.");
    Ok(if arguments.asset == "logo" {
        messages.with_description("A review of the logo")
    } else {
        messages
    })
}

async fn fails(arguments: FailsArguments, _: CallContext) -> ToolResult<PromptMessages> {
    match arguments.how.as_deref() {
        Some("decision") => Err(ToolError::new("no prompt today")),
        Some("panic") => panic!("a secret of the server"),
        _ => {
            let number: i64 = "a secret of the server".parse()?;
            Ok(PromptMessages::user(number.to_string()))
        }
    }
}

async fn assets(partial: Partial, _: CallContext) -> ToolResult<Vec<String>> {
    if partial.value == "fail" {
        return Err(ToolError::new("the store is closed"));
    }
    let tone = partial.others.get("tone").cloned().unwrap_or_default();
    let count = if partial.value == "many" { 250 } else { 2 };
    Ok((0..count)
        .map(|it| format!("{}{tone}{it}", partial.value))
        .collect())
}
