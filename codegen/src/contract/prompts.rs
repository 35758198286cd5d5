//! Prompts: checked against what MCP says, named, and made ready to be published.

use serde_json::{Map, Value};

use super::{
    Prompt, completions,
    fields::{self, Checker},
    inputs::{self, Declared},
    offers::{self, Source},
};
use crate::{
    config::Config,
    diagnostics::{Diagnostics, Id, Pointer},
    naming::{ModuleName, method_name},
    resolve::{Document, Kind, Node, SchemaSet, type_name},
};

/// The prompts of one server, in name order.
pub(super) fn prompts<'d>(
    set: &'d SchemaSet<'d>,
    module: &ModuleName,
    documents: &[&'d Document],
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Vec<Prompt<'d>> {
    let mut prompts = Vec::new();
    let mut names = Vec::new();
    for document in documents.iter().filter(|it| it.kind == Kind::Prompt) {
        let Some(members) = document.value.as_object() else {
            continue;
        };
        let source = Source {
            document,
            members,
            noun: "prompt",
            id: Id::InvalidPrompt,
        };
        source.check(fields::PROMPT, diagnostics);
        let name = source.text("name").filter(|it| !it.is_empty());
        names.extend(name.map(|it| (it.to_owned(), source.place("name"))));
        prompts.extend(prompt(set, module, source, config, diagnostics));
    }
    offers::report_duplicates(Id::DuplicatePrompt, "prompt", names, diagnostics);
    prompts.sort_by(|a: &Prompt<'_>, b| a.offer.name.cmp(&b.offer.name));
    prompts
}

fn prompt<'d>(
    set: &'d SchemaSet<'d>,
    module: &ModuleName,
    source: Source<'d>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Option<Prompt<'d>> {
    let name = source.name(diagnostics);
    let listed = match source.members.get("arguments") {
        None => None,
        Some(_) => Some(listed(source, diagnostics)?),
    };
    let schema = match &listed {
        Some(listed) => inputs::schema(set, source, Kind::Arguments, listed, diagnostics),
        None => inputs::unlisted(set, source, Kind::Arguments, diagnostics),
    };
    let (name, schema) = (name?, schema?);
    let mut offer = source.offer(name, method_name(&format!("{name}_prompt")));
    if listed.is_none() {
        publish_arguments(&mut offer.published, &schema);
    }
    let arguments: Vec<String> = match listed {
        Some(listed) => listed.iter().map(|it| it.name.to_owned()).collect(),
        None => inputs::names(&schema),
    };
    let names = arguments.iter().map(String::as_str);
    Some(Prompt {
        completions: completions::of(config, module, name, names),
        offer,
        arguments,
        schema,
    })
}

/// The arguments that the prompt itself lists.
fn listed<'d>(source: Source<'d>, diagnostics: &mut Diagnostics) -> Option<Vec<Declared<'d>>> {
    let at = Pointer::root().child("arguments");
    let what = source.what();
    let wrong = |what: String, at: &Pointer, label: &str| {
        source
            .finding(what)
            .at(source.document.place_of(at.clone()), label)
    };
    let Some(Value::Array(items)) = source.members.get("arguments") else {
        let found = source.members.get("arguments").map_or("nothing", type_name);
        let message = format!("`arguments` of {what} is an array, not {found}");
        diagnostics.push(wrong(message, &at, "expected an array"));
        return None;
    };
    let mut all: Vec<Declared<'d>> = Vec::new();
    let mut is_faulty = false;
    for (number, item) in items.iter().enumerate() {
        let at = at.child(number);
        let Value::Object(members) = item else {
            let message = format!(
                "an argument of {what} is an object, not {}",
                type_name(item)
            );
            diagnostics.push(wrong(message, &at, "expected an object"));
            is_faulty = true;
            continue;
        };
        check_argument(source, members, &at, diagnostics);
        let Some(name) = members.get("name") else {
            let message = format!("an argument of {what} has no name");
            diagnostics.push(wrong(message, &at, "needs a `name`"));
            is_faulty = true;
            continue;
        };
        let Some(name) = name.as_str() else {
            is_faulty = true;
            continue;
        };
        let place = source.document.place_of(at.child("name"));
        if name.is_empty() {
            let message = format!("the name of an argument of {what} is empty");
            diagnostics.push(source.finding(message).at(place, "empty"));
            is_faulty = true;
            continue;
        }
        if let Some(first) = all.iter().find(|it| it.name == name) {
            let message = format!("{what} has the argument `{name}` twice");
            let finding = source.finding(message).at(place, "here again");
            diagnostics.push(finding.and_at(first.place.clone(), "first here"));
            is_faulty = true;
            continue;
        }
        let required = members.get("required").and_then(Value::as_bool);
        all.push(Declared {
            name,
            required: Some(required.unwrap_or_default()),
            place,
        });
    }
    (!is_faulty).then_some(all)
}

fn check_argument(
    source: Source<'_>,
    members: &Map<String, Value>,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) {
    let what = match members.get("name").and_then(Value::as_str) {
        Some(name) => format!("argument `{name}` of {}", source.what()),
        None => format!("an argument of {}", source.what()),
    };
    let checker = Checker {
        document: source.document,
        id: source.id,
        what: &what,
    };
    checker.check(members, at, fields::ARGUMENT, diagnostics);
}

/// Lists the arguments of a schema as MCP does, where the prompt itself does not.
fn publish_arguments(published: &mut Map<String, Value>, schema: &Node<'_>) {
    let arguments = schema.children("properties").into_iter().map(|(name, it)| {
        let required = inputs::requires(schema, &name);
        let mut argument = Map::from_iter([("name".to_owned(), Value::from(name))]);
        for key in ["title", "description"] {
            if let Some(text) = it.value().get(key).filter(|it| it.is_string()) {
                argument.insert(key.to_owned(), text.clone());
            }
        }
        if required {
            argument.insert("required".to_owned(), true.into());
        }
        Value::Object(argument)
    });
    let arguments: Vec<Value> = arguments.collect();
    if !arguments.is_empty() {
        published.insert("arguments".to_owned(), arguments.into());
    }
}
