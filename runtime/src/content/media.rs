//! Images and audio, from files or bytes, held against their formats' magic bytes.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::file::{self, UNKNOWN, extension};
use crate::ToolError;

/// An image. A file is read when the call is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image(Media);

/// Audio. A file is read when the call is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audio(Media);

/// The image formats that are known by name and checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageFormat {
    /// `image/png`.
    Png,
    /// `image/jpeg`.
    Jpeg,
    /// `image/gif`.
    Gif,
    /// `image/webp`.
    Webp,
}

/// The audio formats that are known by name and checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AudioFormat {
    /// `audio/wav`.
    Wav,
    /// `audio/mpeg`.
    Mp3,
    /// `audio/ogg`.
    Ogg,
    /// `audio/flac`.
    Flac,
    /// `audio/aac`.
    Aac,
    /// `audio/mp4`.
    M4a,
}

impl Image {
    /// The file at `path`. Its extension tells the format: png, jpg, jpeg, gif or webp; others are
    /// `application/octet-stream`, unless [`with_mime_type`](Self::with_mime_type) says better.
    pub fn from_path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let format = match extension(&path).as_str() {
            "png" => Some(ImageFormat::Png),
            "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
            "gif" => Some(ImageFormat::Gif),
            "webp" => Some(ImageFormat::Webp),
            _ => None,
        };
        Self(Media::file(path, format.map(ImageFormat::known)))
    }

    /// An image in memory.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, format: ImageFormat) -> Self {
        Self(Media::memory(bytes.into(), format.known()))
    }

    /// Sets the MIME type, for a format that has no name here. The bytes are then not checked.
    #[must_use]
    pub fn with_mime_type(self, mime: impl Into<String>) -> Self {
        Self(self.0.with_mime_type(mime.into()))
    }

    pub(super) const fn is_file(&self) -> bool {
        self.0.is_file()
    }

    pub(super) fn render(&self) -> Result<Value, ToolError> {
        self.0.render("image")
    }
}

impl Audio {
    /// The file at `path`. Its extension tells the format: wav, mp3, ogg, flac, aac or m4a; others are
    /// `application/octet-stream`, unless [`with_mime_type`](Self::with_mime_type) says better.
    pub fn from_path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let format = match extension(&path).as_str() {
            "wav" => Some(AudioFormat::Wav),
            "mp3" => Some(AudioFormat::Mp3),
            "ogg" => Some(AudioFormat::Ogg),
            "flac" => Some(AudioFormat::Flac),
            "aac" => Some(AudioFormat::Aac),
            "m4a" => Some(AudioFormat::M4a),
            _ => None,
        };
        Self(Media::file(path, format.map(AudioFormat::known)))
    }

    /// Audio in memory.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, format: AudioFormat) -> Self {
        Self(Media::memory(bytes.into(), format.known()))
    }

    /// Sets the MIME type, for a format that has no name here. The bytes are then not checked.
    #[must_use]
    pub fn with_mime_type(self, mime: impl Into<String>) -> Self {
        Self(self.0.with_mime_type(mime.into()))
    }

    pub(super) const fn is_file(&self) -> bool {
        self.0.is_file()
    }

    pub(super) fn render(&self) -> Result<Value, ToolError> {
        self.0.render("audio")
    }
}

/// A MIME type, and whether bytes begin as its format does.
type Known = (&'static str, fn(&[u8]) -> bool);

impl ImageFormat {
    fn known(self) -> Known {
        match self {
            Self::Png => ("image/png", |it| it.starts_with(b"\x89PNG\r\n\x1a\n")),
            Self::Jpeg => ("image/jpeg", |it| it.starts_with(&[0xFF, 0xD8, 0xFF])),
            Self::Gif => ("image/gif", |it| {
                it.starts_with(b"GIF87a") || it.starts_with(b"GIF89a")
            }),
            Self::Webp => ("image/webp", |it| riff(it, *b"WEBP")),
        }
    }
}

impl AudioFormat {
    fn known(self) -> Known {
        match self {
            Self::Wav => ("audio/wav", |it| riff(it, *b"WAVE")),
            // A tag, or a frame: eleven sync bits, then a layer that is not zero (which is AAC's).
            Self::Mp3 => ("audio/mpeg", |it| {
                it.starts_with(b"ID3")
                    || matches!(it, [0xFF, second, ..] if second & 0xE0 == 0xE0 && second & 0x06 != 0)
            }),
            Self::Ogg => ("audio/ogg", |it| it.starts_with(b"OggS")),
            Self::Flac => ("audio/flac", |it| it.starts_with(b"fLaC")),
            Self::Aac => ("audio/aac", |it| {
                it.starts_with(b"ADIF") || matches!(it, [0xFF, second, ..] if second & 0xF6 == 0xF0)
            }),
            Self::M4a => ("audio/mp4", |it| it.get(4..8) == Some(b"ftyp".as_slice())),
        }
    }
}

fn riff(bytes: &[u8], form: [u8; 4]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(form.as_slice())
}

/// What images and audio have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Media {
    source: Source,
    mime: String,
    /// How the bytes must begin, where that is known.
    magic: Option<Magic>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    File(PathBuf),
    Memory(Vec<u8>),
}

/// A check of magic bytes, compared by the MIME type that it is for.
#[derive(Clone, Copy, Debug)]
struct Magic(Known);

impl PartialEq for Magic {
    fn eq(&self, other: &Self) -> bool {
        self.0.0 == other.0.0
    }
}

impl Eq for Magic {}

impl Media {
    fn file(path: PathBuf, known: Option<Known>) -> Self {
        let mime = known.map_or(UNKNOWN, |(mime, _)| mime).to_owned();
        Self {
            source: Source::File(path),
            mime,
            magic: known.map(Magic),
        }
    }

    fn memory(bytes: Vec<u8>, known: Known) -> Self {
        Self {
            source: Source::Memory(bytes),
            mime: known.0.to_owned(),
            magic: Some(Magic(known)),
        }
    }

    fn with_mime_type(self, mime: String) -> Self {
        Self {
            mime,
            magic: None,
            ..self
        }
    }

    fn render(&self, kind: &str) -> Result<Value, ToolError> {
        let read;
        let bytes = match &self.source {
            Source::Memory(bytes) => bytes,
            Source::File(path) => {
                read = file::read(path, kind)?;
                &read
            }
        };
        if self.magic.is_some_and(|Magic((_, begins))| !begins(bytes)) {
            return Err(ToolError::new(format!(
                "{} does not hold {}",
                self.label(kind),
                self.mime
            )));
        }
        Ok(json!({ "type": kind, "data": STANDARD.encode(bytes), "mimeType": self.mime }))
    }

    const fn is_file(&self) -> bool {
        matches!(self.source, Source::File(_))
    }

    fn label(&self, kind: &str) -> String {
        match &self.source {
            Source::File(path) => file::label(path, kind),
            Source::Memory(_) => format!("the {kind}"),
        }
    }
}
