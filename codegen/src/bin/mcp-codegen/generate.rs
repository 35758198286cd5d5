//! `mcp-codegen generate`: contract files in, Rust modules out.

mod diff;
mod report;
mod settings;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use mcp_codegen::{
    Generated,
    diagnostics::{self, Diagnostics, RenderOptions, Severity},
    mount::{Edition, Mount},
    source::SourceMap,
    sync::{self, Mode},
};

use self::settings::{Refused, Settings};
use crate::{Exit, args::Format, failure::Failure, progress::Progress, terminal::Terminal};

const EXAMPLES: &str = "\
Examples:
  mcp-codegen generate schemas -o src/gen
      Writes one module per folder of schemas/ and src/gen/mod.rs
  mcp-codegen generate schemas -o src/gen --stubs src/server.rs
      Also writes a first implementation to start from
  mcp-codegen generate --check
      As mcp-codegen.toml says; writes nothing, prints a diff and exits with 4 if something is stale
  mcp-codegen generate --check --format github
      The same in CI: findings annotate the pull request

Without SCHEMAS or --out, `schemas` and `out` of mcp-codegen.toml say it; the file is looked for in the working \
directory and the folders above. Arguments win.";

/// Generate Rust types and one trait per server from contract files
///
/// Only files that an earlier run made are ever overwritten or removed; unchanged ones are not rewritten.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of contract files; each sub-folder is a server
    #[arg(value_name = "SCHEMAS")]
    schemas: Option<PathBuf>,
    /// Folder for the generated modules
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; print what is stale as a diff and exit with 4
    #[arg(long)]
    check: bool,
    /// Also write a first implementation of every trait; never overwrites; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    stubs: Option<PathBuf>,
    /// Read settings from this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Also print, per type, whether it says exactly what its schema says, or what it lets through
    #[arg(long)]
    explain_types: bool,
    /// How findings are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Edition of the crate, for the `mod` line that is printed
    #[arg(long, value_enum, value_name = "EDITION", default_value_t = RustEdition::E2024)]
    edition: RustEdition,
}

/// The editions that generated code compiles in.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RustEdition {
    #[value(name = "2021")]
    E2021,
    #[value(name = "2024")]
    E2024,
}

impl From<RustEdition> for Edition {
    fn from(edition: RustEdition) -> Self {
        match edition {
            RustEdition::E2021 => Self::E2021,
            RustEdition::E2024 => Self::E2024,
        }
    }
}

/// Generates, then writes or checks.
pub(crate) fn run(args: &Args, verbose: bool, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let findings = Findings {
        format: args.format,
        verbose,
    };
    let settings = match settings::read(args) {
        Ok(settings) => settings,
        Err(Refused::Usage(failure)) => return Err(failure),
        Err(Refused::Findings(failure)) => return findings.refuse(&failure, terminal),
    };
    let prints_stubs = args.stubs.as_deref().is_some_and(is_stdout);
    if prints_stubs && args.format != Format::Text {
        return Err(
            Failure::new("both `--stubs -` and `--format` print to standard output")
                .help("name a file for the stubs"),
        );
    }
    if let Some(stubs) = args.stubs.as_ref().filter(|it| !is_stdout(it)) {
        // Before anything is written: a run that fails half-way is harder to understand.
        check_free(stubs)?;
    }
    let progress = Progress::start("generating", terminal.is_watched());
    let generated = mcp_codegen::generate(&settings.config);
    drop(progress);
    let generated = match generated {
        Ok(generated) => generated,
        Err(failure) => return findings.refuse(&failure, terminal),
    };
    findings.show(&generated.sources, &generated.diagnostics, terminal)?;
    if args.explain_types {
        say(args.format, &report::proofs(&generated), terminal)?;
    }
    if args.check {
        check(args, &settings, &generated, terminal)
    } else {
        write(args, verbose, &settings, &generated, terminal)
    }
}

fn write(
    args: &Args,
    verbose: bool,
    settings: &Settings,
    generated: &Generated,
    terminal: &mut Terminal,
) -> Result<Exit, Failure> {
    let report = synced(settings, generated, Mode::Write)?;
    let mut text = report::written(generated, &report, &settings.out, verbose);
    let edition = args.edition.into();
    let mount = Mount::new(&settings.out, edition);
    if verbose || report.written.iter().any(|it| it == "mod.rs") {
        text.push_str(&report::mod_line(&mount, &settings.out));
    }
    leave_alone(settings, &report, terminal);
    match &args.stubs {
        Some(path) if is_stdout(path) => {
            let own = Mount::of_file(Path::new("src/server.rs"), edition);
            if !terminal.quiet() {
                terminal.message(&text);
            }
            terminal.result(&generated.stubs(&mount, &own))?;
        }
        Some(path) => {
            let own = Mount::of_file(path, edition);
            sync::write_new(path, &generated.stubs(&mount, &own))
                .map_err(|it| Failure::new(it.to_string()))?;
            text.push_str(&report::stubs(path, &own));
            say(args.format, &text, terminal)?;
        }
        None => say(args.format, &text, terminal)?,
    }
    Ok(Exit::Ok)
}

/// Whether stubs go to standard output.
fn is_stdout(stubs: &Path) -> bool {
    stubs == Path::new("-")
}

/// Says which files would be stale if they were of this contract root.
fn leave_alone(settings: &Settings, report: &sync::Report, terminal: &mut Terminal) {
    if !report.foreign.is_empty() && !terminal.quiet() {
        terminal.message(&report::foreign(report, &settings.out));
    }
}

fn check(
    args: &Args,
    settings: &Settings,
    generated: &Generated,
    terminal: &mut Terminal,
) -> Result<Exit, Failure> {
    let report = synced(settings, generated, Mode::Check)?;
    leave_alone(settings, &report, terminal);
    if report.stale.is_empty() {
        say(
            args.format,
            &report::up_to_date(&report, &settings.out),
            terminal,
        )?;
        return Ok(Exit::Ok);
    }
    say(
        args.format,
        &report::diffs(&report, &settings.out),
        terminal,
    )?;
    if args.format == Format::Github {
        terminal.result(&report::annotations(&report, &settings.out))?;
    }
    let failure =
        report::stale(&report, &settings.out).help(report::fix(args, &report, &settings.out));
    terminal.failure(&failure);
    Ok(Exit::Stale)
}

fn synced(settings: &Settings, generated: &Generated, mode: Mode) -> Result<sync::Report, Failure> {
    sync::sync(&generated.files, &settings.out, mode).map_err(|it| Failure::new(it.to_string()))
}

/// Prints the result on stdout; where stdout is for a machine that reads findings, on stderr.
fn say(format: Format, text: &str, terminal: &mut Terminal) -> Result<(), Failure> {
    match format {
        Format::Text => terminal.summary(text),
        Format::Json | Format::Github | Format::Sarif => {
            if !terminal.quiet() {
                terminal.message(text);
            }
            Ok(())
        }
    }
}

fn check_free(stubs: &Path) -> Result<(), Failure> {
    if std::fs::symlink_metadata(stubs).is_err() {
        return Ok(());
    }
    Err(
        Failure::new(format!("`{}` exists already", stubs.display())).help(
            "--stubs writes a first implementation once and never overwrites; run without it",
        ),
    )
}

/// How findings are shown.
#[derive(Clone, Copy, Debug)]
struct Findings {
    format: Format,
    verbose: bool,
}

impl Findings {
    /// Shows why nothing was generated.
    fn refuse(
        self,
        failure: &diagnostics::Failure,
        terminal: &mut Terminal,
    ) -> Result<Exit, Failure> {
        self.show(&failure.sources, &failure.diagnostics, terminal)?;
        Ok(Exit::Findings)
    }

    /// Shows findings: for people on stderr, for machines on stdout, where an empty report is a report as well.
    fn show(
        self,
        sources: &SourceMap,
        diagnostics: &Diagnostics,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let errors;
        let diagnostics = if terminal.quiet() {
            errors = only_errors(diagnostics);
            &errors
        } else {
            diagnostics
        };
        match self.format {
            Format::Text => {
                let options = RenderOptions {
                    color: true,
                    verbose: self.verbose,
                };
                terminal.message(&diagnostics::render_with(sources, diagnostics, options));
                Ok(())
            }
            Format::Json => terminal.result(&diagnostics::json(sources, diagnostics)),
            Format::Github => terminal.result(&diagnostics::github(sources, diagnostics)),
            Format::Sarif => terminal.result(&diagnostics::sarif(sources, diagnostics)),
        }
    }
}

/// What `--quiet` leaves.
fn only_errors(diagnostics: &Diagnostics) -> Diagnostics {
    let mut errors = Diagnostics::new();
    for diagnostic in diagnostics
        .iter()
        .filter(|it| it.id.severity() == Severity::Error)
    {
        errors.push(diagnostic.clone());
    }
    errors
}
