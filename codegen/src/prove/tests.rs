//! Verdicts over tables, random schemas, and the shared data.
#![expect(clippy::print_stdout, reason = "tests say how much they covered")]

mod large;
mod random;
mod shared;
mod table;

use serde_json::{Value, json};

use super::{Direction, Verdict, prove, state, state::Range};
use crate::{
    config::{Config, Located},
    contract,
    diagnostics::Diagnostics,
    graph::{ServerTypes, Shape, TypeGraph},
    lower::lower,
    resolve::{self, Node, engine::Checker, fixture},
};

/// What one tool `t` with an output schema comes to.
struct Proved {
    types: ServerTypes,
    output: Verdict,
    /// What reading a value as the output type lets through.
    input: Verdict,
    schema: Value,
}

impl Proved {
    fn shape(&self) -> &Shape {
        self.types.tools[0]
            .output
            .as_ref()
            .expect("the tool has an output schema")
    }

    fn stated(&self, direction: Direction, range: Range) -> Checker {
        let dialect = resolve::Dialect::Draft202012;
        let schema = state::state(&self.types.types, self.shape(), direction, dialect, range);
        Checker::new(&schema).unwrap_or_else(|| panic!("{} is stated as {schema:#}", self.schema))
    }
}

/// Proves both directions for a schema; `None` for one that is refused.
fn proved(schema: &Value) -> Option<Proved> {
    with_lowered(schema, |contract, graph| {
        let proofs = prove(contract, &graph);
        let types = graph.servers.into_iter().next()?;
        let node: Node<'_> = contract.servers[0].tools[0].output?;
        let shape = types.tools[0].output.clone()?;
        let report = super::Walk::new(&types.types, Direction::Input).root(&node, &shape);
        let input = super::decide(&node, &types, &shape, Direction::Input, &report);
        let output = proofs.servers[0].tools[0].output.clone()?;
        Some(Proved {
            input,
            output,
            schema: node.bundle(),
            types,
        })
    })
}

/// Lowers one tool `t` with an output schema; `None` for one that is refused.
fn with_lowered<T>(
    schema: &Value,
    then: impl FnOnce(&contract::Contract<'_>, TypeGraph) -> Option<T>,
) -> Option<T> {
    let tool = json!({
        "name": "t", "description": "d", "inputSchema": { "type": "object" }, "outputSchema": schema,
    });
    let sources = fixture::sources(&[("s/t.tool.json", tool.to_string())]);
    let mut diagnostics = Diagnostics::new();
    let documents = resolve::parse(&sources, &mut diagnostics);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let config = Config::taking_schemas_as_they_are();
    let contract = contract::contract(&set, &config, &mut diagnostics);
    diagnostics.propagate().ok()?;
    let graph = lower(&contract, Located::nowhere(&config), &mut diagnostics);
    then(&contract, graph)
}
