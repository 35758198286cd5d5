//! Self-contained copies of schemas: what is published, and what validators are built from.
//!
//! The schema itself is copied as its author wrote it. Each schema outside of it that a reference
//! needs goes into its definitions, once, under a readable name, and the reference is rewritten to
//! lead there. Some things need more than that:
//!
//! - A schema of another dialect cannot stand among definitions of this one. All those of one
//!   dialect share an embedded resource that names the dialect and has an `$id` to refer to.
//! - Inside an embedded resource of the author's own, `#/…` means that resource, so it refers to
//!   such a shared resource as well.
//! - A resource whose meaning depends on the dynamic scope is copied whole, with its anchors.
//! - Validators know the meta-schemas of the dialect of a document, not those of others, so these
//!   are embedded where a reference leads into them.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
};

use referencing::{ResourceRef, uri};
use serde_json::{Map, Value};

use super::{
    SchemaSet,
    dialect::{self, Dialect},
    index::{NodeId, Segment},
    registries::is_uri_reference,
    schemas::{Facts, Link, Resource, Target, encode},
};

/// Whether the copy must say by which rules it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// `$schema` is added where there is none.
    Dialect,
    AsWritten,
}

/// A self-contained copy of the schema at `root`.
pub(super) fn bundle(set: &SchemaSet<'_>, root: NodeId, heading: Heading) -> Value {
    let mut bundler = Bundler::new(set, root);
    let Value::Object(mut copy) = bundler.copy_root() else {
        return set.index.value(root).clone();
    };
    bundler.copy_outside();
    bundler.add_definitions(&mut copy);
    if heading == Heading::Dialect && !copy.contains_key("$schema") {
        copy.shift_insert(0, "$schema".to_owned(), Value::from(bundler.dialect.uri()));
    }
    Value::Object(copy)
}

/// Where in the copy a reference stands; decides what `#` means there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// In the schema itself.
    Main,
    /// In its definitions, copied from elsewhere.
    Definitions,
    /// In a resource with an `$id` of its own: `top` is what was copied in place around it.
    Embedded { top: NodeId },
    /// In the shared resource of a dialect.
    Shared(Dialect),
}

/// Schemas from outside, in one place of the copy.
#[derive(Debug, Default)]
struct Pool {
    names: BTreeMap<NodeId, String>,
    taken: BTreeSet<String>,
    copies: Vec<(String, Value)>,
}

struct Bundler<'s, 'd> {
    set: &'s SchemaSet<'d>,
    root: NodeId,
    dialect: Dialect,
    definitions: Pool,
    shared: BTreeMap<Dialect, Pool>,
    /// Whose meta-schemas are referred to.
    described: BTreeSet<Dialect>,
    /// What was referred to and is still to be copied, with the scope it goes to.
    pending: VecDeque<(NodeId, Scope)>,
}

impl<'d> Bundler<'_, 'd> {
    fn new<'s>(set: &'s SchemaSet<'d>, root: NodeId) -> Bundler<'s, 'd> {
        let dialect = set
            .schemas
            .surroundings(&set.index, root)
            .map_or(dialect::DEFAULT, |it| it.dialect);
        let own = set
            .index
            .value(root)
            .get(dialect.definitions())
            .and_then(Value::as_object);
        let taken = own.into_iter().flat_map(Map::keys).cloned().collect();
        Bundler {
            set,
            root,
            dialect,
            definitions: Pool {
                taken,
                ..Pool::default()
            },
            shared: BTreeMap::new(),
            described: BTreeSet::new(),
            pending: VecDeque::new(),
        }
    }

    fn copy_root(&mut self) -> Value {
        let root = self.root;
        let part = self
            .resource_of(root)
            .is_some_and(|it| it.dynamic && it.root != root);
        if part && self.set.index.value(root).is_object() {
            // The resource around it belongs to the dynamic scope, and has to stay around it.
            let address = self.refer_outside(Scope::Main, root);
            return Value::Object(Map::from_iter([("$ref".to_owned(), Value::from(address))]));
        }
        self.copy_in_place(root, Scope::Main)
    }

    /// A copy that keeps everything but references that would lose their target.
    fn copy_in_place(&mut self, id: NodeId, scope: Scope) -> Value {
        let value = self.set.index.value(id);
        let facts = self.set.schemas.facts(id);
        let scope = match (facts, scope) {
            (Some(it), Scope::Main)
                if id != self.root && self.set.schemas.resource(it.resource).root == id =>
            {
                Scope::Embedded { top: self.root }
            }
            _ => scope,
        };
        match value {
            Value::Object(members) => {
                let links = facts.map_or(&[][..], |it| &it.references);
                let renamed = facts.and_then(|_| self.set.schemas.renamed_dialect(value));
                let copy = members.iter().filter_map(|(key, member)| {
                    let link = links.iter().find(|it| it.keyword == key);
                    let member = match (link, member.as_str(), self.set.index.find(member)) {
                        (Some(link), Some(text), _) => return self.refer(scope, id, link, text),
                        (_, Some(_), _) if key == "$schema" && renamed.is_some() => {
                            Value::from(renamed?.uri())
                        }
                        (_, _, Some(member)) => self.copy_in_place(member, scope),
                        _ => member.clone(),
                    };
                    Some((key.clone(), member))
                });
                let copy = copy.collect();
                self.without_unfollowed(id, copy)
            }
            Value::Array(items) => {
                let copy = items.iter().map(|item| match self.set.index.find(item) {
                    Some(item) => self.copy_in_place(item, scope),
                    None => item.clone(),
                });
                Value::Array(copy.collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    /// A copy among definitions: without what names or anchors it, since every reference to it is
    /// rewritten, and without definitions of its own, since those that are needed stand beside it.
    fn copy_flat(&mut self, id: NodeId, start: NodeId, scope: Scope) -> Value {
        let value = self.set.index.value(id);
        let facts = self.set.schemas.facts(id);
        if let Some(facts) = facts
            && id != start
            && value.is_object()
            && facts.dialect != self.dialect_of(scope)
        {
            let target = Value::from(self.refer_outside(scope, id));
            return Value::Object(Map::from_iter([("$ref".to_owned(), target)]));
        }
        let copy_child = |bundler: &mut Self, child: &Value| match bundler.set.index.find(child) {
            Some(child) => bundler.copy_flat(child, start, scope),
            None => child.clone(),
        };
        match value {
            Value::Object(members) => {
                let mut copy = Map::new();
                for (key, member) in members {
                    let link =
                        facts.and_then(|it| it.references.iter().find(|it| it.keyword == key));
                    match (facts, link, member.as_str()) {
                        (_, Some(link), Some(text)) => {
                            copy.extend(self.refer(scope, id, link, text));
                        }
                        (Some(facts), None, _) if names_or_defines(facts.dialect, key, member) => {}
                        _ => {
                            let member = copy_child(self, member);
                            copy.insert(key.clone(), member);
                        }
                    }
                }
                self.without_unfollowed(id, copy)
            }
            Value::Array(items) => items.iter().map(|item| copy_child(self, item)).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    /// A resource as a whole, with the name and dialect that it has where it comes from.
    fn copy_resource(&mut self, root: NodeId) -> Value {
        let value = self.copy_in_place(root, Scope::Embedded { top: root });
        let (Value::Object(mut copy), Some(facts)) = (value, self.set.schemas.facts(root)) else {
            return self.set.index.value(root).clone();
        };
        let id = self.set.schemas.resource(facts.resource).base.as_str();
        copy.shift_insert(0, facts.dialect.id_keyword().to_owned(), Value::from(id));
        copy.shift_insert(0, "$schema".to_owned(), Value::from(facts.dialect.uri()));
        Value::Object(copy)
    }

    fn dialect_of(&self, scope: Scope) -> Dialect {
        match scope {
            Scope::Shared(dialect) => dialect,
            Scope::Main | Scope::Definitions | Scope::Embedded { .. } => self.dialect,
        }
    }

    fn resource_of(&self, id: NodeId) -> Option<&Resource> {
        self.set
            .schemas
            .surroundings(&self.set.index, id)
            .map(|it| self.set.schemas.resource(it.resource))
    }

    /// The copy of a schema whose reference is not followed: it accepts what it would accept if that
    /// led to `true`.
    fn without_unfollowed(&self, id: NodeId, mut copy: Map<String, Value>) -> Value {
        let facts = self.set.schemas.facts(id);
        let unfollowed = |it: &&Facts| it.references.iter().any(|it| it.target == Target::Anything);
        let Some(facts) = facts.filter(unfollowed) else {
            return Value::Object(copy);
        };
        if facts.dialect.ref_hides_siblings() {
            let is_root = id == self.root;
            copy.retain(|key, member| {
                names_or_defines(facts.dialect, key, member)
                    || matches!(key.as_str(), "title" | "description")
                    // The protocol wants it of a tool's schema, whatever the dialect makes of it.
                    || (is_root && key == "type" && member == "object")
            });
        }
        // The root is published as an object, and draft-04 has no `true`.
        if copy.is_empty() && id != self.root && facts.dialect != Dialect::Draft4 {
            Value::Bool(true)
        } else {
            Value::Object(copy)
        }
    }

    /// A referring keyword as the copy must have it; `None` when it must not have it.
    fn refer(
        &mut self,
        scope: Scope,
        site: NodeId,
        link: &Link,
        text: &str,
    ) -> Option<(String, Value)> {
        let keep = (link.keyword.to_owned(), Value::from(as_uri(text)));
        Some(match link.target {
            Target::Anything => return None,
            Target::Unresolved => keep,
            Target::Meta(dialect) => {
                if dialect != self.dialect {
                    self.described.insert(dialect);
                }
                match scope {
                    Scope::Main | Scope::Embedded { .. } => keep,
                    Scope::Definitions | Scope::Shared(_) => {
                        let base = self.resource_of(site).map(|it| it.base.clone());
                        let whole =
                            base.and_then(|it| uri::resolve_against(&it.borrow(), text).ok());
                        whole.map_or(keep, |it| {
                            (link.keyword.to_owned(), Value::from(it.as_str()))
                        })
                    }
                }
            }
            Target::Dynamic(target) => {
                if self.still_leads(scope, site, text, target) {
                    return Some(keep);
                }
                let address = self.refer_outside(scope, target);
                let address = address.split('#').next().unwrap_or_default().to_owned();
                match (link.keyword, text.rsplit_once('#')) {
                    ("$dynamicRef", Some((_, anchor))) => (
                        link.keyword.to_owned(),
                        Value::from(format!("{address}#{anchor}")),
                    ),
                    _ => ("$ref".to_owned(), Value::from(address)),
                }
            }
            Target::Node(target) => match self.refer_to(scope, site, text, target) {
                None => keep,
                Some(address) => {
                    // `$recursiveRef` may only be `#`. A `$dynamicRef` with a pointer is a `$ref`.
                    let keyword = if link.keyword == "$recursiveRef" {
                        "$ref"
                    } else {
                        link.keyword
                    };
                    (keyword.to_owned(), Value::from(address))
                }
            },
        })
    }

    /// What was copied in place around a reference.
    fn top_of(&self, scope: Scope) -> Option<NodeId> {
        match scope {
            Scope::Main => Some(self.root),
            Scope::Embedded { top } => Some(top),
            Scope::Definitions | Scope::Shared(_) => None,
        }
    }

    /// Whether the resource of `id` is copied in place as a whole, so that `#` keeps its meaning.
    fn holds_resource(&self, top: NodeId, id: NodeId) -> bool {
        self.resource_of(id)
            .is_some_and(|it| self.set.index.contains(top, it.root))
    }

    /// The new text of a reference; `None` when the old one still leads to the same schema.
    fn refer_to(
        &mut self,
        scope: Scope,
        site: NodeId,
        text: &str,
        target: NodeId,
    ) -> Option<String> {
        if self.still_leads(scope, site, text, target) {
            return None;
        }
        let index = &self.set.index;
        let beside =
            matches!(scope, Scope::Main | Scope::Definitions) && index.contains(self.root, target);
        let resource = |id| self.resource_of(id).map(|it| it.root);
        if beside && resource(target) == resource(self.root) {
            return Some(format!(
                "#{}",
                encode(index.pointer_from(self.root, target).as_str())
            ));
        }
        Some(self.refer_outside(scope, target))
    }

    /// Whether a reference copied in place leads to the same schema as before.
    fn still_leads(&self, scope: Scope, site: NodeId, text: &str, target: NodeId) -> bool {
        let Some(top) = self
            .top_of(scope)
            .filter(|it| self.set.index.contains(*it, target))
        else {
            return false;
        };
        // A resource that is copied as a whole is given its full base URI.
        let whole = top != self.root;
        let local = text.starts_with('#') && self.holds_resource(top, site);
        let named = !text.starts_with('#')
            && self.holds_resource(top, target)
            && self
                .resource_of(target)
                .is_some_and(|it| self.has_id(it.root));
        whole || local || named
    }

    fn has_id(&self, id: NodeId) -> bool {
        let facts = self.set.schemas.facts(id);
        facts.is_some_and(|it| {
            ResourceRef::new(self.set.index.value(id), it.dialect.draft())
                .id()
                .is_some()
        })
    }

    /// The address of a schema that has to be copied from outside; it is put on the list.
    fn refer_outside(&mut self, scope: Scope, target: NodeId) -> String {
        if let Some(resource) = self.resource_of(target).filter(|it| it.dynamic) {
            let (root, address) = (
                resource.root,
                resource.base.as_str().trim_end_matches('#').to_owned(),
            );
            self.name_in(Scope::Definitions, root, Scope::Embedded { top: root });
            let pointer = self.set.index.pointer_from(root, target);
            return if root == target {
                address
            } else {
                format!("{address}#{}", encode(pointer.as_str()))
            };
        }
        let dialect = self
            .set
            .schemas
            .surroundings(&self.set.index, target)
            .map_or(self.dialect, |it| it.dialect);
        let beside = matches!(scope, Scope::Main | Scope::Definitions) && dialect == self.dialect;
        let pool = if beside {
            Scope::Definitions
        } else {
            Scope::Shared(dialect)
        };
        let name = self.name_in(pool, target, pool);
        let pointer = format!("#/{}/{name}", dialect.definitions());
        if beside || scope == pool {
            pointer
        } else {
            format!("{}{pointer}", shared_id(dialect))
        }
    }

    /// The name of a schema in a pool; on first use it is queued for copying.
    fn name_in(&mut self, pool: Scope, id: NodeId, copied_as: Scope) -> String {
        let wanted = self.readable_name(id);
        let pool = match pool {
            Scope::Shared(dialect) => self.shared.entry(dialect).or_default(),
            Scope::Main | Scope::Definitions | Scope::Embedded { .. } => &mut self.definitions,
        };
        if let Some(name) = pool.names.get(&id) {
            return name.clone();
        }
        let name = pool.unique(&wanted);
        pool.names.insert(id, name.clone());
        self.pending.push_back((id, copied_as));
        name
    }

    /// The key of the definition, else the last name on the way to it, else the stem of its file;
    /// of characters that no pointer has to escape.
    fn readable_name(&self, id: NodeId) -> String {
        let index = &self.set.index;
        let mut at = Some(id);
        let named = std::iter::from_fn(|| {
            let here = at?;
            at = index.parent(here);
            Some(index.segment(here))
        })
        .find_map(|segment| match segment {
            Segment::Key(key) => Some(key),
            Segment::Root | Segment::Item(_) => None,
        });
        let name = named.unwrap_or(&index.document(id).stem);
        let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
        name.chars()
            .map(|it| if plain(it) { it } else { '_' })
            .collect()
    }

    fn copy_outside(&mut self) {
        while let Some((id, scope)) = self.pending.pop_front() {
            let copy = match scope {
                Scope::Embedded { .. } => self.copy_resource(id),
                Scope::Main | Scope::Definitions | Scope::Shared(_) => {
                    self.copy_flat(id, id, scope)
                }
            };
            let pool = match scope {
                Scope::Shared(dialect) => self.shared.entry(dialect).or_default(),
                Scope::Main | Scope::Definitions | Scope::Embedded { .. } => &mut self.definitions,
            };
            if let Some(name) = pool.names.get(&id).cloned() {
                pool.copies.push((name, copy));
            }
        }
    }

    fn add_definitions(&mut self, copy: &mut Map<String, Value>) {
        for (dialect, pool) in std::mem::take(&mut self.shared) {
            let definitions: Map<_, _> = pool.copies.into_iter().collect();
            let resource = [
                ("$schema", Value::from(dialect.uri())),
                (dialect.id_keyword(), Value::from(shared_id(dialect))),
                (dialect.definitions(), Value::Object(definitions)),
            ];
            let name = self.definitions.unique(dialect.name());
            let resource = resource.map(|(key, value)| (key.to_owned(), value));
            self.definitions
                .copies
                .push((name, Value::Object(Map::from_iter(resource))));
        }
        for dialect in std::mem::take(&mut self.described) {
            self.add_meta_schemas(dialect);
        }
        if self.definitions.copies.is_empty() {
            return;
        }
        let keyword = self.dialect.definitions().to_owned();
        let definitions = copy
            .entry(keyword)
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(definitions) = definitions {
            definitions.extend(std::mem::take(&mut self.definitions.copies));
        }
    }
}

impl Bundler<'_, '_> {
    fn add_meta_schemas(&mut self, dialect: Dialect) {
        let keyword = dialect.id_keyword();
        for schema in dialect.meta_schemas() {
            let Some(id) = schema.get(keyword).and_then(Value::as_str) else {
                continue;
            };
            // A contract may hold the meta-schema as a file of its own.
            let held = |it: &Value| it.get(keyword).and_then(Value::as_str) == Some(id);
            if self.definitions.copies.iter().any(|(_, it)| held(it)) {
                continue;
            }
            let part = id
                .trim_end_matches('#')
                .rsplit('/')
                .next()
                .unwrap_or_default();
            let name = self
                .definitions
                .unique(&format!("{}-{part}", dialect.name()));
            self.definitions.copies.push((name, schema.clone()));
        }
    }
}

impl Pool {
    fn unique(&mut self, wanted: &str) -> String {
        let numbered = (2_u32..).map(|number| format!("{wanted}_{number}"));
        let name = std::iter::once(wanted.to_owned())
            .chain(numbered)
            .find(|it| !self.taken.contains(it))
            .unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }
}

/// The `$id` of the resource that holds the schemas of another dialect.
fn shared_id(dialect: Dialect) -> String {
    format!("contract:///{}", dialect.name())
}

/// A reference as validators want it: many schemas refer to `#/$defs/List<Größe>` as it stands there, which
/// leads to the right place and is no URI. What is one stays as it is written.
fn as_uri(text: &str) -> Cow<'_, str> {
    if is_uri_reference(text) {
        return Cow::Borrowed(text);
    }
    let mut uri = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        let escape = |it: &str| it.len() == 2 && it.bytes().all(|it| it.is_ascii_hexdigit());
        let escapes = char == '%' && text.get(at + 1..at + 3).is_some_and(escape);
        if escapes || at == 0 {
            uri.push(char);
        } else {
            uri.push_str(&encode(char.encode_utf8(&mut [0; 4])));
        }
    }
    Cow::Owned(uri)
}

/// Members of a schema that its copy among definitions must not have.
fn names_or_defines(dialect: Dialect, key: &str, member: &Value) -> bool {
    match key {
        "$schema" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" => true,
        "$defs" | "definitions" => member.is_object(),
        _ => key == dialect.id_keyword() && member.is_string(),
    }
}
