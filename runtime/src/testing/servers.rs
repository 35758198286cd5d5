//! Small servers whose contracts try what settings and combination do.

#![expect(clippy::unwrap_used, reason = "tests")]

use serde_json::{Value, json};

use super::*;
use crate::{CallError, Contract, ToolOutput, Toolset, combine};

/// Answers every tool with its argument `value`, whatever the schemas promise.
#[derive(Debug)]
struct Echo(&'static Contract);

#[derive(serde::Deserialize)]
struct Arguments {
    value: Value,
}

impl Toolset for Echo {
    fn contract(&self) -> &'static Contract {
        self.0
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        let Some(tool) = self.0.find(call.name()) else {
            return Err(call.unknown_tool());
        };
        call.structured(tool, |it: Arguments, _| async { Ok(it.value) })
            .await
    }
}

static POLICIES: Contract = Contract::new(
    r##"{
        "server": { "name": "policies", "version": "1.0.0" },
        "instructions": "One.",
        "tools": [
            { "name": "deny", "inputSchema": {}, "outputSchema": { "type": "integer" } },
            { "name": "warn", "inputSchema": {}, "outputSchema": { "type": "integer" } },
            { "name": "off", "inputSchema": {}, "outputSchema": { "type": "integer" } },
            { "name": "pretty", "inputSchema": {}, "outputSchema": true },
            { "name": "none", "inputSchema": {}, "outputSchema": true },
            { "name": "exact", "inputSchema": { "required": ["value", "other"] }, "outputSchema": true },
            { "name": "implicit", "inputSchema": {}, "outputSchema": { "$ref": "#/$defs/o", "$defs": { "o": { "type": "object" } } } }
        ],
        "settings": {
            "warn": { "output": "warn" }, "off": { "output": "off" }, "pretty": { "text": "pretty" },
            "none": { "text": "none" }, "exact": { "exactInput": true }
        }
    }"##,
);

static OTHER: Contract = Contract::new(
    r#"{
        "server": { "name": "other", "version": "2.0.0" },
        "instructions": "Two.",
        "tools": [{ "name": "other", "inputSchema": {}, "outputSchema": {} }]
    }"#,
);

fn call(tool: &str, arguments: Value) -> Value {
    block_on(InProcess::new(Echo(&POLICIES)).call(tool, arguments))
}

#[test]
fn output_policies() {
    let wrong = json!({ "value": "x" });
    let denied = call("deny", wrong.clone());
    assert_eq!(denied["isError"], true);
    assert_eq!(
        denied["content"][0]["text"],
        "1 violation in the result of `deny`, so it was not sent:\n- expected integer, got string"
    );
    for tool in ["warn", "off"] {
        assert_eq!(call(tool, wrong.clone())["structuredContent"], "x");
    }
}

#[test]
fn text_policies() {
    let text = |tool: &str| call(tool, json!({ "value": { "a": [1] } }))["content"].clone();
    assert_eq!(text("pretty")[0]["text"], "{\n  \"a\": [\n    1\n  ]\n}");
    assert_eq!(text("none"), json!([]));
    assert_eq!(text("implicit")[0]["text"], r#"{"a":[1]}"#);
}

#[test]
fn what_json_cannot_hold_is_no_result() {
    let tool = POLICIES.find("deny").unwrap();
    for value in [f64::NAN, f64::INFINITY] {
        let violations = tool.encode_output(&value).unwrap_err();
        assert_eq!(violations.to_string(), "- not a number that JSON can hold");
    }
    let answer = foreign("unwritable");
    assert_eq!(
        answer,
        "1 violation in the result of `deny`, so it was not sent:\n- cannot be written as JSON"
    );
}

#[test]
fn panics_of_foreign_types_are_answered() {
    for how in ["panics when written", "panics when read"] {
        assert_eq!(foreign(how), "tool `deny` failed");
    }
}

/// The text of a failed call of a tool whose types bring their own serde.
fn foreign(how: &str) -> String {
    let call = ToolCall::new("deny", json!(how));
    let tool = POLICIES.find("deny").unwrap();
    let ended = block_on(call.structured(tool, |it: Foreign, _| async { Ok(it) }));
    ended.unwrap_err().to_string()
}

/// A type of another crate.
struct Foreign(String);

impl<'de> serde::Deserialize<'de> for Foreign {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let how = String::deserialize(deserializer)?;
        assert_ne!(how, "panics when read");
        Ok(Self(how))
    }
}

impl serde::Serialize for Foreign {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        assert_ne!(self.0, "panics when written");
        Err(serde::ser::Error::custom("SECRET cannot be written"))
    }
}

#[test]
fn null_is_a_value() {
    let result = call("pretty", json!({ "value": null }));
    assert_eq!(result.get("structuredContent"), Some(&Value::Null));
}

#[test]
fn an_exact_type_stands_in_for_the_validator_until_it_refuses() {
    // Accepted by the type alone: the setting is believed.
    assert_eq!(call("exact", json!({ "value": 1 }))["structuredContent"], 1);
    // Refused by the type: the validator lists all that is wrong.
    assert_eq!(
        call("exact", json!({}))["content"][0]["text"],
        "2 violations in the arguments of `exact`:\n\
         - missing required property `value`\n\
         - missing required property `other`"
    );
}

#[test]
fn schemas_of_objects_say_so_to_legacy_peers() {
    let tool = POLICIES.find("implicit").unwrap();
    assert_eq!(tool.definition()["outputSchema"].get("type"), None);
    assert_eq!(tool.legacy_definition()["outputSchema"]["type"], "object");
    let client = InProcess::new(Echo(&POLICIES)).with_revision(Revision::V2025_06_18);
    let result = block_on(client.call("implicit", json!({ "value": { "a": 1 } })));
    assert_eq!(result["structuredContent"], json!({ "a": 1 }));
}

#[test]
fn combined_servers_answer_as_one() {
    let client = InProcess::new(combine((Echo(&POLICIES), Echo(&OTHER))).unwrap());
    let contract = client.server().contract();
    assert_eq!(contract.server().name(), "policies");
    assert_eq!(contract.instructions(), Some("One.\n\nTwo."));
    assert_eq!(client.list_tools().len(), 8);
    for tool in ["deny", "other"] {
        let result = block_on(client.call(tool, json!({ "value": 1 })));
        assert_eq!(result["structuredContent"], 1);
    }
    let result = block_on(client.call("nope", json!({})));
    assert_eq!(result["error"]["code"], -32602);
}

static WRAPPED: Contract = Contract::new(
    r##"{
        "server": { "name": "wrapped", "version": "1.0.0" },
        "tools": [
            { "name": "list", "inputSchema": {}, "outputSchema": {
                "type": "object", "properties": { "result": { "type": "array", "items": { "$ref": "#/$defs/n" } } },
                "required": ["result"], "$defs": { "n": { "type": "integer" } } } }
        ],
        "settings": { "list": { "wrapped": true } }
    }"##,
);

#[test]
fn results_that_are_published_wrapped_are_sent_so_to_all() {
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let client = InProcess::new(Echo(&WRAPPED)).with_revision(revision);
        let result = block_on(client.call("list", json!({ "value": [1, 2] })));
        assert_eq!(result["structuredContent"], json!({ "result": [1, 2] }));
        assert_eq!(result["content"][0]["text"], "[1,2]");
        let listed = &client.list_tools()[0]["outputSchema"];
        assert_eq!(listed["properties"]["result"]["items"]["$ref"], "#/$defs/n");
        // Places are those of what the method gave.
        let result = block_on(client.call("list", json!({ "value": [1, "x"] })));
        assert_eq!(
            result["content"][0]["text"],
            "1 violation in the result of `list`, so it was not sent:\n- /1: expected integer, got string"
        );
    }
    let tool = WRAPPED.find("list").unwrap();
    assert_eq!(tool.encode_output(&[1, 2]).unwrap(), json!([1, 2]));
    assert_eq!(tool.decode_output::<Vec<i64>>(&json!([3])).unwrap(), [3]);
    let violations = tool
        .decode_output::<Value>(&json!({ "result": [3] }))
        .unwrap_err();
    assert_eq!(violations.to_string(), "- expected array, got object");
}
