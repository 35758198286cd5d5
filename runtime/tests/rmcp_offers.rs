//! Resources, prompts, completions and subscriptions over rmcp, in both eras of the protocol.
#![cfg(feature = "stdio")]
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/brand.rs"]
mod brand;
#[cfg(feature = "http")]
#[path = "support/http.rs"]
mod http;
#[path = "support/wire.rs"]
mod wire;

use std::time::Duration;

#[cfg(feature = "http")]
use mcp_codegen_runtime::HttpConfig;
use mcp_codegen_runtime::{
    CallError, CompletionTarget, Contract, Resource, ResourceUpdates, ToolCall, ToolOutput,
    Toolset, Value, into_handler, testing::InProcess, watched,
};
use rmcp::{
    ServerHandler,
    model::{
        CompleteRequestParams, GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams,
        Reference,
    },
    service::{ClientLifecycleMode, ClientServiceExt, serve_server},
};
use serde_json::json;
#[cfg(feature = "http")]
use tokio::{io::AsyncReadExt, net::TcpStream};

use self::{
    brand::{Brand, CONTRACT},
    wire::{Era, Wire},
};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

fn watched_brand() -> impl Toolset {
    let updates = ResourceUpdates::new();
    watched(
        Brand {
            updates: updates.clone(),
        },
        updates,
    )
}

/// The same server in this process, in the revision of `era`.
fn in_process(era: Era) -> InProcess<Brand> {
    InProcess::new(Brand::default()).with_revision(era.revision().parse().unwrap())
}

#[tokio::test]
async fn opening_says_what_the_contract_has() {
    let resources = [json!({}), json!({ "subscribe": true, "listChanged": true })];
    for (watch, resources) in [false, true].into_iter().zip(resources) {
        let expected = json!({
            "logging": {}, "completions": {}, "prompts": {}, "resources": resources, "tools": {},
        });
        for era in Era::ALL {
            let mut wire = if watch {
                Wire::connect(era, watched_brand())
            } else {
                Wire::connect(era, Brand::default())
            };
            let answer = if era.is_modern() {
                wire.ask("server/discover", json!({})).await
            } else {
                wire.send(&era.initialize()).await;
                wire.receive().await
            };
            assert_eq!(answer["result"]["capabilities"], expected, "{era:?}");
        }
    }
}

#[test]
fn subscriptions_are_offered_once_somebody_can_tell() {
    let handler = into_handler(Brand::default());
    let subscribe = || handler.get_info().capabilities.resources.unwrap().subscribe;
    assert_eq!(subscribe(), None);
    handler.updates().updated("brand://palette");
    assert_eq!(subscribe(), Some(true));
}

#[tokio::test]
async fn lists_are_the_contract() {
    let published: Value = serde_json::from_str(include_str!("support/brand.json")).unwrap();
    for era in Era::ALL {
        let mut wire = Wire::open(era, Brand::default()).await;
        for (method, key) in [
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
            ("prompts/list", "prompts"),
        ] {
            let result = wire.ask(method, json!({})).await["result"].take();
            assert_eq!(result[key], published[key], "{method}");
            assert_eq!(result.get("nextCursor"), None);
            let hints = (result.get("ttlMs"), result.get("cacheScope"));
            if era.is_modern() {
                assert_eq!(hints, (Some(&json!(60_000)), Some(&json!("public"))));
                assert_eq!(result["_meta"][SERVER_INFO], published["server"]);
                assert_eq!(result["resultType"], "complete");
            } else {
                assert_eq!(hints, (None, None));
                assert_eq!(result.as_object().unwrap().len(), 1, "{result}");
            }
        }
    }
}

#[tokio::test]
async fn answers_are_those_of_the_core() {
    for era in Era::ALL {
        let mut wire = Wire::open(era, Brand::default()).await;
        let core = in_process(era);
        for uri in [
            "brand://guidelines",
            "brand://palette",
            "brand://folder",
            "brand://file",
            "brand://missing",
            "brand://refused",
            "brand://broken",
            "brand://panics",
            "brand://nothing",
            "brand://logos/special",
            "brand://logos/dark",
            "brand://logos/pink",
            "brand://notes/a/b?line=7",
        ] {
            let answer = wire.ask("resources/read", json!({ "uri": uri })).await;
            same(&answer, &core.read(uri).await, uri);
        }
        for (name, arguments) in [
            ("review", json!({ "asset": "logo" })),
            ("review", json!({ "asset": "chime", "tone": "formal" })),
            ("review", json!({ "asset": "x", "tone": 1 })),
            ("greet", json!({})),
            ("nothing", json!({})),
            ("fails", json!({ "how": "decision" })),
            ("fails", json!({ "how": "panic" })),
            ("fails", json!({})),
        ] {
            let params = json!({ "name": name, "arguments": arguments });
            let answer = wire.ask("prompts/get", params).await;
            same(&answer, &core.prompt(name, arguments).await, name);
        }
        let answer = wire.ask("prompts/get", json!({ "name": "greet" })).await;
        same(&answer, &core.prompt("greet", json!({})).await, "greet");
        let (prompt, template) = (CompletionTarget::Prompt, CompletionTarget::Template);
        let of_prompt = json!({ "type": "ref/prompt", "name": "review" });
        let of_template = json!({ "type": "ref/resource", "uri": "brand://logos/{theme}" });
        for (target, reference, argument, value) in [
            (prompt("review", "tone"), &of_prompt, "tone", "f"),
            (prompt("review", "asset"), &of_prompt, "asset", "many"),
            (prompt("review", "asset"), &of_prompt, "asset", "fail"),
            (prompt("review", "other"), &of_prompt, "other", ""),
            (template("logo", "theme"), &of_template, "theme", "dark"),
        ] {
            let params =
                json!({ "ref": reference, "argument": { "name": argument, "value": value } });
            let answer = wire.ask("completion/complete", params).await;
            same(&answer, &core.complete(target, value).await, value);
        }
        let params = json!({
            "ref": of_prompt, "argument": { "name": "asset", "value": "a" },
            "context": { "arguments": { "tone": "-f-" } },
        });
        let answer = wire.ask("completion/complete", params).await;
        assert_eq!(
            answer["result"]["completion"]["values"],
            json!(["a-f-0", "a-f-1"])
        );
    }
}

/// The answer on the wire has the core's result or error.
fn same(answer: &Value, core: &Value, about: &str) {
    match core.get("error") {
        Some(error) => assert_eq!(answer["error"], *error, "{about}"),
        None => assert_eq!(answer["result"], *core, "{about}"),
    }
}

#[tokio::test]
async fn what_is_malformed_is_told() {
    for era in Era::ALL {
        let mut wire = Wire::open(era, Brand::default()).await;
        for (method, params) in [
            ("resources/read", json!({ "uri": 1 })),
            ("resources/read", json!({})),
            ("prompts/get", json!({ "name": "review", "arguments": [] })),
            (
                "completion/complete",
                json!({ "ref": { "type": "ref/tool" } }),
            ),
        ] {
            let error = wire.ask(method, params).await["error"].take();
            assert_eq!(error["code"], -32602, "{method}");
            assert_eq!(
                error["message"],
                format!("malformed parameters of `{method}`")
            );
        }
    }
    // What 2026-07-28 no longer has is not there, with whatever parameters.
    let mut wire = Wire::open(Era::Modern, Brand::default()).await;
    wire.ask("tools/list", json!({})).await;
    for (method, params) in [
        ("ping", json!({})),
        ("initialize", json!({})),
        ("logging/setLevel", json!({})),
        ("logging/setLevel", json!({ "level": "info" })),
        ("resources/subscribe", json!({})),
        ("resources/subscribe", json!({ "uri": "brand://palette" })),
        ("resources/unsubscribe", json!({})),
    ] {
        let error = wire.ask(method, params).await["error"].take();
        assert_eq!(error["code"], -32601, "{method}");
    }
    // Nobody can tell, so nobody can subscribe.
    let mut wire = Wire::open(Era::Legacy, Brand::default()).await;
    let error = wire
        .ask("resources/subscribe", json!({ "uri": "brand://palette" }))
        .await;
    assert_eq!(error["error"]["code"], -32601);
}

/// A server whose lists have pages of two.
#[derive(Debug)]
struct Paged;

static PAGED: Contract = Contract::new(
    r#"{
        "server": { "name": "paged", "version": "1" },
        "tools": [
            { "name": "t1", "inputSchema": { "type": "object" } }, { "name": "t2", "inputSchema": { "type": "object" } },
            { "name": "t3", "inputSchema": { "type": "object" } }
        ],
        "resources": [
            { "uri": "x://1", "name": "r1" }, { "uri": "x://2", "name": "r2" }, { "uri": "x://3", "name": "r3" },
            { "uri": "x://4", "name": "r4" }, { "uri": "x://5", "name": "r5" }
        ],
        "prompts": [{ "name": "p1" }, { "name": "p2" }],
        "lists": { "pageSize": 2 }
    }"#,
);

impl Toolset for Paged {
    fn contract(&self) -> &'static Contract {
        &PAGED
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        Err(call.unknown_tool())
    }
}

#[tokio::test]
async fn lists_come_in_pages() {
    for era in Era::ALL {
        let mut wire = Wire::open(era, Paged).await;
        for (method, key, lengths) in [
            ("tools/list", "tools", vec![2, 1]),
            ("resources/list", "resources", vec![2, 2, 1]),
            ("resources/templates/list", "resourceTemplates", vec![0]),
            ("prompts/list", "prompts", vec![2]),
        ] {
            let (mut seen, mut params) = (Vec::new(), json!({}));
            loop {
                let result = wire.ask(method, params.clone()).await["result"].take();
                seen.push(result[key].as_array().unwrap().len());
                match result.get("nextCursor") {
                    Some(cursor) => params = json!({ "cursor": cursor }),
                    None => break,
                }
            }
            assert_eq!(seen, lengths, "{method}");
        }
        let first = wire.ask("tools/list", json!({})).await["result"].take();
        for cursor in [&first["nextCursor"], &json!("x")] {
            let answer = wire
                .ask("resources/list", json!({ "cursor": cursor }))
                .await;
            assert_eq!(answer["error"]["code"], -32602);
        }
    }
}

#[tokio::test]
async fn sessions_are_told_what_they_subscribed_to() {
    for era in [Era::Old, Era::Legacy] {
        let mut wire = Wire::open(era, watched_brand()).await;
        for uri in ["brand://palette", "brand://logos/dark", "brand://palette"] {
            let answer = wire.ask("resources/subscribe", json!({ "uri": uri })).await;
            assert_eq!(answer["result"], json!({}));
        }
        let unknown = json!({ "uri": "brand://nothing" });
        let answer = wire.ask("resources/subscribe", unknown.clone()).await;
        assert_eq!(answer["error"]["code"], -32002);
        assert_eq!(answer["error"]["data"], unknown);
        for uri in [
            "brand://guidelines",
            "brand://palette",
            "brand://logos/dark",
        ] {
            touch(&mut wire, &json!({ "uri": uri })).await;
        }
        let mut told = updated(&mut wire, 5).await;
        told.sort();
        assert_eq!(told, ["brand://logos/dark", "brand://palette"]);
        wire.ask("resources/unsubscribe", json!({ "uri": "brand://palette" }))
            .await;
        touch(&mut wire, &json!({ "uri": "brand://palette" })).await;
        touch(&mut wire, &json!({})).await;
        assert_eq!(
            updated(&mut wire, 3).await,
            ["notifications/resources/list_changed"]
        );
    }
}

/// Calls the tool that tells of a change; the answer is among the next messages.
async fn touch(wire: &mut Wire, arguments: &Value) {
    let params = json!({ "name": "touch", "arguments": arguments });
    let id = wire.id();
    wire.send(&wire.era.request(id, "tools/call", params)).await;
}

/// What the notifications among the next `count` messages tell: the URI, or their name.
async fn updated(wire: &mut Wire, count: usize) -> Vec<String> {
    let mut told = Vec::new();
    for _ in 0..count {
        let message = wire.message().await;
        if let Some(method) = message.get("method").and_then(Value::as_str) {
            let uri = message["params"].get("uri").and_then(Value::as_str);
            told.push(uri.unwrap_or(method).to_owned());
        }
    }
    told
}

#[tokio::test]
async fn listeners_are_told_what_they_listen_to() {
    let mut wire = Wire::open(Era::Modern, watched_brand()).await;
    let listen = |id: u64, filter: Value| {
        let params = json!({ "notifications": filter });
        Era::Modern.request(id, "subscriptions/listen", params)
    };
    let filter = json!({
        "resourceSubscriptions": ["brand://palette", "brand://nothing"],
        "toolsListChanged": true, "resourcesListChanged": true,
    });
    wire.send(&listen(7, filter)).await;
    let message = wire.message().await;
    assert_eq!(
        message["method"],
        "notifications/subscriptions/acknowledged"
    );
    let accepted =
        json!({ "resourceSubscriptions": ["brand://palette"], "resourcesListChanged": true });
    assert_eq!(message["params"]["notifications"], accepted);
    for arguments in [
        json!({ "uri": "brand://folder" }),
        json!({ "uri": "brand://palette" }),
        json!({}),
    ] {
        touch(&mut wire, &arguments).await;
    }
    let mut told = Vec::new();
    for _ in 0..5 {
        let message = wire.message().await;
        if let Some(method) = message.get("method") {
            assert_eq!(
                message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
                7
            );
            told.push((method.clone(), message["params"].get("uri").cloned()));
        }
    }
    told.sort_by_key(|(method, _)| method.to_string());
    let expected = [
        (json!("notifications/resources/list_changed"), None),
        (
            json!("notifications/resources/updated"),
            Some(json!("brand://palette")),
        ),
    ];
    assert_eq!(told, expected);
    // A client that listens no more is told no more.
    let gone = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    wire.send(&gone).await;
    let answer = wire
        .call("touch", json!({ "uri": "brand://palette" }))
        .await;
    assert_eq!(answer["result"]["isError"], false);
    let quiet = tokio::time::timeout(Duration::from_millis(100), wire.message()).await;
    assert!(quiet.is_err(), "{quiet:?}");
}

#[tokio::test]
async fn the_client_of_the_official_sdk_is_served_in_both_eras() {
    for mode in [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    ] {
        let (near, far) = tokio::io::duplex(64 * 1024);
        let handler = into_handler(Brand::default()).with_page_size(2);
        tokio::spawn(async move { serve_server(handler, far).await.unwrap().waiting().await });
        let client = ().serve_with_lifecycle(near, mode).await.unwrap();
        let resources = client.list_all_resources().await.unwrap();
        let uris: Vec<&str> = resources.iter().map(|it| it.uri.as_str()).collect();
        let expected: Vec<&str> = CONTRACT.resources().iter().map(Resource::uri).collect();
        assert_eq!(uris, expected);
        assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 2);
        assert_eq!(client.list_all_prompts().await.unwrap().len(), 3);
        assert_eq!(client.list_all_tools().await.unwrap().len(), 2);
        let read = ReadResourceRequestParams::new("brand://guidelines");
        let read = client.read_resource(read).await.unwrap();
        let read = serde_json::to_value(&read.contents).unwrap();
        assert_eq!(read[0]["text"], "# Use few colours");
        let mut get = GetPromptRequestParams::new("review");
        get.arguments = json!({ "asset": "logo" }).as_object().cloned();
        let prompt = client.get_prompt(get).await.unwrap();
        assert_eq!(prompt.messages.len(), 4);
        let argument = serde_json::from_value(json!({ "name": "theme", "value": "d" })).unwrap();
        let reference = Reference::for_resource("brand://logos/{theme}");
        let complete = CompleteRequestParams::new(reference, argument);
        let completed = client.complete(complete).await.unwrap();
        assert_eq!(completed.completion.values, ["dark", "Darker"]);
        client.cancel().await.unwrap();
    }
}

#[cfg(feature = "http")]
#[tokio::test]
async fn over_http_requests_are_answered_and_listeners_told() {
    let updates = ResourceUpdates::new();
    let brand = Brand {
        updates: updates.clone(),
    };
    let server = http::Server::start(watched(brand, updates.clone()), HttpConfig::default()).await;
    let uri = "brand://logos/dark";
    for era in [Era::Legacy, Era::Modern] {
        let read = era.request(1, "resources/read", json!({ "uri": uri }));
        let answer = server.post().with("mcp-name", uri).rpc(&read).await.json();
        same(&answer, &in_process(era).read(uri).await, uri);
        let params = json!({ "name": "review", "arguments": { "asset": "logo" } });
        let answer = server.ask(era, "prompts/get", params.clone()).await;
        let core = in_process(era);
        let core = core.prompt("review", params["arguments"].clone()).await;
        same(&answer, &core, "review");
    }
    // Without sessions a client of the older revisions cannot be told anything later.
    let opening = server.post().rpc(&Era::Legacy.initialize()).await.json();
    assert_eq!(opening["result"]["capabilities"]["resources"], json!({}));
    let answer = server
        .ask(Era::Legacy, "resources/subscribe", json!({ "uri": uri }))
        .await;
    assert_eq!(answer["error"]["code"], -32601);
    // One of 2026-07-28 listens as long as it keeps the stream open.
    let method = "subscriptions/listen";
    let params = json!({ "notifications": { "resourceSubscriptions": [uri] } });
    let listen = Era::Modern.request(7, method, params);
    let post = server
        .post()
        .with("mcp-protocol-version", Era::Modern.revision())
        .with("mcp-method", method);
    let body = listen.to_string();
    let post = post.with("content-length", &body.len().to_string());
    let mut stream = post.begin(body.as_bytes()).await;
    read_until(&mut stream, "notifications/subscriptions/acknowledged").await;
    updates.updated(uri);
    read_until(&mut stream, "notifications/resources/updated").await;
    server.handle.shutdown();
    let ended = tokio::time::timeout(Duration::from_secs(5), server.running);
    ended.await.unwrap().unwrap();
}

#[cfg(feature = "http")]
#[tokio::test]
async fn sessions_over_http_are_told_on_their_stream() {
    let updates = ResourceUpdates::new();
    let config = HttpConfig::default().with_sessions(true);
    let server = http::Server::start(watched(Brand::default(), updates.clone()), config).await;
    let opened = server.post().rpc(&Era::Legacy.initialize()).await;
    let session = opened.header("mcp-session-id").unwrap();
    let post = || server.post().with("mcp-session-id", session);
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post().rpc(&ready).await.status, 202);
    let mut stream = post().method("GET").begin(b"").await;
    read_until(&mut stream, "text/event-stream").await;
    let params = json!({ "uri": "brand://palette" });
    let subscribe = Era::Legacy
        .request(1, "resources/subscribe", params)
        .to_string();
    let subscribing = post().with("content-length", &subscribe.len().to_string());
    let mut answer = subscribing.begin(subscribe.as_bytes()).await;
    read_until(&mut answer, r#""result":{}"#).await;
    updates.updated("brand://palette");
    read_until(&mut stream, "notifications/resources/updated").await;
    updates.list_changed();
    read_until(&mut stream, "notifications/resources/list_changed").await;
}

/// Reads what comes until it holds a text; what stays open has no end.
#[cfg(feature = "http")]
async fn read_until(stream: &mut TcpStream, expected: &str) {
    let mut text = String::new();
    while !text.contains(expected) {
        let mut bytes = [0; 4096];
        let read = stream.read(&mut bytes);
        let read = tokio::time::timeout(Duration::from_secs(10), read).await;
        let count = read.unwrap().unwrap();
        assert_ne!(count, 0, "{text}");
        text += std::str::from_utf8(&bytes[..count]).unwrap();
    }
}
