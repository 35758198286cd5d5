//! Why contracts could not be compiled.

use std::fmt;

use mcp_codegen::{Failure, sync::SyncError};

/// Why contracts could not be compiled: the rendered report of every finding, or what could not be read or written.
///
/// `Debug` is the report as well, laid out for people: it is what cargo shows when `main` returns the error or unwraps it.
pub struct Error {
    report: String,
}

impl Error {
    /// An error from text of one or more lines.
    pub(crate) fn new(report: impl Into<String>) -> Self {
        Self {
            report: report.into(),
        }
    }
}

impl From<Box<Failure>> for Error {
    fn from(failure: Box<Failure>) -> Self {
        Self::new(failure.to_string())
    }
}

impl From<SyncError> for Error {
    fn from(error: SyncError) -> Self {
        Self::new(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report.trim_end())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `main` puts `Error: ` before it, `unwrap` a sentence: the report starts on its own line.
        write!(f, "the contract could not be compiled\n\n{self}\n")
    }
}

impl std::error::Error for Error {}
