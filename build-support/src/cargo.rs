//! What cargo tells a build script, and what a build script tells cargo.

use std::{
    env,
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
};

use crate::Error;

/// The package whose build script runs, in the package's own folder.
#[derive(Debug)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
}

impl Package {
    /// Asks the environment.
    ///
    /// # Errors
    ///
    /// When cargo did not start this program as a build script.
    pub(crate) fn read() -> Result<Self, Error> {
        Ok(Self {
            name: variable("CARGO_PKG_NAME")?.to_string_lossy().into_owned(),
            version: variable("CARGO_PKG_VERSION")?
                .to_string_lossy()
                .into_owned(),
        })
    }
}

/// The folder for generated files.
///
/// # Errors
///
/// As [`Package::read`].
pub(crate) fn out_dir() -> Result<PathBuf, Error> {
    variable("OUT_DIR").map(PathBuf::from)
}

fn variable(name: &str) -> Result<OsString, Error> {
    env::var_os(name).ok_or_else(|| {
        Error::new(format!(
            "{name} is not set: contracts are compiled from a build script that cargo runs\n"
        ))
    })
}

/// Instructions for cargo, in the order they were given. Cargo reads them from the standard output, a line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Instructions(Vec<String>);

impl Instructions {
    /// Runs the build script again when this file, or anything in this folder, is newer than the last run.
    pub(crate) fn rerun_if_changed(&mut self, path: &Path) {
        let line = format!("cargo::rerun-if-changed={}", path.display());
        // A root that is also a folder of the walk is said once.
        if !self.0.contains(&line) {
            self.0.push(line);
        }
    }

    /// Shows a warning; cargo takes one line.
    pub(crate) fn warning(&mut self, text: &str) {
        self.0.push(format!(
            "cargo::warning={}",
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        ));
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Instructions;

    #[test]
    fn instructions_are_single_lines() {
        let mut all = Instructions::default();
        all.rerun_if_changed(Path::new("schemas"));
        all.rerun_if_changed(Path::new("schemas"));
        all.warning("two\n  lines");
        assert_eq!(
            all.0,
            [
                "cargo::rerun-if-changed=schemas",
                "cargo::warning=two lines"
            ]
        );
    }
}
