//! The brand kit over stdio, or over HTTP where an address says so.
//!
//! ```sh
//! brand-kit-example                     # standard input and output
//! brand-kit-example --http [ADDRESS]    # http://ADDRESS/mcp, by default 127.0.0.1:8000
//! ```

use std::error::Error;

use mcp_codegen_runtime::{HttpConfig, serve_http_with, serve_stdio};
use tracing_subscriber::filter::LevelFilter;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Standard output belongs to the protocol.
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();

    let server = brand_kit_example::server();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let address = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => return Ok(serve_stdio(server).await?),
        ["--http"] => "127.0.0.1:8000",
        ["--http", address] => address,
        _ => return Err("usage: brand-kit-example [--http [ADDRESS]]".into()),
    };
    // `request_logo` asks while it runs. Clients before 2026-07-28 can be asked in a session only; later ones need none.
    let config = HttpConfig::default().with_sessions(true);
    Ok(serve_http_with(server, address, config).await?)
}
