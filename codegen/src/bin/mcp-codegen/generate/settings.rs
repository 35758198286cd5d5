//! What to generate from where: `mcp-codegen.toml`, then what the command line says.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
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
    /// The configuration file is wrong.
    Findings(Box<diagnostics::Failure>),
}

/// Reads the settings: those of the file that `--config` names, else of the `mcp-codegen.toml` found
/// in the working directory or above it; arguments win.
pub(super) fn read(args: &Args) -> Result<Settings, Refused> {
    let found = match &args.config {
        Some(path) => Some(named(path)?),
        None => discovered()?,
    };
    let config = match (&args.schemas, found) {
        (None, None) => return Err(Refused::Usage(nothing_said("what to generate from"))),
        (None, Some(config)) => config,
        (Some(schemas), None) => from_argument(schemas),
        (Some(schemas), Some(mut config)) => {
            config.set_schemas(schemas);
            config
        }
    };
    let config = with_named_origin(config);
    let Some(out) = args.out.clone().or_else(|| config.out.clone()) else {
        return Err(Refused::Usage(nothing_said(
            "where to write the generated code",
        )));
    };
    check_root(&config.schemas).map_err(Refused::Usage)?;
    Ok(Settings { config, out })
}

/// The file that the user named.
fn named(path: &Path) -> Result<Config, Refused> {
    // Asked for by name, so that its absence is a fault of the command line, not a finding.
    fs::metadata(path).map_err(|cause| Refused::Usage(Failure::io("read", path, &cause)))?;
    Config::read(path).map_err(Refused::Findings)
}

/// The file that the working directory has, if it has one.
fn discovered() -> Result<Option<Config>, Refused> {
    let directory = env::current_dir().map_err(|cause| {
        Refused::Usage(Failure::new(format!(
            "cannot tell the working directory: {cause}"
        )))
    })?;
    Config::discover(&directory).map_err(Refused::Findings)
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

/// Generated files name the folder of their contract; `.` and `..` have to be looked up.
fn with_named_origin(mut config: Config) -> Config {
    if config.schemas.file_name().is_none() {
        let root = fs::canonicalize(&config.schemas).ok();
        if let Some(name) = root.as_deref().and_then(Path::file_name) {
            config.origin = name.to_string_lossy().into_owned();
        }
    }
    config
}

/// A contract root that is not there is a slip of the fingers, not a finding about a contract.
fn check_root(schemas: &Path) -> Result<(), Failure> {
    match fs::metadata(schemas) {
        Ok(it) if it.is_dir() => Ok(()),
        Ok(_) => Err(
            Failure::new(format!("{} is not a folder", schemas.display())).help(
                "name the folder that holds the contract files: each sub-folder of it is a server",
            ),
        ),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(Failure::new(format!(
            "there is no folder {}",
            schemas.display()
        ))),
        Err(cause) => Err(Failure::io("read", schemas, &cause)),
    }
}

fn nothing_said(what: &str) -> Failure {
    Failure::new(format!("nothing says {what}")).help(
        "either  mcp-codegen generate schemas -o src/gen\n\
         or      put `schemas = \"schemas\"` and `out = \"src/gen\"` into mcp-codegen.toml, \
         here or in a folder above",
    )
}
