//! Load: the only input. The contract root becomes a [`SourceMap`], the same one in any directory order.

#[cfg(test)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

use crate::{
    config::{Config, FILE_NAME},
    diagnostics::{Diagnostic, Diagnostics, Failure, Id, Place},
    source::{Format, SourceMap},
};

/// Reads every contract file below the contract root, and takes the configuration in.
///
/// Hidden files and folders, and files of other kinds, are skipped. Symbolic links are followed; links
/// in a circle are reported.
pub(crate) fn load(config: &Config, diagnostics: &mut Diagnostics) -> SourceMap {
    let mut sources = SourceMap::default();
    if let Some(file) = &config.file {
        let (label, text) = (file.label.clone(), file.text.clone());
        sources.add(label, FILE_NAME.to_owned(), Format::Toml, text);
    }
    if !config.schemas.is_dir() {
        let problem = if config.schemas.exists() {
            "is not a folder"
        } else {
            "does not exist"
        };
        diagnostics.push(empty_root(config, problem));
        return sources;
    }
    let (files, directories) = walk(config, diagnostics);
    for directory in directories {
        sources.add_directory(directory);
    }
    if files.is_empty() && diagnostics.propagate().is_ok() {
        diagnostics.push(empty_root(config, "holds no contract files"));
    }
    for file in files {
        add(file, config, &mut sources, diagnostics);
    }
    sources
}

struct Found {
    /// Below the contract root, with forward slashes.
    path: String,
    real: PathBuf,
    format: Format,
}

/// The contract files and the folders below the root, in the order of their paths' bytes.
fn walk(config: &Config, diagnostics: &mut Diagnostics) -> (Vec<Found>, Vec<PathBuf>) {
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    let walk = WalkDir::new(&config.schemas)
        .follow_links(true)
        .sort_by_file_name();
    for entry in walk
        .into_iter()
        .filter_entry(|it| it.depth() == 0 || !is_hidden(it.path()))
    {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => directories.push(entry.into_path()),
            Ok(entry) => files.extend(contract_file(entry, config, diagnostics)),
            Err(error) => unreadable_entry(&error, config, diagnostics),
        }
    }
    files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    directories.sort();
    (files, directories)
}

fn contract_file(entry: DirEntry, config: &Config, diagnostics: &mut Diagnostics) -> Option<Found> {
    let format = format_of(entry.path())?;
    let below = entry
        .path()
        .strip_prefix(&config.schemas)
        .unwrap_or(entry.path());
    let parts: Option<Vec<&str>> = below.iter().map(|it| it.to_str()).collect();
    let Some(parts) = parts else {
        let label = label_of(below, config);
        let message = format!("the name of `{label}` is not UTF-8");
        diagnostics.push(Diagnostic::new(Id::UnreadableFile, message).help("rename the file"));
        return None;
    };
    Some(Found {
        path: parts.join("/"),
        real: entry.into_path(),
        format,
    })
}

fn add(file: Found, config: &Config, sources: &mut SourceMap, diagnostics: &mut Diagnostics) {
    let label = label_of(Path::new(&file.path), config);
    let bytes = match fs::read(&file.real) {
        Ok(bytes) => bytes,
        Err(error) => {
            diagnostics.push(unreadable(&label, &error));
            return;
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => {
            sources.add(label, file.path, file.format, text);
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
            // Up to the fault the lossy text is the file's own, so the caret stands right. A byte
            // order mark is dropped from texts.
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let at = if text.starts_with('\u{feff}') {
                at.saturating_sub(3)
            } else {
                at
            };
            let id = sources.add(label, file.path, file.format, text);
            let message = if utf16 {
                "the file is UTF-16, not UTF-8"
            } else {
                "the file is not UTF-8 text"
            };
            diagnostics.push(
                Diagnostic::new(Id::BadEncoding, message)
                    .at(
                        Place::bytes(id, at..at + '\u{fffd}'.len_utf8()),
                        "not UTF-8 from here",
                    )
                    .help("save the file as UTF-8"),
            );
        }
    }
}

/// What messages call a path below the contract root.
fn label_of(below: &Path, config: &Config) -> String {
    let below = below.to_string_lossy().replace('\\', "/");
    match config.schemas_label.as_str() {
        "." => below,
        root => format!("{}/{below}", root.trim_end_matches('/')),
    }
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()? {
        "json" => Some(Format::Json),
        "yaml" | "yml" => Some(Format::Yaml),
        _ => None,
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|it| it.as_encoded_bytes().starts_with(b"."))
}

fn unreadable_entry(error: &walkdir::Error, config: &Config, diagnostics: &mut Diagnostics) {
    let path = error.path().unwrap_or(&config.schemas);
    let below = path.strip_prefix(&config.schemas).unwrap_or(path);
    // A dangling link that is no contract file is nobody's business; an editor's lock is one.
    let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
    let is_loop = error.loop_ancestor().is_some();
    if is_hidden(path) || (is_link && !is_loop && format_of(path).is_none()) {
        return;
    }
    let label = label_of(below, config);
    if is_loop {
        let message = format!("the symbolic link `{label}` leads back to a folder that holds it");
        diagnostics.push(Diagnostic::new(Id::UnreadableFile, message).help("remove the link"));
        return;
    }
    diagnostics.push(match error.io_error() {
        Some(error) => unreadable(&label, error),
        None => Diagnostic::new(Id::UnreadableFile, format!("cannot read `{label}`")),
    });
}

fn unreadable(label: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::new(
        Id::UnreadableFile,
        format!("cannot read `{label}`: {}", reason(error)),
    )
}

/// The system's words, without the number that Rust appends.
fn reason(error: &io::Error) -> String {
    let text = error.to_string().to_lowercase();
    text.split_once(" (os error")
        .map_or(text.clone(), |(it, _)| it.to_owned())
}

fn empty_root(config: &Config, problem: &str) -> Diagnostic {
    let message = format!("the contract root `{}` {problem}", config.schemas_label);
    Diagnostic::new(Id::EmptyContractRoot, message).help(
        "put one folder per server into it, with a `<tool>.tool.json` for each tool; \
         `.yaml` and `.yml` are read too",
    )
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, and everything wrong with it.
    pub fn read(path: &Path) -> Result<Self, Box<Failure>> {
        Self::read_as(path, &path.to_string_lossy().replace('\\', "/"))
    }

    /// Looks for `mcp-codegen.toml` in a folder and the folders above it; `None` where there is none.
    ///
    /// `directory` should be absolute, otherwise what is above it is not known. Messages name the file relative to
    /// `directory`.
    ///
    /// # Errors
    ///
    /// When the file that was found cannot be read, and everything wrong with it.
    pub fn discover(directory: &Path) -> Result<Option<Self>, Box<Failure>> {
        for (level, folder) in directory.ancestors().enumerate() {
            let path = folder.join(FILE_NAME);
            if path.is_file() {
                let label = "../".repeat(level) + FILE_NAME;
                return Self::read_as(&path, &label).map(Some);
            }
        }
        Ok(None)
    }

    /// Takes over what a configuration file says; what it leaves out stays as it is.
    ///
    /// # Errors
    ///
    /// As [`Config::read`].
    pub fn apply_file(&mut self, path: &Path) -> Result<(), Box<Failure>> {
        let label = path.to_string_lossy().replace('\\', "/");
        let text = read_settings(path, &label)?;
        self.apply_toml(path, &label, &text)
    }

    fn read_as(path: &Path, label: &str) -> Result<Self, Box<Failure>> {
        let text = read_settings(path, label)?;
        Self::from_toml(path, label, &text)
    }
}

/// The text of a configuration file.
fn read_settings(path: &Path, label: &str) -> Result<String, Box<Failure>> {
    fs::read_to_string(path).map_err(|error| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(unreadable(label, &error));
        Box::new(Failure {
            sources: SourceMap::default(),
            diagnostics,
        })
    })
}
