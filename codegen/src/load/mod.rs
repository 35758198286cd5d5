//! Load: the only input. The contract root becomes a [`SourceMap`], the same one in any directory order.

mod remotes;

#[cfg(test)]
mod tests;

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

use crate::{
    config::{self, Config, FILE_NAME},
    diagnostics::{Diagnostic, Diagnostics, Failure, Id, Place},
    resolve,
    source::{FileId, Format, SourceMap},
};

/// How large a file may be: far beyond any contract, and less than what fills a memory.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Reads every contract file below the contract root and every copy of a remote file, and takes the
/// configuration in.
///
/// Hidden files and folders, and files of other kinds, are skipped. Symbolic links are followed; links
/// in a circle are reported.
pub(crate) fn load(config: &Config, diagnostics: &mut Diagnostics) -> SourceMap {
    let mut sources = SourceMap::default();
    if let Some(file) = &config.file {
        config::check_file(file, &mut sources, diagnostics);
    }
    if !config.schemas.is_dir() {
        // Settings that cannot be read may well have named another folder.
        if diagnostics.propagate().is_err() {
            return sources;
        }
        let problem = if config.schemas.exists() {
            "is not a folder"
        } else {
            "does not exist"
        };
        diagnostics.push(empty_root(config, &sources, problem));
        return sources;
    }
    let root = Root {
        folder: &config.schemas,
        label: &config.schemas_label,
        prefix: "",
        without: remotes::folders(config),
    };
    let files = root.walk(&mut sources, diagnostics);
    if files.is_empty() && diagnostics.propagate().is_ok() {
        diagnostics.push(empty_root(config, &sources, "holds no contract files"));
    }
    for file in files {
        root.add(&file, &mut sources, diagnostics);
    }
    remotes::load(config, &mut sources, diagnostics);
    sources
}

/// A folder that is searched.
struct Root<'c> {
    folder: &'c Path,
    /// What messages call it.
    label: &'c str,
    /// What precedes the paths of its files; empty for the contract root.
    prefix: &'c str,
    /// Folders below it that are none of its own.
    without: Vec<PathBuf>,
}

struct Found {
    /// Below the folder, with forward slashes.
    path: String,
    real: PathBuf,
    format: Format,
}

impl Root<'_> {
    /// The files of a known format in the order of their paths' bytes. The folders are recorded.
    fn walk(&self, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Vec<Found> {
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        let walk = WalkDir::new(self.folder)
            .follow_links(true)
            .sort_by_file_name();
        for entry in walk
            .into_iter()
            .filter_entry(|it| it.depth() == 0 || !self.skips(it))
        {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => directories.push(entry.into_path()),
                Ok(entry) => files.extend(self.file(entry, diagnostics)),
                Err(error) => self.unreadable_entry(&error, sources, diagnostics),
            }
        }
        files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
        directories.sort();
        for directory in directories {
            sources.add_directory(directory);
        }
        files
    }

    fn skips(&self, entry: &DirEntry) -> bool {
        let is_other = || {
            let real = fs::canonicalize(entry.path());
            real.is_ok_and(|it| self.without.contains(&it))
        };
        is_hidden(entry.path())
            || (!self.without.is_empty() && entry.file_type().is_dir() && is_other())
    }

    fn file(&self, entry: DirEntry, diagnostics: &mut Diagnostics) -> Option<Found> {
        let Some(format) = format_of(entry.path()) else {
            if let Some(found) = self.other_format(entry.path()) {
                diagnostics.push(found);
            }
            return None;
        };
        let below = self.below(entry.path());
        let parts: Option<Vec<&str>> = below.iter().map(|it| it.to_str()).collect();
        let Some(parts) = parts else {
            let label = self.label_of(below);
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

    /// The finding for a file that is called like a contract, in a format that is not read: it would
    /// silently be left out.
    fn other_format(&self, path: &Path) -> Option<Diagnostic> {
        const RELATIVES: [&str; 6] = ["json5", "jsonc", "hjson", "json", "yaml", "yml"];
        let extension = path.extension()?.to_str()?.to_lowercase();
        let base = path.file_stem()?.to_str()?;
        if !resolve::is_contract(&format!("{base}.json"))
            || !RELATIVES.contains(&extension.as_str())
            || !self.prefix.is_empty()
        {
            return None;
        }
        let label = self.label_of(self.below(path));
        Some(
            Diagnostic::new(
                Id::UnknownFileKind,
                format!("`{label}` is not read: contract files end in `.json`, `.yaml` or `.yml`"),
            )
            .help("rename it; YAML may have comments"),
        )
    }

    /// Takes in the text of a file.
    fn add(&self, file: &Found, sources: &mut SourceMap, diagnostics: &mut Diagnostics) {
        let label = self.label_of(Path::new(&file.path));
        let path = self.path_of(&file.path);
        let bytes = match read(&file.real, &label) {
            Ok(bytes) => bytes,
            Err(fault) => {
                diagnostics.push(*fault);
                sources.add_unread(path);
                return;
            }
        };
        let (text, fault) = decoded(bytes);
        let id = if self.prefix.is_empty() {
            sources.add(label, path, file.format, text)
        } else {
            sources.add_remote(label, path, file.format, text)
        };
        if let Some(fault) = fault {
            diagnostics.push(fault.at(id));
        }
    }

    fn unreadable_entry(
        &self,
        error: &walkdir::Error,
        sources: &mut SourceMap,
        diagnostics: &mut Diagnostics,
    ) {
        let path = error.path().unwrap_or(self.folder);
        // A dangling link that is no contract file is nobody's business; an editor's lock is one.
        let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        let is_loop = error.loop_ancestor().is_some();
        if is_hidden(path) || (is_link && !is_loop && format_of(path).is_none()) {
            return;
        }
        let below = self.below(path);
        let label = self.label_of(below);
        sources.add_unread(self.path_of(&below.to_string_lossy().replace('\\', "/")));
        if is_loop {
            let message =
                format!("the symbolic link `{label}` leads back to a folder that holds it");
            diagnostics.push(Diagnostic::new(Id::UnreadableFile, message).help("remove the link"));
            return;
        }
        diagnostics.push(match error.io_error() {
            Some(error) => unreadable(&label, error),
            None => Diagnostic::new(Id::UnreadableFile, format!("cannot read `{label}`")),
        });
    }

    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.folder).unwrap_or(path)
    }

    /// What messages call a path below the folder.
    fn label_of(&self, below: &Path) -> String {
        let below = below.to_string_lossy().replace('\\', "/");
        match self.label {
            "." => below,
            root => format!("{}/{below}", root.trim_end_matches('/')),
        }
    }

    /// What the source map calls a path below the folder.
    fn path_of(&self, below: &str) -> String {
        if self.prefix.is_empty() {
            below.to_owned()
        } else {
            format!("{}{}", self.prefix, resolve::encode(below))
        }
    }
}

/// The bytes of a file. Only of a regular one: reading a pipe or a device may never end.
fn read(path: &Path, label: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
    let failed = |error: io::Error| Box::new(unreadable(label, &error));
    if !fs::metadata(path).map_err(failed)?.is_file() {
        let message = format!("cannot read `{label}`: it is not a regular file");
        let found = Diagnostic::new(Id::UnreadableFile, message);
        return Err(Box::new(found.help("remove it, or what it links to")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("`{label}` is larger than {} MiB", MAX_BYTES / 1024 / 1024);
        let found = Diagnostic::new(Id::LimitExceeded, message);
        let help = "split it, or move it out of the contract root";
        return Err(Box::new(found.help(help)));
    }
    Ok(bytes)
}

/// Where a text stops being UTF-8.
struct BadEncoding {
    at: usize,
    utf16: bool,
}

/// The text of a file. Up to a fault the lossy text is the file's own, so the caret stands right.
fn decoded(bytes: Vec<u8>) -> (String, Option<BadEncoding>) {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return (text, None),
        Err(error) => error,
    };
    let at = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // A byte order mark is dropped from texts.
    let at = if text.starts_with('\u{feff}') {
        at.saturating_sub(3)
    } else {
        at
    };
    (text, Some(BadEncoding { at, utf16 }))
}

impl BadEncoding {
    fn at(self, file: FileId) -> Diagnostic {
        let message = if self.utf16 {
            "the file is UTF-16, not UTF-8"
        } else {
            "the file is not UTF-8 text"
        };
        let bytes = self.at..self.at + '\u{fffd}'.len_utf8();
        Diagnostic::new(Id::BadEncoding, message)
            .at(Place::bytes(file, bytes), "not UTF-8 from here")
            .help("save the file as UTF-8")
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

fn empty_root(config: &Config, sources: &SourceMap, problem: &str) -> Diagnostic {
    let message = format!("the contract root `{}` {problem}", config.schemas_label);
    let found = Diagnostic::new(Id::EmptyContractRoot, message);
    let found = match config::place_of_root(config, sources) {
        Some(place) => found.at(place, ""),
        None => found,
    };
    found.help(
        "put one folder per server into it, with a `<tool>.tool.json` for each tool; \
         `.yaml` and `.yml` are read too",
    )
}

impl Config {
    /// Reads a configuration file; [`Config::from_toml`] says what becomes of faults in it.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
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
    /// When the file that was found cannot be read.
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
    /// When it cannot be read.
    pub fn apply_file(&mut self, path: &Path) -> Result<(), Box<Failure>> {
        let label = path.to_string_lossy().replace('\\', "/");
        self.apply_toml(path, &label, &read_settings(path, &label)?);
        Ok(())
    }

    fn read_as(path: &Path, label: &str) -> Result<Self, Box<Failure>> {
        let text = read_settings(path, label)?;
        Ok(Self::from_toml(path, label, &text))
    }
}

/// The text of a configuration file.
fn read_settings(path: &Path, label: &str) -> Result<String, Box<Failure>> {
    let read = || {
        // A pipe will do here, but not one without an end.
        let mut text = String::new();
        File::open(path)?
            .take(MAX_BYTES)
            .read_to_string(&mut text)?;
        Ok(text)
    };
    read().map_err(|error: io::Error| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(unreadable(label, &error));
        Box::new(Failure {
            sources: SourceMap::default(),
            diagnostics,
        })
    })
}
