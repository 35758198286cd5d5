//! Tools: checked against what MCP says, named, and made ready to be published.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Annotations, Tool,
    fields::{Checker, TOOL},
    headers, older,
    sources::{Object, Part, Source},
    wrapped,
};
use crate::{
    config::Config,
    diagnostics::{Diagnostic, Diagnostics, Id, Place, misspelt},
    naming::{MethodName, ModuleName, method_name},
    resolve::{Node, SchemaSet, TYPES, engine, is_schema, type_name},
};

/// What the protocol allows, and what several clients and the conformance suite allow.
const LONGEST_NAME: usize = 128;
const LONGEST_PORTABLE_NAME: usize = 64;

/// The tools of one server, in name order. One with faults is left out, but not forgotten: its name is
/// taken.
pub(super) fn tools<'d>(
    set: &'d SchemaSet<'d>,
    module: &ModuleName,
    sources: Vec<Source<'d>>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Vec<Tool<'d>> {
    let mut names = Vec::new();
    let mut tools = Vec::new();
    for source in sources {
        let name = name(&source, diagnostics);
        if let Some(name) = &name {
            names.push(Named {
                name: name.clone(),
                method: method_name(name),
                place: source.place.clone(),
            });
        }
        tools.extend(tool(set, module, name, &source, config, diagnostics));
    }
    // Stable: of two with one name, the first stays first.
    names.sort_by(|a, b| a.name.cmp(&b.name));
    tools.sort_by(|a: &Tool<'_>, b| a.name.cmp(&b.name));
    report_collisions(&names, diagnostics);
    tools
}

/// What a tool is called, here and in Rust.
struct Named {
    name: String,
    method: MethodName,
    place: Place,
}

fn report_collisions(tools: &[Named], diagnostics: &mut Diagnostics) {
    let mut by_name = BTreeMap::new();
    let mut by_method = BTreeMap::new();
    for tool in tools {
        if let Some(first) = by_name.insert(&tool.name, tool) {
            diagnostics.push(
                Diagnostic::new(
                    Id::DuplicateTool,
                    format!("tool `{}` is defined twice", tool.name),
                )
                .at(tool.place.clone(), "here again")
                .and_at(first.place.clone(), "first here")
                .help("tools of one server need different names"),
            );
        } else if let Some(first) = by_method.insert(&tool.method, tool) {
            diagnostics.push(
                Diagnostic::new(
                    Id::NameCollision,
                    format!(
                        "tools `{}` and `{}` would both be the method `{}`",
                        first.name, tool.name, tool.method
                    ),
                )
                .at(tool.place.clone(), "this tool")
                .and_at(first.place.clone(), "and this one")
                .help("rename one of the tools, or move it to another server"),
            );
        }
    }
}

fn tool<'d>(
    set: &'d SchemaSet<'d>,
    module: &ModuleName,
    name: Option<String>,
    source: &Source<'d>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Option<Tool<'d>> {
    let own_name = source.object.as_ref().map(|it| it.members.get("name"));
    let what = match &name {
        Some(name) => format!("tool `{name}`"),
        // It has one of another type.
        None if own_name.flatten().is_some() => "a tool".to_owned(),
        None => "a tool without a name".to_owned(),
    };
    if let Some(object) = &source.object {
        check_members(object, &what, diagnostics);
        older::note_execution(object, &what, diagnostics);
    }
    let input = input(set, source, &what, diagnostics);
    let output = source
        .output
        .as_ref()
        .map(|it| schema(set, it, &what, diagnostics));
    check_description(source, &what, diagnostics);
    // All of it is looked at before any ends it: all that is wrong is reported.
    let (name, input, output) = (name?, input?, output.map_or(Some(None), |it| it.map(Some))?);
    let published = published(source, &name, input, output, diagnostics);
    if let (Some(part), Some(schema)) = (&source.input, published.get("inputSchema")) {
        headers::check(part, schema, &what, diagnostics);
    }
    let settings = config.settings_for(module.as_str(), &name);
    let inner = output.and_then(|it| wrapped::inner(&name, it, settings.unwrap));
    let text = |key: &str| {
        published
            .get(key)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    Some(Tool {
        method: method_name(&name),
        title: text("title"),
        description: text("description"),
        annotations: annotations(&published),
        input,
        output: inner.or(output),
        wrapped: inner.is_some(),
        settings,
        place: source.place.clone(),
        published,
        name,
    })
}

fn check_description(source: &Source<'_>, what: &str, diagnostics: &mut Diagnostics) {
    // One of a wrong type is reported as that; one in a file that was not read may be there.
    let blank = |it: &Value| it.as_str().is_some_and(|it| it.trim().is_empty());
    if source.description().is_none_or(blank) && !source.lacks_object && !source.lacks_input {
        let help = match (&source.object, source.stem) {
            // The object was not looked for: who has none may not know of it.
            (None, Some(stem)) => format!(
                "models choose tools by their descriptions: put one at the root of the input schema, \
                 or into `{stem}.tool.json`"
            ),
            (Some(_), _) | (None, None) => "models choose tools by their descriptions".to_owned(),
        };
        diagnostics.push(
            Diagnostic::new(Id::MissingDescription, format!("{what} has no description"))
                .at(source.place.clone(), "needs a `description`")
                .help(help),
        );
    }
}

fn check_members(object: &Object<'_>, what: &str, diagnostics: &mut Diagnostics) {
    let Object {
        document,
        at,
        members,
    } = object;
    let checker = Checker {
        document,
        id: Id::InvalidTool,
        what,
    };
    checker.check(members, at, TOOL, diagnostics);
    if members.get("outputSchema").is_some_and(Value::is_null) {
        let place = document.place_of(at.child("outputSchema"));
        diagnostics.push(
            Diagnostic::new(Id::InvalidTool, format!("`outputSchema` of {what} is null"))
                .at(place, "not a schema")
                .help("leave it out for a tool that answers with text or media"),
        );
    }
}

/// The name on the wire.
fn name(source: &Source<'_>, diagnostics: &mut Diagnostics) -> Option<String> {
    let own = source.object.as_ref().and_then(|it| it.members.get("name"));
    let name = match own {
        Some(name) => name.as_str()?,
        None => match (&source.object, source.stem) {
            // Beside a pair of schemas the object need not repeat the name of the files.
            (Some(object), Some(stem)) if object.members.contains_key("inputSchema") => {
                diagnostics.push(no_name(source).help(format!("add \"name\": \"{stem}\"")));
                stem
            }
            (_, Some(stem)) => stem,
            (_, None) => {
                diagnostics.push(no_name(source));
                return None;
            }
        },
    };
    let allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
    let length = name.chars().count();
    if name.is_empty() || !name.chars().all(allowed) || length > LONGEST_NAME {
        let reason = if name.is_empty() {
            "it is empty".to_owned()
        } else if length > LONGEST_NAME {
            format!("it has {length} characters")
        } else {
            let wrong = name.chars().find(|it| !allowed(*it)).unwrap_or_default();
            format!("it holds {wrong:?}")
        };
        diagnostics.push(
            Diagnostic::new(
                Id::InvalidToolName,
                format!("{name:?} cannot be the name of a tool"),
            )
            .at(source.place.clone(), reason)
            .help("names are 1 to 128 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`"),
        );
    } else if length > LONGEST_PORTABLE_NAME {
        diagnostics.push(
            Diagnostic::new(
                Id::LongToolName,
                format!("the name of tool `{name}` has {length} characters"),
            )
            .at(source.place.clone(), "some clients accept 64")
            .help("shorten it to 64 characters"),
        );
    }
    Some(name.to_owned())
}

fn no_name(source: &Source<'_>) -> Diagnostic {
    Diagnostic::new(Id::MissingName, "this tool has no name")
        .at(source.place.clone(), "needs a `name`")
}

/// The input schema. MCP wants its root to be an object, and to say so literally.
fn input<'d>(
    set: &'d SchemaSet<'d>,
    source: &Source<'d>,
    what: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Node<'d>> {
    let Some(part) = &source.input else {
        if source.lacks_input {
            return None;
        }
        diagnostics.push(missing_input(source, what));
        return None;
    };
    let node = schema(set, part, what, diagnostics)?;
    let kind = part.value.get("type");
    if kind
        .and_then(Value::as_str)
        .is_some_and(|it| !TYPES.contains(&it))
    {
        // No type at all, which has been reported.
        return None;
    }
    if kind.and_then(Value::as_str) != Some("object") {
        let at = if kind.is_some() {
            part.at.child("type")
        } else {
            part.at.clone()
        };
        diagnostics.push(
            Diagnostic::new(
                Id::WrongRootType,
                format!("the input schema of {what} does not say `\"type\": \"object\"` at its root"),
            )
            .at(part.document.place_of(at), "arguments are an object")
            .help(match kind {
                None => "add \"type\": \"object\" to the root of the schema; other keywords may stand beside it",
                Some(Value::Array(_)) => "write \"type\": \"object\": clients take nothing else here",
                Some(_) => "make what it describes a property of an object: {\"type\": \"object\", \"properties\": {…}}",
            }),
        );
        return None;
    }
    Some(node)
}

fn missing_input(source: &Source<'_>, what: &str) -> Diagnostic {
    let found = Diagnostic::new(
        Id::MissingInputSchema,
        format!("{what} has no input schema"),
    );
    let members = source.object.as_ref().map(|it| (it, it.members.keys()));
    let near = members.and_then(|(object, mut keys)| {
        let key = keys.find(|key| {
            let known = TOOL.iter().any(|(it, _)| it == key);
            !known && misspelt(key, ["inputSchema", "outputSchema"]) == Some("inputSchema")
        })?;
        let place = Place::key(object.document.file, object.at.child(key));
        Some((key, place))
    });
    match near {
        Some((key, place)) => found
            .at(place, format!("`{key}` means nothing to clients"))
            .help("did you mean `inputSchema`?"),
        None => found
            .at(source.place.clone(), "needs an `inputSchema`")
            .help("for a tool without arguments: \"inputSchema\": {\"type\": \"object\"}"),
    }
}

fn schema<'d>(
    set: &'d SchemaSet<'d>,
    part: &Part<'d>,
    what: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Node<'d>> {
    if !is_schema(part.value) {
        let key = part.at.segments().next_back().unwrap_or_default();
        diagnostics.push(
            Diagnostic::new(
                Id::WrongRootType,
                format!(
                    "`{key}` of {what} is a JSON Schema, not {}",
                    type_name(part.value)
                ),
            )
            .at(
                part.document.place_of(part.at.clone()),
                "expected an object or a boolean",
            ),
        );
        return None;
    }
    set.at(part.document, &part.at)
}

/// The `tools/list` entry: the author's object with self-contained schemas, or one made of a pair.
fn published(
    source: &Source<'_>,
    name: &str,
    input: Node<'_>,
    output: Option<Node<'_>>,
    diagnostics: &mut Diagnostics,
) -> Map<String, Value> {
    let mut entry = match &source.object {
        Some(object) => object.members.clone(),
        None => Map::new(),
    };
    if !entry.contains_key("name") {
        entry.shift_insert(0, "name".to_owned(), Value::from(name));
    }
    for (place, key) in ["title", "description"].into_iter().enumerate() {
        let text = source.separate_text(key);
        if let Some(text) = text.filter(|_| !entry.contains_key(key)) {
            let place = if place == 1 && entry.contains_key("title") {
                2
            } else {
                1
            };
            entry.shift_insert(place.min(entry.len()), key.to_owned(), text.clone());
        }
    }
    for (key, node) in [("inputSchema", Some(input)), ("outputSchema", output)] {
        let Some(node) = node else { continue };
        let schema = node.published();
        // Of one with faults it is known why it does not compile.
        let outcome = if node.is_sound() {
            engine::check_compiles(&schema)
        } else {
            Ok(())
        };
        if let Err(fault) = outcome {
            diagnostics.push(
                Diagnostic::new(
                    Id::InvalidSchema,
                    format!("`{key}` of tool `{name}` cannot be compiled"),
                )
                .at(node.place(), fault.message),
            );
        }
        entry.insert(key.to_owned(), schema);
    }
    entry
}

fn annotations(published: &Map<String, Value>) -> Annotations {
    let hint = |key: &str| published.get("annotations")?.get(key)?.as_bool();
    Annotations {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
    }
}
