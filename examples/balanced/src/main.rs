//! The weather from several processes: start some servers, and a load balancer in front of them.
//!
//! ```sh
//! balanced-example serve ADDRESS
//! balanced-example proxy ADDRESS SERVER...
//! ```
//!
//! Each says on standard output where it listens; port 0 takes a free one.

mod proxy;

use std::{
    error::Error,
    io::{self, Write as _},
    net::SocketAddr,
};

use hyper::http::uri::Authority;
use mcp_codegen_runtime::{HttpConfig, HttpServer};
use tokio::net::TcpListener;
use tracing_subscriber::filter::LevelFilter;

use crate::proxy::Proxy;

const USAGE: &str = "usage: balanced-example serve ADDRESS | proxy ADDRESS SERVER...";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(io::stderr)
        .init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", address] => serve(address).await,
        ["proxy", address, ref servers @ ..] if !servers.is_empty() => {
            let servers: Result<Vec<Authority>, _> = servers.iter().map(|it| it.parse()).collect();
            balance(address, Proxy::new(servers?)).await
        }
        _ => Err(USAGE.into()),
    }
}

/// One of the servers. There is nothing to set up: without sessions, which is the default, a request needs nothing that an
/// earlier one left behind.
///
/// The proxy hands on what the client wrote into `Host`, so a server that is reached by a name has to allow it, with
/// `HttpConfig::allow_host`.
async fn serve(address: &str) -> Result<(), Box<dyn Error>> {
    let server =
        HttpServer::bind(weather_example::server(), address, HttpConfig::default()).await?;
    let handle = server.shutdown_handle();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            handle.shutdown();
        }
    });
    announce(server.local_addr())?;
    server.serve().await;
    Ok(())
}

/// The load balancer.
async fn balance(address: &str, proxy: Proxy) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await?;
    announce(listener.local_addr()?)?;
    tokio::select! {
        () = proxy.serve(listener) => {}
        ended = tokio::signal::ctrl_c() => ended?,
    }
    Ok(())
}

fn announce(address: SocketAddr) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "listening on {address}")?;
    out.flush()
}
