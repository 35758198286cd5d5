//! The program that serves every subject: generated code and hand-written functions, compiled in a scratch crate.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_codegen::{config::Config, sync};
use serde_json::{Value, json};

use super::{Subject, recording::Recording};
use crate::scratch::{self, Scratch};

const PACKAGE: &str = "parity";

/// The media files that the functions send, and the case whose recorded answer holds the bytes.
const FILES: [(&str, &str); 4] = [
    ("logo.png", "image_path"),
    ("logo.bmp", "image_unknown_ext"),
    ("chime.wav", "audio_path"),
    ("chime.mp3", "audio_path_mp3"),
];

/// A built program.
#[derive(Debug)]
pub(super) struct Program {
    scratch: Scratch,
}

impl Program {
    /// Generates and compiles all servers.
    pub(super) fn build(recordings: &[(Subject, Vec<Recording>)]) -> io::Result<Self> {
        let scratch = Scratch::new("parity")?;
        let manifest = scratch::manifest(PACKAGE, "2024", &["stdio"]);
        let tokio = "tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n";
        scratch.write("Cargo.toml", &format!("{manifest}{tokio}"))?;
        scratch.write("src/main.rs", include_str!("main.rs.txt"))?;
        scratch.write("src/python.rs", include_str!("python.rs.txt"))?;
        scratch.write("src/typescript.rs", include_str!("typescript.rs.txt"))?;
        for (subject, recordings) in recordings {
            // The latest revision has the most natural listing.
            let latest = recordings
                .last()
                .ok_or_else(|| io::Error::other("a subject without recordings"))?;
            generate(&scratch, *subject, latest)?;
            write_files(&scratch, latest)?;
        }
        let output = scratch::cargo(scratch.path(), &["build", "--quiet"])?;
        if !output.status.success() {
            return Err(io::Error::other(
                String::from_utf8_lossy(&output.stderr).into_owned(),
            ));
        }
        // A copy, since another run may build another one under the same name.
        fs::copy(
            scratch::target().join("debug").join(PACKAGE),
            scratch.path().join(PACKAGE),
        )?;
        Ok(Self { scratch })
    }

    /// The executable.
    pub(super) fn path(&self) -> PathBuf {
        self.scratch.path().join(PACKAGE)
    }

    /// Where the files are that the functions send.
    pub(super) fn folder(&self) -> &Path {
        self.scratch.path()
    }
}

fn generate(scratch: &Scratch, subject: Subject, recording: &Recording) -> io::Result<()> {
    let (name, server) = (subject.as_str(), subject.server());
    let root = format!("contracts/{name}");
    let tools = json!({ "tools": subject.tools(recording) });
    scratch.write(
        &format!("{root}/schemas/{server}/recorded.tools.json"),
        &tools.to_string(),
    )?;
    if let Some(info) = &recording.server {
        scratch.write(
            &format!("{root}/schemas/{server}/{server}.server.json"),
            &info.to_string(),
        )?;
    }
    let toml = scratch.write(&format!("{root}/mcp-codegen.toml"), subject.settings())?;
    let mut config = Config::new(scratch.path().join(&root).join("schemas"));
    config.apply_toml(&toml, "mcp-codegen.toml", subject.settings());
    let generated = mcp_codegen::generate(&config)
        .map_err(|failure| io::Error::other(format!("{name}:\n{failure}")))?;
    let out = scratch.path().join("src").join(module(subject));
    sync::sync(&generated.files, &out, sync::Mode::Write).map_err(io::Error::other)?;
    Ok(())
}

/// The folder of the generated tree, and the module in the program.
fn module(subject: Subject) -> &'static str {
    match subject {
        Subject::Python => "recorded",
        Subject::PythonNatural => "natural",
        Subject::TypeScript => "typescript",
    }
}

fn write_files(scratch: &Scratch, recording: &Recording) -> io::Result<()> {
    for (file, case) in FILES {
        let found = recording.exchanges.iter().find(|it| it.case == case);
        let data = found.map(|it| &it.response["result"]["content"][0]["data"]);
        if let Some(data) = data.and_then(Value::as_str) {
            let bytes = STANDARD.decode(data).map_err(io::Error::other)?;
            fs::write(scratch.path().join(file), bytes)?;
        }
    }
    Ok(())
}
