//! Where in a text a JSON pointer stands. Only the renderer asks, so nothing is kept while generating.

use std::ops::Range;

use super::{Format, SourceFile, json, toml, yaml};
use crate::diagnostics::Pointer;

/// Pointer → text range, for one file.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    root: Option<Node>,
}

impl Spans {
    /// Reads the file again, for its positions. A text that does not parse has none.
    pub fn of(file: &SourceFile) -> Self {
        let root = match file.format {
            Format::Json => json::spans(&file.text),
            Format::Yaml => yaml::parse(&file.text).ok().map(|it| it.spans),
            Format::Toml => toml::spans(&file.text),
        };
        Self { root }
    }

    /// The bytes of the value at a pointer; of its nearest ancestor where there is none. `None` when
    /// the text does not parse.
    pub fn value(&self, pointer: &Pointer) -> Option<Range<usize>> {
        self.nearest(pointer).map(|it| it.value.clone())
    }

    /// The bytes of the key of the member at a pointer; of the value, where it stands under no key (the root, array
    /// elements); of its nearest ancestor's key, where there is no such member.
    pub fn key(&self, pointer: &Pointer) -> Option<Range<usize>> {
        self.nearest(pointer)
            .map(|it| it.key.clone().unwrap_or_else(|| it.value.clone()))
    }

    fn nearest(&self, pointer: &Pointer) -> Option<&Node> {
        let mut node = self.root.as_ref()?;
        for segment in pointer.segments() {
            let Some(child) = node.child(&segment) else {
                break;
            };
            node = child;
        }
        Some(node)
    }
}

/// A value of the text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its key, when it is a member of an object.
    pub(super) key: Option<Range<usize>>,
    pub(super) value: Range<usize>,
    pub(super) children: Children,
}

#[derive(Clone, Debug)]
pub(super) enum Children {
    None,
    Members(Vec<(String, Node)>),
    Elements(Vec<Node>),
}

impl Node {
    pub(super) fn leaf(value: Range<usize>) -> Self {
        Self {
            key: None,
            value,
            children: Children::None,
        }
    }

    fn child(&self, segment: &str) -> Option<&Self> {
        match &self.children {
            Children::None => None,
            Children::Members(members) => members
                .iter()
                .find(|(key, _)| key == segment)
                .map(|(_, node)| node),
            Children::Elements(elements) => elements.get(segment.parse::<usize>().ok()?),
        }
    }
}
