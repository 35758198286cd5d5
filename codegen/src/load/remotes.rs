//! Copies of remote schemas: the folders that `[remotes]` names, read as what stands at their URLs.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::Root;
use crate::{
    config::{Config, label_of},
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer},
    resolve,
    source::{Remotes, SourceMap},
};

/// The folders as the file system knows them: they may stand below the contract root, whose files they are not.
pub(super) fn folders(config: &Config) -> Vec<PathBuf> {
    let folders = config.remotes.values();
    folders.filter_map(|it| fs::canonicalize(it).ok()).collect()
}

/// Reads the files below every folder of remotes. Which of them are schemas is found out when something refers
/// to them.
pub(super) fn load(config: &Config, sources: &mut SourceMap, diagnostics: &mut Diagnostics) {
    // The longest first: it decides about a URL that two of them begin.
    let mut remotes: Vec<_> = config.remotes.iter().collect();
    remotes.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    for (written, folder) in remotes {
        let prefix = format!("{}/", written.trim_end_matches('/'));
        if !resolve::is_url_prefix(&prefix) {
            let message = format!("`{written}` is not the beginning of a URL");
            let help = "write scheme, host and path: `\"https://example.com/schemas/\"`";
            diagnostics.push(setting(written, message, sources).help(help));
        } else if folder.is_dir() {
            load_folder(prefix, folder, sources, diagnostics);
        } else {
            let message = format!("there is no folder `{}`", label_of(folder));
            let help =
                "copies of remote schemas are kept in folders; paths are relative to this file";
            diagnostics.push(setting(written, message, sources).help(help));
        }
    }
    report_doubles(sources, diagnostics);
}

fn load_folder(
    prefix: String,
    folder: &Path,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) {
    let label = label_of(folder);
    let root = Root {
        folder,
        label: &label,
        prefix: &prefix,
        without: Vec::new(),
    };
    for file in root.walk(sources, diagnostics) {
        root.add(&file, sources, diagnostics);
    }
    sources.add_remotes(Remotes { prefix, label });
}

/// Two files for one URL: which one is meant would be chance.
fn report_doubles(sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let mut first = BTreeMap::new();
    for file in sources.remotes() {
        if let Some(other) = first.insert(&file.path, file) {
            let message = format!("`{}` is here twice", file.path);
            diagnostics.push(
                Diagnostic::new(Id::InvalidSetting, message)
                    .at(Place::file(file.id), "")
                    .and_at(Place::file(other.id), "the same URL")
                    .help("keep one of the two files, or change the prefixes in `[remotes]`"),
            );
        }
    }
}

fn setting(prefix: &str, message: String, sources: &SourceMap) -> Diagnostic {
    let found = Diagnostic::new(Id::InvalidSetting, message);
    match sources.config() {
        Some(file) => {
            let pointer = Pointer::root().child("remotes").child(prefix);
            found.at(Place::key(file.id, pointer), "")
        }
        None => found,
    }
}
