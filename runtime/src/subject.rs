//! What a client asked for, in the words of messages.

use std::fmt;

/// What of a contract a message speaks of: ``prompt `review` ``.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// The tool of this name.
    Tool(&'static str),
    /// The resource or resource template of this name.
    Resource(&'static str),
    /// The prompt of this name.
    Prompt(&'static str),
    /// The values for an argument of a prompt or for a variable of a resource template.
    Completion {
        /// The name of the prompt or template.
        of: &'static str,
        /// The name of the argument or variable.
        argument: &'static str,
    },
}

impl Subject {
    /// What is held against a schema before user code runs.
    pub(crate) const fn input(self) -> &'static str {
        match self {
            Self::Tool(_) | Self::Prompt(_) | Self::Completion { .. } => "arguments",
            Self::Resource(_) => "variables",
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(name) => write!(f, "tool `{name}`"),
            Self::Resource(name) => write!(f, "resource `{name}`"),
            Self::Prompt(name) => write!(f, "prompt `{name}`"),
            Self::Completion { of, argument } => {
                write!(f, "completion of `{argument}` for `{of}`")
            }
        }
    }
}
