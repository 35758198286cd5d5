//! Folders that vanish, and crates in them that depend on the workspace.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
};

/// A fresh folder, removed when dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one whose name starts with `name`.
    ///
    /// # Errors
    ///
    /// When the temporary folder cannot be written.
    pub fn new(name: &str) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let unique = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!(
            "mcp-codegen-{name}-{}-{unique}",
            std::process::id()
        ));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with its folders.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, path: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.0.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover folder in the temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Copies a folder with all it holds.
///
/// # Errors
///
/// When a file cannot be read or written.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The manifest of a scratch crate that depends on the runtime of this workspace, with these features.
pub fn manifest(name: &str, edition: &str, features: &[&str]) -> String {
    let runtime = crate::workspace().join("runtime");
    // As text: a TOML string is written as Rust writes one.
    let runtime = runtime.to_string_lossy();
    format!(
        r#"[package]
name = "{name}"
version = "0.0.0"
edition = "{edition}"
publish = false

[workspace]

[dependencies]
mcp-codegen-runtime = {{ path = {runtime:?}, default-features = false, features = {features:?} }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = {{ version = "1", features = ["preserve_order"] }}
"#
    )
}

/// Runs cargo in a scratch crate, offline, with the workspace's lock file and one target folder
/// for all scratch crates, so that dependencies are built once.
///
/// # Errors
///
/// When cargo cannot be started or the lock file cannot be copied.
pub fn cargo(folder: &Path, args: &[&str]) -> io::Result<Output> {
    let lock = folder.join("Cargo.lock");
    if !lock.exists() {
        fs::copy(crate::workspace().join("Cargo.lock"), &lock)?;
    }
    Command::new(env!("CARGO"))
        .args(args)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .env_remove("RUSTFLAGS")
        .output()
}

/// The target folder of scratch crates.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| crate::workspace().join("target"), PathBuf::from)
        .join("scratch")
}
