//! What to generate from where: `mcp-codegen.toml`, then what the command line says.

use std::{
    env, fs, io,
    path::{Component, Path, PathBuf},
};

use mcp_codegen::{config::Config, diagnostics};

use super::Args;
use crate::failure::Failure;

/// A run, decided.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) config: Config,
    pub(super) out: PathBuf,
}

/// Why there is no run.
#[derive(Debug)]
pub(super) enum Refused {
    /// The arguments do not say enough, or name what is not there.
    Usage(Failure),
    /// The configuration file cannot be read, or is so wrong that nothing can be generated.
    Findings(Box<diagnostics::Failure>),
}

/// Reads the settings: those of the file that `--config` names, else of the `mcp-codegen.toml` found
/// in the working directory or above it; arguments win.
pub(super) fn read(args: &Args) -> Result<Settings, Refused> {
    let found = match &args.config {
        Some(path) => Some(named(path)?),
        None => discovered()?,
    };
    let mut config = match (&args.schemas, found) {
        (None, None) => return Err(Refused::Usage(nothing_said("what to generate from"))),
        (None, Some(config)) => config,
        (Some(schemas), None) => from_argument(schemas),
        (Some(schemas), Some(mut config)) => {
            config.set_schemas(schemas);
            config
        }
    };
    name_root(&mut config);
    let out = decide_out(args, &config);
    // Where the file is wrong, it may have been meant to say what seems to be missing.
    let out = out.map_err(|failure| match config.check() {
        Ok(()) => Refused::Usage(failure),
        Err(faults) => Refused::Findings(faults),
    })?;
    Ok(Settings { config, out })
}

/// The output folder, when both folders can be what they are for.
fn decide_out(args: &Args, config: &Config) -> Result<PathBuf, Failure> {
    let Some(out) = args.out.clone().or_else(|| config.out.clone()) else {
        return Err(nothing_said("where to write the generated code"));
    };
    // What the file says is wrong in the file, and reported with its place.
    if args.schemas.is_some() || config.file.is_none() {
        check_root(&config.schemas)?;
    }
    check_out(&out)?;
    check_apart(&out, &config.schemas)?;
    Ok(out)
}

/// The file that the user named. The same settings as when it is found.
fn named(path: &Path) -> Result<Config, Refused> {
    // Asked for by name, so that its absence is a fault of the command line, not a finding.
    let real = fs::canonicalize(path)
        .map_err(|cause| Refused::Usage(Failure::io("read", path, &cause)))?;
    let mut config = Config::new(path.with_file_name("schemas"));
    if let Some(project) = real.parent().and_then(Path::file_name) {
        config.root_name = project.to_string_lossy().into_owned();
    }
    config.apply_file(path).map_err(Refused::Findings)?;
    Ok(config)
}

/// The file that the working directory or a folder above it has, if one has.
fn discovered() -> Result<Option<Config>, Refused> {
    let directory = env::current_dir().map_err(|cause| {
        let message = format!("cannot tell the working directory: {cause}");
        Refused::Usage(Failure::new(message))
    })?;
    let found = Config::discover(&directory).map_err(Refused::Findings)?;
    Ok(found.map(|mut config| {
        config.schemas = relative(&config.schemas, &directory);
        config.out = config.out.map(|it| relative(&it, &directory));
        for folder in config.remotes.values_mut() {
            *folder = relative(folder, &directory);
        }
        config
    }))
}

/// A path as the user would type it in `directory`; what stands elsewhere stays absolute.
fn relative(path: &Path, directory: &Path) -> PathBuf {
    for (level, folder) in directory.ancestors().enumerate() {
        if let Ok(below) = path.strip_prefix(folder) {
            let path = Path::new(&"../".repeat(level)).join(below);
            // An empty path leads nowhere.
            return if path.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                path
            };
        }
    }
    path.to_owned()
}

/// The settings when only the command line gives them. A server without a folder of its own is
/// called after the folder that holds the contract root: that is the project.
fn from_argument(schemas: &Path) -> Config {
    let mut config = Config::new(schemas);
    let root = fs::canonicalize(schemas).ok();
    let project = root
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::file_name);
    if let Some(project) = project {
        config.root_name = project.to_string_lossy().into_owned();
    }
    config
}

/// What messages call the contract root: a path that can be opened from here. What generated files call it: the
/// name of the folder, which for `.` and `..` has to be looked up.
fn name_root(config: &mut Config) {
    let parts = config
        .schemas
        .components()
        .filter(|it| *it != Component::CurDir);
    let label = parts
        .collect::<PathBuf>()
        .to_string_lossy()
        .replace('\\', "/");
    config.schemas_label = if label.is_empty() {
        ".".to_owned()
    } else {
        label
    };
    if config.schemas.file_name().is_none() {
        let root = fs::canonicalize(&config.schemas).ok();
        if let Some(name) = root.as_deref().and_then(Path::file_name) {
            config.origin = name.to_string_lossy().into_owned();
        }
    }
}

/// A contract root that is not there is a slip of the fingers, not a finding about a contract.
fn check_root(schemas: &Path) -> Result<(), Failure> {
    match fs::metadata(schemas) {
        Ok(it) if it.is_dir() => Ok(()),
        Ok(_) => Err(
            Failure::new(format!("`{}` is not a folder", schemas.display())).help(
                "name the folder that holds the contract files: each sub-folder of it is a server",
            ),
        ),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(Failure::new(format!(
            "there is no folder `{}`",
            schemas.display()
        ))),
        Err(cause) => Err(Failure::io("read", schemas, &cause)),
    }
}

/// An output folder need not be there, but nothing else may stand in its place.
fn check_out(out: &Path) -> Result<(), Failure> {
    match fs::metadata(out) {
        Ok(it) if !it.is_dir() => Err(Failure::new(format!("`{}` is not a folder", out.display()))
            .help("--out names the folder for the generated modules, such as `src/gen`")),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Generated files would be read as contracts.
fn check_apart(out: &Path, schemas: &Path) -> Result<(), Failure> {
    let (Some(real_out), Ok(real_schemas)) = (resolved(out), fs::canonicalize(schemas)) else {
        return Ok(());
    };
    if !real_out.starts_with(&real_schemas) {
        return Ok(());
    }
    let place = if real_out == real_schemas {
        "is"
    } else {
        "stands inside of"
    };
    Err(Failure::new(format!(
        "the output folder `{}` {place} the contract root `{}`",
        out.display(),
        schemas.display()
    ))
    .help(
        "generated files would be read as contracts; choose a folder beside it, such as `src/gen`",
    ))
}

/// The real path of a folder that need not be there yet.
fn resolved(folder: &Path) -> Option<PathBuf> {
    let whole = env::current_dir().ok()?.join(folder);
    let there = whole.ancestors().find(|it| it.exists())?;
    let missing = whole.strip_prefix(there).ok()?;
    Some(fs::canonicalize(there).ok()?.join(missing))
}

fn nothing_said(what: &str) -> Failure {
    Failure::new(format!("nothing says {what}")).help(
        "either  mcp-codegen generate schemas -o src/gen\n\
         or      put `schemas = \"schemas\"` and `out = \"src/gen\"` into mcp-codegen.toml, \
         here or in a folder above",
    )
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::relative;

    #[test]
    fn paths_are_as_a_user_would_type_them() {
        let from = |path: &str| relative(Path::new(path), Path::new("/home/a/app"));
        assert_eq!(from("/home/a/app/schemas"), PathBuf::from("schemas"));
        assert_eq!(from("/home/a/app/."), PathBuf::from("."));
        assert_eq!(from("/home/a/schemas"), PathBuf::from("../schemas"));
    }
}
