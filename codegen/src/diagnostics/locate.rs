//! From places to positions: the only code that asks where in a text a pointer stands.

use std::{collections::BTreeMap, ops::Range};

use super::{Diagnostic, Diagnostics, Place, Severity, Spot};
use crate::source::{FileId, LineIndex, Position, SourceFile, SourceMap, Spans};

/// Where a [`Place`] stands in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The bytes, on one line.
    pub bytes: Range<usize>,
    /// The first character.
    pub start: Position,
    /// The character after the last.
    pub end: Position,
}

/// Finds places in the files of a run; reads each file's positions once.
#[derive(Debug)]
pub struct Locator<'s> {
    sources: &'s SourceMap,
    files: BTreeMap<FileId, Positions>,
}

#[derive(Debug)]
struct Positions {
    lines: LineIndex,
    spans: Option<Spans>,
}

impl<'s> Locator<'s> {
    /// A locator for the files of a run.
    pub fn new(sources: &'s SourceMap) -> Self {
        Self {
            sources,
            files: BTreeMap::new(),
        }
    }

    /// The file of a place.
    pub fn file(&self, place: &Place) -> &'s SourceFile {
        self.sources.file(place.file)
    }

    /// Where a place stands; `None` when it is a file as a whole.
    ///
    /// What spans several lines is narrowed to where it begins: to its key if it has one, else to its
    /// first line.
    pub fn locate(&mut self, place: &Place) -> Option<Location> {
        let file = self.sources.file(place.file);
        let text = file.text.as_str();
        let positions = self.files.entry(place.file).or_insert_with(|| Positions {
            lines: LineIndex::new(text),
            spans: None,
        });
        let bytes = match &place.spot {
            Spot::File => return None,
            Spot::Bytes(start, end) => *start..*end,
            Spot::Value(pointer) => {
                let spans = positions.spans.get_or_insert_with(|| Spans::of(file));
                let value = spans.value(pointer)?;
                if text[value.clone()].contains('\n') {
                    spans.key(pointer)?
                } else {
                    value
                }
            }
            Spot::Key(pointer) => positions
                .spans
                .get_or_insert_with(|| Spans::of(file))
                .key(pointer)?,
        };
        let start = positions.lines.position(text, bytes.start);
        let line = positions.lines.line(text, start.line);
        let from = bytes.start.clamp(line.start, line.end);
        let bytes = from..bytes.end.clamp(from, line.end);
        let end = positions.lines.position(text, bytes.end);
        Some(Location { bytes, start, end })
    }

    /// The bytes of a line counted from one; the place's file must have been located in before.
    pub(super) fn line(&self, file: &SourceFile, line: usize) -> Range<usize> {
        self.files
            .get(&file.id)
            .map_or(0..0, |it| it.lines.line(&file.text, line))
    }

    /// The findings as reports show them: by file and position, notes last.
    pub(super) fn sorted<'d>(&mut self, diagnostics: &'d Diagnostics) -> Vec<&'d Diagnostic> {
        let mut keyed: Vec<_> = diagnostics
            .iter()
            .map(|it| {
                let at = it.place.as_ref().map(|(place, _)| {
                    (
                        place.file,
                        self.locate(place).map_or(0, |it| it.bytes.start),
                    )
                });
                ((it.id.severity() == Severity::Note, at), it)
            })
            .collect();
        keyed.sort_by_key(|(key, _)| *key);
        keyed.into_iter().map(|(_, it)| it).collect()
    }
}
