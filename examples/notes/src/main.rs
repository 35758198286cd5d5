//! A notebook over HTTP: generated code checked in, notes kept in an embedded database.
//!
//! ```sh
//! notes-example [ADDRESS] [FILE]
//! ```
//!
//! serves `http://ADDRESS/mcp` (default `127.0.0.1:8000`) and keeps the notes in FILE (default `notes.redb`).

use std::error::Error;

use notes_example::{Notebook, Store, r#gen::notes::NotesServer};
use tracing_subscriber::filter::LevelFilter;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // The cause of every failed call goes here, and never to a client.
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();

    let mut arguments = std::env::args().skip(1);
    let address = arguments
        .next()
        .unwrap_or_else(|| "127.0.0.1:8000".to_owned());
    let file = arguments.next().unwrap_or_else(|| "notes.redb".to_owned());

    let notebook = Notebook::new(Store::open(file)?);
    mcp_codegen_runtime::serve_http(NotesServer::new(notebook), &address).await?;
    Ok(())
}
