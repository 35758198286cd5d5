//! What a run did, in words.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anstyle::{AnsiColor, Style};
use mcp_codegen::{
    Generated, ServerSummary,
    mount::Mount,
    sync::{Report, Stale},
};

use super::{Args, diff};
use crate::failure::Failure;

const STRONG: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NEVER_FAILS: &str = "a String can be written to";

/// One line per server, one for the files; with `verbose`, one per file that was touched.
pub(super) fn written(generated: &Generated, report: &Report, out: &Path, verbose: bool) -> String {
    let mut text = String::new();
    for server in &generated.servers {
        writeln!(
            text,
            "{STRONG}{}{STRONG:#}{}: {}, {} → {} ({})",
            server.module,
            wire_name(server),
            offered(server),
            count(server.types, "type"),
            shown(&out.join(&server.path)),
            count(server.lines, "line"),
        )
        .expect(NEVER_FAILS);
    }
    // What is gone is named even when what is new is not.
    let written = if verbose { &report.written[..] } else { &[] };
    for (what, paths) in [("wrote", written), ("removed", &report.removed)] {
        for path in paths {
            writeln!(text, "{what} {}", shown(&out.join(path))).expect(NEVER_FAILS);
        }
    }
    let removed = match report.removed.len() {
        0 => String::new(),
        many => format!(", {many} removed"),
    };
    writeln!(
        text,
        "{}: {} written, {} unchanged{removed}",
        shown(out),
        count(report.written.len(), "file"),
        report.unchanged.len(),
    )
    .expect(NEVER_FAILS);
    text
}

/// What the server offers; of a server without tools, at least that there are none.
fn offered(server: &ServerSummary) -> String {
    let all = [
        (server.tools, "tool"),
        (server.resources, "resource"),
        (server.prompts, "prompt"),
    ];
    let there = all.iter().filter(|(many, _)| *many > 0);
    let there: Vec<_> = there.map(|(many, what)| count(*many, what)).collect();
    if there.is_empty() {
        count(0, "tool")
    } else {
        there.join(", ")
    }
}

/// What clients see, where it is not the name of the module.
fn wire_name(server: &ServerSummary) -> String {
    if server.name == server.module {
        String::new()
    } else {
        format!(" ({})", server.name)
    }
}

/// Files that stay although nothing makes them here.
pub(super) fn foreign(report: &Report, out: &Path) -> String {
    let mut text = String::new();
    for file in &report.foreign {
        writeln!(
            text,
            "{WARNING}warning{WARNING:#}{STRONG}: `{}` was generated from `{}` and is left alone{STRONG:#}",
            shown(&out.join(&file.path)),
            file.root,
        )
        .expect(NEVER_FAILS);
    }
    text.push_str(
        "  = help: delete it if that contract root is gone; two roots need two output folders\n",
    );
    text
}

/// How the generated tree becomes a module of the crate.
pub(super) fn mod_line(mount: &Mount, out: &Path) -> String {
    let parent = out.parent().unwrap_or(Path::new(""));
    let place = if parent.ends_with("src") {
        format!(
            "{} or {}",
            shown(&parent.join("lib.rs")),
            shown(&parent.join("main.rs"))
        )
    } else {
        "the module around it".to_owned()
    };
    let line = mount.mod_line();
    if !line.contains('\n') {
        return format!("declare it in {place}: {STRONG}{line}{STRONG:#}\n");
    }
    let mut text = format!("declare it in {place}:\n");
    for line in line.lines() {
        writeln!(text, "    {STRONG}{line}{STRONG:#}").expect(NEVER_FAILS);
    }
    text
}

/// Where the first implementation is.
pub(super) fn stubs(path: &Path, own: &Mount) -> String {
    let mut text = format!(
        "wrote {}: a first implementation, yours to change; declare it as well:\n",
        shown(path)
    );
    for line in own.mod_line().lines() {
        writeln!(text, "    {STRONG}{line}{STRONG:#}").expect(NEVER_FAILS);
    }
    text
}

/// What was proved about every type.
pub(super) fn proofs(generated: &Generated) -> String {
    let mut text = String::new();
    for proof in &generated.proofs {
        writeln!(text, "{proof}").expect(NEVER_FAILS);
    }
    text
}

/// `--check` found nothing.
pub(super) fn up_to_date(report: &Report, out: &Path) -> String {
    format!(
        "{}: {} up to date\n",
        shown(out),
        count(report.unchanged.len(), "file")
    )
}

/// What `--check` found, as a patch that brings the files up to date.
pub(super) fn diffs(report: &Report, out: &Path) -> String {
    report
        .stale
        .iter()
        // Every line would differ, and nobody would see why.
        .filter(|it| !it.only_line_ends())
        .map(|it| {
            diff::unified(
                &shown(&out.join(&it.path)),
                it.old.as_deref(),
                it.new.as_deref(),
            )
        })
        .collect()
}

/// `--check` failed.
pub(super) fn stale(report: &Report, out: &Path) -> Failure {
    let mut message = match report.stale.len() {
        1 => format!("1 file in {} is not up to date", shown(out)),
        many => format!("{many} files in {} are not up to date", shown(out)),
    };
    let line_ends: Vec<_> = report
        .stale
        .iter()
        .filter(|it| it.only_line_ends())
        .map(|it| shown(&out.join(&it.path)))
        .collect();
    if !line_ends.is_empty() {
        write!(
            message,
            "; only the line ends (CRLF) differ in {}",
            line_ends.join(", ")
        )
        .expect(NEVER_FAILS);
    }
    Failure::new(message)
}

/// What `--check` found, as workflow commands that annotate a pull request.
pub(super) fn annotations(report: &Report, out: &Path) -> String {
    let mut text = String::new();
    for stale in &report.stale {
        // A colon or comma would end the property; a percent sign begins an escape.
        let path = shown(&out.join(&stale.path))
            .replace('%', "%25")
            .replace(':', "%3A")
            .replace(',', "%2C");
        writeln!(
            text,
            "::error file={path},title=stale::this generated file is not up to date"
        )
        .expect(NEVER_FAILS);
    }
    text
}

/// What brings the files up to date, and keeps them so.
pub(super) fn fix(args: &Args, report: &Report, out: &Path) -> String {
    let mut command = "run `mcp-codegen generate".to_owned();
    let mut push = |option: &str, path: &Option<PathBuf>| {
        if let Some(path) = path {
            let path = path.to_string_lossy();
            let quote = if path.contains(char::is_whitespace) {
                "\""
            } else {
                ""
            };
            write!(command, " {option}{quote}{path}{quote}").expect(NEVER_FAILS);
        }
    };
    push("", &args.schemas);
    push("-o ", &args.out);
    push("--config ", &args.config);
    command.push_str("` and commit what it writes");
    if report.stale.iter().any(Stale::only_line_ends) {
        write!(
            command,
            "\nput `{}/** text eol=lf` into .gitattributes, so that checkouts keep the line ends",
            shown(out).trim_end_matches('/')
        )
        .expect(NEVER_FAILS);
    }
    command
}

/// `1 tool`, `2 tools`.
fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A path with forward slashes, the same on every system.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Verb};

    #[test]
    fn line_ends_are_kept_by_gitattributes() {
        let cli = Cli::try_parse_from(["mcp-codegen", "generate", "schemas", "-o", "src/gen"]);
        let Ok(Verb::Generate(args)) = cli.map(|it| it.verb) else {
            panic!("these are arguments of `generate`");
        };
        let stale = |old: &str| Report {
            stale: vec![Stale {
                path: "mod.rs".to_owned(),
                old: Some(old.to_owned()),
                new: Some("a\nb\n".to_owned()),
            }],
            ..Report::default()
        };
        let command = "run `mcp-codegen generate schemas -o src/gen` and commit what it writes";
        let out = Path::new("src/gen");
        assert_eq!(fix(&args, &stale("a\n"), out), command);
        assert_eq!(
            fix(&args, &stale("a\r\nb\r\n"), out),
            format!(
                "{command}\nput `src/gen/** text eol=lf` into .gitattributes, so that checkouts keep the line ends"
            )
        );
    }
}
