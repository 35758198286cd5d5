//! The servers that are compared, and how their contracts come out of the recordings.

use std::fmt;

use serde_json::{Map, Value};

use super::recording::Recording;

/// A server made of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Contract: what the Python SDK lists, word by word. Its wrapped results are recognised.
    Python,
    /// Contract: the results as one would write them by hand, and a setting that wraps them.
    PythonNatural,
    /// Contract: what the TypeScript SDK lists for 2026-07-28.
    TypeScript,
}

impl Subject {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Python, Self::PythonNatural, Self::TypeScript];

    /// As the list of differences and the program call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::PythonNatural => "python-natural",
            Self::TypeScript => "typescript",
        }
    }

    /// How the file names of its recordings start.
    pub(super) const fn recordings(self) -> &'static str {
        match self {
            Self::Python | Self::PythonNatural => "python-sdk-",
            Self::TypeScript => "ts-server-",
        }
    }

    /// The name of the server, and so of the trait.
    pub(super) const fn server(self) -> &'static str {
        match self {
            Self::Python | Self::PythonNatural => "python",
            Self::TypeScript => "typescript",
        }
    }

    /// `mcp-codegen.toml`: what makes answers those of the SDK.
    pub(super) const fn settings(self) -> &'static str {
        match self {
            Self::Python => "[tools.\"*\"]\ntext = \"python\"\n",
            Self::PythonNatural => "[tools.\"*\"]\ntext = \"python\"\nwrap = \"always\"\n",
            // That SDK repeats results as text only if they are no objects.
            Self::TypeScript => {
                "[tools.\"*\"]\ntext = \"none\"\n\n[tools.int_result]\ntext = \"compact\"\n\n\
                 [tools.list_model_result]\ntext = \"compact\"\n\n[tools.json_schema_tool]\ntext = \"compact\"\n"
            }
        }
    }

    /// The tools of the contract.
    pub(super) fn tools(self, recording: &Recording) -> Vec<Value> {
        let tools = recording.tools.iter().cloned();
        match self {
            Self::Python | Self::TypeScript => tools.collect(),
            Self::PythonNatural => tools.map(unwrapped).collect(),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The tool with the schema of what its function gives, where the SDK wrapped that.
fn unwrapped(mut tool: Value) -> Value {
    let Some(Value::Object(output)) = tool.get_mut("outputSchema") else {
        return tool;
    };
    if let Some(inner) = inner(output) {
        *output = inner;
    }
    tool
}

fn inner(output: &Map<String, Value>) -> Option<Map<String, Value>> {
    let properties = output.get("properties")?.as_object()?;
    if properties.len() != 1 {
        return None;
    }
    let mut inner = properties.get("result")?.as_object()?.clone();
    if let Some(definitions) = output.get("$defs") {
        inner.insert("$defs".to_owned(), definitions.clone());
    }
    Some(inner)
}
