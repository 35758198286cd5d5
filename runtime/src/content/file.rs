//! Files that become part of an answer.

use std::{fs, io, path::Path};

use crate::ToolError;

/// The MIME type of a file whose extension says nothing.
pub(crate) const UNKNOWN: &str = "application/octet-stream";

/// The bytes of a file; `kind` is what it is to be, in the words of messages.
///
/// # Errors
///
/// The client learns the file's name; where it lies is the operator's to know.
pub(crate) fn read(path: &Path, kind: &str) -> Result<Vec<u8>, ToolError> {
    fs::read(path).map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "is missing",
            _ => "can not be read",
        };
        let message = format!("{} {reason}", label(path, kind));
        let error = io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        ToolError::from(error).with_message(message)
    })
}

/// A file in the words of messages.
pub(crate) fn label(path: &Path, kind: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("the {kind} file `{name}`")
}

/// The extension in small letters; empty where there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase()
}

/// The MIME type that the extension tells.
pub(crate) fn mime_type(path: &Path) -> Option<&'static str> {
    let mime = match extension(path).as_str() {
        "txt" | "text" | "log" => "text/plain",
        "md" | "markdown" => "text/markdown",
        "htm" | "html" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "xml" => "application/xml",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "flac" => "audio/flac",
        "aac" => "audio/aac",
        "m4a" => "audio/mp4",
        _ => return None,
    };
    Some(mime)
}

/// Whether a MIME type is of texts, its parameters aside.
pub(crate) fn is_text(mime: &str) -> bool {
    let essence = mime.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    let known = [
        "application/json",
        "application/xml",
        "application/yaml",
        "application/toml",
        "application/javascript",
        "application/graphql",
        "application/sql",
        "application/x-ndjson",
        "application/x-sh",
        "application/x-yaml",
    ];
    let suffixes = ["+json", "+xml", "+yaml"];
    essence.starts_with("text/")
        || known.contains(&essence.as_str())
        || suffixes.iter().any(|it| essence.ends_with(it))
}
