//! Lists and tuples beside array schemas.

use serde_json::Value;

use super::{All, Walk, leaf::others};
use crate::{
    graph::Shape,
    lower::{
        keywords::{count, is_never, object},
        kinds::Kinds,
    },
    prove::{keywords::quoted, report::Report},
    resolve::{Dialect, Node},
};

/// Keywords that this module compares.
const HANDLED: &[&str] = &[
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
];

/// What one schema says about the elements of an array.
struct Elements<'d> {
    prefix: Vec<Node<'d>>,
    rest: Option<Node<'d>>,
}

impl<'d> Walk<'_, 'd> {
    pub(super) fn list(&mut self, all: &All<'d>, item: &Shape, scope: Kinds) -> Report {
        let mut report = self.compare_kinds(all, Kinds::ARRAY, scope);
        others(all, Kinds::ARRAY, HANDLED, &mut report);
        for schema in all.parts.iter().filter_map(object) {
            for keyword in ["minItems", "maxItems"] {
                let trivial = keyword == "minItems" && count(schema, keyword) == Some(0);
                let value = schema.get(keyword).filter(|_| !trivial);
                if let Some(value) = value.filter(|it| !self.has_rule(keyword, it)) {
                    report.leak(true, format!("what {} refuses", quoted(keyword, value)));
                }
            }
            let unique = Value::Bool(true);
            if schema.get("uniqueItems") == Some(&unique) && !self.has_rule("uniqueItems", &unique)
            {
                report.leak(true, "elements that are equal, which `uniqueItems` refuses");
            }
        }
        let parts: Vec<_> = all.parts.iter().map(elements).collect();
        let positions = parts.iter().map(|it| it.prefix.len()).max().unwrap_or(0);
        for at in 0..positions {
            self.below(&at_position(&parts, at), item, &at.to_string(), &mut report);
        }
        let rest: Vec<_> = parts.iter().filter_map(|it| it.rest).collect();
        self.below(&rest, item, "*", &mut report);
        report
    }

    pub(super) fn tuple(&mut self, all: &All<'d>, items: &[Shape], scope: Kinds) -> Report {
        let mut report = self.compare_kinds(all, Kinds::ARRAY, scope);
        others(all, Kinds::ARRAY, HANDLED, &mut report);
        let parts: Vec<_> = all.parts.iter().map(elements).collect();
        let schemas = || all.parts.iter().filter_map(object);
        let length = items.len() as u64;
        let least = schemas()
            .filter_map(|it| count(it, "minItems"))
            .max()
            .unwrap_or(0);
        let closed = parts
            .iter()
            .filter(|it| it.is_closed())
            .map(|it| it.prefix.len() as u64);
        let most = schemas()
            .filter_map(|it| count(it, "maxItems"))
            .chain(closed)
            .min();
        if least > length || most.is_some_and(|it| it < length) {
            report.leak(true, format!("arrays of {length} elements"));
        }
        if least < length || most.is_none_or(|it| it > length) {
            report.doubt("the schema allows other lengths");
        }
        if schemas().any(|it| it.get("uniqueItems") == Some(&Value::Bool(true))) && length > 1 {
            report.leak(
                false,
                "elements that are equal, which `uniqueItems` refuses",
            );
        }
        for (at, item) in items.iter().enumerate() {
            self.below(&at_position(&parts, at), item, &at.to_string(), &mut report);
        }
        report
    }
}

impl Elements<'_> {
    fn is_closed(&self) -> bool {
        self.rest.is_some_and(|it| is_never(it.value()))
    }
}

/// The schemas for the element at a position.
fn at_position<'d>(parts: &[Elements<'d>], at: usize) -> Vec<Node<'d>> {
    parts
        .iter()
        .filter_map(|it| it.prefix.get(at).copied().or(it.rest))
        .collect()
}

fn elements<'d>(part: &Node<'d>) -> Elements<'d> {
    let newest = part.dialect() == Dialect::Draft202012;
    let keyword = if newest { "prefixItems" } else { "items" };
    let positional = part.value().get(keyword).is_some_and(Value::is_array);
    if positional {
        let prefix = part
            .children(keyword)
            .into_iter()
            .map(|(_, it)| it)
            .collect();
        let rest = part.child(&[if newest { "items" } else { "additionalItems" }]);
        return Elements { prefix, rest };
    }
    // `additionalItems` says nothing without positional items.
    let rest = part.child(&["items"]).filter(|it| !it.value().is_array());
    Elements {
        prefix: Vec::new(),
        rest,
    }
}
