//! The way back to the client while a call runs.

use std::{fmt, pin::Pin};

use serde_json::Value;

use crate::{AskError, Question};

/// A future of what a [`Peer`] does.
pub type PeerFuture<'a, T = ()> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The client, as a running call can reach it. A transport implements this.
///
/// A notification that cannot be sent is dropped: a call does not fail for its progress bar.
pub trait Peer: Send + Sync + 'static {
    /// Sends `notifications/progress`, if the request carried a progress token.
    fn progress(&self, progress: Progress) -> PeerFuture<'_>;

    /// Sends `notifications/message`, if the client wants messages of this level.
    fn log(&self, level: LogLevel, data: Value) -> PeerFuture<'_>;

    /// Sends a request and waits for its result. Only clients before 2026-07-28 are asked this way.
    fn ask<'a>(&'a self, question: &'a Question) -> PeerFuture<'a, Result<Value, AskError>> {
        let _ = question;
        Box::pin(async { Err(AskError::unreachable("its transport carries no requests")) })
    }
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Grows with each notification, in a unit of the tool's choice.
    pub done: f64,
    /// What `done` will be at the end, where that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

impl Progress {
    /// `done` units of an unknown total.
    pub fn new(done: f64) -> Self {
        Self {
            done,
            total: None,
            message: None,
        }
    }

    /// Says what `done` will be at the end.
    #[must_use]
    pub fn of(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Says what is being done.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

/// The severity of a log message (RFC 5424); graver ones compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Detail for developers.
    Debug,
    /// Ordinary progress.
    Info,
    /// Ordinary, but worth noticing.
    Notice,
    /// Something is off.
    Warning,
    /// An operation failed.
    Error,
    /// A component failed.
    Critical,
    /// Somebody must act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// As on the wire: `warning`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
