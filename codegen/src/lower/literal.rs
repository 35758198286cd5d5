//! `enum` and `const`: closed sets of values.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    Lowering,
    keywords::{canonical_text, docs, object},
    kinds::Kinds,
    names::Site,
    view::View,
};
use crate::{
    diagnostics::{Diagnostic, Id, Place, Spot},
    graph::{Docs, Literal, Shape, TypeKind},
    naming::{Claimed, Scope, VariantName},
    resolve::{Dialect, Node},
};

/// Variant names longer than this say no more.
const MAX_NAME: usize = 60;

/// The value of `const`, in the dialects that have it.
pub(crate) fn constant<'d>(node: &Node<'d>, schema: &'d Map<String, Value>) -> Option<&'d Value> {
    if node.dialect() == Dialect::Draft4 {
        None
    } else {
        schema.get("const")
    }
}

impl<'d> Lowering<'_, 'd> {
    /// The values that a view allows, where it lists them.
    #[expect(clippy::unused_self, reason = "reads like its siblings at every call")]
    pub(super) fn literals(&self, view: &View<'d>) -> Option<Vec<(Value, Docs)>> {
        let mut known: Option<Vec<&Value>> = None;
        for part in &view.parts {
            let Some(schema) = object(part) else { continue };
            let list = schema.get("enum").and_then(Value::as_array);
            let list = list.map(|it| it.iter().collect::<Vec<_>>());
            let only = constant(part, schema).map(|it| vec![it]);
            for values in [list, only].into_iter().flatten() {
                known = Some(match known {
                    None => values,
                    Some(mut known) => {
                        let texts: BTreeSet<_> = values.into_iter().map(canonical_text).collect();
                        known.retain(|it| texts.contains(&canonical_text(it)));
                        known
                    }
                });
            }
        }
        let docs = match view.parts.as_slice() {
            [only] => docs(only),
            _ => Docs::default(),
        };
        let mut distinct: Vec<(Value, Docs)> = Vec::new();
        let mut seen = BTreeSet::new();
        for value in known? {
            let fits = Kinds::of(value).within(view.kinds);
            if fits && seen.insert(canonical_text(value)) {
                distinct.push((value.clone(), docs.clone()));
            }
        }
        Some(distinct)
    }

    /// The type of a closed set of values, none of them `null` unless all kinds are allowed.
    pub(super) fn literal_shape(&mut self, values: Vec<(Value, Docs)>, site: &Site<'d>) -> Shape {
        let booleans = values.len() == 2 && values.iter().all(|(it, _)| it.is_boolean());
        if booleans {
            return Shape::Boolean;
        }
        match <[(Value, Docs); 1]>::try_from(values) {
            Ok([(Value::Null, _)]) => Shape::Null,
            Ok([(only, _)]) => Shape::Named(self.declare(site, TypeKind::Constant(only))),
            Err(none) if none.is_empty() => Shape::Never,
            Err(values) => {
                let single = object(&site.node).is_some_and(|it| it.contains_key("enum"));
                let literals = self.named_literals(values, single, site);
                Shape::Named(self.declare(site, TypeKind::Literals(literals)))
            }
        }
    }

    /// `shared_docs`: the prose belongs to the set, not to each value.
    fn named_literals(
        &mut self,
        values: Vec<(Value, Docs)>,
        shared_docs: bool,
        site: &Site<'d>,
    ) -> Vec<Literal> {
        let texts: Vec<String> = values.iter().map(|(it, _)| literal_text(it)).collect();
        let names = Scope::new().claim_all::<VariantName>(texts.iter().map(String::as_str));
        self.note_renamed(&names, &values, site);
        let shared_docs = shared_docs || values.windows(2).all(|it| it[0].1 == it[1].1);
        names
            .into_iter()
            .zip(values)
            .map(|(Claimed { name, .. }, (value, docs))| {
                let docs = if shared_docs { Docs::default() } else { docs };
                Literal { name, value, docs }
            })
            .collect()
    }

    fn note_renamed(
        &mut self,
        names: &[Claimed<VariantName>],
        values: &[(Value, Docs)],
        site: &Site<'d>,
    ) {
        for (claimed, (value, _)) in names.iter().zip(values).filter(|(it, _)| it.renamed) {
            let message = format!(
                "the value `{value}` becomes the variant `{}`, because another value has the same plain name",
                claimed.name
            );
            let note = Diagnostic::new(Id::Renamed, message);
            self.diagnostics
                .push(note.at(value_place(site, value), "reads like another value"));
        }
    }
}

/// Where a value of an `enum` stands.
fn value_place(site: &Site<'_>, value: &Value) -> Place {
    let place = site.node.place();
    let values = object(&site.node).and_then(|it| it.get("enum")?.as_array());
    let index = values.and_then(|it| it.iter().position(|it| it == value));
    match (index, place.spot) {
        (Some(index), Spot::Value(pointer)) => {
            Place::value(place.file, pointer.child("enum").child(index))
        }
        (_, spot) => Place {
            file: place.file,
            spot,
        },
    }
}

/// The text that a value's name is made from.
pub(super) fn literal_text(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.chars().take(MAX_NAME).collect()
}
