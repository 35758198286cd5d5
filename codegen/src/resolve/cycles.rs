//! Chains of references that return to their start without consuming any of the instance: no
//! validator can decide them. Recursion through `properties`, `items` and the like is fine.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    index::{Index, NodeId},
    schemas::{Schemas, Target},
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id};

/// The keywords whose subschemas see the same instance as the schema they stand in.
const IN_PLACE: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];

/// Reports every cycle once.
pub(super) fn check(index: &Index<'_>, schemas: &Schemas, diagnostics: &mut Diagnostics) {
    let search = Search { index, schemas };
    let mut state = vec![State::New; index.len()];
    let mut reported = BTreeSet::new();
    for start in schemas.order() {
        search.from(*start, &mut state, &mut |cycle| {
            if cycle.iter().any(|step| reported.contains(&step.node)) {
                return;
            }
            reported.extend(cycle.iter().map(|step| step.node));
            diagnostics.push(search.describe(cycle));
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// One schema on the current path, and how its next one is reached.
#[derive(Debug)]
struct Step {
    node: NodeId,
    edges: Vec<Edge>,
    /// The edge that is being followed.
    taken: usize,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: NodeId,
    /// The referring keyword; `None` for a subschema.
    reference: Option<&'static str>,
}

struct Search<'a, 'd> {
    index: &'a Index<'d>,
    schemas: &'a Schemas,
}

impl Search<'_, '_> {
    /// Depth first, with a path of our own: chains of references can be longer than the stack.
    fn from(&self, start: NodeId, state: &mut [State], report: &mut impl FnMut(&[Step])) {
        if state[start.at()] != State::New {
            return;
        }
        state[start.at()] = State::Open;
        let mut path = vec![self.step(start)];
        while let Some(top) = path.last_mut() {
            let Some(edge) = top.edges.get(top.taken).copied() else {
                state[top.node.at()] = State::Done;
                path.pop();
                if let Some(before) = path.last_mut() {
                    before.taken += 1;
                }
                continue;
            };
            match state[edge.to.at()] {
                State::New => {
                    state[edge.to.at()] = State::Open;
                    path.push(self.step(edge.to));
                }
                State::Open => {
                    let from = path
                        .iter()
                        .position(|it| it.node == edge.to)
                        .unwrap_or_default();
                    report(&path[from..]);
                    if let Some(top) = path.last_mut() {
                        top.taken += 1;
                    }
                }
                State::Done => top.taken += 1,
            }
        }
    }

    fn step(&self, node: NodeId) -> Step {
        Step {
            node,
            edges: self.edges(node),
            taken: 0,
        }
    }

    fn edges(&self, node: NodeId) -> Vec<Edge> {
        let mut edges = Vec::new();
        let Some(facts) = self.schemas.facts(node) else {
            return edges;
        };
        for link in &facts.references {
            if let Target::Node(to) | Target::Dynamic(to) = link.target {
                edges.push(Edge {
                    to,
                    reference: Some(link.keyword),
                });
            }
        }
        let value = self.index.value(node);
        if facts.dialect.ref_hides_siblings() && value.get("$ref").is_some() {
            return edges;
        }
        for keyword in IN_PLACE {
            let Some(member) = value.get(keyword) else {
                continue;
            };
            let children: Vec<&Value> = match (keyword, member) {
                ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => branches.iter().collect(),
                ("dependentSchemas" | "dependencies", Value::Object(members)) => {
                    members.values().collect()
                }
                _ => vec![member],
            };
            let schemas = children
                .into_iter()
                .filter_map(|it| self.index.find(it))
                .filter(|it| self.schemas.facts(*it).is_some());
            edges.extend(schemas.map(|to| Edge {
                to,
                reference: None,
            }));
        }
        edges
    }

    fn describe(&self, cycle: &[Step]) -> Diagnostic {
        let mut sites = cycle.iter().filter_map(|step| {
            let keyword = step.edges.get(step.taken)?.reference?;
            let document = self.index.document(step.node);
            Some(document.place_of(self.index.pointer(step.node).child(keyword)))
        });
        let found = Diagnostic::new(
            Id::CircularRef,
            "this reference leads back to itself without looking at any part of the instance",
        );
        let found = match sites.next() {
            Some(place) => found.at(place, "the circle starts here"),
            None => found,
        };
        sites
            .fold(found, |found, place| found.and_at(place, "goes on here"))
            .help("recursion has to pass through `properties`, `items` or another keyword that goes into the instance")
    }
}
