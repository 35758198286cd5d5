//! The adapter to the official SDK: everything here, and nothing elsewhere, names `rmcp`.
//!
//! It turns a request into a [`ToolCall`](crate::ToolCall), and what came of it into a result, for the revisions with
//! `initialize` and for 2026-07-28. What the protocol asks beyond rmcp's defaults is done here: see
//! [`Handler`].

mod ask;
mod catalog;
#[cfg(feature = "client")]
mod client;
mod completion;
mod context;
mod error;
mod handler;
mod input;
#[cfg(feature = "stdio")]
mod lines;
mod log;
mod paging;
mod prompts;
mod resources;
mod result;
mod router;
#[cfg(any(feature = "stdio", feature = "http"))]
mod shutdown;
#[cfg(feature = "stdio")]
mod stdio;
#[cfg(feature = "http")]
mod streamable;
mod subscriptions;
mod unsupported;

/// The types of HTTP: a call's `cx.extensions()` has the head of its request as [`request::Parts`](http::request::Parts).
#[cfg(feature = "http")]
pub use hyper::http;

#[cfg(feature = "client")]
pub use self::client::Connector;
#[cfg(feature = "stdio")]
pub use self::stdio::{serve_io, serve_stdio};
#[cfg(feature = "http")]
pub use self::streamable::{
    Allow, HttpBody, HttpConfig, HttpServer, HttpService, RemoteAddr, ShutdownHandle, http_service,
    serve_http, serve_http_with,
};
pub use self::{
    error::ServeError,
    handler::{Handler, into_handler},
};
