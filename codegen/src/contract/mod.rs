//! The contract: what the files say, validated and named.

mod completions;
mod fields;
mod forms;
mod headers;
mod inputs;
mod methods;
mod offers;
mod older;
mod prompts;
mod resources;
mod servers;
mod sources;
#[cfg(test)]
mod tests;
mod tools;
mod wrapped;

use serde_json::{Map, Value};

use crate::{
    config::{Config, ListSettings, ToolSettings},
    diagnostics::{Diagnostics, Place},
    naming::{ConstantName, MethodName, ModuleName, TypeName, joined_type_name, type_name},
    resolve::{Node, SchemaSet},
};

/// Reads the servers and what they have out of the documents, checks what MCP says about them, and names
/// what is generated from them.
pub(crate) fn contract<'d>(
    set: &'d SchemaSet<'d>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Contract<'d> {
    Contract {
        servers: servers::servers(set, config, diagnostics),
    }
}

/// Every server of the contract root, in module-name order.
#[derive(Clone, Debug)]
pub(crate) struct Contract<'d> {
    pub(crate) servers: Vec<Server<'d>>,
}

/// One server: a sub-folder of the contract root, or the files directly in it.
#[derive(Clone, Debug)]
pub(crate) struct Server<'d> {
    /// The folder that generated files name as their origin: `schemas/weather`. Never absolute.
    pub(crate) origin: String,
    pub(crate) module: ModuleName,
    pub(crate) trait_name: TypeName,
    /// The published MCP `Implementation` object: at least `name` and `version`.
    pub(crate) info: Map<String, Value>,
    pub(crate) description: Option<String>,
    pub(crate) instructions: Option<String>,
    /// In tool-name order: `tools/list` is stable.
    pub(crate) tools: Vec<Tool<'d>>,
    /// In name order, as are templates, prompts and forms.
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<Template<'d>>,
    pub(crate) prompts: Vec<Prompt<'d>>,
    pub(crate) forms: Vec<Form<'d>>,
    pub(crate) lists: ListSettings,
    /// A typed client is made too.
    pub(crate) client: bool,
    pub(crate) place: Place,
}

impl<'d> Server<'d> {
    /// What clients pass to it beside the arguments of tools: each is an object with a type of its own.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Input<'_, 'd>> {
        let variables = self.templates.iter().map(Input::Variables);
        let arguments = self.prompts.iter().map(Input::Arguments);
        let answers = self.forms.iter().map(Input::Answer);
        variables.chain(arguments).chain(answers)
    }

    /// What types are made for first: the name of a tool, then of each of the [`inputs`](Self::inputs).
    pub(crate) fn root_name(&self, index: usize) -> &str {
        if let Some(tool) = self.tools.get(index) {
            return &tool.name;
        }
        let input = self.inputs().nth(index - self.tools.len());
        input.map_or("", Input::name)
    }

    /// The arguments that a method could complete, each as `review.asset`.
    pub(crate) fn completable(&self) -> Vec<String> {
        let templates = self.templates.iter().map(|it| (&it.offer, &it.arguments));
        let prompts = self.prompts.iter().map(|it| (&it.offer, &it.arguments));
        let all = templates.chain(prompts).flat_map(|(offer, arguments)| {
            let arguments = arguments.iter();
            arguments.map(|it| format!("{}.{it}", offer.name))
        });
        all.collect()
    }
}

/// An object that clients pass, with its schema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input<'s, 'd> {
    /// The variables of a template.
    Variables(&'s Template<'d>),
    /// The arguments of a prompt.
    Arguments(&'s Prompt<'d>),
    /// The answer to a form.
    Answer(&'s Form<'d>),
}

impl<'s, 'd> Input<'s, 'd> {
    pub(crate) fn name(self) -> &'s str {
        match self {
            Self::Variables(it) => &it.offer.name,
            Self::Arguments(it) => &it.offer.name,
            Self::Answer(it) => &it.name,
        }
    }

    pub(crate) fn schema(self) -> Node<'d> {
        match self {
            Self::Variables(it) => it.variables,
            Self::Arguments(it) => it.schema,
            Self::Answer(it) => it.schema,
        }
    }

    /// What its type would like to be called.
    pub(crate) fn type_name(self) -> TypeName {
        let name = type_name(self.name());
        match self {
            Self::Variables(_) => joined_type_name(&name, "variables"),
            Self::Arguments(_) => joined_type_name(&name, "arguments"),
            Self::Answer(_) => name,
        }
    }
}

/// One tool, with schemas that are known to be valid and resolvable.
#[derive(Clone, Debug)]
pub(crate) struct Tool<'d> {
    /// As on the wire.
    pub(crate) name: String,
    pub(crate) method: MethodName,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) annotations: Annotations,
    pub(crate) input: Node<'d>,
    /// Of what the method gives.
    pub(crate) output: Option<Node<'d>>,
    /// The published output schema is that of `{"result": value}`, with `output` inside.
    pub(crate) wrapped: bool,
    /// The `tools/list` entry: the author's own, key order kept, external refs bundled into `$defs`.
    pub(crate) published: Map<String, Value>,
    pub(crate) settings: ToolSettings,
    pub(crate) place: Place,
}

/// What a resource, a template and a prompt have in common.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// As on the wire.
    pub(crate) name: String,
    pub(crate) method: MethodName,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    /// The list's entry: the author's own, key order kept.
    pub(crate) published: Map<String, Value>,
    pub(crate) place: Place,
}

/// One resource.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) offer: Offer,
    pub(crate) uri: String,
}

/// One resource template.
#[derive(Clone, Debug)]
pub(crate) struct Template<'d> {
    pub(crate) offer: Offer,
    /// As on the wire.
    pub(crate) uris: String,
    /// The names of its variables, in order.
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Node<'d>,
    pub(crate) completions: Vec<Completion>,
}

/// One prompt.
#[derive(Clone, Debug)]
pub(crate) struct Prompt<'d> {
    pub(crate) offer: Offer,
    /// The names of its arguments, in order.
    pub(crate) arguments: Vec<String>,
    pub(crate) schema: Node<'d>,
    pub(crate) completions: Vec<Completion>,
}

/// A method that proposes values for one argument or variable.
#[derive(Clone, Debug)]
pub(crate) struct Completion {
    pub(crate) argument: String,
    pub(crate) method: MethodName,
}

/// What the user of a client can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Form<'d> {
    pub(crate) name: String,
    pub(crate) constant: ConstantName,
    pub(crate) message: Option<String>,
    /// `requestedSchema` as it is sent.
    pub(crate) requested: Map<String, Value>,
    pub(crate) schema: Node<'d>,
}

/// MCP tool annotations, as far as generated docs mention them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Annotations {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}
