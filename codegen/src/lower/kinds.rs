//! Sets of JSON kinds: which kinds of value a schema can accept.

use serde_json::{Map, Value};

use crate::graph::JsonKind;

/// A set of JSON kinds. Integral and fractional numbers are kinds of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const NUMBER: Self = Self(4 | 8);
    /// Kinds whose values have no parts, `null` aside.
    pub(crate) const SCALARS: Self = Self(2 | 4 | 8 | 16);
    /// Kinds whose values have parts that a type can lose.
    pub(crate) const STRUCTURED: Self = Self(32 | 64);
    pub(crate) const ALL: Self = Self(127);

    /// The kind of one value. `3.0` is an integer.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(it) => {
                let integral = it.is_i64()
                    || it.is_u64()
                    || it
                        .as_f64()
                        .is_none_or(|it| it.fract() == 0.0 || it.is_nan());
                if integral {
                    Self::INTEGER
                } else {
                    Self::FRACTION
                }
            }
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// What the keyword `type` allows; everything where it is absent.
    pub(crate) fn declared(schema: &Map<String, Value>) -> Self {
        match schema.get("type") {
            Some(Value::String(name)) => Self::named(name),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .map(Self::named)
                .fold(Self::NONE, Self::union),
            _ => Self::ALL,
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            // The meta-schema allows no other name; accepting all is the sound guess.
            _ => Self::ALL,
        }
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The kinds one by one, as a union tells them apart: numbers are one kind, integral ones
    /// only where fractions are not in the set.
    pub(crate) fn each(self) -> impl Iterator<Item = (Self, JsonKind)> {
        let number = if self.meets(Self::FRACTION) {
            (Self::NUMBER, JsonKind::Number)
        } else {
            (Self::INTEGER, JsonKind::Integer)
        };
        [
            (Self::NULL, JsonKind::Null),
            (Self::BOOLEAN, JsonKind::Boolean),
            number,
            (Self::STRING, JsonKind::String),
            (Self::ARRAY, JsonKind::Array),
            (Self::OBJECT, JsonKind::Object),
        ]
        .into_iter()
        .filter(move |(kinds, _)| self.meets(*kinds))
        .map(move |(kinds, kind)| (kinds.and(self), kind))
    }
}

/// What a union variant of one kind is called.
pub(crate) fn kind_label(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "Null",
        JsonKind::Boolean => "Boolean",
        JsonKind::Integer => "Integer",
        JsonKind::Number => "Number",
        JsonKind::String => "String",
        JsonKind::Array => "Array",
        JsonKind::Object => "Object",
    }
}

/// What the keyword `type` calls a kind.
pub(crate) fn kind_keyword(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "null",
        JsonKind::Boolean => "boolean",
        JsonKind::Integer => "integer",
        JsonKind::Number => "number",
        JsonKind::String => "string",
        JsonKind::Array => "array",
        JsonKind::Object => "object",
    }
}
