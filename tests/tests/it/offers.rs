//! Resources, prompts, completions and forms of `tests/golden/offers`, generated, implemented, and asked for by a client.

use mcp_codegen_runtime::{
    CallContext,
    CompletionTarget::{Prompt, Template},
    Content, Elicited, Partial, PromptMessages, ResourceContents, Revision, ToolResult,
    testing::{Answer, InProcess, block_on},
};
use serde_json::{Value, json};

use super::compiled::offers::brand_kit::{
    BrandKit, BrandKitServer, CONFIRM_DELETE, DeleteAssetInput, GreetArguments, LogoVariables,
    NoteVariables, ReviewArguments, SloganArguments, Theme,
};

struct Kit;

impl BrandKit for Kit {
    async fn delete_asset(&self, input: DeleteAssetInput, cx: CallContext) -> ToolResult<Content> {
        let question = format!("Delete {}?", input.asset);
        Ok(match cx.elicit(&CONFIRM_DELETE, question).await? {
            Elicited::Accepted(it) if it.sure => format!("deleted: {:?}", it.reason).into(),
            _ => "kept".into(),
        })
    }

    async fn read_guidelines(&self, _cx: CallContext) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::text("# Few colours"))
    }

    async fn read_logo(
        &self,
        variables: LogoVariables,
        _cx: CallContext,
    ) -> ToolResult<ResourceContents> {
        let dark = variables.theme == Theme::Dark;
        let width = variables.width.unwrap_or_default();
        Ok(ResourceContents::text(format!(
            "dark: {dark}, width: {width}"
        )))
    }

    async fn read_note(
        &self,
        variables: NoteVariables,
        _cx: CallContext,
    ) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::text(format!("{:?}", variables.path)))
    }

    async fn complete_note_path(
        &self,
        partial: Partial,
        _cx: CallContext,
    ) -> ToolResult<Vec<String>> {
        Ok(vec![format!("{}.md", partial.value)])
    }

    async fn greet_prompt(
        &self,
        GreetArguments {}: GreetArguments,
        _cx: CallContext,
    ) -> ToolResult<PromptMessages> {
        Ok(PromptMessages::user("Say hello."))
    }

    async fn review_prompt(
        &self,
        arguments: ReviewArguments,
        _cx: CallContext,
    ) -> ToolResult<PromptMessages> {
        let ReviewArguments { asset, tone } = arguments;
        let tone = tone.unwrap_or_default();
        Ok(PromptMessages::user(format!("Review {asset}. {tone}")))
    }

    async fn complete_review_asset(
        &self,
        partial: Partial,
        _cx: CallContext,
    ) -> ToolResult<Vec<String>> {
        Ok(vec![format!("{}o", partial.value)])
    }

    async fn slogan_prompt(
        &self,
        arguments: SloganArguments,
        _cx: CallContext,
    ) -> ToolResult<PromptMessages> {
        Ok(PromptMessages::user(arguments.words))
    }
}

fn clients() -> [InProcess<BrandKitServer<Kit>>; 2] {
    [Revision::V2026_07_28, Revision::V2025_11_25]
        .map(|it| InProcess::new(BrandKitServer::new(Kit)).with_revision(it))
}

#[test]
fn lists_are_those_of_the_contract() {
    for client in clients() {
        let names = |list: Vec<Value>| -> Vec<String> {
            let names = list.iter().map(|it| it["name"].to_string());
            names.collect()
        };
        assert_eq!(names(client.resources()), ["\"guidelines\""]);
        let templates = client.resource_templates();
        assert_eq!(templates[0]["uriTemplate"], "brand://logos/{theme}{?width}");
        assert_eq!(names(templates), ["\"logo\"", "\"note\""]);
        let prompts = client.prompts();
        assert_eq!(
            prompts[2]["arguments"],
            json!([
                { "name": "theme" },
                { "name": "words", "description": "Words that must be in it.", "required": true }
            ])
        );
        assert_eq!(names(prompts), ["\"greet\"", "\"review\"", "\"slogan\""]);
    }
}

#[test]
fn what_is_asked_for_reaches_its_method_typed() {
    for client in clients() {
        let read = |uri: &str| block_on(client.read(uri));
        for (uri, text) in [
            ("brand://guidelines", "# Few colours"),
            ("brand://logos/dark", "dark: true, width: "),
            ("brand://logos/light?width=64", "dark: false, width: 64"),
            ("brand://notes/a%20b", "Some(\"a b\")"),
            ("brand://notes", "None"),
        ] {
            assert_eq!(read(uri)["contents"][0]["text"], text, "{uri}");
        }
        let get = |name: &str, arguments: Value| block_on(client.prompt(name, arguments));
        for (name, arguments, text) in [
            ("greet", json!({}), "Say hello."),
            ("review", json!({ "asset": "logo" }), "Review logo. "),
            ("slogan", json!({ "words": "few" }), "few"),
        ] {
            let result = get(name, arguments);
            assert_eq!(result["messages"][0]["content"]["text"], text, "{name}");
        }
    }
}

#[test]
fn what_breaks_its_schema_reaches_no_method() {
    for client in clients() {
        for (result, words) in [
            (
                block_on(client.read("brand://logos/blue?width=wide")),
                ["light", "width"].as_slice(),
            ),
            (
                block_on(client.read("brand://colours")),
                &["brand://colours"],
            ),
            (block_on(client.prompt("slogan", json!({}))), &["words"]),
            (
                block_on(client.prompt("review", json!({ "aset": "logo" }))),
                &["asset", "did you mean"],
            ),
        ] {
            let error = result["error"].to_string();
            assert!(words.iter().all(|it| error.contains(it)), "{result}");
        }
    }
}

#[test]
fn values_come_from_methods_and_from_schemas() {
    for client in clients() {
        for (target, typed, values) in [
            (Prompt("review", "asset"), "log", ["logo"].as_slice()),
            (Prompt("slogan", "theme"), "D", &["dark"]),
            (Prompt("review", "tone"), "f", &[]),
            (Template("note", "path"), "a", &["a.md"]),
            (Template("logo", "theme"), "", &["light", "dark"]),
        ] {
            let result = block_on(client.complete(target, typed));
            assert_eq!(
                result["completion"]["values"],
                json!(values),
                "{target:?}: {result}"
            );
        }
    }
}

#[test]
fn forms_are_shown_and_their_answers_typed() {
    for (answer, text) in [
        (Answer::accept(json!({ "sure": true })), "deleted: Outdated"),
        (
            Answer::accept(json!({ "sure": true, "reason": "wrong", "notify": ["team"] })),
            "deleted: Wrong",
        ),
        (Answer::accept(json!({ "sure": false })), "kept"),
        (Answer::decline(), "kept"),
    ] {
        for client in clients() {
            let client = client.with_answers([answer.clone()]);
            let result = block_on(client.call("delete_asset", json!({ "asset": "logo" })));
            assert_eq!(result["content"][0]["text"], text, "{result}");
        }
    }
}
