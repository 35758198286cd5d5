//! Selectors: which tools and types a table of the configuration means, and which table wins.

use std::collections::{BTreeMap, BTreeSet};

use super::{Config, ConstraintPolicy, Located, RustType, ToolSettings, TypeSettings};
use crate::diagnostics::{Diagnostics, Id, did_you_mean};

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
            unwrap: overrides
                .iter()
                .find_map(|it| it.unwrap)
                .unwrap_or(defaults.unwrap),
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
            constraints: overrides
                .iter()
                .find_map(|it| it.constraints)
                .unwrap_or(defaults.constraints),
            derives: distinct(overrides.iter().rev().flat_map(|it| &it.derives)),
            attributes: distinct(overrides.iter().rev().flat_map(|it| &it.attributes)),
        }
    }

    /// What stands in for a type, with the selector that says so.
    pub(crate) fn replacement(&self, module: &str, type_name: &str) -> Option<&RustType> {
        self.replace
            .get(&format!("{module}.{type_name}"))
            .or_else(|| self.replace.get(type_name))
    }

    /// Another name for a type, field or variant, with the selector that gives it.
    pub(crate) fn new_name(&self, module: &str, name: &str) -> Option<(&str, &str)> {
        let found = self.rename.get_key_value(&format!("{module}.{name}"));
        let found = found.or_else(|| self.rename.get_key_value(name))?;
        Some((found.0, found.1))
    }

    /// Whether a method gives the values of an argument or variable.
    pub(crate) fn completes(&self, module: &str, owner: &str, argument: &str) -> bool {
        let own = format!("{owner}.{argument}");
        let full = format!("{module}.{own}");
        self.completions.iter().any(|it| *it == own || *it == full)
    }

    /// Whether any type is to have its constraints.
    pub(crate) fn wants_constraints(&self) -> bool {
        let mut policies = self.types.values().filter_map(|it| it.constraints);
        policies.any(|it| it == ConstraintPolicy::Newtype)
    }
}

/// Texts without repetitions, in their order.
fn distinct<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.contains(text) {
            all.push(text.clone());
        }
    }
    all
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

/// What selectors may name of one server.
#[derive(Clone, Debug)]
pub(crate) struct Named<'a> {
    pub(crate) module: &'a str,
    pub(crate) tools: Vec<&'a str>,
    pub(crate) types: &'a [String],
    /// Types, fields and variants.
    pub(crate) renames: &'a [String],
    pub(crate) formats: &'a [String],
    /// Arguments of prompts and variables of templates: `review.asset`.
    pub(crate) arguments: Vec<String>,
}

/// Reports every selector that matches nothing: its settings would silently not apply.
pub(crate) fn unmatched_selectors(
    settings: Located<'_>,
    servers: &[Named<'_>],
    diagnostics: &mut Diagnostics,
) {
    for table in tables(settings.config) {
        if !table.written.is_empty() {
            unmatched(settings, servers, &table, diagnostics);
        }
    }
}

/// A table of the settings whose keys are selectors, or the one list of selectors.
struct Table<'c> {
    section: &'static str,
    /// What its selectors name, in words.
    what: &'static str,
    written: Vec<&'c String>,
    /// Every selector that would match something of a server.
    known: fn(&Named<'_>) -> Vec<String>,
    /// How a selector is written.
    form: &'static str,
}

const COMPLETION: &str = "completion";
const WILDCARDS: &str = "a selector is `<NAME>`, `<server>.<NAME>`, `<server>.*` or `*`";

fn tables(config: &Config) -> [Table<'_>; 6] {
    [
        Table {
            section: "tools",
            what: "tool",
            written: config.tools.keys().collect(),
            known: |it| {
                it.tools
                    .iter()
                    .flat_map(|name| selectors(it.module, name))
                    .collect()
            },
            form: WILDCARDS,
        },
        Table {
            section: "types",
            what: "type",
            written: config.types.keys().collect(),
            known: |it| {
                it.types
                    .iter()
                    .flat_map(|name| selectors(it.module, name))
                    .collect()
            },
            form: WILDCARDS,
        },
        Table {
            section: "replace",
            what: "type",
            written: config.replace.keys().collect(),
            known: |it| exact(it.module, it.types),
            form: "a selector is `<NAME>` or `<server>.<NAME>`",
        },
        Table {
            section: "rename",
            what: "type, field or variant",
            written: config.rename.keys().collect(),
            known: |it| exact(it.module, it.renames),
            form: "a selector is `Type`, `Type.field` or `Type::Variant`, by the names without `[rename]`",
        },
        Table {
            section: "formats",
            what: "`format` of the contract",
            written: config.formats.keys().collect(),
            known: |it| it.formats.to_vec(),
            form: "it is what `format` says in a schema",
        },
        Table {
            section: COMPLETION,
            what: "argument of a prompt or variable of a resource template",
            written: config.completions.iter().collect(),
            known: |it| exact(it.module, &it.arguments),
            form: "a selector is `<prompt>.<argument>` or `<template>.<variable>`, also with the server before it",
        },
    ]
}

/// The selectors without wildcards that match one of these names.
fn exact(module: &str, names: &[String]) -> Vec<String> {
    let both = names
        .iter()
        .map(|name| [format!("{module}.{name}"), name.clone()]);
    both.flatten().collect()
}

fn unmatched(
    settings: Located<'_>,
    servers: &[Named<'_>],
    table: &Table<'_>,
    diagnostics: &mut Diagnostics,
) {
    let known: BTreeSet<String> = servers.iter().flat_map(table.known).collect();
    let written = table.written.iter().enumerate();
    for (index, selector) in written.filter(|(_, it)| !known.contains(**it)) {
        let what = table.what;
        let message = format!("the selector `{selector}` matches no {what}");
        let near = did_you_mean(selector, known.iter().map(String::as_str));
        let help = match (renamed(settings.config, servers, table, selector), near) {
            (Some(name), _) => {
                format!("`[rename]` calls it `{name}`, and so do all other selectors")
            }
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => table.form.replace("NAME", what),
        };
        let id = Id::UnmatchedSelector;
        let finding = if table.section == COMPLETION {
            settings.value(id, message, &[COMPLETION, "methods", &index.to_string()])
        } else {
            settings.key(id, message, &[table.section, selector])
        };
        diagnostics.push(finding.help(help));
    }
}

/// What a type is called that a selector means by the name it would have without `[rename]`.
fn renamed<'c>(
    config: &'c Config,
    servers: &[Named<'_>],
    table: &Table<'_>,
    selector: &str,
) -> Option<&'c str> {
    if !matches!(table.section, "types" | "replace") {
        return None;
    }
    servers.iter().find_map(|it| {
        let of_server = selector
            .strip_prefix(it.module)
            .and_then(|rest| rest.strip_prefix('.'));
        let (_, name) = config.new_name(it.module, of_server.unwrap_or(selector))?;
        Some(name)
    })
}
