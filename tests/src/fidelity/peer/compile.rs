//! Compiles the peer's code in batches and asks it about every instance.

use std::{fmt::Write as _, io};

use super::Generated;
use crate::{
    fidelity::{
        args::Args,
        batch::{self, BATCH, Outcome},
        generate::module,
        subjects::Subject,
    },
    scratch::Scratch,
};

const PACKAGE: &str = "fidelity-peer";

/// With what typify's documentation asks for, and what formats and patterns turn into.
const MANIFEST: &str = r#"[package]
name = "fidelity-peer"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[dependencies]
chrono = { version = "0.4", default-features = false, features = ["serde", "std"] }
regress = { version = "0.12", default-features = false, features = ["std"] }
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["preserve_order"] }
uuid = { version = "1", default-features = false, features = ["serde", "std"] }
"#;

/// Compiles and asks every subject, in its next mode where rustc refuses the first.
pub(super) fn run(
    subjects: &[Subject],
    generated: &[Generated],
    args: &Args,
) -> io::Result<Vec<Outcome>> {
    let mut outcomes = vec![Outcome::default(); subjects.len()];
    let mut mode = 0;
    loop {
        let open: Vec<usize> = (0..subjects.len())
            .filter(|it| mode == 0 || outcomes[*it].compiler.is_some())
            .filter(|it| code(&generated[*it], mode).is_some())
            .collect();
        if open.is_empty() {
            return Ok(outcomes);
        }
        for (number, chunk) in open.chunks(BATCH).enumerate() {
            let (done, all) = (number * BATCH + chunk.len(), open.len());
            crate::progress(&format!("compiling {done} of {all} schemas of the peer"));
            let mut round = Round {
                subjects,
                generated,
                mode,
                keep: args.keep,
                outcomes: &mut outcomes,
            };
            round.attempt(chunk)?;
        }
        mode += 1;
    }
}

fn code(generated: &Generated, mode: usize) -> Option<&str> {
    match generated {
        Generated::Code(modes) => modes.get(mode).map(String::as_str),
        Generated::Refused(_) | Generated::Died(_) => None,
    }
}

/// One mode of all subjects.
struct Round<'a> {
    subjects: &'a [Subject],
    generated: &'a [Generated],
    mode: usize,
    keep: bool,
    outcomes: &'a mut [Outcome],
}

impl Round<'_> {
    /// Compiles and asks some; where rustc does not say whose fault it is, or dies, each half.
    fn attempt(&mut self, some: &[usize]) -> io::Result<()> {
        if some.is_empty() {
            return Ok(());
        }
        let scratch = Scratch::new(PACKAGE)?;
        scratch.write("Cargo.toml", MANIFEST)?;
        scratch.write("src/probe.rs", include_str!("probe.rs.txt"))?;
        for index in some {
            self.outcomes[*index].compiler = None;
            if let Some(code) = code(&self.generated[*index], self.mode) {
                scratch.write(&format!("src/{}mod.rs", batch::folder(*index)), code)?;
            }
        }
        let mut left = some.to_vec();
        let built = batch::compile(&scratch, &mut left, self.outcomes, program)?;
        if let Err(text) = built {
            return self.halve(&left, text);
        }
        batch::ask(&scratch, PACKAGE, self.subjects, &left, self.outcomes)?;
        if self.keep {
            crate::progress(&format!("peer: {}\n", scratch.path().display()));
            std::mem::forget(scratch);
        }
        Ok(())
    }

    fn halve(&mut self, some: &[usize], text: String) -> io::Result<()> {
        if let [index] = some {
            self.outcomes[*index].compiler = Some(text);
            return Ok(());
        }
        let (one, other) = some.split_at(some.len() / 2);
        self.attempt(one)?;
        self.attempt(other)
    }
}

/// The program of a batch: every subject as a module, and one arm each.
fn program(left: &[usize]) -> String {
    // As its users have it, whose lints do not look into what a macro made.
    let mut text =
        String::from("#![allow(warnings)]\n#![recursion_limit = \"512\"]\n\nmod probe;\n");
    let mut arms = String::new();
    for index in left {
        let (name, folder) = (module(*index), batch::folder(*index));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "#[path = \"{folder}mod.rs\"]\nmod {name};");
        let _ = writeln!(arms, "        {index} => {name}::under_test(value),");
    }
    let _ = write!(
        text,
        "\nfn main() {{\n    probe::main(answer);\n}}\n\nfn answer(subject: usize, value: serde_json::Value) -> Option<probe::Answer> {{\n    Some(match subject {{\n{arms}        _ => return None,\n    }})\n}}\n"
    );
    text
}
