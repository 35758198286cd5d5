//! One server over stdio: the tools of two contracts, and one written by hand with the macros of rmcp.

mod toolbox;

use std::error::Error;

use notes_example::Store;
use rmcp::{ServiceExt, transport::stdio};
use tracing_subscriber::filter::LevelFilter;

use crate::toolbox::Toolbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();
    let server = Toolbox::new(Store::in_memory()?)?.serve(stdio()).await?;
    server.waiting().await?;
    Ok(())
}
