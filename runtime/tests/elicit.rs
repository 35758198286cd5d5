//! Methods that ask the client, without a transport, in both eras of the protocol.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/asking.rs"]
mod asking;

use std::sync::atomic::Ordering;

use mcp_codegen_runtime::{
    Abilities, Ability, Answers, CallContext, CallError, CompletionTarget, InputRequired, Revision,
    ToolCall, Toolset, Value,
    testing::{Answer, InProcess},
};
use serde_json::json;

use self::asking::Asking;

const ERAS: [Revision; 3] = [
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

/// What a user reads of a result.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// A tool with its arguments, what the client answers, and the text of the result.
type Case = (&'static str, Value, Vec<Answer>, &'static str);

fn cases() -> Vec<Case> {
    let yes = || Answer::accept(json!({ "sure": true }));
    let no = || Answer::accept(json!({ "sure": false }));
    let reason = || Answer::accept(json!({ "sure": true, "reason": "it is old" }));
    let bare = || Answer::raw(json!({ "action": "accept" }));
    let (decline, cancel) = (Answer::decline, Answer::cancel);
    let (few, many) = (json!({ "notes": 3 }), json!({ "notes": 30 }));
    let (written, folders) = (
        Answer::sampled("B."),
        Answer::roots(["file:///a", "file:///b"]),
    );
    let text = json!({ "text": "A." });
    let nothing = r#"{"deleted":0}"#;
    let all = "sure: true, because so, B., 2";
    vec![
        ("delete", few.clone(), vec![yes()], r#"{"deleted":3}"#),
        ("delete", few.clone(), vec![no()], nothing),
        ("delete", few.clone(), vec![decline()], nothing),
        ("delete", few, vec![cancel()], nothing),
        (
            "delete",
            many.clone(),
            vec![yes(), yes()],
            r#"{"deleted":30}"#,
        ),
        ("delete", many, vec![yes(), decline()], nothing),
        ("sum_up", text, vec![written.clone()], "test wrote: B."),
        (
            "folders",
            json!({}),
            vec![folders.clone()],
            "file:///a file:///b",
        ),
        ("sign_in", json!({}), vec![bare()], "Accepted(())"),
        ("sign_in", json!({}), vec![decline()], "Declined"),
        (
            "reckless",
            json!({}),
            vec![reason()],
            "sure: true, because it is old",
        ),
        (
            "spawned",
            json!({}),
            vec![yes()],
            "true, sure: true, because so",
        ),
        ("all_at_once", json!({}), vec![yes(), written, folders], all),
    ]
}

#[tokio::test]
async fn an_answer_reaches_the_method_in_either_era() {
    for revision in ERAS {
        for (tool, arguments, answers, expected) in &cases() {
            let server = Asking::default();
            let client = InProcess::new(server.clone())
                .with_revision(revision)
                .with_answers(answers.clone());
            let result = client.call(tool, arguments.clone()).await;
            assert_eq!(text(&result), *expected, "{tool} in {revision}: {result}");
            assert_eq!(result["isError"], false);
            let deletions = server.deletions.load(Ordering::SeqCst);
            let deleted =
                !expected.contains("deleted\":0") && ["delete", "reckless"].contains(tool);
            assert_eq!(deletions, usize::from(deleted), "{tool} in {revision}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_breaks_the_form_never_reaches_the_method() {
    let wrong = json!({ "sure": "yes", "reason": "No", "mail": "nobody" });
    for revision in ERAS {
        let server = Asking::default();
        let client = InProcess::new(server.clone())
            .with_revision(revision)
            .with_answers([Answer::accept(wrong.clone())]);
        let result = client.call("delete", json!({ "notes": 3 })).await;
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(
            text(&result),
            "4 violations in the answer to the form `confirm`:\n\
             - /sure: expected boolean, got string\n\
             - /reason: expected at least 3 characters, got 2\n\
             - /reason: expected to match the pattern `^[a-z ]+$`, got \"No\"\n\
             - /mail: expected the format `email`, got \"nobody\"",
        );
        assert_eq!(server.deletions.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn what_is_no_answer_is_refused() {
    let cases = [
        (
            "reckless",
            Answer::raw(12345),
            "the answer to `confirm` is no result of `elicitation/create`: `action` is none of `accept`, `decline`, `cancel`",
        ),
        (
            "reckless",
            Answer::accept(json!([true])),
            "the answer to `confirm` is no result of `elicitation/create`: `content` is not an object",
        ),
        (
            "sum_up",
            Answer::decline(),
            "the answer to `sampling` is no result of `sampling/createMessage`: `content` is neither a content block nor an array of them",
        ),
        (
            "folders",
            Answer::raw(json!({ "roots": [{}] })),
            "the answer to `roots` is no result of `roots/list`: the `uri` of a root is not a string",
        ),
    ];
    for (tool, answer, expected) in cases {
        let client = InProcess::new(Asking::default()).with_answers([answer.clone()]);
        let result = client.call(tool, json!({ "text": "A." })).await;
        let error = json!({ "code": -32602, "message": expected });
        assert_eq!(result["error"], error, "{result}");
        let client = client
            .with_revision(Revision::V2025_11_25)
            .with_answers([answer]);
        let result = client.call(tool, json!({ "text": "A." })).await;
        assert_eq!(text(&result).trim_start_matches("no answer: "), expected);
    }
}

#[tokio::test]
async fn a_client_that_cannot_or_will_not_says_so() {
    for revision in ERAS {
        let client = InProcess::new(Asking::default()).with_revision(revision);
        for (tool, capability) in [
            ("delete", "elicitation"),
            ("sum_up", "sampling"),
            ("folders", "roots"),
            ("sign_in", "elicitation.url"),
        ] {
            let result = client.call(tool, json!({ "notes": 3, "text": "A." })).await;
            let message = if revision.is_modern() {
                let error = &result["error"];
                assert_eq!(error["code"], -32021, "{result}");
                let required = &error["data"]["requiredCapabilities"];
                let pointer = format!("/{}", capability.replace('.', "/"));
                assert!(required.pointer(&pointer).is_some(), "{required}");
                error["message"].as_str().unwrap()
            } else {
                assert_eq!(result["isError"], true, "{result}");
                text(&result)
            };
            let missing = format!("it does not declare the capability `{capability}`");
            assert!(message.ends_with(&missing), "{result}");
        }
    }
    let client = InProcess::new(Asking::default()).with_revision(Revision::V2025_11_25);
    let client = client.with_answers([Answer::refuse("the user rejected sampling")]);
    let result = client.call("sum_up", json!({ "text": "A." })).await;
    assert_eq!(
        text(&result),
        "the client refused: the user rejected sampling"
    );
    let result = client.call("sum_up", json!({ "text": "A." })).await;
    assert_eq!(
        text(&result),
        "the client cannot be asked: the test has no answer left"
    );
}

#[tokio::test]
async fn resources_and_prompts_ask_too_and_completions_cannot_in_rounds() {
    for revision in ERAS {
        let answer = || Answer::accept(json!({ "sure": true }));
        let client = InProcess::new(Asking::default())
            .with_revision(revision)
            .with_answers([answer(), answer()]);
        let read = client.read("asking://diary").await;
        assert_eq!(
            read["contents"][0]["text"], "sure: true, because so",
            "{read}"
        );
        let prompt = client.prompt("review", json!({})).await;
        let said = &prompt["messages"][0]["content"]["text"];
        assert_eq!(said, "sure: true, because so", "{prompt}");
    }
    let client = InProcess::new(Asking::default())
        .with_context(CallContext::new().with_abilities(Abilities::all()));
    let read = client.read("asking://diary").await;
    let asked = &read["inputRequests"]["confirm"]["params"]["message"];
    assert_eq!(asked, "Read your diary?");
    let prompt = client.prompt("review", json!({})).await;
    assert_eq!(prompt["resultType"], "input_required");
    let target = CompletionTarget::Prompt("review", "about");
    let completed = client.complete(target, "").await;
    let error =
        json!({ "code": -32603, "message": "values are completed without asking the client" });
    assert_eq!(completed["error"], error);
}

/// One run of a tool for a client of 2026-07-28 that sent `responses` and `state`.
async fn run(
    server: &Asking,
    tool: &str,
    responses: Value,
    state: Option<&str>,
) -> Result<String, CallError> {
    let answers = Answers::new("here", responses.as_object().unwrap().clone(), state).unwrap();
    let context = CallContext::new()
        .with_abilities(Abilities::all())
        .with_answers(answers);
    let call = ToolCall::new(tool, json!({ "notes": 30, "text": "A." })).with_context(context);
    let output = server.call(call).await?;
    Ok(output.blocks()[0]["text"].as_str().unwrap().to_owned())
}

fn asks(outcome: Result<String, CallError>) -> InputRequired {
    match outcome.unwrap_err() {
        CallError::InputRequired(input) => input,
        other => panic!("{other:?}"),
    }
}

fn keys(input: &InputRequired) -> Vec<&str> {
    input.requests().map(|(key, _)| key).collect()
}

#[tokio::test]
async fn no_code_after_a_question_runs_without_its_answer() {
    let server = Asking::default();
    let input = asks(run(&server, "reckless", json!({}), None).await);
    assert_eq!(keys(&input), ["confirm"]);
    let (_, question) = input.requests().next().unwrap();
    assert_eq!(question.ability(), Ability::Form);
    assert_eq!(question.params()["message"], "Are you sure?");
    assert_eq!(server.deletions.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn questions_side_by_side_go_out_together() {
    let input = asks(run(&Asking::default(), "all_at_once", json!({}), None).await);
    assert_eq!(keys(&input), ["confirm", "sampling", "roots"]);
}

#[tokio::test]
async fn the_state_carries_what_was_answered_and_only_that() {
    let server = Asking::default();
    let yes = json!({ "action": "accept", "content": { "sure": true } });
    let first = asks(run(&server, "delete", json!({}), None).await);
    assert_eq!(keys(&first), ["confirm"]);
    // An answer to nothing that was asked is not carried along.
    let responses = json!({ "confirm": yes, "stranger": yes });
    let second = asks(run(&server, "delete", responses, Some(first.request_state())).await);
    assert_eq!(keys(&second), ["confirm-2"]);
    assert!(!second.request_state().contains("stranger"));
    let responses = json!({ "confirm-2": yes });
    let third = run(
        &server,
        "delete",
        responses.clone(),
        Some(second.request_state()),
    )
    .await;
    assert_eq!(third.unwrap(), r#"{"deleted":30}"#);
    // The state of the first round lacks the first answer, so that is asked for again.
    let again = asks(run(&server, "delete", responses, Some(first.request_state())).await);
    assert_eq!(keys(&again), ["confirm"]);
    // Without a state the keys have to do.
    let both = json!({ "confirm": yes, "confirm-2": yes });
    assert!(run(&server, "delete", both, None).await.is_ok());
}

#[tokio::test]
async fn an_answer_counts_for_the_question_that_was_asked() {
    let server = Asking::default();
    let yes = json!({ "confirm": { "action": "accept", "content": { "sure": true } } });
    let first = asks(run(&server, "moody", json!({}), None).await);
    let second = asks(run(&server, "moody", yes.clone(), Some(first.request_state())).await);
    let message =
        |input: &InputRequired| input.requests().next().unwrap().1.params()["message"].clone();
    assert_eq!(
        (message(&first), message(&second)),
        (json!("Mood 0?"), json!("Mood 1?"))
    );
    let third = run(&server, "moody", yes, Some(second.request_state())).await;
    assert_eq!(third.unwrap(), "sure: true, because so");
}

#[tokio::test]
async fn a_damaged_state_is_refused() {
    let input = asks(run(&Asking::default(), "delete", json!({}), None).await);
    let state = input.request_state();
    let swapped = state.replace("confirm", "confirn");
    let huge = format!("{state}{}", " ".repeat(1024 * 1024));
    let damaged = [
        "",
        "é",
        "0123456789abcdef{}",
        &state[1..],
        &swapped,
        &format!("{state}-TAMPERED"),
        &huge,
    ];
    for text in damaged {
        let error = Answers::new("here", [], Some(text)).unwrap_err();
        assert_eq!(error.code, -32602);
    }
    assert!(Answers::new("here", [], Some(state)).is_ok());
    assert!(Answers::new("elsewhere", [], Some(state)).is_err());
}

#[tokio::test]
async fn answers_beyond_bounds_are_not_carried() {
    let server = Asking::default();
    let reason = "a".repeat(1024 * 1024);
    let long =
        json!({ "confirm": { "action": "accept", "content": { "sure": true, "reason": reason } } });
    let error = run(&server, "delete", long, None).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the answers of this request exceed 1048576 bytes"
    );
}

#[test]
fn capabilities_say_what_a_client_can() {
    let cases = [
        (json!({}), vec![]),
        (json!({ "elicitation": {} }), vec![Ability::Form]),
        (
            json!({ "elicitation": { "form": {} } }),
            vec![Ability::Form],
        ),
        (json!({ "elicitation": { "url": {} } }), vec![Ability::Url]),
        (
            json!({ "elicitation": { "form": {}, "url": {} } }),
            vec![Ability::Form, Ability::Url],
        ),
        (
            json!({ "sampling": {}, "roots": { "listChanged": true } }),
            vec![Ability::Sampling, Ability::Roots],
        ),
        (json!({ "sampling": true }), vec![]),
    ];
    for (capabilities, expected) in cases {
        let found = Abilities::of_capabilities(&capabilities);
        let expected = expected
            .into_iter()
            .fold(Abilities::none(), Abilities::with);
        assert_eq!(found, expected, "{capabilities}");
    }
}
