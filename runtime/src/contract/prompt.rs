//! One prompt: its MCP definition, and its arguments' schema at work.

use std::{fmt, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::inputs::Inputs;
use crate::violation::Violations;

/// One prompt of a [`Contract`](super::Contract). Cheap to clone; clones share their validator.
#[derive(Clone)]
pub struct Prompt(Arc<Inner>);

struct Inner {
    definition: Map<String, Value>,
    arguments: Inputs,
}

impl Prompt {
    /// `arguments` is their schema, where the document has one.
    pub(super) fn new(definition: Map<String, Value>, arguments: Option<Value>) -> Self {
        let listed = definition.get("arguments").and_then(Value::as_array);
        let names = listed.into_iter().flatten();
        let names = names.filter_map(|it| it.get("name").and_then(Value::as_str));
        let names: Vec<&str> = names.collect();
        let arguments = Inputs::new(arguments.unwrap_or(Value::Bool(true)), &names);
        Self(Arc::new(Inner {
            definition,
            arguments,
        }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.text("name").unwrap_or_default()
    }

    /// What it is for.
    pub fn description(&self) -> Option<&str> {
        self.text("description")
    }

    /// The `Prompt` object as published.
    pub fn definition(&self) -> &Map<String, Value> {
        &self.0.definition
    }

    /// Validates and types arguments.
    ///
    /// # Errors
    ///
    /// Every place where they break their schema.
    pub fn decode_arguments<T: DeserializeOwned>(
        &self,
        arguments: &Value,
    ) -> Result<T, Violations> {
        self.0.arguments.decode(arguments)
    }

    /// Serializes and validates arguments, for clients.
    ///
    /// # Errors
    ///
    /// Every place where they break their schema.
    pub fn encode_arguments<T: Serialize>(&self, arguments: &T) -> Result<Value, Violations> {
        self.0.arguments.encode(arguments)
    }

    /// The name of an argument, and the values that its schema lists; `None` where there is no such argument.
    pub(crate) fn argument(&self, name: &str) -> Option<(&str, &[String])> {
        self.0.arguments.values(name)
    }

    pub(super) fn inputs(&self) -> &Inputs {
        &self.0.arguments
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.0.definition.get(key)?.as_str()
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
