//! Streamable HTTP: settings, a tower service, and a server of its own.

mod config;
mod server;
mod service;

pub use config::{Allow, HttpConfig};
pub use server::{HttpServer, RemoteAddr, ShutdownHandle, serve_http, serve_http_with};
pub use service::{HttpBody, HttpService, http_service};
