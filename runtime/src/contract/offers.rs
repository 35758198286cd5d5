//! What a contract offers beside tools: resources, resource templates and prompts.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Prompt, Resource, ResourceTemplate};

/// Resources, templates and prompts, each in the order in which they are listed.
#[derive(Default)]
pub(super) struct Offers {
    pub(super) resources: Vec<Resource>,
    pub(super) templates: Vec<ResourceTemplate>,
    pub(super) prompts: Vec<Prompt>,
    by_uri: HashMap<String, usize>,
    by_name: HashMap<String, usize>,
    /// Whether a method completes an argument.
    methods: bool,
}

/// The document's `completions`: which arguments methods complete, by template and by prompt.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Completions {
    templates: HashMap<String, Vec<String>>,
    prompts: HashMap<String, Vec<String>>,
}

impl Completions {
    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        let mut lists = self.templates.values().chain(self.prompts.values());
        lists.any(|it| !it.is_empty())
    }
}

/// A definition, and the schema of what clients pass to it.
type WithInputs = (Map<String, Value>, Option<Value>);

impl Offers {
    pub(super) fn new(
        resources: Vec<Map<String, Value>>,
        templates: Vec<WithInputs>,
        prompts: Vec<WithInputs>,
        methods: bool,
    ) -> Self {
        let template = |(definition, schema)| ResourceTemplate::new(definition, schema);
        let prompt = |(definition, schema)| Prompt::new(definition, schema);
        Self::indexed(
            resources.into_iter().map(Resource::new).collect(),
            templates.into_iter().map(template).collect(),
            prompts.into_iter().map(prompt).collect(),
            methods,
        )
    }

    /// Those of all `members`, shared and not copied.
    pub(super) fn merged(members: &[&Self]) -> Self {
        Self::indexed(
            members
                .iter()
                .flat_map(|it| &it.resources)
                .cloned()
                .collect(),
            members
                .iter()
                .flat_map(|it| &it.templates)
                .cloned()
                .collect(),
            members.iter().flat_map(|it| &it.prompts).cloned().collect(),
            members.iter().any(|it| it.methods),
        )
    }

    fn indexed(
        resources: Vec<Resource>,
        templates: Vec<ResourceTemplate>,
        prompts: Vec<Prompt>,
        methods: bool,
    ) -> Self {
        let uris = resources.iter().map(Resource::uri).map(str::to_owned);
        let names = prompts.iter().map(Prompt::name).map(str::to_owned);
        Self {
            by_uri: uris.zip(0..).collect(),
            by_name: names.zip(0..).collect(),
            resources,
            templates,
            prompts,
            methods,
        }
    }

    pub(super) fn resource(&self, uri: &str) -> Option<&Resource> {
        self.by_uri.get(uri).map(|index| &self.resources[*index])
    }

    pub(super) fn prompt(&self, name: &str) -> Option<&Prompt> {
        self.by_name.get(name).map(|index| &self.prompts[*index])
    }

    /// Whether there is anything that could be completed.
    pub(super) fn completes(&self) -> bool {
        self.methods
            || self.prompts.iter().any(|it| it.inputs().completes())
            || self.templates.iter().any(|it| it.inputs().completes())
    }

    pub(super) fn prepare(&self) {
        self.prompts.iter().for_each(|it| it.inputs().prepare());
        self.templates.iter().for_each(|it| it.inputs().prepare());
    }
}
