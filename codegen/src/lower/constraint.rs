//! Bounds, lengths and patterns of texts, numbers and lists: rules of a plain type, or a type of their own.
//!
//! Plain types keep their rules beside them: whoever reads a value checks it. Which types want to be types
//! of their own is known by name, and names are known last. So where some type may want that, it is
//! made, as a speculative type that takes no name from any other; `configure` keeps those that the
//! settings ask for and puts the plain shape, with its rules, in the place of the others.

use serde_json::{Map, Value};

use super::{
    Job, Lowering,
    keywords::{count, object},
    kinds::Kinds,
    names::Site,
    number,
    union::Flat,
    view::{Key, View, is_positional},
};
use crate::{
    graph::{Constrained, Int, Rule, Shape, TypeId, TypeKind},
    lower::names::Wish,
    resolve::{Dialect, Node},
};

const LENGTHS: &[&str] = &["minLength", "maxLength", "pattern"];
const BOUNDS: &[&str] = &[
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
];
const SIZES: &[&str] = &["minItems", "maxItems", "uniqueItems"];

/// Whether a schema limits texts, numbers or lists.
pub(super) fn limits(node: &Node<'_>) -> bool {
    let all = [LENGTHS, BOUNDS, SIZES].concat();
    object(node).is_some_and(|it| it.keys().any(|key| all.contains(&key.as_str())))
}

/// Drops from a view the limits that say nothing about its only kind, or all where it has several.
pub(super) fn retain_limits(view: &mut View<'_>) {
    let Some(keywords) = keywords(view) else {
        view.limits.clear();
        return;
    };
    view.limits.retain(|node| {
        object(node).is_some_and(|it| it.keys().any(|key| keywords.contains(&key.as_str())))
    });
}

/// The keywords that limit the values of a view.
fn keywords(view: &View<'_>) -> Option<&'static [&'static str]> {
    match view.kinds.without(Kinds::NULL) {
        Kinds::STRING => Some(LENGTHS),
        Kinds::ARRAY => (!view.schemas().any(is_positional)).then_some(SIZES),
        kinds if !kinds.is_empty() && kinds.within(Kinds::NUMBER) => Some(BOUNDS),
        _ => None,
    }
}

impl<'d> Lowering<'_, 'd> {
    /// Drops from the ways to satisfy a union the limits that others of the same kind may not have: what one
    /// refuses, another one may accept. Lists that may be types of their own are alternatives of their own.
    pub(super) fn retain_common_limits(&self, flats: &mut [Flat<'d>]) {
        // No limit says anything about `null`.
        let kinds = flats.iter().map(|it| it.view.kinds.without(Kinds::NULL));
        let kinds: Vec<Kinds> = kinds.collect();
        for (at, flat) in flats.iter_mut().enumerate() {
            let own = kinds[at];
            let mut others = kinds.iter().enumerate().filter(|(other, _)| *other != at);
            let merged = own.meets(Kinds::SCALARS) || !self.constraints;
            if merged && others.any(|(_, it)| it.meets(own)) {
                flat.view.limits.clear();
            }
        }
    }

    /// What tells views apart. Two plain types are the same whatever their rules.
    pub(super) fn identity(&self, view: &View<'d>) -> Key {
        if self.constraints {
            return view.key();
        }
        let mut plain = view.clone();
        plain.limits.clear();
        plain.key()
    }

    /// The type of a view with limits: one of its own, where it may want that and has a place that can name it.
    pub(super) fn constrained(&mut self, view: &View<'d>, site: &Site<'d>) -> Option<Shape> {
        let mut plain = view.clone();
        plain.limits.clear();
        if !(self.constraints && (site.definition || site.wish.is_place())) {
            let shape = self.build(&plain, site);
            let rules = rules(view, &shape);
            return Some(Shape::limited(shape, rules));
        }
        let list = plain.kinds == Kinds::ARRAY;
        let shape = if list {
            Shape::Any
        } else {
            self.build(&plain, site)
        };
        let rules = rules(view, &shape);
        if rules.is_empty() {
            return None;
        }
        let id = self.declare(site, TypeKind::Constrained(Constrained { shape, rules }));
        // A definition of a list has a name in any case.
        self.types[id.0].speculative = !(list && site.definition);
        if list {
            let wish = if site.definition {
                Wish::inside(id)
            } else {
                site.wish.clone()
            };
            let site = Site {
                wish,
                ..site.clone()
            };
            self.jobs.push_back((self.tool, Job::List(id, plain, site)));
        }
        Some(Shape::Named(id))
    }

    /// The elements of a promised list.
    pub(super) fn fill_list(&mut self, id: TypeId, view: &View<'d>, site: &Site<'d>) {
        let list = self.array(view, site);
        if let TypeKind::Constrained(it) = &mut self.types[id.0].kind {
            it.shape = list;
        }
    }
}

/// What the schemas of a map say about its size and its names.
pub(super) fn of_map(view: &View<'_>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for part in &view.parts {
        for (keyword, value) in object(part).into_iter().flatten() {
            let says_something = match keyword.as_str() {
                "minProperties" => value != 0,
                "maxProperties" => true,
                "propertyNames" => part.dialect() > Dialect::Draft4 && limits_names(value),
                _ => false,
            };
            let rule = Rule {
                keyword: keyword.clone(),
                value: value.clone(),
            };
            if says_something && !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    rules
}

/// Whether a schema of names refuses any, in the same words in any document and any dialect that has its keywords.
fn limits_names(schema: &Value) -> bool {
    const LIMITS: &[&str] = &["enum", "const", "pattern", "minLength", "maxLength"];
    const OTHERS: &[&str] = &["type", "title", "description"];
    let Some(members) = schema.as_object() else {
        return schema == &Value::Bool(false);
    };
    let has = |all: &[&str], key: &String| all.contains(&key.as_str());
    members.keys().any(|it| has(LIMITS, it))
        && members.keys().all(|it| has(LIMITS, it) || has(OTHERS, it))
}

/// What the limits of a view say and the shape does not.
pub(super) fn rules(view: &View<'_>, shape: &Shape) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let Some(keywords) = keywords(view) else {
        return rules;
    };
    for node in &view.limits {
        let Some(schema) = object(node) else { continue };
        for (keyword, value) in schema {
            let rule = Rule {
                keyword: own_bound(node, keyword).to_owned(),
                value: value.clone(),
            };
            let known = keywords.contains(&keyword.as_str());
            let says_something = known && !is_trivial(node, schema, keyword, shape);
            if says_something && !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    rules
}

/// The keyword that says of itself what a keyword of draft-04 says together with its mark.
pub(crate) fn own_bound<'k>(node: &Node<'_>, keyword: &'k str) -> &'k str {
    let marked = |mark: &str| {
        node.dialect() == Dialect::Draft4 && node.value().get(mark) == Some(&Value::Bool(true))
    };
    match keyword {
        "minimum" if marked("exclusiveMinimum") => "exclusiveMinimum",
        "maximum" if marked("exclusiveMaximum") => "exclusiveMaximum",
        other => other,
    }
}

/// Whether a keyword refuses nothing that the shape does not refuse, or cannot be told alone.
fn is_trivial(node: &Node<'_>, schema: &Map<String, Value>, keyword: &str, shape: &Shape) -> bool {
    let value = &schema[keyword];
    match keyword {
        "minLength" | "minItems" => count(schema, keyword) == Some(0),
        "uniqueItems" => value != &Value::Bool(true),
        "pattern" => value == "",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            !value.is_number() || is_implied(own_bound(node, keyword), value, shape)
        }
        "multipleOf" => matches!(shape, Shape::Integer(_)) && value.as_u64() == Some(1),
        _ => false,
    }
}

/// Whether every value of an integer type keeps a bound.
fn is_implied(keyword: &str, value: &Value, shape: &Shape) -> bool {
    let Shape::Integer(int) = shape else {
        return false;
    };
    let alone = Map::from_iter([(keyword.to_owned(), value.clone())]);
    let (from, to) = Int::range(*int);
    let above = number::least(&alone).is_none_or(|it| it <= from);
    let below = number::greatest(&alone).is_none_or(|it| it >= to);
    above && below
}
