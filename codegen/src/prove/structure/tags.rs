//! The property by which a union tells objects apart, as its schemas have it.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use serde_json::Value;

use super::{
    conjunction::{All, Group, MAX_DEPTH, properties_named, requires},
    values::finite,
};
use crate::{
    lower::keywords::canonical_text,
    resolve::{Node, NodeId},
};

/// Objects whose property of this name has one of these values.
#[derive(Clone, Debug)]
pub(super) struct Tag<'v> {
    pub(super) property: &'v str,
    pub(super) values: &'v [Value],
    /// Objects without the property too.
    pub(super) or_absent: bool,
}

/// What schemas say about one property: asked once per schema, and not once per variant.
pub(super) struct Tags<'v> {
    property: &'v str,
    known: BTreeMap<NodeId, Rc<Tagged>>,
}

struct Tagged {
    never: bool,
    /// Too deep to be told.
    deep: bool,
    /// Whether every object has the property.
    required: bool,
    /// The values that it can have, where they are listed.
    values: Option<BTreeSet<String>>,
    unions: Vec<Vec<Rc<Tagged>>>,
}

impl<'v> Tags<'v> {
    pub(super) const fn new(property: &'v str) -> Self {
        Self {
            property,
            known: BTreeMap::new(),
        }
    }

    /// Whether an object with the tag may satisfy a schema. `texts`: the tag's values.
    pub(super) fn may_have(
        &mut self,
        node: &Node<'_>,
        texts: &BTreeSet<String>,
        or_absent: bool,
    ) -> bool {
        let tagged = match self.known.get(&node.id()) {
            Some(known) => Rc::clone(known),
            None => self.learn(node, 0),
        };
        tagged.may_have(texts, or_absent)
    }

    fn learn(&mut self, node: &Node<'_>, depth: usize) -> Rc<Tagged> {
        let all = All::of(&[*node]);
        let deep = depth > MAX_DEPTH;
        let mut tagged = Tagged {
            never: all.never,
            deep,
            required: !deep && always_requires(&all, self.property, 0),
            values: None,
            unions: Vec::new(),
        };
        if !(all.never || deep) {
            let schemas = All::of(&properties_named(&all, self.property));
            let values = finite(&schemas, 0);
            tagged.values = values.map(|it| it.iter().map(canonical_text).collect());
            for group in &all.groups {
                let branches = group.branches.iter();
                let branches = branches.map(|it| self.learn(it, depth + 1)).collect();
                tagged.unions.push(branches);
            }
        }
        let tagged = Rc::new(tagged);
        if depth == 0 {
            self.known.insert(node.id(), Rc::clone(&tagged));
        }
        tagged
    }
}

impl Tagged {
    fn may_have(&self, texts: &BTreeSet<String>, or_absent: bool) -> bool {
        if self.never || self.deep {
            return !self.never;
        }
        if or_absent && !self.required {
            return true;
        }
        let values = self.values.as_ref();
        let own = values.is_none_or(|it| texts.iter().any(|text| it.contains(text)));
        own && self
            .unions
            .iter()
            .all(|it| it.iter().any(|it| it.may_have(texts, or_absent)))
    }
}

/// Whether every tag that the schemas allow is known.
pub(super) fn tags_within(
    all: &All<'_>,
    property: &str,
    known: &BTreeSet<String>,
    depth: usize,
) -> bool {
    let own = finite(&All::of(&properties_named(all, property)), 0);
    let here = own.is_some_and(|it| it.iter().all(|it| known.contains(&canonical_text(it))));
    let in_every_branch = |group: &Group<'_>| {
        let mut branches = group.branches.iter();
        branches.all(|it| tags_within(&All::of(&[*it]), property, known, depth + 1))
    };
    here || (depth < MAX_DEPTH && all.groups.iter().any(in_every_branch))
}

/// Whether every object that satisfies these schemas has the property, in any branch.
pub(super) fn always_requires(all: &All<'_>, property: &str, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let in_every_branch = |group: &Group<'_>| {
        let mut branches = group.branches.iter();
        branches.all(|it| always_requires(&All::of(&[*it]), property, depth + 1))
    };
    requires(all, property) || all.groups.iter().any(in_every_branch)
}
