//! Every server of a corpus of real tools, generated and compiled in one crate.

use std::{
    fmt, fs, io,
    path::Path,
    time::{Duration, Instant},
};

use mcp_codegen::{
    config::Config,
    diagnostics::Severity,
    proof::{Exactness, Proof, Subject},
    sync,
};
use serde_json::Value;

use crate::scratch::{self, Scratch};

/// What a run over the corpus found.
#[derive(Debug, Default)]
pub struct Report {
    /// Files of the corpus: one server each.
    pub servers: usize,
    /// Tools in them.
    pub tools: usize,
    /// Servers that were refused, with their report.
    pub refused: Vec<(String, String)>,
    /// Time spent in `generate`.
    pub generate: Duration,
    /// Lines of Rust written.
    pub lines: usize,
    /// Notes that a type was widened.
    pub widened: usize,
    /// What was proved about inputs, outputs and named types, in this order.
    pub proofs: [Shares; 3],
    /// Proofs that should not be: types that refuse what their schema accepts.
    pub unsound: Vec<String>,
    /// Time that `cargo check` took for all of them.
    pub check: Duration,
    /// What the compiler said when it refused the crate.
    pub compiler: Option<String>,
}

/// How many types were proved exact, or not to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shares {
    /// Proved exact.
    pub exact: usize,
    /// Proved to let something through.
    pub wider: usize,
    /// Neither.
    pub unknown: usize,
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            exact,
            wider,
            unknown,
        } = *self;
        let all = (exact + wider + unknown).max(1);
        let per_mille = exact * 1000 / all;
        let (percent, tenth) = (per_mille / 10, per_mille % 10);
        write!(
            f,
            "{exact} exact ({percent}.{tenth} %), {wider} wider, {unknown} unknown"
        )
    }
}

impl Report {
    fn count(&mut self, proof: &Proof) {
        let shares = match proof.subject {
            Subject::Input(_) => &mut self.proofs[0],
            Subject::Output(_) => &mut self.proofs[1],
            Subject::Type(_) => &mut self.proofs[2],
        };
        match proof.exactness {
            Exactness::Exact => shares.exact += 1,
            Exactness::Wider(_) => shares.wider += 1,
            Exactness::Unknown(_) => shares.unknown += 1,
            Exactness::Unsound(_) => self.unsound.push(proof.to_string()),
        }
    }
}

/// Generates a server from every `*.json` of `folder` and checks them as one crate that denies
/// warnings.
///
/// # Errors
///
/// When files cannot be read or written, or cargo cannot be started.
pub fn run(folder: &Path) -> io::Result<Report> {
    let scratch = Scratch::new("corpus")?;
    let mut report = Report::default();
    for file in json_files(folder)? {
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&file)?;
        let value: Value = serde_json::from_str(&text)?;
        report.servers += 1;
        report.tools += value["tools"].as_array().map_or(0, Vec::len);
        // A file name is not a folder name a person would choose; dots would be refused.
        let server = stem.replace('.', "_");
        scratch.write(&format!("schemas/{server}/{stem}.tools.json"), &text)?;
    }
    generate(&scratch, &mut report)?;
    if report.refused.is_empty() {
        check(&scratch, &mut report)?;
    }
    Ok(report)
}

fn json_files(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|it| it.map(|it| it.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    files.sort();
    Ok(files)
}

fn generate(scratch: &Scratch, report: &mut Report) -> io::Result<()> {
    let config = Config::new(scratch.path().join("schemas"));
    let start = Instant::now();
    let outcome = mcp_codegen::generate(&config);
    report.generate = start.elapsed();
    match outcome {
        Ok(generated) => {
            report.widened = generated
                .diagnostics
                .iter()
                .filter(|it| it.id.as_str() == "widened" && it.id.severity() == Severity::Note)
                .count();
            generated.proofs.iter().for_each(|it| report.count(it));
            report.lines = generated
                .files
                .iter()
                .filter(|(path, _)| Path::new(path).extension().is_some_and(|it| it == "rs"))
                .map(|(_, text)| text.lines().count())
                .sum();
            let out = scratch.path().join("src/contracts");
            sync::sync(&generated.files, &out, sync::Mode::Write).map_err(io::Error::other)?;
        }
        Err(failure) => report
            .refused
            .push(("corpus".to_owned(), failure.to_string())),
    }
    Ok(())
}

fn check(scratch: &Scratch, report: &mut Report) -> io::Result<()> {
    scratch.write("Cargo.toml", &scratch::manifest("corpus", "2024", &[]))?;
    scratch.write(
        "src/lib.rs",
        "//! Every server of the corpus.\n#![deny(warnings)]\npub mod contracts;\n",
    )?;
    // Dependencies first, so that the time is that of the generated code.
    scratch::cargo(
        scratch.path(),
        &["check", "--quiet", "-p", "mcp-codegen-runtime"],
    )?;
    let start = Instant::now();
    let output = scratch::cargo(scratch.path(), &["check", "--quiet"])?;
    report.check = start.elapsed();
    if !output.status.success() {
        report.compiler = Some(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(())
}
