//! Values held against JSON Schemas. The one module that names `jsonschema`.

mod branches;
mod declared;
mod depth;
mod explain;

pub(crate) use self::explain::echo;

use std::{fmt, sync::OnceLock};

use jsonschema::Validator;
use mcp_codegen_grammar::ecma::{self, Renames};
use serde_json::Value;

use crate::{
    contract::FormatPolicy,
    violation::{LIMIT, Violation, Violations},
};

/// A schema whose validator is built on first need.
pub(crate) struct LazyChecker {
    schema: Value,
    formats: FormatPolicy,
    built: OnceLock<Built>,
}

/// A validator and what it was built from.
struct Built {
    validator: Validator,
    /// The schema as the validator has it, where that is not the author's.
    translated: Option<Value>,
    /// The author's patterns in place of those in there.
    authors: Renames,
}

/// A schema at work.
#[derive(Clone, Copy)]
pub(crate) struct Checker<'a> {
    /// As the validator has it, since its errors name places in there.
    schema: &'a Value,
    validator: &'a Validator,
    authors: &'a Renames,
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
        let Built {
            validator,
            translated,
            authors,
        } = self.built.get_or_init(build);
        Checker {
            schema: translated.as_ref().unwrap_or(&self.schema),
            validator,
            authors,
        }
    }

    fn build(&self) -> Result<Built, jsonschema::ValidationError<'static>> {
        let options = jsonschema::options().offline();
        let options = match self.formats {
            FormatPolicy::Dialect => options,
            FormatPolicy::Assert => options.should_validate_formats(true),
            FormatPolicy::Annotate => options.should_validate_formats(false),
        };
        let (translated, authors) = ecma::translated(&self.schema).unzip();
        let validator = options.build(translated.as_ref().unwrap_or(&self.schema))?;
        Ok(Built {
            validator,
            translated,
            authors: authors.unwrap_or_default(),
        })
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

/// What an explanation may look up: the schema and the value, both whole, and the author's patterns.
#[derive(Clone, Copy)]
struct Subject<'a> {
    schema: &'a Value,
    value: &'a Value,
    authors: &'a Renames,
}

impl<'a> Subject<'a> {
    /// A pattern of the validator as the author wrote it.
    fn authored(self, pattern: &'a str) -> &'a str {
        self.authors.get(pattern).map_or(pattern, String::as_str)
    }
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
            authors: self.authors,
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
mod ecma_tests;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;
