//! Generated files onto the disk: the only output I/O of the crate.
//!
//! Only files that carry our mark are ever overwritten or removed, unchanged files are not
//! rewritten, and each file is replaced in one step. Writing and checking are the same code: a
//! plan is made first, and an obstacle anywhere means that nothing is written.

mod disk;
mod error;
mod mark;

use std::{collections::BTreeMap, path::Path};

pub use error::SyncError;

pub(crate) use mark::MARK;

/// Generated files by their path below the output folder, with forward slashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// The text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Paths and texts, in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, String)> for Files {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}

/// What [`sync`] does about differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Makes the folder match the files.
    Write,
    /// Reports what [`Mode::Write`] would do and touches nothing.
    Check,
}

/// What [`sync`] did or found. Paths are relative to the output folder, in path order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files written, new or changed.
    pub written: Vec<String>,
    /// Files that were right already.
    pub unchanged: Vec<String>,
    /// Files of ours that are no longer generated and were removed.
    pub removed: Vec<String>,
    /// Files of ours that are not generated here but were, by what they say, from another contract root. They are
    /// left alone.
    pub foreign: Vec<Foreign>,
    /// In [`Mode::Check`], the files that are not as they should be.
    pub stale: Vec<Stale>,
}

/// A file of ours that was generated from another contract root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Its path below the output folder.
    pub path: String,
    /// The name of the contract root.
    pub root: String,
}

/// A file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Its path below the output folder.
    pub path: String,
    /// Its text on the disk; `None` when it is missing.
    pub old: Option<String>,
    /// The text it should have; `None` when it is no longer generated.
    pub new: Option<String>,
}

impl Stale {
    /// Whether only line ends differ (CRLF on the disk), as a version control system may make them.
    pub fn only_line_ends(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.replace("\r\n", "\n") == *new,
            (None, _) | (_, None) => false,
        }
    }
}

/// Makes `dir` hold `files`, or reports in which way it does not.
///
/// # Errors
///
/// When a path does not stay below `dir`, when a file that is not ours stands where one of ours
/// belongs (nothing is written then), or when the disk fails; a file is then whole, old or new.
pub fn sync(files: &Files, dir: &Path, mode: Mode) -> Result<Report, SyncError> {
    let plan = plan(files, dir)?;
    let mut report = Report {
        unchanged: plan.unchanged,
        foreign: plan.foreign,
        ..Report::default()
    };
    match mode {
        Mode::Check => report.stale = plan.changes,
        Mode::Write => {
            // Removals first: where case does not count, `Weather.rs` and `weather.rs` are one file.
            for change in plan.changes.iter().filter(|it| it.new.is_none()) {
                disk::remove(&dir.join(&change.path))?;
                report.removed.push(change.path.clone());
            }
            for change in &plan.changes {
                if let Some(new) = &change.new {
                    disk::replace(&dir.join(&change.path), new)?;
                    report.written.push(change.path.clone());
                }
            }
        }
    }
    Ok(report)
}

/// Writes a file that is the user's from then on, such as a first implementation.
///
/// # Errors
///
/// When something stands at `path` already, or when the disk fails.
pub fn write_new(path: &Path, text: &str) -> Result<(), SyncError> {
    disk::create(path, text)
}

struct Plan {
    unchanged: Vec<String>,
    changes: Vec<Stale>,
    foreign: Vec<Foreign>,
}

fn plan(files: &Files, dir: &Path) -> Result<Plan, SyncError> {
    let mut plan = Plan {
        unchanged: Vec::new(),
        changes: Vec::new(),
        foreign: Vec::new(),
    };
    // All files of a run are of one root.
    let own = files.iter().find_map(|(_, text)| mark::root(text));
    for (path, new) in files.iter() {
        if !stays_below(path) {
            return Err(SyncError::escapes(dir, path));
        }
        let old = disk::read_ours(&dir.join(path))?;
        if old.as_deref() == Some(new) {
            plan.unchanged.push(path.to_owned());
        } else {
            plan.changes.push(Stale {
                path: path.to_owned(),
                old,
                new: Some(new.to_owned()),
            });
        }
    }
    for folder in folders(files) {
        for name in disk::marked_files(&dir.join(folder))? {
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            if files.get(&path).is_some() {
                continue;
            }
            let old = disk::read_ours(&dir.join(&path))?;
            let root = old.as_deref().and_then(mark::root);
            match (own, root) {
                (Some(own), Some(root)) if own != root => {
                    let root = root.to_owned();
                    plan.foreign.push(Foreign { path, root });
                }
                _ => plan.changes.push(Stale {
                    path,
                    old,
                    new: None,
                }),
            }
        }
    }
    plan.changes.sort_by(|a, b| a.path.cmp(&b.path));
    plan.foreign.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(plan)
}

/// The folders in which files of ours may be stale: the output folder and those of its files.
fn folders(files: &Files) -> Vec<&str> {
    let mut folders: Vec<_> = files
        .iter()
        .map(|(path, _)| path.rsplit_once('/').map_or("", |(folder, _)| folder))
        .collect();
    folders.push("");
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// Whether a relative path names a file below the folder it is joined to, on every system.
fn stays_below(path: &str) -> bool {
    path.split('/')
        .all(|it| !matches!(it, "" | "." | "..") && !it.contains(['\\', ':', '\0']))
}

#[cfg(test)]
mod tests;
