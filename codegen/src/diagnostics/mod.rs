//! What went wrong and where: passes push [`Diagnostic`]s, only the renderer turns places into lines.

mod catalog;
mod formats;
mod locate;
mod render;
mod suggest;

#[cfg(test)]
mod tests;

use std::{fmt, ops::Range};

pub use catalog::{Id, Severity, UnknownId};
pub use formats::{github, json, sarif};
pub use locate::{Location, Locator};
pub use render::{RenderOptions, render, render_with};
pub use suggest::did_you_mean;
pub(crate) use suggest::misspelt;

use crate::source::{FileId, SourceMap};

/// A JSON Pointer (RFC 6901): `""` is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads a pointer that is already escaped, such as the fragment of a `$ref`.
    pub fn parse(escaped: &str) -> Self {
        Self(escaped.to_owned())
    }

    /// The pointer to a member or element below this one; escapes `~` and `/`.
    #[must_use]
    pub fn child(&self, segment: impl fmt::Display) -> Self {
        let segment = segment.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{segment}", self.0))
    }

    /// The escaped text, as RFC 6901 writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The unescaped segments, outermost first.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = String> + '_ {
        let escaped = self
            .0
            .strip_prefix('/')
            .into_iter()
            .flat_map(|it| it.split('/'));
        escaped.map(|it| it.replace("~1", "/").replace("~0", "~"))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A place in a contract file or in the configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The spot inside it.
    pub spot: Spot,
}

/// Which part of a file a [`Place`] means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// The file as a whole.
    File,
    /// The value at a pointer.
    Value(Pointer),
    /// The key of the member at a pointer.
    Key(Pointer),
    /// Bytes `start..end`, for text that did not parse.
    Bytes(usize, usize),
}

impl Place {
    /// A whole file.
    pub fn file(file: FileId) -> Self {
        Self {
            file,
            spot: Spot::File,
        }
    }

    /// The value at `pointer`.
    pub fn value(file: FileId, pointer: Pointer) -> Self {
        Self {
            file,
            spot: Spot::Value(pointer),
        }
    }

    /// The key of the member at `pointer`.
    pub fn key(file: FileId, pointer: Pointer) -> Self {
        Self {
            file,
            spot: Spot::Key(pointer),
        }
    }

    /// A stretch of bytes.
    pub fn bytes(file: FileId, range: Range<usize>) -> Self {
        Self {
            file,
            spot: Spot::Bytes(range.start, range.end),
        }
    }
}

/// One finding: an id from the catalogue, one lowercase sentence, places, and the fix where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The catalogued kind; carries the severity.
    pub id: Id,
    /// One lowercase sentence without a full stop.
    pub message: String,
    /// Where it is, with a short label for the caret.
    pub place: Option<(Place, String)>,
    /// Other places that matter, each with a label.
    pub related: Vec<(Place, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding without a place yet.
    pub fn new(id: Id, message: impl Into<String>) -> Self {
        Self {
            id,
            message: message.into(),
            place: None,
            related: Vec::new(),
            help: None,
        }
    }

    /// Sets the place and the label under its caret (may be empty).
    #[must_use]
    pub fn at(mut self, place: Place, label: impl Into<String>) -> Self {
        self.place = Some((place, label.into()));
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn and_at(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The sink of a run: collects every finding, stops between phases when one of them is an error.
#[derive(Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

/// A phase found errors; they are in the [`Diagnostics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

impl Diagnostics {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// All findings, in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.found
            .iter()
            .filter(|it| it.id.severity() == severity)
            .count()
    }

    /// Adds all findings of another sink.
    pub fn append(&mut self, other: Self) {
        self.found.extend(other.found);
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Ends the phase.
    ///
    /// # Errors
    ///
    /// [`Failed`] when an error was pushed.
    pub fn propagate(&self) -> Result<(), Failed> {
        if self.count(Severity::Error) == 0 {
            Ok(())
        } else {
            Err(Failed)
        }
    }
}

/// A run that found errors: all of its findings, and the texts they point into.
///
/// [`Display`](fmt::Display) and [`Debug`](fmt::Debug) both render the whole report without colour, so that a build
/// script may simply return it from `main`.
pub struct Failure {
    /// What was read.
    pub sources: SourceMap,
    /// What was found in it, at least one error among it.
    pub diagnostics: Diagnostics,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(&self.sources, &self.diagnostics, false))
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}
