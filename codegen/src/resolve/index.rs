//! Every JSON value of every document, numbered in document order: the identity of schemas.
//!
//! `referencing` answers a lookup with a reference to the value itself; its address leads back to
//! the file and the pointer.

use std::collections::HashMap;

use serde_json::Value;

use super::documents::{Document, Documents};
use crate::diagnostics::{Place, Pointer};

/// A value of a document. The order of ids is document order, and the values below one follow it
/// without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

/// The numbered values.
#[derive(Debug)]
pub(super) struct Index<'d> {
    entries: Vec<Entry<'d>>,
    /// Only ever asked, never iterated: its order differs from run to run.
    by_address: HashMap<usize, NodeId>,
    roots: Vec<NodeId>,
}

#[derive(Debug)]
struct Entry<'d> {
    value: &'d Value,
    document: &'d Document,
    parent: Option<NodeId>,
    segment: Segment<'d>,
    /// The first id after the values below this one.
    end: NodeId,
}

/// The last step to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment<'d> {
    Root,
    Key(&'d str),
    Item(usize),
}

impl<'d> Index<'d> {
    pub(super) fn new(documents: &'d Documents) -> Self {
        let mut index = Self {
            entries: Vec::new(),
            by_address: HashMap::new(),
            roots: Vec::new(),
        };
        for document in documents.all() {
            let root = index.insert(document, &document.value, None, Segment::Root);
            index.roots.push(root);
        }
        index
    }

    // Recursion is as deep as the document, which parsing limits.
    fn insert(
        &mut self,
        document: &'d Document,
        value: &'d Value,
        parent: Option<NodeId>,
        segment: Segment<'d>,
    ) -> NodeId {
        let id = self.next();
        self.entries.push(Entry {
            value,
            document,
            parent,
            segment,
            end: id,
        });
        self.by_address.insert(address(value), id);
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    self.insert(document, member, Some(id), Segment::Key(key));
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.insert(document, item, Some(id), Segment::Item(at));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        self.entries[id.at()].end = self.next();
        id
    }

    fn next(&self) -> NodeId {
        NodeId(
            u32::try_from(self.entries.len())
                .expect("the files of a run hold fewer than 2^32 values"),
        )
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The root value of each document, in their order.
    pub(super) fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.roots.iter().copied()
    }

    pub(super) fn value(&self, id: NodeId) -> &'d Value {
        self.entries[id.at()].value
    }

    pub(super) fn document(&self, id: NodeId) -> &'d Document {
        self.entries[id.at()].document
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.entries[id.at()].parent
    }

    pub(super) fn segment(&self, id: NodeId) -> Segment<'d> {
        self.entries[id.at()].segment
    }

    /// Whether `inner` is `outer` or stands somewhere below it.
    pub(super) fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.entries[outer.at()].end
    }

    /// A value and all those below it.
    pub(super) fn below(&self, outer: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (outer.0..self.entries[outer.at()].end.0).map(NodeId)
    }

    /// The id of a value of these documents; `None` for a value from anywhere else.
    pub(super) fn find(&self, value: &Value) -> Option<NodeId> {
        self.by_address.get(&address(value)).copied()
    }

    /// The member or element of a value by its unescaped name or number.
    pub(super) fn step(&self, from: NodeId, segment: &str) -> Option<NodeId> {
        let child = match self.value(from) {
            Value::Object(members) => members.get(segment)?,
            Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
        self.find(child)
    }

    /// The path from `outer` to `inner`, which stands at or below it.
    pub(super) fn pointer_from(&self, outer: NodeId, inner: NodeId) -> Pointer {
        let mut steps = Vec::new();
        let mut at = inner;
        while at != outer {
            steps.push(self.segment(at));
            match self.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        steps
            .into_iter()
            .rev()
            .fold(Pointer::root(), |pointer, step| match step {
                Segment::Root => pointer,
                Segment::Key(key) => pointer.child(key),
                Segment::Item(item) => pointer.child(item),
            })
    }

    /// The path from the root of its file.
    pub(super) fn pointer(&self, id: NodeId) -> Pointer {
        let mut root = id;
        while let Some(parent) = self.parent(root) {
            root = parent;
        }
        self.pointer_from(root, id)
    }

    pub(super) fn place(&self, id: NodeId) -> Place {
        Place::value(self.document(id).file, self.pointer(id))
    }
}

impl NodeId {
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

pub(super) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
