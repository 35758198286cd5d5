//! Arrays: lists, and tuples where the length is fixed.

use serde_json::Value;

use super::{
    Lowering,
    keywords::{count, is_never, object},
    names::Site,
    view::View,
};
use crate::{
    graph::Shape,
    resolve::{Dialect, Node},
};

/// The standard library implements its traits for tuples of up to this many elements.
const MAX_TUPLE: usize = 12;
/// Positions that are looked at to find a common type.
const MAX_POSITIONS: usize = 64;

/// What one schema says about the elements of an array.
struct Elements<'d> {
    prefix: Vec<Node<'d>>,
    rest: Option<Node<'d>>,
}

impl<'d> Lowering<'_, 'd> {
    /// A list or a tuple.
    pub(super) fn array(&mut self, view: &View<'d>, site: &Site<'d>) -> Shape {
        let parts: Vec<_> = view.parts.iter().filter_map(elements).collect();
        let positions = parts.iter().map(|it| it.prefix.len()).max().unwrap_or(0);
        if positions == 0 {
            let rest: Vec<_> = parts.into_iter().filter_map(|it| it.rest).collect();
            if rest.is_empty() {
                return Shape::List(Box::new(Shape::Any));
            }
            return Shape::List(Box::new(self.nodes(&rest, site.wish.then("item"))));
        }
        let least = view
            .schemas()
            .filter_map(|it| count(it, "minItems"))
            .max()
            .unwrap_or(0);
        let longest = view.schemas().filter_map(|it| count(it, "maxItems"));
        let ends = parts
            .iter()
            .filter(|it| it.is_closed())
            .map(|it| it.prefix.len() as u64);
        let most = longest.chain(ends).min();
        let fixed = most
            .filter(|it| *it == least)
            .and_then(|it| usize::try_from(it).ok());
        match fixed {
            Some(length) if (1..=MAX_TUPLE).contains(&length) => {
                let items = (0..length).map(|at| {
                    let schemas = at_position(&parts, at);
                    self.nodes(&schemas, site.wish.then(&format!("item {at}")))
                });
                Shape::Tuple(items.collect())
            }
            _ => self.common_list(&parts, positions, site),
        }
    }

    /// A list of the type that all positions share, if they do.
    fn common_list(&mut self, parts: &[Elements<'d>], positions: usize, site: &Site<'d>) -> Shape {
        let closed = parts.iter().any(Elements::is_closed);
        let count = if closed { positions } else { positions + 1 };
        let (mut first, mut rules) = (None, None);
        let mut alike = count <= MAX_POSITIONS;
        let mut limited_alike = true;
        for at in 0..count.min(MAX_POSITIONS) {
            let schemas = at_position(parts, at);
            let view = self.view_of_all(&schemas);
            let view = self.normal(view);
            let identity = (view.kinds, self.identity(&view));
            let limits = view.key();
            alike &=
                !schemas.is_empty() && *first.get_or_insert_with(|| identity.clone()) == identity;
            limited_alike &= *rules.get_or_insert_with(|| limits.clone()) == limits;
        }
        if alike {
            let schemas = at_position(parts, 0);
            let mut item = self.nodes(&schemas, site.wish.then("item"));
            if !limited_alike {
                item.drop_rules();
            }
            return Shape::List(Box::new(item));
        }
        let why = "items of different types without a fixed length have no Rust type, any elements are accepted";
        let help = "set `minItems` to the number of `prefixItems`, and `items` to `false`";
        self.any_list(&site.node, why, Some(help))
    }
}

impl Elements<'_> {
    fn is_closed(&self) -> bool {
        self.rest.as_ref().is_some_and(|it| is_never(it.value()))
    }
}

/// The schemas for the element at a position.
fn at_position<'d>(parts: &[Elements<'d>], at: usize) -> Vec<Node<'d>> {
    parts
        .iter()
        .filter_map(|it| it.prefix.get(at).or(it.rest.as_ref()))
        .copied()
        .collect()
}

fn elements<'d>(part: &Node<'d>) -> Option<Elements<'d>> {
    let schema = object(part)?;
    let newest = part.dialect() == Dialect::Draft202012;
    let prefix_keyword = if newest { "prefixItems" } else { "items" };
    let positional = schema.get(prefix_keyword).is_some_and(Value::is_array);
    if positional {
        let prefix = part
            .children(prefix_keyword)
            .into_iter()
            .map(|(_, it)| it)
            .collect();
        let rest = part.child(&[if newest { "items" } else { "additionalItems" }]);
        return Some(Elements { prefix, rest });
    }
    let rest = part.child(&["items"]).filter(|it| !it.value().is_array())?;
    Some(Elements {
        prefix: Vec::new(),
        rest: Some(rest),
    })
}
