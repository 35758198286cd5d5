//! Prose of schemas as Markdown that rustdoc takes without a warning and never runs as a doctest.
//!
//! Authors write plain text, Markdown or docstrings. Nothing they wrote is dropped; what would mean
//! something else to rustdoc is escaped: links to items, HTML tags, indented code, Rust fences.

mod fence;
mod inline;

use fence::Fence;

/// The lines of `text`, safe behind `///`. Empty when there is nothing but white space.
pub(super) fn safe(text: &str) -> Vec<String> {
    let lines = dedent(clean(text));
    let mut out = Writer::default();
    let mut rest = lines.as_slice();
    while let Some((line, tail)) = rest.split_first() {
        rest = match Fence::open(line) {
            Some(fence) => out.fenced(&fence, tail),
            None if line.is_empty() => out.blank(tail),
            None if indent(line) >= 4 && out.may_be_code() => out.indented(rest),
            None => out.text(line, tail),
        };
    }
    out.finish()
}

/// `text` as one line of safe prose, for titles.
pub(super) fn safe_line(text: &str) -> String {
    safe(&text.split_whitespace().collect::<Vec<_>>().join(" ")).join(" ")
}

/// `text` in a code span, on one line; `None` when there is nothing to show.
pub(super) fn code(text: &str) -> Option<String> {
    const MOST: usize = 80;
    let mut shown: String = text.chars().take(MOST).map(visible).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    if shown.trim().is_empty() {
        return None;
    }
    let ticks = "`".repeat(longest_run(&shown, '`') + 1);
    // Markdown takes one space off both ends, so a text that touches the delimiter gets one.
    let pad = if shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    Some(format!("{ticks}{pad}{shown}{pad}{ticks}"))
}

/// The text on one line, harmless in a `//` comment.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// One output line after the other, with what the next line must know about those before.
#[derive(Default)]
struct Writer {
    lines: Vec<String>,
    in_list: bool,
}

impl Writer {
    /// Whether an indented line would be a code block here: not inside a paragraph, where it only
    /// continues the text, nor below a list item, where indentation means nesting.
    fn may_be_code(&self) -> bool {
        !self.in_list && self.lines.last().is_none_or(String::is_empty)
    }

    fn blank<'l>(&mut self, rest: &'l [String]) -> &'l [String] {
        if self.lines.last().is_some_and(|it| !it.is_empty()) {
            self.lines.push(String::new());
        }
        rest
    }

    /// A line of a paragraph, list or quote. At most three spaces stay in front of it: four would
    /// make it indented code, which rustdoc compiles.
    fn text<'l>(&mut self, line: &str, rest: &'l [String]) -> &'l [String] {
        let (markers, text) = markers(line);
        if !markers.is_empty() {
            self.in_list = true;
        } else if indent(line) < 2 && self.lines.last().is_none_or(String::is_empty) {
            self.in_list = false;
        }
        let indent = " ".repeat(indent(line).min(3));
        let line = format!("{indent}{markers}{}", inline::safe(text));
        self.lines.push(line.trim_end().to_owned());
        rest
    }

    fn fenced<'l>(&mut self, fence: &Fence, rest: &'l [String]) -> &'l [String] {
        let end = rest.iter().position(|it| fence.closes(it));
        let body = &rest[..end.unwrap_or(rest.len())];
        self.code_block(body.iter().map(|it| fence.content(it)));
        self.in_list = false;
        end.map_or(&[], |end| &rest[end + 1..])
    }

    fn indented<'l>(&mut self, rest: &'l [String]) -> &'l [String] {
        let ends = |it: &String| !it.is_empty() && (indent(it) < 4 || Fence::open(it).is_some());
        let mut end = rest.iter().position(ends).unwrap_or(rest.len());
        while rest[end - 1].is_empty() {
            end -= 1;
        }
        let margin = rest[..end]
            .iter()
            .filter(|it| !it.is_empty())
            .map(|it| indent(it))
            .min();
        self.code_block(
            rest[..end]
                .iter()
                .map(|it| it.get(margin.unwrap_or(0)..).unwrap_or("")),
        );
        &rest[end..]
    }

    /// A block that rustdoc shows as it is. Always at the margin, so that nothing around it can
    /// end it early, and fenced longer than anything in it.
    fn code_block<'l>(&mut self, body: impl Iterator<Item = &'l str> + Clone) {
        let ticks = "`".repeat(
            body.clone()
                .map(|it| longest_run(it, '`') + 1)
                .max()
                .unwrap_or(0)
                .max(3),
        );
        self.lines.push(format!("{ticks}text"));
        self.lines.extend(body.map(str::to_owned));
        self.lines.push(ticks);
    }

    fn finish(mut self) -> Vec<String> {
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
        self.lines
    }
}

/// The list and quote markers a line begins with, one space after each, and the text behind them.
/// Wider gaps would open indented code inside the list item.
fn markers(line: &str) -> (String, &str) {
    let mut markers = String::new();
    let mut rest = line.trim_start();
    while let Some(len) = marker(rest) {
        markers.push_str(&rest[..len]);
        markers.push(' ');
        rest = rest[len..].trim_start();
    }
    (markers, rest)
}

fn marker(text: &str) -> Option<usize> {
    if text.starts_with('>') {
        return Some(1);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let len = match (digits, text.as_bytes().get(digits)?) {
        (0, b'-' | b'*' | b'+') => 1,
        (1..=9, b'.' | b')') => digits + 1,
        _ => return None,
    };
    matches!(text.as_bytes().get(len), None | Some(b' ')).then_some(len)
}

/// Lines without line ends, trailing white space, tabs, and characters that hide or reorder text.
fn clean(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n")
        .split(['\n', '\r', '\u{2028}', '\u{2029}'])
        .map(|line| {
            let line = line.replace('\t', "    ");
            line.chars()
                .filter(|&it| !hides(it))
                .collect::<String>()
                .trim_end()
                .to_owned()
        })
        .collect()
}

/// Takes the indentation off that all lines but the first share, as docstrings have it. Below a
/// list item it is meant: there it nests.
fn dedent(mut lines: Vec<String>) -> Vec<String> {
    let in_list = lines.first().is_some_and(|it| !markers(it).0.is_empty());
    let margin = lines
        .iter()
        .skip(1)
        .filter(|it| !it.is_empty())
        .map(|it| indent(it))
        .min();
    let margin = margin.filter(|_| !in_list);
    for (index, line) in lines.iter_mut().enumerate() {
        let margin = if index == 0 {
            indent(line)
        } else {
            margin.unwrap_or(0)
        };
        line.drain(..margin.min(line.len()));
    }
    lines
}

/// How many spaces a line begins with; [`clean`] left no other indentation.
fn indent(line: &str) -> usize {
    line.bytes().take_while(|&it| it == b' ').count()
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|it| it != wanted)
        .map(str::len)
        .max()
        .unwrap_or(0)
}

/// Control characters, and those with which text can pose as other text (rustc refuses the
/// bidirectional ones in comments).
pub(crate) fn hides(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        )
        || matches!(
            char,
            '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
}

fn visible(char: char) -> char {
    match char {
        '\n' | '\r' | '\t' => ' ',
        it if hides(it) => char::REPLACEMENT_CHARACTER,
        it => it,
    }
}

#[cfg(test)]
mod tests;
