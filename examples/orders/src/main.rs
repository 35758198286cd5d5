//! An order desk over stdio, with types that are not generated: typify's address, and those of uuid, jiff and url.
//!
//! `mcp-codegen.toml` names them. The contract on the wire is what `schemas` says, as ever.

mod address;
mod desk;

use mcp_codegen_runtime::ServeError;
use tracing_subscriber::filter::LevelFilter;

use crate::{contract::OrdersServer, desk::Desk};

/// What `build.rs` made of `schemas/orders`.
mod contract {
    mcp_codegen_runtime::include_contract!("orders");
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    // Standard output belongs to the protocol; what the server has to tell its operator goes to standard error.
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();
    mcp_codegen_runtime::serve_stdio(OrdersServer::new(Desk::new(jiff::Timestamp::now))).await
}
