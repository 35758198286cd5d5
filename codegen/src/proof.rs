//! What was proved about generated types: whether they say exactly what their schemas say.

use std::fmt;

use serde_json::Value;

use crate::{
    config::{Config, FormatPolicy},
    contract::Contract,
    diagnostics::Failure,
    graph::{Shape, TypeGraph},
    prove::{self, Proofs, Verdict},
};

/// What is known about one type, or one side of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The server's module: `weather`.
    pub server: String,
    /// What the proof is about.
    pub subject: Subject,
    /// What was proved.
    pub exactness: Exactness,
}

/// What a [`Proof`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A named type, by its Rust name; the values that it reads.
    Type(String),
    /// What the tool of this name takes: the values that its type reads.
    Input(String),
    /// What the tool of this name gives: the values that its type writes.
    Output(String),
}

/// How a type relates to its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// Nothing passes the type that the schema refuses. The runtime needs no validator here.
    Exact,
    /// The type alone lets these values through, each group in words; the validator refuses them.
    Wider(Vec<String>),
    /// Not known, with the reason; the validator stays.
    Unknown(String),
    /// The type refuses values that the schema accepts. A fault of this crate: please report it.
    Unsound(String),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.server)?;
        match &self.subject {
            Subject::Type(name) => write!(f, "{name}")?,
            Subject::Input(tool) => write!(f, "{tool} input")?,
            Subject::Output(tool) => write!(f, "{tool} output")?,
        }
        write!(f, ": {}", self.exactness)
    }
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Wider(groups) => {
                f.write_str("lets through")?;
                groups.iter().try_for_each(|it| write!(f, "\n  {it}"))
            }
            Self::Unknown(why) => write!(f, "unknown: {why}"),
            Self::Unsound(why) => write!(f, "unsound: {why}"),
        }
    }
}

/// All proofs: server by server, its tools and then its types.
pub(crate) fn all(contract: &Contract<'_>, graph: &TypeGraph, proofs: &Proofs) -> Vec<Proof> {
    let mut all = Vec::new();
    let servers = contract
        .servers
        .iter()
        .zip(&graph.servers)
        .zip(&proofs.servers);
    for ((server, types), proofs) in servers {
        let mut add = |subject, verdict: &Verdict| {
            let server = server.module.to_string();
            all.push(Proof {
                server,
                subject,
                exactness: exactness(verdict),
            });
        };
        for (tool, proofs) in server.tools.iter().zip(&proofs.tools) {
            let formats = tool.settings.formats;
            let input = Subject::Input(tool.name.clone());
            add(input, &under(formats, &proofs.input));
            if let Some(output) = &proofs.output {
                let subject = Subject::Output(tool.name.clone());
                add(subject, &under(formats, output));
            }
        }
        for (def, verdict) in types.types.iter().zip(&proofs.types) {
            add(Subject::Type(def.name.to_string()), verdict);
        }
    }
    all
}

/// What is proved is about formats as the dialect has them: types do not know formats. Where the settings assert them the
/// validator stays, and nobody may read that it does not.
fn under(formats: FormatPolicy, verdict: &Verdict) -> Verdict {
    match verdict {
        Verdict::Exact if formats == FormatPolicy::Assert => {
            Verdict::Unknown("the settings assert `format`, which types do not know".to_owned())
        }
        other => other.clone(),
    }
}

fn exactness(verdict: &Verdict) -> Exactness {
    match verdict {
        Verdict::Exact => Exactness::Exact,
        Verdict::Refuted(gaps) => Exactness::Wider(gaps.iter().map(ToString::to_string).collect()),
        Verdict::Unknown(why) => Exactness::Unknown(why.clone()),
        Verdict::Unsound(why) => Exactness::Unsound(why.clone()),
    }
}

/// What the type of one side of a tool accepts, by itself, as a JSON Schema of 2020-12: the model
/// of the generated code on which the proofs stand, for tests to hold against that code.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stated {
    /// The server's module.
    pub server: String,
    /// The tool's name.
    pub tool: String,
    /// What the input type accepts.
    pub input: Value,
    /// What the output type accepts when it is read.
    pub output: Option<Value>,
}

/// The models of all tools' types.
///
/// # Errors
///
/// As [`generate`](crate::generate()).
pub fn stated(config: &Config) -> Result<Vec<Stated>, Box<Failure>> {
    crate::with_graph(config, |contract, graph| {
        let servers = contract.servers.iter().zip(&graph.servers);
        let tools = servers.flat_map(|(server, types)| {
            server
                .tools
                .iter()
                .zip(&types.tools)
                .map(move |(tool, it)| {
                    let accepted = |shape: &Shape| prove::accepted(types, shape);
                    Stated {
                        server: server.module.to_string(),
                        tool: tool.name.clone(),
                        input: accepted(&it.input),
                        output: it.output.as_ref().map(accepted),
                    }
                })
        });
        tools.collect()
    })
}
