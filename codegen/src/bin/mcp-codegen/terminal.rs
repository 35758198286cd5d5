//! Where the command prints: results on stdout, everything else on stderr.

use std::io::{self, IsTerminal as _, Write as _};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::{args::Color, failure::Failure};

/// Red and bold, as rustc's errors.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const STRONG: Style = Style::new().bold();

/// Standard output and standard error, with colour where it is wanted.
///
/// Text is always written with ANSI colours; the streams drop them where they do not belong.
#[derive(Debug)]
pub(crate) struct Terminal {
    stdout: AutoStream<io::Stdout>,
    stderr: AutoStream<io::Stderr>,
    quiet: bool,
}

impl Terminal {
    /// Streams that colour as asked.
    pub(crate) fn new(color: Color, quiet: bool) -> Self {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Self {
            stdout: AutoStream::new(io::stdout(), choice),
            stderr: AutoStream::new(io::stderr(), choice),
            quiet,
        }
    }

    /// Writes a result that is the point of the run, also under `--quiet`.
    ///
    /// # Errors
    ///
    /// When stdout cannot be written, but for a closed pipe: a reader who has seen enough is no failure.
    pub(crate) fn result(&mut self, text: &str) -> Result<(), Failure> {
        let written = self
            .stdout
            .write_all(text.as_bytes())
            .and_then(|()| self.stdout.flush());
        match written {
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(format!(
                "cannot write to standard output: {cause}"
            ))),
            _ => Ok(()),
        }
    }

    /// Writes what the run did; `--quiet` drops it.
    ///
    /// # Errors
    ///
    /// As [`Terminal::result`].
    pub(crate) fn summary(&mut self, text: &str) -> Result<(), Failure> {
        if self.quiet {
            Ok(())
        } else {
            self.result(text)
        }
    }

    /// Writes findings and other messages on stderr. There is nowhere left to report a failure to do so.
    pub(crate) fn message(&mut self, text: &str) {
        let _unreported = self
            .stderr
            .write_all(text.as_bytes())
            .and_then(|()| self.stderr.flush());
    }

    /// Writes `error: …` and the help, as rustc lays them out.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let mut text = format!("{ERROR}error{ERROR:#}{STRONG}: {failure}{STRONG:#}\n");
        if let Some(help) = failure.help_text() {
            // Further lines stand below the first one's text.
            let help = help.replace('\n', "\n          ");
            text.push_str("  = help: ");
            text.push_str(&help);
            text.push('\n');
        }
        self.message(&text);
    }

    /// Whether only errors are wanted.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// Whether somebody may be watching stderr.
    pub(crate) fn is_watched(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}
