//! The peer: typify 0.8 on the same subjects, judged on the same instances.
//!
//! It is given the best chance: each schema in each mode that it may take, no warnings denied, and a process of its
//! own per fault. Its code is asked as its users ask it, through `serde_json`.

mod columns;
mod compile;
mod generate;
#[cfg(feature = "peer")]
pub mod typify;

use std::io;

pub use columns::Columns;

use super::{args::Args, batch::Outcome, subjects::Subject};

/// The first argument of `fidelity` when it is the process in which the peer runs.
pub const WORKER: &str = "--peer-worker";

/// What the peer made of a subject.
#[derive(Clone, Debug)]
pub enum Made {
    /// Code, and what became of it.
    Code(Outcome),
    /// An error that the peer returned.
    Refused(String),
    /// A panic, or the end of its process.
    Died(String),
}

impl Made {
    /// A line on why there is nothing to ask.
    pub(super) fn failure(&self) -> Option<String> {
        let (what, reason) = match self {
            Self::Code(outcome) => ("does not compile", outcome.compiler.as_ref()?),
            Self::Refused(reason) => ("error", reason),
            Self::Died(reason) => ("panic", reason),
        };
        let line: String = reason
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(200)
            .collect();
        Some(format!("{what}: {line}"))
    }
}

/// Code for one subject, or why there is none.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) enum Generated {
    /// One module per mode that gave any, the plainest mode first.
    Code(Vec<String>),
    /// An error that the peer returned.
    Refused(String),
    /// A panic, or the end of its process.
    Died(String),
}

/// Generates, compiles and asks.
///
/// # Errors
///
/// When files cannot be written, or the peer's process or cargo cannot be started.
pub fn run(subjects: &[Subject], args: &Args) -> io::Result<Vec<Made>> {
    let generated = generate::all(subjects)?;
    let outcomes = compile::run(subjects, &generated, args)?;
    let made = generated.into_iter().zip(outcomes);
    Ok(made
        .map(|(generated, outcome)| match generated {
            Generated::Code(_) => Made::Code(outcome),
            Generated::Refused(reason) => Made::Refused(reason),
            Generated::Died(reason) => Made::Died(reason),
        })
        .collect())
}
