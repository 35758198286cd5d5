//! Tokens as text: formatted, an empty line between blocks, stable to the byte.
//!
//! prettyplease prints item by item. What it does not do is done here: empty lines between items
//! and between methods, and the layout of the runtime's macros, whose syntax only we know.

mod macros;

use proc_macro2::TokenStream;
use syn::{File, Item, ItemMacro};

use crate::{
    emit::{Body, Unit},
    sync::Files,
};

/// rustfmt's default, so that no line that we join is longer than its own.
const WIDTH: usize = 100;

/// The files, in memory.
pub(crate) fn print(units: Vec<Unit>) -> Files {
    units
        .into_iter()
        .map(|unit| {
            let text = match unit.body {
                Body::Rust { header, blocks } => rust(&header, blocks),
                Body::Json(text) => text,
            };
            (unit.path, text)
        })
        .collect()
}

/// A Rust file: a comment as its first lines (or none), then the blocks.
pub(crate) fn rust(header: &str, blocks: impl IntoIterator<Item = TokenStream>) -> String {
    let mut text = header.to_owned();
    for block in blocks {
        if !text.is_empty() {
            text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
        }
        text.push_str(&self::block(block));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn block(tokens: TokenStream) -> String {
    let file: File = syn::parse2(tokens).expect("emit writes whole items");
    file.items.into_iter().map(item).collect()
}

fn item(item: Item) -> String {
    if let Item::Macro(it) = &item
        && let Some(text) = ours(it)
    {
        return text;
    }
    let spaced = matches!(item, Item::Trait(_) | Item::Impl(_));
    let items = vec![item];
    let text = prettyplease::unparse(&File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items,
    });
    if spaced {
        space_members(&text)
    } else {
        join_attributes(&text)
    }
}

/// A macro of the runtime, laid out as its syntax reads best.
fn ours(item: &ItemMacro) -> Option<String> {
    let runtime = item.mac.path.segments.first()?.ident == "mcp_codegen_runtime";
    (runtime && item.attrs.is_empty()).then(|| macros::lay_out(&item.mac))
}

/// Puts an empty line between the members of a trait or impl. String literals hold no raw line
/// ends and doc comments are `///` lines, so a line shows what it is by how it begins and ends.
fn space_members(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut member_ended = false;
    for line in text.lines() {
        let member = line
            .strip_prefix("    ")
            .filter(|it| !it.starts_with([' ', '}', ')']));
        if member.is_some() && member_ended {
            out.push('\n');
        }
        let comment = line.trim_start().starts_with("//");
        let at_member = line
            .strip_prefix("    ")
            .is_some_and(|it| !it.starts_with(' '));
        member_ended = at_member && !comment && line.ends_with([';', '}']);
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Puts a serde attribute on one line where it fits: most properties are optional, and five lines
/// of attribute for each would hide the fields.
fn join_attributes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        if line.trim_start() == "#[serde(" {
            let rest = lines.clone();
            let parts: Vec<_> = rest.map(str::trim).take_while(|it| *it != ")]").collect();
            let joined = parts.join(" ");
            if line.len() + joined.len() + ")]".len() <= WIDTH {
                out.push_str(&joined);
                out.push_str(")]");
                lines.nth(parts.len());
            }
        }
        out.push('\n');
    }
    merge_attributes(&out)
}

/// Makes one serde attribute of those on neighbouring lines, where it fits on a line.
fn merge_attributes(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let merged = lines.last().and_then(|last| merged(last, line));
        match merged.zip(lines.last_mut()) {
            Some((merged, last)) => *last = merged,
            None => lines.push(line.to_owned()),
        }
    }
    lines.iter().flat_map(|it| [it.as_str(), "\n"]).collect()
}

/// Two lines as one, if both are whole serde attributes.
fn merged(first: &str, second: &str) -> Option<String> {
    let start = first.strip_suffix(")]")?;
    let begins = "#[serde(";
    let end = second.trim_start().strip_prefix(begins)?;
    let whole = start.trim_start().starts_with(begins) && end.ends_with(")]");
    let line = format!("{start}, {end}");
    (whole && line.len() <= WIDTH).then_some(line)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::rust;

    #[test]
    fn blocks_and_members_are_spaced_and_macros_laid_out() {
        let long = quote! {
            mcp_codegen_runtime::tagged_union! { Shape by "kind" {
                Circle = ["\"circle\""], Square = ["\"square\"", "\"sq\""], Triangle = ["\"triangle\""]
            } else Circle }
        };
        let blocks = [
            quote! { use a::B; use c::D; },
            quote! { trait T { #[doc = " One;"] fn one(&self); #[doc = " Two"] fn two(&self) -> i64 { 2 } fn three(); } },
            quote! { struct S; mcp_codegen_runtime::constant! { S = "\"s\"" } },
            quote! { mcp_codegen_runtime::literals! { Level { One = "1", Off = "null" } } },
            long,
            quote! { struct P {
                #[serde(rename = "A")]
                #[serde(default, deserialize_with = "de::some", skip_serializing_if = "Option::is_none")]
                a: A,
                #[serde(rename = "B)]")]
                #[serde(default)]
                b: B,
            } },
        ];
        let expected = r#"// header

use a::B;
use c::D;

trait T {
    /// One;
    fn one(&self);

    /// Two
    fn two(&self) -> i64 {
        2
    }

    fn three();
}

struct S;
mcp_codegen_runtime::constant! { S = "\"s\"" }

mcp_codegen_runtime::literals! { Level { One = "1", Off = "null" } }

mcp_codegen_runtime::tagged_union! {
    Shape by "kind" {
        Circle = ["\"circle\""],
        Square = ["\"square\"", "\"sq\""],
        Triangle = ["\"triangle\""],
    } else Circle
}

struct P {
    #[serde(rename = "A")]
    #[serde(default, deserialize_with = "de::some", skip_serializing_if = "Option::is_none")]
    a: A,
    #[serde(rename = "B)]", default)]
    b: B,
}
"#;
        assert_eq!(rust("// header", blocks), expected);
    }
}
