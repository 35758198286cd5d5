//! URI templates (RFC 6570), mostly read backwards: which URIs a template matches, and what its variables then hold.
//!
//! Of the standard: `{v}`, `{+v}`, `{/v}`, `{?a,b}` and `{&a}`. A template that one URI could match in two ways is refused.

mod expanding;
mod matching;
mod parse;

use std::fmt;

/// A URI template that every URI matches in one way at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UriTemplate {
    parts: Vec<Part>,
    query: Option<Query>,
}

/// What stands before the query variables.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Text as it is.
    Literal(String),
    /// `{v}`: at least one character of one segment.
    Simple { name: String, in_query: bool },
    /// `{+v}`: at least one character, slashes too.
    Reserved(String),
    /// One variable of `{/v}`: a slash and a segment, or nothing.
    Segment(String),
}

/// `{?a,b}` and `{&a}`: variables by name, in any order, each there or not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Query {
    names: Vec<String>,
    /// How many `&` stand before them, where the template itself begins the query.
    begun: Option<usize>,
}

/// Why a text is no template that can be matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TemplateError {
    /// Where in the text, in bytes.
    pub(crate) at: usize,
    /// What is wrong there.
    pub(crate) message: String,
}

impl UriTemplate {
    /// The names of the variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().filter_map(Part::name);
        let query = self.query.iter().flat_map(|it| &it.names);
        parts.chain(query.map(String::as_str))
    }
}

impl Part {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Literal(_) => None,
            Self::Simple { name, .. } | Self::Reserved(name) | Self::Segment(name) => Some(name),
        }
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TemplateError {}

#[cfg(test)]
mod tests;
