//! One pattern, with everything spelled out that the validator would read otherwise.

use super::captures::{Count, Groups, Meaning, group_name};

/// How the validator comes to judge by a pattern as ECMA-262 does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It reads the pattern rightly; or refuses it, which is for the validator to report.
    AsWritten,
    /// It reads this one as the author's is meant.
    As(String),
    /// Not at all: a back-reference that the engine takes for something else.
    Unreadable,
}

/// First and last characters, in order and apart from each other.
type Ranges = &'static [(char, char)];

const EVERYTHING: Ranges = &[('\0', char::MAX)];
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

/// A text has fewer characters than this.
const COUNTLESS: u64 = 1 << 31;

/// How the validator has to read a pattern.
pub fn read(pattern: &str) -> Reading {
    let letters: Vec<char> = pattern.chars().collect();
    let Some(groups) = Groups::of(&letters) else {
        return Reading::AsWritten;
    };
    let is_unusual = groups.has_unusual_name();
    let mut translator = Translator {
        // References go by number then.
        drops_names: is_unusual || pattern.contains("\\k"),
        groups,
        at: 0,
        out: String::with_capacity(pattern.len()),
        found: Found {
            misread: is_unusual,
            unreadable: has_flag(pattern, 'm'),
            condition: false,
        },
        has_dot_all: has_flag(pattern, 's'),
        letters: &letters,
    };
    if translator.run().is_none() {
        return Reading::AsWritten;
    }
    if translator.found.unreadable {
        return Reading::Unreadable;
    }
    // Where the validator meets look-around first, it leaves everything behind it as it is.
    let before = if translator.found.condition {
        "(?=)"
    } else {
        ""
    };
    let ours = format!("{before}{}", translator.out);
    if translator.found.misread && ours != pattern {
        Reading::As(ours)
    } else {
        Reading::AsWritten
    }
}

/// Whether somewhere in it, a flag is set: `(?s:.)`.
fn has_flag(pattern: &str, flag: char) -> bool {
    pattern.split("(?").skip(1).any(|group| {
        let rest = group.trim_start_matches(['i', 'm', 's', '-']);
        let flags = &group[..group.len() - rest.len()];
        let set = flags.split('-').next().unwrap_or_default();
        rest.starts_with(':') && set.contains(flag)
    })
}

struct Translator<'p> {
    letters: &'p [char],
    at: usize,
    groups: Groups,
    out: String,
    found: Found,
    has_dot_all: bool,
    drops_names: bool,
}

/// What a pattern has.
struct Found {
    /// Something that the validator does not read rightly as it is.
    misread: bool,
    /// Something that it cannot be made to read.
    unreadable: bool,
    /// In what it becomes: a choice by whether a group has a text.
    condition: bool,
}

/// One member of a class in brackets, as it is written.
enum Atom {
    Character(String),
    /// Of several characters, with which no range begins or ends.
    Set(String),
    /// Half of a character, which no text of JSON holds.
    Surrogate,
    /// None any more: the closing bracket.
    End,
}

impl Translator<'_> {
    /// `None` where the pattern ends too early; that is for the validator to report.
    fn run(&mut self) -> Option<()> {
        while let Some(letter) = self.next() {
            match letter {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '.' if !self.has_dot_all => self.out.push_str("[^\n\r\u{2028}\u{2029}]"),
                '(' => self.group(),
                '{' => self.count(),
                other => self.out.push(other),
            }
        }
        Some(())
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.letters.get(self.at).copied();
        self.at += 1;
        letter
    }

    fn rest(&self) -> &[char] {
        self.letters.get(self.at..).unwrap_or_default()
    }

    fn next_if(&mut self, letter: char) -> bool {
        let is_next = self.rest().first() == Some(&letter);
        self.at += usize::from(is_next);
        is_next
    }

    /// Behind an opening parenthesis.
    fn group(&mut self) {
        self.out.push('(');
        self.found.misread |= matches!(
            self.rest(),
            ['?', '=' | '!', ..] | ['?', '<', '=' | '!', ..]
        );
        let name = group_name(&self.letters[self.at - 1..]);
        if let Some(name) = name.filter(|_| self.drops_names) {
            self.at += "?<>".len() + name.chars().count();
        }
    }

    /// Behind an opening brace: more than any text has is without end.
    fn count(&mut self) {
        let Some(count) = Count::of(&self.letters[self.at - 1..]) else {
            self.out.push('{');
            return;
        };
        let is_countless =
            |it: &str| it.parse::<u64>().is_ok_and(|it| it >= COUNTLESS) || it.len() > 19;
        self.at += count.length - 1;
        let least = &count.least;
        let text = match count.most.as_deref() {
            Some(most) if is_countless(most) && !is_countless(least) => {
                self.found.misread = true;
                format!("{{{least},}}")
            }
            Some(most) if most != least => format!("{{{least},{most}}}"),
            Some(_) => format!("{{{least}}}"),
            None => format!("{{{least},}}"),
        };
        self.out.push_str(&text);
    }

    /// Behind a backslash outside brackets.
    fn escape(&mut self) -> Option<()> {
        const IN: &str = "[0-9A-Z_a-z]";
        let start = self.at;
        let letter = self.next()?;
        if let Some((ranges, negated)) = class_of(letter) {
            self.push_class(negated, &members(ranges));
            return Some(());
        }
        match letter {
            'b' => {
                self.found.misread = true;
                let boundary = format!("(?:(?<={IN})(?!{IN})|(?<!{IN})(?={IN}))");
                self.out.push_str(&boundary);
            }
            'B' => {
                self.found.misread = true;
                let inside = format!("(?:(?<={IN})(?={IN})|(?<!{IN})(?!{IN}))");
                self.out.push_str(&inside);
            }
            '1'..='9' => {
                let more = self.rest().iter().take_while(|it| it.is_ascii_digit());
                self.at += more.count();
                self.found.misread = true;
                let number: String = self.letters[start..self.at].iter().collect();
                let group = number.parse().ok().into_iter().collect::<Vec<usize>>();
                self.reference(start, &group, &format!("\\{number}"));
            }
            'k' => {
                let name = self.rest().strip_prefix(&['<']);
                let name = name.and_then(|it| it.split(|it| *it == '>').next());
                let name: String = name?.iter().collect();
                self.at += "<>".len() + name.chars().count();
                self.found.misread = true;
                let groups = self.groups.named(&name);
                self.reference(start, &groups, &format!("\\k<{name}>"));
            }
            other => match self.character(other) {
                Atom::Surrogate => self.push_class(true, &members(EVERYTHING)),
                other => self.out.push_str(other.text()),
            },
        }
        Some(())
    }

    /// A reference to whichever of some groups has a text. `written` is what the author wrote.
    fn reference(&mut self, at: usize, groups: &[usize], written: &str) {
        let mut texts = Vec::new();
        for number in groups {
            texts.push(match self.groups.meaning(at, *number) {
                // No such group: the validator says so.
                None => written.to_owned(),
                Some(Meaning::Text) => format!("\\{number}"),
                Some(Meaning::TextOrNothing) => {
                    self.found.condition = true;
                    format!("(?({number})\\{number}|)")
                }
                Some(Meaning::Nothing) => String::new(),
                Some(Meaning::Unreadable) => {
                    self.found.unreadable = true;
                    String::new()
                }
            });
        }
        match texts.as_slice() {
            [] => self.out.push_str(written),
            [only] if only == written => self.out.push_str(written),
            texts => self.out.extend(["(?:", &texts.concat(), ")"]),
        }
    }

    /// A character behind a backslash, in brackets or not.
    fn character(&mut self, letter: char) -> Atom {
        let text = match letter {
            '0' => {
                self.found.misread = true;
                "\\x00".to_owned()
            }
            'c' => match self.rest().first() {
                Some(control) if control.is_ascii_alphabetic() => {
                    let code = u32::from(*control) % 32;
                    self.at += 1;
                    format!("\\x{code:02X}")
                }
                _ => "\\c".to_owned(),
            },
            'p' | 'P' if self.rest().first() == Some(&'{') => {
                let length = self.rest().iter().take_while(|it| **it != '}').count();
                let end = (self.at + length + 1).min(self.letters.len());
                let name: String = self.letters[self.at..end].iter().collect();
                self.at = end;
                return Atom::Set(format!("\\{letter}{name}"));
            }
            'u' => match code_unit(self.rest()) {
                Some((code, length)) => return self.code_point(code, length),
                None => "\\u".to_owned(),
            },
            other => format!("\\{other}"),
        };
        Atom::Character(text)
    }

    /// A code point, or two halves of one.
    fn code_point(&mut self, code: u32, length: usize) -> Atom {
        let written: String = self.rest()[..length].iter().collect();
        self.at += length;
        if !(0xd800..0xe000).contains(&code) {
            return Atom::Character(format!("\\u{written}"));
        }
        self.found.misread = true;
        let low = self.rest().strip_prefix(&['\\', 'u']).and_then(code_unit);
        match low {
            Some((low, 4)) if length == 4 && code < 0xdc00 && (0xdc00..0xe000).contains(&low) => {
                self.at += "\\u".len() + 4;
                let whole = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                Atom::Character(format!("\\u{{{whole:X}}}"))
            }
            _ => Atom::Surrogate,
        }
    }

    /// Behind an opening bracket. By the grammar of ECMA-262, annex B: a hyphen beside a set is itself.
    fn class(&mut self) -> Option<()> {
        let negated = self.next_if('^');
        let mut inner = String::new();
        loop {
            let first = self.atom()?;
            if matches!(first, Atom::End) {
                break;
            }
            // The hyphen of a range, unless it comes last.
            let is_range = matches!(self.rest(), ['-', last, ..] if *last != ']');
            if !is_range {
                inner.push_str(first.text());
                continue;
            }
            self.at += 1;
            let last = self.atom()?;
            // The halves of characters stand between U+D7FF and U+E000.
            match (&first, &last) {
                (Atom::Surrogate, Atom::Surrogate) => {}
                (Atom::Surrogate, Atom::Character(last)) => {
                    inner.extend(["\\u{E000}-", last]);
                }
                (Atom::Character(first), Atom::Surrogate) => {
                    inner.extend([first, "-\\u{D7FF}"]);
                }
                (Atom::Character(first), Atom::Character(last)) => {
                    inner.extend([first, "-", last]);
                }
                _ => inner.extend([first.text(), "\\-", last.text()]),
            }
        }
        if inner.is_empty() {
            // Nothing is `[]`, and everything `[^]`, where Rust would read on.
            self.found.misread = true;
            self.push_class(!negated, &members(EVERYTHING));
        } else {
            self.push_class(negated, &inner);
        }
        Some(())
    }

    fn push_class(&mut self, negated: bool, members: &str) {
        let open = if negated { "[^" } else { "[" };
        self.out.extend([open, members, "]"]);
    }

    /// The next member of a class; `None` where the pattern ends.
    fn atom(&mut self) -> Option<Atom> {
        let text = match self.next()? {
            ']' => return Some(Atom::End),
            '-' => "\\-".to_owned(),
            '\\' => {
                let letter = self.next()?;
                match class_of(letter) {
                    Some((ranges, false)) => return Some(Atom::Set(members(ranges))),
                    Some((ranges, true)) => {
                        return Some(Atom::Set(members(&complement(ranges))));
                    }
                    // In brackets, a backspace.
                    None if letter == 'b' => {
                        self.found.misread = true;
                        "\\x08".to_owned()
                    }
                    None => return Some(self.character(letter)),
                }
            }
            // Where two of them mean more to Rust.
            special @ ('[' | '&' | '~') => format!("\\{special}"),
            other => other.to_string(),
        };
        Some(Atom::Character(text))
    }
}

impl Atom {
    fn text(&self) -> &str {
        match self {
            Self::Character(text) | Self::Set(text) => text,
            Self::Surrogate | Self::End => "",
        }
    }
}

/// The code in `0061` or `{61}`, and how many characters that has.
fn code_unit(rest: &[char]) -> Option<(u32, usize)> {
    let (digits, around) = match rest.strip_prefix(&['{']) {
        Some(rest) => (rest.split(|it| *it == '}').next()?, 2),
        None => (rest.get(..4)?, 0),
    };
    let text: String = digits.iter().collect();
    let is_hex = text.bytes().all(|it| it.is_ascii_hexdigit());
    let code = u32::from_str_radix(&text, 16).ok().filter(|_| is_hex)?;
    Some((code, digits.len() + around))
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
