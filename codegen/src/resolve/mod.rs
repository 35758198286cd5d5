//! From files to schemas whose references are known to lead somewhere.
//!
//! [`parse`] reads the files as JSON values, by kind. [`resolve`] finds the schemas in them, follows
//! every reference, and checks each schema by itself. References lead to contract files and to the copies
//! of remote files that the settings name, and never to the network; `referencing` does the looking up, and its answers are turned into
//! [`NodeId`]s, so that later phases need neither URIs nor a registry.

mod bundle;
mod check;
mod cycles;
mod dialect;
mod documents;
mod draft03;
pub(crate) mod engine;
#[cfg(test)]
pub(crate) mod fixture;
mod index;
mod links;
mod made;
mod misspelt;
mod narrow;
mod node;
mod pattern;
mod registries;
mod schemas;
mod sound;
#[cfg(test)]
mod tests;
mod unresolved;
mod vocabularies;

pub(crate) use self::{
    check::TYPES,
    dialect::Dialect,
    documents::{Document, Documents, Kind, is_contract, is_schema, parse, type_name},
    index::NodeId,
    node::{Node, Reference},
};

pub(crate) use self::schemas::{encode, is_uri, is_url_prefix};

use std::collections::BTreeMap;

use self::{index::Index, schemas::Schemas, sound::Faults};
use crate::diagnostics::{Diagnostics, Pointer};

/// The documents of a run with all their schemas and where their references lead.
#[derive(Debug)]
pub(crate) struct SchemaSet<'d> {
    documents: &'d Documents,
    index: Index<'d>,
    schemas: Schemas,
    faults: Faults,
}

impl<'d> SchemaSet<'d> {
    /// The documents that the schemas stand in.
    pub(crate) fn documents(&self) -> &'d Documents {
        self.documents
    }
}

impl SchemaSet<'_> {
    /// The schema at a place of a document; `None` when there is no schema.
    pub(crate) fn at(&self, document: &Document, pointer: &Pointer) -> Option<Node<'_>> {
        let root = self.index.find(&document.value)?;
        let id = pointer
            .segments()
            .try_fold(root, |at, it| self.index.step(at, &it))?;
        self.schemas.facts(id).map(|_| Node::new(self, id))
    }
}

/// Finds all schemas, and reports every reference that leads nowhere or in a circle, every unknown
/// dialect, and everything that makes a schema invalid by itself.
pub(crate) fn resolve<'d>(
    documents: &'d Documents,
    diagnostics: &mut Diagnostics,
) -> SchemaSet<'d> {
    let mut found = Diagnostics::new();
    let mut set = find(documents, documents.dialects(), |_| false, &mut found);
    let (index, schemas) = (&set.index, &set.schemas);
    cycles::check(index, schemas, &mut found);
    check::check(index, schemas, &mut found);
    misspelt::check(index, schemas, &mut found);
    narrow::report(documents, index, schemas, &mut found);
    set.faults = Faults::new(index, &found);
    diagnostics.append(found);
    set
}

/// Finds all schemas and where their references lead. `is_schema` names documents that are schemas although their
/// kind does not say so.
fn find<'d>(
    documents: &'d Documents,
    dialects: &BTreeMap<String, Dialect>,
    is_schema: impl Fn(&Document) -> bool,
    diagnostics: &mut Diagnostics,
) -> SchemaSet<'d> {
    let index = Index::new(documents);
    let mut roots = Vec::new();
    for (document, whole) in documents.all().zip(index.roots()) {
        let mut steps = document.schema_roots();
        if steps.is_empty() && is_schema(document) {
            steps.push(Pointer::root());
        }
        roots.extend(steps.iter().filter_map(|pointer| {
            pointer
                .segments()
                .try_fold(whole, |at, it| index.step(at, &it))
        }));
    }
    let mut schemas = Schemas::find(&index, &roots, dialects, diagnostics);
    links::link(documents, &index, &mut schemas, diagnostics);
    let faults = Faults::new(&index, diagnostics);
    SchemaSet {
        documents,
        index,
        schemas,
        faults,
    }
}
