//! One tool: its MCP definition, and its schemas at work.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    FormatPolicy, OutputPolicy, Settings, WrapPolicy,
    publish::{self, OutputForm},
};
use crate::{
    DecodeError, Revision,
    decode::decode,
    encode::{EncodeError, encode},
    validate::LazyChecker,
    violation::Violations,
};

/// One tool of a [`Contract`](super::Contract). Cheap to clone; clones share their validators.
#[derive(Clone)]
pub struct Tool(Arc<Inner>);

struct Inner {
    name: String,
    /// As the author published it.
    natural: Map<String, Value>,
    settings: Settings,
    form: OutputForm,
    /// For peers that accept object results only; built when the first one comes.
    legacy: OnceLock<Map<String, Value>>,
    input: LazyChecker,
    output: Option<LazyChecker>,
}

impl Tool {
    pub(super) fn new(definition: Map<String, Value>, mut settings: Settings) -> Self {
        // Codegen proves exactness for formats as the dialect has them, and says nothing else; types do not
        // know formats, so a document that says both must not switch the validator off.
        let proved = settings.formats != FormatPolicy::Assert;
        settings.exact_input &= proved;
        settings.exact_output &= proved;
        let schema = |key: &str| definition.get(key).cloned();
        let output = schema("outputSchema");
        let checker = |schema| LazyChecker::new(schema, settings.formats);
        Self(Arc::new(Inner {
            name: definition
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            form: output.as_ref().map_or(OutputForm::Object, OutputForm::of),
            input: checker(schema("inputSchema").unwrap_or(Value::Bool(true))),
            output: output.map(checker),
            legacy: OnceLock::new(),
            natural: definition,
            settings,
        }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How it answers.
    pub fn settings(&self) -> Settings {
        self.0.settings
    }

    /// The `Tool` object for peers of 2026-07-28.
    pub fn definition(&self) -> &Map<String, Value> {
        self.definition_for(Revision::V2026_07_28)
    }

    /// The `Tool` object for peers before 2026-07-28: the root of `outputSchema` says `type: object`,
    /// and a schema of other values is wrapped.
    pub fn legacy_definition(&self) -> &Map<String, Value> {
        self.definition_for(Revision::V2025_11_25)
    }

    /// The `Tool` object for peers of `revision`.
    pub fn definition_for(&self, revision: Revision) -> &Map<String, Value> {
        let inner = &*self.0;
        let natural = match inner.form {
            OutputForm::Object => true,
            OutputForm::ImplicitObject => revision.is_modern(),
            OutputForm::Other => !self.wraps(revision),
        };
        if natural {
            return &inner.natural;
        }
        inner
            .legacy
            .get_or_init(|| publish::legacy(&inner.natural, inner.form))
    }

    /// A valid output as `structuredContent` for peers of `revision`.
    pub(crate) fn shape_output(&self, value: Value, revision: Revision) -> Value {
        if !self.wraps(revision) {
            return value;
        }
        publish::wrap(value)
    }

    fn wraps(&self, revision: Revision) -> bool {
        if self.0.settings.wrapped {
            return true;
        }
        let always = self.0.settings.wrap == WrapPolicy::Always;
        self.0.form == OutputForm::Other && (always || !revision.is_modern())
    }

    pub(super) fn prepare(&self) {
        self.0.input.prepare();
        if let Some(output) = &self.0.output {
            output.prepare();
        }
    }

    /// Validates and types arguments.
    ///
    /// # Errors
    ///
    /// Every place where `arguments` break the input schema; or, for arguments that keep it, the
    /// place that the type cannot hold (an integer beyond 64 bits).
    pub fn decode_input<I: DeserializeOwned>(&self, arguments: &Value) -> Result<I, Violations> {
        checked_decode(Some(&self.0.input), self.0.settings.exact_input, arguments)
    }

    /// Serializes and validates arguments, for clients.
    ///
    /// # Errors
    ///
    /// Every place where they break the input schema; or the first one that JSON cannot hold.
    pub fn encode_input<I: Serialize>(&self, input: &I) -> Result<Value, Violations> {
        let value = encode(input).map_err(EncodeError::into_violation)?;
        // That a type reads only what the schema accepts does not say that it writes nothing else.
        self.0.input.get().check(&value)?;
        Ok(value)
    }

    /// Validates and types a `structuredContent` of a server that speaks `revision`, which may have wrapped it.
    ///
    /// # Errors
    ///
    /// As [`decode_output`](Self::decode_output).
    pub(crate) fn decode_result<O: DeserializeOwned>(
        &self,
        value: &Value,
        revision: Revision,
    ) -> Result<O, Violations> {
        let inner = publish::inner(value);
        if self.0.settings.wrapped {
            if let (Some(output), Some(inner)) = (&self.0.output, inner) {
                let checked = output.get().check(value);
                checked.map_err(|violations| violations.inside(publish::RESULT))?;
                return checked_decode(None, false, inner);
            }
            return self.decode_output(value);
        }
        let Some(inner) = inner.filter(|_| self.0.form == OutputForm::Other) else {
            return self.decode_output(value);
        };
        // Servers differ in when they wrap, so the other way is tried too.
        let (first, second) = if self.wraps(revision) {
            (inner, value)
        } else {
            (value, inner)
        };
        self.decode_output(first)
            .or_else(|violations| self.decode_output(second).map_err(|_| violations))
    }

    /// Validates and types an output that is not wrapped.
    ///
    /// # Errors
    ///
    /// As [`decode_input`](Self::decode_input), for the output schema.
    pub fn decode_output<O: DeserializeOwned>(&self, value: &Value) -> Result<O, Violations> {
        let Some(output) = self.0.output.as_ref().filter(|_| self.0.settings.wrapped) else {
            return checked_decode(self.0.output.as_ref(), false, value);
        };
        // The published schema is that of the wrapper.
        check_wrapped(output, value.clone()).1?;
        checked_decode(None, false, value)
    }

    /// Serializes and validates an output, whatever the tool's output policy.
    ///
    /// # Errors
    ///
    /// Every place where it breaks the output schema; or the first one that JSON cannot hold: a NaN, an infinity, a
    /// property that is there twice.
    pub fn encode_output<O: Serialize>(&self, output: &O) -> Result<Value, Violations> {
        let value = encode(output).map_err(EncodeError::into_violation)?;
        let (value, checked) = self.check_output(value);
        checked.map(|()| value)
    }

    /// As [`encode_output`](Self::encode_output), but by the tool's policy, and with the value that breaks the schema.
    pub(crate) fn inspect_output<O: Serialize>(
        &self,
        output: &O,
    ) -> Result<Value, (Option<Value>, Violations)> {
        let value = encode(output).map_err(|error| (None, error.into_violation().into()))?;
        if self.0.settings.output == OutputPolicy::Off {
            return Ok(value);
        }
        match self.check_output(value) {
            (value, Ok(())) => Ok(value),
            (value, Err(violations)) => Err((Some(value), violations)),
        }
    }

    /// The value comes back: inside its wrapper it has to be moved.
    fn check_output(&self, value: Value) -> (Value, Result<(), Violations>) {
        let settings = &self.0.settings;
        match &self.0.output {
            Some(output) if !settings.exact_output && settings.wrapped => {
                check_wrapped(output, value)
            }
            Some(output) if !settings.exact_output => {
                let checked = output.get().check(&value);
                (value, checked)
            }
            _ => (value, Ok(())),
        }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.0.settings;
        f.debug_struct("Tool")
            .field("name", &self.0.name)
            .field("settings", settings)
            .finish_non_exhaustive()
    }
}

/// Holds a value against the schema of its wrapper. Places are told as in the value.
fn check_wrapped(checker: &LazyChecker, value: Value) -> (Value, Result<(), Violations>) {
    let wrapper = publish::wrap(value);
    let outcome = checker.get().check(&wrapper);
    let outcome = outcome.map_err(|violations| violations.inside(publish::RESULT));
    (publish::unwrap(wrapper), outcome)
}

/// Decodes; on failure every violation, which only the validator knows.
fn checked_decode<T: DeserializeOwned>(
    checker: Option<&LazyChecker>,
    exact: bool,
    value: &Value,
) -> Result<T, Violations> {
    if !exact && let Some(checker) = checker {
        checker.get().check(value)?;
    }
    decode(value).map_err(|error| {
        let found = checker
            .filter(|_| exact)
            .and_then(|checker| checker.get().check(value).err());
        found.unwrap_or_else(|| DecodeError::into_violation(error).into())
    })
}
