//! `<module>.json`: the contract as one self-contained document, which the runtime reads.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::markdown;
use crate::{
    config::{FormatPolicy, ToolSettings},
    contract::Server,
    graph::{Select, ServerTypes, TypeKind},
    prove::{ServerProofs, ToolProofs, Verdict},
};

/// The document of a server, as indented JSON. `mark` is the value of its first member.
pub(super) fn document(
    server: &Server<'_>,
    graph: &ServerTypes,
    proofs: &ServerProofs,
    mark: &str,
) -> String {
    let mut document = Map::new();
    document.insert("@generated".to_owned(), mark.into());
    document.insert("server".to_owned(), server.info.clone().into());
    if let Some(instructions) = &server.instructions {
        document.insert("instructions".to_owned(), instructions.as_str().into());
    }
    let tools = server
        .tools
        .iter()
        .map(|it| Value::Object(it.published.clone()));
    document.insert("tools".to_owned(), tools.collect());
    for (key, part) in [
        ("settings", settings(server, proofs)),
        ("unions", unions(graph)),
    ] {
        if !part.is_empty() {
            document.insert(key.to_owned(), part.into());
        }
    }
    let mut text = escape_hidden(&format!("{:#}", Value::Object(document)));
    text.push('\n');
    text
}

/// The settings of each tool that differ from what the runtime assumes.
fn settings(server: &Server<'_>, proofs: &ServerProofs) -> Map<String, Value> {
    let tools = server
        .tools
        .iter()
        .zip(&proofs.tools)
        .map(|(it, proofs)| (it.name.clone(), tool_settings(it.settings, proofs)));
    tools
        .filter(|(_, it)| !it.is_empty())
        .map(|(name, it)| (name, it.into()))
        .collect()
}

fn tool_settings(settings: ToolSettings, proofs: &ToolProofs) -> Map<String, Value> {
    let defaults = ToolSettings::default();
    let mut map = Map::new();
    let mut put = |key: &str, differs: bool, word: &str| {
        if differs {
            map.insert(key.to_owned(), word.into());
        }
    };
    put(
        "text",
        settings.text != defaults.text,
        settings.text.as_str(),
    );
    put(
        "output",
        settings.output != defaults.output,
        settings.output.as_str(),
    );
    put(
        "wrap",
        settings.wrap != defaults.wrap,
        settings.wrap.as_str(),
    );
    put(
        "formats",
        settings.formats != defaults.formats,
        settings.formats.as_str(),
    );
    let exact = [
        ("exactInput", Some(&proofs.input)),
        ("exactOutput", proofs.output.as_ref()),
    ];
    for (key, verdict) in exact {
        // Types do not know formats; the proof is about formats as the dialect has them.
        if verdict == Some(&Verdict::Exact) && settings.formats != FormatPolicy::Assert {
            map.insert(key.to_owned(), true.into());
        }
    }
    map
}

/// The schemas of the variants of each union that chooses by schema, by type name.
fn unions(graph: &ServerTypes) -> Map<String, Value> {
    let schemas = graph.types.iter().filter_map(|def| match &def.kind {
        TypeKind::Union(it) => match &it.select {
            Select::Schema(schemas) => Some((def.name.to_string(), schemas.clone().into())),
            Select::Tag { .. } | Select::Kind(_) => None,
        },
        TypeKind::Struct(_)
        | TypeKind::Literals(_)
        | TypeKind::Constant(_)
        | TypeKind::Alias(_)
        | TypeKind::Newtype(_)
        | TypeKind::Constrained(_) => None,
    });
    schemas.collect()
}

/// Writes characters that hide or reorder text as JSON escapes, so that a reviewer sees them. They
/// can only stand inside strings: the text is JSON, and its white space is ours.
fn escape_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if char != '\n' && markdown::hides(char) {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}").expect("a String takes any text");
            }
        } else {
            out.push(char);
        }
    }
    out
}
