//! Reading schema objects: which keywords matter to a type, prose, bounds, equality of values.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use crate::{graph::Docs, resolve::Node};

/// The schema object of a node; `None` for the boolean schemas.
pub(crate) fn object<'d>(node: &Node<'d>) -> Option<&'d Map<String, Value>> {
    node.value().as_object()
}

/// Whether a schema says nothing: `true` or `{}`.
pub(crate) fn is_free(schema: &Value) -> bool {
    match schema {
        Value::Bool(allowed) => *allowed,
        Value::Object(schema) => schema.is_empty(),
        _ => false,
    }
}

/// Whether a schema accepts nothing: `false`, or `{"not": {}}`, as generators write it whose schemas are
/// always objects.
pub(crate) fn is_never(schema: &Value) -> bool {
    match schema {
        Value::Bool(allowed) => !allowed,
        // In older dialects `$ref` would hide it.
        Value::Object(schema) => {
            !schema.contains_key("$ref") && schema.get("not").is_some_and(is_free)
        }
        _ => false,
    }
}

/// Which aspects of a type a schema object speaks about with its own keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent marks")]
pub(crate) struct Topics {
    pub(crate) kinds: bool,
    pub(crate) literals: bool,
    pub(crate) numbers: bool,
    /// Lengths of arrays: they matter to a type only beside positional items.
    pub(crate) lengths: bool,
    pub(crate) items: bool,
    pub(crate) members: bool,
}

impl Topics {
    pub(crate) fn of(schema: &Map<String, Value>) -> Self {
        let mut topics = Self::default();
        for keyword in schema.keys() {
            match keyword.as_str() {
                "type" => topics.kinds = true,
                "enum" | "const" => topics.literals = true,
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "format" => {
                    topics.numbers = true;
                }
                "minItems" | "maxItems" => topics.lengths = true,
                "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" => {
                    topics.items = true;
                }
                "properties"
                | "required"
                | "additionalProperties"
                | "patternProperties"
                | "unevaluatedProperties"
                | "if"
                | "dependentSchemas"
                | "dependencies" => topics.members = true,
                _ => {}
            }
        }
        topics
    }

    pub(crate) fn any(self) -> bool {
        self != Self::default()
    }
}

/// Title, description and deprecation of a schema.
pub(crate) fn docs(node: &Node<'_>) -> Docs {
    let Some(schema) = object(node) else {
        return Docs::default();
    };
    let text = |key: &str| {
        schema
            .get(key)
            .and_then(Value::as_str)
            .filter(|it| !it.trim().is_empty())
            .map(str::to_owned)
    };
    Docs {
        title: text("title"),
        description: text("description"),
        deprecated: schema.get("deprecated") == Some(&Value::Bool(true)),
    }
}

/// The strings of an array-valued keyword such as `required`.
pub(crate) fn strings<'d>(schema: &'d Map<String, Value>, keyword: &str) -> Vec<&'d str> {
    let Some(Value::Array(items)) = schema.get(keyword) else {
        return Vec::new();
    };
    items.iter().filter_map(Value::as_str).collect()
}

/// A non-negative count such as `minItems`; `2.0` counts too.
pub(crate) fn count(schema: &Map<String, Value>, keyword: &str) -> Option<u64> {
    let number = schema.get(keyword)?.as_number()?;
    u64::try_from(integral(number)?).ok()
}

/// The value of an integral number; `None` for fractions and what exceeds 128 bits.
pub(crate) fn integral(number: &Number) -> Option<i128> {
    if let Some(it) = number.as_i64() {
        return Some(i128::from(it));
    }
    if let Some(it) = number.as_u64() {
        return Some(i128::from(it));
    }
    let float = number
        .as_f64()
        .filter(|it| it.fract() == 0.0 && it.abs() < 1e38)?;
    #[expect(clippy::cast_possible_truncation, reason = "integral and in range")]
    Some(float as i128)
}

/// The least integer that is not below a number.
pub(crate) fn ceiling(number: &Number) -> Option<i128> {
    integral(number).or_else(|| rounded(number, f64::ceil))
}

/// The greatest integer that is not above a number.
pub(crate) fn floor(number: &Number) -> Option<i128> {
    integral(number).or_else(|| rounded(number, f64::floor))
}

fn rounded(number: &Number, round: fn(f64) -> f64) -> Option<i128> {
    let float = round(number.as_f64()?);
    #[expect(clippy::cast_possible_truncation, reason = "integral and in range")]
    (float.abs() < 1e38).then_some(float as i128)
}

/// Equality of JSON values as JSON Schema means it: `1` equals `1.0`, key order is nothing.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => match (integral(left), integral(right)) {
            (Some(left), Some(right)) => left == right,
            (None, None) => left.as_f64() == right.as_f64(),
            (Some(_), None) | (None, Some(_)) => false,
        },
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, left)| right.get(key).is_some_and(|it| equal(left, it)))
        }
        _ => left == right,
    }
}

/// A text that two values have in common exactly when they are [`equal`], for sets of values.
pub(crate) fn canonical_text(value: &Value) -> String {
    match value {
        // Whether it is a fraction is as much a part of `equal` as what it is near to.
        Value::Number(number) => match integral(number) {
            Some(integer) => integer.to_string(),
            None => format!("{:?}", number.as_f64()),
        },
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(canonical_text).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> = members.iter().collect();
            let members = sorted.into_iter();
            let members: Vec<_> = members
                .map(|(key, it)| format!("{}:{}", Value::from(key.as_str()), canonical_text(it)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.to_string(),
    }
}
