//! The contract: what the files say, validated and named.

mod fields;
mod servers;
mod sources;
#[cfg(test)]
mod tests;
mod tools;

use serde_json::{Map, Value};

use crate::{
    config::{Config, ToolSettings},
    diagnostics::{Diagnostics, Place},
    naming::{MethodName, ModuleName, TypeName},
    resolve::{Node, SchemaSet},
};

/// Reads the servers and tools out of the documents, checks what MCP says about them, and names
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
    pub(crate) place: Place,
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
    pub(crate) output: Option<Node<'d>>,
    /// The `tools/list` entry: the author's own, key order kept, external refs bundled into `$defs`.
    pub(crate) published: Map<String, Value>,
    pub(crate) settings: ToolSettings,
}

/// MCP tool annotations, as far as generated docs mention them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Annotations {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}
