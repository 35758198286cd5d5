//! Texts that schemas ask for, by pattern or format.

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value, json};

use crate::fidelity::random::Random;

/// How many texts are tried against a pattern and the lengths beside it.
const TRIES: usize = 30;

/// A text that a pattern accepts, within the lengths that stand beside it; any text where none was found.
pub(super) fn matching(
    pattern: &str,
    keywords: &Map<String, Value>,
    random: &mut Random,
) -> String {
    let hir = regex_syntax::Parser::new().parse(pattern).ok();
    let judged: Map<String, Value> = ["pattern", "minLength", "maxLength"]
        .iter()
        .filter_map(|it| Some(((*it).to_owned(), keywords.get(*it)?.clone())))
        .collect();
    let validator = jsonschema::options()
        .offline()
        .build(&Value::Object(judged))
        .ok();
    let mut made = String::new();
    for attempt in 0..TRIES {
        made = match &hir {
            Some(hir) if attempt % 4 != 3 => {
                let mut text = String::new();
                // Longer and longer, since what is least may be more than the pattern's own least.
                write(hir, 2 + attempt * attempt / 8, random, &mut text);
                text
            }
            _ => (*random.pick(PATTERNED).unwrap_or(&"a")).to_owned(),
        };
        if validator
            .as_ref()
            .is_none_or(|it| it.is_valid(&json!(made)))
        {
            break;
        }
    }
    made
}

/// Writes a text of a regular expression; what looks around writes nothing.
fn write(hir: &Hir, most: usize, random: &mut Random, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.extend(letter(class, random)),
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).unwrap_or(0);
            let more = repetition
                .max
                .map_or(most, |it| usize::try_from(it).unwrap_or(most) - least)
                .min(most);
            for _ in 0..least + random.below(more + 1) {
                write(&repetition.sub, most, random, text);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, most, random, text),
        HirKind::Concat(parts) => parts.iter().for_each(|it| write(it, most, random, text)),
        HirKind::Alternation(parts) => {
            if let Some(part) = random.pick(parts) {
                write(part, most, random, text);
            }
        }
    }
}

/// A letter of a class, of its first ranges rather than of all Unicode.
fn letter(class: &Class, random: &mut Random) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let ranges = class.ranges();
    let readable: Vec<(char, char)> = ranges
        .iter()
        .map(|it| (it.start().max(' '), it.end().min('~')))
        .filter(|(start, end)| start <= end)
        .collect();
    let (start, end) = match random.pick(&readable) {
        Some(range) => *range,
        None => random.pick(ranges).map(|it| (it.start(), it.end()))?,
    };
    let width = u32::from(end) - u32::from(start);
    let step = u32::try_from(random.below(width as usize + 1)).unwrap_or(0);
    char::from_u32(u32::from(start) + step)
}

/// Strings that common patterns accept.
const PATTERNED: &[&str] = &[
    "a",
    "abc",
    "A1",
    "0",
    "1",
    "123",
    "a-b",
    "x_y",
    "2026-11-30",
    "#1d4ed8",
    "1.2.3",
    "a/b",
    "@a/b",
    "PT1H",
    "1h",
    "https://example.com/a",
    "550e8400-e29b-41d4-a716-446655440000",
    "user@example.com",
    "a1",
    "aa",
    "bb",
    "ab",
    "12",
    "2026",
    "a b c",
    "2026-11",
    "é",
    "k",
    "GET",
    "",
];

pub(super) fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2026-11-30T12:00:00+02:00",
        "date" => "2026-11-30",
        "time" => "12:00:00Z",
        "email" => "user@example.com",
        "uri" | "url" | "iri" | "uri-reference" => "https://example.com/a?b=c",
        "uuid" => "550e8400-e29b-41d4-a716-446655440000",
        "ipv4" => "127.0.0.1",
        "ipv6" => "::1",
        "hostname" => "example.com",
        "regex" => "^a+$",
        "duration" => "P1D",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_what_their_patterns_accept() {
        let mut random = Random::new("texts");
        for (pattern, least) in [
            ("^[a-z]{3}-\\d+$", 0),
            ("^(GET|POST) /", 0),
            ("^[A-Z0-9_]*$", 40),
            ("^(?=.*\\d)[a-z0-9]+$", 0),
        ] {
            let keywords = json!({ "pattern": pattern, "minLength": least });
            let validator = jsonschema::options()
                .offline()
                .build(&keywords)
                .expect("a schema");
            let keywords = keywords.as_object().cloned().unwrap_or_default();
            let made = json!(matching(pattern, &keywords, &mut random));
            assert!(validator.is_valid(&made), "{pattern}: {made}");
        }
    }
}
