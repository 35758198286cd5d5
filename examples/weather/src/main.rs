//! The weather over stdio: one line to serve what `lib.rs` implements.

use mcp_codegen_runtime::ServeError;
use tracing_subscriber::filter::LevelFilter;

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    // Standard output belongs to the protocol; what the server has to tell its operator goes to standard error.
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();
    mcp_codegen_runtime::serve_stdio(weather_example::server()).await
}
