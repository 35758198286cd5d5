//! A notebook for each user: bearer tokens are checked in front of the MCP service, tools know whose call it is.
//!
//! ```sh
//! bearer-example [ADDRESS] [TOKENS]
//! ```
//!
//! serves `http://ADDRESS/mcp` (default `127.0.0.1:8000`) to whoever has one of the tokens in TOKENS (default `tokens.json`).

mod app;
mod layer;
mod notebooks;
mod tokens;

use std::{error::Error, fs};

use tokio::net::TcpListener;
use tracing_subscriber::filter::LevelFilter;

use crate::tokens::Tokens;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();

    let mut arguments = std::env::args().skip(1);
    let address = arguments
        .next()
        .unwrap_or_else(|| "127.0.0.1:8000".to_owned());
    let file = arguments.next().unwrap_or_else(|| "tokens.json".to_owned());

    let tokens: Tokens = serde_json::from_str(&fs::read_to_string(file)?)?;
    let listener = TcpListener::bind(&address).await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let ended = async {
        // Without a handler the signal ends the process, which is as good.
        let _ = tokio::signal::ctrl_c().await;
    };
    axum::serve(listener, app::router(tokens, &origin))
        .with_graceful_shutdown(ended)
        .await?;
    Ok(())
}
