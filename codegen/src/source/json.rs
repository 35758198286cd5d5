//! JSON, strictly: `serde_json` decides what the value is, `jsonc-parser` where its parts stand.

use std::{collections::BTreeMap, ops::Range};

use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ast};
use serde_json::{Value, error::Category};

use super::{
    Fault, LineIndex, MAX_DEPTH,
    lines::{ceil_char_boundary, floor_char_boundary},
    spans::{Children, Node},
};
use crate::diagnostics::Id;

/// The value of a text, or everything wrong with it.
pub(super) fn parse(text: &str) -> Result<Value, Vec<Fault>> {
    let value = serde_json::from_str(text).map_err(|error| vec![syntax_fault(text, &error)])?;
    let mut faults = Vec::new();
    if let Some(tree) = tree(text) {
        duplicate_keys(&tree, &mut faults);
    }
    if faults.is_empty() {
        Ok(value)
    } else {
        Err(faults)
    }
}

/// Where the parts of a text stand; `None` when it does not parse.
pub(super) fn spans(text: &str) -> Option<Node> {
    tree(text).map(|it| node(&it, None))
}

/// Never called on what `serde_json` refuses as too deep: its depth is limited here too.
fn tree(text: &str) -> Option<ast::Value<'_>> {
    let collect = CollectOptions {
        comments: CommentCollectionStrategy::Off,
        tokens: false,
    };
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    jsonc_parser::parse_to_ast(text, &collect, &strict)
        .ok()?
        .value
}

fn node(value: &ast::Value<'_>, key: Option<Range<usize>>) -> Node {
    let children = match value {
        ast::Value::Object(object) => Children::Members(
            object
                .properties
                .iter()
                .map(|it| member(&it.name, &it.value))
                .collect(),
        ),
        ast::Value::Array(array) => {
            Children::Elements(array.elements.iter().map(|it| node(it, None)).collect())
        }
        ast::Value::StringLit(_)
        | ast::Value::NumberLit(_)
        | ast::Value::BooleanLit(_)
        | ast::Value::NullKeyword(_) => Children::None,
    };
    Node {
        key,
        value: range_of(value),
        children,
    }
}

fn member(name: &ast::ObjectPropName<'_>, value: &ast::Value<'_>) -> (String, Node) {
    (name_of(name).to_owned(), node(value, Some(range_of(name))))
}

fn name_of<'t>(name: &'t ast::ObjectPropName<'_>) -> &'t str {
    match name {
        ast::ObjectPropName::String(literal) => &literal.value,
        ast::ObjectPropName::Word(word) => word.value,
    }
}

fn range_of(ranged: &impl jsonc_parser::common::Ranged) -> Range<usize> {
    let range = ranged.range();
    range.start..range.end
}

fn duplicate_keys(value: &ast::Value<'_>, faults: &mut Vec<Fault>) {
    match value {
        ast::Value::Object(object) => {
            let mut seen: BTreeMap<&str, Range<usize>> = BTreeMap::new();
            for property in &object.properties {
                let (key, at) = (name_of(&property.name), range_of(&property.name));
                match seen.get(key) {
                    Some(first) => faults.push(Fault::duplicate_key(key, first.clone(), at)),
                    None => {
                        seen.insert(key, at);
                    }
                }
                duplicate_keys(&property.value, faults);
            }
        }
        ast::Value::Array(array) => {
            for element in &array.elements {
                duplicate_keys(element, faults);
            }
        }
        ast::Value::StringLit(_)
        | ast::Value::NumberLit(_)
        | ast::Value::BooleanLit(_)
        | ast::Value::NullKeyword(_) => {}
    }
}

/// What `serde_json` refused, at the character it stopped at.
fn syntax_fault(text: &str, error: &serde_json::Error) -> Fault {
    if text.trim().is_empty() {
        return Fault::new(Id::BadJson, 0..0, "the file is empty")
            .help("a contract file holds one JSON object; remove the file if it is not needed");
    }
    // At the end of the text the caret stands under its last character, not on an empty line.
    let last = floor_char_boundary(text, text.trim_end().len() - 1);
    let start = LineIndex::new(text)
        .offset(text, error.line(), error.column())
        .min(last);
    let at = start..ceil_char_boundary(text, start + 1);
    if error.classify() == Category::Eof {
        return cut_off(text, ceil_char_boundary(text, last + 1), error);
    }
    let message = error.to_string();
    let message = without_place(&message);
    if message.starts_with("recursion limit") {
        return too_deep(at);
    }
    let at = comma_before(text, start, message).unwrap_or(at);
    let fault = Fault::new(Id::BadJson, at, in_plain_words(message));
    match (error.classify(), hint(text, start, message)) {
        (Category::Syntax, Some(hint)) => fault.help(hint),
        _ => fault,
    }
}

/// `serde_json` appends ` at line 3 column 9`; the place says that.
fn without_place(message: &str) -> &str {
    message
        .rsplit_once(" at line ")
        .map_or(message, |(it, _)| it)
}

/// A text that ends too early: the caret stands behind its last character.
fn cut_off(text: &str, end: usize, error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    let fault = Fault::new(
        Id::BadJson,
        end..end,
        in_plain_words(without_place(&message)),
    );
    match innermost_open(&text[..end]) {
        Some(open) => fault.related(open..open + 1, "this is never closed"),
        None => fault,
    }
}

/// The last bracket of a text that has no partner.
fn innermost_open(text: &str) -> Option<usize> {
    let (mut open, mut quoted, mut escaped) = (Vec::new(), false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => open.push(at),
            b'}' | b']' => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// The comma that a closing bracket follows; the parser stops at the bracket.
fn comma_before(text: &str, at: usize, message: &str) -> Option<Range<usize>> {
    if message != "trailing comma" {
        return None;
    }
    let before = text[..at].trim_end();
    let comma = before
        .len()
        .checked_sub(1)
        .filter(|_| before.ends_with(','))?;
    Some(comma..comma + 1)
}

/// The finding for a value nested deeper than [`MAX_DEPTH`].
pub(super) fn too_deep(at: Range<usize>) -> Fault {
    Fault::new(
        Id::LimitExceeded,
        at,
        format!("values are nested deeper than {MAX_DEPTH} levels"),
    )
    .label("too deep")
    .help("share repeated parts through `$ref` and `$defs`")
}

/// What people write who mean a relative of JSON.
fn hint(text: &str, at: usize, message: &str) -> Option<&'static str> {
    let rest = &text[at..];
    let before = text[..at].trim_end();
    if rest.starts_with('/') || rest.starts_with('#') {
        Some("JSON has no comments; YAML contract files may have them")
    } else if rest.starts_with(['}', ']']) && before.ends_with(',') {
        Some("JSON allows no comma before a closing bracket")
    } else if rest.starts_with('\'') {
        Some("JSON strings and keys stand in double quotes")
    } else if rest.starts_with("NaN") || rest.starts_with("Infinity") || rest.starts_with("-Inf") {
        Some("JSON has no NaN and no infinity")
    } else if message == "trailing characters" {
        Some("a file holds one value; several tools stand in an array, in a `*.tools.json`")
    } else {
        None
    }
}

/// `serde_json`'s message for someone who does not know parsers.
fn in_plain_words(message: &str) -> String {
    match message {
        "expected ident" => {
            "an unknown word; values are `true`, `false`, `null`, or in quotes".to_owned()
        }
        "expected value" => "a value is missing or unknown here".to_owned(),
        "trailing characters" => "the text goes on after the end of the value".to_owned(),
        "key must be a string" => "a key must stand in double quotes".to_owned(),
        "trailing comma" => "a comma without a value after it".to_owned(),
        "expected `,` or `}`" | "expected `,` or `]`" => format!("{message} here"),
        _ => message.replacen("EOF", "the text ends", 1),
    }
}
