//! Compiles generated code in batches under `deny(warnings)` and asks it about every instance.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    args::Args,
    generate::{Product, module},
    model,
    subjects::{Side, Subject},
};
use crate::scratch::{self, Scratch};

/// How many subjects are compiled in one crate.
pub(super) const BATCH: usize = 120;

const PACKAGE: &str = "fidelity-batch";

/// What compiling a subject and asking its code came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What rustc said, when it refused the code.
    pub compiler: Option<String>,
    /// One answer per instance, while the program lived.
    pub answers: Vec<Answer>,
}

/// What happened to one instance; written by the probe.
#[derive(Clone, Debug, Deserialize)]
pub struct Answer {
    /// The type alone accepts it.
    pub by_type: bool,
    /// What the type makes of it when it is sent as an output; absent where that is refused.
    #[serde(default, deserialize_with = "mcp_codegen_runtime::de::some")]
    pub written: Option<Value>,
    /// Why the whole path refused it.
    pub refused: Option<String>,
    /// What it serializes back to; absent when there is nothing, since `null` is a value.
    #[serde(default, deserialize_with = "mcp_codegen_runtime::de::some")]
    pub kept: Option<Value>,
    /// Why it does not serialize back.
    pub lost: Option<String>,
}

/// Compiles and asks all generated subjects.
///
/// # Errors
///
/// When files cannot be written or cargo cannot be started.
pub fn run(subjects: &[Subject], products: &[Product], args: &Args) -> io::Result<Vec<Outcome>> {
    if args.model {
        return Ok(model::ask(subjects, products));
    }
    let mut outcomes = vec![Outcome::default(); subjects.len()];
    let made: Vec<usize> = (0..subjects.len())
        .filter(|it| matches!(products[*it], Product::Code(_)))
        .collect();
    for (number, batch) in made.chunks(BATCH).enumerate() {
        crate::progress(&format!(
            "compiling {} of {} schemas",
            (number * BATCH + batch.len()),
            made.len()
        ));
        let scratch = Scratch::new("fidelity-batch")?;
        if args.keep {
            crate::progress(&format!("batch {number}: {}\n", scratch.path().display()));
        }
        let mut left: Vec<usize> = batch.to_vec();
        build(&scratch, subjects, products, &mut left, &mut outcomes)?;
        ask(&scratch, PACKAGE, subjects, &left, &mut outcomes)?;
        if args.keep {
            std::mem::forget(scratch);
        }
    }
    Ok(outcomes)
}

/// Writes and compiles a batch.
fn build(
    scratch: &Scratch,
    subjects: &[Subject],
    products: &[Product],
    left: &mut Vec<usize>,
    outcomes: &mut [Outcome],
) -> io::Result<()> {
    scratch.write("Cargo.toml", &scratch::manifest(PACKAGE, "2024", &["idn"]))?;
    scratch.write("src/probe.rs", include_str!("probe.rs.txt"))?;
    for index in left.iter() {
        write_trees(scratch, *index, &products[*index], subjects[*index].side)?;
    }
    compile(scratch, left, outcomes, program)?
        .map_err(|text| io::Error::other(format!("the batch does not compile:\n{text}")))
}

/// Builds a batch whose subjects stand in their [`folder`]s; what rustc refuses is taken out and noted, and
/// the rest tried again.
///
/// The inner error is what rustc said when it names none of the subjects.
pub(super) fn compile(
    scratch: &Scratch,
    left: &mut Vec<usize>,
    outcomes: &mut [Outcome],
    program: impl Fn(&[usize]) -> String,
) -> io::Result<Result<(), String>> {
    loop {
        scratch.write("src/main.rs", &program(left))?;
        let output = scratch::cargo(
            scratch.path(),
            &["build", "--quiet", "--message-format=short"],
        )?;
        if output.status.success() {
            return Ok(Ok(()));
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let wrong: BTreeSet<usize> = left
            .iter()
            .copied()
            .filter(|it| text.contains(&folder(*it)))
            .collect();
        if wrong.is_empty() {
            return Ok(Err(text));
        }
        for index in &wrong {
            let lines = text.lines().filter(|it| it.contains(&folder(*index)));
            outcomes[*index].compiler = Some(lines.take(3).collect::<Vec<_>>().join("\n"));
        }
        left.retain(|it| !wrong.contains(it));
    }
}

/// Where a subject's code stands under `src`; rustc names the folder in its messages.
pub(super) fn folder(index: usize) -> String {
    format!("trees/{}/", module(index))
}

fn write_trees(scratch: &Scratch, index: usize, product: &Product, side: Side) -> io::Result<()> {
    let Product::Code(code) = product else {
        return Ok(());
    };
    let own = format!("{}.rs", module(index));
    for (mode, files) in [("default", &code.default), ("keep", &code.keep)] {
        for (path, text) in files {
            let mut text = text.clone();
            if *path == own {
                // Roots need not have a name, and the program needs one for what the trait's method names.
                let root = root_type(&text, side).ok_or_else(|| {
                    io::Error::other(format!("{own}: no method `t` in the trait:\n{text}"))
                })?;
                text = format!("{text}\n/// What is under test.\npub type UnderTest = {root};\n");
            }
            scratch.write(&format!("src/{}{mode}/{path}", folder(index)), &text)?;
        }
    }
    Ok(())
}

/// The type of the trait's method `t` for one side, as it is written there.
pub(super) fn root_type(text: &str, side: Side) -> Option<String> {
    let before = match side {
        Side::Input => "input: ",
        Side::Output => "ToolResult<",
    };
    let (_, method) = text.split_once("fn t(")?;
    let (_, from) = method.split_once(before)?;
    let mut depth = 0_usize;
    for (at, it) in from.char_indices() {
        match it {
            '<' | '(' | '[' => depth += 1,
            ',' | '>' | ')' | ']' if depth == 0 => return Some(from[..at].trim().to_owned()),
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The program of a batch: every tree as a module, and one arm per subject.
fn program(left: &[usize]) -> String {
    let mut text =
        String::from("#![deny(warnings)]\n#![recursion_limit = \"512\"]\n\nmod probe;\n");
    let mut arms = String::new();
    for index in left {
        let (name, folder) = (module(*index), folder(*index));
        for mode in ["default", "keep"] {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "#[path = \"{folder}{mode}/mod.rs\"]\nmod {name}_{mode};"
            );
        }
        let (default, keep) = (
            format!("{name}_default::{name}"),
            format!("{name}_keep::{name}"),
        );
        let _ = writeln!(
            arms,
            "        {index} => probe::ask::<{default}::UnderTest, {keep}::UnderTest>(&{default}::CONTRACT, &{keep}::CONTRACT, side, value),"
        );
    }
    let _ = write!(
        text,
        "\nfn main() {{\n    probe::main(answer);\n}}\n\nfn answer(subject: usize, side: char, value: &mcp_codegen_runtime::Value) -> Option<probe::Answer> {{\n    Some(match subject {{\n{arms}        _ => return None,\n    }})\n}}\n"
    );
    text
}

/// Asks the built program of the package about every instance of the subjects.
pub(super) fn ask(
    scratch: &Scratch,
    package: &str,
    subjects: &[Subject],
    left: &[usize],
    outcomes: &mut [Outcome],
) -> io::Result<()> {
    // A copy, since the next batch is built under the same name.
    let program = scratch.path().join("probe");
    fs::copy(scratch::target().join("debug").join(package), &program)?;
    let mut waiting: Vec<usize> = left.to_vec();
    while !waiting.is_empty() {
        let answered = ask_until_it_dies(&program, subjects, &waiting, outcomes)?;
        waiting.drain(..answered.min(waiting.len()));
    }
    Ok(())
}

/// Asks about the subjects in order and says how many are done; a subject at which the program
/// died counts as done, with the answers it gave.
fn ask_until_it_dies(
    program: &Path,
    subjects: &[Subject],
    waiting: &[usize],
    outcomes: &mut [Outcome],
) -> io::Result<usize> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child
        .stdin
        .take()
        .ok_or_else(|| io::Error::other("the probe has no input"))?;
    let output = child
        .stdout
        .take()
        .ok_or_else(|| io::Error::other("the probe has no output"))?;
    let questions = questions(subjects, waiting);
    // The program may die before it has read everything: then its answers end early.
    let writer =
        std::thread::spawn(move || questions.iter().try_for_each(|it| writeln!(input, "{it}")));
    let mut lines = BufReader::new(output).lines();
    let mut done = 0;
    for index in waiting {
        done += 1;
        for _ in &subjects[*index].instances {
            let Some(line) = lines.next() else { break };
            outcomes[*index]
                .answers
                .push(serde_json::from_str(&line?).map_err(io::Error::other)?);
        }
        if outcomes[*index].answers.len() < subjects[*index].instances.len() {
            break;
        }
    }
    drop(lines);
    // Neither the exit code nor a broken pipe says more than the missing answers do.
    let _ = child.wait()?;
    let _ = writer.join();
    Ok(done)
}

fn questions(subjects: &[Subject], waiting: &[usize]) -> Vec<String> {
    let mut all = Vec::new();
    for index in waiting {
        let side = if subjects[*index].side == Side::Input {
            'i'
        } else {
            'o'
        };
        for instance in &subjects[*index].instances {
            all.push(
                json!({ "subject": index, "side": side, "value": instance.value }).to_string(),
            );
        }
    }
    all
}
