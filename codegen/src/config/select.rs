//! Selectors: which tools and types a table of the configuration means, and which table wins.

use std::collections::BTreeMap;

use super::{Config, ToolSettings, TypeSettings};
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer, did_you_mean},
    source::SourceMap,
};

impl Config {
    /// The settings of a tool: for each of them the most specific selector that sets it.
    pub fn settings_for(&self, module: &str, tool: &str) -> ToolSettings {
        let overrides = by_precedence(&self.tools, module, tool);
        let defaults = ToolSettings::default();
        ToolSettings {
            text: overrides
                .iter()
                .find_map(|it| it.text)
                .unwrap_or(defaults.text),
            output: overrides
                .iter()
                .find_map(|it| it.output)
                .unwrap_or(defaults.output),
            wrap: overrides
                .iter()
                .find_map(|it| it.wrap)
                .unwrap_or(defaults.wrap),
            formats: overrides
                .iter()
                .find_map(|it| it.formats)
                .unwrap_or(defaults.formats),
        }
    }

    /// The settings of a type: for each of them the most specific selector that sets it.
    pub fn type_settings(&self, module: &str, type_name: &str) -> TypeSettings {
        let overrides = by_precedence(&self.types, module, type_name);
        let defaults = TypeSettings::default();
        TypeSettings {
            unknown: overrides
                .iter()
                .find_map(|it| it.unknown)
                .unwrap_or(defaults.unknown),
        }
    }
}

/// The selectors that match an item of a server, the most specific first.
fn selectors(module: &str, name: &str) -> [String; 4] {
    [
        format!("{module}.{name}"),
        name.to_owned(),
        format!("{module}.*"),
        "*".to_owned(),
    ]
}

fn by_precedence<'c, T>(table: &'c BTreeMap<String, T>, module: &str, name: &str) -> Vec<&'c T> {
    selectors(module, name)
        .iter()
        .filter_map(|it| table.get(it))
        .collect()
}

/// The tools and types of one server, as selectors may name them.
#[derive(Clone, Debug)]
pub(crate) struct Named<'a> {
    pub(crate) module: &'a str,
    pub(crate) tools: Vec<&'a str>,
    pub(crate) types: Vec<&'a str>,
}

/// Reports every selector that matches nothing: its settings would silently not apply.
pub(crate) fn unmatched_selectors(
    config: &Config,
    sources: &SourceMap,
    servers: &[Named<'_>],
    diagnostics: &mut Diagnostics,
) {
    let items = |of: fn(&Named<'_>) -> usize| servers.iter().map(of).sum::<usize>();
    let tables: [(&str, &str, Vec<&String>, usize); 2] = [
        (
            "tools",
            "tool",
            config.tools.keys().collect(),
            items(|it| it.tools.len()),
        ),
        (
            "types",
            "type",
            config.types.keys().collect(),
            items(|it| it.types.len()),
        ),
    ];
    for (section, what, written, count) in tables {
        if written.is_empty() {
            continue;
        }
        let mut known: Vec<String> = Vec::with_capacity(count * 4);
        for server in servers {
            let names = if section == "tools" {
                &server.tools
            } else {
                &server.types
            };
            known.extend(names.iter().flat_map(|it| selectors(server.module, it)));
        }
        known.sort();
        known.dedup();
        for selector in written
            .into_iter()
            .filter(|it| known.binary_search(it).is_err())
        {
            let message = format!("the selector `{selector}` matches no {what}");
            let help = match did_you_mean(selector, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    format!("a selector is `<{what}>`, `<server>.<{what}>`, `<server>.*` or `*`")
                }
            };
            let mut diagnostic = Diagnostic::new(Id::UnmatchedSelector, message).help(help);
            if let Some(file) = sources.config() {
                let pointer = Pointer::root().child(section).child(selector);
                diagnostic = diagnostic.at(Place::key(file.id, pointer), "");
            }
            diagnostics.push(diagnostic);
        }
    }
}
