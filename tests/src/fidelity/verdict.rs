//! Compares what happened with what should have.

use serde_json::Value;

use super::{
    batch::{Answer, Outcome},
    generate::Product,
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
        }
    }
}

/// Every fault of a run, in the order of the subjects.
pub fn compare(subjects: &[Subject], products: &[Product], outcomes: &[Outcome]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for ((subject, product), outcome) in subjects.iter().zip(products).zip(outcomes) {
        let mut fault = |kind, instance: Option<&Instance>, detail: String| {
            let instance = instance.map(|it| it.name.clone());
            faults.push(Fault {
                subject: subject.id.clone(),
                instance,
                kind,
                detail,
            });
        };
        match (product, subject.expect) {
            (Product::Refused(_), Expect::Refused) => continue,
            (Product::Refused(report), Expect::Generated) => {
                fault(Kind::Refused, None, report.clone());
                continue;
            }
            (Product::Code(_), Expect::Refused) => fault(Kind::Generated, None, String::new()),
            (Product::Code(_), Expect::Generated) => {}
        }
        if let Some(text) = &outcome.compiler {
            fault(Kind::Compile, None, text.clone());
            continue;
        }
        if outcome.answers.len() < subject.instances.len() {
            fault(
                Kind::Died,
                subject.instances.get(outcome.answers.len()),
                String::new(),
            );
        }
        let Product::Code(code) = product else {
            continue;
        };
        let exact = code.reads_exactly;
        let model = jsonschema::options().offline().build(&code.stated);
        if let Err(error) = &model {
            fault(Kind::Stated, None, format!("{error} in {}", code.stated));
        }
        for (instance, answer) in subject.instances.iter().zip(&outcome.answers) {
            if let Ok(model) = &model
                && model.is_valid(&instance.value) != answer.by_type
            {
                let accepts = if answer.by_type { "accepts" } else { "refuses" };
                fault(
                    Kind::Stated,
                    Some(instance),
                    format!("the type {accepts} {}", instance.value),
                );
            }
            if let Some((kind, detail)) = judge(instance, answer, exact) {
                fault(kind, Some(instance), detail);
            }
        }
    }
    faults
}

fn judge(instance: &Instance, answer: &Answer, exact: bool) -> Option<(Kind, String)> {
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
    (!kept_all(&instance.value, kept))
        .then(|| (Kind::RoundTrip, format!("{} became {kept}", instance.value)))
}

/// Whether `after` says all that `before` says: equal, numbers by value, and at most further
/// members, which defaults fill in.
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
