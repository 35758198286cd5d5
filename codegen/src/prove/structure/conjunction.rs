//! The schemas that all apply to one value, flattened, as far as a proof needs to know them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    Walk,
    values::{finite, own_kinds},
};
use crate::{
    lower::{
        keywords::{is_never, object, strings},
        kinds::Kinds,
    },
    prove::keywords::refuses,
    resolve::{Node, NodeId, Reference},
};

/// Unions within unions that are looked into.
pub(super) const MAX_DEPTH: usize = 16;

/// Schemas that all apply to one value.
#[derive(Clone, Debug, Default)]
pub(super) struct All<'d> {
    /// Schema objects whose own keywords apply; their references and unions are taken apart.
    pub(super) parts: Vec<Node<'d>>,
    /// Unions that still have several branches.
    pub(super) groups: Vec<Group<'d>>,
    /// Some schema cannot be told.
    pub(super) opaque: bool,
    /// No value satisfies them.
    pub(super) never: bool,
}

/// `anyOf`, or `oneOf` when exclusive.
#[derive(Clone, Debug)]
pub(super) struct Group<'d> {
    pub(super) exclusive: bool,
    pub(super) branches: Vec<Node<'d>>,
}

/// What identifies an [`All`].
pub(super) type Identity = (Vec<NodeId>, Vec<(bool, Vec<NodeId>)>, bool);

impl<'d> All<'d> {
    pub(super) fn of(nodes: &[Node<'d>]) -> Self {
        let mut all = Self::default();
        for node in nodes {
            all.add(node);
        }
        all
    }

    /// This and one more schema.
    pub(super) fn and(mut self, node: &Node<'d>) -> Self {
        self.add(node);
        self
    }

    /// Whether nothing here can refuse a value.
    pub(super) fn is_free(&self) -> bool {
        self.parts.is_empty() && self.groups.is_empty() && !self.opaque && !self.never
    }

    pub(super) fn identity(&self) -> Identity {
        let mut parts: Vec<_> = self.parts.iter().map(Node::id).collect();
        parts.sort_unstable();
        let groups = self.groups.iter();
        let mut groups: Vec<_> = groups
            .map(|it| {
                (
                    it.exclusive,
                    it.branches.iter().map(Node::id).collect::<Vec<_>>(),
                )
            })
            .collect();
        groups.sort_unstable();
        (parts, groups, self.opaque || self.never)
    }

    fn add(&mut self, node: &Node<'d>) {
        self.collect(node, &mut BTreeSet::new());
    }

    fn collect(&mut self, node: &Node<'d>, seen: &mut BTreeSet<NodeId>) {
        if is_never(node.value()) {
            self.never = true;
            return;
        }
        let Some(schema) = object(node) else { return };
        if !seen.insert(node.id()) {
            return;
        }
        match node.reference() {
            Some(Reference::To(target)) => self.collect(&target, seen),
            Some(Reference::Dynamic) => self.opaque = true,
            None => self.opaque |= schema.contains_key("$ref"),
        }
        if node.ref_hides_siblings() {
            return;
        }
        self.opaque |= ["$dynamicRef", "$recursiveRef"]
            .iter()
            .any(|it| schema.contains_key(*it));
        for (_, branch) in node.children("allOf") {
            self.collect(&branch, seen);
        }
        for (keyword, exclusive) in [("anyOf", false), ("oneOf", true)] {
            let branches: Vec<_> = node
                .children(keyword)
                .into_iter()
                .map(|(_, it)| it)
                .collect();
            match branches.as_slice() {
                [] => {}
                [only] => self.collect(only, seen),
                _ => self.groups.push(Group {
                    exclusive,
                    branches,
                }),
            }
        }
        let says_something = schema.iter().any(|(keyword, value)| {
            matches!(keyword.as_str(), "type" | "enum" | "const")
                || !refuses(node, keyword, value).is_empty()
        });
        if says_something && !self.parts.iter().any(|it| it.id() == node.id()) {
            self.parts.push(*node);
        }
    }
}

impl<'d> Walk<'_, 'd> {
    /// The kinds that these schemas allow, or more.
    pub(super) fn kinds(&mut self, all: &All<'d>) -> Kinds {
        if all.never {
            return Kinds::NONE;
        }
        let mut kinds = all.parts.iter().map(own_kinds).fold(Kinds::ALL, Kinds::and);
        for group in &all.groups {
            let branches = group.branches.iter();
            kinds = kinds.and(
                branches
                    .map(|it| self.kinds_of(it))
                    .fold(Kinds::NONE, Kinds::union),
            );
        }
        kinds
    }

    pub(super) fn kinds_of(&mut self, node: &Node<'d>) -> Kinds {
        if let Some(known) = self.kinds.get(&node.id()) {
            return *known;
        }
        // A union that contains itself adds no kind of its own; all kinds are the safe guess.
        self.kinds.insert(node.id(), Kinds::ALL);
        let kinds = self.kinds(&All::of(&[*node]));
        self.kinds.insert(node.id(), kinds);
        kinds
    }

    /// The same for values of some kinds that `may` satisfy a branch: other branches fall away, and a union with one branch left is that branch. What falls away of a `oneOf` cannot
    /// accept a second time either.
    pub(super) fn reduce(
        &mut self,
        mut all: All<'d>,
        kinds: Kinds,
        may: &mut dyn FnMut(&Node<'d>) -> bool,
    ) -> All<'d> {
        let mut at = 0;
        while at < all.groups.len() {
            let mut left = all.groups[at].branches.clone();
            left.retain(|it| self.kinds_of(it).meets(kinds) && may(it));
            match left.as_slice() {
                [] => {
                    all.never = true;
                    all.groups.remove(at);
                }
                [only] => {
                    all.groups.remove(at);
                    all.add(only);
                }
                _ => {
                    all.groups[at].branches = left;
                    at += 1;
                }
            }
        }
        all
    }

    /// Whether no value satisfies both, by kinds, or by a property.
    pub(super) fn are_disjoint(&mut self, left: &Node<'d>, right: &Node<'d>) -> bool {
        if !self.kinds_of(left).meets(self.kinds_of(right)) {
            return true;
        }
        let (left, right) = (All::of(&[*left]), All::of(&[*right]));
        // Only objects may be in both, or what follows says nothing.
        if self.kinds(&left).and(self.kinds(&right)) != Kinds::OBJECT {
            return false;
        }
        let both = [&left, &right];
        let needed: BTreeSet<String> = both.iter().flat_map(|it| required(it)).collect();
        needed.iter().any(|key| {
            let schemas: Vec<_> = both
                .iter()
                .flat_map(|it| properties_named(it, key))
                .collect();
            let here = All::of(&schemas);
            let impossible = finite(&here, 0).is_some_and(|it| it.is_empty());
            impossible || self.kinds(&here).is_empty() || both.iter().any(|it| forbids(it, key))
        })
    }
}

/// The schemas of a property in the parts that declare it.
pub(super) fn properties_named<'d>(all: &All<'d>, key: &str) -> Vec<Node<'d>> {
    all.parts
        .iter()
        .filter_map(|it| it.child(&["properties", key]))
        .collect()
}

/// Whether one of the parts requires the property.
pub(super) fn requires(all: &All<'_>, property: &str) -> bool {
    all.parts
        .iter()
        .filter_map(object)
        .any(|it| strings(it, "required").contains(&property))
}

fn required(all: &All<'_>) -> Vec<String> {
    let schemas = all.parts.iter().filter_map(object);
    schemas
        .flat_map(|it| strings(it, "required"))
        .map(str::to_owned)
        .collect()
}

/// Whether a part refuses every object with the property, because it does not declare it.
fn forbids(all: &All<'_>, property: &str) -> bool {
    all.parts
        .iter()
        .any(|part| is_closed(part) && part.child(&["properties", property]).is_none())
}

/// Whether a schema refuses every property that it does not declare.
pub(super) fn is_closed(part: &Node<'_>) -> bool {
    object(part).is_some_and(|it| {
        let patterns = it.get("patternProperties").and_then(Value::as_object);
        it.get("additionalProperties").is_some_and(is_never)
            && patterns.is_none_or(serde_json::Map::is_empty)
    })
}
