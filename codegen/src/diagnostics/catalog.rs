//! The catalogue: every kind of finding, its severity, what it means and how to fix it.

use std::{fmt, str::FromStr};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Code is generated, and something should change.
    Warning,
    /// Code is generated, and something is worth knowing.
    Note,
}

impl Severity {
    /// The word that reports use: `error`, `warning`, `note`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no [`Id`] of this catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownId;

impl fmt::Display for UnknownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the id of a diagnostic")
    }
}

impl std::error::Error for UnknownId {}

/// One line per kind: variant, id, severity, summary. The explanation is the file `explain/<id>.md`.
macro_rules! catalogue {
    ($($variant:ident = $id:literal, $severity:ident, $summary:literal;)+) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Id {
            $(#[doc = concat!("`", $id, "`: ", $summary, ".")] $variant,)+
        }

        impl Id {
            /// Every kind, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The id that reports print and `mcp-codegen explain` takes, in kebab-case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// How bad it is.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// What it is, in one lowercase line without a full stop.
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)+ }
            }

            /// What it means, with an example and the fix: Markdown of a few lines.
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("explain/", $id, ".md")),)+
                }
            }
        }
    };
}

catalogue! {
    // files
    UnreadableFile = "unreadable-file", Error, "a file or folder of the contract root cannot be read";
    EmptyContractRoot = "empty-contract-root", Error, "the contract root holds no contract files";
    BadEncoding = "bad-encoding", Error, "a file is not UTF-8 text";
    BadJson = "bad-json", Error, "a file is not valid JSON";
    BadYaml = "bad-yaml", Error, "a file is not valid YAML, or says what JSON cannot";
    BadToml = "bad-toml", Error, "the configuration is not valid TOML";
    DuplicateKey = "duplicate-key", Error, "an object has the same key twice";
    LimitExceeded = "limit-exceeded", Error, "a file is nested too deeply or expands too far";
    UnknownFileKind = "unknown-file-kind", Warning, "a file's name does not say what it holds";
    StrayFile = "stray-file", Error, "a schema belongs to a resource or prompt that is not there";
    IncompleteList = "incomplete-list", Warning, "a list of tools is one page of several";
    // contracts
    WrongRootType = "wrong-root-type", Error, "a file's or schema's root has the wrong type";
    InvalidTool = "invalid-tool", Error, "a field of a tool has the wrong type or value";
    InvalidResource = "invalid-resource", Error, "a field of a resource or resource template has the wrong type or value";
    InvalidPrompt = "invalid-prompt", Error, "a field of a prompt has the wrong type or value";
    InvalidElicitation = "invalid-elicitation", Error, "a form asks for what clients cannot show";
    InvalidServer = "invalid-server", Error, "a field of a server has the wrong type or value";
    MissingName = "missing-name", Error, "a tool, resource or prompt has no name";
    MissingInputSchema = "missing-input-schema", Error, "a tool has no input schema";
    MissingDescription = "missing-description", Warning, "a tool has no description";
    DuplicateTool = "duplicate-tool", Error, "two tools of one server have the same name";
    DuplicateResource = "duplicate-resource", Error, "two resources of one server have the same name or URI";
    DuplicatePrompt = "duplicate-prompt", Error, "two prompts of one server have the same name";
    InputsDisagree = "inputs-disagree", Error, "a template or prompt and the schema of its variables or arguments say different things";
    InvalidToolName = "invalid-tool-name", Error, "a tool's name is not allowed by the protocol";
    LongToolName = "long-tool-name", Warning, "a tool's name is longer than some clients accept";
    InvalidHeader = "invalid-header", Error, "an `x-mcp-header` breaks a rule for which clients drop the tool";
    NotSent = "not-sent", Note, "a member of a tool is of an older revision and is not sent";
    NameCollision = "name-collision", Error, "two things would get the same Rust name";
    MisplacedFile = "misplaced-file", Error, "a file stands too deep below the contract root";
    // schemas
    UnknownDialect = "unknown-dialect", Error, "`$schema` names a dialect that is not known";
    InvalidSchema = "invalid-schema", Error, "a schema is not valid in its own dialect";
    InvalidPattern = "invalid-pattern", Error, "a pattern is not a valid regular expression";
    UnknownKeyword = "unknown-keyword", Warning, "a key is near to a keyword and means nothing";
    UnresolvedRef = "unresolved-ref", Error, "a `$ref` leads nowhere";
    AcceptsAnything = "accepts-anything", Warning, "a reference that leads nowhere accepts anything, as the settings say";
    CircularRef = "circular-ref", Error, "a chain of references returns to its start without progress";
    RefOutsideRoot = "ref-outside-root", Error, "a `$ref` leaves the contract root";
    NetworkRef = "network-ref", Error, "a `$ref` needs the network";
    // types
    Widened = "widened", Note, "a type accepts more than its schema; the validator refuses the rest";
    Renamed = "renamed", Note, "a Rust name differs from what the contract suggests";
    DefaultIgnored = "default-ignored", Warning, "a default violates its own schema and is not applied";
    DuplicateBranch = "duplicate-branch", Warning, "two branches of a union are the same";
    UnsafeText = "unsafe-text", Warning, "a text holds control or direction-changing characters";
    IgnoredKeyword = "ignored-keyword", Note, "a schema has a keyword that means nothing in it";
    HazardousPropertyName = "hazardous-property-name", Note, "a property's name troubles some clients or languages";
    InvalidExtension = "invalid-extension", Error, "`x-rust-type` or `x-rust-name` is not what it must be";
    // settings
    UnknownSetting = "unknown-setting", Error, "the configuration has a key that means nothing";
    InvalidSetting = "invalid-setting", Error, "a setting has a value that is not allowed";
    UnmatchedSelector = "unmatched-selector", Error, "a selector of the configuration matches nothing";
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Id {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        Self::ALL
            .iter()
            .copied()
            .find(|it| it.as_str() == text)
            .ok_or(UnknownId)
    }
}
