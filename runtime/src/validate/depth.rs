//! Explanations whose cost is bounded however deep a value is.
//!
//! The validator explains a union by what is wrong in each of its branches. Where a union refers to itself, each branch
//! does so for the same inner value, and the errors of one wrong leaf multiply with every level: a filter of twenty nested
//! `and`s would take hours. So a deep value is explained as far as the errors stay countable, from the top down.

use std::collections::HashSet;

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind as Kind};
use serde_json::{Map, Value};

use crate::violation::Violation;

/// Up to here no union can nest often enough to matter.
const SHALLOW: usize = 4;

/// How many errors in branches of unions are looked at. One level more multiplies them by the branches.
const ERRORS: usize = 20_000;

/// How many values are copied in all to cut a value at its levels.
const COPIES: usize = 1_000_000;

/// A value as far as its errors can be told.
pub(super) struct Cut {
    /// What the errors are about; what is deeper than `level` is `null` in it.
    pub(super) value: Value,
    /// The places of those.
    hidden: HashSet<String>,
}

impl Cut {
    /// `value` down to the level at which its errors are many; `None` if that is all of it.
    pub(super) fn new(schema: &Value, validator: &Validator, value: &Value) -> Option<Self> {
        let depth = depth(value);
        if depth <= SHALLOW || !may_multiply(schema) {
            return None;
        }
        let mut copies = 0;
        for level in SHALLOW..depth {
            let mut cut = Self {
                value: Value::Null,
                hidden: HashSet::new(),
            };
            cut.value = cut.copy(value, &mut String::new(), level, &mut copies);
            let mut errors = 0;
            for error in validator.iter_errors(&cut.value) {
                count_inner(&error, &mut errors);
            }
            if errors > ERRORS || copies > COPIES {
                return Some(cut);
            }
        }
        None
    }

    /// Takes what only seems wrong because it was cut for what it is: not known.
    pub(super) fn judge(&self, violations: Vec<Violation>) -> Vec<Violation> {
        let (hidden, seen): (Vec<_>, Vec<_>) = violations
            .into_iter()
            .partition(|it| self.hidden.contains(&it.pointer));
        if !seen.is_empty() {
            return seen;
        }
        let mut out: Vec<Violation> = Vec::new();
        for Violation { pointer, .. } in hidden {
            if out.last().is_none_or(|last| last.pointer != pointer) {
                out.push(Violation::new(
                    pointer,
                    "something in here is wrong, nested too deep to say what",
                ));
            }
        }
        out
    }

    fn copy(
        &mut self,
        value: &Value,
        place: &mut String,
        levels: usize,
        copies: &mut usize,
    ) -> Value {
        *copies += 1;
        let mut inner = |cut: &mut Self, key: &str, it: &Value| {
            let end = place.len();
            place.push('/');
            place.push_str(&key.replace('~', "~0").replace('/', "~1"));
            let copy = cut.copy(it, place, levels.saturating_sub(1), copies);
            place.truncate(end);
            copy
        };
        match value {
            Value::Array(_) | Value::Object(_) if levels == 0 => {
                self.hidden.insert(place.clone());
                Value::Null
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                Value::Array(
                    items
                        .map(|(index, it)| inner(self, &index.to_string(), it))
                        .collect(),
                )
            }
            Value::Object(members) => {
                let copy = |(key, it): (&String, &Value)| (key.clone(), inner(self, key, it));
                Value::Object(members.iter().map(copy).collect::<Map<_, _>>())
            }
            scalar => scalar.clone(),
        }
    }
}

/// The errors inside those of unions.
fn count_inner(error: &ValidationError<'_>, count: &mut usize) {
    if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind() {
        for inner in context.iter().flatten() {
            *count += 1;
            count_inner(inner, count);
        }
    }
}

/// How many containers are around the innermost value.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Whether the schema has both unions and references, without which nothing refers to itself.
fn may_multiply(schema: &Value) -> bool {
    mentions(schema, &["anyOf", "oneOf"])
        && mentions(schema, &["$ref", "$dynamicRef", "$recursiveRef"])
}

fn mentions(schema: &Value, keywords: &[&str]) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(|it| mentions(it, keywords)),
        Value::Object(members) => {
            let here = keywords.iter().any(|it| members.contains_key(*it));
            here || members.values().any(|it| mentions(it, keywords))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
