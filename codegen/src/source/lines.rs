//! Lines and columns: what a byte offset is for people and editors.

use std::ops::Range;

/// A position in a text, both counted from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Reads the text once.
    pub fn new(text: &str) -> Self {
        let breaks = text
            .bytes()
            .enumerate()
            .filter(|(_, it)| *it == b'\n')
            .map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The position of a byte offset; offsets inside a character or past the end are moved back.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = floor_char_boundary(text, offset);
        let line = self.starts.partition_point(|it| *it <= offset);
        let start = self.starts[line - 1];
        Position {
            line,
            column: text[start..offset].chars().count() + 1,
        }
    }

    /// The byte offset of a line and a column that counts bytes, both from one, as `serde_json` gives
    /// them.
    pub(crate) fn offset(&self, text: &str, line: usize, column: usize) -> usize {
        let start = self
            .starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(text.len());
        floor_char_boundary(text, start + column.saturating_sub(1))
    }

    /// The bytes of a line counted from one, without its line break.
    pub(crate) fn line(&self, text: &str, line: usize) -> Range<usize> {
        let start = self.starts[line - 1];
        let end = self.starts.get(line).map_or(text.len(), |it| it - 1);
        let end = if text[start..end].ends_with('\r') {
            end - 1
        } else {
            end
        };
        start..end
    }
}

/// The nearest offset at or before this one that begins a character.
pub(crate) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The nearest offset at or after this one that begins a character.
pub(crate) fn ceil_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}
