//! Doc comments: the prose of the contract, or one plain sentence where it has none.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::{markdown, server::Facade};
use crate::{
    contract::{Form, Offer, Prompt, Resource, Server, Template, Tool},
    graph::{Docs, Select, Union},
    naming::TypeName,
};

/// Doc comment lines in the making: paragraphs with an empty line between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Doc(Vec<String>);

impl Doc {
    /// Title and description of a schema. The title is left out where it only repeats `name`, as
    /// the titles that schema generators write do.
    pub(super) fn of(docs: &Docs, name: &str) -> Self {
        let title = docs.title.as_deref().filter(|it| words(it) != words(name));
        let description = docs.description.as_deref().unwrap_or_default();
        let mut doc = Self::default();
        if let Some(title) = title
            && !words(description).starts_with(&words(title))
        {
            doc.push(vec![markdown::safe_line(title)]);
        }
        doc.push(markdown::safe(description));
        doc
    }

    /// The same, or `otherwise` where the schema says nothing.
    pub(super) fn or(self, otherwise: impl Into<String>) -> Self {
        if self.0.is_empty() {
            Self(vec![otherwise.into()])
        } else {
            self
        }
    }

    /// Adds a paragraph.
    pub(super) fn and(mut self, paragraph: impl Into<String>) -> Self {
        self.push(vec![paragraph.into()]);
        self
    }

    /// Goes on with the last paragraph on a new line.
    fn line(mut self, line: impl Into<String>) -> Self {
        self.0.push(line.into());
        self
    }

    fn push(&mut self, lines: Vec<String>) {
        if lines.iter().all(String::is_empty) {
            return;
        }
        if !self.0.is_empty() {
            self.0.push(String::new());
        }
        self.0.extend(lines);
    }

    /// One `#[doc]` attribute per line, which prints as `///`.
    pub(super) fn attributes(&self) -> TokenStream {
        let lines = self.0.iter().map(|line| {
            let line = if line.is_empty() {
                String::new()
            } else {
                format!(" {line}")
            };
            quote!(#[doc = #line])
        });
        quote!(#(#lines)*)
    }
}

/// Docs of a server's trait.
pub(super) fn server_trait(server: &Server<'_>, facade: &Facade) -> Doc {
    let title = server
        .info
        .get("title")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let docs = Docs {
        title,
        description: server.description.clone(),
        deprecated: false,
    };
    let name = server
        .info
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let wrapper = &facade.server;
    Doc::of(&docs, name)
        .or(format!(
            "{} of server {}.",
            if server.tools.is_empty() {
                "The resources and prompts"
            } else {
                "The tools"
            },
            code_or(name, "without a name")
        ))
        .and(format!(
            "Implement this trait and serve it with [`{wrapper}`]."
        ))
}

/// Docs of a server's client.
pub(super) fn client(server: &Server<'_>, name: &TypeName) -> Doc {
    let of = &server.trait_name;
    Doc::default()
        .and(format!("Calls a server with the contract of [`{of}`], whoever made it."))
        .and("What goes out and what comes back is held against the contract. Functions of [`Connect`](client::Connect)")
        .line(format!("open a connection: `{name}::stdio`, `{name}::http`, `{name}::in_process`."))
}

/// Docs of a tool's method: its prose, then what the wire knows about it.
pub(super) fn tool_method(tool: &Tool<'_>) -> Doc {
    let docs = Docs {
        title: tool.title.clone(),
        description: tool.description.clone(),
        deprecated: false,
    };
    let mut facts = vec![format!("Tool `{}`", tool.name)];
    let hints = hints(tool);
    if !hints.is_empty() {
        facts.push(hints.join(", "));
    }
    if tool.output.is_none() {
        facts.push("no output schema".to_owned());
    }
    Doc::of(&docs, &tool.name).and(format!("{}.", facts.join("; ")))
}

/// Docs of a resource's method.
pub(super) fn resource_method(it: &Resource) -> Doc {
    let uri = code_or(&it.uri, "without a URI");
    let mime = mime(&it.offer);
    prose(&it.offer).and(format!("Resource {uri}{mime}."))
}

/// Docs of a template's method.
pub(super) fn template_method(it: &Template<'_>) -> Doc {
    let template = code_or(&it.uris, "without a URI");
    let mime = mime(&it.offer);
    prose(&it.offer).and(format!("Resource template {template}{mime}."))
}

/// Docs of a prompt's method.
pub(super) fn prompt_method(it: &Prompt<'_>) -> Doc {
    let name = code_or(&it.offer.name, "without a name");
    prose(&it.offer).and(format!("Prompt {name}."))
}

/// What a completion belongs to: "prompt `review`".
pub(super) fn completed(offer: &Offer, noun: &str) -> String {
    format!("{noun} {}", code_or(&offer.name, "without a name"))
}

/// Docs of a method that completes an argument or variable.
pub(super) fn completion_method(argument: &str, of: &str) -> Doc {
    let argument = code_or(argument, "without a name");
    Doc::default().and(format!("Values for {argument} of the {of}."))
}

/// Docs of a form.
pub(super) fn form(form: &Form<'_>) -> Doc {
    let name = code_or(&form.name, "without a name");
    let mut doc = Doc::default();
    doc.push(markdown::safe(form.message.as_deref().unwrap_or_default()));
    doc.and(format!(
        "Elicitation {name}: what a client's user can be asked."
    ))
}

fn prose(offer: &Offer) -> Doc {
    let docs = Docs {
        title: offer.title.clone(),
        description: offer.description.clone(),
        deprecated: false,
    };
    Doc::of(&docs, &offer.name)
}

fn mime(offer: &Offer) -> String {
    let mime = offer.mime_type.as_deref().and_then(markdown::code);
    mime.map_or_else(String::new, |it| format!(" ({it})"))
}

/// The annotations in words; those that only state the default are left out.
fn hints(tool: &Tool<'_>) -> Vec<&'static str> {
    let hints = tool.annotations;
    [
        (hints.read_only == Some(true), "read-only"),
        (hints.destructive == Some(true), "destructive"),
        (hints.destructive == Some(false), "not destructive"),
        (hints.idempotent == Some(true), "idempotent"),
        (hints.open_world == Some(false), "closed world"),
    ]
    .into_iter()
    .filter_map(|(applies, word)| applies.then_some(word))
    .collect()
}

/// What a constant without prose says.
pub(super) fn constant(value: &Value) -> String {
    match value {
        Value::String(text) => format!("The value {}.", code_or(text, &format!("`{value}`"))),
        other => format!(
            "The value {}.",
            code_or(&other.to_string(), "of the schema")
        ),
    }
}

/// What a variant without prose says where a property chooses it; other unions speak for themselves.
pub(super) fn tag(union: &Union, index: usize) -> Option<String> {
    let Select::Tag {
        property,
        values,
        absent,
    } = &union.select
    else {
        return None;
    };
    let property = code_or(property, "the empty property");
    let values: Vec<_> = values
        .get(index)
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    let values = values.iter().map(|it| code_or(it, "a value")).collect();
    Some(match (absent == &Some(index), any_of(values)) {
        (true, None) => format!("Where {property} is absent."),
        (true, Some(values)) => format!("Where {property} is {values} or absent."),
        (false, values) => format!("Where {property} is {}.", values.unwrap_or_default()),
    })
}

/// `a`, `a or b`, `a, b or c`.
fn any_of(mut words: Vec<String>) -> Option<String> {
    let last = words.pop()?;
    Some(if words.is_empty() {
        last
    } else {
        format!("{} or {last}", words.join(", "))
    })
}

fn code_or(text: &str, otherwise: &str) -> String {
    markdown::code(text).unwrap_or_else(|| otherwise.to_owned())
}

/// A text as its letters and digits only, to see whether two say the same.
fn words(text: &str) -> String {
    text.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
