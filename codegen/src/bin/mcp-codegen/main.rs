//! The `mcp-codegen` command: arguments in, exit code out.
//!
//! One file per verb; only this binary prints.

mod args;
mod explain;
mod failure;
mod generate;
mod progress;
mod terminal;

use std::process::ExitCode;

use clap::Parser as _;

use crate::{
    args::{Cli, Verb},
    terminal::Terminal,
};

/// How a run ends; the numbers are documented in `docs/cli.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Nothing to complain about.
    Ok = 0,
    /// The contract has errors.
    Findings = 1,
    /// Wrong arguments, or a file or folder that cannot be read or written. Clap exits with it too.
    Usage = 2,
    /// `--check` found generated files that are not up to date.
    Stale = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut terminal = Terminal::new(cli.global.color, cli.global.quiet);
    let ended = match &cli.verb {
        Verb::Generate(args) => generate::run(args, cli.global.verbose, &mut terminal),
        Verb::Explain(args) => explain::run(args, &mut terminal),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal.failure(&failure);
            Exit::Usage.into()
        }
    }
}
