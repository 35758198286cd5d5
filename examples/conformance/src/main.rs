//! What the official conformance suites of MCP ask for, over HTTP.
//!
//! ```sh
//! conformance-example [ADDRESS]
//! ```
//!
//! serves `http://ADDRESS/mcp` (default `127.0.0.1:8000`). `tests/conformance/run` runs the suites against it.

mod server;

use mcp_codegen_runtime::{HttpConfig, ServeError};
use tracing_subscriber::filter::LevelFilter;

/// What `build.rs` made of `schemas/conformance`.
mod contract {
    mcp_codegen_runtime::include_contract!("conformance");
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();

    let address = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:8000".to_owned());
    // Clients before 2026-07-28 are asked while a call runs, and told of changes, in their session.
    let config = HttpConfig::default().with_sessions(true);
    mcp_codegen_runtime::serve_http_with(server::server(), &address, config).await
}
