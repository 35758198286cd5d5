//! One client at the standard streams of a server, in one protocol era.

use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{Program, Subject};

/// How long a server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, and how it is spoken to.
#[derive(Debug)]
pub(super) struct Session {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Value>,
    /// What every request carries; absent in the era of `initialize`.
    meta: Option<Value>,
    last_id: u64,
}

impl Session {
    /// Starts the server of a subject and, before 2026-07-28, introduces itself.
    pub(super) fn open(program: &Program, subject: Subject, revision: &str) -> io::Result<Self> {
        let mut child = Command::new(program.path())
            .arg(subject.as_str())
            .current_dir(program.folder())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let none = || io::Error::other("the server has no standard streams");
        let input = child.stdin.take().ok_or_else(none)?;
        let output = child.stdout.take().ok_or_else(none)?;
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // What is no JSON is missed as an answer.
                let Ok(value) = serde_json::from_str(&line) else {
                    continue;
                };
                if sender.send(value).is_err() {
                    break;
                }
            }
        });
        let mut session = Self {
            child,
            input,
            answers,
            meta: None,
            last_id: 0,
        };
        session.introduce(revision)?;
        Ok(session)
    }

    fn introduce(&mut self, revision: &str) -> io::Result<()> {
        let client = json!({ "name": "parity", "version": "0" });
        // Revisions are dates, so they compare as texts.
        if revision >= "2026-07-28" {
            self.meta = Some(json!({
                "io.modelcontextprotocol/protocolVersion": revision,
                "io.modelcontextprotocol/clientInfo": client,
                "io.modelcontextprotocol/clientCapabilities": {},
            }));
            return Ok(());
        }
        let hello =
            json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
        let answer = self.request("initialize", &hello)?;
        if answer["result"]["protocolVersion"] != revision {
            return Err(io::Error::other(format!("asked for {revision}: {answer}")));
        }
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
    }

    /// Sends a request and waits for its response.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut params = params.clone();
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let answer = self.answers.recv_timeout(PATIENCE).map_err(|error| {
                io::Error::other(format!("no answer to {method} {params}: {error}"))
            })?;
            if answer["id"] == id {
                return Ok(answer);
            }
        }
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        writeln!(self.input, "{message}")?;
        self.input.flush()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
