//! Constraint newtypes: bounds, lengths and patterns of texts, numbers and lists as types of their own.
//!
//! Which types want them is known by name, and names are known last. So wherever some type may want
//! one it is made, as a speculative type that takes no name from any other; `configure` keeps
//! those that the settings ask for and puts the plain shape in the place of the others.

use serde_json::{Map, Value};

use super::{
    Job, Lowering,
    keywords::{count, object},
    kinds::Kinds,
    names::Site,
    number,
    view::{View, is_positional},
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
    /// The type of a view with limits, where it has a place that can name it.
    pub(super) fn constrained(&mut self, view: &View<'d>, site: &Site<'d>) -> Option<Shape> {
        if !(site.definition || site.wish.is_place()) {
            return None;
        }
        let mut plain = view.clone();
        plain.limits.clear();
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

/// What the limits of a view say and the shape does not.
fn rules(view: &View<'_>, shape: &Shape) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let Some(keywords) = keywords(view) else {
        return rules;
    };
    for node in &view.limits {
        let Some(schema) = object(node) else { continue };
        for (keyword, value) in schema {
            let rule = Rule {
                keyword: keyword.clone(),
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

/// Whether a keyword refuses nothing that the shape does not refuse, or cannot be told alone.
fn is_trivial(node: &Node<'_>, schema: &Map<String, Value>, keyword: &str, shape: &Shape) -> bool {
    let value = &schema[keyword];
    match keyword {
        "minLength" | "minItems" => count(schema, keyword) == Some(0),
        "uniqueItems" => value != &Value::Bool(true),
        "pattern" => value == "",
        "minimum" | "maximum" => {
            // Draft 4 says beside it whether the bound itself is in; the validator knows.
            let mark = if keyword == "minimum" {
                "exclusiveMinimum"
            } else {
                "exclusiveMaximum"
            };
            let marked =
                node.dialect() == Dialect::Draft4 && schema.get(mark) == Some(&Value::Bool(true));
            marked || is_implied(schema, keyword, shape)
        }
        "exclusiveMinimum" | "exclusiveMaximum" => {
            !value.is_number() || is_implied(schema, keyword, shape)
        }
        "multipleOf" => matches!(shape, Shape::Integer(_)) && value.as_u64() == Some(1),
        _ => false,
    }
}

/// Whether every value of an integer type keeps a bound.
fn is_implied(schema: &Map<String, Value>, keyword: &str, shape: &Shape) -> bool {
    let Shape::Integer(int) = shape else {
        return false;
    };
    let alone = Map::from_iter([(keyword.to_owned(), schema[keyword].clone())]);
    let (from, to) = Int::range(*int);
    let above = number::least(&alone).is_none_or(|it| it <= from);
    let below = number::greatest(&alone).is_none_or(|it| it >= to);
    above && below
}
