//! Two servers and the balancer, each a process of its own, asked over loopback in both eras.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Bytes};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use mcp_codegen_runtime::Value;
use rmcp::{
    model::{CallToolRequestParams, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt},
    transport::StreamableHttpClientTransport,
};
use serde_json::json;

/// A process of the example, ended with the test.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_balanced-example"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap();
        Self {
            child,
            address: address.to_owned(),
        }
    }

    fn serve() -> Self {
        Self::start(&["serve", "127.0.0.1:0"])
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn proxy(servers: &[&Process]) -> Process {
    let mut arguments = vec!["proxy", "127.0.0.1:0"];
    arguments.extend(servers.iter().map(|it| it.address.as_str()));
    Process::start(&arguments)
}

/// One client: its requests go through one pool of connections.
struct Asker {
    client: Client<HttpConnector, Full<Bytes>>,
    url: String,
    /// Who answered, in order.
    served_by: Vec<String>,
}

impl Asker {
    fn new(proxy: &Process) -> Self {
        Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
            url: format!("http://{}/mcp", proxy.address),
            served_by: Vec::new(),
        }
    }

    /// Sends one message in the words of a revision and gives what is answered, `null` for nothing.
    async fn ask(&mut self, revision: &str, method: &str, mut params: Value) -> Value {
        let modern = revision == "2026-07-28";
        if modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": revision,
                "io.modelcontextprotocol/clientInfo": { "name": "asker", "version": "0" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let mut request = Request::post(&self.url)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        if method != "initialize" {
            request = request.header("mcp-protocol-version", revision);
        }
        if modern {
            request = request.header("mcp-method", method);
            if let Some(name) = params["name"].as_str() {
                request = request.header("mcp-name", name);
            }
        }
        let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if !method.starts_with("notifications/") {
            message["id"] = json!(1);
        }
        let request = request.body(Full::from(message.to_string())).unwrap();
        let response = self.client.request(request).await.unwrap();
        let status = response.status();
        if let Some(server) = response.headers().get("x-served-by") {
            self.served_by.push(server.to_str().unwrap().to_owned());
        }
        assert_eq!(response.headers().get("mcp-session-id"), None);
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert!(status.is_success(), "{status}: {body:?}");
        serde_json::from_slice(&body).unwrap_or_default()
    }

    /// A call that works, whoever answers it.
    async fn temperature(&mut self, revision: &str) -> Value {
        let call = json!({ "name": "get_temperature", "arguments": { "city": "Cairo" } });
        let answer = self.ask(revision, "tools/call", call).await;
        answer["result"]["structuredContent"].clone()
    }
}

#[tokio::test]
async fn requests_of_one_client_are_answered_by_different_processes() {
    let (one, two) = (Process::serve(), Process::serve());
    let proxy = proxy(&[&one, &two]);

    // What one process agreed on with the client, the other never heard of.
    let mut legacy = Asker::new(&proxy);
    let client = json!({ "name": "asker", "version": "0" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let opened = legacy.ask("2025-11-25", "initialize", params).await;
    assert_eq!(opened["result"]["serverInfo"]["name"], "weather");
    legacy
        .ask("2025-11-25", "notifications/initialized", json!({}))
        .await;
    let mut lists = BTreeSet::new();
    for _ in 0..2 {
        let list = legacy.ask("2025-11-25", "tools/list", json!({})).await;
        lists.insert(list["result"]["tools"].to_string());
        assert_eq!(
            legacy.temperature("2025-11-25").await,
            json!({ "result": 34 })
        );
        // Out of step with the pair of requests before.
        legacy.ask("2025-11-25", "ping", json!({})).await;
    }
    assert_eq!(lists.len(), 1, "the processes list alike");

    let mut modern = Asker::new(&proxy);
    modern.ask("2026-07-28", "server/discover", json!({})).await;
    for _ in 0..3 {
        assert_eq!(modern.temperature("2026-07-28").await, json!(34));
    }

    for served_by in [legacy.served_by, modern.served_by] {
        for pair in served_by.windows(2) {
            assert_ne!(pair[0], pair[1], "turn by turn: {served_by:?}");
        }
        let servers: BTreeSet<_> = served_by.iter().map(String::as_str).collect();
        assert_eq!(servers, [&*one.address, &*two.address].into());
    }
}

#[tokio::test]
async fn clients_of_the_official_sdk_notice_nothing_not_even_that_a_process_ends() {
    let (one, two) = (Process::serve(), Process::serve());
    let proxy = proxy(&[&one, &two]);
    let modern = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let mut clients = Vec::new();
    for lifecycle in [ClientLifecycleMode::Initialize, modern] {
        let url = format!("http://{}/mcp", proxy.address);
        let transport = StreamableHttpClientTransport::from_uri(url);
        clients.push(().serve_with_lifecycle(transport, lifecycle).await.unwrap());
    }
    let arguments = json!({ "city": "Cairo" }).as_object().unwrap().clone();
    let call = CallToolRequestParams::new("weather_report").with_arguments(arguments);
    let mut last = Some(two);
    for round in 0..4 {
        if round == 2 {
            drop(last.take());
        }
        for client in &clients {
            let result = client.call_tool(call.clone()).await.unwrap();
            let text = result.content[0].as_text().unwrap();
            assert_eq!(text.text, "Cairo: 34 degrees, clear.");
        }
    }
}

#[tokio::test]
async fn without_any_server_the_answer_is_502() {
    let gone = Process::serve();
    let proxy = proxy(&[&gone]);
    drop(gone);
    let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let request = Request::post(format!("http://{}/mcp", proxy.address));
    let request = request.body(Full::from("{}")).unwrap();
    assert_eq!(client.request(request).await.unwrap().status(), 502);
}
