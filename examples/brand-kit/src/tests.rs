//! The whole kit through a client in the same process, in both eras.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_codegen_runtime::{
    CompletionTarget, Revision,
    testing::{Answer, InProcess, block_on},
};
use serde_json::{Value, json};

use super::*;

/// One client of each era, each of which answers what it is asked as given.
fn clients(answers: &[Answer]) -> [InProcess<impl Toolset + Clone>; 2] {
    [Revision::V2025_11_25, Revision::V2026_07_28].map(|it| {
        InProcess::new(server())
            .with_revision(it)
            .with_answers(answers.to_vec())
    })
}

/// A file of the assets, as it goes over the wire.
fn encoded(name: &str) -> String {
    STANDARD.encode(fs::read(file(name)).unwrap())
}

#[test]
fn media_arrive_byte_for_byte() {
    let png = |name| json!([{ "type": "image", "data": encoded(name), "mimeType": "image/png" }]);
    for client in clients(&[]) {
        for (tool, arguments, content) in [
            ("logo", json!({}), png("logo-light.png")),
            ("logo", json!({ "theme": "dark" }), png("logo-dark.png")),
            ("logo_from_bytes", json!({}), png("logo-light.png")),
            (
                "logo_from_bytes",
                json!({ "theme": "dark" }),
                png("logo-dark.png"),
            ),
            (
                "chime",
                json!({}),
                json!([{ "type": "audio", "data": encoded("chime.wav"), "mimeType": "audio/wav" }]),
            ),
        ] {
            let result = block_on(client.call(tool, arguments));
            assert_eq!(result["content"], content, "{tool}");
            assert_eq!(result.get("structuredContent"), None, "{tool}");
        }
    }
}

#[test]
fn the_palette_is_a_list_and_a_text_for_each_colour() {
    let codes = json!(["#1d4ed8", "#f59e0b", "#10b981"]);
    let [old, new] = clients(&[]).map(|it| block_on(it.call("palette", json!({}))));
    assert_eq!(old["structuredContent"], json!({ "result": codes }));
    assert_eq!(new["structuredContent"], codes);
    for result in [old, new] {
        let texts: Value = result["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["text"].clone())
            .collect();
        assert_eq!(texts, codes);
    }
}

#[test]
fn the_user_says_what_the_logo_is_for() {
    let wanted = |medium: &str| Answer::accept(json!({ "medium": medium, "purpose": "a header" }));
    for client in clients(&[
        wanted("web"),
        wanted("merchandise"),
        Answer::decline(),
        wanted("sky"),
    ]) {
        let ask = || block_on(client.call("request_logo", json!({ "theme": "dark" })));
        let granted = ask();
        assert_eq!(granted["structuredContent"]["granted"], true);
        assert_eq!(granted["content"][1]["uri"], "brand://logos/dark");
        let refused = ask();
        assert_eq!(refused["structuredContent"]["granted"], false);
        assert_eq!(refused["content"].as_array().unwrap().len(), 1);
        assert_eq!(ask()["isError"], true);
        // An answer that the form does not allow does not reach the method.
        let wrong = ask().to_string();
        assert!(wrong.contains("medium"), "{wrong}");
    }
}

#[test]
fn resources_hold_what_the_files_hold() {
    for client in clients(&[]) {
        for (uri, mime, member, value) in [
            (
                "brand://guidelines",
                "text/markdown",
                "text",
                assets::GUIDELINES.to_owned(),
            ),
            (
                "brand://palette",
                "application/json",
                "text",
                r##"{"accent":"#f59e0b","positive":"#10b981","primary":"#1d4ed8"}"##.to_owned(),
            ),
            ("brand://chime", "audio/wav", "blob", encoded("chime.wav")),
            (
                "brand://logos/light",
                "image/png",
                "blob",
                encoded("logo-light.png"),
            ),
            (
                "brand://logos/dark",
                "image/png",
                "blob",
                encoded("logo-dark.png"),
            ),
            (
                "brand://colours/accent",
                "text/plain",
                "text",
                "#f59e0b".to_owned(),
            ),
        ] {
            let contents = &block_on(client.read(uri))["contents"][0];
            assert_eq!(
                *contents,
                json!({ "uri": uri, "mimeType": mime, member: value })
            );
        }
        for (uri, word) in [
            ("brand://logos/blue", "/theme"),
            ("brand://colours/mauve", "primary, accent, positive"),
            ("brand://nothing", "brand://nothing"),
        ] {
            let error = block_on(client.read(uri))["error"].to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}

#[test]
fn prompts_bring_the_asset_and_the_guidelines() {
    for client in clients(&[]) {
        let review = json!({ "asset": "logo-dark", "tone": "playful" });
        let messages = block_on(client.prompt("review", review))["messages"].take();
        assert_eq!(
            messages,
            json!([
                { "role": "user", "content": { "type": "text", "text": "Review `logo-dark` by these guidelines. Be playful." } },
                { "role": "user", "content": { "type": "resource", "resource": {
                    "uri": "brand://guidelines", "text": assets::GUIDELINES, "mimeType": "text/markdown"
                } } },
                { "role": "user", "content": { "type": "image", "data": encoded("logo-dark.png"), "mimeType": "image/png" } },
                { "role": "assistant", "content": { "type": "text", "text": "I begin with what a user notices first." } }
            ])
        );
        let tagline = block_on(client.prompt("tagline", json!({})));
        assert_eq!(tagline["messages"].as_array().unwrap().len(), 1);
        let wrong = json!({ "tone": "angry" });
        let error = block_on(client.prompt("review", wrong))["error"].to_string();
        assert!(
            error.contains("/tone") && error.contains("`asset`"),
            "{error}"
        );
    }
}

#[test]
fn arguments_complete_from_schemas_and_from_methods() {
    use CompletionTarget::{Prompt, Template};
    for client in clients(&[]) {
        for (target, typed, values) in [
            (Template("logo", "theme"), "D", json!(["dark"])),
            (
                Template("colour", "name"),
                "p",
                json!(["primary", "positive"]),
            ),
            (
                Prompt("review", "tone"),
                "",
                json!(["candid", "diplomatic", "playful"]),
            ),
            (
                Prompt("review", "asset"),
                "logo",
                json!(["logo-dark", "logo-light"]),
            ),
        ] {
            let result = block_on(client.complete(target, typed));
            assert_eq!(result["completion"]["values"], values, "{typed}");
        }
    }
}

#[test]
fn everything_has_icons_that_clients_accept() {
    let client = InProcess::new(server());
    let server = client.server().contract().server().definition().clone();
    let all = [
        vec![Value::Object(server)],
        client.list_tools(),
        client.resources(),
        client.resource_templates(),
        client.prompts(),
    ]
    .concat();
    assert_eq!(all.len(), 1 + 5 + 3 + 2 + 2);
    let (mut schemes, mut themes) = (Vec::new(), Vec::new());
    for it in &all {
        let icons = it["icons"].as_array().unwrap();
        assert!(!icons.is_empty(), "{it}");
        for icon in icons {
            schemes.push(icon["src"].as_str().unwrap().split(':').next().unwrap());
            themes.push(icon["theme"].as_str());
            assert!(
                icon["sizes"].as_array().is_some_and(|it| !it.is_empty()),
                "{icon}"
            );
        }
    }
    for scheme in ["https", "data"] {
        assert!(schemes.contains(&scheme));
    }
    for theme in [Some("light"), Some("dark"), None] {
        assert!(themes.contains(&theme));
    }
}
