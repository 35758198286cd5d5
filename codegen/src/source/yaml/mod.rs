//! YAML 1.2, the part of it that is JSON: events of `saphyr-parser` become a value and its positions.

mod builder;
mod scalar;

use std::ops::Range;

use saphyr_parser::{Marker, Parser, ScanError, Span};
use serde_json::Value;

use super::{Fault, MAX_DEPTH, json::too_deep, lines::ceil_char_boundary, spans::Node};
use crate::diagnostics::Id;

/// What all aliases of a file may expand to, in nodes and bytes of text: far beyond any real
/// contract, and reached at once by a few lines of aliases of aliases.
const MAX_EXPANSION: usize = 4_000_000;

/// A YAML document.
#[derive(Debug)]
pub(super) struct Yaml {
    pub(super) value: Value,
    pub(super) spans: Node,
}

/// The value of a text, or everything wrong with it.
pub(super) fn parse(text: &str) -> Result<Yaml, Vec<Fault>> {
    let offsets = Offsets::new(text);
    let mut builder = builder::Builder::new(text);
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => {
                if builder.event(event, offsets.range(span)).is_err() {
                    break;
                }
            }
            Err(error) => {
                builder.fail(syntax_fault(text, &offsets, &error));
                break;
            }
        }
    }
    builder.finish()
}

/// `saphyr-parser` counts characters; texts here are addressed by bytes.
struct Offsets {
    /// Byte offset of every character; `None` where both counts agree, as in nearly every contract.
    bytes: Option<Vec<usize>>,
    len: usize,
}

impl Offsets {
    fn new(text: &str) -> Self {
        let bytes = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self {
            bytes,
            len: text.len(),
        }
    }

    fn at(&self, marker: Marker) -> usize {
        match &self.bytes {
            None => marker.index().min(self.len),
            Some(bytes) => bytes.get(marker.index()).copied().unwrap_or(self.len),
        }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.at(span.start);
        start..self.at(span.end).max(start)
    }
}

/// What the scanner refused, at the character it stopped at.
fn syntax_fault(text: &str, offsets: &Offsets, error: &ScanError) -> Fault {
    let start = offsets.at(*error.marker());
    let at = start..ceil_char_boundary(text, start + 1);
    // Flow collections are counted by the scanner itself, in one byte.
    if error.info().contains("recursion limit") {
        return too_deep(at);
    }
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let indent = text[line_start..]
        .chars()
        .take_while(|it| it.is_whitespace());
    let help = if indent.into_iter().any(|it| it == '\t') {
        Some("YAML is indented with spaces, never with tabs")
    } else if error.info().contains("mapping values are not allowed") {
        Some("quote a text that holds `: `")
    } else if error.info().contains("Unicode character escape") {
        // JSON's pairs of `\u` escapes are not YAML's.
        Some("write the character itself, or `\\U` and eight hexadecimal digits")
    } else if error.info().contains("did not find expected key") {
        Some("members of one object begin in the same column, and what is in them further right")
    } else if error.info().contains("unknown anchor") {
        Some("quote a text that begins with `*`; an alias needs its `&anchor` before it")
    } else {
        None
    };
    let fault = Fault::new(Id::BadYaml, at, error.info());
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}
