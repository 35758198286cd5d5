//! Forms that a contract defines, and what came back of one.

use std::{fmt, marker::PhantomData};

use serde_json::{Map, Value};

use super::AskError;
use crate::{
    Contract,
    contract::FormatPolicy,
    validate::{Checker, LazyChecker},
};

/// A form of a contract, whose answer is a `T`. Generated code has one for each `*.elicitation.json`.
///
/// A method shows it to the user of the client: see [`CallContext::elicit`](crate::CallContext::elicit).
pub struct Elicitation<T> {
    contract: &'static Contract,
    name: &'static str,
    answer: PhantomData<fn() -> T>,
}

impl<T> Elicitation<T> {
    /// The form `name` of `contract`.
    pub const fn new(contract: &'static Contract, name: &'static str) -> Self {
        Self {
            contract,
            name,
            answer: PhantomData,
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn form(&self) -> Result<&'static Form, AskError> {
        self.contract.form(self.name).ok_or_else(|| {
            AskError::unreachable(format!("the contract has no form `{}`", self.name))
        })
    }
}

impl<T> Clone for Elicitation<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Elicitation<T> {}

impl<T> fmt::Debug for Elicitation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Elicitation").field(&self.name).finish()
    }
}

/// What the user did with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elicited<T> {
    /// They answered; what they filled in keeps the form's schema.
    Accepted(T),
    /// They said no.
    Declined,
    /// They closed it without a decision.
    Cancelled,
}

impl<T> Elicited<T> {
    /// What was filled in, if anything was.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(answer) => Some(answer),
            Self::Declined | Self::Cancelled => None,
        }
    }

    /// The same with what was filled in changed.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Elicited<U> {
        match self {
            Self::Accepted(answer) => Elicited::Accepted(change(answer)),
            Self::Declined => Elicited::Declined,
            Self::Cancelled => Elicited::Cancelled,
        }
    }
}

/// A form as the contract document has it.
#[derive(Debug)]
pub(crate) struct Form {
    message: Option<String>,
    /// An object.
    requested: Value,
    checker: LazyChecker,
}

impl Form {
    pub(crate) fn new(document: FormDocument) -> Self {
        let FormDocument {
            message,
            requested_schema,
        } = document;
        let requested = Value::Object(requested_schema);
        Self {
            message,
            // People mistype what programs do not, and nothing else reads it before the method does.
            checker: LazyChecker::new(requested.clone(), FormatPolicy::Assert),
            requested,
        }
    }

    pub(crate) fn prepare(&self) {
        self.checker.prepare();
    }

    pub(super) fn checker(&self) -> Checker<'_> {
        self.checker.get()
    }

    /// What the file says to the user; a form needs some text.
    pub(super) fn message(&self) -> &str {
        self.message.as_deref().unwrap_or("Please fill in.")
    }

    /// The parameters of `elicitation/create`.
    pub(super) fn params(&self, message: String) -> Map<String, Value> {
        Map::from_iter([
            ("message".to_owned(), Value::String(message)),
            ("requestedSchema".to_owned(), self.requested.clone()),
        ])
    }
}

/// A form in the contract document.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FormDocument {
    #[serde(default)]
    message: Option<String>,
    requested_schema: Map<String, Value>,
}
