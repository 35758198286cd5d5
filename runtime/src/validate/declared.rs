//! The property names that a schema declares, for "did you mean".

use mcp_codegen_grammar::percent;
use serde_json::Value;

/// Names declared at `keyword` (a pointer to `additionalProperties` or `unevaluatedProperties`):
/// by its siblings, and by what they refer to.
pub(super) fn names<'a>(root: &'a Value, keyword: &str) -> Vec<&'a str> {
    let mut out = Vec::new();
    if let Some(schema) = parent(root, keyword) {
        collect(root, schema, 0, &mut out);
    }
    out
}

/// The name patterns beside `keyword`.
pub(super) fn patterns<'a>(root: &'a Value, keyword: &str) -> Vec<&'a str> {
    let schemas = parent(root, keyword).and_then(|it| it.get("patternProperties"));
    let schemas = schemas.and_then(Value::as_object);
    schemas
        .into_iter()
        .flat_map(|it| it.keys().map(String::as_str))
        .collect()
}

fn parent<'a>(root: &'a Value, keyword: &str) -> Option<&'a Value> {
    root.pointer(keyword.rsplit_once('/').map_or("", |(parent, _)| parent))
}

fn collect<'a>(root: &'a Value, schema: &'a Value, depth: usize, out: &mut Vec<&'a str>) {
    // Help text only: shallow is enough, and recursion ends.
    if depth > 8 {
        return;
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for name in properties
            .keys()
            .filter(|name| !out.contains(&name.as_str()))
            .collect::<Vec<_>>()
        {
            out.push(name);
        }
    }
    for applicator in ["allOf", "anyOf", "oneOf"] {
        for branch in schema
            .get(applicator)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            collect(root, branch, depth + 1, out);
        }
    }
    for applicator in ["then", "else"] {
        if let Some(branch) = schema.get(applicator) {
            collect(root, branch, depth + 1, out);
        }
    }
    let pointer = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|it| it.strip_prefix('#'));
    if let Some(target) = pointer.and_then(|it| root.pointer(&percent::lossy(it))) {
        collect(root, target, depth + 1, out);
    }
}

/// The candidate closest to `word`, if it is close enough to be what was meant.
pub(super) fn closest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Nobody means a name by a text that is longer than any; comparing costs the product of the lengths.
    if word.len() > 200 {
        return None;
    }
    // Case and separators are what models get wrong most: `userId` for `user_id`.
    let plain = |text: &str| {
        text.chars()
            .filter(|it| it.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let wanted = plain(word);
    let near = |candidate: &'a str| {
        let other = plain(candidate);
        let distance = strsim::osa_distance(&wanted, &other);
        let length = wanted.chars().count().max(other.chars().count());
        let affix = wanted.len() >= 3
            && other.len() >= 3
            && (wanted.starts_with(&other) || other.starts_with(&wanted));
        (distance * 3 <= length || affix).then_some((distance, candidate))
    };
    candidates
        .into_iter()
        .filter_map(near)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}
