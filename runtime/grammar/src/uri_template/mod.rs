//! URI templates (RFC 6570), mostly read backwards: which URIs a template matches, and what its variables then hold.
//!
//! Of the standard: `{v}`, `{+v}`, `{/v}`, `{?a,b}` and `{&a}`. A template that one URI could match in two ways is refused.

mod expanding;
mod matching;
mod parse;

use std::fmt;

/// A URI template that every URI matches in one way at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplate {
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
pub struct TemplateError {
    /// Where in the text, in bytes.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
}

/// A variable of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<'t> {
    /// Its name, without operator.
    pub name: &'t str,
    /// Every URI that matches has a value for it; those of `{/v}`, `{?v}` and `{&v}` may be missing.
    pub always: bool,
}

impl UriTemplate {
    /// The variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = Variable<'_>> {
        let parts = self.parts.iter().filter_map(Part::variable);
        let query = self.query.iter().flat_map(|it| &it.names);
        parts.chain(query.map(|name| Variable {
            name,
            always: false,
        }))
    }

    /// A URI that matches: every variable is `x`.
    pub fn example(&self) -> String {
        let mut uri: String = self.parts.iter().map(Part::example).collect();
        if let Some(query) = &self.query {
            for (index, name) in query.names.iter().enumerate() {
                let begins = index == 0 && query.begun.is_none();
                uri.push(if begins { '?' } else { '&' });
                uri.extend([name, "=x"]);
            }
        }
        uri
    }
}

impl Part {
    fn variable(&self) -> Option<Variable<'_>> {
        let (name, always) = match self {
            Self::Literal(_) => return None,
            Self::Simple { name, .. } | Self::Reserved(name) => (name, true),
            Self::Segment(name) => (name, false),
        };
        Some(Variable { name, always })
    }

    fn example(&self) -> &str {
        match self {
            Self::Literal(text) => text,
            Self::Simple { .. } | Self::Reserved(_) => "x",
            Self::Segment(_) => "/x",
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
