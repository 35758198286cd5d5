//! A tool's settings that are not MCP's.

use serde::Deserialize;

/// How a tool answers. Written by codegen, from `mcp-codegen.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Settings {
    /// The text blocks beside a structured value.
    pub text: TextPolicy,
    /// What happens to a value that breaks the output schema.
    pub output: OutputPolicy,
    /// When values that are no objects are wrapped.
    pub wrap: WrapPolicy,
    /// The output schema is that of `{"result": value}`, as another SDK published it, and the method gives `value`.
    pub wrapped: bool,
    /// Whether texts have to be what `format` says.
    pub formats: FormatPolicy,
    /// The argument type refuses all that the input schema refuses: no validator is needed.
    pub exact_input: bool,
    /// No value of the result type breaks the output schema: no validator is needed.
    pub exact_output: bool,
}

/// The text blocks beside a structured value.
///
/// For a value that is no object, SEP-2106 asks servers for one text block with the whole as JSON, for clients that read only
/// text. [`Items`](Self::Items), [`Python`](Self::Python) and [`None`](Self::None) depart from that, for those who know
/// their clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextPolicy {
    /// One block: the value as JSON on one line.
    #[default]
    Compact,
    /// One block: the value as JSON, indented by two spaces.
    Pretty,
    /// One block per element of an array; other values as [`Compact`](Self::Compact).
    Items,
    /// As the Python SDK tells it: a text as it is, without quotes; the elements of an array one by one, those of arrays in it
    /// too; nothing for null; any other value as [`Pretty`](Self::Pretty).
    Python,
    /// No block. Clients that know only text then see nothing.
    None,
}

/// What happens to a value that breaks the output schema.
///
/// What JSON cannot hold, such as NaN, is never sent: there is nothing that could be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputPolicy {
    /// It is not sent; the call fails, naming the place.
    #[default]
    Deny,
    /// It is sent and logged.
    Warn,
    /// It is not checked.
    Off,
}

/// When a value that is no object is sent as `{"result": value}`, in schema and value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WrapPolicy {
    /// For peers before 2026-07-28, which accept objects only.
    #[default]
    Legacy,
    /// For all peers, as the Python SDK does.
    Always,
}

/// Whether texts have to be what `format` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormatPolicy {
    // The order is from lenient to strict.
    /// It is a remark.
    Annotate,
    /// As the dialect of the schema says: up to draft-07 they have to, since 2019-09 it is a remark.
    #[default]
    Dialect,
    /// They have to, in arguments and results alike.
    Assert,
}
