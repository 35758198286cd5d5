//! How a call fails: by the tool's own decision, or because the contract was not kept.

use std::{error::Error, fmt};

use crate::{
    operator::{self, Chain},
    violation::{Violations, shortened},
};

/// What a tool's method returns.
pub type ToolResult<T> = Result<T, ToolError>;

/// A tool's failure.
///
/// [`ToolError::new`] carries a message for the model to read and correct. `?` on any other
/// error makes one whose details are for the operator alone: the error chain goes to
/// `tracing`, or to standard error where no subscriber is installed, and the client learns only that the tool failed,
/// unless [`with_message`] says more.
///
/// It is on purpose not itself an [`Error`]: only so can `?` convert every error into it.
///
/// [`with_message`]: ToolError::with_message
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{ToolError, ToolResult};
///
/// fn station(city: &str) -> ToolResult<u32> {
///     if city.is_empty() {
///         return Err(ToolError::new("name a city, for example `Oslo`"));
///     }
///     Ok("4711".parse()?) // the details of this error never reach the client
/// }
/// # assert!(station("").is_err() && station("Oslo").is_ok());
/// ```
#[derive(Debug)]
pub struct ToolError {
    message: Option<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// A failure with a message for the model.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: Some(message.into()),
            source: None,
        }
    }

    /// Shows `message` to the model; the error chain stays with the operator.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// What the client is shown; `None` for an error whose details are the operator's.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The error behind it, where `?` or [`From`] made this one.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }

    /// Tells the operator, then gives the text for the client.
    pub(crate) fn disclose(&self, tool: &str) -> String {
        if let Some(source) = &self.source {
            operator::failure(tool, "it failed", &Chain(source.as_ref()));
        }
        self.message
            .clone()
            .unwrap_or_else(|| format!("tool `{tool}` failed"))
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self {
            message: None,
            source: Some(Box::new(error)),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_deref().unwrap_or("the tool failed"))
    }
}

/// Why a call has no output.
///
/// Its `Display` is the text that the client gets. [`UnknownTool`](Self::UnknownTool) is a protocol
/// error; all others are tool results with `isError: true` ([`wire`](crate::wire) makes them).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The server has no such tool.
    UnknownTool {
        /// The name in the request.
        name: String,
    },
    /// The arguments break the input schema; user code did not run.
    InvalidArguments {
        /// The tool's name.
        tool: &'static str,
        /// All of them.
        violations: Violations,
    },
    /// What the tool returned breaks the output schema; it is not sent.
    InvalidOutput {
        /// The tool's name.
        tool: &'static str,
        /// All of them.
        violations: Violations,
    },
    /// The tool failed: by its own decision, or by an error or panic that was logged.
    Failed {
        /// The tool's name.
        tool: &'static str,
        /// What the client is shown.
        message: String,
    },
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name } => {
                write!(f, "unknown tool `{}`", shortened(name, 128))
            }
            Self::InvalidArguments { tool, violations } => {
                f.write_str(&violations.report(&format!("the arguments of `{tool}`")))
            }
            Self::InvalidOutput { tool, violations } => f.write_str(
                &violations.report(&format!("the result of `{tool}`, so it was not sent")),
            ),
            Self::Failed { message, .. } => f.write_str(message),
        }
    }
}

impl Error for CallError {}
