//! `mcp-codegen.toml`: every fault in it with its place, and the settings it gives.

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use serde::{
    Deserialize,
    de::{IntoDeserializer as _, value::StrDeserializer},
};
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use super::{
    CacheScope, Config, ConfigFile, ConstraintPolicy, DialectName, FILE_NAME, FormatPolicy,
    ListSettings, OutputPolicy, RustType, TextPolicy, ToolOverrides, TypeOverrides, UnknownPolicy,
    UnresolvedPolicy, UnwrapPolicy, WrapPolicy, types::RustTypeForm,
};
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Failed, Failure, Id, Place, Pointer, did_you_mean},
    source::{FileId, Format, SourceMap},
};

/// Settings of mcp-codegen: what to generate from where, and how. Paths are relative to this file.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(title = "mcp-codegen.toml"))]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    /// The contract root: a folder of contract files. Default: `schemas`.
    pub(crate) schemas: Option<PathBuf>,
    /// The folder that the generated modules go to, such as `src/gen`.
    pub(crate) out: Option<PathBuf>,
    /// Name of the server whose files stand directly in the contract root.
    pub(crate) name: Option<String>,
    /// Version of servers whose `.server.json` gives none.
    pub(crate) version: Option<String>,
    /// Settings of tools by selector: `get_weather`, `weather.get_weather`, `weather.*`, `*`; the more
    /// specific one wins.
    #[serde(default)]
    pub(crate) tools: BTreeMap<String, ToolOverrides>,
    /// Settings of types by selector: `GetWeatherInput`, `weather.GetWeatherInput`, `weather.*`, `*`;
    /// the more specific one wins.
    #[serde(default)]
    pub(crate) types: BTreeMap<String, TypeOverrides>,
    /// Existing Rust types that stand in for generated ones, by the selector of a type:
    /// `"weather.Place" = "crate::geo::Place"`.
    #[serde(default)]
    pub(crate) replace: BTreeMap<String, RustTypeForm>,
    /// Other names for types, fields and variants: `"GetWeatherInputUnits" = "Units"`,
    /// `"GetWeatherInput.lat" = "latitude"`, `"Units::Metric" = "Si"`, each also with the server before it.
    #[serde(default)]
    pub(crate) rename: BTreeMap<String, String>,
    /// Rust types for values of a `format`, by its name: `uuid = "uuid::Uuid"`.
    #[serde(default)]
    pub(crate) formats: BTreeMap<String, RustTypeForm>,
    /// Folders that hold copies of remote schemas, by what the URLs of their files begin with:
    /// `"https://example.com/schemas/" = "vendor/example"`. A `$ref` to such a URL is looked up there;
    /// nothing is ever fetched.
    #[serde(default)]
    pub(crate) remotes: BTreeMap<String, PathBuf>,
    /// How to read schemas whose `$schema` names a meta-schema of its own:
    /// `"https://example.com/meta.json" = "2020-12"`. What is published names the dialect instead.
    #[serde(default)]
    pub(crate) dialects: BTreeMap<String, DialectName>,
    /// Whether each server gets a typed client too: `WeatherClient`. Default: false.
    pub(crate) client: Option<bool>,
    /// What proposes values for arguments of prompts and variables of resource templates.
    #[serde(default)]
    pub(crate) completion: Completion,
    /// How lists of tools, resources and prompts are handed out.
    #[serde(default)]
    pub(crate) lists: ListSettings,
    /// What becomes of a reference that leads nowhere: `error` (default), or `any`: it accepts anything,
    /// with a warning.
    pub(crate) unresolved: Option<UnresolvedPolicy>,
}

/// What proposes values for arguments and variables. Those that a schema lists need no method.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Completion {
    /// Those whose values a method of the trait gives: `review.asset`, `brand_kit.review.asset`.
    #[serde(default)]
    methods: Vec<String>,
}

impl Config {
    /// The settings of a `mcp-codegen.toml` that stands at `path`, with this text; messages call it `label`.
    ///
    /// What is wrong with it is left out here, and reported by [`generate`](crate::generate) together with
    /// everything else; [`Config::check`] reports it alone.
    pub fn from_toml(path: &Path, label: &str, text: &str) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut config = Self::new("schemas");
        config.schemas = folder.join(&config.schemas);
        if let Some(name) = folder.file_name() {
            config.root_name = name.to_string_lossy().into_owned();
        }
        config.apply_toml(path, label, text);
        config
    }

    /// Takes over what such a text says; what it leaves out stays as it is.
    pub fn apply_toml(&mut self, path: &Path, label: &str, text: &str) {
        let mut sources = SourceMap::default();
        let (id, mut faults) = (add_text(label, text, &mut sources), Diagnostics::new());
        let file = read(&sources.file(id).text, id, &mut faults);
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(schemas) = file.schemas {
            // The label stays relative to the file, so that generated headers are alike in any folder.
            self.set_schemas(schemas);
            self.schemas = folder.join(&self.schemas);
        }
        self.out = file
            .out
            .map(|it| folder.join(it))
            .or_else(|| self.out.take());
        if let Some(name) = file.name {
            self.root_name = name;
        }
        if let Some(version) = file.version {
            self.version = version;
        }
        self.tools.extend(file.tools);
        self.types.extend(file.types);
        let rust_types = |table: BTreeMap<String, RustTypeForm>| {
            table.into_iter().map(|(key, it)| (key, RustType::from(it)))
        };
        self.replace.extend(rust_types(file.replace));
        self.rename.extend(file.rename);
        self.formats.extend(rust_types(file.formats));
        let remotes = file.remotes.into_iter();
        self.remotes
            .extend(remotes.map(|(prefix, remote)| (prefix, folder.join(remote))));
        self.dialects.extend(file.dialects);
        self.unresolved = file.unresolved.unwrap_or(self.unresolved);
        self.client = file.client.unwrap_or(self.client);
        self.completions.extend(file.completion.methods);
        self.lists = ListSettings {
            ttl_ms: file.lists.ttl_ms.or(self.lists.ttl_ms),
            cache_scope: file.lists.cache_scope.or(self.lists.cache_scope),
            page_size: file.lists.page_size.or(self.lists.page_size),
        };
        self.file = Some(ConfigFile {
            path: path.to_owned(),
            label: label.to_owned(),
            text: text.to_owned(),
        });
    }

    /// Reports what is wrong with the configuration file, and nothing else.
    ///
    /// # Errors
    ///
    /// Everything wrong with it: syntax, unknown keys, values of a wrong type or outside the list.
    pub fn check(&self) -> Result<(), Box<Failure>> {
        let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::new());
        if let Some(file) = &self.file {
            check_file(file, &mut sources, &mut diagnostics);
        }
        diagnostics.propagate().map_err(|Failed| {
            Box::new(Failure {
                sources,
                diagnostics,
            })
        })
    }
}

/// Takes a configuration file into a run, with all that is wrong in it.
pub(crate) fn check_file(
    file: &ConfigFile,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) {
    let id = add_text(&file.label, &file.text, sources);
    read(&sources.file(id).text, id, diagnostics);
}

/// Where the file says `schemas`, when that is the contract root of this run.
pub(crate) fn place_of_root(config: &Config, sources: &SourceMap) -> Option<Place> {
    let file = sources.config()?;
    let (table, _) = DeTable::parse_recoverable(&file.text);
    let written = match table.get_ref().get("schemas")?.get_ref() {
        DeValue::String(path) => PathBuf::from(path.to_string()),
        _ => return None,
    };
    let parts: PathBuf = written
        .components()
        .filter(|it| !matches!(it, Component::CurDir | Component::ParentDir))
        .collect();
    let place = Place::value(file.id, Pointer::root().child("schemas"));
    config.schemas.ends_with(parts).then_some(place)
}

fn add_text(label: &str, text: &str, sources: &mut SourceMap) -> FileId {
    let (label, text) = (label.to_owned(), text.to_owned());
    sources.add(label, FILE_NAME.to_owned(), Format::Toml, text)
}

/// What a key may hold.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number, from this one on.
    Number(i64),
    OneOf(&'static [&'static str]),
    /// A table of these keys.
    Table(Keys),
    /// A table of tables, by selector.
    Selectors(Keys),
    /// A table of texts, by keys of the author's own.
    Texts,
    /// The same, of some of these words.
    TextsOf(&'static [&'static str]),
    /// A list of texts.
    List,
    /// A list of some of these words.
    ListOf(&'static [&'static str]),
    /// A table of Rust types: texts, or tables with these keys.
    RustTypes(Keys),
}

pub(super) type Keys = &'static [(&'static str, Kind)];

// A test holds these against the structs that serde reads.
pub(super) const ROOT: Keys = &[
    ("schemas", Kind::Text),
    ("out", Kind::Text),
    ("name", Kind::Text),
    ("version", Kind::Text),
    ("tools", Kind::Selectors(TOOL)),
    ("types", Kind::Selectors(TYPE)),
    ("replace", Kind::RustTypes(RUST_TYPE)),
    ("rename", Kind::Texts),
    ("formats", Kind::RustTypes(RUST_TYPE)),
    ("remotes", Kind::Texts),
    ("dialects", Kind::TextsOf(DialectName::WORDS)),
    ("client", Kind::Flag),
    ("completion", Kind::Table(COMPLETION)),
    ("lists", Kind::Table(LISTS)),
    ("unresolved", Kind::OneOf(UnresolvedPolicy::WORDS)),
];
pub(super) const COMPLETION: Keys = &[("methods", Kind::List)];
pub(super) const LISTS: Keys = &[
    ("ttl-ms", Kind::Number(0)),
    ("cache-scope", Kind::OneOf(CacheScope::WORDS)),
    ("page-size", Kind::Number(1)),
];
pub(super) const TOOL: Keys = &[
    ("text", Kind::OneOf(TextPolicy::WORDS)),
    ("output", Kind::OneOf(OutputPolicy::WORDS)),
    ("wrap", Kind::OneOf(WrapPolicy::WORDS)),
    ("unwrap", Kind::OneOf(UnwrapPolicy::WORDS)),
    ("formats", Kind::OneOf(FormatPolicy::WORDS)),
];
pub(super) const TYPE: Keys = &[
    ("unknown", Kind::OneOf(UnknownPolicy::WORDS)),
    ("constraints", Kind::OneOf(ConstraintPolicy::WORDS)),
    ("derives", Kind::List),
    ("attributes", Kind::List),
];
pub(super) const RUST_TYPE: Keys = &[
    ("path", Kind::Text),
    ("derives", Kind::ListOf(RustType::DERIVES)),
];

/// The settings. Of a text with faults, only those that say what is read and what it is called: the
/// others would not be used.
///
/// serde stops at its first error and knows no near misses, so the text is checked first and read after.
fn read(text: &str, id: FileId, diagnostics: &mut Diagnostics) -> File {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        push_syntax(error, id, diagnostics);
    }
    let mut faults = Diagnostics::new();
    if errors.is_empty() {
        let mut check = Check {
            id,
            diagnostics: &mut faults,
        };
        check.table(table.get_ref(), ROOT, &Pointer::root());
        if faults.is_empty() {
            match toml::from_str(text) {
                Ok(file) => return file,
                // What the check let through, serde still refuses.
                Err(error) => push_syntax(&error, id, diagnostics),
            }
        }
    }
    diagnostics.append(faults);
    what_is_read(table.get_ref())
}

fn what_is_read(table: &DeTable<'_>) -> File {
    let text = |value: &DeValue<'_>| match value {
        DeValue::String(text) if !text.is_empty() => Some(text.to_string()),
        _ => None,
    };
    let member = |key: &str| table.get(key).map(toml::Spanned::get_ref);
    let remotes = match member("remotes") {
        Some(DeValue::Table(remotes)) => remotes
            .iter()
            .filter_map(|(prefix, folder)| {
                let folder = text(folder.get_ref())?;
                Some((prefix.get_ref().to_string(), folder.into()))
            })
            .collect(),
        _ => BTreeMap::new(),
    };
    let (dialects, unresolved) = how_schemas_are_read(table);
    File {
        dialects,
        unresolved,
        schemas: member("schemas").and_then(text).map(PathBuf::from),
        out: member("out").and_then(text).map(PathBuf::from),
        name: member("name").and_then(text),
        version: member("version").and_then(text),
        remotes,
        ..File::default()
    }
}

/// Without these, a schema would have faults that the settings excuse.
fn how_schemas_are_read(
    table: &DeTable<'_>,
) -> (BTreeMap<String, DialectName>, Option<UnresolvedPolicy>) {
    let member = |key: &str| table.get(key).map(toml::Spanned::get_ref);
    let dialects = match member("dialects") {
        Some(DeValue::Table(dialects)) => dialects
            .iter()
            .filter_map(|(url, name)| {
                let name = word(name.get_ref())?;
                Some((url.get_ref().to_string(), name))
            })
            .collect(),
        _ => BTreeMap::new(),
    };
    let unresolved = member("unresolved").and_then(word);
    (dialects, unresolved)
}

fn word<T: serde::de::DeserializeOwned>(value: &DeValue<'_>) -> Option<T> {
    match value {
        DeValue::String(word) => {
            let word: StrDeserializer<'_, serde::de::value::Error> =
                word.as_ref().into_deserializer();
            T::deserialize(word).ok()
        }
        _ => None,
    }
}

fn push_syntax(error: &toml::de::Error, id: FileId, diagnostics: &mut Diagnostics) {
    let place = match error.span() {
        Some(span) => Place::bytes(id, span),
        None => Place::file(id),
    };
    // toml's messages may have several lines.
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    diagnostics.push(Diagnostic::new(Id::BadToml, message).at(place, ""));
}

struct Check<'d> {
    id: FileId,
    diagnostics: &'d mut Diagnostics,
}

impl Check<'_> {
    fn table(&mut self, table: &DeTable<'_>, keys: Keys, pointer: &Pointer) {
        for (key, value) in table {
            let pointer = pointer.child(key.get_ref());
            match keys.iter().find(|(it, _)| *it == key.get_ref()) {
                Some((name, kind)) => self.value(name, value.get_ref(), *kind, &pointer),
                None => self.unknown(key.get_ref(), value.get_ref(), keys, pointer),
            }
        }
    }

    fn value(&mut self, name: &str, value: &DeValue<'_>, kind: Kind, pointer: &Pointer) {
        match (kind, value) {
            (Kind::Text, DeValue::String(text)) if text.is_empty() => {
                self.invalid(format!("`{name}` must not be empty"), pointer, None);
            }
            (Kind::Text, DeValue::String(_)) | (Kind::Flag, DeValue::Boolean(_)) => {}
            (Kind::Number(least), DeValue::Integer(number)) => {
                if integer(number).is_none_or(|it| it < least) {
                    let message = format!("`{name}` must be a whole number from {least} on");
                    self.invalid(message, pointer, None);
                }
            }
            (Kind::Table(keys), DeValue::Table(table)) => self.table(table, keys, pointer),
            (Kind::OneOf(words), DeValue::String(word)) if words.contains(&word.as_ref()) => {}
            (Kind::OneOf(words), DeValue::String(word)) => {
                let help = match did_you_mean(word, words.iter().copied()) {
                    Some(near) => format!("did you mean `\"{near}\"`? {}", allowed(words)),
                    None => allowed(words),
                };
                self.invalid(
                    format!("`{name}` cannot be `\"{word}\"`"),
                    pointer,
                    Some(help),
                );
            }
            (Kind::Selectors(keys), DeValue::Table(selectors)) => {
                self.selectors(name, selectors, keys, pointer);
            }
            (Kind::Texts, DeValue::Table(texts)) => self.texts(texts, Kind::Text, pointer),
            (Kind::TextsOf(words), DeValue::Table(texts)) => {
                self.texts(texts, Kind::OneOf(words), pointer);
            }
            (Kind::List, DeValue::Array(items)) => self.list(name, items, Kind::Text, pointer),
            (Kind::ListOf(words), DeValue::Array(items)) => {
                self.list(name, items, Kind::OneOf(words), pointer);
            }
            (Kind::RustTypes(keys), DeValue::Table(types)) => {
                for (key, value) in types {
                    let pointer = pointer.child(key.get_ref());
                    self.rust_type(key.get_ref(), value.get_ref(), keys, &pointer);
                }
            }
            _ => self.wrong_kind(name, value, kind, pointer),
        }
    }

    fn wrong_kind(&mut self, name: &str, value: &DeValue<'_>, kind: Kind, pointer: &Pointer) {
        let (wanted, help) = match kind {
            Kind::Text => ("text", None),
            Kind::Flag => ("boolean", Some(format!("write `{name} = true`"))),
            Kind::Number(_) => ("number", Some(format!("write `{name} = 100`"))),
            Kind::Table(_) => ("table", Some(format!("write `[{name}]`"))),
            Kind::OneOf(words) => ("text", Some(allowed(words))),
            Kind::List | Kind::ListOf(_) => ("list", Some(format!("write `{name} = [\"…\"]`"))),
            Kind::Selectors(_) => ("table", Some(format!("write `[{name}.\"<selector>\"]`"))),
            Kind::Texts | Kind::TextsOf(_) | Kind::RustTypes(_) => {
                let entry = match name {
                    "dialects" => "\"https://…/meta.json\" = \"2020-12\"",
                    "remotes" => "\"https://…/\" = \"<folder>\"",
                    "rename" => "\"<Type>\" = \"<Name>\"",
                    _ => "<name> = \"<path of a Rust type>\"",
                };
                let help = format!("write `[{name}]`, and below it `{entry}`");
                ("table", Some(help))
            }
        };
        let message = format!("`{name}` must be a {wanted}, not {}", kind_of(value));
        self.invalid(message, pointer, help);
    }

    fn texts(&mut self, texts: &DeTable<'_>, kind: Kind, pointer: &Pointer) {
        for (key, text) in texts {
            let pointer = pointer.child(key.get_ref());
            self.value(key.get_ref(), text.get_ref(), kind, &pointer);
        }
    }

    fn list(&mut self, name: &str, items: &DeArray<'_>, kind: Kind, pointer: &Pointer) {
        for (at, item) in items.iter().enumerate() {
            self.value(name, item.get_ref(), kind, &pointer.child(at));
        }
    }

    /// A path, or a table that has one.
    fn rust_type(&mut self, name: &str, value: &DeValue<'_>, keys: Keys, pointer: &Pointer) {
        match value {
            DeValue::Table(table) => {
                self.table(table, keys, pointer);
                if !table.iter().any(|(key, _)| key.get_ref() == "path") {
                    let message = format!("`{name}` does not say which type");
                    let help = "write `{ path = \"uuid::Uuid\", derives = [\"Eq\", \"Hash\"] }`"
                        .to_owned();
                    self.invalid(message, pointer, Some(help));
                }
            }
            other => self.value(name, other, Kind::Text, pointer),
        }
    }

    fn selectors(&mut self, name: &str, table: &DeTable<'_>, keys: Keys, pointer: &Pointer) {
        for (selector, value) in table {
            let pointer = pointer.child(selector.get_ref());
            match value.get_ref() {
                DeValue::Table(settings) => self.table(settings, keys, &pointer),
                other => {
                    let message = format!(
                        "the selector `{}` must have a table, not {}",
                        selector.get_ref(),
                        kind_of(other)
                    );
                    let help = format!("settings stand below a selector: `[{name}.\"*\"]`");
                    self.invalid(message, &pointer, Some(help));
                }
            }
        }
    }

    fn unknown(&mut self, key: &str, value: &DeValue<'_>, keys: Keys, pointer: Pointer) {
        let segments: Vec<String> = pointer.segments().collect();
        // `[tools.weather.get_weather]`: a dotted key is a table in a table.
        let help =
            if let ([section, outer, inner], DeValue::Table(_)) = (segments.as_slice(), value) {
                format!("quote a selector with a dot: `[{section}.\"{outer}.{inner}\"]`")
            } else {
                let names = keys.iter().map(|(it, _)| *it);
                match did_you_mean(key, names.clone()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known here: {}", list(names)),
                }
            };
        let place = Place::key(self.id, pointer);
        let diagnostic = Diagnostic::new(Id::UnknownSetting, format!("unknown setting `{key}`"));
        self.diagnostics.push(diagnostic.at(place, "").help(help));
    }

    fn invalid(&mut self, message: String, pointer: &Pointer, help: Option<String>) {
        let mut diagnostic = Diagnostic::new(Id::InvalidSetting, message)
            .at(Place::value(self.id, pointer.clone()), "");
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
    }
}

/// An integer of TOML as `i64`, which is all that TOML promises.
fn integer(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn allowed(words: &[&str]) -> String {
    format!(
        "allowed: {}",
        list(words.iter().map(|it| format!("\"{it}\"")))
    )
}

fn list(words: impl Iterator<Item = impl std::fmt::Display>) -> String {
    words
        .map(|it| format!("`{it}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
