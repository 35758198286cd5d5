//! How a call fails: by the tool's own decision, or because the contract was not kept.

use std::{error::Error, fmt};

use crate::{
    Ability, AskError, InputRequired, Subject,
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
    pub(crate) fn disclose(&self, subject: Subject) -> String {
        if let Some(source) = &self.source {
            operator::failure(&subject, "it failed", &Chain(source.as_ref()));
        }
        self.message
            .clone()
            .unwrap_or_else(|| format!("{subject} failed"))
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
/// Its `Display` is the text that the client gets. For a tool, [`UnknownTool`](Self::UnknownTool),
/// [`InvalidAnswer`](Self::InvalidAnswer) and, since 2026-07-28, [`MissingAbility`](Self::MissingAbility) are protocol
/// errors, and all others are tool results with `isError: true`; for resources, prompts and completions, which have no such
/// results, all are protocol errors ([`wire`](crate::wire) makes them).
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
    /// The method waits for answers of the client, which is to repeat its request with them: no failure.
    InputRequired(InputRequired),
    /// What the client sent as an answer of its user, or as `requestState`, is none.
    InvalidAnswer {
        /// What the client is shown.
        message: String,
    },
    /// The method cannot go on without asking for what the client does not say that it can be asked for.
    MissingAbility {
        /// What the client would have to be capable of.
        ability: Ability,
        /// What the client is shown.
        message: String,
    },
    /// The server has no resource with this URI, and no template that it matches.
    UnknownResource {
        /// The URI in the request.
        uri: String,
    },
    /// The server has no such prompt.
    UnknownPrompt {
        /// The name in the request.
        name: String,
    },
    /// The server has no such argument or variable to complete.
    UnknownArgument {
        /// The prompt's name or the template's `uriTemplate` in the request.
        of: String,
        /// The name in the request.
        argument: String,
    },
    /// The arguments of a prompt, or the variables in the URI of a resource, break their schema; user code did not run.
    InvalidParams {
        /// What was asked for.
        subject: Subject,
        /// All of them.
        violations: Violations,
    },
    /// A resource, prompt or completion failed: by its own decision, or by an error or panic that was logged.
    Unavailable {
        /// What was asked for.
        subject: Subject,
        /// What the client is shown.
        message: String,
    },
}

impl CallError {
    /// What the client passed for `subject` breaks its schema.
    pub(crate) fn invalid(subject: Subject, violations: Violations) -> Self {
        match subject {
            Subject::Tool(tool) => Self::InvalidArguments { tool, violations },
            Subject::Resource(_) | Subject::Prompt(_) | Subject::Completion { .. } => {
                Self::InvalidParams {
                    subject,
                    violations,
                }
            }
        }
    }

    /// The method behind `subject` ended with `error`; the operator is told what the client is not.
    pub(crate) fn failed(subject: Subject, error: &ToolError) -> Self {
        let source = error.source().and_then(|it| it.downcast_ref());
        if let Some(&AskError::Unable { ability }) = source {
            // The client's to mend; nothing broke that the operator would have to know of.
            let message = error.message().unwrap_or(ability.missing()).to_owned();
            return Self::MissingAbility { ability, message };
        }
        Self::of(subject, error.disclose(subject))
    }

    /// The method behind `subject` panicked; the operator is told how.
    pub(crate) fn panicked(subject: Subject, panic: &str) -> Self {
        operator::failure(&subject, "it panicked", &panic);
        Self::of(subject, format!("{subject} failed"))
    }

    fn of(subject: Subject, message: String) -> Self {
        match subject {
            Subject::Tool(tool) => Self::Failed { tool, message },
            Subject::Resource(_) | Subject::Prompt(_) | Subject::Completion { .. } => {
                Self::Unavailable { subject, message }
            }
        }
    }
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
            Self::Failed { message, .. }
            | Self::Unavailable { message, .. }
            | Self::InvalidAnswer { message }
            | Self::MissingAbility { message, .. } => f.write_str(message),
            Self::InputRequired(_) => {
                f.write_str("the client has to answer first, and cannot here")
            }
            Self::UnknownResource { uri } => {
                write!(f, "unknown resource `{}`", shortened(uri, 300))
            }
            Self::UnknownPrompt { name } => {
                write!(f, "unknown prompt `{}`", shortened(name, 128))
            }
            Self::UnknownArgument { of, argument } => {
                let (of, argument) = (shortened(of, 300), shortened(argument, 128));
                write!(f, "`{of}` has no argument `{argument}`")
            }
            Self::InvalidParams {
                subject,
                violations,
            } => f.write_str(&violations.report(&format!("the {} of {subject}", subject.input()))),
        }
    }
}

impl Error for CallError {}
