//! Patterns that the validator would not read as ECMA-262 does, put so that it does.
//!
//! The validator translates plain patterns itself, all but `\b` and `\B`; those with look-around or
//! back-references it leaves as they are, and the engine behind it lets `\d`, `\w`, `\s`, `\b` and `.` mean what
//! they mean in Rust: `\d` any digit of Unicode. So the validator gets a copy of the schema in which such patterns spell out their
//! classes. Published and shown is always what the author wrote.
//!
//! This file stands in both crates, the same byte for byte: code generation and runtime must judge alike.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter::Peekable,
    str::Chars,
};

use serde_json::{Map, Value};

/// Patterns, each with the one to put in its place.
pub(crate) type Renames = BTreeMap<String, String>;

/// The schema for the validator, and the author's pattern of each one in it that is not; `None`
/// where the validator reads all patterns rightly.
pub(crate) fn translated(schema: &Value) -> Option<(Value, Renames)> {
    let mut patterns = BTreeSet::new();
    collect(schema, &mut patterns);
    let mut renames = Renames::new();
    let mut authors = Renames::new();
    for pattern in &patterns {
        let Some(mut ours) = translate(pattern) else {
            continue;
        };
        // Two keys of `patternProperties` must not become one.
        while patterns.contains(ours.as_str()) || authors.contains_key(&ours) {
            ours.push_str("(?:)");
        }
        renames.insert((*pattern).to_owned(), ours.clone());
        authors.insert(ours, (*pattern).to_owned());
    }
    (!renames.is_empty()).then(|| (renamed(schema, &renames), authors))
}

/// The same schema with other patterns, and with references that still lead to the same places.
pub(crate) fn renamed(schema: &Value, renames: &Renames) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(|it| renamed(it, renames)).collect(),
        Value::Object(members) => {
            let member =
                |(key, value): (&String, &Value)| (key.clone(), renamed_below(key, value, renames));
            Value::Object(members.iter().map(member).collect())
        }
        scalar => scalar.clone(),
    }
}

fn renamed_below(keyword: &str, value: &Value, renames: &Renames) -> Value {
    let by_name = |members: &Map<String, Value>, rename: bool| {
        let member = |(name, it): (&String, &Value)| {
            let other = renames.get(name).filter(|_| rename);
            (other.unwrap_or(name).clone(), renamed(it, renames))
        };
        Value::Object(members.iter().map(member).collect())
    };
    match (below(keyword), value) {
        (Below::Data, _) => value.clone(),
        (Below::Schemas, _) => renamed(value, renames),
        (Below::Named, Value::Object(members)) => by_name(members, false),
        (Below::NamedByPattern, Value::Object(members)) => by_name(members, true),
        (Below::Pattern, Value::String(pattern)) => {
            renames.get(pattern).unwrap_or(pattern).as_str().into()
        }
        (Below::Reference, Value::String(target)) => redirected(target, renames).into(),
        // No schema: the validator says so.
        (_, other) => renamed(other, renames),
    }
}

fn collect<'a>(schema: &'a Value, out: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|it| collect(it, out)),
        Value::Object(members) => {
            for (keyword, value) in members {
                match (below(keyword), value) {
                    (Below::Data, _) => {}
                    (Below::Named, Value::Object(named)) => {
                        named.values().for_each(|it| collect(it, out));
                    }
                    (Below::NamedByPattern, Value::Object(named)) => {
                        out.extend(named.keys().map(String::as_str));
                        named.values().for_each(|it| collect(it, out));
                    }
                    (Below::Pattern, Value::String(pattern)) => {
                        out.insert(pattern);
                    }
                    (_, other) => collect(other, out),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What the value of a keyword is.
enum Below {
    Data,
    Schemas,
    Named,
    NamedByPattern,
    Pattern,
    Reference,
}

fn below(keyword: &str) -> Below {
    match keyword {
        "const" | "enum" | "default" | "examples" => Below::Data,
        "properties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
            Below::Named
        }
        "patternProperties" => Below::NamedByPattern,
        "pattern" => Below::Pattern,
        "$ref" | "$dynamicRef" => Below::Reference,
        // Also what is no keyword: references may lead in there, and else nothing looks at it.
        _ => Below::Schemas,
    }
}

/// A reference whose way may lead past renamed keys of `patternProperties`.
fn redirected(target: &str, renames: &Renames) -> String {
    let Some((document, pointer)) = target.split_once('#') else {
        return target.to_owned();
    };
    let mut by_pattern = false;
    let steps = pointer.split('/').map(|step| {
        let name = percent_decoded(step).replace("~1", "/").replace("~0", "~");
        let other = renames.get(&name).filter(|_| by_pattern);
        by_pattern = name == "patternProperties";
        other.map_or_else(|| step.to_owned(), |it| encoded(it))
    });
    format!("{document}#{}", steps.collect::<Vec<_>>().join("/"))
}

fn percent_decoded(step: &str) -> String {
    let mut bytes = Vec::with_capacity(step.len());
    let mut rest = step.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|it| std::str::from_utf8(it).ok());
        let byte = code.and_then(|it| u8::from_str_radix(it, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// As a step of a pointer in a reference.
fn encoded(name: &str) -> String {
    let escaped = name.replace('~', "~0").replace('/', "~1");
    let byte = |it: u8| match it {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'~' => char::from(it).to_string(),
        other => format!("%{other:02X}"),
    };
    escaped.bytes().map(byte).collect()
}

/// First and last characters, in order and apart from each other.
type Ranges = &'static [(char, char)];

const DIGITS: Ranges = &[('0', '9')];
const WORD: Ranges = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
/// ECMA-262 `WhiteSpace` (with all of Unicode's Zs) and `LineTerminator`.
const SPACE: Ranges = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];

/// The pattern with all classes spelt out; `None` where the validator translates it, or nothing differs.
pub(crate) fn translate(pattern: &str) -> Option<String> {
    let mut translator = Translator {
        rest: pattern.chars().peekable(),
        out: String::with_capacity(pattern.len()),
        is_untranslated: false,
        has_dot_all: has_dot_all(pattern),
    };
    translator.run()?;
    let changed = translator.is_untranslated && translator.out != pattern;
    changed.then_some(translator.out)
}

/// Whether somewhere in it, `.` means every character: `(?s:.)`.
fn has_dot_all(pattern: &str) -> bool {
    pattern.split("(?").skip(1).any(|group| {
        let flags = group.trim_start_matches(['i', 'm', 's', '-']);
        flags.starts_with(':') && group[..group.len() - flags.len()].contains('s')
    })
}

struct Translator<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    /// Whether the validator leaves the pattern as it is.
    is_untranslated: bool,
    has_dot_all: bool,
}

/// One member of a class in brackets, as it is written.
enum Atom {
    Character(String),
    /// Of several characters, with which no range begins or ends.
    Set(String),
    /// None any more: the closing bracket.
    End,
}

impl Translator<'_> {
    /// `None` where the pattern ends too early; that is for the validator to report.
    fn run(&mut self) -> Option<()> {
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '.' if !self.has_dot_all => self.out.push_str("[^\n\r\u{2028}\u{2029}]"),
                '(' => {
                    let group: String = self.rest.clone().take(3).collect();
                    let look_around = ["?=", "?!", "?<=", "?<!"];
                    self.is_untranslated |= look_around.iter().any(|it| group.starts_with(it));
                    self.out.push('(');
                }
                other => self.out.push(other),
            }
        }
        Some(())
    }

    /// Behind a backslash outside brackets.
    fn escape(&mut self) -> Option<()> {
        const IN: &str = "[0-9A-Z_a-z]";
        let letter = self.rest.next()?;
        if let Some((ranges, negated)) = class_of(letter) {
            self.out.push_str(if negated { "[^" } else { "[" });
            self.out.push_str(&members(ranges));
            self.out.push(']');
            return Some(());
        }
        match letter {
            'b' => {
                self.is_untranslated = true;
                let boundary = format!("(?:(?<={IN})(?!{IN})|(?<!{IN})(?={IN}))");
                self.out.push_str(&boundary);
            }
            'B' => {
                self.is_untranslated = true;
                let inside = format!("(?:(?<={IN})(?={IN})|(?<!{IN})(?!{IN}))");
                self.out.push_str(&inside);
            }
            other => {
                self.is_untranslated |= other.is_ascii_digit() || other == 'k';
                self.out.extend(['\\', other]);
            }
        }
        Some(())
    }

    /// Behind an opening bracket. By the grammar of ECMA-262, annex B: a hyphen beside a set is itself.
    fn class(&mut self) -> Option<()> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut inner = String::new();
        loop {
            let first = self.atom()?;
            if matches!(first, Atom::End) {
                break;
            }
            // The hyphen of a range, unless it comes last.
            let mut ahead = self.rest.clone();
            if ahead.next() != Some('-') || ahead.peek() == Some(&']') {
                inner.push_str(first.text());
                continue;
            }
            self.rest.next();
            let last = self.atom()?;
            let is_range = matches!((&first, &last), (Atom::Character(_), Atom::Character(_)));
            let hyphen = if is_range { "-" } else { "\\-" };
            inner.extend([first.text(), hyphen, last.text()]);
        }
        // `[]` is nothing and `[^]` everything, where Rust would read on.
        let negated = negated != inner.is_empty();
        if inner.is_empty() {
            inner = members(&[('\0', char::MAX)]);
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        self.out.push_str(&inner);
        self.out.push(']');
        Some(())
    }

    /// The next member of a class; `None` where the pattern ends.
    fn atom(&mut self) -> Option<Atom> {
        let text = match self.rest.next()? {
            ']' => return Some(Atom::End),
            '-' => "\\-".to_owned(),
            '\\' => {
                let letter = self.rest.next()?;
                match class_of(letter) {
                    Some((ranges, false)) => return Some(Atom::Set(members(ranges))),
                    Some((ranges, true)) => {
                        return Some(Atom::Set(members(&complement(ranges))));
                    }
                    // In brackets, a backspace.
                    None if letter == 'b' => '\u{8}'.to_string(),
                    None => {
                        self.is_untranslated |= letter.is_ascii_digit();
                        format!("\\{letter}")
                    }
                }
            }
            other => other.to_string(),
        };
        Some(Atom::Character(text))
    }
}

impl Atom {
    fn text(&self) -> &str {
        match self {
            Self::Character(text) | Self::Set(text) => text,
            Self::End => "",
        }
    }
}

/// What the letter of a class stands for, and whether for all but that.
fn class_of(letter: char) -> Option<(Ranges, bool)> {
    let ranges = match letter.to_ascii_lowercase() {
        'd' => DIGITS,
        'w' => WORD,
        's' => SPACE,
        _ => return None,
    };
    Some((ranges, letter.is_ascii_uppercase()))
}

/// Ranges as they are written in brackets.
fn members(ranges: &[(char, char)]) -> String {
    let mut out = String::new();
    for (first, last) in ranges {
        push_member(&mut out, *first);
        if first != last {
            out.push('-');
            push_member(&mut out, *last);
        }
    }
    out
}

fn push_member(out: &mut String, letter: char) {
    if matches!(letter, '\\' | '[' | ']' | '^' | '-' | '&' | '~') {
        out.push('\\');
    }
    out.push(letter);
}

fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut out = Vec::new();
    let mut start = Some('\0');
    for &(first, last) in ranges {
        // A range of characters steps over the surrogates.
        let end = ('\0'..first).next_back();
        out.extend(start.zip(end).filter(|(start, end)| start <= end));
        start = (last..=char::MAX).nth(1);
    }
    out.extend(start.map(|it| (it, char::MAX)));
    out
}
