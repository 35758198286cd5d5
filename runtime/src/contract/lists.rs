//! How the lists of a contract are handed out.

use std::num::NonZeroUsize;

use serde::Deserialize;

/// How `tools/list`, `resources/list`, `resources/templates/list` and `prompts/list` answer. Written by codegen, from
/// `mcp-codegen.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Lists {
    /// For how long a client may keep a list, in milliseconds. By default five minutes: it changes only with the server's
    /// program.
    pub ttl_ms: u64,
    /// Who may keep it.
    pub cache_scope: CacheScope,
    /// How many entries a page has at most; `None` for all of them.
    pub page_size: Option<NonZeroUsize>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            ttl_ms: 300_000,
            cache_scope: CacheScope::default(),
            page_size: None,
        }
    }
}

/// Who may keep an answer (SEP-2549).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// Whoever stands between client and server.
    Public,
    /// The client alone, because whoever runs the server may show a list only to some.
    #[default]
    Private,
}

impl CacheScope {
    /// As on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}
