//! Servers: one for each folder with tools, and what its `.server.json` says about it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Server,
    fields::{Checker, SERVER},
    forms, inputs, methods, prompts, resources, sources, tools,
};
use crate::{
    config::Config,
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer, Severity, did_you_mean},
    naming::{module_name, type_name},
    resolve::{Document, Kind, SchemaSet},
};

/// The servers of a run, in module-name order.
pub(super) fn servers<'d>(
    set: &'d SchemaSet<'d>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Vec<Server<'d>> {
    let mut folders: BTreeMap<Option<&str>, Vec<&'d Document>> = BTreeMap::new();
    for document in set.documents().iter() {
        folders
            .entry(document.folder.as_deref())
            .or_default()
            .push(document);
    }
    let mut servers: Vec<_> = folders
        .into_iter()
        .filter_map(|(folder, documents)| server(set, folder, &documents, config, diagnostics))
        .collect();
    servers.sort_by(|a, b| a.module.cmp(&b.module));
    for pair in servers.windows(2) {
        if let [first, second] = pair
            && first.module == second.module
        {
            diagnostics.push(
                Diagnostic::new(
                    Id::NameCollision,
                    format!("two servers would both be the module `{}`", second.module),
                )
                .at(second.place.clone(), "this server")
                .and_at(first.place.clone(), "and this one")
                .help("rename one of the folders"),
            );
        }
    }
    if servers.is_empty() && diagnostics.count(Severity::Error) == 0 {
        diagnostics.push(
            Diagnostic::new(
                Id::EmptyContractRoot,
                format!(
                    "there are no tools, resources or prompts below `{}`",
                    config.schemas_label
                ),
            )
            .help("a tool is a `<tool>.tool.json`, a `<tool>.input.json`, or an entry of a `<name>.tools.json`"),
        );
    }
    servers
}

fn server<'d>(
    set: &'d SchemaSet<'d>,
    folder: Option<&str>,
    documents: &[&'d Document],
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Option<Server<'d>> {
    let about = about(documents, diagnostics);
    inputs::report_orphans(set, documents, diagnostics);
    let Some(first) = documents.iter().find(|it| OFFERED.contains(&it.kind)) else {
        report_empty(set, folder, documents, about, diagnostics);
        return None;
    };
    let members = about.and_then(|it| it.value.as_object());
    if let (Some(document), Some(members)) = (about, members) {
        check_members(document, members, diagnostics);
    }
    let text = |key: &str| members?.get(key)?.as_str();
    let default_name = folder.unwrap_or(&config.root_name);
    // A folder names its module itself; only the root, which may be called anything, is named by
    // what the server says.
    let rust_name = folder.or_else(|| text("name")).unwrap_or(default_name);
    let module = module_name(rust_name);
    let lacks = |kind, stem: &str| set.documents().lacks(folder, kind, Some(stem));
    let sources = sources::collect(documents, lacks, diagnostics);
    let tools = tools::tools(set, &module, sources, config, diagnostics);
    let (resources, templates) = resources::resources(set, &module, documents, config, diagnostics);
    let server = Server {
        origin: folder.map_or_else(
            || config.origin.clone(),
            |it| format!("{}/{it}", config.origin),
        ),
        trait_name: type_name(rust_name),
        info: info(members, default_name, config),
        description: text("description").map(str::to_owned),
        instructions: text("instructions").map(str::to_owned),
        tools,
        resources,
        templates,
        prompts: prompts::prompts(set, &module, documents, config, diagnostics),
        forms: forms::forms(set, documents, diagnostics),
        lists: config.lists,
        client: config.client,
        place: about.map_or_else(|| first.place(), Document::place),
        module,
    };
    methods::report_collisions(&server, diagnostics);
    Some(server)
}

/// What makes a folder a server.
const OFFERED: [Kind; 6] = [
    Kind::Tool,
    Kind::Tools,
    Kind::Input,
    Kind::Output,
    Kind::Resource,
    Kind::Prompt,
];

/// Reports a server that says who it is and offers nothing.
fn report_empty(
    set: &SchemaSet<'_>,
    folder: Option<&str>,
    documents: &[&Document],
    about: Option<&Document>,
    diagnostics: &mut Diagnostics,
) {
    let only_itself = documents
        .iter()
        .all(|it| matches!(it.kind, Kind::Server | Kind::Schema | Kind::Elicitation));
    let lacks = |kind| set.documents().lacks(folder, kind, None);
    let lacks_any = OFFERED.into_iter().any(lacks);
    // A form alone says as much.
    let says = about.or_else(|| {
        documents
            .iter()
            .copied()
            .find(|it| it.kind == Kind::Elicitation)
    });
    if let Some(server) = says.filter(|_| only_itself && !lacks_any) {
        let message = "this server has no tools, resources or prompts";
        diagnostics.push(
            Diagnostic::new(Id::InvalidServer, message)
                .at(server.place(), "")
                .help("put them into the same folder"),
        );
    }
}

/// The file of a folder that describes its server, if there is one.
fn about<'d>(documents: &[&'d Document], diagnostics: &mut Diagnostics) -> Option<&'d Document> {
    let mut own = documents
        .iter()
        .copied()
        .filter(|it| it.kind == Kind::Server);
    let first = own.next()?;
    for other in own {
        diagnostics.push(
            Diagnostic::new(Id::InvalidServer, "this folder describes its server twice")
                .at(other.place(), "the second file")
                .and_at(first.place(), "the first file")
                .help("a folder is one server: keep one of the files"),
        );
    }
    Some(first)
}

/// The published `Implementation`: the author's members in the author's order, and what must not
/// be missing.
fn info(members: Option<&Map<String, Value>>, name: &str, config: &Config) -> Map<String, Value> {
    let mut info = Map::new();
    for (key, value) in members.into_iter().flatten() {
        if !matches!(key.as_str(), "instructions" | "$schema") {
            info.insert(key.clone(), value.clone());
        }
    }
    if !info.contains_key("name") {
        info.shift_insert(0, "name".to_owned(), Value::from(name));
    }
    if !info.contains_key("version") {
        info.shift_insert(
            1,
            "version".to_owned(),
            Value::from(config.version.as_str()),
        );
    }
    info
}

fn check_members(document: &Document, members: &Map<String, Value>, diagnostics: &mut Diagnostics) {
    let checker = Checker {
        document,
        id: Id::InvalidServer,
        what: "a server",
    };
    checker.check(members, &Pointer::root(), SERVER, diagnostics);
    let known = || SERVER.iter().map(|(name, _)| *name);
    for key in members.keys().filter(|key| !known().any(|it| it == *key)) {
        let place = Place::key(document.file, Pointer::root().child(key));
        let found = Diagnostic::new(Id::InvalidServer, format!("a server has no `{key}`"))
            .at(place, "unknown member");
        let help = if let Some(meant) = did_you_mean(key, known()) {
            format!("did you mean `{meant}`?")
        } else {
            let known: Vec<_> = known().filter(|it| *it != "$schema").collect();
            format!("known are {}", known.join(", "))
        };
        diagnostics.push(found.help(help));
    }
    for key in ["name", "version"] {
        if members.get(key).and_then(Value::as_str) == Some("") {
            let place = document.place_of(Pointer::root().child(key));
            diagnostics.push(
                Diagnostic::new(
                    Id::InvalidServer,
                    format!("the `{key}` of a server is not empty"),
                )
                .at(place, "empty")
                .help("leave it out for the default"),
            );
        }
    }
}
