//! What we answer where the other SDKs differ: one test a row of the comparison, legacy and modern peers side by side.
//!
//! The rows are those of the table "How the other SDKs answer" in the project's facts, which were recorded from them.
#![cfg(feature = "stdio")]

#[path = "support/mod.rs"]
mod support;
#[path = "support/wire.rs"]
mod wire;

use mcp_codegen_runtime::Value;
use serde_json::json;

use self::{
    support::Probe,
    wire::{Era, Wire},
};

/// The answers of one call: to a peer of 2025-06-18, of 2025-11-25, and of 2026-07-28, without what only says who we are.
async fn answers(tool: &str, arguments: Value) -> [Value; 3] {
    let mut answers = [Value::Null, Value::Null, Value::Null];
    for (era, answer) in Era::ALL.into_iter().zip(&mut answers) {
        let mut wire = Wire::open(era, Probe::default()).await;
        *answer = wire.call(tool, arguments.clone()).await;
        if let Some(result) = answer.get_mut("result").and_then(Value::as_object_mut) {
            assert_eq!(result.remove("resultType").is_some(), era.is_modern());
            assert_eq!(result.remove("_meta").is_some(), era.is_modern());
        }
        // A server that answered once must answer again.
        let next = wire.call("add", json!({ "a": 2, "b": 2 })).await;
        assert_eq!(next["result"]["isError"], false, "after {answer}: {next}");
    }
    answers
}

fn success(structured: impl Into<Value>, text: &str) -> Value {
    let structured = structured.into();
    json!({ "content": [{ "type": "text", "text": text }], "structuredContent": structured, "isError": false })
}

fn failure(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

/// Asserts that every peer got a result, the legacy ones `legacy` and the modern one `modern`.
async fn row(tool: &str, arguments: Value, legacy: Value, modern: Value) {
    let [oldest, old, new] = answers(tool, arguments).await;
    assert_eq!(oldest["result"], legacy);
    assert_eq!(old["result"], legacy);
    assert_eq!(new["result"], modern);
}

async fn same(tool: &str, arguments: Value, result: Value) {
    row(tool, arguments, result.clone(), result).await;
}

/// Python wraps for all, TypeScript for legacy peers, rmcp's macros drop the value for them. We do as TypeScript.
#[tokio::test]
async fn int_result() {
    row(
        "add",
        json!({ "a": 1, "b": 2 }),
        success(json!({ "result": 3 }), "3"),
        success(json!(3), "3"),
    )
    .await;
}

/// Python sends a block an item. We send the one JSON text that SEP-2106 asks for.
#[tokio::test]
async fn list_as_text() {
    let (list, text) = (json!(["a", "b"]), r#"["a","b"]"#);
    row(
        "names",
        json!({}),
        success(json!({ "result": list }), text),
        success(list, text),
    )
    .await;
}

/// Python indents, TypeScript sends no text. We send it compact.
#[tokio::test]
async fn object_as_text() {
    let object = json!({ "temperature": 4.5, "conditions": "1 days in Oslo" });
    let text = r#"{"temperature":4.5,"conditions":"1 days in Oslo"}"#;
    same(
        "weather",
        json!({ "location": "Oslo" }),
        success(object, text),
    )
    .await;
}

/// Python gives no detail, rmcp's macros send it unchecked. We name the place, and do not send the value.
#[tokio::test]
async fn bad_output() {
    let text = "1 violation in the result of `upstream`, so it was not sent:\n- /temperature: expected number";
    for answer in answers("upstream", json!({ "value": { "temperature": "warm" } })).await {
        let sent = answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default();
        assert!(sent.starts_with(text), "{answer}");
        assert!(!sent.contains("warm"), "{answer}");
        assert_eq!(
            (
                &answer["result"]["isError"],
                answer["result"].get("structuredContent")
            ),
            (&json!(true), None)
        );
    }
}

/// Python drops it from the value and leaks it in the text, TypeScript sends it though the schema is closed. We refuse it.
#[tokio::test]
async fn undeclared_output_field() {
    for answer in answers(
        "upstream",
        json!({ "value": { "temperature": 1, "secret": 2 } }),
    )
    .await
    {
        let sent = answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default();
        assert!(
            sent.contains("/secret") || sent.contains("`secret`"),
            "{answer}"
        );
        assert_eq!(
            (
                &answer["result"]["isError"],
                answer["result"].get("structuredContent")
            ),
            (&json!(true), None)
        );
    }
}

/// All give an `isError` result; rmcp's macros name only the first error, we name each.
#[tokio::test]
async fn bad_input() {
    for answer in answers("weather", json!({ "location": 7, "days": 9, "dayz": 1 })).await {
        let sent = answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default();
        assert!(
            sent.starts_with("3 violations in the arguments of `weather`:\n"),
            "{answer}"
        );
        for place in ["- /location: ", "- /days: ", "dayz"] {
            assert!(sent.contains(place), "{answer}");
        }
        assert_eq!(answer["result"]["isError"], true);
    }
}

/// All ignore it, and so do we: the schema is open.
#[tokio::test]
async fn undeclared_input_field_of_an_open_schema() {
    let arguments = json!({ "a": 1, "b": 2, "c": 3 });
    row(
        "add",
        arguments,
        success(json!({ "result": 3 }), "3"),
        success(json!(3), "3"),
    )
    .await;
}

/// Python gives an `isError` result. We give the protocol's error.
#[tokio::test]
async fn unknown_tool() {
    for answer in answers("wether", json!({})).await {
        assert_eq!(
            answer["error"],
            json!({ "code": -32602, "message": "unknown tool `wether`" })
        );
    }
}

/// TypeScript repeats the message, rmcp's macros never answer after a panic. We answer, and tell nothing.
#[tokio::test]
async fn exception_and_panic() {
    same("panics", json!({}), failure("tool `panics` failed")).await;
    same(
        "fails",
        json!({ "how": "error" }),
        failure("tool `fails` failed"),
    )
    .await;
    same(
        "fails",
        json!({ "how": "decision" }),
        failure("no station near Nowhere"),
    )
    .await;
}
