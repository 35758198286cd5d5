//! Meta-schemas of an author's own, which choose among the vocabularies of a dialect with `$vocabulary`.

use std::collections::{BTreeMap, BTreeSet};

use referencing::uri;
use serde_json::{Map, Value};

use super::{
    dialect::{self, Declared, Dialect},
    documents::{Document, Kind},
    index::{Index, NodeId},
};
use crate::diagnostics::{Diagnostic, Id, Place, Pointer};

/// The documents that `$schema` may name: copies of remote files by their URLs, and what they and shared schemas
/// call themselves.
pub(super) struct MetaSchemas<'d, 's> {
    by_uri: BTreeMap<String, &'d Document>,
    settings: &'s BTreeMap<String, Dialect>,
}

/// What is known about a meta-schema that is no published one.
pub(super) enum Finding<'d> {
    /// There is no copy of it.
    Absent,
    /// It does not choose: it is of an older dialect, or has no `$vocabulary`.
    Silent(&'d Document, Dialect),
    /// It requires a vocabulary that is not known here.
    Foreign(&'d Document, Dialect, &'d str),
    Known(Reading<'d>),
}

/// What a meta-schema makes of a dialect.
pub(super) struct Reading<'d> {
    pub(super) meta: &'d Document,
    pub(super) base: Dialect,
    /// The keywords of the dialect that mean nothing under it.
    pub(super) without: BTreeSet<&'static str>,
    /// Whether `format` has to hold, which in the dialect itself is a remark.
    pub(super) asserts_formats: bool,
}

impl<'d, 's> MetaSchemas<'d, 's> {
    pub(super) fn new(
        documents: impl Iterator<Item = &'d Document>,
        settings: &'s BTreeMap<String, Dialect>,
    ) -> Self {
        let documents: Vec<_> = documents
            .filter(|it| matches!(it.kind, Kind::Remote | Kind::Schema))
            .collect();
        let mut by_uri = BTreeMap::new();
        for document in &documents {
            let name = document.value.get("$id").and_then(Value::as_str);
            let name = name.and_then(|it| uri::resolve_against(&document.uri.borrow(), it).ok());
            if let Some(name) = name {
                by_uri
                    .entry(bare(name.as_str()).to_owned())
                    .or_insert(*document);
            }
        }
        // Where a file stands counts more than what another one calls itself.
        for document in documents.iter().filter(|it| it.kind == Kind::Remote) {
            by_uri.insert(bare(document.uri.as_str()).to_owned(), *document);
        }
        Self { by_uri, settings }
    }

    pub(super) fn find(&self, uri: &str) -> Finding<'d> {
        let Some(meta) = self.by_uri.get(bare(uri)).copied() else {
            return Finding::Absent;
        };
        let base = self.base(meta);
        let chosen = meta.value.get("$vocabulary").and_then(Value::as_object);
        match chosen.filter(|_| has_vocabularies(base)) {
            Some(chosen) => read(meta, base, chosen),
            None => Finding::Silent(meta, base),
        }
    }

    /// Every meta-schema that says how schemas are read, by what `$schema` calls it.
    pub(super) fn readings(&self) -> BTreeMap<&str, Reading<'d>> {
        let readings = self.own().filter_map(|(uri, _)| match self.find(uri) {
            Finding::Known(reading) => Some((uri, reading)),
            Finding::Absent | Finding::Silent(..) | Finding::Foreign(..) => None,
        });
        readings.collect()
    }

    /// What each meta-schema builds on, whatever else is known about it.
    pub(super) fn bases(&self) -> BTreeMap<String, Dialect> {
        let bases = self.own();
        bases
            .map(|(uri, meta)| (uri.to_owned(), self.base(meta)))
            .collect()
    }

    /// What the settings say about a name, or what is published under it, counts more than a copy.
    fn own(&self) -> impl Iterator<Item = (&str, &'d Document)> {
        let all = self.by_uri.iter().map(|(uri, it)| (uri.as_str(), *it));
        all.filter(|(uri, _)| {
            let schema = Map::from_iter([("$schema".to_owned(), Value::from(*uri))]);
            let schema = Value::from(schema);
            matches!(
                Dialect::declared_by(&schema, self.settings),
                Declared::Unknown(_)
            )
        })
    }

    /// The dialect at the end of the chain of meta-schemas. Of a chain without an end, the one whose core it
    /// lists: a meta-schema may describe itself.
    fn base(&self, meta: &'d Document) -> Dialect {
        let mut seen = BTreeSet::new();
        let mut at = meta;
        while seen.insert(at.uri.as_str()) {
            match Dialect::declared_by(&at.value, self.settings) {
                Declared::Nothing => return dialect::DEFAULT,
                Declared::Known(dialect) => return dialect,
                Declared::Unknown(uri) => match self.by_uri.get(bare(uri)) {
                    Some(next) => at = next,
                    None => break,
                },
            }
        }
        let chosen = meta.value.get("$vocabulary");
        let lists_core = |it: &Dialect| {
            let core = vocabularies(*it).find(|(name, _)| name.ends_with("/core"));
            core.is_some_and(|(name, _)| chosen.is_some_and(|it| it.get(name).is_some()))
        };
        let found = Dialect::ALL.into_iter().find(lists_core);
        found.unwrap_or(dialect::DEFAULT)
    }
}

fn read<'d>(meta: &'d Document, base: Dialect, chosen: &'d Map<String, Value>) -> Finding<'d> {
    let known: BTreeMap<_, _> = vocabularies(base).collect();
    let foreign = chosen
        .iter()
        .find(|(name, it)| **it == Value::Bool(true) && !known.contains_key(name.as_str()));
    if let Some((name, _)) = foreign {
        return Finding::Foreign(meta, base, name);
    }
    let keywords = |kept: bool| {
        let of_kind = known
            .iter()
            .filter(move |(name, _)| (chosen.contains_key(**name) || only_remarks(name)) == kept);
        of_kind.flat_map(|(_, it)| it.keys().map(String::as_str))
    };
    let kept: BTreeSet<_> = keywords(true).collect();
    let mut without: BTreeSet<_> = keywords(false).filter(|it| !kept.contains(it)).collect();
    // It is of no vocabulary, and validators follow it all the same.
    without.insert("dependencies");
    // In 2019-09 the one vocabulary of formats asserts them when it is required; in 2020-12 one of the two does.
    let asserts_formats = chosen
        .iter()
        .filter(|(name, _)| known.contains_key(name.as_str()))
        .any(|(name, required)| {
            name.ends_with("/format-assertion")
                || name.ends_with("/format") && *required == Value::Bool(true)
        });
    Finding::Known(Reading {
        meta,
        base,
        without,
        asserts_formats,
    })
}

/// The vocabularies of a dialect by their URIs, each with its keywords: those that its part of the meta-schema
/// describes.
fn vocabularies(
    dialect: Dialect,
) -> impl Iterator<Item = (&'static str, &'static Map<String, Value>)> {
    dialect.meta_schemas().into_iter().filter_map(|part| {
        let names = part.get("$vocabulary")?.as_object()?;
        // The whole lists all of them.
        let name = names.keys().next().filter(|_| names.len() == 1)?;
        Some((name.as_str(), part.get("properties")?.as_object()?))
    })
}

/// Whether the keywords of a vocabulary say nothing about what is valid: a keyword that is not known is a remark,
/// too. The core holds whatever is chosen.
fn only_remarks(vocabulary: &str) -> bool {
    ["/core", "/meta-data", "/content"]
        .iter()
        .any(|it| vocabulary.ends_with(it))
}

/// They came with 2019-09.
fn has_vocabularies(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 => false,
        Dialect::Draft201909 | Dialect::Draft202012 => true,
    }
}

fn bare(uri: &str) -> &str {
    uri.trim_end_matches('#')
}

/// Why a schema cannot be read by what its `$schema` names.
pub(super) fn unknown(
    index: &Index<'_>,
    id: NodeId,
    uri: &str,
    settings: &BTreeMap<String, Dialect>,
) -> Diagnostic {
    let place = index
        .document(id)
        .place_of(index.pointer(id).child("$schema"));
    let metas = MetaSchemas::new(index.roots().map(|it| index.document(it)), settings);
    match metas.find(uri) {
        Finding::Absent => {
            let known: Vec<_> = Dialect::ALL.iter().map(|it| it.uri()).collect();
            let message = format!("`{uri}` is not a dialect that is known here");
            Diagnostic::new(Id::UnknownDialect, message)
                .at(place, "unknown dialect")
                .help(format!(
                    "known are {}; without `$schema` it is 2020-12; where it only adds to one of them, \
                     `[dialects]` of mcp-codegen.toml can say to which",
                    known.join(", ")
                ))
        }
        Finding::Foreign(meta, base, vocabulary) => {
            let pointer = Pointer::root().child("$vocabulary").child(vocabulary);
            let message = format!("`{uri}` requires a vocabulary that is not known here");
            Diagnostic::new(Id::UnknownDialect, message)
                .at(place, format!("it requires `{vocabulary}`"))
                .and_at(Place::key(meta.file, pointer), "required here")
                .help(format!(
                    "where schemas can be read without it, say `false` there, or `\"{uri}\" = \"{}\"` in \
                     `[dialects]` of mcp-codegen.toml",
                    base.name()
                ))
        }
        Finding::Silent(meta, base) | Finding::Known(Reading { meta, base, .. }) => {
            let message = format!("`{uri}` does not say by which vocabularies it is read");
            Diagnostic::new(Id::UnknownDialect, message)
                .at(place, "a meta-schema of your own")
                .and_at(
                    meta.place_of(Pointer::root()),
                    "it has no `$vocabulary` that counts",
                )
                .help(format!(
                    "clients have to read the schema without it: name the dialect that it builds on, `{}`, \
                     or have that published: `\"{uri}\" = \"{}\"` in `[dialects]` of mcp-codegen.toml{}",
                    base.uri(),
                    base.name(),
                    if has_vocabularies(base) {
                        "; or list in its `$vocabulary` what it takes of the dialect"
                    } else {
                        ""
                    }
                ))
        }
    }
}
