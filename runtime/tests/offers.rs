//! Resources, prompts and completions, as tables: no transport, no executor.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/brand.rs"]
mod brand;

use std::sync::atomic::{AtomicUsize, Ordering};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_codegen_runtime::{
    CallContext, CallError, CompletionTarget, Contract, Partial, ReadResource, ResourceContents,
    ResourceOutput, Revision, ToolCall, ToolOutput, Toolset, Value, combine, redacted,
    testing::{InProcess, block_on},
};
use serde_json::json;

use self::brand::{Brand, CONTRACT, PNG};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

fn client() -> InProcess<Brand> {
    InProcess::new(Brand::default())
}

fn read(uri: &str) -> Value {
    block_on(client().read(uri))
}

#[test]
fn lists_are_the_contract() {
    let published: Value = serde_json::from_str(include_str!("support/brand.json")).unwrap();
    let client = client();
    for (listed, key) in [
        (client.resources(), "resources"),
        (client.resource_templates(), "resourceTemplates"),
        (client.prompts(), "prompts"),
    ] {
        // As text, because the order of keys counts.
        assert_eq!(Value::Array(listed).to_string(), published[key].to_string());
    }
}

#[test]
fn resources_hold_texts_bytes_and_files() {
    let json = std::fs::read_to_string(brand::file("brand.json")).unwrap();
    let png = STANDARD.encode(PNG);
    let dark = STANDARD.encode([&PNG[..], &[1]].concat());
    for (uri, expected) in [
        (
            "brand://guidelines",
            json!([{ "uri": "brand://guidelines", "mimeType": "text/markdown", "text": "# Use few colours",
                     "_meta": { "com.example/part": 1 } }]),
        ),
        (
            "brand://palette",
            json!([{ "uri": "brand://palette", "mimeType": "application/json", "text": r##"{"red":"#f00"}"## }]),
        ),
        (
            "brand://folder",
            json!([
                { "uri": "brand://folder/readme", "mimeType": "text/plain", "text": "read me" },
                { "uri": "brand://folder/logo", "mimeType": "image/png", "blob": png },
            ]),
        ),
        (
            "brand://file",
            json!([{ "uri": "brand://file", "mimeType": "application/json", "text": json }]),
        ),
        (
            "brand://logos/special",
            json!([{ "uri": "brand://logos/special", "text": "exact URIs win" }]),
        ),
        (
            "brand://logos/dark",
            json!([{ "uri": "brand://logos/dark", "mimeType": "image/png", "blob": dark }]),
        ),
        (
            "brand://notes/a/%62?line=7",
            json!([{ "uri": "brand://notes/a/%62?line=7", "text": "a/b:7" }]),
        ),
        (
            "brand://notes/a",
            json!([{ "uri": "brand://notes/a", "text": "a:" }]),
        ),
    ] {
        assert_eq!(read(uri)["contents"], expected, "{uri}");
    }
}

#[test]
fn what_a_read_says_beside_its_contents() {
    let result = read("brand://guidelines");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&json!(0), &json!("private"))
    );
    assert_eq!(result["_meta"]["com.example/seen"], "2026-07-28");
    assert_eq!(result["_meta"][SERVER_INFO]["name"], "brand");
    let client = client().with_revision(Revision::V2025_11_25);
    let result = block_on(client.read("brand://guidelines"));
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["contents", "_meta"]);
    assert_eq!(result["_meta"], json!({ "com.example/seen": "2025-11-25" }));
}

#[test]
fn reads_that_fail() {
    for (uri, code, message) in [
        (
            "brand://nothing",
            -32602,
            "unknown resource `brand://nothing`",
        ),
        (
            "brand://logos/a/b",
            -32602,
            "unknown resource `brand://logos/a/b`",
        ),
        (
            "brand://logos/pink",
            -32602,
            "1 violation in the variables of resource `logo`:\n- /theme: expected one of \"light\", \"dark\", \"Darker\", got \"pink\"",
        ),
        (
            "brand://notes/../etc?line=123",
            -32602,
            "2 violations in the variables of resource `note`:\n\
             - /path: expected to match the pattern `^[a-z/]+$`, got \"../etc\"\n\
             - /line: expected at most 2 characters, got 3",
        ),
        (
            "brand://missing",
            -32603,
            "the resource file `no.txt` is missing",
        ),
        ("brand://refused", -32603, "not before noon"),
        ("brand://broken", -32603, "resource `broken` failed"),
        ("brand://panics", -32603, "resource `panics` failed"),
    ] {
        let error = read(uri)["error"].take();
        assert_eq!(error["code"], code, "{uri}");
        let told = error["message"].as_str().unwrap();
        assert_eq!(told, message, "{uri}");
    }
    let unknown = read("brand://nothing");
    assert_eq!(
        unknown["error"]["data"],
        json!({ "uri": "brand://nothing" })
    );
    let legacy = client().with_revision(Revision::V2025_06_18);
    assert_eq!(
        block_on(legacy.read("brand://nothing"))["error"]["code"],
        -32002
    );
    let secret = InProcess::new(redacted(Brand::default()));
    let error = block_on(secret.read("brand://logos/pink"));
    assert!(
        !error["error"]["message"].as_str().unwrap().contains("pink"),
        "{error}"
    );
}

#[test]
fn prompts_are_messages() {
    let client = client();
    let result = block_on(client.prompt("review", json!({ "asset": "logo", "tone": "formal" })));
    let png = STANDARD.encode(PNG);
    let said = |role: &str, content: Value| json!({ "role": role, "content": content });
    let text = |it: &str| json!({ "type": "text", "text": it });
    let expected = json!([
        said("user", text("Review logo formal")),
        said(
            "user",
            json!({ "type": "image", "data": png, "mimeType": "image/png" })
        ),
        said(
            "user",
            json!({ "type": "resource", "resource": { "uri": "brand://guidelines", "text": "# Few" } })
        ),
        said("assistant", text("Contrast first.")),
    ]);
    assert_eq!(result["messages"], expected);
    assert_eq!(result["description"], "A review of the logo");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"][SERVER_INFO]["name"], "brand");
    let result = block_on(client.prompt("review", json!({ "asset": "chime" })));
    assert_eq!(result["description"], "Reviews an asset.");
    let result = block_on(client.prompt("greet", json!({})));
    assert_eq!(
        result["messages"],
        json!([said("user", text("Say hello."))])
    );
    assert_eq!(result.get("description"), None);
}

#[test]
fn prompts_that_fail() {
    let client = client();
    for (name, arguments, code, message) in [
        ("nothing", json!({}), -32602, "unknown prompt `nothing`"),
        (
            "review",
            json!({ "tone": "rude", "assets": 1 }),
            -32602,
            "3 violations in the arguments of prompt `review`:\n\
             - missing required property `asset`\n\
             - /tone: expected one of \"formal\", \"friendly\", got \"rude\"\n\
             - /assets: unknown property; did you mean `asset`?",
        ),
        (
            "fails",
            json!({ "how": "decision" }),
            -32603,
            "no prompt today",
        ),
        (
            "fails",
            json!({ "how": "panic" }),
            -32603,
            "prompt `fails` failed",
        ),
        ("fails", json!({}), -32603, "prompt `fails` failed"),
    ] {
        let error = block_on(client.prompt(name, arguments))["error"].take();
        assert_eq!(error["code"], code, "{name}");
        let mut told: Vec<&str> = error["message"].as_str().unwrap().lines().collect();
        let mut expected: Vec<&str> = message.lines().collect();
        told.sort_unstable();
        expected.sort_unstable();
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn completions_come_from_the_contract_and_from_methods() {
    use CompletionTarget::{Prompt, Template};

    let client = client();
    let complete = |target, partial: Partial| block_on(client.complete(target, partial));
    for (target, partial, expected) in [
        (
            Template("logo", "theme"),
            "",
            json!(["light", "dark", "Darker"]),
        ),
        (Template("logo", "theme"), "DARK", json!(["dark", "Darker"])),
        (Template("logo", "theme"), "x", json!([])),
        (Template("note", "path"), "a", json!([])),
        (Prompt("review", "tone"), "f", json!(["formal", "friendly"])),
        (Prompt("review", "asset"), "lo", json!(["lo0", "lo1"])),
    ] {
        let result = complete(target, partial.into());
        let total = expected.as_array().unwrap().len();
        let expected = json!({ "values": expected, "total": total, "hasMore": false });
        assert_eq!(result["completion"], expected, "{target:?} {partial}");
        assert_eq!(result["_meta"][SERVER_INFO]["name"], "brand");
        assert_eq!(result["resultType"], "complete");
    }
    let result = complete(
        Prompt("review", "asset"),
        Partial::new("a").with_other("tone", "-f-"),
    );
    assert_eq!(result["completion"]["values"], json!(["a-f-0", "a-f-1"]));
    let result = complete(Prompt("review", "asset"), "many".into());
    let completion = &result["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!(
        (&completion["total"], &completion["hasMore"]),
        (&json!(250), &json!(true))
    );
    for (target, partial, code, message) in [
        (
            Prompt("review", "other"),
            "",
            -32602,
            "`review` has no argument `other`",
        ),
        (
            Prompt("nothing", "asset"),
            "",
            -32602,
            "`nothing` has no argument `asset`",
        ),
        (
            Template("brand://x", "theme"),
            "",
            -32602,
            "`brand://x` has no argument `theme`",
        ),
        (
            Prompt("review", "asset"),
            "fail",
            -32603,
            "the store is closed",
        ),
    ] {
        let error = complete(target, partial.into())["error"].take();
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!(code), &json!(message))
        );
    }
}

/// How often work was done elsewhere.
static ELSEWHERE: AtomicUsize = AtomicUsize::new(0);

#[test]
fn files_are_read_where_the_transport_says() {
    let context = CallContext::new().with_blocking(|work| {
        ELSEWHERE.fetch_add(1, Ordering::SeqCst);
        work();
        Box::pin(std::future::ready(()))
    });
    let client = client().with_context(context);
    let result = block_on(client.read("brand://guidelines"));
    assert_eq!(result["contents"][0]["text"], "# Use few colours");
    assert_eq!(ELSEWHERE.load(Ordering::SeqCst), 0);
    for uri in ["brand://file", "brand://missing"] {
        assert_eq!(block_on(client.read(uri)), read(uri));
    }
    let result = block_on(client.call("picture", json!({})));
    assert_eq!(result["content"][0]["mimeType"], "image/x", "{result}");
    assert_eq!(ELSEWHERE.load(Ordering::SeqCst), 3);
    // A place that closes before the work is done.
    let closed = CallContext::new().with_blocking(|_| Box::pin(std::future::ready(())));
    let result = block_on(client.with_context(closed).read("brand://file"));
    let message = "the server ended before the files were read";
    assert_eq!(
        result["error"],
        json!({ "code": -32603, "message": message })
    );
}

/// A second server, some of whose names the first has too.
#[derive(Debug)]
struct Other(&'static Contract);

impl Toolset for Other {
    fn contract(&self) -> &'static Contract {
        self.0
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        Err(call.unknown_tool())
    }

    async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
        let text = format!("{} of other", read.name());
        let contents = ResourceContents::text(text);
        if read.name() == "guidelines" {
            return read.resource(|_| async { Ok(contents) }).await;
        }
        read.template(|_: Value, _| async { Ok(contents) }).await
    }
}

static OTHER: Contract = Contract::new(
    r#"{
        "server": { "name": "other", "version": "1" },
        "resources": [{ "uri": "other://guidelines", "name": "guidelines" }],
        "resourceTemplates": [{ "uriTemplate": "other://{a}", "name": "logo" }],
        "prompts": [{ "name": "other" }]
    }"#,
);

#[test]
fn combined_servers_read_as_one() {
    let client = InProcess::new(combine((Brand::default(), Other(&OTHER))).unwrap());
    assert_eq!(client.resources().len(), CONTRACT.resources().len() + 1);
    for (uri, text) in [
        ("brand://guidelines", "# Use few colours"),
        ("other://guidelines", "guidelines of other"),
        ("other://x", "logo of other"),
        ("brand://notes/x", "x:"),
    ] {
        let result = block_on(client.read(uri));
        assert_eq!(result["contents"][0]["text"], text, "{uri}");
    }
    assert_eq!(block_on(client.read("x://y"))["error"]["code"], -32602);
    let result = block_on(client.prompt("review", json!({ "asset": "logo" })));
    assert_eq!(result["messages"][3]["role"], "assistant");
    assert_eq!(
        block_on(client.prompt("other", json!({})))["error"]["code"],
        -32602
    );
    let result = block_on(client.complete(CompletionTarget::Prompt("review", "asset"), "a"));
    assert_eq!(result["completion"]["values"], json!(["a0", "a1"]));
    let result = block_on(client.complete(CompletionTarget::Template("logo", "theme"), "l"));
    assert_eq!(result["completion"]["values"], json!(["light"]));
}

#[test]
fn combined_servers_must_not_mean_different_things() {
    for (document, expected) in [
        (
            r#""resources": [{ "uri": "brand://palette", "name": "x" }]"#,
            "resource `brand://palette`",
        ),
        (r#""prompts": [{ "name": "greet" }]"#, "prompt `greet`"),
        (
            r#""tools": [{ "name": "touch", "inputSchema": {} }]"#,
            "tool `touch`",
        ),
        (
            r#""resourceTemplates": [{ "uriTemplate": "brand://logos/{theme}", "name": "x" }]"#,
            "resource template `brand://logos/{theme}`",
        ),
    ] {
        let document =
            format!(r#"{{ "server": {{ "name": "other", "version": "1" }}, {document} }}"#);
        let contract = Box::leak(Box::new(Contract::new(document.leak())));
        let error = combine((Brand::default(), Other(contract))).unwrap_err();
        let expected = format!("the servers `brand` and `other` both have a {expected}");
        assert_eq!(error.to_string(), expected);
    }
}
