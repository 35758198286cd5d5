//! Settings together with where they stand, for findings about them.

use super::Config;
use crate::{
    diagnostics::{Diagnostic, Id, Place, Pointer},
    source::{FileId, SourceMap},
};

/// Settings, and the file that they were read from, if they were.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<'c> {
    pub(crate) config: &'c Config,
    file: Option<FileId>,
}

impl<'c> Located<'c> {
    pub(crate) fn new(config: &'c Config, sources: &SourceMap) -> Self {
        Self {
            config,
            file: sources.config().map(|it| it.id),
        }
    }

    /// Settings that stand in no file.
    #[cfg(test)]
    pub(crate) fn nowhere(config: &'c Config) -> Self {
        Self { config, file: None }
    }

    /// A finding about the key at a path.
    pub(crate) fn key(self, id: Id, message: impl Into<String>, path: &[&str]) -> Diagnostic {
        self.at(id, message, path, Place::key)
    }

    /// A finding about the value at a path.
    pub(crate) fn value(self, id: Id, message: impl Into<String>, path: &[&str]) -> Diagnostic {
        self.at(id, message, path, Place::value)
    }

    fn at(
        self,
        id: Id,
        message: impl Into<String>,
        path: &[&str],
        place: fn(FileId, Pointer) -> Place,
    ) -> Diagnostic {
        let finding = Diagnostic::new(id, message);
        match self.file {
            Some(file) => {
                let pointer = path.iter().fold(Pointer::root(), |at, it| at.child(it));
                finding.at(place(file, pointer), "")
            }
            None => finding,
        }
    }
}
