//! One way in which a value breaks its schema, and how a list of them reads.

use std::{fmt, ops::Deref};

/// How many violations are explained; the rest is only counted. A list that a model is to
/// correct from is not better for being longer, and one call must not fill the memory.
pub(crate) const LIMIT: usize = 50;

/// One way in which a value breaks its schema.
///
/// Reads as `/days: expected at most 7, got 9`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON Pointer of the place in the value; empty for the value as a whole.
    pub pointer: String,
    /// What was expected, in plain English. Holds schema text and JSON kinds, never the value.
    pub message: String,
    /// The offending value, shortened; absent when there is nothing to show or it was redacted.
    pub got: Option<String>,
    /// What to do about it, where that is known.
    pub help: Option<String>,
    /// What a type that is not generated says of it. It may repeat the value, and goes with it.
    pub detail: Option<String>,
}

impl Violation {
    /// A violation at `pointer`.
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
            got: None,
            help: None,
            detail: None,
        }
    }

    /// Shows the offending value.
    #[must_use]
    pub fn with_got(mut self, got: impl Into<String>) -> Self {
        self.got = Some(got.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what a type that is not generated says of it.
    #[must_use]
    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same without the offending value.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        self.got = None;
        self.detail = None;
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            // Its segments may be the client's, and as long as the client likes, in every line of a list.
            write!(f, "{}: ", shortened(&self.pointer, 300))?;
        }
        f.write_str(&self.message)?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        if let Some(got) = &self.got {
            write!(f, ", got {got}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        Ok(())
    }
}

/// The first `limit` characters, with a mark that there are more.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Every violation of one value: the first 50 explained, the rest counted. Never empty.
///
/// Displays as one line `- <violation>` each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    explained: Vec<Violation>,
    omitted: usize,
}

impl Violations {
    /// The `explained` violations, and how many more there are.
    pub(crate) fn new(explained: Vec<Violation>, omitted: usize) -> Self {
        Self { explained, omitted }
    }

    /// The same, with places told from the value of `property` on.
    pub(crate) fn inside(mut self, property: &str) -> Self {
        for violation in &mut self.explained {
            let inner = violation.pointer.strip_prefix('/');
            let inner = inner.and_then(|it| it.strip_prefix(property));
            if let Some(inner) = inner.filter(|it| it.is_empty() || it.starts_with('/')) {
                violation.pointer = inner.to_owned();
            }
        }
        self
    }

    /// How many there are, the omitted ones included.
    pub fn count(&self) -> usize {
        self.explained.len() + self.omitted
    }

    /// The same without the offending values.
    #[must_use]
    pub fn redacted(self) -> Self {
        let explained = self
            .explained
            .into_iter()
            .map(Violation::redacted)
            .collect();
        Self {
            explained,
            omitted: self.omitted,
        }
    }

    /// A heading that counts, then the list: ``2 violations in the arguments of `x`:``.
    pub(crate) fn report(&self, place: &str) -> String {
        let plural = if self.count() == 1 { "" } else { "s" };
        format!("{} violation{plural} in {place}:\n{self}", self.count())
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self {
            explained: vec![violation],
            omitted: 0,
        }
    }
}

impl Deref for Violations {
    type Target = [Violation];

    fn deref(&self) -> &[Violation] {
        &self.explained
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.explained.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}- {violation}")?;
        }
        if self.omitted > 0 {
            write!(f, "\n- and {} more", self.omitted)?;
        }
        Ok(())
    }
}
