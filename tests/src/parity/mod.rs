//! Parity with the other SDKs: their recorded calls, made again against generated servers.
//!
//! The contract of each server is what the recorded SDK listed; only the functions behind it are written anew, against the
//! generated trait. What is answered differently is named in `tests/parity/differences.json`, with a reason.

mod compare;
mod differences;
mod program;
mod recording;
mod session;
mod subject;
mod table;

use std::{io, path::Path};

pub use self::{
    compare::{Aspect, Difference},
    differences::{Differences, Sorted},
    subject::Subject,
    table::Table,
};
use self::{program::Program, recording::Recording, session::Session};

/// What one subject does in one revision.
#[derive(Clone, Debug)]
pub struct Run {
    /// The server.
    pub subject: Subject,
    /// The revision that the client speaks.
    pub revision: String,
    /// How many entries of the listing were compared.
    pub listed: usize,
    /// The calls that were made.
    pub calls: Vec<String>,
    /// What was answered differently.
    pub differences: Vec<Difference>,
}

/// Makes every recorded call of `folder` again.
///
/// # Errors
///
/// When files cannot be read or written, a contract is refused, the servers do not compile, or one of them does not answer.
pub fn run(folder: &Path) -> io::Result<Vec<Run>> {
    let recordings = Subject::ALL
        .iter()
        .map(|subject| Ok((*subject, recording::read(folder, subject.recordings())?)))
        .collect::<io::Result<Vec<_>>>()?;
    let program = Program::build(&recordings)?;
    let mut runs = Vec::new();
    for (subject, recordings) in &recordings {
        for recording in recordings {
            runs.push(replay(&program, *subject, recording)?);
        }
    }
    Ok(runs)
}

fn replay(program: &Program, subject: Subject, recording: &Recording) -> io::Result<Run> {
    let mut session = Session::open(program, subject, &recording.revision)?;
    let listing = session.request("tools/list", &serde_json::json!({}))?;
    let mut differences = compare::listing(&recording.tools, &listing);
    for exchange in &recording.exchanges {
        let answer = session.request("tools/call", &exchange.params)?;
        differences.extend(compare::answer(&exchange.case, &exchange.response, &answer));
    }
    Ok(Run {
        subject,
        revision: recording.revision.clone(),
        listed: recording.tools.len(),
        calls: recording
            .exchanges
            .iter()
            .map(|it| it.case.clone())
            .collect(),
        differences,
    })
}
