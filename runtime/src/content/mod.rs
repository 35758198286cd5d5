//! What a tool without output schema returns, and what any tool can attach: MCP content blocks.

pub(crate) mod file;
mod media;
mod rendered;
mod resource;

use serde_json::{Map, Value};

pub(crate) use self::rendered::Rendered;
pub use self::{
    media::{Audio, AudioFormat, Image, ImageFormat},
    resource::{EmbeddedResource, ResourceLink},
};
use crate::ToolError;

/// Content blocks: text, image, audio, resource link, embedded resource, or several of them.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::content::{Content, Role};
///
/// let content = Content::from(vec![
///     Content::text("Sunny, 21 °C."),
///     Content::text("station 4711").for_audience([Role::Assistant]).with_priority(0.2),
/// ]);
/// # let _ = content;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content(Vec<Block>);

#[derive(Clone, Debug, PartialEq)]
struct Block {
    kind: Kind,
    annotations: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Text(String),
    Image(Image),
    Audio(Audio),
    Link(ResourceLink),
    Resource(EmbeddedResource),
}

/// Whom content is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// As on the wire.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl Content {
    /// One block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::one(Kind::Text(text.into()))
    }

    /// No blocks.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Says whom these blocks are for.
    #[must_use]
    pub fn for_audience(self, audience: impl IntoIterator<Item = Role>) -> Self {
        let roles = audience.into_iter().map(Role::as_str);
        self.annotated("audience", &roles.collect())
    }

    /// Says how important these blocks are: 0 (optional) to 1 (required). Values outside are cut to that; NaN says
    /// nothing.
    #[must_use]
    pub fn with_priority(self, priority: f64) -> Self {
        // What is no number has no place in JSON: MCP would read `null`.
        if priority.is_nan() {
            return self;
        }
        self.annotated("priority", &priority.clamp(0.0, 1.0).into())
    }

    /// Says when what these blocks show was last changed, in ISO 8601.
    #[must_use]
    pub fn with_last_modified(self, time: impl Into<String>) -> Self {
        self.annotated("lastModified", &Value::String(time.into()))
    }

    /// Whether rendering reads files.
    pub(crate) fn reads_files(&self) -> bool {
        self.0.iter().any(|block| match &block.kind {
            Kind::Image(image) => image.is_file(),
            Kind::Audio(audio) => audio.is_file(),
            Kind::Text(_) | Kind::Link(_) | Kind::Resource(_) => false,
        })
    }

    /// Adds the MCP blocks to `out`; media are read and encoded now.
    pub(crate) fn render(self, out: &mut Vec<Rendered>) -> Result<(), ToolError> {
        for Block { kind, annotations } in self.0 {
            let rendered = match kind {
                Kind::Text(text) => Rendered::Text(text),
                Kind::Image(image) => Rendered::Other(image.render()?),
                Kind::Audio(audio) => Rendered::Other(audio.render()?),
                Kind::Link(link) => Rendered::Other(link.render()),
                Kind::Resource(resource) => Rendered::Other(resource.render()),
            };
            if annotations.is_empty() {
                out.push(rendered);
                continue;
            }
            let mut value = rendered.into_value();
            value["annotations"] = Value::Object(annotations);
            out.push(Rendered::Other(value));
        }
        Ok(())
    }

    fn one(kind: Kind) -> Self {
        Self(vec![Block {
            kind,
            annotations: Map::new(),
        }])
    }

    fn annotated(mut self, key: &str, value: &Value) -> Self {
        for block in &mut self.0 {
            block.annotations.insert(key.to_owned(), value.clone());
        }
        self
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Image> for Content {
    fn from(image: Image) -> Self {
        Self::one(Kind::Image(image))
    }
}

impl From<Audio> for Content {
    fn from(audio: Audio) -> Self {
        Self::one(Kind::Audio(audio))
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self::one(Kind::Link(link))
    }
}

impl From<EmbeddedResource> for Content {
    fn from(resource: EmbeddedResource) -> Self {
        Self::one(Kind::Resource(resource))
    }
}

impl<T: Into<Self>> From<Vec<T>> for Content {
    fn from(parts: Vec<T>) -> Self {
        parts.into_iter().collect()
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Content {
    fn from(parts: [T; N]) -> Self {
        parts.into_iter().collect()
    }
}

impl<T: Into<Self>> FromIterator<T> for Content {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Self {
        Self(parts.into_iter().flat_map(|part| part.into().0).collect())
    }
}

#[cfg(test)]
mod tests;
