//! Which values of the documents are schemas, in which dialect and under which base URI.
//!
//! A schema is a root, what a keyword of its dialect says is a subschema, or what a reference
//! leads to. Everything else is data: nothing looks for schemas in `default`, `enum`, `const`,
//! `examples` or unknown keywords.

use std::collections::BTreeMap;

use referencing::{ResourceRef, Uri, uri};
use serde_json::Value;

use super::{
    dialect::{self, Declared, Dialect},
    documents::Document,
    index::{Index, NodeId},
    vocabularies,
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id, Pointer};

/// The prefix of the URIs that stand for contract files. Nothing is ever fetched from them. The
/// first path segment is the contract root, so that a `..` too many leaves it visibly.
pub(super) const ROOT_URI: &str = "contract:///-/";

/// The schemas found so far.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// By node; `None` for what is not a schema.
    facts: Vec<Option<Facts>>,
    resources: Vec<Resource>,
    order: Vec<NodeId>,
    /// The dialects of schemas whose `$schema` names none, as the settings say.
    dialects: BTreeMap<String, Dialect>,
}

/// What is known about one schema.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) dialect: Dialect,
    pub(super) resource: ResourceId,
    /// The schema that holds this one, when a keyword says so.
    pub(super) parent: Option<NodeId>,
    pub(super) references: Vec<Link>,
}

/// An index into the schema resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ResourceId(usize);

/// A schema with its own base URI, and everything below it that has no other.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    pub(super) root: NodeId,
    pub(super) base: Uri<String>,
    /// The root that it was found under: it decides which other resources are known.
    pub(super) contract_root: NodeId,
    /// Whether something in it depends on the dynamic scope.
    pub(super) dynamic: bool,
}

/// A keyword of a schema that refers to another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) keyword: &'static str,
    pub(super) target: Target,
}

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Node(NodeId),
    /// There unless the dynamic scope says otherwise.
    Dynamic(NodeId),
    /// Into the meta-schemas of a dialect, which every validator knows.
    Meta(Dialect),
    /// Nowhere; reported.
    Unresolved,
    /// Nowhere, and the settings say that anything is accepted then; warned of.
    Anything,
}

impl Schemas {
    /// Finds all schemas below the roots.
    pub(super) fn find(
        index: &Index<'_>,
        roots: &[NodeId],
        dialects: &BTreeMap<String, Dialect>,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut schemas = Self {
            facts: vec![None; index.len()],
            resources: Vec::new(),
            order: Vec::new(),
            dialects: dialects.clone(),
        };
        for root in roots {
            let base = root_uri(index.document(*root), &index.pointer(*root));
            let resource = schemas.add_resource(*root, base, *root);
            schemas.visit(index, *root, resource, dialect::DEFAULT, diagnostics);
        }
        schemas
    }

    /// Every schema, in the order it was found.
    pub(super) fn order(&self) -> &[NodeId] {
        &self.order
    }

    pub(super) fn facts(&self, id: NodeId) -> Option<&Facts> {
        self.facts[id.at()].as_ref()
    }

    pub(super) fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.0]
    }

    pub(super) fn add_link(&mut self, site: NodeId, link: Link) {
        if let Some(facts) = &mut self.facts[site.at()] {
            facts.references.push(link);
        }
    }

    /// Changes every link; used when all of them are known.
    pub(super) fn update_links(&mut self, update: impl Fn(&Link) -> Target) {
        for facts in self.facts.iter_mut().flatten() {
            for link in &mut facts.references {
                link.target = update(link);
            }
        }
    }

    /// What `$schema` of a schema says, by the settings and by itself.
    pub(super) fn declared<'v>(&self, schema: &'v Value) -> Declared<'v> {
        Dialect::declared_by(schema, &self.dialects)
    }

    /// The dialect to publish in place of what `$schema` of a schema names.
    pub(super) fn renamed_dialect(&self, schema: &Value) -> Option<Dialect> {
        Dialect::renamed(schema, &self.dialects)
    }

    pub(super) fn mark_dynamic(&mut self, id: ResourceId) {
        self.resources[id.0].dynamic = true;
    }

    /// The dialect and resource that hold at a place: those of the nearest schema around it.
    pub(super) fn surroundings(&self, index: &Index<'_>, id: NodeId) -> Option<&Facts> {
        let mut at = Some(id);
        while let Some(here) = at {
            if let Some(facts) = self.facts(here) {
                return Some(facts);
            }
            at = index.parent(here);
        }
        None
    }

    /// Takes in a file that has become a schema because something refers to it: it is read by its own
    /// `$schema`, else by the rules of what refers to it.
    pub(super) fn visit_remote(
        &mut self,
        index: &Index<'_>,
        root: NodeId,
        dialect: Dialect,
        diagnostics: &mut Diagnostics,
    ) {
        let base = root_uri(index.document(root), &Pointer::root());
        let resource = self.add_resource(root, base, root);
        self.visit(index, root, resource, dialect, diagnostics);
    }

    /// Forgets where references lead.
    pub(super) fn clear_links(&mut self) {
        for facts in self.facts.iter_mut().flatten() {
            facts.references.clear();
        }
    }

    /// Takes in a value that only a reference declares to be a schema. `false` when it stands in no
    /// schema at all.
    pub(super) fn visit_island(
        &mut self,
        index: &Index<'_>,
        id: NodeId,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let Some((resource, dialect)) = self
            .surroundings(index, id)
            .map(|it| (it.resource, it.dialect))
        else {
            return false;
        };
        self.visit(index, id, resource, dialect, diagnostics);
        true
    }

    fn add_resource(
        &mut self,
        root: NodeId,
        base: Uri<String>,
        contract_root: NodeId,
    ) -> ResourceId {
        self.resources.push(Resource {
            root,
            base,
            contract_root,
            dynamic: false,
        });
        ResourceId(self.resources.len() - 1)
    }

    fn visit(
        &mut self,
        index: &Index<'_>,
        start: NodeId,
        resource: ResourceId,
        dialect: Dialect,
        diagnostics: &mut Diagnostics,
    ) {
        let mut pending = vec![(start, None, resource, dialect)];
        while let Some((id, parent, resource, inherited)) = pending.pop() {
            if self.facts(id).is_some() {
                continue;
            }
            let value = index.value(id);
            let dialect = self.declared_dialect(index, id, inherited, diagnostics);
            let resource = self.enter(index, id, resource, dialect, diagnostics);
            self.facts[id.at()] = Some(Facts {
                dialect,
                resource,
                parent,
                references: Vec::new(),
            });
            self.order.push(id);
            let children = dialect
                .draft()
                .subresources_of(value)
                .chain(type_parameters(value))
                .filter_map(|it| index.find(it));
            let first = pending.len();
            pending.extend(children.map(|child| (child, Some(id), resource, dialect)));
            // A stack gives back the last first; document order is wanted.
            pending[first..].reverse();
        }
    }

    fn declared_dialect(
        &self,
        index: &Index<'_>,
        id: NodeId,
        inherited: Dialect,
        diagnostics: &mut Diagnostics,
    ) -> Dialect {
        match self.declared(index.value(id)) {
            Declared::Nothing => inherited,
            Declared::Known(dialect) => dialect,
            Declared::Unknown(uri) => {
                diagnostics.push(vocabularies::unknown(index, id, uri, &self.dialects));
                inherited
            }
        }
    }

    /// The resource of a schema: its own when it has an `$id`, else the one around it.
    fn enter(
        &mut self,
        index: &Index<'_>,
        id: NodeId,
        outer: ResourceId,
        dialect: Dialect,
        diagnostics: &mut Diagnostics,
    ) -> ResourceId {
        let schema = ResourceRef::new(index.value(id), dialect.draft());
        let Some(name) = schema
            .id()
            .filter(|it| !it.is_empty() && !it.starts_with('#'))
        else {
            return outer;
        };
        let Resource {
            root,
            base,
            contract_root,
            ..
        } = self.resource(outer).clone();
        match uri::resolve_against(&base.borrow(), name) {
            Ok(base) if root == id => {
                self.resources[outer.0].base = base;
                outer
            }
            Ok(base) => self.add_resource(id, base, contract_root),
            Err(_) => {
                let keyword = dialect.id_keyword();
                let place = index
                    .document(id)
                    .place_of(index.pointer(id).child(keyword));
                diagnostics.push(
                    Diagnostic::new(
                        Id::InvalidSchema,
                        format!("`{name}` is not a valid `{keyword}`"),
                    )
                    .at(place, "not a URI reference (RFC 3986)"),
                );
                outer
            }
        }
    }
}

/// The schemas of the generic parameters that `x-rust-type` gives.
fn type_parameters(schema: &Value) -> impl Iterator<Item = &Value> {
    let parameters = schema.pointer("/x-rust-type/parameters");
    let all = parameters.and_then(Value::as_array).into_iter().flatten();
    all.filter(|it| it.is_object() || it.is_boolean())
}

/// The URI that stands for a contract file.
pub(super) fn file_uri(path: &str) -> Uri<String> {
    to_uri(&format!("{ROOT_URI}{}", encode(path)))
}

/// The URI that stands for a schema root: of the whole file, or of a place inside it. Such a place
/// goes into the query, so that relative references still start from the file's folder, and `#`
/// means the root and not the file.
pub(super) fn root_uri(document: &Document, pointer: &Pointer) -> Uri<String> {
    if *pointer == Pointer::root() {
        return document.uri.clone();
    }
    to_uri(&format!("{}?{}", document.uri, encode(pointer.as_str())))
}

fn to_uri(text: &str) -> Uri<String> {
    uri::from_str(text).expect("a fixed scheme and a percent-encoded path make a URI")
}

/// Whether URLs may begin with this text: scheme, host, and a path that ends in a slash.
pub(crate) fn is_url_prefix(text: &str) -> bool {
    let scheme = ["http://", "https://"]
        .iter()
        .find(|it| text.starts_with(**it));
    let Some(scheme) = scheme else { return false };
    let has_host = text[scheme.len()..].find('/').is_some_and(|it| it > 0);
    has_host && text.ends_with('/') && !text.contains(['?', '#']) && uri::from_str(text).is_ok()
}

/// Whether a text is a URI with a scheme (RFC 3986).
pub(crate) fn is_uri(text: &str) -> bool {
    // A text without a scheme would be read as relative to some URI.
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_letter = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
    scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.chars().all(is_letter)
        && uri::from_str(text).is_ok()
}

/// Percent-encodes everything that a URI's path, query or fragment cannot hold.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = uri::EncodedBuffer::new();
    encoded.encode_str::<uri::Path>(text);
    encoded.as_str().to_owned()
}

/// The keywords of a schema that refer to another one, with their text.
pub(super) fn reference_keywords(value: &Value, dialect: Dialect) -> Vec<(&'static str, &str)> {
    let keywords: &[&'static str] = match dialect {
        Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 => &["$ref"],
        Dialect::Draft201909 => &["$ref", "$recursiveRef"],
        Dialect::Draft202012 => &["$ref", "$dynamicRef"],
    };
    keywords
        .iter()
        .filter_map(|it| Some((*it, value.get(*it)?.as_str()?)))
        .collect()
}
