//! `<module>.json`: the contract as one self-contained document, which the runtime reads.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::markdown;
use crate::{
    config::{FormatPolicy, ListSettings, ToolSettings},
    contract::{Form, Input, Server, Tool},
    graph::{Select, ServerTypes, TypeKind},
    prove::{ServerProofs, ToolProofs, Verdict},
};

/// The document of a server, as indented JSON. `mark` is the value of its first member.
pub(super) fn document(
    server: &Server<'_>,
    graph: &ServerTypes,
    proofs: &ServerProofs,
    mark: &str,
) -> String {
    let mut document = Map::new();
    document.insert("@generated".to_owned(), mark.into());
    document.insert("server".to_owned(), server.info.clone().into());
    if let Some(instructions) = &server.instructions {
        document.insert("instructions".to_owned(), instructions.as_str().into());
    }
    let tools = server
        .tools
        .iter()
        .map(|it| Value::Object(it.published.clone()));
    document.insert("tools".to_owned(), tools.collect());
    put(&mut document, "settings", settings(server, proofs));
    document.extend(offers(server));
    put(&mut document, "unions", unions(graph));
    let mut text = escape_hidden(&format!("{:#}", Value::Object(document)));
    text.push('\n');
    text
}

/// Adds a member, unless it says nothing.
fn put(map: &mut Map<String, Value>, key: &str, part: Map<String, Value>) {
    if !part.is_empty() {
        map.insert(key.to_owned(), part.into());
    }
}

/// Resources, prompts and forms: the entries of the lists as they are published, and the schemas of what clients pass.
fn offers(server: &Server<'_>) -> Map<String, Value> {
    let mut map = Map::new();
    let resources = server.resources.iter().map(|it| &it.offer);
    let templates = server.templates.iter().map(|it| &it.offer);
    let prompts = server.prompts.iter().map(|it| &it.offer);
    for (key, offers) in [
        ("resources", resources.collect::<Vec<_>>()),
        ("resourceTemplates", templates.collect()),
        ("prompts", prompts.collect()),
    ] {
        if !offers.is_empty() {
            let published = offers.iter().map(|it| Value::from(it.published.clone()));
            map.insert(key.to_owned(), published.collect());
        }
    }
    let (mut variables, mut arguments, mut forms) = (Map::new(), Map::new(), Map::new());
    for input in server.inputs() {
        let (schemas, schema) = match input {
            Input::Variables(it) => (&mut variables, it.variables.published()),
            Input::Arguments(it) => (&mut arguments, it.schema.published()),
            Input::Answer(it) => (&mut forms, form(it)),
        };
        schemas.insert(input.name().to_owned(), schema);
    }
    put(&mut map, "variables", variables);
    put(&mut map, "arguments", arguments);
    put(&mut map, "elicitations", forms);
    put(&mut map, "completions", completions(server));
    put(&mut map, "lists", lists(server.lists));
    map
}

fn form(form: &Form<'_>) -> Value {
    let mut map = Map::new();
    if let Some(message) = &form.message {
        map.insert("message".to_owned(), message.as_str().into());
    }
    map.insert("requestedSchema".to_owned(), form.requested.clone().into());
    map.into()
}

/// The arguments that methods complete, by template and by prompt.
fn completions(server: &Server<'_>) -> Map<String, Value> {
    let templates = server.templates.iter();
    let templates = templates.map(|it| (&it.offer, &it.completions));
    let prompts = server.prompts.iter();
    let prompts = prompts.map(|it| (&it.offer, &it.completions));
    let mut map = Map::new();
    for (key, offers) in [
        ("templates", templates.collect::<Vec<_>>()),
        ("prompts", prompts.collect()),
    ] {
        let completed = offers.into_iter().filter(|(_, it)| !it.is_empty());
        let completed = completed.map(|(offer, completions)| {
            let arguments = completions.iter().map(|it| it.argument.as_str());
            (offer.name.clone(), arguments.collect::<Value>())
        });
        put(&mut map, key, completed.collect());
    }
    map
}

fn lists(lists: ListSettings) -> Map<String, Value> {
    let members = [
        ("ttlMs", lists.ttl_ms.map(Value::from)),
        ("cacheScope", lists.cache_scope.map(|it| it.as_str().into())),
        ("pageSize", lists.page_size.map(|it| it.get().into())),
    ];
    let members = members.into_iter();
    members
        .filter_map(|(key, it)| Some((key.to_owned(), it?)))
        .collect()
}

/// The settings of each tool that differ from what the runtime assumes.
fn settings(server: &Server<'_>, proofs: &ServerProofs) -> Map<String, Value> {
    let tools = server
        .tools
        .iter()
        .zip(&proofs.tools)
        .map(|(it, proofs)| (it.name.clone(), tool_settings(it, proofs)));
    tools
        .filter(|(_, it)| !it.is_empty())
        .map(|(name, it)| (name, it.into()))
        .collect()
}

fn tool_settings(tool: &Tool<'_>, proofs: &ToolProofs) -> Map<String, Value> {
    let settings = tool.settings;
    let defaults = ToolSettings::default();
    let mut map = Map::new();
    let mut put = |key: &str, differs: bool, word: &str| {
        if differs {
            map.insert(key.to_owned(), word.into());
        }
    };
    put(
        "text",
        settings.text != defaults.text,
        settings.text.as_str(),
    );
    put(
        "output",
        settings.output != defaults.output,
        settings.output.as_str(),
    );
    put(
        "wrap",
        settings.wrap != defaults.wrap,
        settings.wrap.as_str(),
    );
    put(
        "formats",
        settings.formats != defaults.formats,
        settings.formats.as_str(),
    );
    if tool.wrapped {
        map.insert("wrapped".to_owned(), true.into());
    }
    let exact = [
        ("exactInput", Some(&proofs.input)),
        ("exactOutput", proofs.output.as_ref()),
    ];
    for (key, verdict) in exact {
        // Types do not know formats; the proof is about formats as the dialect has them.
        if verdict == Some(&Verdict::Exact) && settings.formats != FormatPolicy::Assert {
            map.insert(key.to_owned(), true.into());
        }
    }
    map
}

/// The schemas of the variants of each union that chooses by schema, by type name.
fn unions(graph: &ServerTypes) -> Map<String, Value> {
    let schemas = graph.types.iter().filter_map(|def| match &def.kind {
        TypeKind::Union(it) => match &it.select {
            Select::Schema(schemas) => Some((def.name.to_string(), schemas.clone().into())),
            Select::Tag { .. } | Select::Kind(_) => None,
        },
        TypeKind::Struct(_)
        | TypeKind::Literals(_)
        | TypeKind::Constant(_)
        | TypeKind::Alias(_)
        | TypeKind::Newtype(_)
        | TypeKind::Constrained(_) => None,
    });
    schemas.collect()
}

/// Writes characters that hide or reorder text as JSON escapes, so that a reviewer sees them. They
/// can only stand inside strings: the text is JSON, and its white space is ours.
fn escape_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if char != '\n' && markdown::hides(char) {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}").expect("a String takes any text");
            }
        } else {
            out.push(char);
        }
    }
    out
}
