//! Content blocks as MCP has them.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::{env, fs, process};

use serde_json::json;

use super::*;

fn blocks(content: impl Into<Content>) -> Result<Value, String> {
    let mut out = Vec::new();
    let rendered = content.into().render(&mut out);
    rendered
        .map(|()| out.into_iter().map(Rendered::into_value).collect())
        .map_err(|error| error.to_string())
}

#[test]
fn every_kind_of_block() {
    let content = Content::from(vec![
        Content::text("a")
            .for_audience([Role::User, Role::Assistant])
            .with_priority(7.0)
            .with_priority(f64::NAN),
        Image::from_bytes(*b"GIF89a", ImageFormat::Gif).into(),
        Audio::from_bytes(*b"OggS", AudioFormat::Ogg).into(),
        ResourceLink::new("file:///a", "a")
            .with_mime_type("text/plain")
            .with_size(3)
            .into(),
        EmbeddedResource::text("note:1", "b")
            .with_mime_type("text/plain")
            .into(),
        EmbeddedResource::blob("note:2", [0, 1]).into(),
    ]);
    assert_eq!(
        blocks(content).unwrap(),
        json!([
            {"type": "text", "text": "a", "annotations": {"audience": ["user", "assistant"], "priority": 1.0}},
            {"type": "image", "data": "R0lGODlh", "mimeType": "image/gif"},
            {"type": "audio", "data": "T2dnUw==", "mimeType": "audio/ogg"},
            {"type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "text/plain", "size": 3},
            {"type": "resource", "resource": {"uri": "note:1", "text": "b", "mimeType": "text/plain"}},
            {"type": "resource", "resource": {"uri": "note:2", "blob": "AAE="}},
        ])
    );
}

#[test]
fn magic_bytes_are_checked() {
    let images: [(ImageFormat, &[u8]); 4] = [
        (ImageFormat::Png, b"\x89PNG\r\n\x1a\nrest"),
        (ImageFormat::Jpeg, b"\xff\xd8\xff\xe0"),
        (ImageFormat::Gif, b"GIF87a"),
        (ImageFormat::Webp, b"RIFF\0\0\0\0WEBPVP8"),
    ];
    let audio: [(AudioFormat, &[u8]); 7] = [
        (AudioFormat::Wav, b"RIFF\0\0\0\0WAVEfmt"),
        (AudioFormat::Mp3, b"ID3\x04"),
        (AudioFormat::Mp3, b"\xff\xfb\x90"),
        (AudioFormat::Ogg, b"OggS"),
        (AudioFormat::Flac, b"fLaC"),
        (AudioFormat::Aac, b"\xff\xf1\x50"),
        (AudioFormat::M4a, b"\0\0\0\x20ftypM4A "),
    ];
    for (format, bytes) in images {
        assert!(
            blocks(Image::from_bytes(bytes, format)).is_ok(),
            "{format:?}"
        );
        assert!(
            blocks(Image::from_bytes(*b"hello, world", format)).is_err(),
            "{format:?}"
        );
    }
    for (format, bytes) in audio {
        assert!(
            blocks(Audio::from_bytes(bytes, format)).is_ok(),
            "{format:?}"
        );
        assert!(
            blocks(Audio::from_bytes(*b"hello, world", format)).is_err(),
            "{format:?}"
        );
    }
    let text = blocks(Image::from_bytes(*b"x", ImageFormat::Png)).unwrap_err();
    assert_eq!(text, "the image does not hold image/png");
    assert!(blocks(Image::from_bytes(*b"x", ImageFormat::Png).with_mime_type("image/x")).is_ok());
}

#[test]
fn files_by_extension() {
    let folder = env::temp_dir().join(format!("mcp-codegen-runtime-media-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let gif = blocks(Image::from_path(write("a.GIF", b"GIF89a"))).unwrap();
    let other = blocks(Image::from_path(write("a.tiff", b"II*\0"))).unwrap();
    let fake = blocks(Audio::from_path(write("a.wav", b"no sound"))).unwrap_err();
    let missing = blocks(Image::from_path(folder.join("chart.png"))).unwrap_err();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(gif[0]["mimeType"], "image/gif");
    assert_eq!(other[0]["mimeType"], "application/octet-stream");
    assert_eq!(fake, "the audio file `a.wav` does not hold audio/wav");
    assert_eq!(missing, "the image file `chart.png` is missing");
}
