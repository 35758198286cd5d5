//! One error of the validator, in words that a model can act on.

use std::fmt::Display;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use mcp_codegen_grammar::ecma;
use serde_json::{Map, Value};

use super::{Subject, branches, declared};
use crate::{
    decode::kind_of,
    violation::{LIMIT, Violation, shortened},
};

/// How many literals or names a message lists.
const LISTED: usize = 20;

/// What is said of a value that the schema `false` refuses.
const ABSENT: &str = "must be absent: no value is allowed here";

/// The violations that one error stands for: one for most; one per name for unknown properties; those
/// of the best branch for unions.
pub(super) fn explain(subject: Subject<'_>, error: &ValidationError<'_>) -> Vec<Violation> {
    let pointer = error.instance_path().as_str();
    if let Some(mut unknown) = unknown(subject, error) {
        // Each is compared with all declared names, and a client may send any number of them.
        unknown.names.truncate(LIMIT);
        return unknown.explain(subject);
    }
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            branches::explain(subject, error, context)
        }
        Kind::PropertyNames { error: inner } => {
            let name = shortened(inner.instance().as_str().unwrap_or_default(), 80);
            let reasons = explain(subject, inner).into_iter().map(|it| it.message);
            let reasons = reasons.collect::<Vec<_>>().join("; ");
            let message = format!("the property name `{name}` is not allowed: {reasons}");
            vec![Violation::new(pointer, message)]
        }
        kind => vec![plain(subject, kind, error.instance(), pointer)],
    }
}

/// How many violations one error stands for, also where [`explain`] gives fewer.
pub(super) fn count(subject: Subject<'_>, error: &ValidationError<'_>) -> usize {
    unknown(subject, error).map_or(1, |it| it.names.len())
}

/// What an error about undeclared properties is about.
struct Unknown<'a> {
    /// Where in the value the object is.
    at: &'a str,
    object: &'a Value,
    names: Vec<&'a str>,
    /// Where in the schema the keyword is that refuses them.
    keyword: &'a str,
}

fn unknown<'a>(subject: Subject<'a>, error: &'a ValidationError<'_>) -> Option<Unknown<'a>> {
    let schema_path = error.schema_path().as_str();
    let at = error.instance_path().as_str();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            Some(Unknown {
                at,
                object: error.instance(),
                names: unexpected.iter().map(String::as_str).collect(),
                keyword: schema_path,
            })
        }
        // Where a closed object declares nothing, the validator reports its first member only, at the object.
        Kind::FalseSchema if schema_path.ends_with("/additionalProperties") => {
            let object = subject.value.pointer(at).unwrap_or(&Value::Null);
            let names = object.as_object().into_iter().flat_map(Map::keys);
            Some(Unknown {
                at,
                object,
                names: names.map(String::as_str).collect(),
                keyword: schema_path,
            })
        }
        // `{"not": {}}` is how some generators write `false`. It is reported at each member.
        Kind::Not { schema } if accepts_anything(schema) => {
            let keyword = schema_path.strip_suffix("/not")?;
            if !keyword.ends_with("/additionalProperties") {
                return None;
            }
            let (at, name) = at.rsplit_once('/')?;
            let name = name.replace("~1", "/").replace("~0", "~");
            let object = subject.value.pointer(at)?;
            let (name, _) = object.as_object()?.get_key_value(&name)?;
            Some(Unknown {
                at,
                object,
                names: vec![name.as_str()],
                keyword,
            })
        }
        _ => None,
    }
}

fn accepts_anything(schema: &Value) -> bool {
    schema == &Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
}

impl Unknown<'_> {
    fn explain(&self, subject: Subject<'_>) -> Vec<Violation> {
        let declared = declared::names(subject.schema, self.keyword);
        let patterns: Vec<&str> = declared::patterns(subject.schema, self.keyword)
            .into_iter()
            .map(|it| subject.authored(it))
            .collect();
        let one = |unknown: &&str| {
            let name = unknown.replace('~', "~0").replace('/', "~1");
            let violation = Violation::new(format!("{}/{name}", self.at), "unknown property");
            // What is there already was hardly misspelt.
            let absent = declared
                .iter()
                .copied()
                .filter(|name| self.object.get(name).is_none());
            let help = match declared::closest(unknown, absent) {
                Some(name) => format!("did you mean `{name}`?"),
                None => allowed_names(&declared, &patterns),
            };
            violation.with_help(help)
        };
        self.names.iter().map(one).collect()
    }
}

fn allowed_names(names: &[&str], patterns: &[&str]) -> String {
    match (names, patterns) {
        ([], []) => "no properties are allowed here".to_owned(),
        ([], patterns) => format!("names must match {}", listed(patterns, ticked)),
        (names, []) => format!("known properties: {}", listed(names, ticked)),
        (names, patterns) => format!(
            "known properties: {}, or a name matching {}",
            listed(names, ticked),
            listed(patterns, ticked)
        ),
    }
}

fn ticked(name: &&str) -> String {
    format!("`{name}`")
}

/// An error that stands for itself.
fn plain(subject: Subject<'_>, kind: &Kind, value: &Value, pointer: &str) -> Violation {
    let violation = |message: String| Violation::new(pointer, message);
    let shown = |message: String| violation(message).with_got(echo(value));
    match kind {
        Kind::Type { kind } => type_mismatch(&expected_types(kind), value, pointer),
        Kind::Enum { options } => literal_mismatch(&literals(options), value, pointer),
        Kind::Constant { expected_value } => {
            literal_mismatch(std::slice::from_ref(&**expected_value), value, pointer)
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            violation(format!("missing required property `{name}`"))
        }
        Kind::Maximum { limit } => shown(format!("expected at most {limit}")),
        Kind::Minimum { limit } => shown(format!("expected at least {limit}")),
        Kind::ExclusiveMaximum { limit } => shown(format!("expected less than {limit}")),
        Kind::ExclusiveMinimum { limit } => shown(format!("expected more than {limit}")),
        Kind::MultipleOf { multiple_of } => shown(format!("expected a multiple of {multiple_of}")),
        Kind::Pattern { pattern } => {
            let pattern = subject.authored(pattern);
            shown(format!("expected to match the pattern `{pattern}`"))
        }
        Kind::Format { format } => shown(format!("expected the format `{format}`")),
        Kind::Not { schema } if accepts_anything(schema) => violation(ABSENT.to_owned()),
        Kind::Not { schema } => {
            let schema = ecma::renamed(schema, subject.authors);
            violation(format!(
                "must not match {}",
                shortened(&schema.to_string(), 160)
            ))
        }
        kind => violation(unshown(kind, value)),
    }
}

/// The message of an error that needs no look at the value itself, or only at its size.
fn unshown(kind: &Kind, value: &Value) -> String {
    let sized = |word: &str, limit: u64, unit: &str, plural: &str| {
        let unit = if limit == 1 { unit } else { plural };
        format!("expected at {word} {limit} {unit}, got {}", size(value))
    };
    match kind {
        Kind::MaxLength { limit } => sized("most", *limit, "character", "characters"),
        Kind::MinLength { limit } => sized("least", *limit, "character", "characters"),
        Kind::MaxItems { limit } => sized("most", *limit, "element", "elements"),
        Kind::MinItems { limit } => sized("least", *limit, "element", "elements"),
        Kind::MaxProperties { limit } => sized("most", *limit, "property", "properties"),
        Kind::MinProperties { limit } => sized("least", *limit, "property", "properties"),
        Kind::AdditionalItems { limit } => sized("most", *limit as u64, "element", "elements"),
        Kind::UnevaluatedItems { .. } => format!("unexpected elements, got {}", size(value)),
        Kind::UniqueItems => "expected elements that all differ".to_owned(),
        Kind::Contains => "too few or too many elements match what `contains` asks for".to_owned(),
        Kind::FalseSchema => ABSENT.to_owned(),
        Kind::OneOfMultipleValid { context } => {
            let valid = context
                .iter()
                .enumerate()
                .filter(|(_, errors)| errors.is_empty());
            let numbers: Vec<String> = valid.map(|(index, _)| (index + 1).to_string()).collect();
            format!(
                "matches alternatives {} at once; exactly one must match",
                numbers.join(" and ")
            )
        }
        Kind::ContentEncoding { content_encoding } => {
            format!("expected text in {content_encoding}")
        }
        Kind::ContentMediaType { content_media_type } => format!("expected {content_media_type}"),
        Kind::FromUtf8 { .. } => "expected encoded text in UTF-8".to_owned(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "too costly to hold against its pattern".to_owned()
        }
        kind => format!("breaks the rule `{}` of its schema", kind.keyword()),
    }
}

/// `expected integer, got string`, with a hint for the mistakes that models make.
pub(super) fn type_mismatch(expected: &[String], value: &Value, pointer: &str) -> Violation {
    let wants = |name: &str| expected.iter().any(|it| it == name);
    let mut ordered: Vec<&String> = expected.iter().collect();
    // `string or null` reads better than `null or string`.
    ordered.sort_by_key(|it| *it == "null");
    let head = format!("expected {}", alternatives(&ordered));
    let Value::String(text) = value else {
        return Violation::new(pointer, format!("{head}, got {}", kind_of(value)));
    };
    let inner = serde_json::from_str::<Value>(text).ok();
    match inner {
        Some(Value::Object(_)) if wants("object") => Violation::new(
            pointer,
            format!("{head}, got a JSON text: send the object itself"),
        ),
        Some(Value::Array(_)) if wants("array") => Violation::new(
            pointer,
            format!("{head}, got a JSON text: send the array itself"),
        ),
        inner => {
            let violation = Violation::new(pointer, format!("{head}, got string"));
            let bare = match inner {
                Some(Value::Number(_)) => wants("integer") || wants("number"),
                Some(Value::Bool(_)) => wants("boolean"),
                Some(Value::Null) => wants("null"),
                _ => false,
            };
            if bare {
                violation.with_help("send it without quotes")
            } else {
                violation
            }
        }
    }
}

/// `expected one of "a", "b"`, with the closest of them if one is close.
pub(super) fn literal_mismatch(options: &[Value], value: &Value, pointer: &str) -> Violation {
    let message = match options {
        [only] => format!("expected {}", echo(only)),
        options => format!("expected one of {}", listed(options, echo)),
    };
    let violation = Violation::new(pointer, message).with_got(echo(value));
    let words = options.iter().filter_map(Value::as_str);
    match value
        .as_str()
        .and_then(|word| declared::closest(word, words))
    {
        Some(word) if options.len() > 1 => {
            violation.with_help(format!("did you mean {}?", echo(&word.into())))
        }
        _ => violation,
    }
}

pub(super) fn literals(options: &Value) -> Vec<Value> {
    options.as_array().cloned().unwrap_or_default()
}

pub(super) fn expected_types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(kind) => vec![kind.to_string()],
        TypeKind::Multiple(kinds) => kinds.iter().map(|kind| kind.to_string()).collect(),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn alternatives<T: Display>(words: &[T]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [only] => only.to_string(),
        [init @ .., last] => {
            let init: Vec<String> = init.iter().map(ToString::to_string).collect();
            format!("{} or {last}", init.join(", "))
        }
    }
}

fn listed<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    let mut out: Vec<String> = items.iter().take(LISTED).map(show).collect();
    if items.len() > LISTED {
        out.push(format!("… ({} more)", items.len() - LISTED));
    }
    out.join(", ")
}

/// A value for an error text: JSON, shortened.
pub(crate) fn echo(value: &Value) -> String {
    shortened(&value.to_string(), 80)
}

fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
