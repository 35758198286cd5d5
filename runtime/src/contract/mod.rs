//! What a server promises: its tools, resources and prompts and their schemas, from the document that codegen wrote.

mod inputs;
mod lists;
mod offers;
mod prompt;
mod publish;
mod resource;
mod settings;
mod tool;

#[cfg(test)]
pub(crate) use self::publish::{only_objects, wrapped};

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, OnceLock},
};

use serde_json::{Map, Value};

use self::offers::{Completions, Offers};
pub use self::{
    lists::{CacheScope, Lists},
    prompt::Prompt,
    resource::{Resource, ResourceTemplate},
    settings::{FormatPolicy, OutputPolicy, Settings, TextPolicy, WrapPolicy},
    tool::Tool,
};
use crate::{
    elicit::{Form, FormDocument},
    validate::LazyChecker,
};

/// The contract of one server.
///
/// Parsed on first use, and each validator is built on the first call that needs it, so that
/// start-up stays flat; [`prepare`](Self::prepare) does it all at once.
pub struct Contract {
    document: &'static str,
    parsed: OnceLock<Parsed>,
}

struct Parsed {
    server: ServerInfo,
    instructions: Option<String>,
    tools: Vec<Tool>,
    index: HashMap<String, usize>,
    offers: Offers,
    lists: Lists,
    unions: HashMap<String, Arc<[LazyChecker]>>,
    forms: HashMap<String, Arc<Form>>,
}

impl Contract {
    /// The contract in a document that codegen wrote.
    ///
    /// The document is trusted: using a contract whose document was damaged panics.
    pub const fn new(document: &'static str) -> Self {
        Self {
            document,
            parsed: OnceLock::new(),
        }
    }

    /// The tools, in the order in which they are listed.
    pub fn tools(&'static self) -> &'static [Tool] {
        &self.parsed().tools
    }

    /// The tool at `index` of [`tools`](Self::tools). Generated code knows the index.
    pub fn tool(&'static self, index: usize) -> &'static Tool {
        &self.parsed().tools[index]
    }

    /// The tool of this name.
    pub fn find(&'static self, name: &str) -> Option<&'static Tool> {
        let parsed = self.parsed();
        parsed.index.get(name).map(|index| &parsed.tools[*index])
    }

    /// The resources, in the order in which they are listed.
    pub fn resources(&'static self) -> &'static [Resource] {
        &self.parsed().offers.resources
    }

    /// The resource templates, in the order in which they are listed.
    pub fn resource_templates(&'static self) -> &'static [ResourceTemplate] {
        &self.parsed().offers.templates
    }

    /// The prompts, in the order in which they are listed.
    pub fn prompts(&'static self) -> &'static [Prompt] {
        &self.parsed().offers.prompts
    }

    /// The resource with this URI.
    pub fn find_resource(&'static self, uri: &str) -> Option<&'static Resource> {
        self.parsed().offers.resource(uri)
    }

    /// The prompt of this name.
    pub fn find_prompt(&'static self, name: &str) -> Option<&'static Prompt> {
        self.parsed().offers.prompt(name)
    }

    /// The first template that `uri` matches, and its variables, percent-decoded and not validated.
    pub fn match_template(
        &'static self,
        uri: &str,
    ) -> Option<(&'static ResourceTemplate, Map<String, Value>)> {
        let templates = self.resource_templates().iter();
        let mut matching = templates.filter_map(|it| Some((it, it.matches(uri)?)));
        matching.next()
    }

    /// Whether a resource has this URI or a template matches it.
    pub fn has_resource(&'static self, uri: &str) -> bool {
        self.find_resource(uri).is_some() || self.match_template(uri).is_some()
    }

    /// Whether there are neither resources nor resource templates.
    pub fn resources_are_empty(&'static self) -> bool {
        self.resources().is_empty() && self.resource_templates().is_empty()
    }

    /// Whether there is an argument or variable for which values can be proposed.
    pub fn completes(&'static self) -> bool {
        self.parsed().offers.completes()
    }

    /// How lists are handed out.
    pub fn lists(&'static self) -> Lists {
        self.parsed().lists
    }

    /// Who the server is.
    pub fn server(&'static self) -> &'static ServerInfo {
        &self.parsed().server
    }

    /// What the server tells a model about its use.
    pub fn instructions(&'static self) -> Option<&'static str> {
        self.parsed().instructions.as_deref()
    }

    /// Builds every validator now rather than on first need.
    pub fn prepare(&'static self) {
        let parsed = self.parsed();
        parsed.tools.iter().for_each(Tool::prepare);
        parsed.offers.prepare();
        parsed
            .unions
            .values()
            .flat_map(|checkers| checkers.iter())
            .for_each(LazyChecker::prepare);
        parsed.forms.values().for_each(|form| form.prepare());
    }

    /// What the user of a client can be shown under this name.
    pub(crate) fn form(&'static self, name: &str) -> Option<&'static Form> {
        self.parsed().forms.get(name).map(Arc::as_ref)
    }

    /// The first schema of the union `name` that accepts `value`.
    pub(crate) fn select(&'static self, name: &str, value: &Value) -> Option<usize> {
        let schemas = self.parsed().unions.get(name)?;
        schemas
            .iter()
            .position(|schema| schema.get().accepts(value))
    }

    /// All of `members` as one, named like the first. Tools are shared, not copied.
    pub(crate) fn merged(members: &[&'static Self]) -> Self {
        let parts = || members.iter().map(|member| member.parsed());
        let texts: Vec<&str> = parts()
            .filter_map(|it| it.instructions.as_deref())
            .collect();
        let tools: Vec<Tool> = parts().flat_map(|it| it.tools.iter().cloned()).collect();
        let parsed = Parsed {
            server: parts()
                .next()
                .map(|it| it.server.clone())
                .unwrap_or_default(),
            instructions: (!texts.is_empty()).then(|| texts.join("\n\n")),
            index: index(&tools),
            tools,
            offers: Offers::merged(&parts().map(|it| &it.offers).collect::<Vec<_>>()),
            lists: parts().next().map(|it| it.lists).unwrap_or_default(),
            // Generated types ask the contract of their own module for their unions, never this one: here they are only to be
            // prepared, and the number keeps those of two servers apart.
            unions: parts()
                .enumerate()
                .flat_map(|(number, it)| {
                    let unions = it.unions.iter();
                    unions.map(move |(name, it)| (format!("{number}/{name}"), Arc::clone(it)))
                })
                .collect(),
            // As with the unions.
            forms: parts()
                .enumerate()
                .flat_map(|(number, it)| {
                    let forms = it.forms.iter();
                    forms.map(move |(name, it)| (format!("{number}/{name}"), Arc::clone(it)))
                })
                .collect(),
        };
        Self {
            document: "",
            parsed: OnceLock::from(parsed),
        }
    }

    fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| Parsed::new(self.document))
    }
}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Contract");
        if let Some(parsed) = self.parsed.get() {
            let tools: Vec<&str> = parsed.tools.iter().map(Tool::name).collect();
            out.field("server", &parsed.server.name())
                .field("tools", &tools);
        }
        out.finish_non_exhaustive()
    }
}

impl Parsed {
    fn new(document: &str) -> Self {
        let document: Document = serde_json::from_str(document)
            .expect("codegen writes contract documents of this shape, and `assert_format` checks that they match");
        let mut settings = document.settings;
        let tools: Vec<Tool> = document
            .tools
            .into_iter()
            .map(|definition| {
                let name = definition
                    .get("name")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let settings = settings.remove(name).unwrap_or_default();
                Tool::new(definition, settings)
            })
            .collect();
        // Tools share types, so a union may have to read what the most lenient of them lets through.
        let formats = tools.iter().map(|it| it.settings().formats).min();
        let formats = formats.unwrap_or_default();
        let checkers = |schemas: Vec<Value>| {
            let checkers = schemas.into_iter();
            checkers.map(|it| LazyChecker::new(it, formats)).collect()
        };
        Self {
            server: ServerInfo(document.server),
            instructions: document.instructions,
            index: index(&tools),
            tools,
            offers: Offers::new(
                document.resources,
                pair(document.templates, document.variables),
                pair(document.prompts, document.arguments),
                document.completions.any(),
            ),
            lists: document.lists,
            unions: document
                .unions
                .into_iter()
                .map(|(name, it)| (name, checkers(it)))
                .collect(),
            forms: document
                .elicitations
                .into_iter()
                .map(|(name, it)| (name, Arc::new(Form::new(it))))
                .collect(),
        }
    }
}

/// Each definition with what `schemas` has under its name.
fn pair(
    definitions: Vec<Map<String, Value>>,
    mut schemas: HashMap<String, Value>,
) -> Vec<(Map<String, Value>, Option<Value>)> {
    let pair = |it: Map<String, Value>| {
        let name = it.get("name").and_then(Value::as_str);
        let schema = name.and_then(|name| schemas.remove(name));
        (it, schema)
    };
    definitions.into_iter().map(pair).collect()
}

fn index(tools: &[Tool]) -> HashMap<String, usize> {
    tools
        .iter()
        .enumerate()
        .map(|(index, tool)| (tool.name().to_owned(), index))
        .collect()
}

/// The file beside the generated code.
#[derive(serde::Deserialize)]
struct Document {
    server: Map<String, Value>,
    #[serde(default)]
    instructions: Option<String>,
    #[serde(default)]
    tools: Vec<Map<String, Value>>,
    #[serde(default)]
    settings: HashMap<String, Settings>,
    #[serde(default)]
    unions: HashMap<String, Vec<Value>>,
    #[serde(default)]
    elicitations: HashMap<String, FormDocument>,
    #[serde(default)]
    resources: Vec<Map<String, Value>>,
    #[serde(default, rename = "resourceTemplates")]
    templates: Vec<Map<String, Value>>,
    #[serde(default)]
    prompts: Vec<Map<String, Value>>,
    /// The schemas of templates' variables.
    #[serde(default)]
    variables: HashMap<String, Value>,
    /// The schemas of prompts' arguments.
    #[serde(default)]
    arguments: HashMap<String, Value>,
    /// The arguments that methods complete.
    #[serde(default)]
    completions: Completions,
    #[serde(default)]
    lists: Lists,
}

/// MCP's `Implementation`: who a server is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerInfo(Map<String, Value>);

impl ServerInfo {
    /// Its name.
    pub fn name(&self) -> &str {
        self.text("name").unwrap_or_default()
    }

    /// Its name for people.
    pub fn title(&self) -> Option<&str> {
        self.text("title")
    }

    /// Its version.
    pub fn version(&self) -> &str {
        self.text("version").unwrap_or_default()
    }

    /// The whole object as published: icons, website, description too.
    pub fn definition(&self) -> &Map<String, Value> {
        &self.0
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WITH_UNION: Contract = Contract::new(
        r#"{
            "server": { "name": "u", "version": "1" },
            "tools": [{ "name": "t", "inputSchema": {}, "outputSchema": {} }],
            "unions": { "U": [{ "type": "string" }, { "type": "integer" }] }
        }"#,
    );

    #[test]
    fn a_merged_contract_prepares_all_of_its_members() {
        let merged: &'static Contract =
            Box::leak(Box::new(Contract::merged(&[&WITH_UNION, &WITH_UNION])));
        let built = || {
            let parsed = WITH_UNION.parsed();
            let unions = parsed.unions.values().flat_map(|it| it.iter());
            unions.filter(|it| it.is_built()).count()
        };
        assert_eq!(built(), 0);
        merged.prepare();
        assert_eq!(built(), 2);
    }
}
