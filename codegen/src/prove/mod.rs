//! Which types say exactly what their schemas say, so that no validator has to.
//!
//! Two questions per tool. Input: does `Deserialize` refuse everything that the schema refuses?
//! Output: can no value of the type serialize to something that the schema refuses? Cheap first:
//!
//! 1. `structure` walks type and schema side by side. Three real schemas in four end here.
//! 2. `witness` tries values of the type on the schema's validator: a refused one is a proof.
//! 3. `algebra` compares the schema with the one that `state` gives for the type, as sets.
//!
//! What none of them decides is unknown, and the validator stays.

mod algebra;
mod keywords;
mod report;
mod state;
mod structure;
#[cfg(test)]
mod tests;
mod witness;

use std::cell::LazyCell;

use serde_json::Value;

use self::{algebra::Answer, report::Report, state::Range, structure::Walk};
use crate::{
    contract::{Contract, Server},
    graph::{ServerTypes, Shape, TypeGraph, TypeId, reaches_foreign},
    resolve::{Dialect, Node, engine::Checker},
};

/// What is proved about the types of every server, in the order of the contract's servers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proofs {
    pub(crate) servers: Vec<ServerProofs>,
}

/// What is proved about the types of one server.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerProofs {
    /// In the order of the server's tools.
    pub(crate) tools: Vec<ToolProofs>,
    /// In the order of the server's types: what reading a value as the type lets through.
    pub(crate) types: Vec<Verdict>,
}

/// What is proved about the types of one tool.
#[derive(Clone, Debug)]
pub(crate) struct ToolProofs {
    pub(crate) input: Verdict,
    pub(crate) output: Option<Verdict>,
}

/// How a type relates to its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The type lets nothing through that the schema refuses.
    Exact,
    /// It does, for example this.
    Refuted(Vec<Gap>),
    /// Nobody knows, for this reason.
    Unknown(String),
    /// The schema accepts something that the type refuses: a fault of `lower`.
    Unsound(String),
}

/// Values that pass a type and not its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// Where in an instance, as a pointer; `*` stands for any key or index.
    pub(crate) pointer: String,
    /// Which values, in words.
    pub(crate) what: String,
}

/// Which way values go through a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// JSON becomes a value of the type.
    Input,
    /// A value of the type becomes JSON.
    Output,
}

/// Proves what can be proved.
pub(crate) fn prove(contract: &Contract<'_>, graph: &TypeGraph) -> Proofs {
    let servers = contract.servers.iter().zip(&graph.servers);
    Proofs {
        servers: servers
            .map(|(server, types)| prove_server(server, types))
            .collect(),
    }
}

fn prove_server(server: &Server<'_>, graph: &ServerTypes) -> ServerProofs {
    let mut input = Walk::new(&graph.types, Direction::Input);
    let mut output = Walk::new(&graph.types, Direction::Output);
    let mut tools = Vec::new();
    for (tool, types) in server.tools.iter().zip(&graph.tools) {
        let read = input.root(&tool.input, &types.input);
        let read = decide(&tool.input, graph, &types.input, Direction::Input, &read);
        let written = tool
            .output
            .as_ref()
            .zip(types.output.as_ref())
            .map(|(node, shape)| {
                // Also as it is read: a client, or an upstream answer, goes that way.
                input.root(node, shape);
                let report = output.root(node, shape);
                decide(node, graph, shape, Direction::Output, &report)
            });
        tools.push(ToolProofs {
            input: read,
            output: written,
        });
    }
    for (passed, shape) in server.inputs().zip(&graph.inputs) {
        input.root(&passed.schema(), shape);
    }
    let types = (0..graph.types.len()).map(|it| match input.named_type(TypeId(it)) {
        Some(report) => of_report(&report),
        None => Verdict::Unknown("the type stands for no schema of its own".to_owned()),
    });
    let mut types: Vec<_> = types.collect();
    for (tool, shape) in tools.iter().zip(&graph.tools) {
        // The root of an input has been looked at more closely.
        if let Shape::Named(id) = &shape.input {
            types[id.0] = tool.input.clone();
        }
    }
    ServerProofs { tools, types }
}

/// What a walk shows, without further proofs.
fn of_report(report: &Report) -> Verdict {
    let gaps = |certain: bool| {
        let leaks = report.leaks.iter().filter(move |it| it.certain == certain);
        leaks
            .map(|it| Gap {
                pointer: it.pointer.clone(),
                what: it.what.clone(),
            })
            .collect::<Vec<_>>()
    };
    if report.is_exact() {
        Verdict::Exact
    } else if report.is_refuted() {
        Verdict::Refuted(gaps(true))
    } else {
        let open: Vec<_> = gaps(false).iter().map(Gap::to_string).collect();
        Verdict::Unknown(format!("it may let through {}", open.join("; ")))
    }
}

/// Decides what the walk left open.
fn decide(
    node: &Node<'_>,
    graph: &ServerTypes,
    shape: &Shape,
    direction: Direction,
    report: &Report,
) -> Verdict {
    let open = match of_report(report) {
        Verdict::Unknown(open) => open,
        decided => return decided,
    };
    if reaches_foreign(&graph.types, shape) {
        // Nobody knows what such a type accepts, so no model of it can be compared.
        return Verdict::Unknown(open);
    }
    let schema = node.bundle();
    let dialect = node.dialect();
    if let Some(witness) = refused_value(&schema, dialect, graph, shape, direction) {
        let what = format!("for example `{}`", shortened(&witness));
        return Verdict::Refuted(vec![Gap {
            pointer: String::new(),
            what,
        }]);
    }
    // A large type may take long to be stated, and its statement is for nothing then.
    let room = algebra::room_beside(&schema);
    let stated = |range| state::state_within(&graph.types, shape, direction, dialect, range, room);
    if direction == Direction::Input
        && let Some(stated) = stated(Range::Wide)
        && let Some(unsound) = unsound(&schema, &stated)
    {
        return unsound;
    }
    let answer =
        stated(Range::Exact).map_or(algebra::TOO_LARGE, |it| algebra::is_within(&it, &schema));
    match answer {
        Answer::Yes => Verdict::Exact,
        Answer::No(gap) => {
            let what = match gap {
                Some(schema) => format!("what fits `{}`", shortened(&schema)),
                None => open,
            };
            Verdict::Refuted(vec![Gap {
                pointer: String::new(),
                what,
            }])
        }
        Answer::Unknown(why) => Verdict::Unknown(format!("{open} ({why})")),
    }
}

/// The verdict on a type that refuses what its schema accepts, if that can be shown.
fn unsound(schema: &Value, stated: &Value) -> Option<Verdict> {
    match algebra::is_within(schema, stated) {
        Answer::No(Some(gap)) => Some(Verdict::Unsound(format!(
            "it refuses what fits `{}`",
            shortened(&gap)
        ))),
        Answer::No(None) => Some(Verdict::Unsound("it refuses valid values".to_owned())),
        Answer::Yes | Answer::Unknown(_) => None,
    }
}

/// A value of the type that the schema refuses, if one is found.
fn refused_value(
    schema: &Value,
    dialect: Dialect,
    graph: &ServerTypes,
    shape: &Shape,
    direction: Direction,
) -> Option<Value> {
    let author = Checker::new(schema)?;
    // Mostly nothing is refused, and nobody has to be asked whether the type takes it.
    let model = LazyCell::new(|| {
        let types = &graph.types;
        Checker::new(&state::state_for_validator(
            types, shape, direction, dialect,
        ))
    });
    let takes = |value: &Value| model.as_ref().is_some_and(|it| it.accepts(value));
    let mut values = witness::values(&graph.types, shape, direction);
    values.find(|it| !author.accepts(it) && takes(it))
}

/// The schema of what a type accepts, for whoever wants to compare it with the code.
pub(crate) fn accepted(graph: &ServerTypes, shape: &Shape) -> Value {
    state::state(
        &graph.types,
        shape,
        Direction::Input,
        Dialect::Draft202012,
        Range::Exact,
    )
}

fn shortened(value: &Value) -> String {
    const LONGEST: usize = 200;
    let text = value.to_string();
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.what),
            pointer => write!(f, "at `{pointer}`, {}", self.what),
        }
    }
}
