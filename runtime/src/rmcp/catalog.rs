//! A contract in rmcp's words: the server's description and what it lists. Built once, shared by every request.

use std::{collections::HashMap, sync::Arc};

use rmcp::model::{
    Icon, Implementation, MetaObject, Prompt, PromptsCapability, Resource, ResourceTemplate,
    ResourcesCapability, ServerCapabilities, ServerConfig, Tool, ToolAnnotations, ToolsCapability,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{log, prompts, resources};
use crate::{Contract, Revision, wire};

/// What a server says about itself and its tools.
pub(super) struct Catalog {
    pub(super) config: ServerConfig,
    /// The `_meta` of every result for peers from 2026-07-28 on: it names the server.
    meta: Map<String, Value>,
    /// The same before that.
    no_meta: Map<String, Value>,
    /// As published, in the order of the contract.
    modern: Vec<Tool>,
    /// The same for peers before 2026-07-28, whose output schemas must be objects.
    legacy: Vec<Tool>,
    index: HashMap<&'static str, usize>,
    pub(super) resources: Vec<Resource>,
    pub(super) templates: Vec<ResourceTemplate>,
    pub(super) prompts: Vec<Prompt>,
}

impl Catalog {
    pub(super) fn new(contract: &'static Contract) -> Self {
        let tools = contract.tools();
        let server = implementation(contract.server().definition());
        let mut config = ServerConfig::new(capabilities(contract)).with_server_info(server);
        config.instructions = contract.instructions().map(str::to_owned);
        Self {
            config,
            meta: wire::server_meta(contract, Revision::LATEST),
            no_meta: Map::new(),
            modern: tools
                .iter()
                .map(|tool| model(tool.name(), tool.definition()))
                .collect(),
            legacy: tools
                .iter()
                .map(|tool| model(tool.name(), tool.legacy_definition()))
                .collect(),
            index: tools
                .iter()
                .enumerate()
                .map(|(index, tool)| (tool.name(), index))
                .collect(),
            resources: contract
                .resources()
                .iter()
                .map(|it| resources::resource(it.definition()))
                .collect(),
            templates: contract
                .resource_templates()
                .iter()
                .map(|it| resources::template(it.definition()))
                .collect(),
            prompts: contract
                .prompts()
                .iter()
                .map(|it| prompts::prompt(it.definition()))
                .collect(),
        }
    }

    /// All tools, as a peer of `revision` may see them.
    pub(super) fn tools(&self, revision: Revision) -> &[Tool] {
        if revision.is_modern() {
            &self.modern
        } else {
            &self.legacy
        }
    }

    /// What the `_meta` of every result of `revision` has.
    pub(super) fn meta(&self, revision: Revision) -> &Map<String, Value> {
        if revision.is_modern() {
            &self.meta
        } else {
            &self.no_meta
        }
    }

    /// One tool as published.
    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.index
            .get(name)
            .and_then(|index| self.modern.get(*index))
    }
}

/// What the contract has, and nothing else.
fn capabilities(contract: &'static Contract) -> ServerCapabilities {
    let mut capabilities = log::capabilities();
    if !contract.tools().is_empty() {
        capabilities.tools = Some(ToolsCapability::default());
    }
    if !contract.resources_are_empty() {
        capabilities.resources = Some(ResourcesCapability::default());
    }
    if !contract.prompts().is_empty() {
        capabilities.prompts = Some(PromptsCapability::default());
    }
    if contract.completes() {
        capabilities.completions = Some(Map::new());
    }
    capabilities
}

/// The contract's `server` as rmcp models it.
fn implementation(server: &Map<String, Value>) -> Implementation {
    let text = |key: &str| server.get(key).and_then(Value::as_str).map(str::to_owned);
    let (name, version) = (
        text("name").unwrap_or_default(),
        text("version").unwrap_or_default(),
    );
    let mut model = Implementation::new(name, version);
    model.title = text("title");
    model.description = text("description");
    model.website_url = text("websiteUrl");
    model.icons = member::<Vec<Icon>>(server, "icons");
    model
}

/// A `tools/list` entry as rmcp models it.
///
/// Member by member, so that one member in a shape that rmcp does not know costs that member and not the tool. The schemas are
/// taken as they are, key order included.
fn model(name: &'static str, entry: &Map<String, Value>) -> Tool {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    let schema = |key: &str| {
        entry
            .get(key)
            .and_then(Value::as_object)
            .cloned()
            .map(Arc::new)
    };
    let input = schema("inputSchema").unwrap_or_default();
    let mut tool = Tool::new_with_raw(name, text("description").map(Into::into), input);
    tool.title = text("title");
    tool.output_schema = schema("outputSchema");
    tool.annotations = member::<ToolAnnotations>(entry, "annotations");
    tool.icons = member::<Vec<Icon>>(entry, "icons");
    tool.meta = member::<MetaObject>(entry, "_meta");
    tool
}

/// A member in rmcp's words, if it has words for it.
pub(super) fn member<T: DeserializeOwned>(of: &Map<String, Value>, key: &str) -> Option<T> {
    let value = of.get(key)?;
    let warn = |error: &serde_json::Error| {
        let name = of.get("name").and_then(Value::as_str);
        tracing::warn!(name, member = key, %error, "not published: the SDK cannot send it");
    };
    serde_json::from_value(value.clone()).inspect_err(warn).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_member_that_rmcp_does_not_know_costs_only_itself() {
        let entry = json!({
            "name": "x",
            "title": "X",
            "inputSchema": { "type": "object", "z": 1, "a": 2 },
            "icons": [{ "src": "https://example.com/x.png", "theme": "sepia" }],
            "annotations": { "readOnlyHint": false, "destructiveHint": false },
        });
        let tool = model("x", entry.as_object().expect("it is an object above"));
        let sent = serde_json::to_string(&tool).expect("a tool is JSON");
        let expected = r#"{"name":"x","title":"X","inputSchema":{"type":"object","z":1,"a":2},"annotations":{"readOnlyHint":false,"destructiveHint":false}}"#;
        assert_eq!(sent, expected);
    }
}
