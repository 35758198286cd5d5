//! Why a value does not fit a type, and where.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::violation::Violation;

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

    pub(crate) fn with_got(mut self, got: impl Into<String>) -> Self {
        self.got = Some(got.into());
        self
    }

    /// The same error, seen from one level up.
    pub(crate) fn under(mut self, segment: &str) -> Self {
        let escaped = segment.replace('~', "~0").replace('/', "~1");
        self.pointer = format!("/{escaped}{}", self.pointer);
        self
    }

    pub(crate) fn into_violation(self) -> Violation {
        let violation = if self.foreign {
            // As something that redaction removes.
            Violation::new(self.pointer, "not acceptable").with_got(self.message)
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
        let text = message.to_string();
        // An error of ours that passed through code that is generic over the deserializer
        // (`de::rest`, unions) arrives as text: take it apart again, so that it keeps its place.
        let place = text
            .strip_prefix("at /")
            .and_then(|rest| rest.split_once(": "));
        match place {
            Some((pointer, message)) => Self {
                pointer: format!("/{pointer}"),
                message: message.to_owned(),
                got: None,
                foreign: true,
            },
            None => Self {
                foreign: true,
                ..Self::new(text)
            },
        }
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
