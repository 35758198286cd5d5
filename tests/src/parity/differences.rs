//! The checked-in list of differences: one that it names has a reason, one that it does not name is a fault, and so is an
//! entry that names nothing.

use std::{fs, io, path::Path};

use serde::Deserialize;

use super::{Aspect, Difference, Run, Subject};

/// The list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differences {
    pub(super) differences: Vec<Entry>,
}

/// Parts of answers that differ for one reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The servers, as [`Subject::as_str`] has them.
    pub(super) subjects: Vec<String>,
    /// The revisions; all where it is left out.
    pub(super) revisions: Option<Vec<String>>,
    /// The parts of the answer.
    pub(super) aspects: Vec<Aspect>,
    /// The calls or tools.
    pub(super) cases: Vec<String>,
    /// What kind of difference it is.
    pub(super) kind: Kind,
    /// What we do instead, and why.
    pub(super) reason: String,
}

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// The contract is kept where the other SDK bends it.
    Stricter,
    /// Less is given away.
    Safer,
    /// The specification says otherwise than the other SDK does.
    Protocol,
    /// Another text, for people and models.
    Words,
    /// The same meaning, written in another way.
    Form,
}

impl Kind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Stricter => "stricter",
            Self::Safer => "safer",
            Self::Protocol => "protocol",
            Self::Words => "words",
            Self::Form => "form",
        }
    }
}

/// The differences of a run, held against the list.
#[derive(Clone, Debug, Default)]
pub struct Sorted {
    /// Differences without a reason.
    pub unlisted: Vec<String>,
    /// Parts of entries that name no difference.
    pub stale: Vec<String>,
}

impl Differences {
    /// Reads the list.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or understood.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(path)?;
        serde_json::from_str(&text)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
    }

    /// What kind of difference it is, where the list names it.
    pub(super) fn kind(&self, run: &Run, difference: &Difference) -> Option<Kind> {
        let entry = self
            .differences
            .iter()
            .find(|it| it.names(run, difference))?;
        Some(entry.kind)
    }

    /// Which differences have no reason, and which reasons no difference.
    pub fn sort(&self, runs: &[Run]) -> Sorted {
        let mut sorted = Sorted::default();
        for run in runs {
            for it in &run.differences {
                if self.kind(run, it).is_none() {
                    sorted.unlisted.push(describe(run, it));
                }
            }
        }
        for entry in &self.differences {
            sorted.stale.extend(entry.stale(runs));
        }
        sorted
    }
}

impl Entry {
    fn covers(&self, run: &Run) -> bool {
        self.subjects.iter().any(|it| it == run.subject.as_str())
            && self
                .revisions
                .as_ref()
                .is_none_or(|it| it.contains(&run.revision))
    }

    fn names(&self, run: &Run, difference: &Difference) -> bool {
        self.covers(run)
            && self.aspects.contains(&difference.aspect)
            && self.cases.contains(&difference.case)
    }

    /// Everything that the entry names has to be there, one by one.
    fn stale(&self, runs: &[Run]) -> Vec<String> {
        let mut stale = Vec::new();
        let known = |name: &String| Subject::ALL.iter().any(|it| it.as_str() == name);
        stale.extend(
            self.subjects
                .iter()
                .filter(|it| !known(it))
                .map(|it| format!("no server is called {it}")),
        );
        for run in runs.iter().filter(|it| self.covers(it)) {
            for aspect in &self.aspects {
                let missing = self.cases.iter().filter(|case| {
                    let found = |it: &Difference| it.case == **case && it.aspect == *aspect;
                    !run.differences.iter().any(found)
                });
                stale.extend(
                    missing
                        .map(|case| format!("{} {} {case}: {aspect}", run.subject, run.revision)),
                );
            }
        }
        stale
    }
}

fn describe(run: &Run, difference: &Difference) -> String {
    let shown = |it: &Option<serde_json::Value>| {
        it.as_ref()
            .map_or_else(|| "nothing".to_owned(), ToString::to_string)
    };
    format!(
        "{} {} {}: {}\n  theirs: {}\n  ours:   {}",
        run.subject,
        run.revision,
        difference.case,
        difference.aspect,
        shown(&difference.theirs),
        shown(&difference.ours)
    )
}
