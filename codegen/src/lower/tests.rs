//! What schemas become, as text; and that no valid instance is refused or changed.
#![expect(clippy::print_stdout, reason = "tests say how much they covered")]

mod cases;
mod configured;
mod corpus;
mod limits;
mod model;
mod shapes;
mod unions;

use serde_json::{Value, json};

use crate::{
    config::{Config, Located},
    contract,
    diagnostics::{Diagnostics, Id},
    graph::{ServerTypes, TypeGraph, dump},
    lower::lower,
    resolve,
    source::{Format, SourceMap},
};

/// What a run over some files gives.
struct Lowered {
    graph: TypeGraph,
    diagnostics: Diagnostics,
}

impl Lowered {
    fn server(&self) -> &ServerTypes {
        self.graph
            .servers
            .first()
            .expect("the contract has a server")
    }

    fn count(&self, id: Id) -> usize {
        self.diagnostics.iter().filter(|it| it.id == id).count()
    }

    fn messages(&self, id: Id) -> Vec<&str> {
        self.diagnostics
            .iter()
            .filter(|it| it.id == id)
            .map(|it| it.message.as_str())
            .collect()
    }
}

/// Lowers files given as path and text.
fn lower_files(files: &[(&str, String)], config: &Config) -> Lowered {
    try_lower(files, config).unwrap_or_else(|found| panic!("the contract has errors: {found:#?}"))
}

/// Lowers files; `Err` holds what is wrong with them.
fn try_lower(files: &[(&str, String)], config: &Config) -> Result<Lowered, Vec<String>> {
    let mut sources = SourceMap::default();
    for (path, text) in files {
        sources.add(
            (*path).to_owned(),
            (*path).to_owned(),
            Format::Json,
            text.clone(),
        );
    }
    let mut diagnostics = Diagnostics::new();
    let documents = resolve::parse(&sources, &mut diagnostics);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let contract = contract::contract(&set, config, &mut diagnostics);
    if diagnostics.propagate().is_err() {
        return Err(diagnostics.iter().map(|it| it.message.clone()).collect());
    }
    let graph = lower(&contract, Located::new(config, &sources), &mut diagnostics);
    Ok(Lowered { graph, diagnostics })
}

/// One tool `t` with this schema as its output.
fn tool(schema: &Value) -> String {
    json!({
        "name": "t", "description": "d", "inputSchema": { "type": "object" }, "outputSchema": schema,
    })
    .to_string()
}

fn lower_output(schema: &Value) -> Lowered {
    let config = Config::taking_schemas_as_they_are();
    lower_files(&[("s/t.tool.json", tool(schema))], &config)
}

/// What an output schema becomes, without the tool's empty input.
fn dumped(lowered: &Lowered) -> String {
    let text = dump(lowered.server());
    text.replace("tool 0: TInput -> ", "")
        .replace("struct TInput\n", "")
}

/// Compares what an output schema becomes with a text, line by line, indentation aside.
#[track_caller]
fn check(schema: &Value, expected: &str) -> Lowered {
    let lowered = lower_output(schema);
    let lines = |text: &str| -> String {
        let lines: Vec<_> = text
            .lines()
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        lines.join("\n")
    };
    assert_eq!(lines(&dumped(&lowered)), lines(expected), "for {schema}");
    lowered
}
