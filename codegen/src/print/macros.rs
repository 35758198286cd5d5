//! The layout of the runtime's macros: on one line where they fit, else one entry per line.
//!
//! prettyplease fills the tokens of a macro it does not know like words of a paragraph, which
//! tears entries apart.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Macro;

use super::WIDTH;

/// `path! { … }` with a line end.
pub(super) fn lay_out(mac: &Macro) -> String {
    let path = line(mac.path.to_token_stream()).replace(" :: ", "::");
    let body = line(mac.tokens.clone());
    let short = format!("{path}! {{ {body} }}");
    if short.len() <= WIDTH {
        return short + "\n";
    }
    format!("{path}! {{\n    {}\n}}\n", opened(mac.tokens.clone()))
}

/// Tokens with the entries of a braced list on lines of their own, for a body one level deep.
fn opened(tokens: TokenStream) -> String {
    let mut parts = Vec::new();
    let mut plain = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                parts.push(line(plain.drain(..).collect()));
                let entries = entries(group.stream());
                let lines: Vec<_> = entries.map(|it| format!("        {it},")).collect();
                parts.push(format!("{{\n{}\n    }}", lines.join("\n")));
            }
            other => plain.push(other),
        }
    }
    parts.push(line(plain.into_iter().collect()));
    parts.retain(|it| !it.is_empty());
    parts.join(" ")
}

/// The comma-separated entries of a list, each on one line.
fn entries(list: TokenStream) -> impl Iterator<Item = String> {
    let tokens: Vec<_> = list.into_iter().collect();
    let entries: Vec<_> = tokens
        .split(|it| matches!(it, TokenTree::Punct(it) if it.as_char() == ','))
        .map(|it| line(it.iter().cloned().collect()))
        .collect();
    entries.into_iter().filter(|it| !it.is_empty())
}

/// Tokens on one line: a space between any two, but none before a comma or colon, inside brackets, around
/// the parts of a path, or before what follows a name in parentheses.
fn line(tokens: TokenStream) -> String {
    let mut out = String::new();
    let mut joint = true;
    let mut path = false;
    for token in tokens {
        let tight = match &token {
            TokenTree::Punct(it) => matches!(it.as_char(), ',' | ':' | '<' | '>'),
            TokenTree::Group(it) => it.delimiter() == Delimiter::Parenthesis,
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        if !joint && !tight {
            out.push(' ');
        }
        joint = false;
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                out.extend([open, &line(group.stream()), close]);
            }
            TokenTree::Punct(punct) => {
                out.push(punct.as_char());
                // The second colon of two leads on; one alone ends a name.
                let colon = punct.as_char() == ':';
                let first = colon && punct.spacing() == Spacing::Joint;
                joint = first || (colon && path) || punct.as_char() == '<';
                path = first;
            }
            other @ (TokenTree::Ident(_) | TokenTree::Literal(_)) => {
                out.push_str(&other.to_string());
            }
        }
    }
    out
}
