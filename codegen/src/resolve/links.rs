//! Follows every reference of every schema, through `referencing`, never through the network.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
};

use referencing::{Registry, ResourceRef, Retrieve, SPECIFICATIONS, Uri, UriRef, uri};
use serde_json::Value;

use super::{
    dialect::Dialect,
    documents::{Documents, Kind},
    index::{Index, NodeId},
    schemas::{Link, ResourceId, Schemas, Target, file_uri, reference_keywords},
    unresolved::Unresolved,
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id};

/// Finds the target of every reference; what only a reference shows to be a schema is taken in.
pub(super) fn link(
    documents: &Documents,
    index: &Index<'_>,
    schemas: &mut Schemas,
    diagnostics: &mut Diagnostics,
) {
    let broken = broken_roots(index, schemas, diagnostics);
    let Some(shared) = shared_registry(documents, index, schemas, &broken, diagnostics) else {
        return;
    };
    let own = own_registries(&shared, index, schemas, &broken);
    let linker = Linker {
        documents,
        index,
        shared: &shared,
        own: &own,
        broken: &broken,
    };
    let mut at = 0;
    // Islands are appended while this runs.
    while let Some(site) = schemas.order().get(at).copied() {
        at += 1;
        linker.link_schema(site, schemas, diagnostics);
    }
    settle_dynamic(index, schemas);
}

/// Contract roots that hold a reference which is not even a URI, They are left out of the
/// registries, which would refuse to be built as a whole.
type Broken = BTreeSet<NodeId>;

fn broken_roots(index: &Index<'_>, schemas: &Schemas, diagnostics: &mut Diagnostics) -> Broken {
    let mut broken = Broken::new();
    for site in schemas.order() {
        let Some(facts) = schemas.facts(*site) else {
            continue;
        };
        for (keyword, text) in reference_keywords(index.value(*site), facts.dialect) {
            if text.starts_with('#') || UriRef::parse(text).is_ok() {
                continue;
            }
            broken.insert(schemas.resource(facts.resource).contract_root);
            let place = index
                .document(*site)
                .place_of(index.pointer(*site).child(keyword));
            diagnostics.push(
                Diagnostic::new(
                    Id::UnresolvedRef,
                    format!("`{text}` is not a URI reference"),
                )
                .at(place, "not a URI reference (RFC 3986)")
                .help("use forward slashes, and write other characters as `%20`"),
            );
        }
    }
    broken
}

/// Answers every request with `null`, which is no value of ours: a missing resource is found out
/// one reference at a time, so that all of them are reported.
struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, _uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Ok(Value::Null)
    }
}

/// What every schema can refer to: all files by their paths, and what they name by `$id`.
fn shared_registry<'d>(
    documents: &'d Documents,
    index: &Index<'d>,
    schemas: &Schemas,
    broken: &Broken,
    diagnostics: &mut Diagnostics,
) -> Option<Registry<'d>> {
    duplicate_ids(index, schemas, diagnostics);
    let files = documents
        .iter()
        .zip(index.roots())
        .filter(|(_, root)| !broken.contains(root));
    let resources = files.map(|(document, root)| {
        let dialect = schemas
            .facts(root)
            .map_or(super::dialect::DEFAULT, |it| it.dialect);
        (
            file_uri(&document.path),
            ResourceRef::new(&document.value, dialect.draft()),
        )
    });
    let registry = Registry::new()
        .retrieve_known_draft_meta_schemas(false)
        .retriever(Nothing)
        .extend(resources)
        .and_then(referencing::RegistryBuilder::prepare);
    match registry {
        Ok(registry) => Some(registry),
        Err(error) => {
            diagnostics.push(Diagnostic::new(
                Id::UnresolvedRef,
                format!("the references of this contract cannot be followed: {error}"),
            ));
            None
        }
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

/// What the schemas of tools name by `$id` is known only to themselves: each is published as a
/// document of its own, and dumps of servers repeat ids.
fn own_registries<'r>(
    shared: &'r Registry<'r>,
    index: &Index<'r>,
    schemas: &Schemas,
    broken: &Broken,
) -> BTreeMap<NodeId, Registry<'r>> {
    let mut own = BTreeMap::new();
    for root in schemas.order() {
        let Some(facts) = schemas.facts(*root) else {
            continue;
        };
        let resource = schemas.resource(facts.resource);
        let inside_file = index.parent(*root).is_some();
        if resource.contract_root != *root || !inside_file || broken.contains(root) {
            continue;
        }
        let at = super::schemas::root_uri(index.document(*root), &index.pointer(*root));
        let schema = ResourceRef::new(index.value(*root), facts.dialect.draft());
        let registry = shared.add(at, schema).and_then(|it| {
            it.retrieve_known_draft_meta_schemas(false)
                .retriever(Nothing)
                .prepare()
        });
        // Without one, its references are looked up among the shared files and reported there.
        if let Ok(registry) = registry {
            own.insert(*root, registry);
        }
    }
    own
}

struct Linker<'a, 'd> {
    documents: &'a Documents,
    index: &'a Index<'d>,
    shared: &'a Registry<'a>,
    own: &'a BTreeMap<NodeId, Registry<'a>>,
    broken: &'a Broken,
}

impl Linker<'_, '_> {
    fn link_schema(&self, site: NodeId, schemas: &mut Schemas, diagnostics: &mut Diagnostics) {
        let Some(facts) = schemas.facts(site) else {
            return;
        };
        let (dialect, resource) = (facts.dialect, facts.resource);
        if self
            .broken
            .contains(&schemas.resource(resource).contract_root)
        {
            return;
        }
        for (keyword, text) in reference_keywords(self.index.value(site), dialect) {
            let target = self.follow(site, keyword, text, resource, schemas, diagnostics);
            schemas.add_link(site, Link { keyword, target });
        }
    }

    fn follow(
        &self,
        site: NodeId,
        keyword: &'static str,
        text: &str,
        resource: ResourceId,
        schemas: &mut Schemas,
        diagnostics: &mut Diagnostics,
    ) -> Target {
        let found = match self.look_up(text, resource, schemas) {
            Found::Node(id) => id,
            Found::Meta(dialect) => return Target::Meta(dialect),
            Found::Nothing => {
                self.report(site, keyword, text, resource, schemas, diagnostics);
                return Target::Unresolved;
            }
        };
        let value = self.index.value(found);
        let is_schema = super::documents::is_schema(value)
            && (schemas.facts(found).is_some()
                || schemas.visit_island(self.index, found, diagnostics));
        if !is_schema {
            diagnostics.push(self.not_a_schema(site, keyword, text, found));
            return Target::Unresolved;
        }
        let dynamic = match keyword {
            "$dynamicRef" => {
                let anchor = text.rsplit_once('#').map(|(_, fragment)| fragment);
                anchor.is_some() && value.get("$dynamicAnchor").and_then(Value::as_str) == anchor
            }
            "$recursiveRef" => is_recursive_anchor(value),
            _ => false,
        };
        if dynamic {
            Target::Dynamic(found)
        } else {
            Target::Node(found)
        }
    }

    fn look_up(&self, text: &str, resource: ResourceId, schemas: &Schemas) -> Found {
        let resource = schemas.resource(resource);
        let registry = self.own.get(&resource.contract_root).unwrap_or(self.shared);
        let found = registry
            .resolver(resource.base.clone())
            .lookup(text)
            .ok()
            .and_then(|it| self.index.find(it.contents()));
        if let Some(id) = found {
            return Found::Node(id);
        }
        let meta = uri::resolve_against(&resource.base.borrow(), text)
            .ok()
            .and_then(|target| {
                SPECIFICATIONS
                    .resolver(target.clone())
                    .lookup(target.as_str())
                    .ok()?;
                Dialect::described_at(target.as_str())
            });
        meta.map_or(Found::Nothing, Found::Meta)
    }

    fn report(
        &self,
        site: NodeId,
        keyword: &'static str,
        text: &str,
        resource: ResourceId,
        schemas: &Schemas,
        diagnostics: &mut Diagnostics,
    ) {
        let resource = schemas.resource(resource);
        let missing = Unresolved {
            documents: self.documents,
            index: self.index,
            schemas,
        };
        let place = self
            .index
            .document(site)
            .place_of(self.index.pointer(site).child(keyword));
        if let Some(target) = missing.file_of(text, resource)
            && self.broken.contains(&target)
        {
            // That file could not be taken in, which is reported already.
            return;
        }
        diagnostics.push(missing.explain(site, text, resource, place));
    }

    fn not_a_schema(
        &self,
        site: NodeId,
        keyword: &'static str,
        text: &str,
        found: NodeId,
    ) -> Diagnostic {
        let document = self.index.document(found);
        let what = match document.kind {
            _ if !super::documents::is_schema(self.index.value(found)) => {
                super::documents::type_name(self.index.value(found))
            }
            Kind::Tool | Kind::Tools => "part of a tool that is no schema",
            Kind::Resource | Kind::Prompt | Kind::Server => "a file without schemas",
            Kind::Input | Kind::Output | Kind::Schema => "no schema",
        };
        let place = self
            .index
            .document(site)
            .place_of(self.index.pointer(site).child(keyword));
        Diagnostic::new(
            Id::UnresolvedRef,
            format!("`{text}` leads to {what}, not to a schema"),
        )
        .at(place, "not a schema")
        .and_at(self.index.place(found), "this is what it leads to")
    }
}

enum Found {
    Node(NodeId),
    Meta(Dialect),
    Nothing,
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
