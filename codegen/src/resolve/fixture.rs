//! Contracts for tests, given as files in the source.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

use std::{fs, path::PathBuf};

use serde_json::Value;

use super::{Documents, SchemaSet, parse, resolve};
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Place, Spot},
    source::{Format, SourceMap},
};

/// A source map of these files: path below the contract root, and text. A URL is a remote file.
pub(crate) fn sources<P: AsRef<str>, T: AsRef<str>>(files: &[(P, T)]) -> SourceMap {
    let mut sources = SourceMap::default();
    for (path, text) in files {
        let path = path.as_ref();
        let is_json = path.rsplit_once('.').is_some_and(|(_, it)| it == "json");
        let format = if is_json { Format::Json } else { Format::Yaml };
        if path.starts_with("http") {
            let (url, text) = (path.to_owned(), text.as_ref().to_owned());
            sources.add_remote(url.clone(), url, format, text);
            continue;
        }
        let label = format!("schemas/{path}");
        sources.add(label, path.to_owned(), format, text.as_ref().to_owned());
    }
    sources
}

/// Runs `parse` and `resolve` over files, and `then` over what they give.
pub(crate) fn with_set<P: AsRef<str>, T: AsRef<str>, R>(
    files: &[(P, T)],
    then: impl FnOnce(&Documents, &SchemaSet<'_>, Vec<String>) -> R,
) -> R {
    let sources = sources(files);
    let mut diagnostics = Diagnostics::new();
    let documents = parse(&sources, &mut diagnostics);
    let set = resolve(&documents, &mut diagnostics);
    let found = found(&sources, &diagnostics);
    then(&documents, &set, found)
}

/// The findings, one line each: `id path#pointer: message [label] (related) help`.
pub(crate) fn found(sources: &SourceMap, diagnostics: &Diagnostics) -> Vec<String> {
    diagnostics.iter().map(|it| line(sources, it)).collect()
}

fn line(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let at = |place: &Place| {
        let path = &sources.file(place.file).path;
        match &place.spot {
            Spot::File => path.clone(),
            Spot::Value(pointer) => format!("{path}#{pointer}"),
            Spot::Key(pointer) => format!("{path}#{pointer} (key)"),
            Spot::Bytes(start, end) => format!("{path}@{start}..{end}"),
        }
    };
    let mut line = match &diagnostic.place {
        Some((place, label)) => {
            format!(
                "{} {}: {} [{label}]",
                diagnostic.id,
                at(place),
                diagnostic.message
            )
        }
        None => format!("{}: {}", diagnostic.id, diagnostic.message),
    };
    let related = diagnostic
        .related
        .iter()
        .map(|(place, label)| format!(" ({}: {label})", at(place)));
    line.extend(related);
    line.extend(diagnostic.help.iter().map(|it| format!(" help: {it}")));
    line
}

/// A folder of the data that tests share, when it is there. In CI it has to be.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "CI needs the shared test data"
    );
    eprintln!("skipped: the shared test data `{folder}` is not here");
    None
}

/// The JSON files of a folder by name, sorted.
pub(crate) fn json_files(folder: &std::path::Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "json"))
        .map(|it| {
            (
                it.file_stem().unwrap().to_string_lossy().into_owned(),
                fs::read_to_string(&it).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

/// The value of a JSON text.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
