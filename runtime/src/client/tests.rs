//! Clients over connections that answer what a test wants.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};

use super::*;
use crate::{
    CallContext, CallError, Content, Contract, ToolCall, ToolError, ToolOutput, content::Role,
    testing::block_on, wire::RpcError,
};

static CONTRACT: Contract = Contract::new(
    r#"{
        "server": { "name": "s", "version": "1" },
        "tools": [
            {
                "name": "sum",
                "inputSchema": {
                    "type": "object", "properties": { "a": { "type": "integer", "maximum": 9 } }, "additionalProperties": false
                },
                "outputSchema": { "type": "integer", "minimum": 0 }
            },
            {
                "name": "pair", "inputSchema": { "type": "object" },
                "outputSchema": {
                    "type": "object", "properties": { "x": { "type": "integer" }, "y": { "type": "integer" } }, "required": ["x", "y"]
                }
            },
            {
                "name": "marked", "inputSchema": { "type": "object" },
                "outputSchema": {
                    "type": "object", "properties": { "result": { "type": "integer" } }, "required": ["result"],
                    "x-fastmcp-wrap-result": true
                }
            },
            { "name": "any", "inputSchema": { "type": "object" }, "outputSchema": {} },
            { "name": "words", "inputSchema": { "type": "object" } }
        ],
        "settings": { "marked": { "wrapped": true } },
        "resources": [{ "name": "guide", "uri": "x://guide" }],
        "resourceTemplates": [{ "name": "logo", "uriTemplate": "x://logos/{theme}" }],
        "variables": { "logo": { "properties": { "theme": { "enum": ["light", "dark"] } }, "required": ["theme"] } },
        "prompts": [{ "name": "review", "arguments": [{ "name": "text", "required": true }] }],
        "arguments": { "review": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] } }
    }"#,
);

/// A server that gives one answer, and remembers what it was asked.
#[derive(Clone)]
struct Canned {
    revision: Revision,
    answer: Value,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Canned {
    fn new(answer: Value) -> Self {
        Self {
            revision: Revision::LATEST,
            answer,
            asked: Arc::default(),
        }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Connection for Canned {
    fn revision(&self) -> Revision {
        self.revision
    }

    fn request<'a>(&'a self, request: Request<'a>) -> ConnectionFuture<'a, Map<String, Value>> {
        let asked = match request {
            Request::CallTool { tool, arguments } => {
                format!("{} {}", tool.name(), Value::Object(arguments))
            }
            Request::ReadResource { uri } => uri,
            Request::GetPrompt { name, arguments } => {
                format!("{name} {}", Value::Object(arguments))
            }
        };
        self.asked.lock().unwrap().push(asked);
        Box::pin(async {
            match &self.answer {
                Value::Object(members) => Ok(members.clone()),
                Value::String(text) => Err(TransportError::new(text.clone()).into()),
                _ => Err(RpcError::invalid_params("no such tool").into()),
            }
        })
    }
}

fn tool(name: &str) -> &'static crate::Tool {
    CONTRACT.find(name).unwrap()
}

fn call(server: &Canned, name: &str, input: &Value) -> Result<Value, ClientError> {
    block_on(Client::new(server.clone()).call(tool(name), input))
}

#[test]
fn results_are_unwrapped_however_the_server_wraps() {
    let legacy = Revision::V2025_11_25;
    let modern = Revision::V2026_07_28;
    for (name, revision, structured, expected) in [
        ("sum", modern, json!(3), json!(3)),
        ("sum", modern, json!({ "result": 3 }), json!(3)),
        ("sum", legacy, json!({ "result": 3 }), json!(3)),
        ("sum", legacy, json!(3), json!(3)),
        (
            "pair",
            legacy,
            json!({ "x": 1, "y": 2 }),
            json!({ "x": 1, "y": 2 }),
        ),
        ("marked", modern, json!({ "result": 3 }), json!(3)),
        ("marked", legacy, json!({ "result": 3 }), json!(3)),
        ("marked", modern, json!(3), json!(3)),
        // Both ways are open: the revision decides.
        (
            "any",
            modern,
            json!({ "result": 3 }),
            json!({ "result": 3 }),
        ),
        ("any", legacy, json!({ "result": 3 }), json!(3)),
        (
            "any",
            legacy,
            json!({ "result": 3, "more": 4 }),
            json!({ "result": 3, "more": 4 }),
        ),
    ] {
        let mut server = Canned::new(json!({ "content": [], "structuredContent": structured }));
        server.revision = revision;
        let result = call(&server, name, &json!({}));
        assert_eq!(result.unwrap(), expected, "{name} {revision} {structured}");
    }
}

/// Which error a call gives, and its text. Nothing is sent that breaks the contract.
fn told(name: &str, input: &Value, answer: Value) -> String {
    let server = Canned::new(answer);
    let error = call(&server, name, input).unwrap_err();
    let kind = match &error {
        ClientError::Tool(_) => "Tool",
        ClientError::Contract(breach) => {
            let sent = breach.direction == Direction::Received;
            assert_eq!(server.asked().len(), usize::from(sent), "{error}");
            "Contract"
        }
        ClientError::Refused(_) => "Refused",
        ClientError::Transport(_) => "Transport",
    };
    format!("{kind}: {error}")
}

#[test]
fn what_breaks_the_contract_is_told() {
    let complete = |structured: Value| json!({ "content": [], "structuredContent": structured });
    for (name, input, answer, expected) in [
        (
            "sum",
            json!({ "a": 10, "b": 1 }),
            complete(json!(3)),
            "Contract: 2 violations in the arguments of tool `sum`, so nothing was sent:\n\
             - /a: expected at most 9, got 10\n- /b: unknown property; known properties: `a`",
        ),
        (
            "sum",
            json!([]),
            complete(json!(3)),
            "Contract: 1 violation in the arguments of tool `sum`, so nothing was sent:\n- expected object, got array",
        ),
        (
            "pair",
            json!({}),
            complete(json!({ "x": "1" })),
            "Contract: 2 violations in what the server answers for tool `pair`:\n\
             - missing required property `y`\n- /x: expected integer, got string; send it without quotes",
        ),
        (
            "sum",
            json!({}),
            complete(json!({ "result": -1 })),
            "Contract: 1 violation in what the server answers for tool `sum`:\n- expected integer, got object",
        ),
        (
            "marked",
            json!({}),
            complete(json!({ "result": "3" })),
            "Contract: 1 violation in what the server answers for tool `marked`:\n- expected integer, got string; send it without quotes",
        ),
        (
            "pair",
            json!({}),
            json!({ "content": [{ "type": "text", "text": "{}" }] }),
            "Contract: 1 violation in what the server answers for tool `pair`:\n\
             - expected `structuredContent`, which is not there",
        ),
    ] {
        assert_eq!(told(name, &input, answer), expected);
    }
}

#[test]
fn who_said_no_is_told() {
    for (name, answer, expected) in [
        (
            "sum",
            json!({ "content": [{ "type": "text", "text": "not today" }], "isError": true }),
            "Tool: tool `sum` says: not today",
        ),
        (
            "words",
            json!({ "content": [], "isError": true }),
            "Tool: tool `words` failed and does not say why",
        ),
        (
            "sum",
            json!(null),
            "Refused: the server refuses: no such tool (-32602)",
        ),
        ("sum", json!("gone"), "Transport: gone"),
        (
            "sum",
            json!({ "resultType": "input_required", "inputRequests": {} }),
            "Transport: the server wants to ask the user or the model, whom this client cannot reach",
        ),
        (
            "sum",
            json!({ "resultType": "task" }),
            "Transport: the server answers with a result of type `task`",
        ),
    ] {
        assert_eq!(told(name, &json!({}), answer), expected);
    }
}

#[test]
fn replies_have_every_kind_of_block() {
    let link = json!({ "type": "resource_link", "uri": "x://a", "name": "a", "mimeType": "a/b" });
    let strange = json!({ "type": "hologram", "data": "" });
    let broken = json!({ "type": "image", "data": "AAEC" });
    let server = Canned::new(json!({
        "content": [
            { "type": "text", "text": "one" },
            { "type": "image", "data": "AAEC", "mimeType": "image/png" },
            { "type": "audio", "data": "?", "mimeType": "audio/wav" },
            link,
            { "type": "resource", "resource": { "uri": "x://b", "text": "b" } },
            { "type": "resource", "resource": { "uri": "x://c", "blob": "AAEC", "mimeType": "a/c" } },
            strange,
            broken,
            { "type": "text", "text": "two" },
        ],
        "structuredContent": [1],
        "_meta": { "k": 1 },
    }));
    let client = Client::new(server.clone());
    let reply = block_on(client.reply(tool("words"), &json!({ "a": 1 }))).unwrap();
    assert_eq!(server.asked(), ["words {\"a\":1}"]);
    assert_eq!(reply.text(), "one\ntwo");
    assert_eq!(reply.structured(), Some(&json!([1])));
    assert_eq!(reply.meta()["k"], 1);
    let blocks: Vec<Block<'_>> = reply.blocks().collect();
    let [
        Block::Text("one"),
        Block::Image(image),
        Block::Audio(audio),
        Block::Link(to),
        Block::Resource(text),
        ..,
    ] = blocks[..]
    else {
        panic!("{blocks:?}");
    };
    assert_eq!(
        (image.mime_type(), image.bytes()),
        ("image/png", Some(vec![0, 1, 2]))
    );
    assert_eq!((audio.base64(), audio.bytes()), ("?", None));
    assert_eq!(
        (to.uri(), to.name(), to.mime_type()),
        ("x://a", Some("a"), Some("a/b"))
    );
    assert_eq!(
        (text.uri(), text.text(), text.bytes()),
        ("x://b", Some("b"), Some(vec![b'b']))
    );
    let [
        Block::Resource(bytes),
        Block::Other(other),
        Block::Other(no_image),
        Block::Text("two"),
    ] = blocks[5..]
    else {
        panic!("{blocks:?}");
    };
    assert_eq!((bytes.text(), bytes.bytes()), (None, Some(vec![0, 1, 2])));
    assert_eq!(bytes.mime_type(), Some("a/c"));
    assert_eq!((other, no_image), (&strange, &broken));
}

#[test]
fn what_a_tool_says_beside_its_value_is_not_lost() {
    let server = Canned::new(json!({
        "content": [{ "type": "text", "text": "rounded" }], "structuredContent": 3, "_meta": { "k": 1 },
    }));
    let client = Client::new(server);
    let (sum, reply): (i64, Reply) =
        block_on(client.call_with_reply(tool("sum"), &json!({}))).unwrap();
    assert_eq!(
        (sum, reply.text().as_str(), &reply.meta()["k"]),
        (3, "rounded", &json!(1))
    );
}

#[test]
fn resources_are_read_by_what_the_contract_knows() {
    let server = Canned::new(json!({
        "contents": [{ "uri": "x://guide", "text": "# Guide" }, { "uri": "x://guide/2", "blob": "AAEC" }],
    }));
    let client = Client::new(server.clone());
    let reply = block_on(client.read(&CONTRACT.resources()[0])).unwrap();
    assert_eq!(reply.text(), "# Guide");
    let bytes: Vec<_> = reply
        .contents()
        .filter_map(Contents::bytes)
        .map(|it| it.len())
        .collect();
    assert_eq!(bytes, [7, 3]);
    let template = &CONTRACT.resource_templates()[0];
    block_on(client.read_template(template, &json!({ "theme": "dark" }))).unwrap();
    assert_eq!(server.asked(), ["x://guide", "x://logos/dark"]);
    let error = block_on(client.read_template(template, &json!({ "theme": "pink" }))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("in the variables of resource `logo`"),
        "{error}"
    );
    let unused = json!({ "theme": "dark", "size": "1" });
    let error = block_on(client.read_template(template, &unused)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("these make no URI of `x://logos/{theme}`"),
        "{error}"
    );
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn prompts_are_messages() {
    let prompt = &CONTRACT.prompts()[0];
    let get = |answer: Value, arguments: Value| {
        block_on(Client::new(Canned::new(answer)).prompt(prompt, &arguments))
    };
    let message = json!({ "role": "user", "content": { "type": "text", "text": "Read." } });
    let reply = get(
        json!({ "description": "d", "messages": [message] }),
        json!({ "text": "t" }),
    );
    let reply = reply.unwrap();
    assert_eq!(reply.description(), Some("d"));
    let messages: Vec<_> = reply.messages().map(|it| (it.role, it.content)).collect();
    assert_eq!(messages, [(Role::User, Block::Text("Read."))]);
    let error = get(
        json!({ "messages": [{ "role": "me" }] }),
        json!({ "text": "t" }),
    )
    .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("- /messages/0: expected a message"),
        "{error}"
    );
    let error = get(json!({}), json!({})).unwrap_err();
    assert!(
        matches!(&error, ClientError::Contract(it) if it.direction == Direction::Sent),
        "{error}"
    );
}

struct Adder;

impl Toolset for Adder {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match call.name() {
            "sum" => {
                let sum = async |input: Value, cx: CallContext| {
                    cx.attach("beside");
                    match input["a"].as_i64() {
                        Some(a) => Ok(a + 1),
                        None => Err(ToolError::new("say `a`")),
                    }
                };
                call.structured(tool("sum"), |input, cx| Box::pin(sum(input, cx)))
                    .await
            }
            "words" => {
                call.content(tool("words"), |_: Value, cx| async move {
                    Ok(Content::text(cx.revision().as_str()))
                })
                .await
            }
            _ => Err(call.unknown_tool()),
        }
    }
}

#[test]
fn a_server_in_the_process_needs_no_transport() {
    for revision in Revision::ALL {
        let client = Client::in_process_as(Adder, revision);
        let sum = block_on(client.call::<_, i64>(tool("sum"), &json!({ "a": 2 })));
        assert_eq!(sum.unwrap(), 3);
        let words = block_on(client.reply(tool("words"), &json!({}))).unwrap();
        assert_eq!(words.text(), revision.as_str());
        let error = block_on(client.call::<_, i64>(tool("sum"), &json!({}))).unwrap_err();
        assert!(
            matches!(&error, ClientError::Tool(it) if it.text() == "say `a`"),
            "{error}"
        );
        let error = block_on(client.call::<_, Value>(tool("any"), &json!({}))).unwrap_err();
        assert!(
            matches!(&error, ClientError::Refused(it) if it.code == -32602),
            "{error}"
        );
        let error = block_on(client.read(&CONTRACT.resources()[0])).unwrap_err();
        assert!(matches!(error, ClientError::Refused(_)), "{error}");
        block_on(client.close()).unwrap();
    }
}
