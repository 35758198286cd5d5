//! The command line's surface: verbs and the options that all of them share.

use clap::{ArgAction, Parser, Subcommand, ValueEnum, builder::styling};

use crate::{explain, generate};

/// Contract-first MCP servers: JSON Schema tool contracts become Rust types and traits.
#[derive(Debug, Parser)]
#[command(
    name = "mcp-codegen",
    bin_name = "mcp-codegen",
    version,
    styles = STYLES,
    after_help = "Exit codes: 0 ok, 1 the contract has errors, 2 usage or I/O, 4 generated files are stale."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Generate(generate::Args),
    Explain(explain::Args),
}

/// Options of every verb.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// When to colour the output; `NO_COLOR` and `CLICOLOR` are honoured
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print every note and every file
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,
}

/// When to colour the output.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On terminals
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people, on stderr
    Text,
    /// One JSON document, on stdout
    Json,
    /// Workflow commands that annotate a pull request, on stdout
    Github,
    /// SARIF 2.1.0, on stdout
    Sarif,
}

/// Cargo's own palette.
const STYLES: styling::Styles = styling::Styles::styled()
    .header(styling::AnsiColor::Green.on_default().bold())
    .usage(styling::AnsiColor::Green.on_default().bold())
    .literal(styling::AnsiColor::Cyan.on_default().bold())
    .placeholder(styling::AnsiColor::Cyan.on_default());
