//! Values held against JSON Schemas. The one module that names `jsonschema`.

mod branches;
mod declared;
mod depth;
mod explain;

pub(crate) use self::explain::echo;

use std::{fmt, sync::OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use crate::{
    contract::FormatPolicy,
    violation::{LIMIT, Violation, Violations},
};

/// A schema whose validator is built on first need.
pub(crate) struct LazyChecker {
    schema: Value,
    formats: FormatPolicy,
    built: OnceLock<Validator>,
}

/// A schema at work.
#[derive(Clone, Copy)]
pub(crate) struct Checker<'a> {
    schema: &'a Value,
    validator: &'a Validator,
}

impl LazyChecker {
    /// A schema, not looked at yet. Self-contained; its `$schema` decides the dialect, else 2020-12.
    pub(crate) const fn new(schema: Value, formats: FormatPolicy) -> Self {
        Self {
            schema,
            formats,
            built: OnceLock::new(),
        }
    }

    pub(crate) fn get(&self) -> Checker<'_> {
        let build = || {
            self.build()
                .expect("codegen compiles every schema that it publishes")
        };
        Checker {
            schema: &self.schema,
            validator: self.built.get_or_init(build),
        }
    }

    fn build(&self) -> Result<Validator, jsonschema::ValidationError<'static>> {
        let options = jsonschema::options().offline();
        let options = match self.formats {
            FormatPolicy::Dialect => options,
            FormatPolicy::Assert => options.should_validate_formats(true),
            FormatPolicy::Annotate => options.should_validate_formats(false),
        };
        options.build(&self.schema)
    }

    /// Whether the schema compiles, for schemas that codegen has not proved to.
    #[cfg(test)]
    fn compiles(&self) -> bool {
        self.build().is_ok()
    }

    /// Whether somebody needed it already.
    #[cfg(test)]
    pub(crate) fn is_built(&self) -> bool {
        self.built.get().is_some()
    }

    pub(crate) fn prepare(&self) {
        self.get();
    }
}

/// What an explanation may look up: the schema and the value, both whole.
#[derive(Clone, Copy)]
struct Subject<'a> {
    schema: &'a Value,
    value: &'a Value,
}

impl Checker<'_> {
    pub(crate) fn accepts(self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Every violation, each told once.
    pub(crate) fn check(self, value: &Value) -> Result<(), Violations> {
        if self.validator.is_valid(value) {
            return Ok(());
        }
        let (explained, omitted) = match depth::Cut::new(self.schema, self.validator, value) {
            None => self.explain(value),
            Some(cut) => {
                let (explained, omitted) = self.explain(&cut.value);
                (cut.judge(explained), omitted)
            }
        };
        if explained.is_empty() {
            // Where a pattern ran out of its budget, validity and errors may differ: refuse.
            return Err(Violation::new("", "does not match the schema").into());
        }
        Err(Violations::new(explained, omitted))
    }

    /// The first violations, and how many more there are.
    fn explain(self, value: &Value) -> (Vec<Violation>, usize) {
        let mut explained: Vec<Violation> = Vec::new();
        let mut omitted = 0;
        let subject = Subject {
            schema: self.schema,
            value,
        };
        for error in self.validator.iter_errors(value) {
            let count = explain::count(subject, &error);
            if explained.len() >= LIMIT {
                omitted += count;
                continue;
            }
            let violations = explain::explain(subject, &error);
            omitted += count.saturating_sub(violations.len());
            for violation in violations {
                // `allOf` and `$ref` may lead to one keyword twice.
                if !explained.contains(&violation) {
                    explained.push(violation);
                }
            }
        }
        omitted += explained.len().saturating_sub(LIMIT);
        explained.truncate(LIMIT);
        (explained, omitted)
    }
}

impl fmt::Debug for LazyChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyChecker")
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;
