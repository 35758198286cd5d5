//! The report for people, as rustc writes it: message, excerpt with carets, help, and a summary line.

use std::collections::BTreeMap;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title,
};

use super::{Diagnostic, Diagnostics, Id, Locator, Place, Severity, locate::Location};
use crate::source::{FileId, SourceFile, SourceMap};

/// Excerpts show at most this many characters of a line.
const MAX_LINE: usize = 120;
/// A caret marks at most this many characters of a line that is cut.
const MAX_MARKED: usize = 60;
/// More notes of one id than this are shown in part…
const MANY_NOTES: usize = 10;
/// …by this many of them.
const SHOWN_NOTES: usize = 5;

/// How a report is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// With ANSI colours.
    pub color: bool,
    /// Every note, however many there are of one kind.
    pub verbose: bool,
}

/// The whole report: findings by file and position, notes last, and a summary line. Empty when nothing
/// was found.
pub fn render(sources: &SourceMap, diagnostics: &Diagnostics, color: bool) -> String {
    render_with(
        sources,
        diagnostics,
        RenderOptions {
            color,
            verbose: false,
        },
    )
}

/// [`render`], with all options.
pub fn render_with(
    sources: &SourceMap,
    diagnostics: &Diagnostics,
    options: RenderOptions,
) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let renderer = if options.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut locator = Locator::new(sources);
    let sorted = locator.sorted(diagnostics);
    let (shown, hidden) = if options.verbose {
        (sorted, BTreeMap::new())
    } else {
        summarise_notes(sorted)
    };
    let mut report = String::new();
    let mut push = |group: Group<'_>| {
        push_rendered(&mut report, &renderer.render(&[group]));
    };
    for diagnostic in shown {
        push(group(diagnostic, &mut locator));
    }
    for (id, count) in hidden {
        let text = format!("… and {count} more `{id}` notes (--verbose shows all)");
        push(Group::with_title(Level::NOTE.primary_title(text)));
    }
    push(Group::with_title(summary(diagnostics)));
    report.truncate(report.trim_end().len());
    report.push('\n');
    report
}

/// Adds one rendered finding and a blank line.
///
/// A cut excerpt carries its true position in an `Origin` of its own, since the renderer would count columns from
/// the cut. Before such an excerpt it writes `:::` and nothing after it; that line goes.
fn push_rendered(report: &mut String, rendered: &str) {
    for line in rendered.lines() {
        let is_blank_origin = line.contains(":::") && without_styles(line).trim() == ":::";
        if !is_blank_origin {
            report.push_str(line);
            report.push('\n');
        }
    }
    report.push('\n');
}

/// A line without its ANSI colour sequences.
fn without_styles(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let plain = parts.next().unwrap_or_default().to_owned();
    parts.fold(plain, |plain, it| {
        plain + it.split_once('m').map_or("", |(_, rest)| rest)
    })
}

/// Keeps the first few notes of ids that have many; says how many of each were left out.
fn summarise_notes(sorted: Vec<&Diagnostic>) -> (Vec<&Diagnostic>, BTreeMap<Id, usize>) {
    let mut counts: BTreeMap<Id, usize> = BTreeMap::new();
    for diagnostic in sorted
        .iter()
        .filter(|it| it.id.severity() == Severity::Note)
    {
        *counts.entry(diagnostic.id).or_default() += 1;
    }
    counts.retain(|_, count| *count > MANY_NOTES);
    let mut seen: BTreeMap<Id, usize> = BTreeMap::new();
    let shown = sorted
        .into_iter()
        .filter(|it| {
            let seen = seen.entry(it.id).or_default();
            *seen += 1;
            *seen <= SHOWN_NOTES || !counts.contains_key(&it.id)
        })
        .collect();
    for count in counts.values_mut() {
        *count -= SHOWN_NOTES;
    }
    (shown, counts)
}

fn group<'a>(diagnostic: &'a Diagnostic, locator: &mut Locator<'a>) -> Group<'a> {
    let title = level(diagnostic.id.severity())
        .primary_title(printable(&diagnostic.message))
        .id(diagnostic.id.as_str());
    let mut group = Group::with_title(title);
    for marks in by_file(diagnostic, locator) {
        group = excerpts(group, &marks, locator);
    }
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(printable(help))),
        None => group,
    }
}

/// A place in a file that is shown.
struct Mark<'a> {
    file: &'a SourceFile,
    location: Option<Location>,
    label: &'a str,
    kind: AnnotationKind,
}

impl Mark<'_> {
    fn annotation(&self, at: std::ops::Range<usize>) -> Annotation<'static> {
        let label = (!self.label.is_empty()).then(|| printable(self.label));
        self.kind.span(at).label(label)
    }
}

/// The places of a finding, those of one file together, the file of the finding itself first.
fn by_file<'a>(diagnostic: &'a Diagnostic, locator: &mut Locator<'a>) -> Vec<Vec<Mark<'a>>> {
    let mut files: Vec<(FileId, Vec<Mark<'a>>)> = Vec::new();
    let mut add = |place: &Place, label: &'a str, kind: AnnotationKind| {
        let mark = Mark {
            file: locator.file(place),
            location: locator.locate(place),
            label,
            kind,
        };
        match files.iter_mut().find(|(file, _)| *file == place.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((place.file, vec![mark])),
        }
    };
    if let Some((place, label)) = &diagnostic.place {
        add(place, label, AnnotationKind::Primary);
    }
    for (place, label) in &diagnostic.related {
        add(place, label, AnnotationKind::Context);
    }
    files.into_iter().map(|(_, marks)| marks).collect()
}

/// Adds the excerpts of one file: one for all marks, or one each where lines are too long to show.
fn excerpts<'a>(mut group: Group<'a>, marks: &[Mark<'a>], locator: &Locator<'a>) -> Group<'a> {
    let mut located = Vec::new();
    for mark in marks {
        match &mark.location {
            Some(location) => located.push((mark, location)),
            None => group = group.element(Origin::path(printable(&mark.file.label))),
        }
    }
    let Some((first, _)) = located.first() else {
        return group;
    };
    let line_of = |location: &Location| locator.line(first.file, location.start.line);
    if located.iter().any(|(_, it)| line_of(it).len() > MAX_LINE) {
        for (mark, location) in located {
            let origin = Origin::path(printable(&mark.file.label))
                .line(location.start.line)
                .char_column(location.start.column);
            let line = &mark.file.text[line_of(location)];
            let excerpt = cut_excerpt(mark, location, line, line_of(location).start);
            group = group.element(origin).element(excerpt);
        }
        return group;
    }
    let (Some(top), Some(bottom)) = (
        located.iter().map(|(_, it)| it.start.line).min(),
        located.iter().map(|(_, it)| it.start.line).max(),
    ) else {
        return group;
    };
    let (start, end) = (
        locator.line(first.file, top).start,
        locator.line(first.file, bottom).end,
    );
    let annotations = located
        .iter()
        .map(|(mark, it)| mark.annotation(it.bytes.start - start..it.bytes.end - start));
    let snippet = Snippet::source(&first.file.text[start..end])
        .line_start(top)
        .path(printable(&first.file.label))
        .annotations(annotations);
    group.element(snippet)
}

/// The part of a long line that surrounds a mark.
fn cut_excerpt(
    mark: &Mark<'_>,
    location: &Location,
    line: &str,
    line_start: usize,
) -> Snippet<'static, Annotation<'static>> {
    let (from, to) = (
        location.bytes.start - line_start,
        location.bytes.end - line_start,
    );
    let marked = take_chars(&line[from..to], MAX_MARKED);
    let around = MAX_LINE - marked.chars().count();
    let before = take_last_chars(&line[..from], around / 2);
    let after = take_chars(&line[from + marked.len()..], around / 2);
    let left = if before.len() < from { "…" } else { "" };
    let right = if from + marked.len() + after.len() < line.len() {
        "…"
    } else {
        ""
    };
    let start = left.len() + before.len();
    Snippet::source(format!("{left}{before}{marked}{after}{right}"))
        .line_start(location.start.line)
        .annotation(mark.annotation(start..start + marked.len()))
}

fn take_chars(text: &str, count: usize) -> &str {
    text.char_indices()
        .nth(count)
        .map_or(text, |(at, _)| &text[..at])
}

fn take_last_chars(text: &str, count: usize) -> &str {
    let Some(last) = count.checked_sub(1) else {
        return "";
    };
    text.char_indices()
        .nth_back(last)
        .map_or(text, |(at, _)| &text[at..])
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// `error: 3 errors, 1 warning`.
fn summary(diagnostics: &Diagnostics) -> Title<'static> {
    let mut worst = Severity::Note;
    let mut parts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let count = diagnostics.count(severity);
        if count > 0 {
            worst = worst.min(severity);
            parts.push(format!(
                "{count} {severity}{}",
                if count == 1 { "" } else { "s" }
            ));
        }
    }
    level(worst).primary_title(parts.join(", "))
}

/// Text from a contract, made safe for a terminal: characters that steer it, or that turn the direction of
/// reading, are written as escapes.
pub(super) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || (character.is_control() && character != '\n') {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}
