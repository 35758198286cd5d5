//! URI templates (RFC 6570) as the runtime matches them: which variables a template has, and why it cannot be matched.
//!
//! `parse.rs` is the runtime's, byte for byte: what is refused here must be what cannot be matched there. A hygiene test
//! holds the two together, since neither crate may depend on the other.

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

/// A variable of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable<'t> {
    pub(crate) name: &'t str,
    /// Every URI that matches has a value for it; those of `{/v}`, `{?v}` and `{&v}` may be missing.
    pub(crate) always: bool,
}

impl UriTemplate {
    /// The variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable<'_>> {
        let parts = self.parts.iter().filter_map(Part::variable);
        let query = self.query.iter().flat_map(|it| &it.names);
        parts.chain(query.map(|name| Variable {
            name,
            always: false,
        }))
    }

    /// A URI that matches: every variable is `x`.
    pub(crate) fn example(&self) -> String {
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
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn variables_of_a_query_or_a_segment_may_be_missing() {
        for (text, variables, example) in [
            ("a://b/{c}", "c", "a://b/x"),
            ("a://b/{+c}{?d,e}", "c d? e?", "a://b/x?d=x&e=x"),
            ("a://b{/c,d}", "c? d?", "a://b/x/x"),
            ("a://b?c={c}{&d}", "c d?", "a://b?c=x&d=x"),
        ] {
            let template = UriTemplate::parse(text).unwrap();
            let shown = template.variables().map(|it| {
                let mark = if it.always { "" } else { "?" };
                format!("{}{mark}", it.name)
            });
            assert_eq!(shown.collect::<Vec<_>>().join(" "), variables, "{text}");
            assert_eq!(template.example(), example);
        }
        assert!(UriTemplate::parse("a://b/{c}{d}").is_err());
    }
}
