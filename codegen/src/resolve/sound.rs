//! Which schemas nothing is wrong with: what is said about the others would only repeat it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    SchemaSet,
    index::{Index, NodeId},
    schemas::Target,
};
use crate::{
    diagnostics::{Diagnostics, Severity, Spot},
    source::FileId,
};

/// The values that errors were found at.
#[derive(Debug)]
pub(super) struct Faults {
    at: BTreeSet<NodeId>,
    /// An error without a place may be about anything.
    everywhere: bool,
}

impl Faults {
    pub(super) fn new(index: &Index<'_>, found: &Diagnostics) -> Self {
        let roots: BTreeMap<FileId, NodeId> = index
            .roots()
            .map(|root| (index.document(root).file, root))
            .collect();
        let errors = found
            .iter()
            .filter(|it| it.id.severity() == Severity::Error);
        let mut faults = Self {
            at: BTreeSet::new(),
            everywhere: false,
        };
        for error in errors {
            let mut places = error.place.iter().chain(&error.related).peekable();
            faults.everywhere |= places.peek().is_none();
            for (place, _) in places {
                let Some(root) = roots.get(&place.file).copied() else {
                    continue;
                };
                let node = match &place.spot {
                    Spot::Value(pointer) | Spot::Key(pointer) => {
                        let mut at = root;
                        for segment in pointer.segments() {
                            match index.step(at, &segment) {
                                Some(next) => at = next,
                                None => break,
                            }
                        }
                        at
                    }
                    Spot::File | Spot::Bytes(..) => root,
                };
                faults.at.insert(node);
            }
        }
        faults
    }
}

impl SchemaSet<'_> {
    /// Whether nothing was found in a schema, nor in any that it refers to. A reference that was not
    /// followed counts as a finding: it is one of another phase.
    pub(super) fn is_sound(&self, id: NodeId) -> bool {
        if self.faults.everywhere {
            return false;
        }
        let mut seen: Vec<NodeId> = Vec::new();
        let mut open = vec![id];
        while let Some(top) = open.pop() {
            if seen.iter().any(|it| self.index.contains(*it, top)) {
                continue;
            }
            seen.push(top);
            for below in self.index.below(top) {
                if self.faults.at.contains(&below) {
                    return false;
                }
                let links = self.schemas.facts(below).map(|it| &it.references);
                for link in links.into_iter().flatten() {
                    match link.target {
                        Target::Node(target) | Target::Dynamic(target) => open.push(target),
                        Target::Meta(_) | Target::Anything => {}
                        Target::Unresolved => return false,
                    }
                }
            }
        }
        true
    }
}
