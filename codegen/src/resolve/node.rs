//! One schema at one place, as later phases see it.

use std::fmt;

use serde_json::Value;

use super::{
    SchemaSet, bundle,
    dialect::{self, Dialect},
    documents::Kind,
    index::{NodeId, Segment},
    schemas::Target,
};
use crate::diagnostics::Place;

/// One schema at one place. Two ways to the same schema give nodes with the same [`Node::id`].
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    set: &'d SchemaSet<'d>,
    id: NodeId,
}

/// Where a referring keyword leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference<'d> {
    /// To this schema.
    To(Node<'d>),
    /// To one that only the instance decides, or into a meta-schema of JSON Schema itself.
    Dynamic,
}

impl<'d> Node<'d> {
    pub(super) fn new(set: &'d SchemaSet<'d>, id: NodeId) -> Self {
        Self { set, id }
    }

    /// The schema: an object or a boolean.
    pub(crate) fn value(&self) -> &'d Value {
        self.set.index.value(self.id)
    }

    /// Where it stands.
    pub(crate) fn place(&self) -> Place {
        self.set.index.place(self.id)
    }

    /// Its identity; ordered as in the files.
    pub(crate) fn id(&self) -> NodeId {
        self.id
    }

    /// By which rules it is read.
    pub(crate) fn dialect(&self) -> Dialect {
        let facts = self.set.schemas.surroundings(&self.set.index, self.id);
        facts.map_or(dialect::DEFAULT, |it| it.dialect)
    }

    /// The value below this one at a path of unescaped segments.
    pub(crate) fn child(&self, path: &[&str]) -> Option<Self> {
        let id = path
            .iter()
            .try_fold(self.id, |at, it| self.set.index.step(at, it))?;
        Some(Self { set: self.set, id })
    }

    /// The members of an object-valued keyword (`properties`) by key, or the elements of an
    /// array-valued one (`anyOf`) by number, in order. Empty when the keyword is absent.
    pub(crate) fn children(&self, keyword: &str) -> Vec<(String, Self)> {
        let named = |key: String, value: &Value| {
            let id = self.set.index.find(value)?;
            Some((key, Self { set: self.set, id }))
        };
        match self.value().get(keyword) {
            Some(Value::Object(members)) => members
                .iter()
                .filter_map(|(key, it)| named(key.clone(), it))
                .collect(),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .filter_map(|(at, it)| named(at.to_string(), it))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Where its `$ref`, `$dynamicRef` or `$recursiveRef` leads. Of two, `$ref` is given.
    pub(crate) fn reference(&self) -> Option<Reference<'d>> {
        let link = self.set.schemas.facts(self.id)?.references.first()?;
        match link.target {
            Target::Node(id) => Some(Reference::To(Self { set: self.set, id })),
            Target::Dynamic(_) | Target::Meta(_) => Some(Reference::Dynamic),
            Target::Unresolved | Target::Anything => None,
        }
    }

    /// Whether it has a `$ref` that makes everything beside it void, as up to draft-07.
    pub(crate) fn ref_hides_siblings(&self) -> bool {
        self.dialect().ref_hides_siblings()
            && self.value().get("$ref").is_some_and(Value::is_string)
    }

    /// A self-contained schema for exactly this node: it names its dialect, and everything it
    /// refers to outside itself is copied into its definitions.
    pub(crate) fn bundle(&self) -> Value {
        bundle::bundle(self.set, self.id, bundle::Heading::Dialect)
    }

    /// The same as [`Node::bundle`], but as the author wrote it: a schema that refers to nothing
    /// outside itself is returned unchanged.
    pub(crate) fn published(&self) -> Value {
        bundle::bundle(self.set, self.id, bundle::Heading::AsWritten)
    }

    /// Whether nothing was found to be wrong with it, nor with what it refers to, near and far.
    pub(crate) fn is_sound(&self) -> bool {
        self.set.is_sound(self.id)
    }

    /// The name its author gave it: its key under `$defs` or `definitions`, or the stem of the
    /// file of shared types that it is the root of.
    pub(crate) fn key_of_definition(&self) -> Option<String> {
        let index = &self.set.index;
        match index.segment(self.id) {
            Segment::Root => {
                let document = index.document(self.id);
                let named = matches!(document.kind, Kind::Schema | Kind::Remote);
                named.then(|| document.stem.clone())
            }
            Segment::Key(key) => {
                let holder = index.segment(index.parent(self.id)?);
                let defined =
                    [Segment::Key("$defs"), Segment::Key("definitions")].contains(&holder);
                defined.then(|| key.to_owned())
            }
            Segment::Item(_) => None,
        }
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = &self.set.index;
        write!(
            f,
            "{}#{}",
            index.document(self.id).path,
            index.pointer(self.id)
        )
    }
}
