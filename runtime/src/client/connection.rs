//! What a client needs of a transport: requests out, results back.

use std::{future::ready, pin::Pin};

use serde_json::{Map, Value};

use super::TransportError;
use crate::{Revision, Tool, wire::RpcError};

/// A future of what a [`Connection`] does.
pub type ConnectionFuture<'a, T> =
    Pin<Box<dyn Future<Output = Result<T, ConnectionError>> + Send + 'a>>;

/// A connection to one server. A transport implements this; its opening handshake lies behind it.
pub trait Connection: Send + Sync + 'static {
    /// The protocol revision that both sides speak.
    fn revision(&self) -> Revision;

    /// Sends a request and gives its result, as MCP has it. Dropping the future tells the server, where the transport can.
    fn request<'a>(&'a self, request: Request<'a>) -> ConnectionFuture<'a, Map<String, Value>>;

    /// Ends the connection.
    fn close(&self) -> ConnectionFuture<'_, ()> {
        Box::pin(ready(Ok(())))
    }
}

/// What a client asks of a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Request<'a> {
    /// `tools/call`.
    CallTool {
        /// The tool; its definition says which arguments go into headers too.
        tool: &'a Tool,
        /// The arguments, which its input schema accepts.
        arguments: Map<String, Value>,
    },
    /// `resources/read`.
    ReadResource {
        /// The URI.
        uri: String,
    },
    /// `prompts/get`.
    GetPrompt {
        /// The prompt's name.
        name: &'a str,
        /// The arguments, which the contract accepts.
        arguments: Map<String, Value>,
    },
}

/// Why a request has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectionError {
    /// The server answered with a JSON-RPC error.
    Refused(RpcError),
    /// It did not answer, or not in MCP.
    Transport(TransportError),
}

impl From<RpcError> for ConnectionError {
    fn from(error: RpcError) -> Self {
        Self::Refused(error)
    }
}

impl From<TransportError> for ConnectionError {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}
