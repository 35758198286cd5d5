//! What a schema says about its Rust type: `x-rust-type`, `x-rust-name`, and `format` where the settings map it.
//!
//! `x-rust-type` has the syntax that typify and progenitor read.

use serde_json::{Map, Value};

use super::{Lowering, keywords::object, kinds::Kinds, names::Wish, view::View};
use crate::{
    config::check_path,
    diagnostics::{Diagnostic, Id},
    graph::{Foreign, Shape},
    naming,
    resolve::Node,
};

pub(super) const RUST_TYPE: &str = "x-rust-type";
pub(super) const RUST_NAME: &str = "x-rust-name";

/// What `x-rust-type` says.
struct Extension<'s> {
    path: &'s str,
    parameters: usize,
}

impl<'d> Lowering<'_, 'd> {
    /// Adds to a view what a schema says about its own Rust type.
    pub(super) fn collect_extensions(&mut self, node: &Node<'d>, view: &mut View<'d>) {
        let Some(schema) = object(node) else { return };
        if let Some(format) = schema.get("format").and_then(Value::as_str) {
            self.formats_met.insert(format.to_owned());
        }
        let named = schema.get(RUST_TYPE).map(read);
        match named {
            Some(Ok(_)) => view.add_foreign(node),
            Some(Err((keyword, why))) => {
                self.invalid_extension(node, &[&[RUST_TYPE], keyword.as_slice()].concat(), &why);
            }
            None => {
                if self.format_type(schema).is_some() {
                    view.add_foreign(node);
                }
            }
        }
        if schema.contains_key(RUST_NAME) && self.chosen(node).is_some() {
            self.named.entry(node.place()).or_insert(false);
        }
        if super::constraint::limits(node) {
            view.add_limit(node);
        }
    }

    /// The shape of a view that is the type of a schema with a Rust type of its own.
    pub(super) fn foreign(&mut self, view: &View<'d>, wish: &Wish) -> Option<Shape> {
        let (node, by_format) = self.foreign_node(view)?;
        let schema = object(&node)?;
        if by_format {
            let (path, eq, hash) = {
                let found = self.format_type(schema)?;
                (found.path.clone(), found.has("Eq"), found.has("Hash"))
            };
            let foreign = Foreign {
                path,
                parameters: Vec::new(),
                eq,
                hash,
            };
            return Some(Shape::Foreign(Box::new(foreign)));
        }
        let extension = read(schema.get(RUST_TYPE)?).ok()?;
        if !self.foreign_active.insert(node.id()) {
            self.invalid_extension(
                &node,
                &[RUST_TYPE, "parameters"],
                "a parameter contains the type itself",
            );
            return Some(Shape::Any);
        }
        let parameters = (0..extension.parameters).map(|at| {
            let parameter = node.child(&[RUST_TYPE, "parameters", &at.to_string()]);
            parameter.map_or(Shape::Any, |it| {
                self.node(&it, wish.then(&format!("parameter {at}")))
            })
        });
        let parameters = parameters.collect();
        self.foreign_active.remove(&node.id());
        let path = extension.path.to_owned();
        Some(Shape::Foreign(Box::new(Foreign {
            path,
            parameters,
            eq: false,
            hash: false,
        })))
    }

    /// Whether a view is the type of a schema with a Rust type of its own.
    pub(super) fn is_foreign(&mut self, view: &View<'d>) -> bool {
        self.foreign_node(view).is_some()
    }

    /// The schema whose Rust type a view has, and whether it has it by its `format`.
    ///
    /// Other schemas that apply to the same instance may say what makes no difference to a type
    /// (`minLength`), but where they do make one, the type would not be theirs.
    fn foreign_node(&mut self, view: &View<'d>) -> Option<(Node<'d>, bool)> {
        let candidates = view.foreign.clone();
        let mut formats = Vec::new();
        for node in candidates {
            let schema = object(&node)?;
            if !schema.contains_key(RUST_TYPE) {
                formats.push(node);
                continue;
            }
            let own = self.view(&node);
            let own = self.normal((*own).clone());
            if self.identity(&own) == self.identity(view) {
                return Some((node, false));
            }
        }
        let first = *formats.first()?;
        let format = |it: &Node<'d>| object(it).and_then(|it| it.get("format"));
        let alike = formats.iter().all(|it| format(it) == format(&first));
        // The kinds are only one, or `normal` had dropped it.
        let plain = view.groups.is_empty() && self.literals(view).is_none();
        (alike && plain).then_some((first, true))
    }

    /// The Rust type that the settings give to the `format` of a schema.
    fn format_type(&self, schema: &Map<String, Value>) -> Option<&crate::config::RustType> {
        let format = schema.get("format")?.as_str()?;
        self.settings.config.formats.get(format)
    }

    /// The name that a schema gives its type or variant.
    pub(super) fn chosen_type(&mut self, node: &Node<'d>) -> Option<String> {
        let text = self.chosen(node)?;
        (!naming::is_field_like(&text)).then_some(text)
    }

    /// The name that the schema of a property gives its field.
    pub(super) fn chosen_field(&mut self, node: &Node<'d>) -> Option<String> {
        let text = self.chosen(node)?;
        naming::is_field_like(&text).then_some(text)
    }

    /// `x-rust-name`, if it is a name.
    fn chosen(&mut self, node: &Node<'d>) -> Option<String> {
        if node.ref_hides_siblings() {
            return None;
        }
        let value = object(node)?.get(RUST_NAME)?;
        let Some(text) = value.as_str() else {
            self.invalid_extension(node, &[RUST_NAME], "`x-rust-name` must be a text");
            return None;
        };
        let valid = if naming::is_field_like(text) {
            naming::exact_field_name(text).map(|_| ())
        } else {
            naming::exact_type_name(text).map(|_| ())
        };
        match valid {
            Ok(()) => Some(text.to_owned()),
            Err(why) => {
                self.invalid_extension(node, &[RUST_NAME], &format!("`{text}` {why}"));
                None
            }
        }
    }

    pub(super) fn invalid_extension(&mut self, node: &Node<'d>, path: &[&str], why: &str) {
        let place = node
            .child(path)
            .map_or_else(|| node.place(), |it| it.place());
        self.note_once(Diagnostic::new(Id::InvalidExtension, why), place, "");
    }
}

/// Drops from a view the formats that are no type of it: those beside several kinds.
pub(super) fn retain_foreign(view: &mut View<'_>) {
    let kinds = view.kinds.without(Kinds::NULL);
    let scalar = kinds.within(Kinds::SCALARS) && kinds.each().count() == 1;
    let named = |it: &Node<'_>| object(it).is_some_and(|it| it.contains_key(RUST_TYPE));
    view.foreign.retain(|it| scalar || named(it));
}

/// Reads `x-rust-type`.
///
/// # Errors
///
/// Where in it something is wrong, and what.
fn read(value: &Value) -> Result<Extension<'_>, (Vec<&'static str>, String)> {
    let wrong =
        |keyword: Option<&'static str>, why: String| Err((keyword.into_iter().collect(), why));
    let Some(members) = value.as_object() else {
        return wrong(
            None,
            "`x-rust-type` must be an object with `crate`, `version` and `path`".to_owned(),
        );
    };
    let known = ["crate", "version", "path", "parameters"];
    let mut texts = Vec::new();
    for keyword in &known[..3] {
        match members.get(*keyword) {
            Some(Value::String(text)) => texts.push(text.as_str()),
            Some(_) => return wrong(Some(keyword), format!("`{keyword}` must be a text")),
            None => return wrong(None, format!("`x-rust-type` has no `{keyword}`")),
        }
    }
    let [name, version, path] = texts[..] else {
        return wrong(
            None,
            "`x-rust-type` must have `crate`, `version` and `path`".to_owned(),
        );
    };
    if !is_requirement(version) {
        return wrong(
            Some("version"),
            format!("`{version}` is no version requirement as in a `Cargo.toml`"),
        );
    }
    if let Err(why) = check_path(path) {
        return wrong(Some("path"), format!("`{path}` {why}"));
    }
    let begins = format!("{}::", name.replace('-', "_"));
    if !path.trim_start_matches("::").starts_with(&begins) {
        return wrong(
            Some("path"),
            format!("`{path}` does not begin with the crate, `{begins}`"),
        );
    }
    let parameters = match members.get("parameters") {
        None => 0,
        Some(Value::Array(items)) if items.iter().all(|it| it.is_object() || it.is_boolean()) => {
            items.len()
        }
        Some(_) => {
            return wrong(
                Some("parameters"),
                "`parameters` must be a list of schemas".to_owned(),
            );
        }
    };
    if parameters > 0 && path.ends_with('>') {
        return wrong(
            Some("parameters"),
            "the path has generic parameters already".to_owned(),
        );
    }
    Ok(Extension { path, parameters })
}

/// Whether a text is a version requirement: `1`, `^1.2`, `>=0.3, <0.5`, `*`.
fn is_requirement(text: &str) -> bool {
    let comparator = |it: &str| {
        let it = it.trim();
        let version = ["<=", ">=", "<", ">", "=", "^", "~"]
            .iter()
            .find_map(|sign| it.strip_prefix(sign));
        let version = version.unwrap_or(it).trim_start();
        let core = version.split(['-', '+']).next().unwrap_or_default();
        let wild = |it: &str| matches!(it, "*" | "x" | "X");
        let number = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit());
        let mut parts = core.split('.');
        let count = core.split('.').count();
        count <= 3 && parts.all(|it| number(it) || wild(it))
    };
    text.split(',').all(comparator)
}
