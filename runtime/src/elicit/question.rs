//! One question to the client, as the protocol has it.

use std::{error::Error, fmt};

use serde_json::{Map, Value};

use super::Ability;
use crate::violation::shortened;

/// A question to the client: a request that a server makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    ability: Ability,
    /// What it goes by among the questions of one call.
    label: String,
    params: Map<String, Value>,
}

impl Question {
    pub(crate) fn new(
        ability: Ability,
        label: impl Into<String>,
        params: Map<String, Value>,
    ) -> Self {
        Self {
            ability,
            label: label.into(),
            params,
        }
    }

    /// What a client has to be capable of to answer.
    pub const fn ability(&self) -> Ability {
        self.ability
    }

    /// The protocol's name of the request: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub const fn method(&self) -> &'static str {
        match self.ability {
            Ability::Form | Ability::Url => "elicitation/create",
            Ability::Sampling => "sampling/createMessage",
            Ability::Roots => "roots/list",
        }
    }

    /// The parameters of the request.
    pub const fn params(&self) -> &Map<String, Value> {
        &self.params
    }

    /// The name of the form; else `url`, `sampling` or `roots`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// As one of the `inputRequests` of a result of 2026-07-28.
    pub fn to_value(&self) -> Value {
        Value::Object(Map::from_iter([
            ("method".to_owned(), Value::from(self.method())),
            ("params".to_owned(), Value::Object(self.params.clone())),
        ]))
    }

    /// Two questions of one call with the same fingerprint are taken for the same question.
    pub(super) fn fingerprint(&self) -> String {
        let params = serde_json::to_string(&self.params)
            .expect("a map of JSON values with text keys is JSON");
        format!("{:016x}", hash([self.method(), &params]))
    }
}

/// FNV-1a, 64 bits, over texts and the borders between them.
///
/// The standard library's hashes may change with its version, and the next request may meet another build of the server.
pub(super) fn hash<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for text in texts {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// The client does not say that it can be asked for this, so it was not asked.
    Unable {
        /// What it would have to be capable of.
        ability: Ability,
    },
    /// The client answered with an error.
    Refused {
        /// Its message.
        message: String,
    },
    /// The question did not reach the client, or its answer did not come back.
    Unreachable {
        /// What was in the way.
        reason: String,
    },
}

impl AskError {
    /// The client answered with an error.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::Refused {
            message: message.into(),
        }
    }

    /// The question did not reach the client, or its answer did not come back.
    pub fn unreachable(reason: impl Into<String>) -> Self {
        Self::Unreachable {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unable { ability } => f.write_str(ability.missing()),
            Self::Refused { message } => {
                write!(f, "the client refused: {}", shortened(message, 300))
            }
            Self::Unreachable { reason } => write!(f, "the client cannot be asked: {reason}"),
        }
    }
}

impl Error for AskError {}
