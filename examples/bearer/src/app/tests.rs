//! The application on loopback, asked as a client asks.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use mcp_codegen_runtime::{
    Value,
    http::{Request, StatusCode},
};

use super::*;

struct Answer {
    status: StatusCode,
    /// The challenge of a refusal.
    challenge: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The structured result of a call, or its text when it failed.
    fn result(&self) -> Value {
        let result = &self.json()["result"];
        if result["isError"] == true {
            return result["content"][0]["text"].clone();
        }
        result["structuredContent"].clone()
    }
}

async fn start() -> SocketAddr {
    let tokens = json!({
        "ada's": { "subject": "ada", "scopes": ["notes:read", "notes:write"], "expires": "2099-12-31T00:00:00Z" },
        "bob's": { "subject": "bob", "scopes": ["notes:read"], "expires": "2099-12-31T00:00:00Z" },
        "ada's old one": { "subject": "ada", "scopes": ["notes:read"], "expires": "2020-12-31T00:00:00Z" },
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = router(
        serde_json::from_value(tokens).unwrap(),
        &format!("http://{address}"),
    );
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

async fn send(request: Request<Full<axum::body::Bytes>>) -> Answer {
    let client = Client::builder(TokioExecutor::new()).build_http();
    let response = client.request(request).await.unwrap();
    let challenge = response.headers().get("www-authenticate");
    Answer {
        status: response.status(),
        challenge: challenge.map_or_else(String::new, |it| it.to_str().unwrap().to_owned()),
        body: {
            let body = response.into_body().collect().await.unwrap().to_bytes();
            String::from_utf8(body.to_vec()).unwrap()
        },
    }
}

/// Calls a tool with these values of `Authorization`.
async fn call(
    address: SocketAddr,
    revision: &str,
    authorization: &[&str],
    name: &str,
    arguments: Value,
) -> Answer {
    let mut params = json!({ "name": name, "arguments": arguments });
    let mut request = Request::post(format!("http://{address}/mcp"))
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json")
        .header("mcp-protocol-version", revision);
    if revision == "2026-07-28" {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        request = request
            .header("mcp-method", "tools/call")
            .header("mcp-name", name);
    }
    for value in authorization {
        request = request.header("authorization", *value);
    }
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    send(request.body(Full::from(message.to_string())).unwrap()).await
}

#[tokio::test]
async fn who_has_no_good_token_is_turned_away_with_the_reason_and_the_way() {
    let address = start().await;
    let metadata =
        format!("resource_metadata=\"http://{address}/.well-known/oauth-protected-resource/mcp\"");
    let invalid = format!(
        "Bearer error=\"invalid_token\", error_description=\"unknown or expired\", {metadata}"
    );
    let none = format!("Bearer {metadata}");
    let cases: [(&[&str], &str); 6] = [
        (&[], &none),
        (&["Basic YWRhOmFkYQ=="], &none),
        (&["Bearer ada's", "Bearer bob's"], &none),
        (&["Bearer"], &none),
        (&["Bearer eve's"], &invalid),
        (&["Bearer ada's old one"], &invalid),
    ];
    for (authorization, challenge) in cases {
        let answer = call(
            address,
            "2026-07-28",
            authorization,
            "list_notes",
            json!({}),
        )
        .await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{authorization:?}");
        assert_eq!(answer.challenge, challenge, "{authorization:?}");
        assert_eq!(answer.body, "");
    }

    // The way is open to everybody.
    let request =
        Request::get(format!("http://{address}{METADATA}")).body(Full::from(String::new()));
    let described = send(request.unwrap()).await.json();
    assert_eq!(described["resource"], format!("http://{address}/mcp"));
    assert_eq!(described["authorization_servers"], json!([ISSUER]));
}

#[tokio::test]
async fn tools_know_whose_call_it_is_in_both_eras() {
    let address = start().await;
    for (revision, id) in [("2025-11-25", 1), ("2026-07-28", 2)] {
        let ada = ["bearer ada's"];
        let bob = ["Bearer bob's"];
        let title = json!({ "title": "Engine" });
        let note = call(address, revision, &ada, "create_note", title.clone()).await;
        assert_eq!(note.result()["id"], id, "{}", note.body);

        // Each has a notebook, and bob only reads.
        let listed = call(address, revision, &ada, "list_notes", json!({})).await;
        assert_eq!(listed.result()["notes"].as_array().unwrap().len(), id);
        let listed = call(address, revision, &bob, "list_notes", json!({})).await;
        assert_eq!(listed.result()["notes"], json!([]));
        let refused = call(address, revision, &bob, "create_note", title).await;
        assert_eq!(
            refused.result(),
            "the token of `bob` lacks the scope `notes:write`"
        );
    }
}

#[tokio::test]
async fn a_token_does_not_open_what_the_service_refuses() {
    let address = start().await;
    let request = Request::post(format!("http://{address}/mcp"))
        .header("host", "evil.example")
        .header("authorization", "Bearer ada's")
        .body(Full::from("{}"));
    assert_eq!(send(request.unwrap()).await.status, StatusCode::FORBIDDEN);
}
