//! Why a value does not fit a type, and where.

use std::fmt;

use serde::de::{self, Expected, Unexpected};
use serde_json::json;

use crate::{
    encode::under,
    violation::{Violation, Violations},
};

/// What an error in its packed form begins with.
const PACKED: &str = "\u{1}mcp-codegen\u{1}";

/// Why a JSON value does not fit a Rust type.
///
/// Displays as `at /days: expected i64, got 1e30`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// JSON Pointer of the place in the value; empty for the value as a whole.
    pub pointer: String,
    /// What was expected.
    pub message: String,
    /// The offending value, where it is known apart from the message.
    got: Option<String>,
    /// The message is somebody else's and may repeat the value.
    foreign: bool,
}

impl DecodeError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            pointer: String::new(),
            message: message.into(),
            got: None,
            foreign: false,
        }
    }

    /// The first of several.
    pub(crate) fn from_violations(violations: &Violations) -> Self {
        let Some(first) = violations.first().cloned() else {
            return Self::new("does not match the schema");
        };
        Self {
            pointer: first.pointer,
            got: first.got,
            ..Self::new(first.message)
        }
    }

    pub(crate) fn with_got(mut self, got: impl Into<String>) -> Self {
        self.got = Some(got.into());
        self
    }

    /// The same error, seen from one level up.
    pub(crate) fn under(mut self, segment: &str) -> Self {
        self.pointer = under(segment, &self.pointer);
        self
    }

    /// Writes all parts, in a form that is no sentence of anybody.
    fn pack(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = json!([self.pointer, self.message, self.got, self.foreign]);
        write!(f, "{PACKED}{parts}")
    }

    fn unpack(text: &str) -> Option<Self> {
        let parts = serde_json::from_str(text.strip_prefix(PACKED)?);
        let (pointer, message, got, foreign) = parts.ok()?;
        Some(Self {
            pointer,
            message,
            got,
            foreign,
        })
    }

    pub(crate) fn into_violation(self) -> Violation {
        let violation = if self.foreign {
            Violation::new(self.pointer, "not acceptable").with_detail(self.message)
        } else {
            Violation::new(self.pointer, self.message)
        };
        match self.got {
            Some(got) => violation.with_got(got),
            None => violation,
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.pack(f);
        }
        if !self.pointer.is_empty() {
            write!(f, "at {}: ", self.pointer)?;
        }
        f.write_str(&self.message)?;
        match &self.got {
            Some(got) => write!(f, ", got {got}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        // An error of ours that passed through code that is generic over the deserializer (`de::rest`, unions) arrives as a
        // text: in this form it can be taken apart again, so that it keeps its place and its parts.
        let text = format!("{message:#}");
        Self::unpack(&text).unwrap_or_else(|| Self {
            foreign: true,
            ..Self::new(message.to_string())
        })
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {expected}")).with_got(unexpected.to_string())
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {expected}, got {length} elements"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let names: Vec<String> = expected.iter().map(|name| format!("\"{name}\"")).collect();
        Self::new(format!("expected one of {}", names.join(", ")))
            .with_got(format!("\"{variant}\""))
    }

    fn unknown_field(field: &str, _expected: &'static [&'static str]) -> Self {
        Self::new("unknown property").under(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(format!("missing required property `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(format!("property `{field}` appears twice"))
    }
}
