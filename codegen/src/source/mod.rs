//! The files a run reads: text by [`FileId`], and where in the text a JSON pointer stands.

mod json;
mod lines;
mod spans;
mod toml;
mod yaml;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub use lines::{LineIndex, Position};
pub use spans::Spans;

use crate::diagnostics::{Diagnostic, Diagnostics, Id, Place};

/// How deep values may nest: what `serde_json` allows, and the same for YAML.
const MAX_DEPTH: usize = 127;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, strictly.
    Json,
    /// YAML 1.2, core schema.
    Yaml,
    /// TOML: the configuration.
    Toml,
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its id in the map.
    pub id: FileId,
    /// What messages call it: the path as the user would type it, with forward slashes.
    pub label: String,
    /// Its path below the contract root, with forward slashes: `weather/get_weather.tool.json`. Of a
    /// remote file, the URL that it stands for.
    pub path: String,
    /// Whether it is the copy of a remote file: what `[remotes]` names, and no contract file.
    pub remote: bool,
    /// How it is written.
    pub format: Format,
    /// Its text.
    pub text: String,
}

/// Every file of a run, in path order.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    directories: Vec<PathBuf>,
    remotes: Vec<Remotes>,
    unread: Vec<String>,
}

/// A folder that holds copies of remote files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remotes {
    /// What the URLs of its files begin with; ends in a slash.
    pub(crate) prefix: String,
    /// What messages call the folder.
    pub(crate) label: String,
}

impl SourceMap {
    /// Adds a file. A byte order mark at its start is dropped, so that offsets count from the first
    /// character people see.
    pub fn add(&mut self, label: String, path: String, format: Format, text: String) -> FileId {
        self.insert(label, path, format, text, false)
    }

    /// Adds the copy of a remote file, in the same way.
    pub(crate) fn add_remote(
        &mut self,
        label: String,
        url: String,
        format: Format,
        text: String,
    ) -> FileId {
        self.insert(label, url, format, text, true)
    }

    fn insert(
        &mut self,
        label: String,
        path: String,
        format: Format,
        text: String,
        remote: bool,
    ) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("a run has fewer than 2^32 files"));
        let text = text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text);
        self.files.push(SourceFile {
            id,
            label,
            path,
            remote,
            format,
            text,
        });
        id
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All contract files, in the order they were added. Neither the configuration nor copies of
    /// remote files are among them.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        let files = self.files.iter();
        files.filter(|it| it.format != Format::Toml && !it.remote)
    }

    /// The copies of remote files, in the order they were added.
    pub fn remotes(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().filter(|it| it.remote)
    }

    /// The configuration file, when the run has one.
    pub fn config(&self) -> Option<&SourceFile> {
        self.files.iter().find(|it| it.format == Format::Toml)
    }

    /// Records a folder whose content decides what a run reads.
    pub fn add_directory(&mut self, directory: PathBuf) {
        self.directories.push(directory);
    }

    /// The folders that were searched, the contract root first and those of remote files last: a file
    /// that appears or changes in one of them may change the outcome.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(PathBuf::as_path)
    }

    /// Records a folder of copies of remote files.
    pub(crate) fn add_remotes(&mut self, remotes: Remotes) {
        self.remotes.push(remotes);
    }

    /// The folders of copies of remote files, the longest prefix first.
    pub(crate) fn remote_folders(&self) -> &[Remotes] {
        &self.remotes
    }

    /// Records that something is there but could not be read, which has been reported: the path of a
    /// file or folder, as [`SourceFile::path`].
    pub(crate) fn add_unread(&mut self, path: String) {
        self.unread.push(path);
    }

    /// What is there but could not be read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &str> {
        self.unread.iter().map(String::as_str)
    }
}

/// The value a contract file holds, key order kept; `None` when it cannot be read as one.
///
/// Everything wrong with the text is reported: syntax, duplicate keys, and what YAML can say but JSON
/// cannot. A file with any such fault has no value.
pub fn parse_value(file: &SourceFile, diagnostics: &mut Diagnostics) -> Option<Value> {
    let outcome = match file.format {
        Format::Json => json::parse(&file.text),
        Format::Yaml => yaml::parse(&file.text).map(|it| it.value),
        Format::Toml => return None,
    };
    match outcome {
        Ok(value) => Some(value),
        Err(faults) => {
            for fault in faults {
                diagnostics.push(fault.into_diagnostic(file));
            }
            None
        }
    }
}

/// A fault in the text of a file, before it becomes a finding.
#[derive(Debug)]
struct Fault {
    id: Id,
    message: String,
    at: std::ops::Range<usize>,
    label: &'static str,
    related: Option<(std::ops::Range<usize>, &'static str)>,
    help: Option<String>,
}

impl Fault {
    fn new(id: Id, at: std::ops::Range<usize>, message: impl Into<String>) -> Self {
        Self {
            id,
            message: message.into(),
            at,
            label: "",
            related: None,
            help: None,
        }
    }

    fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    fn related(mut self, at: std::ops::Range<usize>, label: &'static str) -> Self {
        self.related = Some((at, label));
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same key at two places of one object.
    fn duplicate_key(
        key: &str,
        first: std::ops::Range<usize>,
        again: std::ops::Range<usize>,
    ) -> Self {
        Self {
            id: Id::DuplicateKey,
            message: format!("the key `{key}` appears twice in one object"),
            at: again,
            label: "here again",
            related: Some((first, "first here")),
            help: Some("remove or rename one of the two".to_owned()),
        }
    }

    fn into_diagnostic(self, file: &SourceFile) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.id, self.message);
        // An empty file has no text to point into.
        let place = if file.text.is_empty() {
            Place::file(file.id)
        } else {
            Place::bytes(file.id, self.at)
        };
        diagnostic = diagnostic.at(place, self.label);
        if let Some((related, label)) = self.related {
            diagnostic = diagnostic.and_at(Place::bytes(file.id, related), label);
        }
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
