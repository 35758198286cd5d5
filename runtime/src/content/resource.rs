//! Content blocks that speak of resources: a link to one, or one itself.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

/// A link to a resource that the client can read.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceLink(Map<String, Value>);

impl ResourceLink {
    /// A link to `uri`, named `name`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        let mut members = Map::new();
        members.insert("type".to_owned(), Value::from("resource_link"));
        members.insert("uri".to_owned(), Value::String(uri.into()));
        members.insert("name".to_owned(), Value::String(name.into()));
        Self(members)
    }

    /// Adds a name for people.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        self.with("title", Value::String(title.into()))
    }

    /// Says what it is.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        self.with("description", Value::String(description.into()))
    }

    /// Says its MIME type.
    #[must_use]
    pub fn with_mime_type(self, mime: impl Into<String>) -> Self {
        self.with("mimeType", Value::String(mime.into()))
    }

    /// Says its size in bytes.
    #[must_use]
    pub fn with_size(self, bytes: u64) -> Self {
        self.with("size", bytes.into())
    }

    pub(super) fn render(self) -> Value {
        Value::Object(self.0)
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        self.0.insert(key.to_owned(), value);
        self
    }
}

/// A resource itself, as text or bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedResource(Map<String, Value>);

impl EmbeddedResource {
    /// A text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), "text", text.into())
    }

    /// Bytes.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(uri.into(), "blob", STANDARD.encode(bytes))
    }

    /// Says its MIME type.
    #[must_use]
    pub fn with_mime_type(mut self, mime: impl Into<String>) -> Self {
        self.0
            .insert("mimeType".to_owned(), Value::String(mime.into()));
        self
    }

    pub(super) fn render(self) -> Value {
        Value::Object(Map::from_iter([
            ("type".to_owned(), Value::from("resource")),
            ("resource".to_owned(), Value::Object(self.0)),
        ]))
    }

    fn new(uri: String, key: &str, data: String) -> Self {
        let members = [("uri", uri), (key, data)];
        Self(
            members
                .into_iter()
                .map(|(key, it)| (key.to_owned(), Value::String(it)))
                .collect(),
        )
    }
}
