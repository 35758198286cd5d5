//! `mcp-codegen explain`: what a finding means and how to fix it.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use mcp_codegen::diagnostics::{Id, Severity, did_you_mean};

use crate::{Exit, failure::Failure, terminal::Terminal};

const EXAMPLES: &str = "\
Examples:
  mcp-codegen explain                  lists every id
  mcp-codegen explain unresolved-ref   explains one";

/// Explain a finding by its id
///
/// Every error, warning and note carries an id, as in `error[unresolved-ref]`. Without an id, all of them are listed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The id, as reports print it
    #[arg(value_name = "ID")]
    id: Option<String>,
}

/// Prints the explanation, or the list.
pub(crate) fn run(args: &Args, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let text = match &args.id {
        None => list(),
        Some(id) => explanation(find(id)?),
    };
    terminal.result(&text)?;
    Ok(Exit::Ok)
}

/// The kind with this id; brackets and severity may come along from a copied report.
fn find(text: &str) -> Result<Id, Failure> {
    let id = text.trim().trim_end_matches([']', ':']);
    let id = id.rsplit('[').next().unwrap_or(id);
    id.parse().map_err(|_unknown| {
        let failure = Failure::new(format!("no finding has the id `{id}`"));
        match did_you_mean(id, Id::ALL.iter().map(|it| it.as_str())) {
            Some(near) => failure.help(format!("did you mean `{near}`?")),
            None => failure.help("`mcp-codegen explain` lists every id"),
        }
    })
}

/// Every id with its summary, by severity.
fn list() -> String {
    let width = Id::ALL
        .iter()
        .map(|it| it.as_str().len())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let style = style(severity);
        let separator = if text.is_empty() { "" } else { "\n" };
        writeln!(text, "{separator}{style}{severity}s{style:#}")
            .expect("a String can be written to");
        for id in Id::ALL.iter().filter(|it| it.severity() == severity) {
            writeln!(text, "  {:width$}  {}", id.as_str(), id.summary())
                .expect("a String can be written to");
        }
    }
    text
}

/// One id in full.
fn explanation(id: Id) -> String {
    let style = style(id.severity());
    format!(
        "{style}{}[{id}]{style:#}: {}\n\n{}\n",
        id.severity(),
        id.summary(),
        id.explanation().trim_end()
    )
}

/// The colours of rustc's reports.
fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => AnsiColor::Green.on_default().bold(),
    }
}
