//! Questions to the client of the official SDK, in both eras of the protocol and over both transports.
#![cfg(feature = "stdio")]
#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(
    deprecated,
    reason = "sampling and roots are deprecated by the protocol, and clients still offer them"
)]

#[path = "support/asking.rs"]
mod asking;
#[cfg(feature = "http")]
#[path = "support/http.rs"]
mod http;
#[path = "support/wire.rs"]
mod wire;

use std::{
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use mcp_codegen_runtime::{Value, into_handler, serve_io};
use rmcp::{
    ClientHandler, ErrorData, RoleClient, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
        CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationCapability, FormElicitationCapability,
        GetPromptRequestParams, ListRootsResult, ListToolsResult, PaginatedRequestParams,
        ProtocolVersion, ReadResourceRequestParams, Root, SamplingMessage,
        UrlElicitationCapability,
    },
    service::{
        ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService, ServiceError,
    },
};
use serde_json::json;

use self::{
    asking::Asking,
    wire::{Era, Wire},
};

/// A client whose user gives the answers of a list.
#[derive(Clone, Default)]
struct User {
    capabilities: ClientCapabilities,
    answers: Arc<Mutex<Vec<ElicitResult>>>,
    /// What the user was shown.
    seen: Arc<Mutex<Vec<Value>>>,
}

impl User {
    /// A client that can be asked for all there is.
    fn new(answers: impl IntoIterator<Item = ElicitResult>) -> Self {
        let mut capabilities = ClientCapabilities::builder()
            .enable_roots()
            .enable_sampling()
            .build();
        capabilities.elicitation = Some(
            ElicitationCapability::new()
                .with_form(FormElicitationCapability::default())
                .with_url(UrlElicitationCapability::default()),
        );
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.reverse();
        Self {
            capabilities,
            answers: Arc::new(Mutex::new(answers)),
            seen: Arc::default(),
        }
    }

    fn seen(&self) -> Vec<Value> {
        self.seen.lock().unwrap().clone()
    }
}

impl ClientHandler for User {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = serde_json::to_value(request).unwrap();
        self.seen.lock().unwrap().push(request);
        let answer = self.answers.lock().unwrap().pop();
        answer.ok_or_else(|| ErrorData::internal_error("nobody is there", None))
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let request = serde_json::to_value(request).unwrap();
        self.seen.lock().unwrap().push(request);
        let message = SamplingMessage::assistant_text("B.");
        Ok(CreateMessageResult::new(message, "model".to_owned()))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///a")]))
    }

    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.capabilities = self.capabilities.clone();
        info
    }
}

fn lifecycles() -> [ClientLifecycleMode; 2] {
    let modern = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    [ClientLifecycleMode::Initialize, modern]
}

async fn connect(
    server: Asking,
    user: User,
    lifecycle: ClientLifecycleMode,
) -> RunningService<RoleClient, User> {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (reader, writer) = tokio::io::split(theirs);
    tokio::spawn(serve_io(server, reader, writer));
    user.serve_with_lifecycle(ours, lifecycle).await.unwrap()
}

fn request(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

async fn call(
    client: &RunningService<RoleClient, User>,
    tool: &'static str,
    arguments: &Value,
) -> Result<CallToolResult, ServiceError> {
    client.call_tool(request(tool, arguments)).await
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

fn accept(content: Value) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(content)
}

#[tokio::test]
async fn the_client_of_the_official_sdk_is_asked_in_both_eras() {
    let yes = || accept(json!({ "sure": true }));
    let decline = || ElicitResult::new(ElicitationAction::Decline);
    let cancel = || ElicitResult::new(ElicitationAction::Cancel);
    let few = json!({ "notes": 3 });
    let many = json!({ "notes": 30 });
    let cases = [
        ("delete", &few, vec![yes()], r#"{"deleted":3}"#),
        ("delete", &few, vec![decline()], r#"{"deleted":0}"#),
        ("delete", &few, vec![cancel()], r#"{"deleted":0}"#),
        ("delete", &many, vec![yes(), yes()], r#"{"deleted":30}"#),
        ("delete", &many, vec![yes(), decline()], r#"{"deleted":0}"#),
        (
            "sign_in",
            &few,
            vec![ElicitResult::new(ElicitationAction::Accept)],
            "Accepted(())",
        ),
        ("spawned", &few, vec![yes()], "true, sure: true, because so"),
        (
            "all_at_once",
            &few,
            vec![yes()],
            "sure: true, because so, B., 1",
        ),
        ("folders", &few, vec![], "file:///a"),
        (
            "delete",
            &few,
            vec![accept(json!({ "sure": true, "reason": "NO" }))],
            "2 violations in the answer to the form `confirm`:\n\
             - /reason: expected at least 3 characters, got 2\n\
             - /reason: expected to match the pattern `^[a-z ]+$`, got \"NO\"",
        ),
    ];
    for lifecycle in lifecycles() {
        for (tool, arguments, answers, expected) in &cases {
            let user = User::new(answers.clone());
            let client = connect(Asking::default(), user, lifecycle.clone()).await;
            let result = call(&client, tool, arguments).await.unwrap();
            assert_eq!(text(&result), *expected, "{tool} {arguments} {lifecycle:?}");
            let broken = expected.contains("violation");
            assert_eq!(result.is_error, Some(broken));
            let structured = result.structured_content.is_some();
            assert_eq!(structured, *tool == "delete" && !broken);
        }
    }
}

#[tokio::test]
async fn resources_and_prompts_ask_too() {
    for lifecycle in lifecycles() {
        let answer = || accept(json!({ "sure": true }));
        let client = connect(
            Asking::default(),
            User::new([answer(), answer()]),
            lifecycle,
        )
        .await;
        let read = ReadResourceRequestParams::new("asking://diary");
        let read = client.read_resource(read).await.unwrap();
        let expected = "sure: true, because so";
        assert_eq!(
            serde_json::to_value(&read.contents[0]).unwrap()["text"],
            expected
        );
        let prompt = client
            .get_prompt(GetPromptRequestParams::new("review"))
            .await
            .unwrap();
        let message = serde_json::to_value(&prompt.messages[0]).unwrap();
        assert_eq!(message["content"]["text"], expected);
    }
}

#[tokio::test]
async fn what_the_user_is_shown_is_what_the_contract_says() {
    for lifecycle in lifecycles() {
        let user = User::new([accept(json!({ "sure": true })), accept(json!({}))]);
        let client = connect(Asking::default(), user.clone(), lifecycle.clone()).await;
        call(&client, "delete", &json!({ "notes": 3 }))
            .await
            .unwrap();
        call(&client, "sign_in", &json!({})).await.unwrap();
        call(&client, "sum_up", &json!({ "text": "A." }))
            .await
            .unwrap();
        let seen = user.seen();
        assert_eq!(seen[0]["message"], "Delete 3 notes?");
        let properties = &seen[0]["requestedSchema"]["properties"];
        assert_eq!(
            properties["sure"],
            json!({ "type": "boolean", "title": "Sure" })
        );
        assert_eq!(
            properties["mail"],
            json!({ "type": "string", "format": "email" })
        );
        assert_eq!(seen[1]["mode"], "url");
        assert_eq!(seen[1]["url"], "https://example.com/sign-in");
        let legacy = matches!(lifecycle, ClientLifecycleMode::Initialize);
        assert_eq!(seen[1]["elicitationId"] != "", legacy);
        let task = json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "A." } }],
            "maxTokens": 100,
            "systemPrompt": "Be brief.",
            "temperature": 0.5,
            "modelPreferences": { "speedPriority": 1.0, "hints": [{ "name": "small" }] },
        });
        for (key, value) in task.as_object().unwrap() {
            assert_eq!(&seen[2][key], value);
        }
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_not() {
    for lifecycle in lifecycles() {
        let user = User::default();
        let client = connect(Asking::default(), user.clone(), lifecycle).await;
        for (tool, capability) in [
            ("delete", "elicitation"),
            ("sign_in", "elicitation.url"),
            ("sum_up", "sampling"),
            ("folders", "roots"),
        ] {
            let result = call(&client, tool, &json!({ "notes": 3, "text": "A." })).await;
            let message = match result {
                Err(ServiceError::McpError(error)) => {
                    assert_eq!(error.code.0, -32021, "{error:?}");
                    assert!(error.data.unwrap()["requiredCapabilities"].is_object());
                    error.message.into_owned()
                }
                result => {
                    let result = result.unwrap();
                    assert_eq!(result.is_error, Some(true));
                    text(&result).to_owned()
                }
            };
            let missing = format!("it does not declare the capability `{capability}`");
            assert!(message.ends_with(&missing), "{message}");
        }
        assert!(user.seen().is_empty());
    }
}

#[tokio::test]
async fn a_client_that_fails_to_answer_is_the_failure_of_the_call() {
    let [legacy, modern] = lifecycles();
    let client = connect(Asking::default(), User::new([]), legacy).await;
    let result = call(&client, "delete", &json!({ "notes": 3 }))
        .await
        .unwrap();
    assert_eq!(text(&result), "the client refused: nobody is there");
    // Since 2026-07-28 it is the client that does not go on.
    let client = connect(Asking::default(), User::new([]), modern).await;
    assert!(
        call(&client, "delete", &json!({ "notes": 3 }))
            .await
            .is_err()
    );
}

/// The parameters of a call by a client of 2026-07-28 that can show forms, after [`Era::request`] made it one that cannot.
fn able(id: u64, params: Value) -> Value {
    let mut request = Era::Modern.request(id, "tools/call", params);
    request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({ "elicitation": {} });
    request
}

#[tokio::test]
async fn the_rounds_on_the_wire() {
    let server = Asking::default();
    let mut wire = Wire::open(Era::Modern, server.clone()).await;
    let arguments = json!({ "notes": 30 });
    let params = json!({ "name": "delete", "arguments": arguments });
    wire.send(&able(1, params.clone())).await;
    let first = wire.receive().await["result"].take();
    assert_eq!(first["resultType"], "input_required");
    let asked = &first["inputRequests"]["confirm"];
    assert_eq!(asked["method"], "elicitation/create");
    assert_eq!(asked["params"]["mode"], "form");
    assert_eq!(
        first["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "asking"
    );

    let mut retry = params.clone();
    retry["inputResponses"] = json!({
        "confirm": { "action": "accept", "content": { "sure": true } }, "extra": { "action": "cancel" }
    });
    retry["requestState"] = first["requestState"].clone();
    wire.send(&able(2, retry.clone())).await;
    let second = wire.receive().await["result"].take();
    let keys: Vec<_> = second["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(keys, ["confirm-2"]);
    assert_ne!(second["requestState"], first["requestState"]);
    assert_eq!(server.deletions.load(Ordering::SeqCst), 0);

    let mut last = params.clone();
    last["inputResponses"] =
        json!({ "confirm-2": { "action": "accept", "content": { "sure": true } } });
    last["requestState"] = second["requestState"].clone();
    wire.send(&able(3, last.clone())).await;
    let result = wire.receive().await["result"].take();
    assert_eq!(result["structuredContent"], json!({ "deleted": 30 }));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(server.deletions.load(Ordering::SeqCst), 1);

    // A state of another tool, or one that was changed on its way, is refused before any method runs.
    let runs = server.runs.load(Ordering::SeqCst);
    let mut foreign = last.clone();
    foreign["name"] = json!("reckless");
    let mut changed = last;
    let state = changed["requestState"].as_str().unwrap();
    changed["requestState"] = json!(format!("{state}-TAMPERED"));
    let mut number = retry;
    number["inputResponses"] = json!({ "confirm": 12345 });
    for (id, params) in [(4, foreign), (5, changed)] {
        wire.send(&able(id, params)).await;
        assert_eq!(wire.receive().await["error"]["code"], -32602);
    }
    assert_eq!(server.runs.load(Ordering::SeqCst), runs);
    wire.send(&able(6, number)).await;
    assert_eq!(wire.receive().await["error"]["code"], -32602);
}

/// The user thinks until the call is cancelled.
#[tokio::test]
async fn a_question_is_taken_back_when_its_call_is_cancelled() {
    let server = Asking::default();
    let mut wire = Wire::connect(Era::Legacy, server.clone());
    let mut opening = Era::Legacy.initialize();
    opening["params"]["capabilities"] = json!({ "elicitation": {} });
    wire.send(&opening).await;
    wire.receive().await;
    wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
        .await;
    let params = json!({ "name": "reckless", "arguments": {} });
    wire.send(&Era::Legacy.request(7, "tools/call", params))
        .await;
    while server.runs.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let cancel = json!({ "requestId": 7, "reason": "enough" });
    wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }))
        .await;
    // The method learns that there will be no answer, and goes on without.
    while server.deletions.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    wire.ask("ping", json!({})).await;
    let of = |method: &str| {
        let mut sent = wire.notifications.iter();
        sent.find(|it| it["method"] == method).cloned().unwrap()
    };
    let question = of("elicitation/create");
    assert_eq!(
        question["params"]["requestedSchema"]["properties"]["reason"]["pattern"],
        "^[a-z ]+$"
    );
    assert_eq!(
        of("notifications/cancelled")["params"]["requestId"],
        question["id"]
    );
}

/// A hand-written server that passes calls on.
struct ByHand(mcp_codegen_runtime::Handler<Asking>);

impl ServerHandler for ByHand {
    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            self.0.tools(&context).to_vec(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.call(request, context).await
    }
}

#[tokio::test]
async fn tools_of_a_hand_written_server_ask_too() {
    for lifecycle in lifecycles() {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let server = ByHand(into_handler(Asking::default()));
        tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await });
        let user = User::new([accept(json!({ "sure": true }))]);
        let client = user.serve_with_lifecycle(ours, lifecycle).await.unwrap();
        let result = call(&client, "delete", &json!({ "notes": 3 }))
            .await
            .unwrap();
        assert_eq!(text(&result), r#"{"deleted":3}"#);
    }
}

#[cfg(feature = "http")]
mod over_http {
    use mcp_codegen_runtime::HttpConfig;
    use rmcp::transport::StreamableHttpClientTransport;

    use super::{http::Server, *};

    /// With a session the call waits for its answers; since 2026-07-28 it is repeated with them, and needs none.
    #[tokio::test]
    async fn clients_are_asked_with_sessions_or_in_rounds() {
        let [legacy, modern] = lifecycles();
        for (lifecycle, sessions) in [(legacy.clone(), true), (modern, false)] {
            let config = HttpConfig::default().with_sessions(sessions);
            let server = Server::start(Asking::default(), config).await;
            let url = format!("http://{}/mcp", server.address);
            let user = User::new([
                accept(json!({ "sure": true })),
                accept(json!({ "sure": true })),
            ]);
            let transport = StreamableHttpClientTransport::from_uri(url);
            let client = user
                .serve_with_lifecycle(transport, lifecycle)
                .await
                .unwrap();
            let result = call(&client, "delete", &json!({ "notes": 30 }))
                .await
                .unwrap();
            assert_eq!(text(&result), r#"{"deleted":30}"#);
        }
        // Without a session an answer would find nobody.
        let server = Server::start(Asking::default(), HttpConfig::default()).await;
        let url = format!("http://{}/mcp", server.address);
        let transport = StreamableHttpClientTransport::from_uri(url);
        let client = User::new([])
            .serve_with_lifecycle(transport, legacy)
            .await
            .unwrap();
        let result = call(&client, "delete", &json!({ "notes": 30 }))
            .await
            .unwrap();
        assert_eq!(result.is_error, Some(true));
    }
}
