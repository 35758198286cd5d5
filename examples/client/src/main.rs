//! Typed clients of four servers, one made with mcp-codegen and three that know nothing of it.
//!
//! ```text
//! client-example weather target/debug/weather-example
//! client-example everything npx -y @modelcontextprotocol/server-everything
//! client-example everything http://127.0.0.1:3001/mcp
//! client-example filesystem npx -y @modelcontextprotocol/server-filesystem <an empty folder>
//! client-example memory npx -y @modelcontextprotocol/server-memory
//! ```
#![expect(clippy::print_stdout, reason = "it shows what the servers say")]

mod everything;
mod filesystem;
mod memory;
mod weather;

use std::{env, error::Error, process::Command};

use mcp_codegen_runtime::client::{ClientError, Connect};

/// What `build.rs` made of `schemas`: a module for each server.
mod reference {
    mcp_codegen_runtime::include_contract!();
}

/// What `build.rs` made of the contract of the weather example.
mod contracts {
    include!(concat!(env!("OUT_DIR"), "/weather/mod.rs"));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [server, target, rest @ ..] = arguments.as_slice() else {
        return Err("usage: client-example weather|everything|filesystem|memory <program or URL> [arguments]".into());
    };
    match server.as_str() {
        "weather" => weather::tour(connect(target, rest).await?).await?,
        "everything" => everything::tour(connect(target, rest).await?).await?,
        "filesystem" => filesystem::tour(connect(target, rest).await?).await?,
        "memory" => memory::tour(connect(target, rest).await?).await?,
        other => return Err(format!("there is no tour of `{other}`").into()),
    }
    Ok(())
}

/// A typed client: over HTTP if `target` is a URL, else of a child process.
async fn connect<C: Connect>(target: &str, arguments: &[String]) -> Result<C, ClientError> {
    if target.starts_with("http://") || target.starts_with("https://") {
        return C::http(target).await;
    }
    let mut command = Command::new(target);
    command.args(arguments);
    C::stdio(command).await
}
