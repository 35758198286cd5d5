//! Definitions: which schema a type is named by, and which definitions of two tools are one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    Lowering,
    keywords::{Topics, docs, object},
    kinds::Kinds,
    names::{Site, Wish},
    view::Key,
};
use crate::resolve::{Node, NodeId, Reference};

/// References followed to find the definition that names a type.
const MAX_CHAIN: usize = 64;

/// Definitions by what they say, so that each tool's own copy of one gives one type.
#[derive(Debug, Default)]
pub(super) struct Definitions<'d> {
    known: BTreeMap<NodeId, Node<'d>>,
    by_text: BTreeMap<(String, String), Vec<Node<'d>>>,
}

impl<'d> Lowering<'_, 'd> {
    /// The first definition of this server that has the same key and says the same; tool lists
    /// repeat their definitions in every tool.
    pub(super) fn shared_definition(&mut self, node: &Node<'d>) -> Node<'d> {
        if let Some(known) = self.definitions.known.get(&node.id()) {
            return *known;
        }
        let shared = match node.key_of_definition() {
            None => *node,
            Some(key) => {
                let alike = self
                    .definitions
                    .by_text
                    .entry((key, node.value().to_string()))
                    .or_default();
                let same = alike
                    .iter()
                    .find(|it| says_the_same(it, node, &mut BTreeSet::new()));
                if let Some(first) = same {
                    *first
                } else {
                    alike.push(*node);
                    *node
                }
            }
        };
        self.definitions.known.insert(node.id(), shared);
        shared
    }

    /// Where the type of a schema is at home: at the definition that it refers to, if it adds
    /// nothing to it, else where it stands.
    pub(super) fn site(&mut self, node: &Node<'d>, key: &Key, wish: Wish) -> Site<'d> {
        let mut at = *node;
        for _ in 0..MAX_CHAIN {
            let Some(next) = self.next_in_chain(&at) else {
                break;
            };
            at = next;
            if let Some(name) = at.key_of_definition() {
                let view = self.view(&at);
                let view = self.normal((*view).clone());
                if view.key() == *key {
                    return Site {
                        wish: Wish::definition(&name),
                        node: at,
                        definition: true,
                    };
                }
            }
        }
        Site {
            wish,
            node: *node,
            definition: false,
        }
    }

    /// The one schema that a schema mainly is: the target of its reference, the only branch of
    /// its `allOf`, the branch of its union that is not `null`.
    fn next_in_chain(&mut self, node: &Node<'d>) -> Option<Node<'d>> {
        match node.reference() {
            Some(Reference::To(target)) => return Some(self.shared_definition(&target)),
            Some(Reference::Dynamic) => return None,
            None => {}
        }
        if let [(_, only)] = node.children("allOf").as_slice() {
            return Some(*only);
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut branches = node.children(keyword);
            branches.retain(|(_, branch)| {
                let view = self.view(branch);
                self.kinds(&view) != Kinds::NULL
            });
            if let [(_, only)] = branches.as_slice() {
                return Some(*only);
            }
        }
        None
    }

    /// The name that the author gave a schema, or what it refers to without adding to it.
    pub(super) fn definition_name(&mut self, node: &Node<'d>) -> Option<String> {
        let mut at = *node;
        for _ in 0..MAX_CHAIN {
            if let Some(name) = at.key_of_definition() {
                return Some(name);
            }
            let own = Topics::of(object(&at)?);
            if own.items || own.members || own.literals {
                return None;
            }
            at = self.next_in_chain(&at)?;
        }
        None
    }

    /// The name that `x-rust-name` gives to a schema, or to the definition that it refers to.
    pub(super) fn chosen_definition(&mut self, node: &Node<'d>) -> Option<String> {
        let mut at = *node;
        for _ in 0..MAX_CHAIN {
            if let Some(name) = self.chosen_type(&at) {
                return Some(name);
            }
            let own = Topics::of(object(&at)?);
            if at.key_of_definition().is_some() || own.items || own.members || own.literals {
                return None;
            }
            at = self.next_in_chain(&at)?;
        }
        None
    }

    /// A schema and what it refers to, nearest first.
    pub(super) fn chain(&mut self, node: &Node<'d>) -> Vec<Node<'d>> {
        let mut chain = vec![*node];
        let mut at = *node;
        while chain.len() < MAX_CHAIN
            && let Some(next) = self.next_in_chain(&at)
        {
            chain.push(next);
            at = next;
        }
        chain
    }

    /// Prose for a place where no type carries it: that of the schema itself, else of what it
    /// refers to.
    pub(super) fn inherited_docs(&mut self, node: &Node<'d>) -> crate::graph::Docs {
        let own = docs(node);
        if own.description.is_some() || own.title.is_some() {
            return own;
        }
        let chain = self.chain(node);
        let found = chain
            .iter()
            .map(docs)
            .find(|it| it.description.is_some() || it.title.is_some());
        crate::graph::Docs {
            deprecated: own.deprecated,
            ..found.unwrap_or_default()
        }
    }
}

/// Whether two schemas with equal text refer to schemas that say the same, all the way down.
/// Pairs under comparison count as the same, so recursion ends.
fn says_the_same<'d>(
    left: &Node<'d>,
    right: &Node<'d>,
    assumed: &mut BTreeSet<(NodeId, NodeId)>,
) -> bool {
    if left.id() == right.id() || !assumed.insert((left.id(), right.id())) {
        return true;
    }
    // Far more pairs than any contract has: rather two types than a long run.
    if assumed.len() > 2000 || left.dialect() != right.dialect() || left.value() != right.value() {
        return false;
    }
    let mut stack = vec![(*left, *right)];
    while let Some((left, right)) = stack.pop() {
        if object(&left).is_some() {
            match (left.reference(), right.reference()) {
                (None, None) => {}
                (Some(Reference::To(left)), Some(Reference::To(right))) => {
                    if !says_the_same(&left, &right, assumed) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        let keys: Vec<String> = match left.value() {
            Value::Object(members) => members.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|it| it.to_string()).collect(),
            _ => continue,
        };
        for key in keys {
            if let (Some(left), Some(right)) = (left.child(&[&key]), right.child(&[&key])) {
                stack.push((left, right));
            }
        }
    }
    true
}
