//! What the macros for enums with a reading of their own expand to calls of.
//!
//! The expansion is thin: it lists literals, tags, kinds and variants. All decisions are here.

use std::{fmt, sync::OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    Contract,
    decode::{DecodeError, decode, kind_of},
    number,
    validate::echo,
};

/// The type of the schema `false`: it has no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Never {}

impl Serialize for Never {
    fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
        match *self {}
    }
}

impl<'de> Deserialize<'de> for Never {
    fn deserialize<D: Deserializer<'de>>(_deserializer: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom(
            "must be absent: no value is allowed here",
        ))
    }
}

/// Reads a value, and lets `read` make something of it. Keeps the place of errors.
#[doc(hidden)]
pub fn deserialize<'de, D, T>(
    deserializer: D,
    read: impl FnOnce(&Value) -> Result<T, DecodeError>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    let value = Value::deserialize(deserializer)?;
    read(&value).map_err(serde::de::Error::custom)
}

/// Reads the payload of a variant.
#[doc(hidden)]
pub fn decode_variant<P: DeserializeOwned, T>(
    value: &Value,
    variant: fn(P) -> T,
) -> Result<T, DecodeError> {
    decode(value).map(variant)
}

/// Writes the literal at `index`.
#[doc(hidden)]
pub fn serialize_literal<S: Serializer>(
    literals: &Literals,
    index: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    literals.values()[index].serialize(serializer)
}

/// JSON texts, parsed once.
#[doc(hidden)]
pub struct Literals {
    texts: &'static [&'static str],
    values: OnceLock<Box<[Value]>>,
}

impl Literals {
    /// The literals with these JSON texts.
    pub const fn new(texts: &'static [&'static str]) -> Self {
        Self {
            texts,
            values: OnceLock::new(),
        }
    }

    /// The index of the literal that equals `value`; numbers compare by value.
    ///
    /// # Errors
    ///
    /// When none does.
    pub fn find(&self, value: &Value) -> Result<usize, DecodeError> {
        let literals = self.values();
        literals
            .iter()
            .position(|literal| number::equal(literal, value))
            .ok_or_else(|| {
                let all: Vec<String> = literals.iter().map(echo).collect();
                DecodeError::new(format!("expected one of {}", all.join(", ")))
                    .with_got(echo(value))
            })
    }

    fn values(&self) -> &[Value] {
        self.values
            .get_or_init(|| self.texts.iter().map(|text| parse(text)).collect())
    }
}

impl fmt::Debug for Literals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Literals").field(&self.texts).finish()
    }
}

/// A union whose variants are told apart by the value of one property.
#[doc(hidden)]
pub struct Tags {
    property: &'static str,
    /// Name of each variant, and the JSON texts of its tags.
    variants: &'static [(&'static str, &'static [&'static str])],
    /// The variant without the property.
    absent: Option<&'static str>,
    /// Every tag with its variant's index.
    known: OnceLock<Box<[(Value, usize)]>>,
}

impl Tags {
    /// A union by `property`.
    pub const fn new(
        property: &'static str,
        variants: &'static [(&'static str, &'static [&'static str])],
        absent: Option<&'static str>,
    ) -> Self {
        Self {
            property,
            variants,
            absent,
            known: OnceLock::new(),
        }
    }

    /// The index of the variant that `value` is of.
    ///
    /// # Errors
    ///
    /// When the property names none.
    pub fn find(&self, value: &Value) -> Result<usize, DecodeError> {
        let property = self.property;
        let Value::Object(members) = value else {
            return Err(DecodeError::new(format!(
                "expected object, got {}",
                kind_of(value)
            )));
        };
        let Some(tag) = members.get(property) else {
            return self
                .absent
                .and_then(|absent| self.variants.iter().position(|(name, _)| *name == absent))
                .ok_or_else(|| {
                    DecodeError::new(format!("missing required property `{property}`"))
                });
        };
        let tags = self.tags();
        let found = tags.iter().find(|(known, _)| number::equal(known, tag));
        found.map(|(_, index)| *index).ok_or_else(|| {
            let all: Vec<String> = tags.iter().map(|(known, _)| echo(known)).collect();
            let error = DecodeError::new(format!("expected one of {}", all.join(", ")));
            error.with_got(echo(tag)).under(property)
        })
    }

    fn tags(&self) -> &[(Value, usize)] {
        self.known.get_or_init(|| {
            let variants = self.variants.iter().enumerate();
            variants
                .flat_map(|(index, (_, texts))| texts.iter().map(move |text| (parse(text), index)))
                .collect()
        })
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tags")
            .field("property", &self.property)
            .field("variants", &self.variants)
            .finish_non_exhaustive()
    }
}

fn parse(literal: &str) -> Value {
    serde_json::from_str(literal).expect("codegen writes literals as JSON")
}

/// A union whose variants are told apart by JSON kind.
#[doc(hidden)]
#[derive(Debug)]
pub struct Kinds(&'static [&'static [&'static str]]);

impl Kinds {
    /// The kinds of each variant.
    pub const fn new(variants: &'static [&'static [&'static str]]) -> Self {
        Self(variants)
    }

    /// The index of the variant that `value` is of. An integral number is an `integer` where some variant
    /// claims integers, else a `number`.
    ///
    /// # Errors
    ///
    /// When none takes such values.
    pub fn find(&self, value: &Value) -> Result<usize, DecodeError> {
        let claims = |kind: &str| self.0.iter().position(|kinds| kinds.contains(&kind));
        let kind = kind_of(value);
        let number = || (kind == "integer").then(|| claims("number")).flatten();
        claims(kind).or_else(number).ok_or_else(|| {
            let all = self.0.concat().join(" or ");
            DecodeError::new(format!("expected {all}, got {kind}"))
        })
    }
}

/// A union whose variant is the first whose own schema accepts.
#[doc(hidden)]
#[derive(Debug)]
pub struct Schemas {
    contract: &'static Contract,
    name: &'static str,
}

impl Schemas {
    /// The union `name` of `contract`.
    pub const fn new(contract: &'static Contract, name: &'static str) -> Self {
        Self { contract, name }
    }

    /// The index of the variant that `value` is of.
    ///
    /// # Errors
    ///
    /// When no schema accepts.
    pub fn find(&self, value: &Value) -> Result<usize, DecodeError> {
        let found = self.contract.select(self.name, value);
        found.ok_or_else(|| DecodeError::new(format!("matches no variant of `{}`", self.name)))
    }
}
