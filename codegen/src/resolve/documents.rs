//! The contract files of a run as JSON values, by kind and by server folder.

use std::collections::{BTreeMap, BTreeSet};

use referencing::{Uri, uri};
use serde_json::Value;

use super::{
    dialect::Dialect,
    draft03, made,
    narrow::{self, Narrowed},
    schemas::file_uri,
};
use crate::{
    config::{Config, FormatPolicy, UnresolvedPolicy},
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer, Severity},
    source::{self, FileId, Remotes, SourceFile, SourceMap},
};

/// Every file that could be read: contract files in the order of the source map, then copies of
/// remote files.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    read: Vec<Document>,
    unread: Vec<Unread>,
    remotes: Vec<Remotes>,
    dialects: BTreeMap<String, Dialect>,
    narrowed: Vec<Narrowed>,
    unresolved: UnresolvedPolicy,
}

/// A file or folder that is there but holds nothing that could be read, which has been reported.
/// What misses it must not be reported as well.
#[derive(Debug)]
struct Unread {
    path: String,
    uri: Uri<String>,
}

/// One file.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) file: FileId,
    /// Below the contract root: `weather/get_weather.tool.json`. Of a remote file, its URL.
    pub(crate) path: String,
    /// What stands for it where references are looked up.
    pub(super) uri: Uri<String>,
    /// The folder that makes the server; `None` for files directly in the contract root.
    pub(crate) folder: Option<String>,
    pub(crate) kind: Kind,
    /// What precedes the kind in the file's name: `get_weather`.
    pub(crate) stem: String,
    pub(crate) value: Value,
    /// Where its MCP tool objects stand: one in a `.tool.json`, any number in a `.tools.json`.
    pub(crate) tools: Vec<Pointer>,
    /// Nobody wrote it: it follows from the file whose path it has.
    pub(crate) made: bool,
}

/// What a contract file holds, as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One MCP tool.
    Tool,
    /// The input schema of one tool.
    Input,
    /// The output schema of one tool.
    Output,
    /// Many MCP tools.
    Tools,
    /// One MCP resource or resource template.
    Resource,
    /// The schema of a resource template's variables.
    Variables,
    /// One MCP prompt.
    Prompt,
    /// The schema of a prompt's arguments.
    Arguments,
    /// What the user of a client can be asked: a message and the schema of the answer.
    Elicitation,
    /// What a server says about itself.
    Server,
    /// Shared types.
    Schema,
    /// The copy of a remote file: anything; a schema when something refers to it as one.
    Remote,
}

/// The kinds by what file names end in, without `.json`, `.yaml` or `.yml`. The longer ending of
/// two that match comes first.
const KINDS: [(&str, Kind); 13] = [
    (".input.schema", Kind::Input),
    (".output.schema", Kind::Output),
    (".tool", Kind::Tool),
    (".tools", Kind::Tools),
    (".input", Kind::Input),
    (".output", Kind::Output),
    (".resource", Kind::Resource),
    (".variables", Kind::Variables),
    (".prompt", Kind::Prompt),
    (".arguments", Kind::Arguments),
    (".elicitation", Kind::Elicitation),
    (".server", Kind::Server),
    (".schema", Kind::Schema),
];

impl Documents {
    /// The contract files, in the order of the source map.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.all().filter(|it| it.kind != Kind::Remote && !it.made)
    }

    /// The documents of a kind that have folder and stem of this one, those that nobody wrote included.
    pub(crate) fn beside<'s>(
        &'s self,
        owner: &Document,
        kind: Kind,
    ) -> impl Iterator<Item = &'s Document> {
        self.all()
            .filter(move |it| it.kind == kind && it.stem == owner.stem && it.folder == owner.folder)
    }

    /// Takes in documents that nobody wrote.
    pub(super) fn add_made(&mut self, made: Vec<Document>) {
        self.read.extend(made);
    }

    /// The contract files and the copies of remote files.
    pub(super) fn all(&self) -> impl Iterator<Item = &Document> {
        self.read.iter()
    }

    /// The folders of copies of remote files, the longest prefix first.
    pub(super) fn remotes(&self) -> &[Remotes] {
        &self.remotes
    }

    /// The same documents, with the schemas in them read as the settings say.
    pub(crate) fn read_as(mut self, config: &Config) -> Self {
        let dialects = config.dialects.iter();
        self.dialects = dialects
            .map(|(uri, name)| (uri.trim_end_matches('#').to_owned(), Dialect::from(*name)))
            .collect();
        self.unresolved = config.unresolved;
        for document in &mut self.read {
            draft03::translate(&mut document.value);
        }
        let everywhere = config.tools.get("*").and_then(|it| it.formats);
        let narrowed = narrow::plan(&self, everywhere == Some(FormatPolicy::Assert));
        narrow::apply(&mut self.read, &narrowed);
        self.narrowed = narrowed;
        self
    }

    /// What the settings say about URIs that `$schema` may name.
    pub(super) fn dialects(&self) -> &BTreeMap<String, Dialect> {
        &self.dialects
    }

    /// The schemas that had a meta-schema of their author's own.
    pub(super) fn narrowed(&self) -> &[Narrowed] {
        &self.narrowed
    }

    /// What becomes of references that lead nowhere.
    pub(super) fn unresolved(&self) -> UnresolvedPolicy {
        self.unresolved
    }

    /// Whether a URI without a fragment stands for something that is there but could not be read.
    pub(super) fn is_unread(&self, target: &str) -> bool {
        self.unread.iter().any(|it| {
            let rest = target.strip_prefix(it.uri.as_str());
            rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
        })
    }

    /// Whether a server's folder holds something of a kind that could not be read; with a stem,
    /// whether it holds the file of this name.
    pub(crate) fn lacks(&self, folder: Option<&str>, kind: Kind, stem: Option<&str>) -> bool {
        self.unread.iter().any(|it| {
            let (own, name) = split(&it.path);
            // A folder that cannot be read may hold anything.
            let inside = folder.is_some_and(|it| it.split('/').next() == Some(name));
            let named = classify(name);
            let named =
                named.is_some_and(|(own, it)| it == kind && stem.is_none_or(|it| it == own));
            inside && own.is_none() || own == folder && named
        })
    }
}

/// The folder and the name of a file.
fn split(path: &str) -> (Option<&str>, &str) {
    match path.rsplit_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, path),
    }
}

impl Document {
    /// The whole file.
    pub(crate) fn place(&self) -> Place {
        Place::file(self.file)
    }

    /// The value at a pointer of this file.
    pub(crate) fn place_of(&self, pointer: Pointer) -> Place {
        Place::value(self.file, pointer)
    }

    /// Where the file's own schemas stand: what `resolve` reads as JSON Schema.
    pub(super) fn schema_roots(&self) -> Vec<Pointer> {
        match self.kind {
            Kind::Input | Kind::Output | Kind::Schema | Kind::Variables | Kind::Arguments => {
                vec![Pointer::root()]
            }
            Kind::Elicitation => {
                let schema = Pointer::root().child("requestedSchema");
                let is_there = self.value.pointer(schema.as_str()).is_some_and(is_schema);
                is_there.then_some(schema).into_iter().collect()
            }
            Kind::Tool | Kind::Tools => self
                .tools
                .iter()
                .flat_map(|tool| ["inputSchema", "outputSchema"].map(|it| tool.child(it)))
                .filter(|it| self.value.pointer(it.as_str()).is_some_and(is_schema))
                .collect(),
            // A remote file is a schema, and of which dialect, only when something refers to it.
            Kind::Resource | Kind::Prompt | Kind::Server | Kind::Remote => Vec::new(),
        }
    }
}

/// Whether a value has one of the two JSON types that a schema may have.
pub(crate) fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// Reads every file of the map as the kind of contract file its name says. Files with faults found
/// before are left out.
pub(crate) fn parse(sources: &SourceMap, diagnostics: &mut Diagnostics) -> Documents {
    let faulty: BTreeSet<FileId> = diagnostics
        .iter()
        .filter(|it| it.id.severity() == Severity::Error)
        .filter_map(|it| it.place.as_ref().map(|(place, _)| place.file))
        .collect();
    let mut documents = Documents {
        remotes: sources.remote_folders().to_vec(),
        ..Documents::default()
    };
    let mut unread: Vec<&str> = sources.unread().collect();
    for file in sources.files().chain(sources.remotes()) {
        let parsed = if faulty.contains(&file.id) {
            Err(Unreadable)
        } else if file.remote {
            parse_remote(file, diagnostics).map(Some)
        } else {
            parse_file(file, diagnostics)
        };
        match parsed {
            Ok(document) => documents.read.extend(document),
            Err(Unreadable) => unread.push(&file.path),
        }
    }
    let unread = unread.into_iter().map(|path| Unread {
        path: path.to_owned(),
        // The URL of a remote file is one already.
        uri: uri::from_str(path)
            .ok()
            .filter(|_| path.contains("://"))
            .unwrap_or_else(|| file_uri(path)),
    });
    documents.unread.extend(unread);
    made::add(&mut documents);
    documents
}

/// A file has faults, which have been reported.
struct Unreadable;

/// `None` for a file that is none of ours.
fn parse_file(
    file: &SourceFile,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Document>, Unreadable> {
    let (folder, name) = split(&file.path);
    let Some((stem, kind)) = classify(name) else {
        diagnostics.push(unknown_kind(file, name));
        return Ok(None);
    };
    if kind != Kind::Schema && folder.is_some_and(|it| it.contains('/')) {
        diagnostics.push(misplaced(file));
        return Err(Unreadable);
    }
    let value = source::parse_value(file, diagnostics).ok_or(Unreadable)?;
    let tools = match kind {
        Kind::Tool => vec![Pointer::root()],
        Kind::Tools => locate_tools(file, &value, diagnostics).ok_or(Unreadable)?,
        Kind::Input
        | Kind::Output
        | Kind::Resource
        | Kind::Variables
        | Kind::Prompt
        | Kind::Arguments
        | Kind::Elicitation
        | Kind::Server
        | Kind::Schema
        | Kind::Remote => Vec::new(),
    };
    let document = Document {
        file: file.id,
        path: file.path.clone(),
        uri: file_uri(&file.path),
        folder: folder.map(str::to_owned),
        kind,
        stem,
        value,
        tools,
        made: false,
    };
    if root_is_wrong(&document) {
        diagnostics.push(wrong_root(&document));
        return Err(Unreadable);
    }
    Ok(Some(document))
}

fn parse_remote(file: &SourceFile, diagnostics: &mut Diagnostics) -> Result<Document, Unreadable> {
    let value = source::parse_value(file, diagnostics).ok_or(Unreadable)?;
    let (_, name) = split(&file.path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    Ok(Document {
        file: file.id,
        path: file.path.clone(),
        // `load` lets only such prefixes by that make one.
        uri: uri::from_str(&file.path).map_err(|_| Unreadable)?,
        folder: None,
        kind: Kind::Remote,
        stem: stem.strip_suffix(".schema").unwrap_or(stem).to_owned(),
        value,
        tools: Vec::new(),
        made: false,
    })
}

/// Whether a file of this name is read as a contract.
pub(crate) fn is_contract(name: &str) -> bool {
    classify(name).is_some()
}

/// The stem and kind of a file name: `get_weather.tool.yaml` → (`get_weather`, tool).
fn classify(name: &str) -> Option<(String, Kind)> {
    let base = [".json", ".yaml", ".yml"]
        .iter()
        .find_map(|it| name.strip_suffix(it))?;
    KINDS.iter().find_map(|(ending, kind)| {
        let stem = base.strip_suffix(ending)?;
        (!stem.is_empty()).then(|| (stem.to_owned(), *kind))
    })
}

/// The places of the tools in any of the forms a list of tools is kept in: a bare array, an object
/// with `tools` (a `tools/list` result, whatever else it holds), or a JSON-RPC response around one.
fn locate_tools(
    file: &SourceFile,
    value: &Value,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Pointer>> {
    let root = Pointer::root();
    let forms = [
        root.clone(),
        root.child("tools"),
        root.child("result").child("tools"),
    ];
    let found = forms
        .into_iter()
        .find_map(|at| Some((value.pointer(at.as_str())?.as_array()?.len(), at)));
    let Some((count, list)) = found else {
        diagnostics.push(
            Diagnostic::new(Id::WrongRootType, "this file holds no list of tools")
                .at(Place::value(file.id, root), "no array here, nor at `tools` or `result.tools`")
                .help("write an array of tools, `{\"tools\": […]}`, or the JSON-RPC response to `tools/list`"),
        );
        return None;
    };
    warn_of_page(file, value, diagnostics);
    Some((0..count).map(|index| list.child(index)).collect())
}

/// `tools/list` answers in pages: where there is a next one, tools are missing.
fn warn_of_page(file: &SourceFile, value: &Value, diagnostics: &mut Diagnostics) {
    let root = Pointer::root();
    let places = [root.clone(), root.child("result")].map(|it| it.child("nextCursor"));
    let cursor = places.into_iter().find(|at| {
        let cursor = value.pointer(at.as_str());
        cursor.is_some_and(|it| !it.is_null())
    });
    if let Some(at) = cursor {
        diagnostics.push(
            Diagnostic::new(
                Id::IncompleteList,
                "this is one page of a list of tools, not all of it",
            )
            .at(Place::key(file.id, at), "there is a next page")
            .help("put the tools of all pages here, and remove `nextCursor`"),
        );
    }
}

fn root_is_wrong(document: &Document) -> bool {
    match document.kind {
        Kind::Input | Kind::Output | Kind::Schema | Kind::Variables | Kind::Arguments => {
            !is_schema(&document.value)
        }
        Kind::Tool | Kind::Resource | Kind::Prompt | Kind::Elicitation | Kind::Server => {
            !document.value.is_object()
        }
        Kind::Tools | Kind::Remote => false,
    }
}

fn wrong_root(document: &Document) -> Diagnostic {
    let (what, wanted) = match document.kind {
        Kind::Tool => ("a tool", "an object"),
        Kind::Tools => ("a list of tools", "an array"),
        Kind::Resource => ("a resource", "an object"),
        Kind::Prompt => ("a prompt", "an object"),
        Kind::Elicitation => ("an elicitation", "an object"),
        Kind::Server => ("a server", "an object"),
        Kind::Input
        | Kind::Output
        | Kind::Schema
        | Kind::Variables
        | Kind::Arguments
        | Kind::Remote => ("a JSON Schema", "an object or a boolean"),
    };
    let found = type_name(&document.value);
    Diagnostic::new(
        Id::WrongRootType,
        format!("{what} is {wanted}, but this file holds {found}"),
    )
    .at(
        document.place_of(Pointer::root()),
        format!("expected {wanted}"),
    )
}

/// A JSON type, with its article.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn unknown_kind(file: &SourceFile, name: &str) -> Diagnostic {
    let base = name.rsplit_once('.').map_or(name, |(base, _)| base);
    let extension = &name[base.len()..];
    let is_kind = KINDS.iter().any(|(ending, _)| ending[1..] == *base);
    let help = if is_kind {
        format!("give it a stem: `name.{base}{extension}`")
    } else {
        let stem = base.split('.').next().unwrap_or(base);
        format!(
            "name it `{stem}.tool{extension}` for one tool, `{stem}.tools{extension}` for a list of tools, \
             `{stem}.input{extension}` and `{stem}.output{extension}` for the schemas of a tool, \
             `{stem}.resource{extension}`, `{stem}.prompt{extension}` or `{stem}.elicitation{extension}` for what else \
             a server has, or `{stem}.schema{extension}` for shared types"
        )
    };
    Diagnostic::new(
        Id::UnknownFileKind,
        format!("`{name}` is no kind of contract file and is not read"),
    )
    .at(Place::file(file.id), "")
    .help(help)
}

fn misplaced(file: &SourceFile) -> Diagnostic {
    Diagnostic::new(
        Id::MisplacedFile,
        format!(
            "`{}` stands too deep: a server is one folder below the contract root",
            file.path
        ),
    )
    .at(Place::file(file.id), "")
    .help("move it up; deeper folders may hold only shared `*.schema.json` files")
}
