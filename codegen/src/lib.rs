//! Contract-first MCP servers: JSON Schema tool contracts become Rust types and traits.
//!
//! [`generate`] is the whole pipeline; everything else in this crate is one of its phases or
//! the values that pass between them. It is pure but for reading the contract root: [`sync::sync`]
//! puts the files on the disk, or compares them with what stands there.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use mcp_codegen::{config::Config, generate, render, sync};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let generated = generate(&Config::new("schemas"))?;
//! print!("{}", render(&generated.sources, &generated.diagnostics, false));
//! let report = sync::sync(&generated.files, Path::new("src/generated"), sync::Mode::Write)?;
//! println!("{} files written", report.written.len());
//! # Ok(())
//! # }
//! ```

pub mod config;
pub mod diagnostics;
#[cfg(feature = "schemars")]
pub mod meta;
pub mod mount;
pub mod proof;
pub mod source;
pub mod sync;

mod check;
mod contract;
mod emit;
mod graph;
mod load;
mod lower;
mod naming;
mod print;
mod prove;
mod resolve;
mod stubs;

pub use diagnostics::{Failure, render};

use config::{Config, Located, Named};
use contract::Contract;
use diagnostics::{Diagnostics, Failed};
use graph::TypeGraph;
use mount::Mount;
use proof::Proof;
use source::SourceMap;
use sync::Files;

/// What a run made.
#[derive(Debug)]
pub struct Generated {
    /// The files of the output folder, in memory.
    pub files: Files,
    /// What was read.
    pub sources: SourceMap,
    /// What was found in it: warnings and notes.
    pub diagnostics: Diagnostics,
    /// One entry per server, in the order of their modules.
    pub servers: Vec<ServerSummary>,
    /// What was proved about the types, server by server.
    pub proofs: Vec<Proof>,
    stubs: stubs::Stubs,
}

/// What was made for one server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerSummary {
    /// The server's name on the wire.
    pub name: String,
    /// The name of its Rust module, by which selectors and macros call it: `weather`.
    pub module: String,
    /// The name of its trait: `Weather`.
    pub trait_name: String,
    /// The path of its Rust module below the output folder: `weather.rs`.
    pub path: String,
    /// How many tools it has.
    pub tools: usize,
    /// How many resources and resource templates it has.
    pub resources: usize,
    /// How many prompts it has.
    pub prompts: usize,
    /// How many named types they need.
    pub types: usize,
    /// How many lines its Rust module has.
    pub lines: usize,
}

impl Generated {
    /// A first implementation of every trait, as a Rust file at `own` for a crate that has the generated
    /// files at `mount`. It compiles as it is; every tool answers that it is not implemented yet.
    pub fn stubs(&self, mount: &Mount, own: &Mount) -> String {
        self.stubs.render(mount, own)
    }
}

/// Generates the code for a contract root.
///
/// The same files give the same bytes, on any machine and in any directory order.
///
/// # Errors
///
/// [`Failure`] with everything that was found, when at least one finding is an error.
///
/// # Examples
///
/// ```
/// # let root = std::env::temp_dir().join(format!("mcp-codegen-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&root)?;
/// std::fs::write(
///     root.join("add.tool.json"),
///     r#"{
///         "name": "add",
///         "description": "Adds two numbers.",
///         "inputSchema": {
///             "type": "object",
///             "properties": { "a": { "type": "number" }, "b": { "type": "number" } },
///             "required": ["a", "b"]
///         },
///         "outputSchema": { "type": "number" }
///     }"#,
/// )?;
/// let mut config = mcp_codegen::config::Config::new(&root);
/// config.root_name = "calculator".to_owned();
/// let generated = mcp_codegen::generate(&config)?;
/// # std::fs::remove_dir_all(&root)?;
/// let code = generated.files.get("calculator.rs").expect("the server in the root has this name");
/// assert!(code.contains("pub trait Calculator"));
/// assert!(code.contains("fn add("));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(config: &Config) -> Result<Generated, Box<Failure>> {
    let mut diagnostics = Diagnostics::new();
    let sources = load::load(config, &mut diagnostics);
    match run(config, &sources, &mut diagnostics) {
        Ok(Output {
            files,
            servers,
            proofs,
            stubs,
        }) => Ok(Generated {
            files,
            sources,
            diagnostics,
            servers,
            proofs,
            stubs,
        }),
        Err(Failed) => Err(Box::new(Failure {
            sources,
            diagnostics,
        })),
    }
}

struct Output {
    files: Files,
    servers: Vec<ServerSummary>,
    proofs: Vec<Proof>,
    stubs: stubs::Stubs,
}

/// The phases after `load`.
fn run(
    config: &Config,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Result<Output, Failed> {
    understand(config, sources, diagnostics, |contract, graph| {
        let proofs = prove::prove(contract, graph);
        let units = emit::emit(contract, graph, &proofs, &config.origin);
        let files = print::print(units);
        Output {
            servers: summaries(contract, graph, &files),
            proofs: proof::all(contract, graph, &proofs),
            stubs: stubs::stubs(contract, graph),
            files,
        }
    })
}

/// The phases that look for faults, and `then` what is made of a contract without any.
///
/// Those that look at what the files say all run, whatever they find: each leaves out what is faulty
/// already, so that one report has everything, and everything once. What builds on them starts only
/// when none of it was an error.
fn understand<T>(
    config: &Config,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
    then: impl FnOnce(&Contract<'_>, &TypeGraph) -> T,
) -> Result<T, Failed> {
    let documents = resolve::parse(sources, diagnostics).read_as(config);
    let schemas = resolve::resolve(&documents, diagnostics);
    let contract = contract::contract(&schemas, config, diagnostics);
    check::check(&documents, diagnostics);
    let settings = Located::new(config, sources);
    config::check_types(settings, diagnostics);
    diagnostics.propagate()?;
    let graph = lower::lower(&contract, settings, diagnostics);
    config::unmatched_selectors(settings, &named(&contract, &graph), diagnostics);
    diagnostics.propagate()?;
    Ok(then(&contract, &graph))
}

/// Loads a contract root and gives what is understood of it to `then`.
fn with_graph<T>(
    config: &Config,
    then: impl FnOnce(&Contract<'_>, &TypeGraph) -> T,
) -> Result<T, Box<Failure>> {
    let mut diagnostics = Diagnostics::new();
    let sources = load::load(config, &mut diagnostics);
    match understand(config, &sources, &mut diagnostics, then) {
        Ok(value) => Ok(value),
        Err(Failed) => Err(Box::new(Failure {
            sources,
            diagnostics,
        })),
    }
}

/// What selectors of the configuration may name.
fn named<'a>(contract: &'a Contract<'_>, graph: &'a TypeGraph) -> Vec<Named<'a>> {
    let servers = contract.servers.iter().zip(&graph.servers);
    servers
        .map(|(server, types)| Named {
            module: server.module.as_str(),
            tools: server.tools.iter().map(|it| it.name.as_str()).collect(),
            types: &types.selectable.types,
            renames: &types.selectable.renames,
            formats: &types.selectable.formats,
            arguments: server.completable(),
        })
        .collect()
}

fn summaries(contract: &Contract<'_>, graph: &TypeGraph, files: &Files) -> Vec<ServerSummary> {
    let servers = contract.servers.iter().zip(&graph.servers);
    servers
        .map(|(server, types)| {
            let path = emit::module_path(&server.module);
            ServerSummary {
                name: server
                    .info
                    .get("name")
                    .and_then(serde_json::Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                module: server.module.as_str().to_owned(),
                trait_name: server.trait_name.to_string(),
                tools: server.tools.len(),
                resources: server.resources.len() + server.templates.len(),
                prompts: server.prompts.len(),
                types: types.types.len(),
                lines: files.get(&path).map_or(0, |it| it.lines().count()),
                path,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
