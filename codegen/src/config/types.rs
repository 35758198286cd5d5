//! Settings of generated types: what they are called, what they derive, and which are not generated at all.

use std::fmt;

use serde::Deserialize;

use super::policy;

/// What a `[types.<selector>]` table sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TypeOverrides {
    /// What an open object does with undeclared properties.
    pub unknown: Option<UnknownPolicy>,
    /// Whether bounds, lengths and patterns become types of their own.
    pub constraints: Option<ConstraintPolicy>,
    /// Further traits to derive, as paths: `"schemars::JsonSchema"`. Those of all matching selectors add up.
    #[serde(default)]
    pub derives: Vec<String>,
    /// Further attributes: `"#[non_exhaustive]"`. Those of all matching selectors add up.
    #[serde(default)]
    pub attributes: Vec<String>,
}

/// The settings of one type, all selectors applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeSettings {
    /// What an open object does with undeclared properties.
    pub unknown: UnknownPolicy,
    /// Whether bounds, lengths and patterns become types of their own.
    pub constraints: ConstraintPolicy,
    /// Further traits to derive.
    pub derives: Vec<String>,
    /// Further attributes.
    pub attributes: Vec<String>,
}

/// A Rust type that is not generated.
///
/// It has to implement `Clone`, `Debug`, `PartialEq`, `serde::Serialize` and `serde::Deserialize`, and be
/// `Send`, `Sync` and `'static`. What it reads and writes is its own affair; the validator always stays.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RustType {
    /// Its path, from `crate` or from the name of a crate: `uuid::Uuid`, `crate::geo::Place`.
    pub path: String,
    /// What it implements beside that, of [`RustType::DERIVES`]. The types around it derive `Eq` and `Hash` only if it does.
    pub derives: Vec<String>,
}

impl RustType {
    /// What [`RustType::derives`] may hold.
    pub const DERIVES: &'static [&'static str] = &["Copy", "Eq", "Hash"];

    /// A type that implements only what it must.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            derives: Vec::new(),
        }
    }

    /// The same type, which implements these too.
    #[must_use]
    pub fn deriving<T: Into<String>>(mut self, derives: impl IntoIterator<Item = T>) -> Self {
        self.derives.extend(derives.into_iter().map(Into::into));
        self
    }

    pub(crate) fn has(&self, derive: &str) -> bool {
        self.derives.iter().any(|it| it == derive)
    }
}

/// A [`RustType`] as settings write it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(rename = "RustType"))]
#[serde(untagged)]
pub(crate) enum RustTypeForm {
    /// A path, from `crate` or from the name of a crate: `"uuid::Uuid"`.
    Path(String),
    /// A path, and what the type implements beside `Clone`, `Debug`, `PartialEq`, `Serialize` and `Deserialize`.
    Full(RustTypeTable),
}

/// A path with what the type there implements.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RustTypeTable {
    /// From `crate` or from the name of a crate: `"uuid::Uuid"`.
    path: String,
    /// Of `Copy`, `Eq` and `Hash`.
    #[serde(default)]
    derives: Vec<Derive>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
enum Derive {
    Copy,
    Eq,
    Hash,
}

impl From<RustTypeForm> for RustType {
    fn from(form: RustTypeForm) -> Self {
        match form {
            RustTypeForm::Path(path) => Self::new(path),
            RustTypeForm::Full(RustTypeTable { path, derives }) => {
                let derives = derives.into_iter().map(|it| match it {
                    Derive::Copy => "Copy",
                    Derive::Eq => "Eq",
                    Derive::Hash => "Hash",
                });
                Self::new(path).deriving(derives)
            }
        }
    }
}

policy! {
    /// What an open object does with undeclared properties.
    UnknownPolicy {
        /// Accepts and drops them.
        Drop = "drop",
        /// Keeps them in a map field.
        Keep = "keep",
    }
}

policy! {
    /// Whether bounds, lengths and patterns become types of their own.
    ConstraintPolicy {
        /// They do not: the validator alone enforces them.
        Validator = "validator",
        /// A text, number or list that is bounded becomes a type that cannot hold anything else.
        Newtype = "newtype",
    }
}
