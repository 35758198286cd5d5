//! What references are looked up in: `referencing`'s registries over the files of a run.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    error::Error,
};

use referencing::{Registry, RegistryBuilder, ResourceRef, Retrieve, Uri, UriRef, uri};
use serde_json::Value;

use super::{
    documents::{Documents, Kind},
    index::{Index, NodeId, address},
    schemas::{Schemas, reference_keywords, root_uri},
};

/// Copies of the schemas that a registry would refuse as a whole, because a `$ref` or `$id` somewhere
/// in them is no URI. The copies lack those, which are reported one by one.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    copies: BTreeMap<NodeId, Value>,
    /// What each value of a copy stands for. Only ever asked, never iterated.
    originals: HashMap<usize, NodeId>,
}

impl StandIns {
    pub(super) fn new(index: &Index<'_>, schemas: &Schemas) -> Self {
        let mut faulty: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
        for site in schemas.order() {
            let Some(facts) = schemas.facts(*site) else {
                continue;
            };
            let value = index.value(*site);
            let names = [facts.dialect.id_keyword()].map(|it| (it, value.get(it)));
            let names = names
                .iter()
                .filter_map(|(key, it)| Some((*key, it.as_ref()?.as_str()?)));
            let references = reference_keywords(value, facts.dialect);
            for (key, _) in names.chain(references).filter(|(_, text)| !is_uri(text)) {
                let root = schemas.resource(facts.resource).contract_root;
                faulty
                    .entry(root)
                    .or_default()
                    .extend(index.step(*site, key));
            }
        }
        let copies = faulty
            .into_iter()
            .map(|(root, faulty)| (root, copy_without(index, root, &faulty)));
        let mut stand_ins = Self {
            copies: copies.collect(),
            originals: HashMap::new(),
        };
        // From here on the copies stay where they are.
        for (root, copy) in &stand_ins.copies {
            note_originals(index, *root, copy, &mut stand_ins.originals);
        }
        stand_ins
    }

    /// What a registry should take for the schema at `root`.
    fn value<'s>(&'s self, index: &Index<'s>, root: NodeId) -> &'s Value {
        self.copies.get(&root).unwrap_or_else(|| index.value(root))
    }

    /// The value that a registry has found.
    pub(super) fn find(&self, index: &Index<'_>, value: &Value) -> Option<NodeId> {
        index
            .find(value)
            .or_else(|| self.originals.get(&address(value)).copied())
    }
}

/// Whether a text can be resolved against a base. A fragment by itself need not be: it is looked up as
/// it is written.
pub(super) fn is_uri(text: &str) -> bool {
    text.starts_with('#') || is_uri_reference(text)
}

/// Whether a text is what RFC 3986 calls a URI reference.
pub(super) fn is_uri_reference(text: &str) -> bool {
    UriRef::parse(text).is_ok()
}

/// The same value with `null` in some places, so that the others can still be told by their order.
fn copy_without(index: &Index<'_>, id: NodeId, faulty: &BTreeSet<NodeId>) -> Value {
    if faulty.contains(&id) {
        return Value::Null;
    }
    let inner = |child: &Value| match index.find(child) {
        Some(child) => copy_without(index, child, faulty),
        None => child.clone(),
    };
    match index.value(id) {
        Value::Object(members) => members
            .iter()
            .map(|(key, it)| (key.clone(), inner(it)))
            .collect(),
        Value::Array(items) => items.iter().map(inner).collect(),
        other => other.clone(),
    }
}

fn note_originals(
    index: &Index<'_>,
    id: NodeId,
    copy: &Value,
    originals: &mut HashMap<usize, NodeId>,
) {
    originals.insert(address(copy), id);
    let mut note = |child: Option<NodeId>, copy: &Value| {
        if let Some(child) = child {
            note_originals(index, child, copy, originals);
        }
    };
    match (index.value(id), copy) {
        (Value::Object(members), Value::Object(copies)) => {
            for (member, copy) in members.values().zip(copies.values()) {
                note(index.find(member), copy);
            }
        }
        (Value::Array(items), Value::Array(copies)) => {
            for (item, copy) in items.iter().zip(copies) {
                note(index.find(item), copy);
            }
        }
        _ => {}
    }
}

/// Answers every request with `null`, which is no value of ours: a missing resource is found out
/// one reference at a time, so that all of them are reported.
struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, _uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Ok(Value::Null)
    }
}

/// What every schema can refer to: all files by their paths or URLs, and what they name by `$id`. Of
/// the copies of remote files, those that something has been found to refer to.
pub(super) fn shared<'d>(
    documents: &'d Documents,
    index: &Index<'d>,
    schemas: &Schemas,
    stand_ins: &'d StandIns,
) -> Result<Registry<'d>, referencing::Error> {
    let files = documents.all().zip(index.roots());
    let resources = files
        .filter(|(document, root)| document.kind != Kind::Remote || schemas.facts(*root).is_some())
        .map(|(document, root)| {
            let facts = schemas.facts(root);
            let dialect = facts.map_or(super::dialect::DEFAULT, |it| it.dialect);
            let value = stand_ins.value(index, root);
            (
                document.uri.clone(),
                ResourceRef::new(value, dialect.draft()),
            )
        });
    Registry::new()
        .retrieve_known_draft_meta_schemas(false)
        .retriever(Nothing)
        .extend(resources)
        .and_then(RegistryBuilder::prepare)
}

/// What the schemas of tools name by `$id` is known only to themselves: each is published as a
/// document of its own, and dumps of servers repeat ids.
pub(super) fn own<'r>(
    shared: &'r Registry<'r>,
    index: &Index<'r>,
    schemas: &Schemas,
    stand_ins: &'r StandIns,
) -> BTreeMap<NodeId, Registry<'r>> {
    let mut own = BTreeMap::new();
    for root in schemas.order() {
        let Some(facts) = schemas.facts(*root) else {
            continue;
        };
        let inside_file = index.parent(*root).is_some();
        if schemas.resource(facts.resource).contract_root != *root || !inside_file {
            continue;
        }
        let at = root_uri(index.document(*root), &index.pointer(*root));
        let value = stand_ins.value(index, *root);
        let schema = ResourceRef::new(value, facts.dialect.draft());
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

/// The copies of remote files by their URLs, and by what they call themselves at their roots.
pub(super) fn remotes(documents: &Documents, index: &Index<'_>) -> BTreeMap<String, NodeId> {
    let mut remotes = BTreeMap::new();
    let files = documents.all().zip(index.roots());
    for (document, root) in files.filter(|(document, _)| document.kind == Kind::Remote) {
        for keyword in ["$id", "id"] {
            let name = document.value.get(keyword).and_then(Value::as_str);
            let name = name.and_then(|it| uri::resolve_against(&document.uri.borrow(), it).ok());
            if let Some(name) = name {
                let name = name.as_str().trim_end_matches('#').to_owned();
                remotes.entry(name).or_insert(root);
            }
        }
    }
    // Where a file stands counts more than what another one calls itself.
    let files = documents.all().zip(index.roots());
    for (document, root) in files.filter(|(document, _)| document.kind == Kind::Remote) {
        remotes.insert(document.uri.as_str().to_owned(), root);
    }
    remotes
}
