//! The peer's columns of the table.

use std::fmt;

use serde_json::{Value, json};

use super::Made;
use crate::fidelity::{
    subjects::{Expect, Subject},
    verdict::{came_back, may_fill_in},
};

/// Counts of the peer in one row, over all schemas that are right; an instance of a schema that it does not
/// generate, or whose code does not compile, is neither accepted nor refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns {
    schemas: usize,
    generated: usize,
    died: usize,
    compiled: usize,
    valid: usize,
    accepted: usize,
    round_trips: usize,
    invalid: usize,
    refused_by_type: usize,
    exact: usize,
}

impl Columns {
    /// The titles, to stand behind the others.
    pub const TITLES: &'static str =
        " | typify:  compiled      valid ok    round trip       by type   exact";

    /// What the columns mean where they are not the same question.
    pub const LEGEND: &'static str = "\
typify's columns are over the schemas that are right; it proves nothing: exact are schemas with instances, of \
which its type accepts every valid and refuses every invalid one";

    /// Counts one subject.
    pub(in crate::fidelity) fn count(&mut self, subject: &Subject, made: &Made) {
        if subject.expect == Expect::Refused {
            return;
        }
        self.schemas += 1;
        self.died += usize::from(matches!(made, Made::Died(_)));
        let outcome = match made {
            Made::Code(outcome) => Some(outcome),
            Made::Refused(_) | Made::Died(_) => None,
        };
        self.generated += usize::from(outcome.is_some());
        self.compiled += usize::from(outcome.is_some_and(|it| it.compiler.is_none()));
        let defaults = may_fill_in(&subject.schema);
        let mut right = 0;
        for (index, instance) in subject.instances.iter().enumerate() {
            let answer = outcome.and_then(|it| it.answers.get(index));
            let accepted = answer.is_some_and(|it| it.by_type);
            let refused = answer.is_some_and(|it| !it.by_type);
            if instance.valid {
                let kept = answer.and_then(|it| it.kept.as_ref());
                self.valid += 1;
                self.accepted += usize::from(accepted);
                self.round_trips +=
                    usize::from(kept.is_some_and(|it| came_back(&instance.value, it, defaults)));
            } else {
                self.invalid += 1;
                self.refused_by_type += usize::from(refused);
            }
            right += usize::from(if instance.valid { accepted } else { refused });
        }
        let asked = subject.instances.len();
        self.exact += usize::from(asked > 0 && right == asked);
    }

    /// The counts by name.
    pub(in crate::fidelity) fn to_json(self) -> Value {
        json!({
            "schemas": self.schemas,
            "generated": self.generated,
            "panicked_or_died": self.died,
            "compiled": self.compiled,
            "valid": self.valid,
            "valid_accepted": self.accepted,
            "valid_round_trips": self.round_trips,
            "invalid": self.invalid,
            "invalid_refused": self.refused_by_type,
            "invalid_refused_by_type": self.refused_by_type,
            "exact_on_instances": self.exact,
        })
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            " | {:>17} {:>13} {:>13} {:>13} {:>7}",
            format!("{}/{}", self.compiled, self.schemas),
            format!("{}/{}", self.accepted, self.valid),
            format!("{}/{}", self.round_trips, self.valid),
            format!("{}/{}", self.refused_by_type, self.invalid),
            self.exact,
        )
    }
}
