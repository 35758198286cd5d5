//! The checked-in list of reasoned exceptions: a fault it names is expected, an entry that names
//! no fault is stale.

use std::{fs, io, path::Path};

use serde::Deserialize;

use super::{args::Args, verdict::Fault};

/// The list.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    entries: Vec<Exception>,
}

/// One expected fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// The subject's id; `*` at its end stands for any rest.
    pub subject: String,
    /// The instance's name; without it, every fault of the kind.
    pub instance: Option<String>,
    /// The kind of fault.
    pub kind: String,
    /// Words of which the fault's detail must have some; without them, whatever it says.
    #[serde(default)]
    pub details: Vec<String>,
    /// Why it cannot be otherwise.
    pub reason: String,
}

/// The faults of a run, sorted by the list.
#[derive(Clone, Debug, Default)]
pub struct Sorted {
    /// Faults that the list names.
    pub excepted: Vec<Fault>,
    /// Faults that it does not name.
    pub unexpected: Vec<Fault>,
    /// Entries that name no fault of the run although their subject was in it.
    pub stale: Vec<Exception>,
}

impl Exceptions {
    /// Reads the list; a missing file is an empty list.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or understood.
    pub fn read(path: &Path) -> io::Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => {
                let entries = serde_json::from_str(&text)
                    .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
                Ok(Self { entries })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Sorts faults into expected and unexpected. Whether an entry for many subjects is stale, only a run over all of
    /// them can say.
    pub fn apply(self, faults: Vec<Fault>, args: &Args) -> Sorted {
        let whole = args.every == 1 && args.only.is_none();
        let mut used = vec![false; self.entries.len()];
        let mut sorted = Sorted::default();
        for fault in faults {
            match self.entries.iter().position(|it| it.names(&fault)) {
                Some(index) => {
                    used[index] = true;
                    sorted.excepted.push(fault);
                }
                None => sorted.unexpected.push(fault),
            }
        }
        let unused = self.entries.into_iter().zip(used).filter(|(_, used)| !used);
        sorted.stale = unused
            .map(|(entry, _)| entry)
            .filter(|it| whole || !it.subject.ends_with('*'))
            .collect();
        sorted
    }
}

impl Exception {
    /// Whether the entry speaks of this subject.
    pub fn covers(&self, subject: &str) -> bool {
        match self.subject.strip_suffix('*') {
            Some(start) => subject.starts_with(start),
            None => self.subject == subject,
        }
    }

    fn names(&self, fault: &Fault) -> bool {
        self.covers(&fault.subject)
            && self.kind == fault.kind.as_str()
            && (self.instance.is_none() || self.instance == fault.instance)
            && (self.details.is_empty() || self.details.iter().any(|it| fault.detail.contains(it)))
    }
}
