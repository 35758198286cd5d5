//! Output schemas that an SDK has wrapped already: `{"result": value}` where a tool gives `value`.
//!
//! The Python SDK and `FastMCP` publish the schema of a wrapper for every tool whose result is no object. It is
//! published word by word, but the method of the trait gives the value inside, and the runtime wraps it.

use serde_json::{Map, Value};

use crate::{config::UnwrapPolicy, resolve::Node};

/// The only property of a wrapper.
const RESULT: &str = "result";

/// What `FastMCP` puts at the root of a wrapper.
const MARKER: &str = "x-fastmcp-wrap-result";

/// What else may stand at the root of a wrapper: nothing that demands anything of its value as a whole.
const HARMLESS: [&str; 11] = [
    "$comment",
    "$defs",
    "$schema",
    "additionalProperties",
    "definitions",
    "description",
    "properties",
    "required",
    "title",
    "type",
    MARKER,
];

/// The schema of the value inside of an output schema, where that is a wrapper by this policy.
pub(super) fn inner<'d>(tool: &str, output: Node<'d>, policy: UnwrapPolicy) -> Option<Node<'d>> {
    let schema = output.value().as_object()?;
    let wanted = match policy {
        UnwrapPolicy::Never => false,
        UnwrapPolicy::Marked => is_marked(tool, schema),
        UnwrapPolicy::Result => true,
    };
    if wanted && is_wrapper(schema) {
        output.child(&["properties", RESULT])
    } else {
        None
    }
}

/// `FastMCP` says so. The Python SDK does not, but calls every wrapper, and nothing else, after the tool.
fn is_marked(tool: &str, schema: &Map<String, Value>) -> bool {
    let title = schema.get("title").and_then(Value::as_str);
    schema.get(MARKER) == Some(&Value::Bool(true))
        || title.and_then(|it| it.strip_suffix("Output")) == Some(tool)
}

/// An object with one property, `result`, that has to be there.
fn is_wrapper(schema: &Map<String, Value>) -> bool {
    let property = |it: &Map<String, Value>| it.len() == 1 && it.contains_key(RESULT);
    // `false` as the schema of `result`, or a schema for the rest, is no SDK's.
    schema.get("type").and_then(Value::as_str) == Some("object")
        && schema
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(property)
        && schema.get("required") == Some(&Value::from(vec![RESULT]))
        && schema
            .get("additionalProperties")
            .is_none_or(Value::is_boolean)
        && schema.keys().all(|it| HARMLESS.contains(&it.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        config::Config,
        contract::contract,
        diagnostics::Diagnostics,
        resolve::{self, fixture::sources},
    };

    /// The schema of what the method of a tool `t` gives, where that is inside of its output schema.
    fn inside(output: &Value, policy: UnwrapPolicy) -> Option<Value> {
        let tool = json!({
            "name": "t", "description": "d", "inputSchema": {"type": "object"}, "outputSchema": output
        });
        let sources = sources(&[("a/t.tool.json", tool.to_string())]);
        let mut diagnostics = Diagnostics::new();
        let documents = resolve::parse(&sources, &mut diagnostics);
        let set = resolve::resolve(&documents, &mut diagnostics);
        let mut config = Config::new("schemas");
        let settings = config.tools.entry("*".to_owned()).or_default();
        settings.unwrap = Some(policy);
        let contract = contract(&set, &config, &mut diagnostics);
        let tool = &contract.servers[0].tools[0];
        assert_eq!(&tool.published["outputSchema"], output);
        let inner = tool.output.map(|it| it.value().clone());
        inner.filter(|_| tool.wrapped)
    }

    /// An output schema with one property `result`, which is required, and other members.
    fn object(others: &Value) -> Value {
        let mut schema = json!({"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]});
        let members = schema.as_object_mut().into_iter();
        members
            .zip(others.as_object())
            .for_each(|(it, others)| it.extend(others.clone()));
        schema
    }

    #[test]
    fn what_is_a_wrapper() {
        use UnwrapPolicy::{Marked, Never, Result};
        let cases = [
            (json!({}), vec![Result]),
            (json!({MARKER: true}), vec![Marked, Result]),
            (json!({MARKER: false}), vec![Result]),
            (json!({"title": "tOutput"}), vec![Marked, Result]),
            (json!({"title": "Output", "description": "d"}), vec![Result]),
            (
                json!({MARKER: true, "additionalProperties": false, "$defs": {"a": {}}}),
                vec![Marked, Result],
            ),
            // More than a wrapper.
            (json!({MARKER: true, "required": []}), vec![]),
            (json!({MARKER: true, "required": ["result", "a"]}), vec![]),
            (
                json!({MARKER: true, "properties": {"result": {}, "a": {}}}),
                vec![],
            ),
            (json!({MARKER: true, "type": ["object", "null"]}), vec![]),
            (
                json!({MARKER: true, "additionalProperties": {"type": "null"}}),
                vec![],
            ),
            (json!({MARKER: true, "maxProperties": 1}), vec![]),
            (json!({MARKER: true, "allOf": [{}]}), vec![]),
        ];
        for (others, policies) in cases {
            let schema = object(&others);
            for policy in [Marked, Result, Never] {
                let expected = policies
                    .contains(&policy)
                    .then(|| json!({"type": "integer"}));
                assert_eq!(inside(&schema, policy), expected, "{policy}: {schema}");
            }
        }
    }
}
