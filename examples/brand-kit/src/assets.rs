//! The assets: files beside the program, and what it holds in memory.

use std::{collections::BTreeMap, path::PathBuf};

use mcp_codegen_runtime::{ToolError, ToolResult};

use crate::contract::Theme;

/// How to use them.
pub(crate) const GUIDELINES: &str = include_str!("../assets/guidelines.md");

/// Colours by name, the primary one first.
pub(crate) const COLOURS: [(&str, &str); 3] = [
    ("primary", "#1d4ed8"),
    ("accent", "#f59e0b"),
    ("positive", "#10b981"),
];

/// Where an asset stands.
pub(crate) fn file(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets")).join(name)
}

/// The logo for a background, as a file.
pub(crate) fn logo_file(theme: Theme) -> PathBuf {
    match theme {
        Theme::Light => file("logo-light.png"),
        Theme::Dark => file("logo-dark.png"),
    }
}

/// The same, as a database or another service would give it.
pub(crate) const fn logo_bytes(theme: Theme) -> &'static [u8] {
    match theme {
        Theme::Light => include_bytes!("../assets/logo-light.png"),
        Theme::Dark => include_bytes!("../assets/logo-dark.png"),
    }
}

/// The code of a colour, or an error that says which colours there are.
pub(crate) fn colour(name: &str) -> ToolResult<&'static str> {
    let found = COLOURS.iter().find(|(it, _)| *it == name);
    found.map(|(_, code)| *code).ok_or_else(|| {
        let names: Vec<_> = COLOURS.iter().map(|(it, _)| *it).collect();
        ToolError::new(format!(
            "the brand has no colour `{name}`; it has {}",
            names.join(", ")
        ))
    })
}

/// All colours by name.
pub(crate) fn palette() -> BTreeMap<&'static str, &'static str> {
    COLOURS.into_iter().collect()
}
