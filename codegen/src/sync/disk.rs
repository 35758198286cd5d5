//! Single files: read, replaced in one step, removed.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    process,
};

use super::{SyncError, mark};

/// The text of a file of ours; `None` when nothing is there.
///
/// # Errors
///
/// When something is there that does not carry our mark.
pub(super) fn read_ours(path: &Path) -> Result<Option<String>, SyncError> {
    // Reading a pipe or a device may never end.
    if fs::metadata(path).is_ok_and(|it| !it.is_file()) {
        return Err(SyncError::not_ours(path));
    }
    match fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) if mark::is_marked(&text) => Ok(Some(text)),
            Ok(_) | Err(_) => Err(SyncError::not_ours(path)),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::symlink_metadata(path) {
            // A dangling link: replacing it would be fine for us, but it is not ours.
            Ok(_) => Err(SyncError::not_ours(path)),
            Err(_) => Ok(None),
        },
        Err(error) => Err(SyncError::io("read", path, error)),
    }
}

/// The names of the files of ours that stand directly in a folder, which may not exist yet.
pub(super) fn marked_files(folder: &Path) -> Result<Vec<String>, SyncError> {
    let failed = |error| SyncError::io("read the folder", folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let ours = Path::new(&name)
            .extension()
            .is_some_and(|it| it == "rs" || it == "json");
        // Links are never ours: only regular files are written.
        let regular = entry.file_type().is_ok_and(|it| it.is_file());
        if ours && regular && begins_marked(&entry.path()) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether a file begins as ours do. One that cannot be read is none of ours.
fn begins_marked(path: &Path) -> bool {
    // Enough for a few lines.
    let mut head = Vec::new();
    let read = File::open(path).and_then(|it| it.take(2048).read_to_end(&mut head));
    read.is_ok() && mark::is_marked(&String::from_utf8_lossy(&head))
}

/// Puts a whole file in the place of another: it is written beside it and renamed, so that a full
/// disk or a crash leaves the old one.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), SyncError> {
    make_folder(path)?;
    let beside = beside(path);
    let written = write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        // Nothing to add when this fails too: the first error says what is wrong.
        let _ = fs::remove_file(&beside);
        SyncError::io("write", path, error)
    })
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    // Some file systems find out only now that the disk is full.
    file.sync_all()
}

/// The temporary file of this process for a path, in the same folder: only there is a rename one
/// step. Its name begins with a dot and ends in no extension of ours.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", process::id()));
    path.with_file_name(name)
}

/// Writes a file where there is none.
pub(super) fn create(path: &Path, text: &str) -> Result<(), SyncError> {
    make_folder(path)?;
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => SyncError::exists(path),
        _ => SyncError::io("create", path, error),
    })?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(|error| {
            let _ = fs::remove_file(path);
            SyncError::io("write", path, error)
        })
}

pub(super) fn remove(path: &Path) -> Result<(), SyncError> {
    fs::remove_file(path).map_err(|error| SyncError::io("remove", path, error))
}

fn make_folder(path: &Path) -> Result<(), SyncError> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => fs::create_dir_all(folder)
            .map_err(|error| SyncError::io("create the folder", folder, error)),
        Some(_) | None => Ok(()),
    }
}
