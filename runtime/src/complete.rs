//! From a `completion/complete` to the values that a contract or an implementation proposes.

use std::{collections::BTreeMap, fmt};

use serde_json::{Map, Value};

use crate::{
    CallContext, CallError, Contract, Redact, Subject, ToolResult,
    contract::{Prompt, ResourceTemplate},
    guard, method,
};

/// How many values an answer has at most, by the protocol.
const MOST: usize = 100;

/// One `completion/complete`.
#[derive(Clone)]
pub struct Complete {
    /// What was asked for, for the error where there is no such thing.
    asked: (String, String),
    found: Option<Found>,
    partial: Partial,
    context: CallContext,
}

/// An argument of the contract, and the values that its schema lists.
#[derive(Clone, Copy, Debug)]
struct Found {
    target: CompletionTarget<'static>,
    subject: Subject,
    values: &'static [String],
}

/// What is to be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompletionTarget<'a> {
    /// An argument of a prompt: the names of both.
    Prompt(&'a str, &'a str),
    /// A variable of a resource template: the names of both.
    Template(&'a str, &'a str),
    /// Nothing that the contract has.
    Unknown,
}

/// What the client has so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partial {
    /// The beginning of the value, as far as it was typed.
    pub value: String,
    /// The other arguments, as far as they are known.
    pub others: BTreeMap<String, String>,
}

impl Partial {
    /// The beginning of a value, with no other argument known.
    pub fn new(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            others: BTreeMap::new(),
        }
    }

    /// Adds another argument that is known.
    #[must_use]
    pub fn with_other(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.others.insert(name.into(), value.into());
        self
    }
}

impl From<&str> for Partial {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl Complete {
    /// Completes an argument of the prompt `name`.
    pub fn prompt(
        contract: &'static Contract,
        name: impl Into<String>,
        argument: impl Into<String>,
        partial: impl Into<Partial>,
    ) -> Self {
        let asked = (name.into(), argument.into());
        let found = contract.find_prompt(&asked.0);
        let found = found.and_then(|it| Found::of_prompt(it, &asked.1));
        Self::new(asked, found, partial.into())
    }

    /// Completes a variable of the template whose `uriTemplate` this is.
    pub fn template(
        contract: &'static Contract,
        uri_template: impl Into<String>,
        variable: impl Into<String>,
        partial: impl Into<Partial>,
    ) -> Self {
        let asked = (uri_template.into(), variable.into());
        let mut templates = contract.resource_templates().iter();
        let found = templates.find(|it| it.uri_template() == asked.0);
        let found = found.and_then(|it| Found::of_template(it, &asked.1));
        Self::new(asked, found, partial.into())
    }

    fn new(asked: (String, String), found: Option<Found>, partial: Partial) -> Self {
        Self {
            asked,
            found,
            partial,
            context: CallContext::default(),
        }
    }

    /// Sets what the transport knows of the request.
    #[must_use]
    pub fn with_context(mut self, context: CallContext) -> Self {
        self.context = context.with_redact(self.context.redact());
        self
    }

    /// Sets whether error texts show values.
    #[must_use]
    pub fn with_redact(mut self, redact: Redact) -> Self {
        self.context = self.context.with_redact(redact);
        self
    }

    /// What is to be completed.
    pub fn target(&self) -> CompletionTarget<'_> {
        let found = self.found.as_ref();
        found.map_or(CompletionTarget::Unknown, |it| it.target)
    }

    /// What the request calls the prompt or template.
    pub(crate) fn of(&self) -> &str {
        &self.asked.0
    }

    /// What the client has so far.
    pub fn partial(&self) -> &Partial {
        &self.partial
    }

    /// Runs `body` for the values. What it returns is taken as it is, in its order: it has seen what was typed.
    ///
    /// # Errors
    ///
    /// [`CallError::UnknownArgument`] and [`CallError::Unavailable`].
    pub async fn values<F, Fut>(self, body: F) -> Result<Completions, CallError>
    where
        F: FnOnce(Partial, CallContext) -> Fut,
        Fut: Future<Output = ToolResult<Vec<String>>> + Send,
    {
        let Some(found) = self.found else {
            return Err(self.unknown_argument());
        };
        let context = self.context;
        let ran = guard::run(found.subject, &context, self.partial, body).await;
        let values = ran.map_err(|error| match error {
            // The protocol has no rounds for completions, whatever the client is capable of.
            CallError::InputRequired(_) | CallError::MissingAbility { .. }
                if context.revision().is_modern() =>
            {
                CallError::Unavailable {
                    subject: found.subject,
                    message: "values are completed without asking the client".to_owned(),
                }
            }
            error => error,
        })?;
        let mut completions = Completions::new(values);
        completions.meta = method::meta(found.subject, &context);
        Ok(completions)
    }

    /// The values that the argument's schema lists and that begin with what was typed, in any case; none where it lists none.
    ///
    /// # Errors
    ///
    /// [`CallError::UnknownArgument`].
    pub fn from_contract(self) -> Result<Completions, CallError> {
        let Some(found) = self.found else {
            return Err(self.unknown_argument());
        };
        let typed = self.partial.value.to_lowercase();
        let values = found.values.iter();
        let values = values.filter(|it| it.to_lowercase().starts_with(&typed));
        Ok(Completions::new(values.cloned().collect()))
    }

    fn unknown_argument(self) -> CallError {
        let (of, argument) = self.asked;
        CallError::UnknownArgument { of, argument }
    }
}

impl fmt::Debug for Complete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Complete");
        out.field("asked", &self.asked)
            .field("context", &self.context);
        if self.context.redact() == Redact::Nothing {
            out.field("partial", &self.partial);
        }
        out.finish_non_exhaustive()
    }
}

impl Found {
    fn of_prompt(prompt: &'static Prompt, argument: &str) -> Option<Self> {
        let (argument, values) = prompt.argument(argument)?;
        let of = prompt.name();
        let target = CompletionTarget::Prompt(of, argument);
        Some(Self::new(target, of, argument, values))
    }

    fn of_template(template: &'static ResourceTemplate, variable: &str) -> Option<Self> {
        let (variable, values) = template.variable(variable)?;
        let of = template.name();
        let target = CompletionTarget::Template(of, variable);
        Some(Self::new(target, of, variable, values))
    }

    const fn new(
        target: CompletionTarget<'static>,
        of: &'static str,
        argument: &'static str,
        values: &'static [String],
    ) -> Self {
        let subject = Subject::Completion { of, argument };
        Self {
            target,
            subject,
            values,
        }
    }
}

/// The values that are proposed: the first 100, and how many there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completions {
    pub(crate) values: Vec<String>,
    pub(crate) total: usize,
    pub(crate) meta: Map<String, Value>,
}

impl Completions {
    fn new(mut values: Vec<String>) -> Self {
        let total = values.len();
        values.truncate(MOST);
        Self {
            values,
            total,
            meta: Map::new(),
        }
    }

    /// The values that are sent.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// How many there are.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// Whether there are more than are sent.
    pub fn has_more(&self) -> bool {
        self.total > self.values.len()
    }
}
