//! Serving over streamable HTTP: what is refused, what is answered, and how it ends.
#![cfg(feature = "http")]
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/http.rs"]
mod http;
#[path = "support/mod.rs"]
mod support;
#[path = "support/wire.rs"]
mod wire;

use std::time::Duration;

use mcp_codegen_runtime::{Allow, HttpConfig, Value, http_service};
use rmcp::{
    ServiceExt,
    model::{CallToolRequestParams, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt},
    transport::StreamableHttpClientTransport,
};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use self::{
    http::{Answer, Post, Server},
    support::Probe,
    wire::Era,
};

fn add() -> Value {
    json!({ "name": "add", "arguments": { "a": 1, "b": 2 } })
}

#[tokio::test]
async fn both_eras_are_answered_with_plain_json_and_no_session() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    for era in [Era::Old, Era::Legacy] {
        let answer = server.post().rpc(&era.initialize()).await;
        assert_eq!(answer.header("mcp-session-id"), None);
        assert_eq!(answer.json()["result"]["serverInfo"]["name"], "probe");
        let call = era.request(1, "tools/call", add());
        let answer = server
            .post()
            .with("mcp-protocol-version", era.revision())
            .rpc(&call)
            .await;
        assert_eq!(
            answer.json()["result"]["structuredContent"],
            json!({ "result": 3 })
        );
    }
    let discovered = server.ask(Era::Modern, "server/discover", json!({})).await;
    assert_eq!(
        discovered["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "probe"
    );
    let answer = server.ask(Era::Modern, "tools/call", add()).await;
    assert_eq!(answer["result"]["structuredContent"], 3);
    assert_eq!(
        answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "probe"
    );
}

#[tokio::test]
async fn clients_of_the_official_sdk_are_served_in_both_eras() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let url = format!("http://{}/mcp", server.address);
    let modern = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    for lifecycle in [ClientLifecycleMode::Initialize, modern] {
        let transport = StreamableHttpClientTransport::from_uri(url.clone());
        let client = ().serve_with_lifecycle(transport, lifecycle).await.unwrap();
        assert_eq!(client.list_all_tools().await.unwrap().len(), 10);
        let request = CallToolRequestParams::new("report");
        let result = client.call_tool(request).await.unwrap();
        assert_eq!(result.content[0].as_text().unwrap().text, "all is well");
        client.cancel().await.unwrap();
    }
}

#[tokio::test]
async fn strangers_are_refused() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let port = server.address.port();
    let message = Era::Legacy.initialize();
    let cases = [
        ("host", "evil.example".to_owned(), 403),
        ("host", format!("evil.example:{port}"), 403),
        ("host", format!("localhost:{port}"), 200),
        ("origin", "https://evil.example".to_owned(), 403),
        ("origin", "null".to_owned(), 403),
        ("origin", "http://localhost.evil.example".to_owned(), 403),
        ("origin", "http://localhost:6274".to_owned(), 200),
        ("origin", "http://127.0.0.1:6274".to_owned(), 200),
    ];
    for (header, value, status) in cases {
        let answer = server.post().with(header, &value).rpc(&message).await;
        assert_eq!(answer.status, status, "{header}: {value}");
    }
}

#[tokio::test]
async fn the_lists_of_the_settings_are_kept() {
    let config = HttpConfig::default()
        .allow_host("tools.example.com")
        .allow_origin("https://app.example.com:443")
        .with_path("/tools");
    let server = Server::start(Probe::default(), config).await;
    let post = || server.post().path("/tools");
    let message = Era::Legacy.initialize();
    assert_eq!(
        post()
            .with("host", "tools.example.com")
            .rpc(&message)
            .await
            .status,
        200
    );
    assert_eq!(
        post()
            .with("origin", "https://app.example.com")
            .rpc(&message)
            .await
            .status,
        200
    );
    assert_eq!(server.post().rpc(&message).await.status, 404);

    let mut closed = HttpConfig::default();
    (closed.hosts, closed.origins) = (Allow::Only(Vec::new()), Allow::Only(Vec::new()));
    let server = Server::start(Probe::default(), closed).await;
    // The address itself is always served: no web page can take its name.
    assert_eq!(server.post().rpc(&message).await.status, 200);
    assert_eq!(
        server
            .post()
            .with("host", "localhost")
            .rpc(&message)
            .await
            .status,
        403
    );
    assert_eq!(
        server
            .post()
            .with("origin", "http://localhost")
            .rpc(&message)
            .await
            .status,
        403
    );

    let mut open = HttpConfig::default();
    (open.hosts, open.origins) = (Allow::Any, Allow::Any);
    let server = Server::start(Probe::default(), open).await;
    let post = server
        .post()
        .with("host", "evil.example")
        .with("origin", "https://evil.example");
    assert_eq!(post.rpc(&message).await.status, 200);
}

#[tokio::test]
async fn what_is_no_message_is_refused_by_its_own_name() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let cases: [(&str, u16, i64); 4] = [
        ("{\"jsonrpc\":", 400, -32700),
        ("[]", 400, -32600),
        ("{\"jsonrpc\":\"2.0\"}", 400, -32600),
        ("7", 400, -32600),
    ];
    for (body, status, code) in cases {
        let answer = server.post().send(body.as_bytes()).await;
        assert_eq!(
            (answer.status, &answer.json()["error"]["code"]),
            (status, &json!(code)),
            "{body}"
        );
    }
    let message = Era::Legacy.initialize().to_string();
    let message = message.as_bytes();
    assert_eq!(
        server
            .post()
            .with("content-type", "text/plain")
            .send(message)
            .await
            .status,
        415
    );
    assert_eq!(
        server
            .post()
            .with("accept", "text/html")
            .send(message)
            .await
            .status,
        406
    );
    assert_eq!(server.post().method("GET").send(b"").await.status, 405);
    assert_eq!(server.post().method("DELETE").send(b"").await.status, 405);
    assert_eq!(server.post().path("/").send(message).await.status, 404);
}

#[tokio::test]
async fn protocol_errors_of_calls_have_their_codes() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    for era in Era::ALL {
        let unknown = server
            .ask(era, "tools/call", json!({ "name": "wether" }))
            .await;
        assert_eq!(unknown["error"]["code"], -32602);
        let malformed = server
            .ask(era, "tools/call", json!({ "name": "add", "arguments": [] }))
            .await;
        assert_eq!(malformed["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_body_may_not_be_too_large() {
    let server = Server::start(
        Probe::default(),
        HttpConfig::default().with_max_body_bytes(2000),
    )
    .await;
    let post = server.post();
    let mut message = Era::Legacy.request(1, "tools/call", add());
    assert_eq!(post.clone().rpc(&message).await.status, 200);
    message["params"]["padding"] = json!("x".repeat(2000));
    let body = message.to_string();
    assert_eq!(post.clone().send(body.as_bytes()).await.status, 413);
    // Without a length to go by, the limit holds while the body is read.
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let mut stream = post
        .with("transfer-encoding", "chunked")
        .begin(chunked.as_bytes())
        .await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    assert_eq!(Answer::parse(&bytes).status, 413);
}

#[tokio::test]
async fn a_client_may_not_be_too_slow() {
    let config = HttpConfig::default().with_read_timeout(Duration::from_millis(100));
    let server = Server::start(Probe::default(), config).await;
    let mut stream = server
        .post()
        .with("content-length", "100")
        .begin(b"{")
        .await;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    assert_eq!(Answer::parse(&bytes).status, 408);

    let mut stream = tokio::net::TcpStream::connect(server.address)
        .await
        .unwrap();
    stream.write_all(b"POST /mcp HTTP/1.1\r\n").await.unwrap();
    let mut bytes = Vec::new();
    tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut bytes))
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_dropped_and_answered() {
    let config = HttpConfig::default().with_request_timeout(Some(Duration::from_millis(50)));
    let server = Server::start(Probe::default(), config).await;
    for era in Era::ALL {
        let answer = server
            .post()
            .rpc(&era.request(1, "tools/call", json!({ "name": "slow" })))
            .await;
        // `slow` logs, which makes a stream of the answer where the client did not refuse log messages.
        let last = if era.is_modern() {
            answer.json()
        } else {
            answer.events().pop().unwrap()
        };
        assert_eq!(last["result"]["isError"], true);
        assert_eq!(
            last["result"]["content"][0]["text"],
            "tool `slow` did not answer within 50ms"
        );
    }
}

#[tokio::test]
async fn progress_makes_a_stream_of_the_answer() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let params =
        json!({ "name": "slow", "arguments": { "steps": 2 }, "_meta": { "progressToken": 5 } });
    let answer = server
        .post()
        .rpc(&Era::Modern.request(1, "tools/call", params))
        .await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let methods: Vec<_> = answer
        .events()
        .iter()
        .map(|it| it["method"].clone())
        .collect();
    assert_eq!(
        methods,
        [
            json!("notifications/progress"),
            json!("notifications/progress"),
            Value::Null
        ]
    );
    assert_eq!(answer.events()[2]["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_parameter_in_a_header_must_be_the_one_in_the_body() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let call = Era::Modern.request(
        1,
        "tools/call",
        json!({ "name": "weather", "arguments": { "location": "Oslo" } }),
    );
    let same = server
        .post()
        .with("mcp-param-location", "Oslo")
        .rpc(&call)
        .await;
    assert_eq!(same.json()["result"]["isError"], false, "{same:?}");
    // `Oslo`, in the form for what a header cannot hold as it is.
    let encoded = server
        .post()
        .with("mcp-param-location", "=?base64?T3Nsbw==?=")
        .rpc(&call)
        .await;
    assert_eq!(encoded.json()["result"]["isError"], false, "{encoded:?}");

    let nowhere = json!({ "name": "weather", "arguments": { "days": 1 } });
    let nowhere = Era::Modern.request(1, "tools/call", nowhere);
    for (header, call) in [
        (Some("Bergen"), &call),
        (Some("oslo"), &call),
        (Some("=?base64?!?="), &call),
        (None, &call),
        (Some("Oslo"), &nowhere),
    ] {
        let post = server.post();
        let post = match header {
            Some(value) => post.with("mcp-param-location", value),
            None => post,
        };
        let refused = post.rpc(call).await;
        assert_eq!(
            (refused.status, &refused.json()["error"]["code"]),
            (400, &json!(-32020)),
            "{header:?}"
        );
    }
    // Before 2026-07-28 nobody sends such headers.
    let legacy = json!({ "name": "weather", "arguments": { "location": "Oslo" } });
    let answer = server.ask(Era::Legacy, "tools/call", legacy).await;
    assert_eq!(answer["result"]["isError"], false);
}

#[tokio::test]
async fn a_call_knows_the_request_and_only_the_client_that_introduced_itself() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    for (era, client) in [(Era::Legacy, Value::Null), (Era::Modern, json!("wire"))] {
        let call = era.request(1, "tools/call", json!({ "name": "whoami" }));
        let answer = server
            .post()
            .with("mcp-protocol-version", era.revision())
            .rpc(&call)
            .await
            .json();
        let expected = json!({
            "tool": "whoami", "id": "1", "revision": era.revision(), "client": client, "agent": "raw", "remote": "127.0.0.1",
        });
        assert_eq!(answer["result"]["structuredContent"], expected);
    }
}

#[tokio::test]
async fn a_session_remembers_its_client() {
    let server = Server::start(Probe::default(), HttpConfig::default().with_sessions(true)).await;
    let opened = server.post().rpc(&Era::Legacy.initialize()).await;
    let session = opened.header("mcp-session-id").unwrap();
    let call = Era::Legacy.request(1, "tools/call", json!({ "name": "whoami" }));
    // The stream of a session stays open, so only its first message is read.
    let post = server
        .post()
        .with("mcp-session-id", session)
        .with("content-length", &call.to_string().len().to_string());
    let mut stream = post.begin(call.to_string().as_bytes()).await;
    let mut text = String::new();
    while !text.contains("\"whoami\"") {
        let mut bytes = [0; 4096];
        let read = stream.read(&mut bytes).await.unwrap();
        assert!(read > 0, "{text}");
        text += std::str::from_utf8(&bytes[..read]).unwrap();
    }
    assert!(text.contains(r#""client":"wire""#), "{text}");
}

#[tokio::test]
async fn a_client_that_hangs_up_cancels_its_call() {
    for era in [Era::Legacy, Era::Modern] {
        let probe = Probe::default();
        let server = Server::start(probe.clone(), HttpConfig::default()).await;
        let body = era
            .request(1, "tools/call", json!({ "name": "slow" }))
            .to_string();
        let stream = server
            .post()
            .with("mcp-protocol-version", era.revision())
            .with("mcp-method", "tools/call")
            .with("mcp-name", "slow")
            .with("content-length", &body.len().to_string())
            .begin(body.as_bytes())
            .await;
        probe.started.counted().await;
        drop(stream);
        probe.cancelled.counted().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_run_side_by_side() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..50 {
        let post = server.post();
        let params = json!({ "name": "add", "arguments": { "a": number, "b": number } });
        calls.spawn(async move {
            (
                number,
                post.rpc(&Era::Modern.request(number, "tools/call", params))
                    .await
                    .json(),
            )
        });
    }
    while let Some(done) = calls.join_next().await {
        let (number, answer) = done.unwrap();
        assert_eq!(
            (&answer["id"], &answer["result"]["structuredContent"]),
            (&json!(number), &json!(number * 2))
        );
    }
}

#[tokio::test]
async fn the_end_waits_for_calls_under_way_and_no_longer() {
    let probe = Probe::default();
    let config = HttpConfig::default().with_shutdown_timeout(Duration::from_secs(5));
    let server = Server::start(probe.clone(), config).await;
    let call = Era::Modern.request(
        1,
        "tools/call",
        json!({ "name": "slow", "arguments": { "steps": 100 } }),
    );
    let post = server.post();
    let under_way = tokio::spawn(async move { post.rpc(&call).await });
    probe.started.counted().await;
    server.handle.shutdown();
    server.running.await.unwrap();
    assert_eq!(
        under_way.await.unwrap().json()["result"]["content"][0]["text"],
        "done"
    );

    let probe = Probe::default();
    let config = HttpConfig::default().with_shutdown_timeout(Duration::from_millis(50));
    let server = Server::start(probe.clone(), config).await;
    let body = Era::Legacy
        .request(1, "tools/call", json!({ "name": "slow" }))
        .to_string();
    let post = server
        .post()
        .with("content-length", &body.len().to_string());
    let _open = post.begin(body.as_bytes()).await;
    probe.started.counted().await;
    server.handle.shutdown();
    tokio::time::timeout(Duration::from_secs(4), server.running)
        .await
        .unwrap()
        .unwrap();
    assert!(
        tokio::net::TcpStream::connect(server.address)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn the_service_nests_in_a_router() {
    let service = http_service(Probe::default(), HttpConfig::default());
    let app = axum::Router::new().nest_service("/tools", service);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let transport = StreamableHttpClientTransport::from_uri(format!("http://{address}/tools"));
    let client = ().serve(transport).await.unwrap();
    assert_eq!(client.list_all_tools().await.unwrap().len(), 10);
    let refused = Post::to(address)
        .path("/tools")
        .with("host", "evil.example")
        .rpc(&Era::Legacy.initialize())
        .await;
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn an_address_in_use_is_named() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let error = mcp_codegen_runtime::HttpServer::bind(
        Probe::default(),
        server.address,
        HttpConfig::default(),
    )
    .await;
    assert_eq!(
        error.unwrap_err().to_string(),
        format!("cannot listen on {}", server.address)
    );
}
