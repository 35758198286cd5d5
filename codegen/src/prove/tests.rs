//! Verdicts over tables, random schemas, and the shared data.
#![expect(clippy::print_stdout, reason = "tests say how much they covered")]

mod random;
mod shared;
mod table;

use serde_json::{Value, json};

use super::{Direction, Verdict, prove, state, state::Range};
use crate::{
    config::{Config, Located},
    contract,
    diagnostics::Diagnostics,
    graph::{ServerTypes, Shape},
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
    let tool = json!({
        "name": "t", "description": "d", "inputSchema": { "type": "object" }, "outputSchema": schema,
    });
    let sources = fixture::sources(&[("s/t.tool.json", tool.to_string())]);
    let mut diagnostics = Diagnostics::new();
    let documents = resolve::parse(&sources, &mut diagnostics);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let contract = contract::contract(&set, &Config::new("schemas"), &mut diagnostics);
    diagnostics.propagate().ok()?;
    let config = Config::new("schemas");
    let graph = lower(&contract, Located::nowhere(&config), &mut diagnostics);
    let proofs = prove(&contract, &graph);
    let types = graph.servers.into_iter().next()?;
    let node: Node<'_> = contract.servers[0].tools[0].output?;
    let shape = types.tools[0].output.clone()?;
    let mut walk = super::Walk::new(&types.types, Direction::Input);
    let report = walk.root(&node, &shape);
    let input = super::decide(&node, &types, &shape, Direction::Input, &report);
    let output = proofs.servers[0].tools[0].output.clone()?;
    drop(walk);
    Some(Proved {
        input,
        output,
        schema: node.bundle(),
        types,
    })
}
