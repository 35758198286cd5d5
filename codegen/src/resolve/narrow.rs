//! Schemas with a meta-schema of their author's own, made to say the same in the dialect that it builds on.
//!
//! Clients know the published dialects only. So the keywords that mean nothing under the meta-schema are taken out,
//! and `$schema` names the dialect: from here on the schemas are like any other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{
    SchemaSet,
    dialect::Dialect,
    documents::{Document, Documents},
    engine::{self, Checker, Fault},
    find,
    index::{Index, NodeId},
    node::Node,
    schemas::Schemas,
    vocabularies::{MetaSchemas, Reading},
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer};

/// A schema whose `$schema` named a meta-schema of its author's own.
#[derive(Debug)]
pub(super) struct Narrowed {
    /// The number of its document.
    document: usize,
    pointer: Pointer,
    base: Dialect,
    /// Keywords that mean nothing, and the schemas that have them.
    drops: Vec<(Pointer, String)>,
    findings: Vec<Diagnostic>,
}

/// Finds the schemas that need it. `asserting` says that formats are asserted whatever a schema says.
pub(super) fn plan(documents: &Documents, asserting: bool) -> Vec<Narrowed> {
    let metas = MetaSchemas::new(documents.all(), documents.dialects());
    let readings = metas.readings();
    if readings.is_empty() {
        return Vec::new();
    }
    let mut dialects = metas.bases();
    dialects.extend(documents.dialects().clone());
    let is_meta = |document: &Document| {
        let mut metas = readings.values().map(|it| it.meta);
        metas.any(|it| std::ptr::eq(it, document))
    };
    // What is wrong with the schemas is reported when they are read as what they have become.
    let set = find(documents, &dialects, is_meta, &mut Diagnostics::new());
    let planner = Planner {
        set: &set,
        readings: &readings,
        asserting,
    };
    planner.plan()
}

/// Makes the changes to the documents.
pub(super) fn apply(documents: &mut [Document], narrowed: &[Narrowed]) {
    for it in narrowed {
        let whole = &mut documents[it.document].value;
        for (pointer, keyword) in &it.drops {
            let schema = whole.pointer_mut(pointer.as_str());
            if let Some(members) = schema.and_then(Value::as_object_mut) {
                // What is left stays in its order.
                members.shift_remove(keyword);
            }
        }
        let schema = whole.pointer_mut(it.pointer.as_str());
        if let Some(name) = schema.and_then(|it| it.get_mut("$schema")) {
            *name = Value::from(it.base.uri());
        }
    }
}

/// Reports what was found about the schemas that are in use.
pub(super) fn report(
    documents: &Documents,
    index: &Index<'_>,
    schemas: &Schemas,
    diagnostics: &mut Diagnostics,
) {
    for it in documents.narrowed() {
        let root = index.roots().nth(it.document);
        let id = root.and_then(|root| {
            let mut steps = it.pointer.segments();
            steps.try_fold(root, |at, step| index.step(at, &step))
        });
        if id.is_some_and(|id| schemas.facts(id).is_some()) {
            for finding in &it.findings {
                diagnostics.push(finding.clone());
            }
        }
    }
}

struct Planner<'a, 'd> {
    set: &'a SchemaSet<'d>,
    readings: &'a BTreeMap<&'a str, Reading<'d>>,
    asserting: bool,
}

/// What one schema loses.
#[derive(Default)]
struct Losses {
    keywords: Vec<(NodeId, String)>,
    /// A `format` that stays.
    has_format: bool,
}

impl Planner<'_, '_> {
    fn plan(&self) -> Vec<Narrowed> {
        let losses = self.losses();
        let gone: BTreeSet<NodeId> = losses
            .values()
            .flat_map(|it| &it.keywords)
            .filter_map(|(id, key)| self.set.index.step(*id, key))
            .collect();
        let is_gone = |id: NodeId| {
            let mut around = std::iter::successors(Some(id), |it| self.set.index.parent(*it));
            around.any(|it| gone.contains(&it))
        };
        let mut checkers = BTreeMap::new();
        let sites = losses.into_iter().filter(|(site, _)| !is_gone(*site));
        sites
            .filter_map(|(site, mut losses)| {
                losses.keywords.retain(|(id, _)| !is_gone(*id));
                self.narrowed(site, &losses, &mut checkers)
            })
            .collect()
    }

    fn losses(&self) -> BTreeMap<NodeId, Losses> {
        let mut losses: BTreeMap<NodeId, Losses> = BTreeMap::new();
        for id in self.set.schemas.order() {
            let Some((site, reading)) = self.governing(*id) else {
                continue;
            };
            let losses = losses.entry(site).or_default();
            let members = self.set.index.value(*id).as_object();
            for key in members.into_iter().flat_map(Map::keys) {
                if reading.without.contains(key.as_str()) {
                    losses.keywords.push((*id, key.clone()));
                } else if key == "format" {
                    losses.has_format = true;
                }
            }
        }
        losses
    }

    /// The schema whose `$schema` says by what a schema is read, where that is a meta-schema of an author's own.
    fn governing(&self, id: NodeId) -> Option<(NodeId, &Reading<'_>)> {
        let mut at = Some(id);
        while let Some(here) = at {
            let facts = self.set.schemas.facts(here);
            if facts.is_some()
                && let Some(named) = named(self.set.index.value(here))
            {
                return Some((here, self.readings.get(named)?));
            }
            let holder = facts.and_then(|it| it.parent);
            at = holder.or_else(|| self.set.index.parent(here));
        }
        None
    }

    fn narrowed(
        &self,
        site: NodeId,
        losses: &Losses,
        checkers: &mut BTreeMap<String, Result<Checker, Fault>>,
    ) -> Option<Narrowed> {
        let index = &self.set.index;
        let uri = named(index.value(site))?;
        let reading = self.readings.get(uri)?;
        let drops = losses.keywords.iter();
        let drops = drops
            .map(|(id, key)| (index.pointer(*id), key.clone()))
            .collect();
        let root = std::iter::successors(Some(site), |it| index.parent(*it)).last()?;
        let checker = checkers
            .entry(uri.to_owned())
            .or_insert_with(|| self.checker(reading));
        let mut findings: Vec<_> = match checker {
            Ok(checker) => self.faults(site, reading, uri, checker),
            Err(fault) => vec![self.unusable(site, reading, uri, fault)],
        };
        findings.extend(self.note_of_drops(site, uri, losses));
        if reading.asserts_formats && losses.has_format && !self.asserting {
            findings.push(self.note_of_formats(site, reading, uri));
        }
        Some(Narrowed {
            document: index.roots().position(|it| it == root)?,
            pointer: index.pointer(site),
            base: reading.base,
            drops,
            findings,
        })
    }

    fn checker(&self, reading: &Reading<'_>) -> Result<Checker, Fault> {
        let root = self.set.index.find(&reading.meta.value);
        let bundle = root.map(|it| Node::new(self.set, it).bundle());
        let bundle = bundle.unwrap_or_else(|| reading.meta.value.clone());
        engine::check_compiles(&bundle)?;
        Checker::new(&bundle).ok_or_else(|| Fault {
            pointer: String::new(),
            message: "it does not compile".to_owned(),
        })
    }

    /// What the meta-schema has against a schema and the dialect has not: that is reported anyway.
    fn faults(
        &self,
        site: NodeId,
        reading: &Reading<'_>,
        uri: &str,
        checker: &Checker,
    ) -> Vec<Diagnostic> {
        let index = &self.set.index;
        let own = self.without_others(site, site);
        let known = engine::meta_faults(reading.base, &own);
        let faults = checker.schema_faults(&own).into_iter();
        let faults = faults.filter(|it| !known.contains(it));
        let diagnostic = |fault: Fault| {
            let steps = Pointer::parse(&fault.pointer);
            let pointer = steps
                .segments()
                .fold(index.pointer(site), |at, step| at.child(step));
            let message = format!("this is no valid schema by `{uri}`");
            Diagnostic::new(Id::InvalidSchema, message)
                .at(index.document(site).place_of(pointer), fault.message)
                .and_at(
                    reading.meta.place_of(Pointer::root()),
                    "this is the meta-schema",
                )
        };
        faults.map(diagnostic).collect()
    }

    /// The schema with every subschema taken out that names a meta-schema itself.
    fn without_others(&self, site: NodeId, id: NodeId) -> Value {
        let index = &self.set.index;
        let value = index.value(id);
        if id != site && self.set.schemas.facts(id).is_some() && named(value).is_some() {
            // Whatever a meta-schema demands of objects, this is a schema.
            return Value::Bool(true);
        }
        let inner = |child: &Value| match index.find(child) {
            Some(child) => self.without_others(site, child),
            None => child.clone(),
        };
        match value {
            Value::Object(members) => {
                let copy = members.iter().map(|(key, it)| (key.clone(), inner(it)));
                Value::Object(copy.collect())
            }
            Value::Array(items) => items.iter().map(inner).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    fn unusable(
        &self,
        site: NodeId,
        reading: &Reading<'_>,
        uri: &str,
        fault: &Fault,
    ) -> Diagnostic {
        let message = format!("nothing can be held against the meta-schema `{uri}`");
        Diagnostic::new(Id::InvalidSchema, message)
            .at(self.place(site), fault.message.clone())
            .and_at(reading.meta.place_of(Pointer::root()), "this is the meta-schema")
            .help(format!(
                "correct it, and see that `[remotes]` has all that it refers to; or read its schemas without it: \
                 `\"{uri}\" = \"{}\"` in `[dialects]` of mcp-codegen.toml",
                reading.base.name()
            ))
    }

    fn note_of_drops(&self, site: NodeId, uri: &str, losses: &Losses) -> Option<Diagnostic> {
        let words: BTreeSet<_> = losses.keywords.iter().map(|(_, key)| key).collect();
        let words: Vec<_> = words.into_iter().map(|it| format!("`{it}`")).collect();
        let (last, others) = words.split_last()?;
        let message = match others {
            [] => format!("{last} means nothing under `{uri}` and is not published"),
            _ => format!(
                "{} and {last} mean nothing under `{uri}` and are not published",
                others.join(", ")
            ),
        };
        let note = Diagnostic::new(Id::IgnoredKeyword, message)
            .at(self.place(site), "it lists no vocabulary for that");
        let index = &self.set.index;
        let places = losses
            .keywords
            .iter()
            .map(|(id, key)| Place::key(index.document(*id).file, index.pointer(*id).child(key)));
        Some(places.fold(note, |note, it| note.and_at(it, "dropped")))
    }

    fn note_of_formats(&self, site: NodeId, reading: &Reading<'_>, uri: &str) -> Diagnostic {
        let message = format!(
            "`{uri}` asserts `format`; clients do not know it and take `format` as a remark"
        );
        Diagnostic::new(Id::IgnoredKeyword, message)
            .at(self.place(site), format!("published as {}", reading.base.name()))
            .help("to have formats asserted for these tools, set `formats = \"assert\"` in mcp-codegen.toml")
    }

    fn place(&self, site: NodeId) -> Place {
        let index = &self.set.index;
        index
            .document(site)
            .place_of(index.pointer(site).child("$schema"))
    }
}

/// What `$schema` names, as meta-schemas are called here.
fn named(schema: &Value) -> Option<&str> {
    let uri = schema.get("$schema")?.as_str()?;
    Some(uri.trim_end_matches('#'))
}
