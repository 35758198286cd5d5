//! What a resource holds: texts, bytes, files.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{ToolError, ToolResult, content::file, encode::encode};

/// What a resource holds: a text, bytes, a file, or several of them.
///
/// URI and MIME type are those that the client asked for and the contract promises, unless these say otherwise.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::ResourceContents;
///
/// let guidelines = ResourceContents::text("# Colours\n\nUse few.");
/// let folder = ResourceContents::file("assets/logo.svg")
///     .with_uri("brand://logos/light")
///     .and(ResourceContents::bytes(b"...").with_uri("brand://logos/dark").with_mime_type("image/png"));
/// # let _ = (guidelines, folder);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceContents(Vec<Item>);

#[derive(Clone, Debug, PartialEq)]
struct Item {
    body: Body,
    uri: Option<String>,
    mime: Option<String>,
    meta: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Body {
    Text(String),
    Json(String),
    Bytes(Vec<u8>),
    File(PathBuf),
}

impl ResourceContents {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::one(Body::Text(text.into()))
    }

    /// A value as JSON. The MIME type is `application/json` where the contract promises none.
    ///
    /// # Errors
    ///
    /// When JSON can not hold it: a NaN, an infinity, a property that is there twice.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> ToolResult<Self> {
        let value = encode(value)?;
        Ok(Self::one(Body::Json(serde_json::to_string(&value)?)))
    }

    /// Bytes.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self::one(Body::Bytes(bytes.into()))
    }

    /// The file at `path`, read when the request is answered: as a text if its MIME type is of texts and it is UTF-8, else as
    /// bytes. Where the contract promises no MIME type, the extension tells it.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::one(Body::File(path.into()))
    }

    /// Sets the MIME type of all of these.
    #[must_use]
    pub fn with_mime_type(self, mime: impl Into<String>) -> Self {
        let mime = mime.into();
        self.each(|item| item.mime = Some(mime.clone()))
    }

    /// Sets the URI of all of these: for parts of what was asked for, such as the files of a folder.
    #[must_use]
    pub fn with_uri(self, uri: impl Into<String>) -> Self {
        let uri = uri.into();
        self.each(|item| item.uri = Some(uri.clone()))
    }

    /// Sets a member of the `_meta` of all of these.
    #[must_use]
    pub fn with_meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let (key, value) = (key.into(), value.into());
        self.each(|item| {
            item.meta.insert(key.clone(), value.clone());
        })
    }

    /// These, then `others`.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Whether rendering reads files.
    pub(crate) fn reads_files(&self) -> bool {
        self.0.iter().any(|it| matches!(it.body, Body::File(_)))
    }

    /// The MCP objects; files are read now. `uri` was asked for, `promised` is the contract's MIME type.
    pub(crate) fn render(self, uri: &str, promised: Option<&str>) -> ToolResult<Vec<Value>> {
        let items = self.0.into_iter();
        items.map(|item| item.render(uri, promised)).collect()
    }

    fn one(body: Body) -> Self {
        Self(vec![Item {
            body,
            uri: None,
            mime: None,
            meta: Map::new(),
        }])
    }

    fn each(mut self, change: impl Fn(&mut Item)) -> Self {
        self.0.iter_mut().for_each(change);
        self
    }
}

impl FromIterator<Self> for ResourceContents {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        Self(parts.into_iter().flat_map(|it| it.0).collect())
    }
}

impl From<String> for ResourceContents {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ResourceContents {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl Item {
    fn render(self, uri: &str, promised: Option<&str>) -> Result<Value, ToolError> {
        let promised = self.mime.as_deref().or(promised);
        let (mime, key, data) = match self.body {
            Body::Text(text) => (promised, "text", text),
            Body::Json(text) => (promised.or(Some("application/json")), "text", text),
            Body::Bytes(bytes) => (promised, "blob", STANDARD.encode(bytes)),
            Body::File(path) => {
                let bytes = file::read(&path, "resource")?;
                let mime = promised.or_else(|| file::mime_type(&path));
                match text(bytes, mime) {
                    Ok(text) => (mime, "text", text),
                    Err(bytes) => {
                        let mime = mime.or(Some(file::UNKNOWN));
                        (mime, "blob", STANDARD.encode(bytes))
                    }
                }
            }
        };
        let mut out = Map::new();
        let uri = self.uri.unwrap_or_else(|| uri.to_owned());
        out.insert("uri".to_owned(), Value::String(uri));
        if let Some(mime) = mime {
            out.insert("mimeType".to_owned(), Value::from(mime));
        }
        out.insert(key.to_owned(), Value::String(data));
        if !self.meta.is_empty() {
            out.insert("_meta".to_owned(), Value::Object(self.meta));
        }
        Ok(Value::Object(out))
    }
}

/// The bytes as a text, where their MIME type is of texts or unknown.
fn text(bytes: Vec<u8>, mime: Option<&str>) -> Result<String, Vec<u8>> {
    let is_text = match mime {
        Some(mime) => file::is_text(mime),
        // Text files have no NUL; most others do.
        None => !bytes.contains(&0),
    };
    if !is_text {
        return Err(bytes);
    }
    String::from_utf8(bytes).map_err(std::string::FromUtf8Error::into_bytes)
}
