//! The revisions of the Model Context Protocol.

use std::{fmt, str::FromStr};

/// A revision of the Model Context Protocol; later ones compare greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05.
    V2024_11_05,
    /// 2025-03-26.
    V2025_03_26,
    /// 2025-06-18: `outputSchema` and `structuredContent`, both objects.
    V2025_06_18,
    /// 2025-11-25: icons; bad arguments are tool results.
    V2025_11_25,
    /// 2026-07-28: any JSON value as `structuredContent`; no `initialize`.
    #[default]
    V2026_07_28,
}

impl Revision {
    /// The latest revision known here.
    pub const LATEST: Self = Self::V2026_07_28;

    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// As on the wire: `2026-07-28`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether results and output schemas may be any JSON value, and results name their type.
    pub const fn is_modern(self) -> bool {
        self as u8 >= Self::V2026_07_28 as u8
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, UnknownRevision> {
        Self::ALL
            .into_iter()
            .find(|revision| revision.as_str() == text)
            .ok_or_else(|| UnknownRevision(text.to_owned()))
    }
}

/// The text names no revision known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRevision(String);

impl fmt::Display for UnknownRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown protocol revision `{}`", self.0)
    }
}

impl std::error::Error for UnknownRevision {}
