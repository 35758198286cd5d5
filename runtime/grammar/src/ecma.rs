//! Patterns that the validator would not read as ECMA-262 does, put so that it does.
//!
//! The validator translates plain patterns itself, but not all of them; those with look-around or back-references
//! it leaves as they are, and the engine behind it lets `\d`, `\w`, `\s`, `\b` and `.` mean what they mean in
//! Rust: `\d` any digit of Unicode. So the validator gets a copy of the schema in which such patterns are spelled out
//! (`pattern`). Published and shown is always what the author wrote.

mod captures;
mod pattern;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::percent;

pub use self::pattern::{Reading, read};

/// Patterns, each with the one to put in its place.
pub type Renames = BTreeMap<String, String>;

/// The schema for the validator, and the author's pattern of each one in it that is not; `None`
/// where the validator reads all patterns rightly.
pub fn translated(schema: &Value) -> Option<(Value, Renames)> {
    let mut patterns = BTreeSet::new();
    collect(schema, &mut patterns);
    let mut renames = Renames::new();
    let mut authors = Renames::new();
    for pattern in &patterns {
        let Reading::As(mut ours) = read(pattern) else {
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
pub fn renamed(schema: &Value, renames: &Renames) -> Value {
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
        let name = percent::lossy(step).replace("~1", "/").replace("~0", "~");
        let other = renames.get(&name).filter(|_| by_pattern);
        by_pattern = name == "patternProperties";
        other.map_or_else(|| step.to_owned(), |it| encoded(it))
    });
    format!("{document}#{}", steps.collect::<Vec<_>>().join("/"))
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
