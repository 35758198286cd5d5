//! The dialects of JSON Schema that contracts may use, each read by its own rules.

use std::collections::BTreeMap;

use referencing::{Draft, meta};
use serde_json::Value;

use crate::config::DialectName;

/// A published version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Draft4 => Self::Draft4,
            DialectName::Draft6 => Self::Draft6,
            DialectName::Draft7 => Self::Draft7,
            DialectName::Draft201909 => Self::Draft201909,
            DialectName::Draft202012 => Self::Draft202012,
        }
    }
}

/// What a schema is read as when nothing names its dialect (MCP, SEP-1613).
pub(super) const DEFAULT: Dialect = Dialect::Draft202012;

/// Published meta-schemas that add remarks to a dialect, such as `links` or `discriminator`, and leave
/// all that it says as it is. Without scheme; `*` at the end stands for any rest.
const EXTENSIONS: &[(&str, Dialect)] = &[
    (
        "json-schema.org/draft/2020-12/hyper-schema",
        Dialect::Draft202012,
    ),
    (
        "json-schema.org/draft/2019-09/hyper-schema",
        Dialect::Draft201909,
    ),
    ("json-schema.org/draft-07/hyper-schema", Dialect::Draft7),
    ("json-schema.org/draft-06/hyper-schema", Dialect::Draft6),
    // There is no meta-schema of draft-05: it made draft-04 clearer and kept that one.
    ("json-schema.org/draft-05/hyper-schema", Dialect::Draft4),
    ("json-schema.org/draft-05/schema", Dialect::Draft4),
    ("json-schema.org/draft-04/hyper-schema", Dialect::Draft4),
    ("spec.openapis.org/oas/3.1/dialect/*", Dialect::Draft202012),
    ("spec.openapis.org/oas/3.2/dialect/*", Dialect::Draft202012),
];

/// What `$schema` of one schema object says.
pub(super) enum Declared<'d> {
    /// Nothing: it is read like what surrounds it.
    Nothing,
    Known(Dialect),
    Unknown(&'d str),
}

impl Dialect {
    /// All of them, newest first.
    pub(crate) const ALL: [Self; 5] = [
        Self::Draft202012,
        Self::Draft201909,
        Self::Draft7,
        Self::Draft6,
        Self::Draft4,
    ];

    /// What `$schema` calls it.
    pub(crate) fn uri(self) -> &'static str {
        match self {
            Self::Draft4 => "http://json-schema.org/draft-04/schema#",
            Self::Draft6 => "http://json-schema.org/draft-06/schema#",
            Self::Draft7 => "http://json-schema.org/draft-07/schema#",
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// What people call it, usable as a key.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }

    /// The keyword that holds definitions. `$defs` came with 2019-09; before it, tools only look
    /// into `definitions`.
    pub(crate) fn definitions(self) -> &'static str {
        match self {
            Self::Draft4 | Self::Draft6 | Self::Draft7 => "definitions",
            Self::Draft201909 | Self::Draft202012 => "$defs",
        }
    }

    /// The keyword that names a schema resource.
    pub(super) fn id_keyword(self) -> &'static str {
        match self {
            Self::Draft4 => "id",
            Self::Draft6 | Self::Draft7 | Self::Draft201909 | Self::Draft202012 => "$id",
        }
    }

    /// Up to draft-07, `$ref` makes everything beside it void.
    pub(crate) fn ref_hides_siblings(self) -> bool {
        match self {
            Self::Draft4 | Self::Draft6 | Self::Draft7 => true,
            Self::Draft201909 | Self::Draft202012 => false,
        }
    }

    /// The same in the words of `referencing`.
    pub(super) fn draft(self) -> Draft {
        match self {
            Self::Draft4 => Draft::Draft4,
            Self::Draft6 => Draft::Draft6,
            Self::Draft7 => Draft::Draft7,
            Self::Draft201909 => Draft::Draft201909,
            Self::Draft202012 => Draft::Draft202012,
        }
    }

    /// The schemas that describe its schemas: the one `$schema` names, and its vocabularies.
    pub(super) fn meta_schemas(self) -> Vec<&'static Value> {
        match self {
            Self::Draft4 => vec![&meta::DRAFT4],
            Self::Draft6 => vec![&meta::DRAFT6],
            Self::Draft7 => vec![&meta::DRAFT7],
            Self::Draft201909 => vec![
                &meta::DRAFT201909,
                &meta::DRAFT201909_APPLICATOR,
                &meta::DRAFT201909_CONTENT,
                &meta::DRAFT201909_CORE,
                &meta::DRAFT201909_FORMAT,
                &meta::DRAFT201909_META_DATA,
                &meta::DRAFT201909_VALIDATION,
            ],
            Self::Draft202012 => vec![
                &meta::DRAFT202012,
                &meta::DRAFT202012_APPLICATOR,
                &meta::DRAFT202012_CONTENT,
                &meta::DRAFT202012_CORE,
                &meta::DRAFT202012_FORMAT_ANNOTATION,
                &meta::DRAFT202012_FORMAT_ASSERTION,
                &meta::DRAFT202012_META_DATA,
                &meta::DRAFT202012_UNEVALUATED,
                &meta::DRAFT202012_VALIDATION,
            ],
        }
    }

    /// The dialect that a URI belongs to, if it is that of one of the schemas that describe one.
    pub(super) fn described_at(uri: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| {
            let folder = it.uri().trim_end_matches('#').trim_end_matches("schema");
            uri.starts_with(folder)
        })
    }

    /// The dialect that a published meta-schema only adds remarks to.
    pub(super) fn extended_at(uri: &str) -> Option<Self> {
        let bare = uri
            .strip_prefix("https://")
            .or_else(|| uri.strip_prefix("http://"))?
            .trim_end_matches('#');
        let is_it = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => bare.starts_with(start),
            None => bare == pattern,
        };
        let mut known = EXTENSIONS.iter();
        known.find(|(it, _)| is_it(it)).map(|(_, it)| *it)
    }

    /// The dialect that `$schema` of a schema amounts to without being its name: by the settings, or because
    /// it is known to add remarks only. Not every client knows that, so the dialect itself is published.
    pub(super) fn renamed(schema: &Value, settings: &BTreeMap<String, Self>) -> Option<Self> {
        let uri = schema.get("$schema")?.as_str()?;
        let set = settings.get(uri.trim_end_matches('#')).copied();
        set.or_else(|| Self::extended_at(uri))
    }

    /// What `$schema` of a schema says, by the settings and by itself.
    pub(super) fn declared_by<'v>(
        schema: &'v Value,
        settings: &BTreeMap<String, Self>,
    ) -> Declared<'v> {
        match Self::renamed(schema, settings) {
            Some(dialect) => Declared::Known(dialect),
            None => Self::declared(schema),
        }
    }

    /// What `$schema` of `schema` says, over http or https, with or without the trailing `#`.
    pub(super) fn declared(schema: &Value) -> Declared<'_> {
        let Some(uri) = schema.get("$schema").and_then(Value::as_str) else {
            return Declared::Nothing;
        };
        let draft = Draft::from_schema_uri(uri);
        Self::ALL
            .into_iter()
            .find(|it| it.draft() == draft)
            .map_or(Declared::Unknown(uri), Declared::Known)
    }
}
