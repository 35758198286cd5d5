//! An independent validator: the Python `jsonschema` package says which candidates are valid.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    sample,
    subjects::{Instance, Subject},
};

/// How many instances of each verdict a schema has to have.
pub const WANTED: usize = 20;

/// How many are kept.
const KEPT: usize = 24;

/// How often candidates are made for a schema that has too few of either verdict.
const ROUNDS: usize = 8;

const SCRIPT: &str = include_str!("judge.py");

/// What the judge says of one schema.
#[derive(Debug, Deserialize)]
struct Verdicts {
    /// One per candidate; `None` where it cannot say.
    verdicts: Vec<Option<bool>>,
    /// Why it could not, the last time.
    error: Option<String>,
}

/// Makes candidates for all subjects that want any, has them judged, and keeps some of each verdict.
///
/// # Errors
///
/// When Python or its `jsonschema` package is missing (`pip install jsonschema`; the variable
/// `FIDELITY_PYTHON` names the interpreter), or it fails.
pub fn sampled(subjects: &mut [Subject]) -> io::Result<()> {
    for round in 0..ROUNDS {
        let open: Vec<usize> = (0..subjects.len())
            .filter(|it| subjects[*it].sampled && wants_more(&subjects[*it]))
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        crate::progress(&format!(
            "round {round} of instances: {} schemas",
            open.len()
        ));
        let candidates: Vec<Vec<Instance>> =
            open.iter().map(|it| fresh(&subjects[*it], round)).collect();
        let asked = open.iter().map(|it| &subjects[*it]).zip(&candidates);
        let verdicts = ask(asked)?;
        for ((index, candidates), verdicts) in open.into_iter().zip(candidates).zip(verdicts) {
            keep(&mut subjects[index], candidates, verdicts);
        }
    }
    Ok(())
}

/// How many valid and how many invalid instances there are.
pub fn counts(subject: &Subject) -> (usize, usize) {
    let valid = subject.instances.iter().filter(|it| it.valid).count();
    (valid, subject.instances.len() - valid)
}

fn wants_more(subject: &Subject) -> bool {
    let (valid, invalid) = counts(subject);
    valid.min(invalid) < WANTED
}

/// Candidates that are not yet among the instances.
fn fresh(subject: &Subject, round: usize) -> Vec<Instance> {
    let mut candidates = sample::candidates(&subject.schema, &subject.id, round);
    candidates.retain(|it| !subject.instances.iter().any(|kept| kept.value == it.value));
    candidates
}

/// Takes up to [`KEPT`] of each verdict; what the judge could not say is left out.
fn keep(subject: &mut Subject, candidates: Vec<Instance>, judged: Verdicts) {
    let (valid, invalid) = counts(subject);
    let mut counts = [invalid, valid];
    for (mut instance, verdict) in candidates.into_iter().zip(judged.verdicts) {
        let Some(valid) = verdict else { continue };
        let count = &mut counts[usize::from(valid)];
        if *count < KEPT {
            *count += 1;
            instance.valid = valid;
            subject.instances.push(instance);
        }
    }
    subject.unjudged = judged.error;
}

fn ask<'a>(
    asked: impl Iterator<Item = (&'a Subject, &'a Vec<Instance>)>,
) -> io::Result<Vec<Verdicts>> {
    let python =
        std::env::var_os("FIDELITY_PYTHON").map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    let mut child = Command::new(&python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::other(format!("{}: {error}", python.display())))?;
    let lines: Vec<String> = asked
        .map(|(subject, candidates)| {
            let instances: Vec<&Value> = candidates.iter().map(|it| &it.value).collect();
            json!({ "schema": subject.schema, "instances": instances }).to_string()
        })
        .collect();
    let mut input = child
        .stdin
        .take()
        .ok_or_else(|| io::Error::other("the judge has no input"))?;
    let writer =
        std::thread::spawn(move || lines.iter().try_for_each(|it| writeln!(input, "{it}")));
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let hint = "the judge failed: it needs Python with the package `jsonschema`; FIDELITY_PYTHON names the interpreter";
        return Err(io::Error::other(hint));
    }
    writer
        .join()
        .map_err(|_| io::Error::other("writing to the judge panicked"))??;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .map(|it| serde_json::from_str(it).map_err(io::Error::other))
        .collect()
}
