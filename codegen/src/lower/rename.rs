//! The setting `[rename]`: other names for types, fields and variants.
//!
//! A renamed type takes nothing along: types that stand in it keep the names that they had, so that
//! one entry never makes another one match nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, names};
use crate::{
    config::Located,
    contract::Server,
    diagnostics::{Diagnostics, Id},
    graph::TypeKind,
    naming::{
        FieldName, TypeName, VariantName, exact_field_name, exact_type_name, exact_variant_name,
    },
};

/// The names of the types after `[rename]`, and which of them have one from it, by which selector.
pub(super) fn types<'c>(
    named: &[names::Named],
    server: &Server<'_>,
    settings: Located<'c>,
    diagnostics: &mut Diagnostics,
) -> (Vec<TypeName>, Vec<(usize, &'c str)>) {
    let mut all: Vec<TypeName> = named.iter().map(|it| it.name.clone()).collect();
    let mut renamed: Vec<(usize, &str)> = Vec::new();
    for (index, it) in named.iter().enumerate() {
        let new = new_name(
            it.name.as_str(),
            server.module.as_str(),
            exact_type_name,
            settings,
            diagnostics,
        );
        if let Some((selector, name)) = new {
            all[index] = name;
            renamed.push((index, selector));
        }
    }
    (all, renamed)
}

/// Reports renamed types that got the name of another one. `names` are those of types that there will be.
pub(super) fn collisions(
    names: &BTreeMap<usize, &TypeName>,
    renamed: &[(usize, &str)],
    server: &Server<'_>,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) {
    let own = names::own_names(&server.trait_name);
    for (index, selector) in renamed {
        let Some(name) = names.get(index) else {
            continue;
        };
        let mut others = names.iter().filter(|(other, _)| *other != index);
        if own.contains(name) || others.any(|(_, it)| it == name) {
            collision(selector, name.as_str(), "type", settings, diagnostics);
        }
    }
}

/// Renames the fields or variants of a type; gives the names that selectors may use for them.
pub(super) fn members(
    draft: &mut Draft,
    owner: &str,
    module: &str,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    match &mut draft.kind {
        TypeKind::Struct(it) => {
            let names = it.fields.iter_mut().map(|it| &mut it.name).collect();
            let member = |it: &FieldName| {
                let name = it.as_str();
                format!("{owner}.{}", name.strip_prefix("r#").unwrap_or(name))
            };
            let exact = (exact_field_name as Exact<FieldName>, "field");
            rename_all(names, member, exact, module, settings, diagnostics)
        }
        TypeKind::Literals(all) => {
            let names = all.iter_mut().map(|it| &mut it.name).collect();
            variants(names, owner, module, settings, diagnostics)
        }
        TypeKind::Union(it) => {
            let names = it.variants.iter_mut().map(|it| &mut it.name).collect();
            variants(names, owner, module, settings, diagnostics)
        }
        TypeKind::Constant(_)
        | TypeKind::Alias(_)
        | TypeKind::Newtype(_)
        | TypeKind::Constrained(_) => Vec::new(),
    }
}

fn variants(
    names: Vec<&mut VariantName>,
    owner: &str,
    module: &str,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let member = |it: &VariantName| format!("{owner}::{}", it.as_str());
    let exact = (exact_variant_name as Exact<VariantName>, "variant");
    rename_all(names, member, exact, module, settings, diagnostics)
}

/// Takes a text as a name, or says why it is none.
type Exact<N> = fn(&str) -> Result<N, String>;

fn rename_all<N: Clone + Ord + std::fmt::Display>(
    names: Vec<&mut N>,
    member: impl Fn(&N) -> String,
    (exact, what): (Exact<N>, &str),
    module: &str,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let mut selectable = Vec::new();
    let mut renamed: BTreeMap<String, N> = BTreeMap::new();
    let mut all: Vec<N> = Vec::new();
    for name in names {
        let old = member(name);
        if let Some((selector, new)) = new_name(&old, module, exact, settings, diagnostics) {
            renamed.insert(selector.to_owned(), new.clone());
            *name = new;
        }
        all.push(name.clone());
        selectable.push(old);
    }
    let mut seen = BTreeSet::new();
    let twice: BTreeSet<&N> = all.iter().filter(|it| !seen.insert(*it)).collect();
    for (selector, name) in &renamed {
        if twice.contains(name) {
            collision(selector, &name.to_string(), what, settings, diagnostics);
        }
    }
    selectable
}

/// What the settings call something, with the selector that says so.
fn new_name<'c, N>(
    old: &str,
    module: &str,
    exact: Exact<N>,
    settings: Located<'c>,
    diagnostics: &mut Diagnostics,
) -> Option<(&'c str, N)> {
    let (selector, text) = settings.config.new_name(module, old)?;
    match exact(text) {
        Ok(name) => Some((selector, name)),
        Err(why) => {
            let message = format!("`{text}` {why}");
            diagnostics.push(settings.value(Id::InvalidSetting, message, &["rename", selector]));
            None
        }
    }
}

fn collision(
    selector: &str,
    name: &str,
    what: &str,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("another {what} is called `{name}` already");
    let finding = settings.value(Id::NameCollision, message, &["rename", selector]);
    diagnostics.push(finding.help(format!("choose another name for `{selector}`")));
}
