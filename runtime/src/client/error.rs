//! Why a call through a client gives no value.

use std::{error::Error, fmt};

use super::{ConnectionError, Reply};
use crate::{Subject, Violations, wire::RpcError};

/// Why a call through a client gives no value: who said no.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::client::ClientError;
///
/// fn what_to_do(error: &ClientError) -> &'static str {
///     match error {
///         ClientError::Tool(_) => "read what the tool says and ask otherwise",
///         ClientError::Contract(_) => "contract and server do not agree: generate again, or tell who runs it",
///         ClientError::Transport(_) => "connect again",
///         _ => "look at the message",
///     }
/// }
/// # let _ = what_to_do;
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The tool said no: its result has `isError: true`.
    Tool(ToolFailure),
    /// What would have been sent, or what came back, breaks the contract.
    Contract(Breach),
    /// The server answered with a JSON-RPC error: it has no such tool, resource or prompt, or failed in a way that has no result.
    Refused(RpcError),
    /// The server did not answer, or not in MCP.
    Transport(TransportError),
}

/// What a tool said instead of giving a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolFailure {
    tool: String,
    /// Boxed, so that an error is not larger than most results.
    reply: Box<Reply>,
}

/// What breaks the contract, and on which way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breach {
    /// What was asked for.
    pub subject: Subject,
    /// Whether it was to be sent or was received.
    pub direction: Direction,
    /// All of it.
    pub violations: Violations,
}

/// Which way a value was on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the server: arguments or variables. Nothing was sent.
    Sent,
    /// From the server: a result.
    Received,
}

/// Why a server could not be reached, or what it says could not be understood.
#[derive(Debug)]
pub struct TransportError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolFailure {
    pub(super) fn new(tool: &str, reply: Reply) -> Self {
        Self {
            tool: tool.to_owned(),
            reply: Box::new(reply),
        }
    }

    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// What it said, as text.
    pub fn text(&self) -> String {
        self.reply.text()
    }

    /// All that it said.
    pub fn reply(&self) -> &Reply {
        &self.reply
    }
}

impl TransportError {
    /// A failure in words.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    /// Adds the error behind it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

impl From<ConnectionError> for ClientError {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Refused(error) => Self::Refused(error),
            ConnectionError::Transport(error) => Self::Transport(error),
        }
    }
}

impl From<TransportError> for ClientError {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl From<Breach> for ClientError {
    fn from(breach: Breach) -> Self {
        Self::Contract(breach)
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(failure) => failure.fmt(f),
            Self::Contract(breach) => breach.fmt(f),
            Self::Refused(error) => {
                write!(f, "the server refuses: {} ({})", error.message, error.code)
            }
            Self::Transport(error) => error.fmt(f),
        }
    }
}

impl Error for ClientError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // Its message is this one's already.
            Self::Transport(error) => error.source(),
            Self::Tool(_) | Self::Contract(_) | Self::Refused(_) => None,
        }
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        if text.is_empty() {
            return write!(f, "tool `{}` failed and does not say why", self.tool);
        }
        write!(f, "tool `{}` says: {text}", self.tool)
    }
}

impl Error for ToolFailure {}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = self.subject;
        let place = match self.direction {
            Direction::Sent => format!("the {} of {subject}, so nothing was sent", subject.input()),
            Direction::Received => format!("what the server answers for {subject}"),
        };
        f.write_str(&self.violations.report(&place))
    }
}

impl Error for Breach {}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.source {
            Some(source) => Some(source.as_ref()),
            None => None,
        }
    }
}
