//! Why a verb could not do its work at all: wrong usage, or a file that cannot be read or written.

use std::{fmt, io, path::Path};

/// One lowercase sentence, and what to do about it where that is known. Ends the run with exit code 2.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    /// A failure without help.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
        }
    }

    /// ``cannot <verb> `<path>`: <cause>``.
    pub(crate) fn io(verb: &str, path: &Path, cause: &io::Error) -> Self {
        Self::new(format!("cannot {verb} `{}`: {cause}", path.display()))
    }

    /// Says what to do.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What to do about it.
    pub(crate) fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
