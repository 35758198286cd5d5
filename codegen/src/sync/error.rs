//! What can stand in the way of generated files.

use std::{
    error, fmt, io,
    path::{Path, PathBuf},
};

/// Generated files could not be written or compared: which file, and why.
#[derive(Debug)]
pub struct SyncError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Io(&'static str, io::Error),
    NotOurs,
    Exists,
    Escapes,
}

impl SyncError {
    pub(super) fn io(action: &'static str, path: &Path, error: io::Error) -> Self {
        Self {
            path: path.to_owned(),
            cause: Cause::Io(action, error),
        }
    }

    pub(super) fn not_ours(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            cause: Cause::NotOurs,
        }
    }

    pub(super) fn exists(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            cause: Cause::Exists,
        }
    }

    pub(super) fn escapes(dir: &Path, path: &str) -> Self {
        Self {
            path: dir.join(path),
            cause: Cause::Escapes,
        }
    }

    /// The file or folder that it is about.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.cause {
            Cause::Io(action, error) => write!(f, "cannot {action} `{path}`: {error}"),
            Cause::NotOurs => write!(
                f,
                "`{path}` stands where a generated file belongs, but has no mark of mcp-codegen in its \
                 first lines; nothing was written: if it was generated, delete it and run again; \
                 otherwise move it away or choose another output folder"
            ),
            Cause::Exists => write!(
                f,
                "`{path}` exists already and is left as it is: remove it or choose another path"
            ),
            Cause::Escapes => write!(f, "`{path}` does not stay below the output folder"),
        }
    }
}

impl error::Error for SyncError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.cause {
            Cause::Io(_, error) => Some(error),
            Cause::NotOurs | Cause::Exists | Cause::Escapes => None,
        }
    }
}
