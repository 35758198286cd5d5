//! What the cross-crate tests share: where the data is, scratch crates, and the runs that print tables.
#![expect(
    clippy::print_stderr,
    reason = "a test that skips says so, and its programs print their tables"
)]

pub mod corpus;
pub mod fidelity;
pub mod parity;
pub mod scratch;

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests crate stands in the workspace")
        .to_path_buf()
}

/// A folder of the shared test data, or `None` after saying that the test skips.
///
/// # Panics
///
/// In CI (`CI=true`), where missing data is a failure.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = workspace().join("../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(
        std::env::var_os("CI").is_none_or(|it| it != "true"),
        "../shared/{folder} is missing, and CI must have it"
    );
    eprintln!("skipped: ../shared/{folder} is not here");
    None
}

/// True when `BLESS=1` asks tests to rewrite what they expect.
pub fn bless() -> bool {
    std::env::var_os("BLESS").is_some_and(|it| it == "1")
}

/// Compares `actual` with the text of a file; with `BLESS=1` writes it instead.
///
/// # Panics
///
/// When they differ; the message shows a line diff.
pub fn expect_file(path: &Path, actual: &str) {
    if let Err(difference) = compare_file(path, actual) {
        panic!("{difference}");
    }
}

/// [`expect_file`] for tests that show every difference before they fail.
///
/// # Errors
///
/// A line diff, when they differ.
///
/// # Panics
///
/// When `BLESS=1` and the file cannot be written.
pub fn compare_file(path: &Path, actual: &str) -> Result<(), String> {
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual && path.exists() {
        return Ok(());
    }
    if bless() {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("folders of expected files can be made");
        }
        std::fs::write(path, actual).expect("expected files can be written");
        return Ok(());
    }
    let diff = similar::TextDiff::from_lines(expected.as_str(), actual);
    let path = path.strip_prefix(workspace()).unwrap_or(path).display();
    let mut diff = diff.unified_diff();
    let diff = diff
        .context_radius(3)
        .header("expected", "actual")
        .to_string();
    Err(format!(
        "{path} is not what came out (BLESS=1 rewrites it):\n{diff}"
    ))
}

/// Says how a long run gets on; the next call overwrites a text without a line end.
pub fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
    }
}

/// The sub-folders of `folder`, by name.
///
/// # Panics
///
/// When the folder cannot be read.
pub fn cases(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of cases can be read");
    let mut all: Vec<PathBuf> = entries
        .map(|it| {
            it.expect("an entry of the folder of cases can be read")
                .path()
        })
        .filter(|it| it.is_dir())
        .collect();
    all.sort();
    all
}
