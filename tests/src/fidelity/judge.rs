//! An independent validator: the Python `jsonschema` package says which candidates are valid.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::subjects::{Instance, Subject};

/// How many instances of each verdict are kept per schema.
const KEPT: usize = 24;

const SCRIPT: &str = r#"
import json, sys, warnings
warnings.filterwarnings("ignore")
from jsonschema.validators import validator_for
from jsonschema import Draft202012Validator
for line in sys.stdin:
    case = json.loads(line)
    schema = case["schema"]
    cls = validator_for(schema, default=Draft202012Validator)
    validator = cls(schema)
    verdicts = []
    for instance in case["instances"]:
        try:
            verdicts.append(validator.is_valid(instance))
        except Exception as error:
            verdicts.append(None)
    print(json.dumps(verdicts))
"#;

/// Judges the candidates of all tool subjects and keeps some of each verdict.
///
/// # Errors
///
/// When Python or its `jsonschema` package is missing (`pip install jsonschema`; the variable
/// `FIDELITY_PYTHON` names the interpreter), or it fails.
pub fn tools(subjects: &mut [Subject]) -> io::Result<()> {
    let open: Vec<usize> = (0..subjects.len())
        .filter(|it| subjects[*it].id.starts_with("tools/"))
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let verdicts = ask(open.iter().map(|it| &subjects[*it]))?;
    for (index, verdicts) in open.into_iter().zip(verdicts) {
        let candidates = std::mem::take(&mut subjects[index].instances);
        subjects[index].instances = keep(candidates, &verdicts);
    }
    Ok(())
}

/// Takes the first [`KEPT`] of each verdict; what the judge could not say is left out.
fn keep(candidates: Vec<Instance>, verdicts: &[Option<bool>]) -> Vec<Instance> {
    let mut counts = [0, 0];
    let mut kept = Vec::new();
    for (mut instance, verdict) in candidates.into_iter().zip(verdicts) {
        let Some(valid) = *verdict else { continue };
        let count = &mut counts[usize::from(valid)];
        if *count < KEPT {
            *count += 1;
            instance.valid = valid;
            kept.push(instance);
        }
    }
    kept
}

fn ask<'a>(subjects: impl Iterator<Item = &'a Subject>) -> io::Result<Vec<Vec<Option<bool>>>> {
    let python =
        std::env::var_os("FIDELITY_PYTHON").map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    let mut child = Command::new(&python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::other(format!("{}: {error}", python.display())))?;
    let lines: Vec<String> = subjects
        .map(|it| {
            let instances: Vec<&Value> = it.instances.iter().map(|it| &it.value).collect();
            json!({ "schema": it.schema, "instances": instances }).to_string()
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
