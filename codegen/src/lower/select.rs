//! How the variant of an instance is found: by tag, by kind, or by the variants' own schemas.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Lowering,
    keywords::{equal, object, strings},
    kinds::{Kinds, kind_keyword},
    names::Site,
    object::{closed_parts, declared},
    union::{Alternative, Content},
    view::View,
};
use crate::{
    graph::{JsonKind, Select},
    resolve::{Dialect, Node},
};

/// Unions with more object branches than this, and without a tag, are not ordered: they widen.
const MAX_UNTAGGED: usize = 64;

/// How to choose, before schemas are bundled.
#[derive(Debug)]
pub(super) enum Selection {
    Tag {
        property: String,
        values: Vec<Vec<Value>>,
        absent: Option<usize>,
    },
    Kind,
    Schema,
}

impl Selection {
    /// The only tag value of a variant.
    pub(super) fn tag_of(&self, index: usize) -> Option<&Value> {
        match self {
            Self::Tag { values, .. } => match values.get(index)?.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            Self::Kind | Self::Schema => None,
        }
    }
}

/// A declared property of a view.
#[derive(Clone, Debug)]
pub(super) struct Member<'d> {
    pub(super) view: View<'d>,
    pub(super) required: bool,
}

impl<'d> Lowering<'_, 'd> {
    /// How to tell alternatives apart; puts them into the order of choice. `None` when no choice
    /// keeps everything that they declare.
    pub(super) fn selection(
        &mut self,
        alternatives: &mut Vec<Alternative<'d>>,
        site: &Site<'d>,
    ) -> Option<Selection> {
        if are_disjoint(alternatives) {
            return Some(Selection::Kind);
        }
        if let Some(tag) = self.tag(alternatives) {
            return Some(tag);
        }
        if alternatives.len() > MAX_UNTAGGED {
            return None;
        }
        self.separate(alternatives, site);
        if alternatives.len() > 1 && are_disjoint(alternatives) {
            return Some(Selection::Kind);
        }
        Some(Selection::Schema)
    }

    /// The property whose values tell objects apart.
    fn tag(&mut self, alternatives: &[Alternative<'d>]) -> Option<Selection> {
        let mut views = Vec::new();
        for alternative in alternatives {
            match &alternative.content {
                Content::View(view) if alternative.kinds == Kinds::OBJECT => views.push(view),
                Content::View(_) | Content::Literals(_) | Content::Plain(_) => return None,
            }
        }
        let mut candidates: Vec<(String, bool)> = Vec::new();
        let mut all: Vec<BTreeMap<String, (Vec<Value>, bool)>> = Vec::new();
        for view in &views {
            let mut tags = BTreeMap::new();
            for (key, member) in self.members(view) {
                if let Some(values) = self.literals(&member.view)
                    && !view.opaque.contains(&key)
                {
                    let values = values.into_iter().map(|(it, _)| it).collect();
                    tags.insert(key, (values, member.required));
                }
            }
            all.push(tags);
        }
        for key in declared(views.first()?) {
            let tags: Option<Vec<_>> = all.iter().map(|it| it.get(&key)).collect();
            let Some(tags) = tags else { continue };
            let optional = tags.iter().filter(|(_, required)| !required).count();
            let overlap = tags.iter().enumerate().any(|(at, (values, _))| {
                let later = tags[at + 1..].iter().flat_map(|(it, _)| it);
                later
                    .into_iter()
                    .any(|other| values.iter().any(|it| equal(it, other)))
            });
            if !overlap && optional <= 1 {
                candidates.push((key, optional == 0));
            }
        }
        // A tag that must be there is better than one that may be missing.
        candidates.sort_by_key(|(_, required)| !required);
        let (property, _) = candidates.into_iter().next()?;
        let absent = all.iter().position(|it| !it[&property].1);
        let values = all.iter().map(|it| it[&property].0.clone()).collect();
        Some(Selection::Tag {
            property,
            values,
            absent,
        })
    }

    /// The declared properties of a view of objects, each with its own view.
    pub(super) fn members(&mut self, view: &View<'d>) -> BTreeMap<String, Member<'d>> {
        let mut members: BTreeMap<String, (Vec<Node<'d>>, bool)> = declared(view)
            .into_iter()
            .map(|it| (it, (Vec::new(), false)))
            .collect();
        for part in &view.parts {
            for (key, schema) in part.children("properties") {
                if let Some((schemas, _)) = members.get_mut(&key) {
                    schemas.push(schema);
                }
            }
            for key in object(part)
                .map(|it| strings(it, "required"))
                .unwrap_or_default()
            {
                if let Some((_, required)) = members.get_mut(key) {
                    *required = true;
                }
            }
        }
        let closed = closed_parts(view);
        let mut views = BTreeMap::new();
        for (key, (schemas, required)) in members {
            let view = self.view_of_all(&schemas);
            let mut view = self.normal(view);
            let allows = |part: &Node<'d>| {
                object(part)
                    .and_then(|it| it.get("properties")?.get(&key))
                    .is_some()
            };
            if !closed.iter().all(allows) {
                view.kinds = Kinds::NONE;
            }
            views.insert(key, Member { view, required });
        }
        views
    }

    /// The finished selection, with the schemas of the variants where they are needed.
    #[expect(clippy::unused_self, reason = "reads like its siblings at every call")]
    pub(super) fn select(&self, selection: Selection, alternatives: &[Alternative<'d>]) -> Select {
        match selection {
            Selection::Tag {
                property,
                values,
                absent,
            } => Select::Tag {
                property,
                values,
                absent,
            },
            Selection::Kind => {
                Select::Kind(alternatives.iter().map(|it| json_kinds(it.kinds)).collect())
            }
            Selection::Schema => Select::Schema(alternatives.iter().map(own_schema).collect()),
        }
    }
}

/// Whether no kind is in two alternatives.
fn are_disjoint(alternatives: &[Alternative<'_>]) -> bool {
    let mut seen = Kinds::NONE;
    alternatives.iter().all(|it| {
        let new = !it.kinds.meets(seen);
        seen = seen.union(it.kinds);
        new
    })
}

fn json_kinds(kinds: Kinds) -> Vec<JsonKind> {
    kinds.each().map(|(_, kind)| kind).collect()
}

/// A self-contained schema that accepts what belongs to an alternative, given that the whole
/// union accepts it.
fn own_schema(alternative: &Alternative<'_>) -> Value {
    let newest = Dialect::Draft202012;
    let kinds: Vec<&str> = alternative
        .kinds
        .each()
        .map(|(_, kind)| kind_keyword(kind))
        .collect();
    match &alternative.content {
        Content::Plain(_) => return json!({ "$schema": newest.uri(), "type": kinds }),
        Content::Literals(values) => {
            let values: Vec<&Value> = values.iter().map(|(it, _)| it).collect();
            return json!({ "$schema": newest.uri(), "enum": values });
        }
        Content::View(_) => {}
    }
    let single = alternative.others.is_empty() && !alternative.split;
    if let (true, [only]) = (single, alternative.choices.as_slice()) {
        return only.branch.bundle();
    }
    let dialect = alternative
        .choices
        .first()
        .map_or(newest, |it| it.branch.dialect());
    let mut number = 0;
    let ways: Vec<Value> = alternative
        .ways()
        .map(|way| {
            let branches = way.iter().map(|it| {
                number += 1;
                embedded(&it.branch, number)
            });
            json!({ "allOf": branches.chain([json!({ "type": kinds })]).collect::<Vec<_>>() })
        })
        .collect();
    json!({ "$schema": dialect.uri(), "anyOf": ways })
}

/// A branch as a document inside another one: `#/$defs/…` in it keeps its meaning.
fn embedded(branch: &Node<'_>, number: usize) -> Value {
    let dialect = branch.dialect();
    let mut bundle = branch.bundle();
    if let Value::Object(schema) = &mut bundle {
        let id = if dialect == Dialect::Draft4 {
            "id"
        } else {
            "$id"
        };
        // A reference that hides its siblings would hide the id as well.
        if branch.ref_hides_siblings()
            && let Some(target) = schema.shift_remove("$ref")
        {
            schema.insert("allOf".to_owned(), json!([{ "$ref": target }]));
        }
        schema
            .entry(id)
            .or_insert_with(|| json!(format!("urn:mcp-codegen:branch:{number}")));
    }
    bundle
}
