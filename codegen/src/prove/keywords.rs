//! Which keywords can refuse a value, and values of which kinds.

use serde_json::Value;

use crate::{
    lower::{keywords::integral, kinds::Kinds},
    resolve::{Dialect, Node},
};

/// The kinds of value that a keyword of a schema object can refuse by itself; `NONE` for what only
/// describes, what says nothing in this dialect, and what is trivially true.
///
/// `type`, `enum` and `const` are not asked for here, nor is what leads to other schemas that
/// apply to the same value without a condition: those are taken apart in `conjunction`.
pub(super) fn refuses(part: &Node<'_>, keyword: &str, value: &Value) -> Kinds {
    let since = |oldest: Dialect, kinds: Kinds| {
        if part.dialect() >= oldest {
            kinds
        } else {
            Kinds::NONE
        }
    };
    let unless = |trivial: bool, kinds: Kinds| if trivial { Kinds::NONE } else { kinds };
    match keyword {
        "minLength" => unless(is_zero(value), Kinds::STRING),
        "maxLength" => Kinds::STRING,
        "pattern" => unless(value == "", Kinds::STRING),
        "format" => unless(!asserts_format(part, value), Kinds::STRING),
        "contentEncoding" | "contentMediaType" => {
            let asserts = matches!(part.dialect(), Dialect::Draft6 | Dialect::Draft7);
            unless(!asserts, Kinds::STRING)
        }
        "multipleOf" | "minimum" | "maximum" => Kinds::NUMBER,
        // A boolean is draft-04's mark on `minimum` or `maximum`.
        "exclusiveMinimum" | "exclusiveMaximum" => unless(value.is_boolean(), Kinds::NUMBER),
        "minItems" => unless(is_zero(value), Kinds::ARRAY),
        "maxItems" => Kinds::ARRAY,
        "uniqueItems" => unless(value != &Value::Bool(true), Kinds::ARRAY),
        "items" | "additionalItems" => unless(is_free(value), Kinds::ARRAY),
        "prefixItems" => since(Dialect::Draft202012, Kinds::ARRAY),
        "contains" => since(Dialect::Draft6, Kinds::ARRAY),
        "unevaluatedItems" => since(Dialect::Draft201909, unless(is_free(value), Kinds::ARRAY)),
        "properties" | "required" | "dependencies" | "patternProperties" => {
            unless(is_empty(value), Kinds::OBJECT)
        }
        "additionalProperties" => unless(is_free(value), Kinds::OBJECT),
        "minProperties" => unless(is_zero(value), Kinds::OBJECT),
        "maxProperties" => Kinds::OBJECT,
        "propertyNames" => since(
            Dialect::Draft6,
            unless(allows_any_name(part, value), Kinds::OBJECT),
        ),
        "unevaluatedProperties" => {
            since(Dialect::Draft201909, unless(is_free(value), Kinds::OBJECT))
        }
        "dependentRequired" | "dependentSchemas" => {
            since(Dialect::Draft201909, unless(is_empty(value), Kinds::OBJECT))
        }
        "not" => Kinds::ALL,
        "if" => {
            let decides = ["then", "else"]
                .iter()
                .any(|it| part.value().get(it).is_some());
            since(Dialect::Draft7, unless(!decides, Kinds::ALL))
        }
        _ => Kinds::NONE,
    }
}

/// The schema that accepts everything.
pub(super) fn is_free(schema: &Value) -> bool {
    match schema {
        Value::Bool(allowed) => *allowed,
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// A keyword with its value, as the author wrote it, shortened.
pub(super) fn quoted(keyword: &str, value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{keyword}: {short}`")
}

fn is_zero(value: &Value) -> bool {
    value.as_number().and_then(integral) == Some(0)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether a schema of `propertyNames` accepts every string.
fn allows_any_name(part: &Node<'_>, schema: &Value) -> bool {
    let Some(members) = schema.as_object() else {
        return is_free(schema);
    };
    let leads_on = |key: &str| {
        let leads = [
            "$ref",
            "$dynamicRef",
            "$recursiveRef",
            "allOf",
            "anyOf",
            "oneOf",
        ];
        leads.contains(&key) || matches!(key, "enum" | "const")
    };
    Kinds::declared(members).meets(Kinds::STRING)
        && members
            .iter()
            .all(|(key, it)| !leads_on(key) && !refuses(part, key, it).meets(Kinds::STRING))
}

/// The validator checks formats up to draft-07: those that the draft defines.
fn asserts_format(part: &Node<'_>, value: &Value) -> bool {
    let since = match value.as_str() {
        Some(
            "date" | "date-time" | "email" | "hostname" | "idn-email" | "ipv4" | "ipv6" | "regex"
            | "time" | "uri" | "color" | "ip-address",
        ) => Dialect::Draft4,
        Some("json-pointer" | "uri-reference" | "uri-template") => Dialect::Draft6,
        Some("idn-hostname" | "iri" | "iri-reference" | "relative-json-pointer") => Dialect::Draft7,
        // `duration` and `uuid` came with 2019-09; other names are anybody's.
        _ => return false,
    };
    (since..=Dialect::Draft7).contains(&part.dialect())
}
