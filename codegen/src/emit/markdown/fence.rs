//! Fenced code blocks, wherever an author may put one.

use super::{indent, markers};

/// The opening line of a code block.
pub(super) struct Fence {
    char: char,
    len: usize,
    indent: usize,
    quoted: bool,
}

impl Fence {
    /// Reads a line that opens a block, at any indentation and behind list or quote markers.
    pub(super) fn open(line: &str) -> Option<Self> {
        let (markers, text) = markers(line);
        let char = text.chars().next().filter(|it| matches!(it, '`' | '~'))?;
        let len = text.chars().take_while(|&it| it == char).count();
        // Backticks later in the line: this is a code span.
        if len < 3 || (char == '`' && text[len..].contains('`')) {
            return None;
        }
        Some(Self {
            char,
            len,
            indent: indent(line) + markers.len(),
            quoted: markers.contains('>'),
        })
    }

    pub(super) fn closes(&self, line: &str) -> bool {
        let text = self.unquoted(line).trim();
        text.len() >= self.len && text.chars().all(|it| it == self.char)
    }

    /// A line of the block without the indentation that the block as a whole has.
    pub(super) fn content<'l>(&self, line: &'l str) -> &'l str {
        if self.quoted {
            let line = self.unquoted(line);
            return line.strip_prefix(' ').unwrap_or(line);
        }
        &line[indent(line).min(self.indent)..]
    }

    fn unquoted<'l>(&self, line: &'l str) -> &'l str {
        let unquoted = line.trim_start().strip_prefix('>').filter(|_| self.quoted);
        unquoted.unwrap_or(line)
    }
}
