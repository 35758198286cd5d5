//! Typed clients over every transport, in every revision, against servers of this crate and of the official SDK.
#![cfg(all(feature = "client-http", feature = "http"))]
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/brand.rs"]
mod brand;
#[path = "support/http.rs"]
mod http;
#[path = "support/mod.rs"]
mod support;
#[path = "support/wire.rs"]
mod wire;

use std::{process::Command, time::Duration};

use mcp_codegen_runtime::{
    ClientInfo, HttpConfig, Revision, Tool, Toolset, Value,
    client::{Client, ClientError, Connector, Direction},
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult,
    },
    service::RequestContext,
};
use serde_json::json;

use self::{brand::Brand, http::Server, support::Probe};

fn tool(name: &str) -> &'static Tool {
    support::CONTRACT.find(name).unwrap()
}

/// One connector that asks what the server speaks, and one for each revision.
fn connectors() -> Vec<(Connector, Revision)> {
    let fixed = Revision::ALL.into_iter();
    let fixed = fixed.map(|it| (Connector::new().with_revision(it), it));
    let mut all: Vec<_> = fixed.collect();
    all.push((Connector::new(), Revision::LATEST));
    all
}

async fn over_io(connector: &Connector, server: impl Toolset) -> Client {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (reader, writer) = tokio::io::split(theirs);
    tokio::spawn(mcp_codegen_runtime::serve_io(server, reader, writer));
    let (reader, writer) = tokio::io::split(ours);
    connector.io(reader, writer).await.unwrap()
}

/// What every connection has to do.
async fn check(client: &Client, revision: Revision) {
    assert_eq!(client.revision(), revision);
    let weather = json!({ "location": "Oslo", "days": 2 });
    let weather: Value = client.call(tool("weather"), &weather).await.unwrap();
    let expected = json!({ "temperature": 4.5, "conditions": "2 days in Oslo" });
    assert_eq!(weather, expected, "{revision}");
    let sum: i64 = client
        .call(tool("add"), &json!({ "a": 1, "b": 2 }))
        .await
        .unwrap();
    assert_eq!(sum, 3);
    let names: Vec<String> = client.call(tool("names"), &json!({})).await.unwrap();
    assert_eq!(names, ["a", "b"]);
    let () = client.call(tool("nothing"), &json!({})).await.unwrap();
    let report = client.reply(tool("report"), &json!({})).await.unwrap();
    assert_eq!(report.text(), "all is well");

    let no = client
        .reply(tool("fails"), &json!({ "how": "decision" }))
        .await
        .unwrap_err();
    assert!(
        matches!(&no, ClientError::Tool(it) if it.text() == "no station near Nowhere"),
        "{no}"
    );
    let bad = json!({ "location": "" });
    let breach = client
        .call::<_, Value>(tool("weather"), &bad)
        .await
        .unwrap_err();
    assert!(
        matches!(&breach, ClientError::Contract(it) if it.direction == Direction::Sent),
        "{breach}"
    );
}

#[tokio::test]
async fn calls_over_a_reader_and_a_writer_in_every_revision() {
    for (connector, revision) in connectors() {
        let client = over_io(&connector, Probe::default()).await;
        check(&client, revision).await;
        client.close().await.unwrap();
        let error = client.reply(tool("report"), &json!({})).await.unwrap_err();
        assert!(matches!(error, ClientError::Transport(_)), "{error}");
    }
}

#[tokio::test]
async fn calls_over_http_in_every_revision() {
    let server = Server::start(Probe::default(), HttpConfig::default()).await;
    let url = format!("http://{}/mcp", server.address);
    for (connector, revision) in connectors() {
        let connector = connector.with_header("User-Agent", "tester/1");
        let connector = connector.with_client_info(ClientInfo::new("tester", "1"));
        let client = connector.http(&url).await.unwrap();
        // `weather` says `x-mcp-header`: in 2026-07-28 the server refuses calls without that header.
        check(&client, revision).await;
        let who: Value = client.call(tool("whoami"), &json!({})).await.unwrap();
        assert_eq!(who["agent"], "tester/1");
        // Without sessions, a server knows its client from requests only since 2026-07-28.
        let name = revision.is_modern().then_some("tester");
        assert_eq!(who["client"], json!(name));
        assert_eq!(who["revision"], revision.as_str());
        client.close().await.unwrap();
    }
}

/// A server of the official SDK that never saw the contract, and keeps only some of it.
struct Foreign;

impl ServerHandler for Foreign {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result = match request.name.as_ref() {
            "add" => CallToolResult::structured(json!(3)),
            "names" => CallToolResult::structured(json!({ "result": ["a"] })),
            "weather" => CallToolResult::structured(json!({ "temperature": "warm" })),
            "report" => CallToolResult::success(vec![ContentBlock::text("all is well")]),
            "nothing" => CallToolResult::success(Vec::new()),
            // The SDK's own client would answer that nobody wants to, and call again.
            "fails" => {
                let question = json!({ "sure": { "method": "elicitation/create", "params": {
                    "mode": "form", "message": "Sure?",
                    "requestedSchema": { "type": "object", "properties": {} },
                } } });
                let question = serde_json::from_value(question).unwrap();
                return Ok(InputRequiredResult::from_input_requests(question).into());
            }
            _ => return Err(ErrorData::invalid_params("no such tool", None)),
        };
        Ok(result.into())
    }
}

#[tokio::test]
async fn a_server_that_never_saw_the_contract_is_held_to_it() {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        let running = Foreign.serve(theirs).await.unwrap();
        running.waiting().await.unwrap();
    });
    let (reader, writer) = tokio::io::split(ours);
    let client = Connector::new().io(reader, writer).await.unwrap();
    let sum: i64 = client
        .call(tool("add"), &json!({ "a": 1, "b": 2 }))
        .await
        .unwrap();
    let names: Vec<String> = client.call(tool("names"), &json!({})).await.unwrap();
    assert_eq!((sum, names.as_slice()), (3, ["a".to_owned()].as_slice()));
    let report = client.reply(tool("report"), &json!({})).await.unwrap();
    assert_eq!(report.text(), "all is well");

    let oslo = json!({ "location": "Oslo" });
    let breach = client
        .call::<_, Value>(tool("weather"), &oslo)
        .await
        .unwrap_err();
    assert!(
        matches!(&breach, ClientError::Contract(it) if it.violations.count() == 2),
        "{breach}"
    );
    let breach = client
        .call::<_, Value>(tool("nothing"), &json!({}))
        .await
        .unwrap_err();
    assert!(
        matches!(&breach, ClientError::Contract(it) if it.direction == Direction::Received),
        "{breach}"
    );
    let how = json!({ "how": "error" });
    let asks = client.reply(tool("fails"), &how).await.unwrap_err();
    assert!(
        matches!(&asks, ClientError::Transport(it) if it.to_string().contains("wants to ask")),
        "{asks}"
    );
    let refused = client.reply(tool("panics"), &json!({})).await.unwrap_err();
    assert!(
        matches!(&refused, ClientError::Refused(it) if it.message == "no such tool"),
        "{refused}"
    );
}

#[tokio::test]
async fn resources_and_prompts_come_over_the_wire() {
    for (connector, revision) in connectors() {
        let client = over_io(&connector, Brand::default()).await;
        let contract = &brand::CONTRACT;
        let read = contract.find_resource("brand://guidelines").unwrap();
        let guidelines = client.read(read).await.unwrap();
        assert!(!guidelines.text().is_empty());
        let logo = contract
            .resource_templates()
            .iter()
            .find(|it| it.name() == "logo")
            .unwrap();
        let logo = client
            .read_template(logo, &json!({ "theme": "dark" }))
            .await
            .unwrap();
        assert_eq!(logo.contents().count(), 1);
        let review = contract.find_prompt("review").unwrap();
        let reply = client
            .prompt(review, &json!({ "asset": "logo" }))
            .await
            .unwrap();
        assert!(reply.messages().count() > 0, "{revision}");

        let refused = contract
            .resources()
            .iter()
            .find(|it| it.name() == "refused")
            .unwrap();
        let error = client.read(refused).await.unwrap_err();
        assert!(
            matches!(&error, ClientError::Refused(it) if it.message == "not before noon"),
            "{error}"
        );
        let error = client.read_uri("brand://nowhere").await.unwrap_err();
        let code = if revision.is_modern() { -32602 } else { -32002 };
        assert!(
            matches!(&error, ClientError::Refused(it) if it.code == code),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_and_one_under_way_ends_with_the_connection() {
    let probe = Probe::default();
    let client = over_io(&Connector::new(), probe.clone()).await;
    let slow = tool("slow");
    let no_steps = json!({});
    let call = client.reply(slow, &no_steps);
    assert!(
        tokio::time::timeout(Duration::from_millis(200), call)
            .await
            .is_err()
    );
    probe.cancelled.counted().await;

    let other = client.clone();
    let call = tokio::spawn(async move { other.reply(tool("slow"), &json!({})).await });
    while probe.started.get() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    client.close().await.unwrap();
    let error = call.await.unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Transport(_)), "{error}");
}

#[tokio::test]
async fn what_cannot_be_reached_is_a_transport_error_that_says_why() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}/mcp", free.local_addr().unwrap());
    drop(free);
    let connector = Connector::new();
    let bad_header = Connector::new().with_header("a b", "c");
    let errors = [
        (
            connector
                .stdio(Command::new("no-such-server-anywhere"))
                .await,
            "`no-such-server-anywhere` does not start",
        ),
        (
            connector.stdio(Command::new("true")).await,
            "does not open the connection",
        ),
        (
            connector.http(&nobody).await,
            "the server cannot be reached: Connection refused",
        ),
        (
            connector.http("nonsense").await,
            "the server cannot be reached: relative URL without a base",
        ),
        (
            bad_header.http(&nobody).await,
            "the header `a b` cannot be sent",
        ),
    ];
    for (result, expected) in errors {
        let error = result.unwrap_err();
        assert!(matches!(error, ClientError::Transport(_)), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let nobody = nobody.replace("http://", "https://");
    let error = connector.http(&nobody).await.unwrap_err().to_string();
    let expected = if cfg!(feature = "client-tls") {
        "the server cannot be reached"
    } else {
        "HTTPS needs the feature `client-tls`"
    };
    assert!(error.contains(expected), "{error}");
}

#[test]
fn secrets_are_not_printed() {
    let connector = Connector::new()
        .with_bearer_token("s3cret")
        .with_header("X-Key", "s3cret");
    let text = format!("{connector:?}");
    assert!(!text.contains("s3cret") && text.contains("X-Key"), "{text}");
}
