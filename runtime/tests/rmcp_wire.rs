//! What a server answers over rmcp, message by message, in both eras of the protocol.
#![cfg(feature = "stdio")]
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/mod.rs"]
mod support;
#[path = "support/wire.rs"]
mod wire;

use mcp_codegen_runtime::{Tool, Value, serve_io};
use rmcp::{
    model::{CallToolRequestParams, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt},
};
use serde_json::json;

use self::{
    support::{CONTRACT, Probe},
    wire::{Era, Wire},
};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

#[tokio::test]
async fn opening_says_who_the_server_is() {
    for era in [Era::Old, Era::Legacy] {
        let mut wire = Wire::connect(era, Probe::default());
        wire.send(&era.initialize()).await;
        let result = wire.receive().await["result"].take();
        assert_eq!(
            result["serverInfo"],
            Value::Object(CONTRACT.server().definition().clone())
        );
        assert_eq!(result["instructions"], "Call anything.");
        assert_eq!(
            result["capabilities"],
            json!({ "logging": {}, "tools": {} })
        );
    }
    let mut wire = Wire::connect(Era::Modern, Probe::default());
    let result = wire.ask("server/discover", json!({})).await["result"].take();
    let versions = [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ];
    assert_eq!(result["supportedVersions"], json!(versions));
    assert_eq!(
        result["_meta"][SERVER_INFO],
        Value::Object(CONTRACT.server().definition().clone())
    );
    assert_eq!(result["instructions"], "Call anything.");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&json!(300_000), &json!("private"))
    );
}

#[tokio::test]
async fn a_client_of_an_unknown_revision_is_offered_one_that_it_may_know() {
    let mut wire = Wire::connect(Era::Legacy, Probe::default());
    let mut opening = Era::Legacy.initialize();
    opening["params"]["protocolVersion"] = json!("2099-01-01");
    wire.send(&opening).await;
    assert_eq!(
        wire.receive().await["result"]["protocolVersion"],
        "2025-11-25"
    );

    let mut wire = Wire::connect(Era::Modern, Probe::default());
    let mut request = Era::Modern.request(1, "tools/list", json!({}));
    request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    wire.send(&request).await;
    assert_eq!(wire.receive().await["error"]["code"], -32022);
}

/// They know neither `structuredContent` nor `outputSchema`, and ignore what they do not know.
#[tokio::test]
async fn clients_of_the_first_revisions_get_what_those_of_the_next_get() {
    let mut old = Wire::open(Era::Old, Probe::default()).await;
    let list = old.ask("tools/list", json!({})).await;
    let sum = old.call("add", json!({ "a": 1, "b": 2 })).await;
    let expected = json!({
        "content": [{ "type": "text", "text": "3" }], "structuredContent": { "result": 3 }, "isError": false,
    });
    assert_eq!(sum["result"], expected);
    for revision in ["2024-11-05", "2025-03-26"] {
        let mut wire = Wire::connect(Era::Old, Probe::default());
        let mut opening = Era::Old.initialize();
        opening["params"]["protocolVersion"] = json!(revision);
        wire.send(&opening).await;
        let answer = wire.receive().await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
        assert_eq!(wire.ask("tools/list", json!({})).await, list);
        assert_eq!(wire.call("add", json!({ "a": 1, "b": 2 })).await, sum);
    }
}

#[tokio::test]
async fn the_list_is_the_contract() {
    let published: Value = serde_json::from_str(include_str!("support/contract.json")).unwrap();
    let published = published["tools"].as_array().unwrap();
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        let first = wire.ask("tools/list", json!({})).await;
        let result = &first["result"];
        let tools = result["tools"].as_array().unwrap();
        for (sent, entry) in tools.iter().zip(published) {
            // As text, because the order of keys counts.
            assert_eq!(
                sent["inputSchema"].to_string(),
                entry["inputSchema"].to_string()
            );
            if era.is_modern() || entry["outputSchema"]["type"] == "object" {
                assert_eq!(sent, entry);
            }
        }
        assert_eq!(tools.len(), published.len());
        let again = wire.ask("tools/list", json!({})).await;
        assert_eq!(again["result"].to_string(), result.to_string());

        if era.is_modern() {
            assert_eq!(result["resultType"], "complete");
            assert_eq!(
                (&result["ttlMs"], &result["cacheScope"]),
                (&json!(300_000), &json!("private"))
            );
            assert_eq!(result["_meta"][SERVER_INFO]["name"], "probe");
        } else {
            assert_eq!(
                result.as_object().unwrap().keys().collect::<Vec<_>>(),
                ["tools"]
            );
            assert_eq!(
                tools[1]["outputSchema"],
                wrapped(&json!({ "type": "integer" }))
            );
            let list = json!({
                "type": "array",
                "items": { "$ref": "#/properties/result/$defs/Name" },
                "$defs": { "Name": { "type": "string" } },
            });
            assert_eq!(tools[2]["outputSchema"], wrapped(&list));
        }
        let page = wire.ask("tools/list", json!({ "cursor": "2" })).await;
        assert_eq!(page["error"]["code"], -32602);
    }
}

fn wrapped(schema: &Value) -> Value {
    json!({ "type": "object", "properties": { "result": schema }, "required": ["result"] })
}

#[tokio::test]
async fn results_are_natural_for_modern_peers_and_wrapped_for_the_others() {
    let cases = [
        (
            "weather",
            json!({ "location": "Oslo", "days": 3 }),
            json!({ "temperature": 4.5, "conditions": "3 days in Oslo" }),
        ),
        ("add", json!({ "a": 1, "b": 2.0 }), json!(3)),
        ("names", json!({}), json!(["a", "b"])),
        ("nothing", json!({}), json!(null)),
    ];
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        for (tool, arguments, value) in &cases {
            let result = wire.call(tool, arguments.clone()).await["result"].take();
            let natural = era.is_modern() || value.is_object();
            let expected = if natural {
                value.clone()
            } else {
                json!({ "result": value })
            };
            assert_eq!(
                result.get("structuredContent"),
                Some(&expected),
                "{era:?} {tool}: {result}"
            );
            assert_eq!(
                result["content"],
                json!([{ "type": "text", "text": value.to_string() }])
            );
            assert_eq!(result["isError"], false);
            assert_eq!(result.get("resultType").is_some(), era.is_modern());
            assert_eq!(
                result["_meta"][SERVER_INFO]["version"],
                modern(era, json!("1.2.3"))
            );
        }
        let result = wire.call("report", json!({})).await["result"].take();
        assert_eq!(
            result["content"],
            json!([{ "type": "text", "text": "all is well" }])
        );
        assert_eq!(result.get("structuredContent"), None);
    }
}

fn modern(era: Era, value: Value) -> Value {
    if era.is_modern() { value } else { Value::Null }
}

#[tokio::test]
async fn errors_for_the_model_are_results() {
    let cases = [
        (
            "weather",
            json!({ "location": "", "dayz": 9 }),
            ["2 violations", "- /location", "- /dayz"].as_slice(),
        ),
        ("weather", json!({}), &["1 violation", "`location`"]),
        ("panics", json!({}), &["tool `panics` failed"]),
        (
            "fails",
            json!({ "how": "decision" }),
            &["no station near Nowhere"],
        ),
        ("fails", json!({ "how": "error" }), &["tool `fails` failed"]),
        (
            "upstream",
            json!({ "value": { "temperature": "warm" } }),
            &["`upstream`", "/temperature"],
        ),
        ("upstream", json!({ "value": {} }), &["`temperature`"]),
    ];
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        for (tool, arguments, expected) in &cases {
            let answer = wire.call(tool, arguments.clone()).await;
            let result = &answer["result"];
            assert_eq!(result["isError"], true, "{answer}");
            assert_eq!(result.get("structuredContent"), None);
            assert_eq!(
                result["_meta"][SERVER_INFO]["name"],
                modern(era, json!("probe"))
            );
            let text = result["content"][0]["text"].as_str().unwrap();
            for part in *expected {
                assert!(
                    text.contains(part),
                    "{tool} {arguments}: no `{part}` in\n{text}"
                );
            }
            assert!(!text.contains("secret"), "{text}");
        }
        // The server lives on.
        assert_eq!(
            wire.call("add", json!({ "a": 1, "b": 1 })).await["result"]["isError"],
            false
        );
    }
}

#[tokio::test]
async fn errors_of_the_protocol_are_protocol_errors() {
    let cases = [
        (
            "tools/call",
            json!({ "name": "wether" }),
            -32602,
            "unknown tool `wether`",
        ),
        (
            "tools/call",
            json!({ "arguments": {} }),
            -32602,
            "no `name`",
        ),
        (
            "tools/call",
            json!({ "name": 3 }),
            -32602,
            "`name` is not a string",
        ),
        (
            "tools/call",
            json!({ "name": "weather", "arguments": [] }),
            -32602,
            "`arguments` is not an object",
        ),
        (
            "tools/call",
            json!({ "name": "weather", "arguments": "{}" }),
            -32602,
            "`arguments` is not an object",
        ),
        (
            "tools/call",
            json!({ "name": "x".repeat(100_000) }),
            -32602,
            "xxx…`",
        ),
        (
            "tools/lists",
            json!({}),
            -32601,
            "method `tools/lists` is not supported by this server",
        ),
        (
            "prompts/list",
            json!({}),
            -32601,
            "method `prompts/list` is not supported by this server",
        ),
        (
            "resources/list",
            json!({}),
            -32601,
            "method `resources/list` is not supported by this server",
        ),
        (
            "resources/read",
            json!({ "uri": "file:///etc/passwd" }),
            -32601,
            "method `resources/read` is not supported by this server",
        ),
    ];
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        wire.call("add", json!({ "a": 1, "b": 1 })).await;
        for (method, params, code, message) in &cases {
            let answer = wire.ask(method, params.clone()).await;
            assert_eq!(
                answer["error"]["code"], *code,
                "{era:?} {method} {params}: {answer}"
            );
            let text = answer["error"]["message"].as_str().unwrap();
            assert!(text.contains(message), "{text}");
            assert!(text.len() < 300, "{text}");
        }
    }
    let mut wire = Wire::open(Era::Legacy, Probe::default()).await;
    wire.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call" }))
        .await;
    assert_eq!(wire.receive().await["error"]["code"], -32602);
}

/// The server lives on.
#[tokio::test]
async fn what_cannot_be_parsed_or_is_no_message_is_answered() {
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        wire.call("add", json!({ "a": 1, "b": 1 })).await;
        let unreadable = [
            "{".to_owned(),
            r#""\ud800""#.to_owned(),
            format!("{}{}", "[".repeat(500), "]".repeat(500)),
        ];
        for value in unreadable {
            let params = format!(r#"{{"name":"upstream","arguments":{{"value":{value}}}}}"#);
            wire.send_line(&format!(
                r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{params}}}"#
            ))
            .await;
            let answer = wire.receive().await;
            assert_eq!(answer["error"]["code"], -32700, "{answer}");
            assert_eq!(answer["id"], Value::Null);
        }
        wire.send_line("[1]").await;
        assert_eq!(wire.receive().await["error"]["code"], -32600);
        assert_eq!(
            wire.call("add", json!({ "a": 1, "b": 1 })).await["result"]["isError"],
            false
        );
    }
}

#[tokio::test]
async fn a_modern_request_without_its_metadata_is_refused() {
    let mut wire = Wire::connect(Era::Modern, Probe::default());
    wire.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} }))
        .await;
    let answer = wire.receive().await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[tokio::test]
async fn a_stray_message_before_the_opening_does_not_end_the_server() {
    for era in Era::ALL {
        let mut wire = Wire::connect(era, Probe::default());
        wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } })).await;
        wire.send(&json!({ "jsonrpc": "2.0", "id": 9, "result": {} }))
            .await;
        if !era.is_modern() {
            wire.send(&era.initialize()).await;
            wire.receive().await;
        }
        assert_eq!(
            wire.call("add", json!({ "a": 1, "b": 1 })).await["result"]["isError"],
            false
        );
    }
}

#[tokio::test]
async fn a_call_knows_its_caller() {
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        let result = wire.call("whoami", json!({})).await["result"].take();
        let expected = json!({
            "tool": "whoami", "id": "1", "revision": era.revision(), "client": "wire", "agent": null, "remote": null,
        });
        assert_eq!(result["structuredContent"], expected);
        assert_eq!(result["_meta"]["com.example/seen"], true);
    }
}

#[tokio::test]
async fn progress_goes_to_those_who_asked() {
    for era in Era::ALL {
        let mut wire = Wire::open(era, Probe::default()).await;
        let params = json!({ "name": "slow", "arguments": { "steps": 2 }, "_meta": { "progressToken": "p" } });
        wire.ask("tools/call", params).await;
        let progress: Vec<_> = of(&wire, "notifications/progress");
        let step = |n: u8| json!({ "progressToken": "p", "progress": f64::from(n), "total": 2.0, "message": format!("step {n}") });
        assert_eq!(progress, [step(1), step(2)], "{era:?}");

        wire.call("slow", json!({ "steps": 2 })).await;
        assert!(of(&wire, "notifications/progress").is_empty());
    }
}

#[tokio::test]
async fn log_messages_keep_to_the_level() {
    let warning = json!({ "level": "warning", "data": { "about": "to work" } });
    let debug = json!({ "level": "debug", "data": "starting" });
    for era in [Era::Old, Era::Legacy] {
        let mut wire = Wire::open(era, Probe::default()).await;
        wire.call("slow", json!({ "steps": 0 })).await;
        assert_eq!(
            of(&wire, "notifications/message"),
            std::slice::from_ref(&warning)
        );
        wire.ask("logging/setLevel", json!({ "level": "debug" }))
            .await;
        wire.call("slow", json!({ "steps": 0 })).await;
        assert_eq!(
            of(&wire, "notifications/message"),
            [debug.clone(), warning.clone()]
        );
        wire.ask("logging/setLevel", json!({ "level": "error" }))
            .await;
        wire.call("slow", json!({ "steps": 0 })).await;
        assert!(of(&wire, "notifications/message").is_empty());
    }
    let mut wire = Wire::open(Era::Modern, Probe::default()).await;
    wire.call("slow", json!({ "steps": 0 })).await;
    assert!(of(&wire, "notifications/message").is_empty());
    let meta = json!({ "io.modelcontextprotocol/logLevel": "debug" });
    wire.ask(
        "tools/call",
        json!({ "name": "slow", "arguments": { "steps": 0 }, "_meta": meta }),
    )
    .await;
    assert_eq!(of(&wire, "notifications/message"), [debug, warning]);
}

#[tokio::test]
async fn the_client_of_the_official_sdk_is_served_in_both_eras() {
    let modern = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    for (lifecycle, sum) in [
        (ClientLifecycleMode::Initialize, json!({ "result": 3 })),
        (modern, json!(3)),
    ] {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        let serving = tokio::spawn(serve_io(Probe::default(), reader, writer));
        let client = ().serve_with_lifecycle(ours, lifecycle).await.unwrap();
        let names: Vec<_> = client
            .list_all_tools()
            .await
            .unwrap()
            .into_iter()
            .map(|it| it.name)
            .collect();
        assert_eq!(
            names,
            CONTRACT.tools().iter().map(Tool::name).collect::<Vec<_>>()
        );
        let arguments = json!({ "a": 1, "b": 2 }).as_object().unwrap().clone();
        let request = CallToolRequestParams::new("add").with_arguments(arguments);
        let result = client.call_tool(request).await.unwrap();
        assert_eq!(result.structured_content, Some(sum));
        assert!(
            client
                .call_tool(CallToolRequestParams::new("wether"))
                .await
                .is_err()
        );
        client.cancel().await.unwrap();
        // A client that goes is the ordinary end.
        serving.await.unwrap().unwrap();
    }
}

fn of(wire: &Wire, method: &str) -> Vec<Value> {
    let of_method = wire
        .notifications
        .iter()
        .filter(|it| it["method"] == method);
    of_method.map(|it| it["params"].clone()).collect()
}

#[tokio::test]
async fn a_cancelled_call_is_told_and_not_answered() {
    for era in Era::ALL {
        let probe = Probe::default();
        let mut wire = Wire::open(era, probe.clone()).await;
        wire.send(&era.request(70, "tools/call", json!({ "name": "slow" })))
            .await;
        probe.started.counted().await;
        assert_eq!(probe.cancelled.get(), 0);
        let params = json!({ "requestId": 70, "reason": "enough" });
        wire.send(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        )
        .await;
        // The next answer is to the next request.
        assert_eq!(
            wire.call("add", json!({ "a": 1, "b": 1 })).await["result"]["isError"],
            false
        );
        probe.cancelled.counted().await;
    }
}
