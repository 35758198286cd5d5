//! Settings of a run, as `mcp-codegen.toml`, the command line and build.rs give them.

mod file;
mod located;
mod rust;
mod select;
mod types;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fmt,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use serde::Deserialize;

#[cfg(feature = "schemars")]
pub(crate) use file::File;
pub(crate) use file::{check_file, place_of_root};
pub(crate) use located::Located;
pub(crate) use rust::{check_path, check_types};
pub(crate) use select::{Named, unmatched_selectors};
pub use types::{ConstraintPolicy, RustType, TypeOverrides, TypeSettings, UnknownPolicy};

/// The name of the configuration file.
pub const FILE_NAME: &str = "mcp-codegen.toml";

/// What to generate from where. Plain fields; start from [`Config::new`] or [`Config::from_toml`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The contract root: a folder of contract files.
    pub schemas: PathBuf,
    /// What messages call the contract root: relative, forward slashes.
    pub schemas_label: String,
    /// What generated files call the contract root: the name of the folder alone, so that they are the same bytes
    /// wherever the command runs.
    pub origin: String,
    /// The folder that the generated modules go to, when the settings name one.
    pub out: Option<PathBuf>,
    /// Name of the server whose files stand directly in the root, when no `.server.json` names it.
    pub root_name: String,
    /// Version of servers whose `.server.json` gives none.
    pub version: String,
    /// Per-tool settings by selector: `get_weather`, `weather.get_weather`, `weather.*`, `*`.
    pub tools: BTreeMap<String, ToolOverrides>,
    /// Per-type settings by selector: `GetWeatherInput`, `weather.GetWeatherInput`, `weather.*`, `*`.
    pub types: BTreeMap<String, TypeOverrides>,
    /// Existing Rust types that stand in for generated ones, by the selector of a type: `Place`, `weather.Place`.
    pub replace: BTreeMap<String, RustType>,
    /// Other names for types, fields and variants, by selector: `GetWeatherInputUnits`,
    /// `GetWeatherInput.units`, `Units::Metric`, each also with `weather.` before it.
    pub rename: BTreeMap<String, String>,
    /// Rust types for values of a `format`, by its name: `uuid`, `date-time`.
    pub formats: BTreeMap<String, RustType>,
    /// Folders that hold copies of remote schemas, by what the URLs of their files begin with. A `$ref` to
    /// such a URL is looked up there; nothing is ever fetched.
    pub remotes: BTreeMap<String, PathBuf>,
    /// How to read schemas whose `$schema` names a meta-schema of its own, by that URL. What is published names the
    /// dialect instead, which clients know.
    pub dialects: BTreeMap<String, DialectName>,
    /// What becomes of a reference that leads nowhere.
    pub unresolved: UnresolvedPolicy,
    /// The arguments of prompts and variables of resource templates whose values a method gives, by selector:
    /// `review.asset`, `brand_kit.review.asset`.
    pub completions: Vec<String>,
    /// How lists of tools, resources and prompts are handed out.
    pub lists: ListSettings,
    /// Whether each server gets a typed client too: `WeatherClient`.
    pub client: bool,
    /// The file that the settings were read from. What is wrong in it, [`generate`](crate::generate) reports
    /// together with everything else.
    pub file: Option<ConfigFile>,
}

/// The file that settings were read from: findings point into it, build scripts watch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub label: String,
    /// Its text.
    pub text: String,
}

impl Config {
    /// For tests whose subject is a schema: no output is taken for a wrapper of its only property.
    #[cfg(test)]
    pub(crate) fn taking_schemas_as_they_are() -> Self {
        let mut config = Self::new("schemas");
        let never = ToolOverrides {
            unwrap: Some(UnwrapPolicy::Never),
            ..ToolOverrides::default()
        };
        config.tools = BTreeMap::from([("*".to_owned(), never)]);
        config
    }

    /// The defaults for a contract root. The label is the path as given; of an absolute path only its
    /// last part, since generated files must not depend on the machine.
    pub fn new(schemas: impl Into<PathBuf>) -> Self {
        let schemas = schemas.into();
        let root_name = schemas.file_name().map_or_else(
            || "server".to_owned(),
            |it| it.to_string_lossy().into_owned(),
        );
        let mut config = Self {
            schemas: PathBuf::new(),
            schemas_label: String::new(),
            origin: String::new(),
            out: None,
            root_name,
            version: "0.1.0".to_owned(),
            tools: BTreeMap::new(),
            types: BTreeMap::new(),
            replace: BTreeMap::new(),
            rename: BTreeMap::new(),
            formats: BTreeMap::new(),
            remotes: BTreeMap::new(),
            dialects: BTreeMap::new(),
            unresolved: UnresolvedPolicy::Error,
            completions: Vec::new(),
            lists: ListSettings::default(),
            client: false,
            file: None,
        };
        config.set_schemas(schemas);
        config
    }

    /// Takes another contract root, and its label; what else was set stays.
    pub fn set_schemas(&mut self, schemas: impl Into<PathBuf>) {
        self.schemas = schemas.into();
        self.schemas_label = label_of(&self.schemas);
        // `.` and `..` have no name of their own.
        let name = self
            .schemas
            .file_name()
            .map(|it| it.to_string_lossy().into_owned());
        self.origin = name.unwrap_or_else(|| "schemas".to_owned());
    }
}

/// What messages call a folder: the path as given, with forward slashes; of an absolute path only its last part.
pub(crate) fn label_of(folder: &Path) -> String {
    let parts = if folder.is_absolute() {
        folder.file_name().map(PathBuf::from).unwrap_or_default()
    } else {
        // `components` drops `.` in the middle and doubled slashes.
        let parts = folder.components();
        parts.filter(|it| it.as_os_str() != ".").collect()
    };
    let label = parts.to_string_lossy().replace('\\', "/");
    if label.is_empty() {
        ".".to_owned()
    } else {
        label
    }
}

/// What a `[tools.<selector>]` table sets; `None` keeps what a less specific selector says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolOverrides {
    /// How a typed result is repeated as text.
    pub text: Option<TextPolicy>,
    /// What happens to a result that violates its schema.
    pub output: Option<OutputPolicy>,
    /// Which peers get a non-object result wrapped in `{"result": …}`.
    pub wrap: Option<WrapPolicy>,
    /// Which output schemas are taken for wrappers `{"result": …}` of what the method gives.
    pub unwrap: Option<UnwrapPolicy>,
    /// Whether texts have to be what `format` says.
    pub formats: Option<FormatPolicy>,
}

/// The settings of one tool, all selectors applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolSettings {
    /// How a typed result is repeated as text.
    pub text: TextPolicy,
    /// What happens to a result that violates its schema.
    pub output: OutputPolicy,
    /// Which peers get a non-object result wrapped in `{"result": …}`.
    pub wrap: WrapPolicy,
    /// Which output schemas are taken for wrappers `{"result": …}` of what the method gives.
    pub unwrap: UnwrapPolicy,
    /// Whether texts have to be what `format` says.
    pub formats: FormatPolicy,
}

/// How lists of tools, resources, templates and prompts are handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct ListSettings {
    /// For how many milliseconds a client may keep a list. Default: five minutes.
    pub ttl_ms: Option<u64>,
    /// Who may keep it.
    pub cache_scope: Option<CacheScope>,
    /// How many entries a page has at most. Default: all of them.
    pub page_size: Option<NonZeroUsize>,
}

/// One choice of a few words, each spelled here once for the file, its messages and its JSON Schema.
macro_rules! policy {
    (
        $(#[$doc:meta])* $name:ident {
            $(#[$first_doc:meta])* $first:ident = $first_word:literal,
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        pub enum $name {
            $(#[$first_doc])* #[default] #[serde(rename = $first_word)] $first,
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// The words for it, the default first.
            pub const WORDS: &'static [&'static str] = &[$first_word, $($word),+];

            /// The word for it, as settings spell it.
            pub const fn as_str(self) -> &'static str {
                match self { Self::$first => $first_word, $(Self::$variant => $word),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
use policy;

policy! {
    /// How a typed result is repeated as text.
    TextPolicy {
        /// One block of compact JSON.
        Compact = "compact",
        /// One block of indented JSON.
        Pretty = "pretty",
        /// One block per array element.
        Items = "items",
        /// As the Python SDK tells it: texts as they are, one block per array element, nothing for null, other values
        /// as indented JSON.
        Python = "python",
        /// No text.
        None = "none",
    }
}

policy! {
    /// What happens to a result that violates its schema.
    OutputPolicy {
        /// It is not sent; the call fails naming the field.
        Deny = "deny",
        /// It is sent and logged.
        Warn = "warn",
        /// It is not checked.
        Off = "off",
    }
}

policy! {
    /// Which peers get a non-object result wrapped in `{"result": …}`.
    WrapPolicy {
        /// Peers of revisions before 2026-07-28, which allow only objects.
        Legacy = "legacy",
        /// Every peer, as the Python SDK does.
        Always = "always",
    }
}

policy! {
    /// Which output schemas are taken for wrappers `{"result": …}`: the method then gives the value inside.
    UnwrapPolicy {
        /// Those that the Python SDK or `FastMCP` has marked.
        Marked = "marked",
        /// Every object with one property, `result`, that has to be there.
        Result = "result",
        /// None.
        Never = "never",
    }
}

policy! {
    /// Whether texts have to be what `format` says.
    FormatPolicy {
        /// As the dialect of the schema says: up to draft-07 they have to, since 2019-09 it is a remark.
        Dialect = "dialect",
        /// They have to, in arguments and results alike.
        Assert = "assert",
        /// It is a remark.
        Annotate = "annotate",
    }
}

policy! {
    /// Who may keep a list.
    CacheScope {
        /// The client alone.
        Private = "private",
        /// Whoever stands between client and server.
        Public = "public",
    }
}

policy! {
    /// What becomes of a reference that leads nowhere.
    UnresolvedPolicy {
        /// It is an error.
        Error = "error",
        /// It accepts anything, with a warning: `true` in the published schema, `Value` in the type.
        Any = "any",
    }
}

policy! {
    /// A dialect of JSON Schema by the name people call it.
    DialectName {
        /// 2020-12.
        Draft202012 = "2020-12",
        /// 2019-09.
        Draft201909 = "2019-09",
        /// Draft 7.
        Draft7 = "draft-07",
        /// Draft 6.
        Draft6 = "draft-06",
        /// Draft 4.
        Draft4 = "draft-04",
    }
}

impl FormatPolicy {
    /// How much it refuses, compared with the others.
    pub(crate) const fn strictness(self) -> u8 {
        match self {
            Self::Annotate => 0,
            Self::Dialect => 1,
            Self::Assert => 2,
        }
    }
}
