//! Follows every reference of every schema, through `referencing`, never through the network.

use std::{cell::RefCell, collections::BTreeMap};

use referencing::{Registry, SPECIFICATIONS, uri};
use serde_json::Value;

use super::{
    dialect::Dialect,
    documents::{Documents, Kind, is_schema},
    index::{Index, NodeId},
    registries::{self, StandIns},
    schemas::{Link, ResourceId, Schemas, Target, reference_keywords},
    unresolved::Unresolved,
};
use crate::{
    config::UnresolvedPolicy,
    diagnostics::{Diagnostic, Diagnostics, Id, Place},
};

/// Finds the target of every reference; what only a reference shows to be a schema is taken in.
pub(super) fn link(
    documents: &Documents,
    index: &Index<'_>,
    schemas: &mut Schemas,
    diagnostics: &mut Diagnostics,
) {
    let remotes = registries::remotes(documents, index);
    // What refers to a copy of a remote file makes a schema of it, which may refer to others: the
    // registries do not grow, so everything is done again until nothing new is wanted.
    let found = loop {
        let mut found = Diagnostics::new();
        let wanted = link_known(documents, index, &remotes, schemas, &mut found, diagnostics);
        if wanted.is_empty() {
            break found;
        }
        for (root, dialect) in wanted {
            schemas.visit_remote(index, root, dialect, diagnostics);
        }
        schemas.clear_links();
    };
    duplicate_ids(index, schemas, diagnostics);
    diagnostics.append(found);
    settle_dynamic(index, schemas);
}

/// Copies of remote files that are not known as schemas yet, with the dialect of what refers to them.
type Wanted = BTreeMap<NodeId, Dialect>;

/// Follows the references of all schemas that are known. Findings about references go to `found`,
/// since they hold only when nothing is wanted any more.
fn link_known(
    documents: &Documents,
    index: &Index<'_>,
    remotes: &BTreeMap<String, NodeId>,
    schemas: &mut Schemas,
    found: &mut Diagnostics,
    diagnostics: &mut Diagnostics,
) -> Wanted {
    let stand_ins = StandIns::new(index, schemas);
    let shared = match registries::shared(documents, index, schemas, &stand_ins) {
        Ok(shared) => shared,
        Err(error) => {
            let message = format!("the references of this contract cannot be followed: {error}");
            diagnostics.push(Diagnostic::new(Id::UnresolvedRef, message));
            return Wanted::new();
        }
    };
    let linker = Linker {
        documents,
        index,
        remotes,
        stand_ins: &stand_ins,
        own: &registries::own(&shared, index, schemas, &stand_ins),
        shared: &shared,
        wanted: RefCell::default(),
    };
    let mut at = 0;
    // Islands are appended while this runs.
    while let Some(site) = schemas.order().get(at).copied() {
        at += 1;
        linker.link_schema(site, schemas, found, diagnostics);
    }
    linker.wanted.into_inner()
}

struct Linker<'a, 'd> {
    documents: &'a Documents,
    index: &'a Index<'d>,
    remotes: &'a BTreeMap<String, NodeId>,
    stand_ins: &'a StandIns,
    shared: &'a Registry<'a>,
    own: &'a BTreeMap<NodeId, Registry<'a>>,
    wanted: RefCell<Wanted>,
}

/// One referring keyword of one schema.
#[derive(Clone, Copy)]
struct Site<'t> {
    id: NodeId,
    keyword: &'static str,
    text: &'t str,
    resource: ResourceId,
    dialect: Dialect,
}

enum Found {
    Node(NodeId),
    Meta(Dialect),
    /// There, but nothing can be said about it: it was not read, or is still to be taken in.
    Unknown,
    Nothing,
}

impl Linker<'_, '_> {
    fn link_schema(
        &self,
        id: NodeId,
        schemas: &mut Schemas,
        found: &mut Diagnostics,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(facts) = schemas.facts(id) else {
            return;
        };
        let (dialect, resource) = (facts.dialect, facts.resource);
        for (keyword, text) in reference_keywords(self.index.value(id), dialect) {
            let site = Site {
                id,
                keyword,
                text,
                resource,
                dialect,
            };
            let target = self.follow(site, schemas, found, diagnostics);
            schemas.add_link(id, Link { keyword, target });
        }
    }

    fn follow(
        &self,
        site: Site<'_>,
        schemas: &mut Schemas,
        found: &mut Diagnostics,
        diagnostics: &mut Diagnostics,
    ) -> Target {
        let target = match self.look_up(site, schemas) {
            Found::Node(id) => id,
            Found::Meta(dialect) => return Target::Meta(dialect),
            Found::Unknown => return Target::Unresolved,
            Found::Nothing => {
                let fault = self.explain(site, schemas);
                return match self.documents.unresolved() {
                    UnresolvedPolicy::Error => {
                        found.push(fault);
                        Target::Unresolved
                    }
                    UnresolvedPolicy::Any => {
                        found.push(accepts_anything(fault));
                        Target::Anything
                    }
                };
            }
        };
        let value = self.index.value(target);
        let is_schema = is_schema(value)
            && (schemas.facts(target).is_some()
                || schemas.visit_island(self.index, target, diagnostics));
        if !is_schema {
            found.push(self.not_a_schema(site, target));
            return Target::Unresolved;
        }
        let dynamic = match site.keyword {
            "$dynamicRef" => {
                let anchor = site.text.rsplit_once('#').map(|(_, fragment)| fragment);
                anchor.is_some() && value.get("$dynamicAnchor").and_then(Value::as_str) == anchor
            }
            "$recursiveRef" => is_recursive_anchor(value),
            _ => false,
        };
        if dynamic {
            Target::Dynamic(target)
        } else {
            Target::Node(target)
        }
    }

    fn look_up(&self, site: Site<'_>, schemas: &Schemas) -> Found {
        if !registries::is_uri(site.text) {
            return Found::Nothing;
        }
        let resource = schemas.resource(site.resource);
        let registry = self.own.get(&resource.contract_root).unwrap_or(self.shared);
        let found = registry
            .resolver(resource.base.clone())
            .lookup(site.text)
            .ok()
            .and_then(|it| self.stand_ins.find(self.index, it.contents()));
        if let Some(id) = found {
            return Found::Node(id);
        }
        let Ok(target) = uri::resolve_against(&resource.base.borrow(), site.text) else {
            return Found::Nothing;
        };
        let file = target.as_str().split('#').next().unwrap_or_default();
        if let Some(root) = self.remotes.get(file).copied()
            && schemas.facts(root).is_none()
        {
            if !is_schema(self.index.value(root)) {
                return Found::Node(root);
            }
            let mut wanted = self.wanted.borrow_mut();
            wanted.entry(root).or_insert(site.dialect);
            return Found::Unknown;
        }
        let known = SPECIFICATIONS
            .resolver(target.clone())
            .lookup(target.as_str());
        if known.is_ok()
            && let Some(dialect) = Dialect::described_at(target.as_str())
        {
            return Found::Meta(dialect);
        }
        if self.documents.is_unread(file) {
            Found::Unknown
        } else {
            Found::Nothing
        }
    }

    fn explain(&self, site: Site<'_>, schemas: &Schemas) -> Diagnostic {
        let missing = Unresolved {
            documents: self.documents,
            index: self.index,
            schemas,
        };
        let resource = schemas.resource(site.resource);
        missing.explain(site.id, site.text, resource, self.place(site))
    }

    fn not_a_schema(&self, site: Site<'_>, found: NodeId) -> Diagnostic {
        let document = self.index.document(found);
        let what = match document.kind {
            _ if !is_schema(self.index.value(found)) => {
                super::documents::type_name(self.index.value(found))
            }
            Kind::Tool | Kind::Tools => "part of a tool that is no schema",
            Kind::Elicitation => "part of an elicitation that is no schema",
            Kind::Resource | Kind::Prompt | Kind::Server => "a file without schemas",
            Kind::Input
            | Kind::Output
            | Kind::Schema
            | Kind::Variables
            | Kind::Arguments
            | Kind::Remote => "no schema",
        };
        let message = format!("`{}` leads to {what}, not to a schema", site.text);
        Diagnostic::new(Id::UnresolvedRef, message)
            .at(self.place(site), "not a schema")
            .and_at(self.index.place(found), "this is what it leads to")
    }

    fn place(&self, site: Site<'_>) -> Place {
        let pointer = self.index.pointer(site.id).child(site.keyword);
        self.index.document(site.id).place_of(pointer)
    }
}

/// The same finding where the settings allow it: a reference that is not followed.
fn accepts_anything(fault: Diagnostic) -> Diagnostic {
    Diagnostic {
        id: Id::AcceptsAnything,
        message: format!("{}: anything is accepted here", fault.message),
        ..fault
    }
}

/// Two shared files that claim one `$id`: which one a reference means would be chance.
fn duplicate_ids(index: &Index<'_>, schemas: &Schemas, diagnostics: &mut Diagnostics) {
    let mut first = BTreeMap::new();
    for site in schemas.order() {
        let Some(facts) = schemas.facts(*site) else {
            continue;
        };
        let resource = schemas.resource(facts.resource);
        let whole_file = index.parent(resource.contract_root).is_none();
        if resource.root != *site || !whole_file {
            continue;
        }
        if let Some(other) = first.insert(resource.base.as_str(), *site) {
            let keyword = facts.dialect.id_keyword();
            let place = |id| {
                index
                    .document(id)
                    .place_of(index.pointer(id).child(keyword))
            };
            diagnostics.push(
                Diagnostic::new(
                    Id::InvalidSchema,
                    format!("`{}` names two schemas", resource.base.as_str()),
                )
                .at(place(*site), "the same again")
                .and_at(place(other), "first here")
                .help(format!(
                    "give each schema an `{keyword}` of its own, or none"
                )),
            );
        }
    }
}

fn is_recursive_anchor(value: &Value) -> bool {
    value.get("$recursiveAnchor") == Some(&Value::Bool(true))
}

/// A dynamic reference with only one schema it can ever mean is an ordinary one. What remains marks
/// its resource, and those it may lead into.
fn settle_dynamic(index: &Index<'_>, schemas: &mut Schemas) {
    let mut anchors: BTreeMap<&str, u32> = BTreeMap::new();
    let mut recursive = 0_u32;
    for id in schemas.order() {
        let value = index.value(*id);
        match schemas.facts(*id).map(|it| it.dialect) {
            Some(Dialect::Draft202012) => {
                if let Some(anchor) = value.get("$dynamicAnchor").and_then(Value::as_str) {
                    *anchors.entry(anchor).or_default() += 1;
                }
            }
            Some(Dialect::Draft201909) => recursive += u32::from(is_recursive_anchor(value)),
            Some(Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7) | None => {}
        }
    }
    let ambiguous = |id: NodeId| {
        let value = index.value(id);
        let anchor = value.get("$dynamicAnchor").and_then(Value::as_str);
        anchor
            .and_then(|it| anchors.get(it))
            .is_some_and(|count| *count > 1)
            || (recursive > 1 && is_recursive_anchor(value))
    };
    schemas.update_links(|link| match link.target {
        Target::Dynamic(id) if !ambiguous(id) => Target::Node(id),
        target => target,
    });
    let dynamic: Vec<ResourceId> = schemas
        .order()
        .iter()
        .filter_map(|id| Some((*id, schemas.facts(*id)?)))
        .filter(|(id, facts)| {
            facts.references.len() > 1 || depends_on_scope(facts) || ambiguous(*id)
        })
        .map(|(_, facts)| facts.resource)
        .collect();
    for resource in dynamic {
        schemas.mark_dynamic(resource);
    }
}

fn depends_on_scope(facts: &super::schemas::Facts) -> bool {
    facts
        .references
        .iter()
        .any(|it| matches!(it.target, Target::Dynamic(_)))
}
