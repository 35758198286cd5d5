//! Compares what happened with what should have.

use jsonschema::{ValidationError, Validator};
use mcp_codegen::config::FormatPolicy;
use serde_json::Value;

use super::{
    batch::{Answer, Outcome},
    generate::{Code, Product},
    subjects::{Expect, Instance, Subject},
};

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The subject's id.
    pub subject: String,
    /// The instance's name, where one is meant.
    pub instance: Option<String>,
    /// The kind.
    pub kind: Kind,
    /// What was seen, for a person.
    pub detail: String,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A right schema was refused.
    Refused,
    /// A wrong schema was generated.
    Generated,
    /// The code does not compile.
    Compile,
    /// The program died.
    Died,
    /// A valid instance was refused.
    Valid,
    /// A valid instance came back changed.
    RoundTrip,
    /// An invalid instance was accepted.
    Invalid,
    /// A type said to be exact accepts an invalid instance.
    Exact,
    /// The type does not do what the generator's model of it says.
    Stated,
    /// It is proved that a type refuses values of its schema.
    Unsound,
    /// A value that an output type writes is sent unseen, and the schema refuses it.
    Sent,
}

impl Kind {
    /// The name used in tables and in the list of exceptions.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Generated => "generated",
            Self::Compile => "compile",
            Self::Died => "died",
            Self::Valid => "valid",
            Self::RoundTrip => "round-trip",
            Self::Invalid => "invalid",
            Self::Exact => "exact",
            Self::Stated => "stated",
            Self::Unsound => "unsound",
            Self::Sent => "sent",
        }
    }
}

/// Every fault of a run, in the order of the subjects.
pub fn compare(subjects: &[Subject], products: &[Product], outcomes: &[Outcome]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for ((subject, product), outcome) in subjects.iter().zip(products).zip(outcomes) {
        let mut notes = Notes {
            subject,
            faults: &mut faults,
        };
        match (product, subject.expect) {
            (Product::Refused(_), Expect::Refused) => {}
            (Product::Refused(report), Expect::Generated) => {
                notes.add(Kind::Refused, None, report.clone());
            }
            (Product::Code(code), expect) => {
                if expect == Expect::Refused {
                    notes.add(Kind::Generated, None, String::new());
                }
                notes.of_code(code, outcome);
            }
        }
    }
    faults
}

/// The faults of one subject.
struct Notes<'a> {
    subject: &'a Subject,
    faults: &'a mut Vec<Fault>,
}

impl Notes<'_> {
    fn add(&mut self, kind: Kind, instance: Option<&Instance>, detail: String) {
        self.faults.push(Fault {
            subject: self.subject.id.clone(),
            instance: instance.map(|it| it.name.clone()),
            kind,
            detail,
        });
    }

    fn of_code(&mut self, code: &Code, outcome: &Outcome) {
        for text in &code.unsound {
            self.add(Kind::Unsound, None, text.clone());
        }
        let model = validator(&code.stated, self.subject);
        if let Err(error) = &model {
            self.add(Kind::Stated, None, format!("{error} in {}", code.stated));
        }
        if let Some(text) = &outcome.compiler {
            self.add(Kind::Compile, None, text.clone());
            return;
        }
        let (subject, answers) = (self.subject, &outcome.answers);
        if answers.len() < subject.instances.len() {
            let last = subject.instances.get(answers.len());
            self.add(Kind::Died, last, String::new());
        }
        // The judge does not know this value; the schema's own validator does.
        let own = code.exact.then(|| validator(&subject.schema, subject));
        let defaults = may_fill_in(&subject.schema);
        for (instance, answer) in subject.instances.iter().zip(answers) {
            if let Ok(model) = &model
                && model.is_valid(&instance.value) != answer.by_type
            {
                let accepts = if answer.by_type { "accepts" } else { "refuses" };
                let detail = format!("the type {accepts} {}", instance.value);
                self.add(Kind::Stated, Some(instance), detail);
            }
            if let Some((kind, detail)) = judge(instance, answer, code.reads_exactly, defaults) {
                self.add(kind, Some(instance), detail);
            }
            if let (Some(Ok(own)), Some(written)) = (&own, &answer.written)
                && !own.is_valid(written)
            {
                let detail = format!("{} is sent as {written}", instance.value);
                self.add(Kind::Sent, Some(instance), detail);
            }
        }
    }
}

/// A validator that takes `format` as the generated code of the subject does.
pub(super) fn validator(
    schema: &Value,
    subject: &Subject,
) -> Result<Validator, ValidationError<'static>> {
    let options = jsonschema::options().offline();
    match subject.formats {
        Some(FormatPolicy::Assert) => options.should_validate_formats(true),
        Some(FormatPolicy::Annotate) => options.should_validate_formats(false),
        Some(FormatPolicy::Dialect) | None => options,
    }
    .build(schema)
}

fn judge(
    instance: &Instance,
    answer: &Answer,
    exact: bool,
    defaults: bool,
) -> Option<(Kind, String)> {
    if !instance.valid {
        return match (&answer.refused, answer.by_type && exact) {
            (_, true) => Some((Kind::Exact, instance.value.to_string())),
            (None, _) => Some((Kind::Invalid, instance.value.to_string())),
            (Some(_), false) => None,
        };
    }
    if let Some(reason) = &answer.refused {
        return Some((Kind::Valid, format!("{}: {reason}", instance.value)));
    }
    if let Some(reason) = &answer.lost {
        return Some((Kind::RoundTrip, format!("{}: {reason}", instance.value)));
    }
    let Some(kept) = &answer.kept else {
        return Some((
            Kind::RoundTrip,
            format!("{}: nothing came back", instance.value),
        ));
    };
    (!came_back(&instance.value, kept, defaults))
        .then(|| (Kind::RoundTrip, format!("{} became {kept}", instance.value)))
}

/// Whether a type for this schema may write members that it did not read: defaults, which may also stand in a document
/// that the schema refers to.
pub fn may_fill_in(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(key, value)| {
            let elsewhere = matches!(key.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef")
                && value.as_str().is_some_and(|it| !it.starts_with('#'));
            key == "default" || elsewhere || may_fill_in(value)
        }),
        Value::Array(items) => items.iter().any(may_fill_in),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether a value is still what it was: all of it is there, and nothing else but what defaults fill in.
pub fn came_back(before: &Value, after: &Value, defaults: bool) -> bool {
    kept_all(before, after) && (defaults || kept_all(after, before))
}

/// Whether `after` says all that `before` says: equal, numbers by value, and at most further members.
pub fn kept_all(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => before
            .iter()
            .all(|(name, value)| after.get(name).is_some_and(|it| kept_all(value, it))),
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len()
                && before
                    .iter()
                    .zip(after)
                    .all(|(one, other)| kept_all(one, other))
        }
        (Value::Number(one), Value::Number(other)) => {
            one == other
                || match (one.as_i128(), other.as_i128()) {
                    (Some(one), Some(other)) => one == other,
                    _ => one.as_f64() == other.as_f64(),
                }
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_defaults_may_be_added() {
        let before = json!({ "a": [1.0, { "b": null }] });
        let equal = json!({ "a": [1, { "b": null }] });
        let more = json!({ "a": [1, { "b": null, "c": null }] });
        assert!(came_back(&before, &equal, false) && came_back(&before, &more, true));
        assert!(!came_back(&before, &more, false) && !came_back(&more, &before, true));
        assert!(may_fill_in(
            &json!({ "properties": { "a": { "default": 1 } } })
        ));
        assert!(may_fill_in(&json!({ "allOf": [{ "$ref": "other.json" }] })));
        assert!(!may_fill_in(
            &json!({ "$ref": "#/$defs/a", "$defs": { "a": true } })
        ));
    }
}
