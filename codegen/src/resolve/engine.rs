//! The validator: the only place of this crate that names `jsonschema`.

use jsonschema::{
    ValidationError, ValidationOptions, Validator,
    error::{TypeKind, ValidationErrorKind},
};
use mcp_codegen_grammar::ecma;
use serde_json::{Value, json};

use super::{dialect::Dialect, node::Node, pattern};
use crate::config::FormatPolicy;

/// Why a value is no schema, or no instance of one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    /// The place in what was checked.
    pub(crate) pointer: String,
    /// What was expected there, in a few words.
    pub(crate) message: String,
}

/// Whether `instance` is valid under the schema at `node`, with formats as the settings have them.
///
/// A schema that does not compile accepts nothing; it is reported where it is published.
pub(crate) fn is_valid(node: &Node<'_>, instance: &Value, formats: FormatPolicy) -> bool {
    // As in the runtime, so that both always agree.
    let options = match formats {
        FormatPolicy::Dialect => options(),
        FormatPolicy::Assert => options().should_validate_formats(true),
        FormatPolicy::Annotate => options().should_validate_formats(false),
    };
    let validator = build_with(&options, &node.bundle());
    validator.is_ok_and(|it| it.is_valid(instance))
}

/// A schema at work, for many instances.
pub(crate) struct Checker(Validator);

impl Checker {
    /// A self-contained schema; `None` for one that does not compile.
    pub(crate) fn new(schema: &Value) -> Option<Self> {
        build(schema).ok().map(Self)
    }

    /// Whether an instance is valid.
    pub(crate) fn accepts(&self, instance: &Value) -> bool {
        self.0.is_valid(instance)
    }

    /// Everything that is wrong with a schema when this one describes schemas, without the patterns.
    pub(super) fn schema_faults(&self, schema: &Value) -> Vec<Fault> {
        faults(self.0.iter_errors(schema))
    }
}

/// Proves that a self-contained schema can be compiled by the validator that the runtime uses.
///
/// # Errors
///
/// What the validator says, and where in the schema.
pub(crate) fn check_compiles(schema: &Value) -> Result<(), Fault> {
    match build(schema) {
        Ok(_) => Ok(()),
        // Said of the author's own schema where that is wrong too: the report names places in there.
        Err(error) => Err(options().build(schema).err().unwrap_or(error)),
    }
    .map_err(|error| Fault {
        pointer: error.instance_path().as_str().to_owned(),
        message: sentence(&error),
    })
}

/// Everything that is wrong with a schema by the meta-schema of a dialect, without the patterns:
/// those are checked one by one.
pub(super) fn meta_faults(dialect: Dialect, schema: &Value) -> Vec<Fault> {
    let validator = match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft201909 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft202012 => jsonschema::draft202012::meta::validator(),
    };
    faults(validator.iter_errors(schema))
}

fn faults<'i>(errors: impl Iterator<Item = ValidationError<'i>>) -> Vec<Fault> {
    let mut faults: Vec<_> = errors
        .filter(|it| !is_about_pattern(it))
        .map(|it| Fault {
            pointer: it.instance_path().as_str().to_owned(),
            message: sentence(&it),
        })
        .collect();
    // The vocabularies of one dialect say some things several times.
    faults.sort();
    faults.dedup();
    faults
}

/// Checks that a pattern is one of ECMA-262, and that the validator can run it as that.
///
/// Escaped punctuation is let by, which ECMA-262 allows without its flag `u` only: it has one meaning.
///
/// # Errors
///
/// The reason, in a few words.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    let grammar = options()
        .should_validate_formats(true)
        .build(&json!({ "format": "regex" }))
        .is_ok_and(|it| it.is_valid(&Value::from(pattern)));
    if !grammar {
        let foreign = pattern::foreign_syntax(pattern);
        return Err(foreign.unwrap_or_else(|| why_not(pattern)));
    }
    if let Some(reason) = pattern::unknown_property(pattern) {
        return Err(reason);
    }
    let read = match ecma::read(pattern) {
        ecma::Reading::AsWritten => pattern.to_owned(),
        ecma::Reading::As(ours) => ours,
        ecma::Reading::Unreadable => {
            return Err(
                "the validator cannot run its back-references as ECMA-262 means them".to_owned(),
            );
        }
    };
    match build(&json!({ "pattern": pattern })) {
        Ok(_) => Ok(()),
        Err(_) => Err(why_not(&read)),
    }
}

/// The validator only says that a pattern is none; the engine behind it knows why.
fn why_not(pattern: &str) -> String {
    let reason = match fancy_regex::Regex::new(pattern) {
        Ok(_) => return "not a pattern of ECMA-262".to_owned(),
        // The engine has limits, and numbers of its own for counts.
        Err(fancy_regex::Error::CompileError(error))
            if ["building NFA", "parsing pattern"]
                .iter()
                .any(|it| error.to_string().contains(it)) =>
        {
            return "its counts make it larger than the validator takes".to_owned();
        }
        Err(fancy_regex::Error::ParseError(at, error)) => {
            // It stops behind the last character where something is missing.
            let before = pattern.get(..at).map_or(at, |it| it.chars().count());
            let at = (before + 1).min(pattern.chars().count());
            format!("{error} (at character {at})")
        }
        Err(fancy_regex::Error::CompileError(error)) => inner_reason(&error.to_string()),
        Err(other) => other.to_string(),
    };
    let mut letters = reason.chars();
    let first = letters.next().map(|it| it.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// The last line of a report that draws the pattern over several lines: `error: unclosed character class`.
fn inner_reason(report: &str) -> String {
    let last = report.lines().next_back().unwrap_or_default();
    last.rsplit("error: ")
        .next()
        .unwrap_or(last)
        .trim()
        .to_owned()
}

/// Never the network, whatever the features of the crate are when others in the build enable them.
fn options() -> ValidationOptions<'static> {
    jsonschema::options().offline()
}

fn build(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    build_with(&options(), schema)
}

/// With the patterns as the runtime has them.
fn build_with(
    options: &ValidationOptions<'_>,
    schema: &Value,
) -> Result<Validator, ValidationError<'static>> {
    match ecma::translated(schema) {
        Some((translated, _)) => options.build(&translated),
        None => options.build(schema),
    }
}

fn is_about_pattern(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Format { format } => format == "regex",
        ValidationErrorKind::PropertyNames { error } => is_about_pattern(error),
        _ => false,
    }
}

/// What was expected, without echoing the value: the report shows it anyway.
fn sentence(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => format!("expected {kind}"),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(kinds) } => {
            let kinds: Vec<_> = kinds.iter().map(|it| it.to_string()).collect();
            format!("expected {}", kinds.join(" or "))
        }
        ValidationErrorKind::Enum { options } => format!("expected one of {options}"),
        ValidationErrorKind::AnyOf { .. } if error.instance_path().as_str().ends_with("/type") => {
            "expected one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\", \
             or an array of them"
                .to_owned()
        }
        _ => error.masked_with("this").to_string(),
    }
}

/// The verdict on an instance by the validator alone, over the files themselves: what a bundle has
/// to agree with. Files by their URIs; the schema is the one at `base`.
#[cfg(test)]
pub(super) fn verdict_over_files(
    files: &[(String, &Value)],
    base: &str,
    schema: &Value,
    instance: &Value,
) -> bool {
    let files = files.iter().map(|(uri, value)| (uri.as_str(), *value));
    let registry = jsonschema::Registry::new()
        .extend(files)
        .and_then(referencing::RegistryBuilder::prepare)
        .expect("the files have right URIs");
    let options = options().with_registry(&registry).with_base_uri(base);
    options
        .build(schema)
        .expect("the schema compiles")
        .is_valid(instance)
}

/// Whether a self-contained schema accepts an instance.
#[cfg(test)]
pub(crate) fn accepts(schema: &Value, instance: &Value) -> bool {
    build(schema).is_ok_and(|validator| validator.is_valid(instance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_judged_as_in_the_runtime() {
        let schema = json!({"properties": {"code": {"pattern": r"^\d(?!0)"}}});
        assert_eq!(check_compiles(&schema), Ok(()));
        for (code, expected) in [("1", true), ("١", false), ("10", false)] {
            let instance = json!({ "code": code });
            assert_eq!(accepts(&schema, &instance), expected, "{code}");
            let checker = Checker::new(&schema);
            assert_eq!(
                checker.map(|it| it.accepts(&instance)),
                Some(expected),
                "{code}"
            );
        }
        // A fault is told at its place in the author's own schema.
        let broken = json!({"patternProperties": {r"^\d(?!0)": {"pattern": "("}}});
        let fault = check_compiles(&broken).map_err(|it| it.pointer);
        let place = r"/patternProperties/^\d(?!0)/pattern".to_owned();
        assert_eq!(fault, Err(place));
    }
}
