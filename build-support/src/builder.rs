//! The builder: what a build script may decide, and the run itself.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use mcp_codegen::{
    config::{Config, FILE_NAME, ToolOverrides, TypeOverrides},
    diagnostics::{Diagnostics, Locator, Severity},
    source::{Format, SourceMap},
    sync::{self, Mode},
};

use crate::{
    Error,
    cargo::{self, Instructions, Package},
};

/// Compiles contracts in a build script, with settings beyond [`compile`](crate::compile).
///
/// What is set here wins over `mcp-codegen.toml`.
///
/// ```no_run
/// use mcp_codegen_build::{Builder, TextPolicy};
///
/// fn main() -> Result<(), mcp_codegen_build::Error> {
///     Builder::new()
///         .schemas("contracts")
///         .tool("weather.*", |it| it.text = Some(TextPolicy::Pretty))
///         .compile()
/// }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing happens before `compile`"]
pub struct Builder {
    schemas: Option<PathBuf>,
    out_dir: Option<PathBuf>,
    config: Option<PathBuf>,
    name: Option<String>,
    version: Option<String>,
    tools: BTreeMap<String, ToolOverrides>,
    types: BTreeMap<String, TypeOverrides>,
}

impl Builder {
    /// A builder with the defaults: `schemas` and the settings of `mcp-codegen.toml`, output to `OUT_DIR`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The contract root, relative to the package's folder. Default: `schemas` of `mcp-codegen.toml`, else `schemas`.
    pub fn schemas(mut self, folder: impl Into<PathBuf>) -> Self {
        self.schemas = Some(folder.into());
        self
    }

    /// Where the generated files go. Default: `OUT_DIR`, where `include_contract!` looks for them.
    ///
    /// Each call of [`Builder::compile`] needs a folder of its own: it removes what it made before and makes no more.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// The configuration file, relative to the package's folder. Default: `mcp-codegen.toml` there, if it exists.
    ///
    /// A named file is watched from the start. One that is not named and appears later is noticed at the next
    /// run: cargo cannot watch for a file to appear.
    pub fn config(mut self, file: impl Into<PathBuf>) -> Self {
        self.config = Some(file.into());
        self
    }

    /// Name of the server whose files stand directly in the contract root, when no `.server.json` names it.
    /// Default: `name` of `mcp-codegen.toml`, else the package's.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Version of servers whose `.server.json` gives none. Default: `version` of `mcp-codegen.toml`, else the package's.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Changes the settings of the tools that a selector matches: `get_weather`, `weather.get_weather`, `weather.*`, `*`.
    pub fn tool(
        mut self,
        selector: impl Into<String>,
        set: impl FnOnce(&mut ToolOverrides),
    ) -> Self {
        set(self.tools.entry(selector.into()).or_default());
        self
    }

    /// Changes the settings of the types that a selector matches: `GetWeatherInput`, `weather.GetWeatherInput`,
    /// `weather.*`, `*`.
    pub fn types(
        mut self,
        selector: impl Into<String>,
        set: impl FnOnce(&mut TypeOverrides),
    ) -> Self {
        set(self.types.entry(selector.into()).or_default());
        self
    }

    /// Generates the code and tells cargo what to watch.
    ///
    /// # Errors
    ///
    /// As [`compile`](crate::compile).
    pub fn compile(self) -> Result<(), Error> {
        let package = Package::read()?;
        let out_dir = match &self.out_dir {
            Some(folder) => folder.clone(),
            None => cargo::out_dir()?,
        };
        let mut instructions = Instructions::default();
        let ended = self.run(&package, &out_dir, &mut instructions);
        // Also after a failure: the run must be repeated when its cause is repaired.
        #[expect(
            clippy::print_stdout,
            reason = "it is how a build script speaks to cargo"
        )]
        {
            print!("{instructions}");
        }
        ended
    }

    /// The run without cargo around it.
    fn run(
        self,
        package: &Package,
        out_dir: &Path,
        instructions: &mut Instructions,
    ) -> Result<(), Error> {
        let config = self.settings(package, instructions)?;
        instructions.rerun_if_changed(&config.schemas);
        match mcp_codegen::generate(&config) {
            Ok(generated) => {
                watch(&generated.sources, &config, instructions);
                warn(&generated.sources, &generated.diagnostics, instructions);
                sync::sync(&generated.files, out_dir, Mode::Write)?;
                Ok(())
            }
            Err(failure) => {
                watch(&failure.sources, &config, instructions);
                Err(Error::from(failure))
            }
        }
    }

    /// The package's defaults, the configuration file on top of them, and the builder's own settings on top of that.
    fn settings(self, package: &Package, instructions: &mut Instructions) -> Result<Config, Error> {
        let mut config = Config::new("schemas");
        config.root_name.clone_from(&package.name);
        config.version.clone_from(&package.version);
        // Only in the package, not in the folders above: what it builds must not depend on where it stands.
        let found = || Some(PathBuf::from(FILE_NAME)).filter(|it| it.is_file());
        if let Some(file) = self.config.or_else(found) {
            instructions.rerun_if_changed(&file);
            config.apply_file(&file)?;
        }
        if let Some(schemas) = self.schemas {
            config.set_schemas(schemas);
        }
        config.root_name = self.name.unwrap_or(config.root_name);
        config.version = self.version.unwrap_or(config.version);
        for (selector, overrides) in self.tools {
            let tool = config.tools.entry(selector).or_default();
            tool.text = overrides.text.or(tool.text);
            tool.output = overrides.output.or(tool.output);
            tool.wrap = overrides.wrap.or(tool.wrap);
            tool.formats = overrides.formats.or(tool.formats);
        }
        for (selector, overrides) in self.types {
            let settings = config.types.entry(selector).or_default();
            settings.unknown = overrides.unknown.or(settings.unknown);
            settings.constraints = overrides.constraints.or(settings.constraints);
            settings.derives.extend(overrides.derives);
            settings.attributes.extend(overrides.attributes);
        }
        Ok(config)
    }
}

/// Every folder and file that was read. A folder is there for files that will be new.
fn watch(sources: &SourceMap, config: &Config, instructions: &mut Instructions) {
    for folder in sources
        .directories()
        .chain(config.remotes.values().map(PathBuf::as_path))
    {
        instructions.rerun_if_changed(folder);
    }
    for file in sources.files().filter(|it| it.format != Format::Toml) {
        let path = config.schemas.join(&file.path);
        // Files of other folders are watched with their folder. Cargo would run again, forever, for one that is not there.
        if path.is_file() {
            instructions.rerun_if_changed(&path);
        }
    }
}

/// Warnings, a line each. Notes say how types came out; they are for whoever runs the command line.
fn warn(sources: &SourceMap, diagnostics: &Diagnostics, instructions: &mut Instructions) {
    let mut locator = Locator::new(sources);
    for diagnostic in diagnostics
        .iter()
        .filter(|it| it.id.severity() == Severity::Warning)
    {
        let place = diagnostic.place.as_ref().map(|(place, _label)| {
            let label = &locator.file(place).label;
            match locator.locate(place) {
                Some(it) => format!("{label}:{}:{}: ", it.start.line, it.start.column),
                None => format!("{label}: "),
            }
        });
        instructions.warning(&format!(
            "{}{} [{}]",
            place.unwrap_or_default(),
            diagnostic.message,
            diagnostic.id
        ));
    }
}

#[cfg(test)]
mod tests;
