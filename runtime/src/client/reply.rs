//! What a tool says: content blocks as they are read.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::Contents;

/// What a tool answers beside a structured value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    content: Vec<Value>,
    structured: Option<Value>,
    meta: Map<String, Value>,
}

impl Reply {
    /// From a `CallToolResult`.
    pub(super) fn new(mut result: Map<String, Value>) -> Self {
        Self {
            content: take_list(&mut result, "content"),
            structured: result.remove("structuredContent"),
            meta: take_meta(&mut result),
        }
    }

    /// The text blocks, one after the other, with line ends between them.
    pub fn text(&self) -> String {
        let texts = self.blocks().filter_map(|it| match it {
            Block::Text(text) => Some(text),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The content blocks.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        self.content.iter().map(Block::of)
    }

    /// The content blocks as MCP has them, annotations and `_meta` included.
    pub fn content(&self) -> &[Value] {
        &self.content
    }

    /// A structured value that the contract does not promise.
    pub const fn structured(&self) -> Option<&Value> {
        self.structured.as_ref()
    }

    /// The result's `_meta`.
    pub const fn meta(&self) -> &Map<String, Value> {
        &self.meta
    }

    pub(super) const fn take_structured(&mut self) -> Option<Value> {
        self.structured.take()
    }
}

pub(super) fn take_list(result: &mut Map<String, Value>, key: &str) -> Vec<Value> {
    match result.remove(key) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

pub(super) fn take_meta(result: &mut Map<String, Value>) -> Map<String, Value> {
    match result.remove("_meta") {
        Some(Value::Object(meta)) => meta,
        _ => Map::new(),
    }
}

/// One content block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block<'a> {
    /// A text.
    Text(&'a str),
    /// An image.
    Image(Media<'a>),
    /// A sound.
    Audio(Media<'a>),
    /// Where a resource is.
    Link(Link<'a>),
    /// A resource itself.
    Resource(Contents<'a>),
    /// A block of a kind that is not known here, or that lacks what its kind has.
    Other(&'a Value),
}

impl<'a> Block<'a> {
    pub(super) fn of(value: &'a Value) -> Self {
        let text = |key: &str| value.get(key)?.as_str();
        let media = || {
            let (data, mime_type) = (text("data")?, text("mimeType")?);
            Some(Media { mime_type, data })
        };
        let block = match text("type") {
            Some("text") => text("text").map(Self::Text),
            Some("image") => media().map(Self::Image),
            Some("audio") => media().map(Self::Audio),
            Some("resource_link") => text("uri").map(|uri| Self::Link(Link { uri, value })),
            Some("resource") => value
                .get("resource")
                .and_then(Contents::of)
                .map(Self::Resource),
            _ => None,
        };
        block.unwrap_or(Self::Other(value))
    }
}

/// An image or a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Media<'a> {
    mime_type: &'a str,
    data: &'a str,
}

impl<'a> Media<'a> {
    /// Its MIME type.
    pub const fn mime_type(self) -> &'a str {
        self.mime_type
    }

    /// Its bytes as base64, as they came.
    pub const fn base64(self) -> &'a str {
        self.data
    }

    /// Its bytes; `None` where they are no base64.
    pub fn bytes(self) -> Option<Vec<u8>> {
        decoded(self.data)
    }
}

pub(super) fn decoded(base64: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64).ok()
}

/// Where a resource is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<'a> {
    uri: &'a str,
    value: &'a Value,
}

impl<'a> Link<'a> {
    /// Its URI.
    pub const fn uri(self) -> &'a str {
        self.uri
    }

    /// Its name.
    pub fn name(self) -> Option<&'a str> {
        self.value.get("name")?.as_str()
    }

    /// Its MIME type.
    pub fn mime_type(self) -> Option<&'a str> {
        self.value.get("mimeType")?.as_str()
    }

    /// The whole block as MCP has it.
    pub const fn as_value(self) -> &'a Value {
        self.value
    }
}
