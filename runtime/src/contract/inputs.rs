//! What clients pass to prompts and in the URIs of templates: texts by name, held against a schema.

use std::collections::HashMap;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{FormatPolicy, publish::resolve};
use crate::{
    decode::decode,
    encode::{EncodeError, encode},
    validate::LazyChecker,
    violation::Violations,
};

/// The arguments of a prompt or the variables of a template.
pub(super) struct Inputs {
    checker: LazyChecker,
    arguments: HashMap<String, Argument>,
}

/// One argument or variable.
struct Argument {
    name: String,
    /// The values that its schema lists.
    values: Vec<String>,
}

impl Inputs {
    /// Those that `schema` allows; `names` are all there are, the schema may know fewer.
    pub(super) fn new(schema: Value, names: &[&str]) -> Self {
        let property = |name: &str| schema.get("properties")?.get(name);
        let argument = |name: &str| {
            let values = property(name).and_then(|it| literals(&schema, it, 0));
            let argument = Argument {
                name: name.to_owned(),
                values: values.unwrap_or_default(),
            };
            (name.to_owned(), argument)
        };
        let declared = schema.get("properties").and_then(Value::as_object);
        let declared = declared.into_iter().flat_map(Map::keys).map(String::as_str);
        let arguments = declared
            .chain(names.iter().copied())
            .map(argument)
            .collect();
        Self {
            arguments,
            checker: LazyChecker::new(schema, FormatPolicy::default()),
        }
    }

    pub(super) fn prepare(&self) {
        self.checker.prepare();
    }

    /// Validates and types them.
    pub(super) fn decode<T: DeserializeOwned>(&self, values: &Value) -> Result<T, Violations> {
        self.checker.get().check(values)?;
        decode(values).map_err(|error| error.into_violation().into())
    }

    /// Serializes and validates them.
    pub(super) fn encode<T: Serialize>(&self, values: &T) -> Result<Value, Violations> {
        let values = encode(values).map_err(EncodeError::into_violation)?;
        self.checker.get().check(&values)?;
        Ok(values)
    }

    /// The name of an argument, and the values that its schema lists; `None` where there is no such argument.
    pub(super) fn values(&self, name: &str) -> Option<(&str, &[String])> {
        let argument = self.arguments.get(name)?;
        Some((&argument.name, &argument.values))
    }

    /// Whether the schema of any of them lists values.
    pub(super) fn completes(&self) -> bool {
        self.arguments.values().any(|it| !it.values.is_empty())
    }
}

/// The texts that a schema lists, if it lists all that it accepts.
fn literals(root: &Value, schema: &Value, depth: usize) -> Option<Vec<String>> {
    // Deep enough for real schemas; ends recursion that makes no progress.
    if depth > 16 {
        return None;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(values.iter().filter_map(text).collect());
    }
    if let Some(value) = schema.get("const") {
        return Some(text(value).into_iter().collect());
    }
    let follow = |schema: &Value| literals(root, schema, depth + 1);
    for key in ["oneOf", "anyOf"] {
        let branches = schema.get(key).and_then(Value::as_array);
        let lists: Option<Vec<_>> = branches.and_then(|it| it.iter().map(follow).collect());
        if let Some(lists) = lists {
            return Some(lists.concat());
        }
    }
    let target = schema.get("$ref").and_then(Value::as_str);
    let target = target.and_then(|it| resolve(root, it));
    if let Some(values) = target.and_then(follow) {
        return Some(values);
    }
    let all = schema.get("allOf").and_then(Value::as_array);
    all.and_then(|it| it.iter().find_map(follow))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_found_where_a_schema_lists_them() {
        let schema = json!({
            "properties": {
                "plain": { "type": "string", "enum": ["b", "a"] },
                "titled": { "oneOf": [{ "const": "x", "title": "X" }, { "const": "y" }] },
                "shared": { "$ref": "#/$defs/Theme", "description": "d" },
                "both": { "allOf": [{ "type": "string" }, { "$ref": "#/$defs/Theme" }] },
                "open": { "anyOf": [{ "const": "x" }, { "type": "string" }] },
                "loop": { "$ref": "#/properties/loop" },
                "free": { "type": "string" },
            },
            "$defs": { "Theme": { "enum": ["light", "dark"] } },
        });
        let inputs = Inputs::new(schema, &["free", "undeclared"]);
        let of = |name: &str| inputs.values(name).map(|(_, values)| values.join(" "));
        for (name, expected) in [
            ("plain", Some("b a")),
            ("titled", Some("x y")),
            ("shared", Some("light dark")),
            ("both", Some("light dark")),
            ("open", Some("")),
            ("loop", Some("")),
            ("free", Some("")),
            ("undeclared", Some("")),
            ("other", None),
        ] {
            assert_eq!(of(name).as_deref(), expected, "{name}");
        }
        assert!(inputs.completes());
    }
}
