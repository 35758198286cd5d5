//! Selectors: which tools and types a table of the configuration means, and which table wins.

use std::collections::BTreeMap;

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
}

/// Reports every selector that matches nothing: its settings would silently not apply.
pub(crate) fn unmatched_selectors(
    settings: Located<'_>,
    servers: &[Named<'_>],
    diagnostics: &mut Diagnostics,
) {
    let config = settings.config;
    let all =
        |of: &dyn Fn(&Named<'_>) -> Vec<String>| servers.iter().flat_map(of).collect::<Vec<_>>();
    let wide = |module: &str, name: &str| selectors(module, name).to_vec();
    let exact = |module: &str, name: &str| selectors(module, name)[..2].to_vec();
    let tools = || {
        all(&|it| {
            it.tools
                .iter()
                .flat_map(|name| wide(it.module, name))
                .collect()
        })
    };
    let types = || {
        all(&|it| {
            it.types
                .iter()
                .flat_map(|name| wide(it.module, name))
                .collect()
        })
    };
    let replaceable = || {
        all(&|it| {
            it.types
                .iter()
                .flat_map(|name| exact(it.module, name))
                .collect()
        })
    };
    let renames = || {
        all(&|it| {
            it.renames
                .iter()
                .flat_map(|name| exact(it.module, name))
                .collect()
        })
    };
    let formats = || all(&|it| it.formats.to_vec());
    let wildcards = "a selector is `<NAME>`, `<server>.<NAME>`, `<server>.*` or `*`";
    let tables: [Table<'_>; 5] = [
        (
            "tools",
            "tool",
            config.tools.keys().collect(),
            &tools,
            wildcards,
        ),
        (
            "types",
            "type",
            config.types.keys().collect(),
            &types,
            wildcards,
        ),
        (
            "replace",
            "type",
            config.replace.keys().collect(),
            &replaceable,
            "a selector is `<NAME>` or `<server>.<NAME>`",
        ),
        (
            "rename",
            "type, field or variant",
            config.rename.keys().collect(),
            &renames,
            "a selector is `Type`, `Type.field` or `Type::Variant`, by the names without `[rename]`",
        ),
        (
            "formats",
            "`format` of the contract",
            config.formats.keys().collect(),
            &formats,
            "it is what `format` says in a schema",
        ),
    ];
    for (section, what, written, known, form) in tables {
        if written.is_empty() {
            continue;
        }
        let mut known = known();
        known.sort();
        known.dedup();
        let unmatched = written
            .into_iter()
            .filter(|it| known.binary_search(it).is_err());
        for selector in unmatched {
            let message = format!("the selector `{selector}` matches no {what}");
            let help = match did_you_mean(selector, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => form.replace("NAME", what),
            };
            let finding = settings.key(Id::UnmatchedSelector, message, &[section, selector]);
            diagnostics.push(finding.help(help));
        }
    }
}

/// A table of the settings: its key, what its selectors name, those that it has, all that would match, and
/// how they are written.
type Table<'t> = (
    &'t str,
    &'t str,
    Vec<&'t String>,
    &'t dyn Fn() -> Vec<String>,
    &'t str,
);
