//! One resource or resource template: its MCP definition, and how URIs are held against it.

use std::{fmt, sync::Arc};

use mcp_codegen_grammar::uri_template::UriTemplate;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::inputs::Inputs;
use crate::violation::{Violation, Violations};

/// One resource of a [`Contract`](super::Contract). Cheap to clone.
#[derive(Clone)]
pub struct Resource(Arc<Map<String, Value>>);

impl Resource {
    pub(super) fn new(definition: Map<String, Value>) -> Self {
        Self(Arc::new(definition))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        text(&self.0, "name").unwrap_or_default()
    }

    /// Its URI.
    pub fn uri(&self) -> &str {
        text(&self.0, "uri").unwrap_or_default()
    }

    /// The MIME type that it promises.
    pub fn mime_type(&self) -> Option<&str> {
        text(&self.0, "mimeType")
    }

    /// The `Resource` object as published.
    pub fn definition(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource")
            .field("name", &self.name())
            .field("uri", &self.uri())
            .finish_non_exhaustive()
    }
}

/// One resource template of a [`Contract`](super::Contract). Cheap to clone; clones share their validator.
#[derive(Clone)]
pub struct ResourceTemplate(Arc<Inner>);

struct Inner {
    definition: Map<String, Value>,
    template: UriTemplate,
    variables: Inputs,
}

impl ResourceTemplate {
    /// `variables` is their schema, where the document has one.
    pub(super) fn new(definition: Map<String, Value>, variables: Option<Value>) -> Self {
        let template = UriTemplate::parse(text(&definition, "uriTemplate").unwrap_or_default())
            .expect("codegen refuses templates that this would not read");
        let schema = variables.unwrap_or(Value::Bool(true));
        let variables = Inputs::new(
            schema,
            &template.variables().map(|it| it.name).collect::<Vec<_>>(),
        );
        Self(Arc::new(Inner {
            definition,
            template,
            variables,
        }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        text(&self.0.definition, "name").unwrap_or_default()
    }

    /// The URI template (RFC 6570).
    pub fn uri_template(&self) -> &str {
        text(&self.0.definition, "uriTemplate").unwrap_or_default()
    }

    /// The MIME type that it promises for all that it matches.
    pub fn mime_type(&self) -> Option<&str> {
        text(&self.0.definition, "mimeType")
    }

    /// The `ResourceTemplate` object as published.
    pub fn definition(&self) -> &Map<String, Value> {
        &self.0.definition
    }

    /// The variables in `uri`, percent-decoded and not validated, if it matches.
    pub fn matches(&self, uri: &str) -> Option<Map<String, Value>> {
        let values = self.0.template.matches(uri)?;
        let entry = |(name, value): (&str, String)| (name.to_owned(), Value::String(value));
        Some(values.into_iter().map(entry).collect())
    }

    /// Validates and types variables.
    ///
    /// # Errors
    ///
    /// Every place where they break their schema.
    pub fn decode_variables<T: DeserializeOwned>(
        &self,
        variables: &Value,
    ) -> Result<T, Violations> {
        self.0.variables.decode(variables)
    }

    /// The URI that variables make, validated, for clients.
    ///
    /// # Errors
    ///
    /// Every place where they break their schema; or that they make no URI which the template matches.
    pub fn encode_uri<T: Serialize>(&self, variables: &T) -> Result<String, Violations> {
        let values = self.0.variables.encode(variables)?;
        let uri = values.as_object().and_then(|it| self.0.template.expand(it));
        uri.ok_or_else(|| {
            let message = format!("these make no URI of `{}`", self.uri_template());
            Violation::new("", message).into()
        })
    }

    /// The name of a variable, and the values that its schema lists; `None` where there is no such variable.
    pub(crate) fn variable(&self, name: &str) -> Option<(&str, &[String])> {
        self.0.variables.values(name)
    }

    pub(super) fn inputs(&self) -> &Inputs {
        &self.0.variables
    }
}

impl fmt::Debug for ResourceTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceTemplate")
            .field("name", &self.name())
            .field("uri_template", &self.uri_template())
            .finish_non_exhaustive()
    }
}

fn text<'a>(definition: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    definition.get(key)?.as_str()
}
