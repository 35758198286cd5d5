//! Which token stands for whom.
//!
//! A table, as an authorization server's introspection would answer it. A server that takes signed tokens checks signature,
//! issuer and audience here instead; nothing around this file changes.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

/// What a token says about its bearer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claims {
    /// Who it is.
    pub(crate) subject: String,
    /// What he may do: `notes:read`, `notes:write`.
    pub(crate) scopes: Vec<String>,
    /// When the token ends.
    pub(crate) expires: Timestamp,
}

/// All tokens, with what each says.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Tokens(BTreeMap<String, Claims>);

impl Tokens {
    /// What a token says at a point in time, if it says anything at all.
    pub(crate) fn claims(&self, token: &str, now: Timestamp) -> Option<&Claims> {
        self.0.get(token).filter(|claims| now < claims.expires)
    }
}
