//! Drives the process in which the peer runs; what kills or hangs it costs one subject.

use std::{
    env,
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::{Generated, WORKER};
use crate::fidelity::subjects::Subject;

/// Far more than any schema takes that ends at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// Has the peer generate every subject.
pub(super) fn all(subjects: &[Subject]) -> io::Result<Vec<Generated>> {
    let mut worker = Worker::start()?;
    let mut all = Vec::with_capacity(subjects.len());
    for subject in subjects {
        let answer = worker.ask(&subject.schema);
        if answer.is_none() {
            worker = Worker::start()?;
        }
        all.push(
            answer.unwrap_or_else(|| {
                Generated::Died("its process ended, or did not answer".to_owned())
            }),
        );
    }
    Ok(all)
}

/// The running process; dropping it ends it.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start() -> io::Result<Self> {
        // Not inherited: it says of every panic what the answers say too.
        let mut child = Command::new(env::current_exe()?)
            .arg(WORKER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || io::Error::other("the peer's process has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let (sender, answers) = mpsc::channel();
        // Ends with the process, whose end closes the pipe.
        thread::spawn(move || {
            let lines = output.lines().map_while(Result::ok);
            lines.map(|it| sender.send(it)).all(|it| it.is_ok())
        });
        Ok(Self {
            child,
            input,
            answers,
        })
    }

    /// `None` when it died of the schema, or was about to take forever.
    fn ask(&mut self, schema: &Value) -> Option<Generated> {
        writeln!(self.input, "{schema}").ok()?;
        let line = self.answers.recv_timeout(PATIENCE).ok()?;
        serde_json::from_str(&line).ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be dead already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
