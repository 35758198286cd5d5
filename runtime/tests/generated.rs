//! Generated code, written by hand, at work: every macro and helper, end to end.

#![deny(warnings)]
#![expect(clippy::unwrap_used, reason = "tests")]

#[allow(
    dead_code,
    unreachable_pub,
    clippy::pedantic,
    reason = "as in a generated `mod.rs`: a server need not use every type of its contract"
)]
#[path = "generated/weather.rs"]
mod weather;

use mcp_codegen_runtime::{
    CallContext, Content, Progress, Redact, Revision, ToolCall, ToolError, ToolResult, Toolset,
    Value, combine,
    content::{Image, ImageFormat},
    redacted,
    serde_json::{self, json},
    testing::{InProcess, block_on},
};
use weather::{
    CONTRACT, GetWeatherInput, GetWeatherOutput, ShapesInput, TemperatureInput, Weather,
    WeatherReportInput, WeatherServer,
};

/// What its tools do depends on the location, so that each test can ask for what it needs.
struct Station;

impl Weather for Station {
    async fn get_weather(
        &self,
        input: GetWeatherInput,
        cx: CallContext,
    ) -> ToolResult<GetWeatherOutput> {
        cx.progress(Progress::new(1.0).of(2.0)).await;
        match input.location.as_str() {
            "panic" => panic!("the secret of the panic"),
            "decides" => return Err(ToolError::new("no station there; try `Oslo`")),
            "io" => return Err(std::io::Error::other("the secret of the disk").into()),
            "shown" => {
                let error = ToolError::from(std::io::Error::other("the secret of the disk"));
                return Err(error.with_message("try again later"));
            }
            "upstream" => return cx.output(&json!({ "temperature": "21 (secret)" })),
            _ => {}
        }
        cx.attach("more");
        cx.meta("example.com/station", 4711);
        let label = if input.location == "unlabelled" {
            String::new()
        } else {
            cx.tool().to_owned()
        };
        Ok(GetWeatherOutput {
            temperature: 4.5,
            label,
            days: input.days,
            note: input.note,
            parent: Some(input.parent),
        })
    }

    async fn weather_report(&self, _: WeatherReportInput, _: CallContext) -> ToolResult<Content> {
        let image = Image::from_bytes(*b"\x89PNG\r\n\x1a\n", ImageFormat::Png);
        Ok(Content::from([Content::text("sunny"), image.into()]))
    }

    fn temperature(
        &self,
        input: TemperatureInput,
        _: CallContext,
    ) -> impl Future<Output = ToolResult<i64>> + Send {
        assert_ne!(input.city, "panic", "before there is a future");
        std::future::ready(Ok(21))
    }

    async fn shapes(&self, input: ShapesInput, _: CallContext) -> ToolResult<Vec<Value>> {
        Ok(vec![serde_json::to_value(input)?])
    }

    async fn numbers(&self, _: WeatherReportInput, _: CallContext) -> ToolResult<Vec<i64>> {
        Ok(vec![1, 2])
    }
}

fn call(revision: Revision, tool: &str, arguments: Value) -> Value {
    let client = InProcess::new(WeatherServer::new(Station)).with_revision(revision);
    block_on(client.call(tool, arguments))
}

/// What the client is told of a failure.
fn failure(tool: &str, arguments: Value) -> String {
    let result = call(Revision::LATEST, tool, arguments);
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None);
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_typed_result_with_attachments() {
    let result = call(
        Revision::LATEST,
        "get_weather",
        json!({ "location": "Oslo", "days": 3.0, "note": null, "parent": null }),
    );
    let expected = json!({ "temperature": 4.5, "label": "get_weather", "days": 3, "note": null, "parent": null });
    let text = serde_json::to_string(&expected).unwrap();
    assert_eq!(
        result,
        json!({
            "content": [{ "type": "text", "text": text }, { "type": "text", "text": "more" }],
            "structuredContent": expected,
            "isError": false,
            "resultType": "complete",
            "_meta": {
                "io.modelcontextprotocol/serverInfo": { "name": "weather", "version": "0.1.0", "title": "Weather" },
                "example.com/station": 4711,
            },
        })
    );
    // Key order is the declared one, not the alphabet's.
    assert!(result.to_string().contains(r#""temperature":4.5,"label""#));
}

#[test]
fn absent_and_null_stay_apart() {
    let result = call(
        Revision::LATEST,
        "get_weather",
        json!({ "location": "Oslo", "parent": "Norway" }),
    );
    assert_eq!(
        result["structuredContent"],
        json!({ "temperature": 4.5, "label": "get_weather", "parent": "Norway" })
    );
}

#[test]
fn every_violation_is_told() {
    let text = failure(
        "get_weather",
        json!({ "location": "", "units": "metrics", "days": 9, "noise": "x", "note": 1 }),
    );
    assert_eq!(
        text,
        "6 violations in the arguments of `get_weather`:\n\
         - missing required property `parent`\n\
         - /location: expected at least 1 character, got 0\n\
         - /units: expected one of \"metric\", \"imperial\", got \"metrics\"; did you mean \"metric\"?\n\
         - /days: expected at most 7, got 9\n\
         - /note: expected string or null, got integer\n\
         - /noise: unknown property; known properties: `location`, `units`, `days`, `note`, `parent`"
    );
}

#[test]
fn redacted_errors_show_no_values() {
    let client = InProcess::new(redacted(WeatherServer::new(Station)));
    let arguments = json!({ "location": "Oslo", "units": "SECRET", "days": 424_242, "parent": 1 });
    let text = block_on(client.call("get_weather", arguments)).to_string();
    assert!(text.contains("/days: expected at most 7"), "{text}");
    assert!(
        !text.contains("SECRET") && !text.contains("424242"),
        "{text}"
    );
    let call = ToolCall::new("get_weather", json!({ "key": "SECRET" })).with_redact(Redact::Values);
    assert!(!format!("{call:?}").contains("SECRET"));
}

#[test]
fn failures_say_what_the_client_may_know() {
    let at = |location: &str| {
        failure(
            "get_weather",
            json!({ "location": location, "parent": null }),
        )
    };
    assert_eq!(at("decides"), "no station there; try `Oslo`");
    assert_eq!(at("io"), "tool `get_weather` failed");
    assert_eq!(at("shown"), "try again later");
    assert_eq!(at("panic"), "tool `get_weather` failed");
    assert_eq!(
        failure("temperature", json!({ "city": "panic" })),
        "tool `temperature` failed"
    );
    assert_eq!(
        at("unlabelled"),
        "1 violation in the result of `get_weather`, so it was not sent:\n\
         - /label: expected at least 1 character, got 0"
    );
    assert_eq!(
        at("upstream"),
        "2 violations in the upstream data for the result of `get_weather`:\n\
         - missing required property `label`\n\
         - /temperature: expected number, got string"
    );
}

#[test]
fn unknown_tools_are_protocol_errors() {
    let result = call(Revision::LATEST, "get_wether", json!({}));
    assert_eq!(
        result,
        json!({ "error": { "code": -32602, "message": "unknown tool `get_wether`" } })
    );
}

#[test]
fn content_tools_have_no_structured_content() {
    let result = call(Revision::V2025_06_18, "weather_report", json!({}));
    assert_eq!(
        result,
        json!({
            "content": [
                { "type": "text", "text": "sunny" },
                { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            ],
            "isError": false,
        })
    );
}

#[test]
fn other_values_than_objects_are_wrapped_for_legacy_peers() {
    let structured = |revision, tool: &str| {
        let result = call(revision, tool, json!({ "city": "Oslo" }));
        (
            result["structuredContent"].clone(),
            result["content"].clone(),
        )
    };
    let text = |text: &str| json!({ "type": "text", "text": text });
    let legacy = Revision::V2025_11_25;
    assert_eq!(
        structured(Revision::LATEST, "temperature"),
        (json!(21), json!([text("21")]))
    );
    assert_eq!(
        structured(legacy, "temperature"),
        (json!({ "result": 21 }), json!([text("21")]))
    );
    let always = (json!({ "result": [1, 2] }), json!([text("1"), text("2")]));
    assert_eq!(structured(Revision::LATEST, "numbers"), always);
    assert_eq!(structured(legacy, "numbers"), always);
}

#[test]
fn listings_speak_the_revision_of_the_peer() {
    let list = |revision| {
        InProcess::new(WeatherServer::new(Station))
            .with_revision(revision)
            .list_tools()
    };
    let schema = |tools: &[Value], index: usize| tools[index]["outputSchema"].clone();
    let (modern, legacy) = (list(Revision::LATEST), list(Revision::V2025_06_18));
    let names: Vec<&Value> = modern.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(
        names,
        [
            "get_weather",
            "weather_report",
            "temperature",
            "shapes",
            "numbers"
        ]
    );
    assert_eq!(schema(&modern, 0), schema(&legacy, 0));
    assert_eq!(schema(&modern, 1), Value::Null);
    assert_eq!(schema(&modern, 2), json!({ "type": "integer" }));
    let wrapped = |schema: Value| json!({ "type": "object", "properties": { "result": schema }, "required": ["result"] });
    assert_eq!(schema(&legacy, 2), wrapped(json!({ "type": "integer" })));
    let shapes = schema(&legacy, 3);
    assert_eq!(
        shapes["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(
        shapes["properties"]["result"]["items"]["$ref"],
        "#/properties/result/$defs/Item"
    );
    assert_eq!(schema(&modern, 4), schema(&legacy, 4));
    assert_eq!(schema(&modern, 4)["required"], json!(["result"]));
}

#[test]
fn every_kind_of_type_round_trips() {
    let base = json!({
        "shape": { "kind": "circle", "radius": 1.5 }, "level": 0.5, "text": "a", "count": 3,
        "filter": { "id": 7 }, "tree": [[], [[]]], "pair": ["a", 1], "labels": { "first": 1, "other": 2 },
    });
    let cases = [
        ("shape", json!({ "radius": 1.5 }), None),
        ("shape", json!({ "kind": "sq", "side": 2.5 }), None),
        ("level", json!(1.0), Some(json!(1))),
        ("level", json!(null), None),
        ("level", json!(true), None),
        ("text", json!(["a", "b"]), None),
        ("count", json!(3.0), Some(json!(3))),
        ("count", json!(3.5), None),
        ("count", json!(false), None),
        // The first schema refuses 0, so this is a name, and what its type drops is dropped.
        (
            "filter",
            json!({ "id": 0, "name": "x" }),
            Some(json!({ "name": "x" })),
        ),
        ("tree", json!([]), None),
        (
            "labels",
            json!({ "other": 2.0 }),
            Some(json!({ "other": 2 })),
        ),
    ];
    for (key, value, expected) in cases {
        let mut input = base.clone();
        input[key] = value.clone();
        let result = call(Revision::LATEST, "shapes", input.clone());
        input[key] = expected.unwrap_or(value);
        assert_eq!(result["structuredContent"], json!([input]), "{result}");
    }
}

#[test]
fn violations_in_unions_name_the_branch_that_was_meant() {
    let mut input = json!({
        "shape": { "kind": "square", "side": "2" }, "level": 2, "text": 1, "count": "3",
        "filter": { "id": 0 }, "tree": [[1]], "pair": "[\"a\", 1]", "labels": { "other": 1.5 },
    });
    assert_eq!(
        failure("shapes", input.clone()),
        "8 violations in the arguments of `shapes`:\n\
         - /shape/side: expected number, got string; send it without quotes\n\
         - /level: expected one of 1, 0.5, null, true, got 2\n\
         - /text: expected string or array, got integer\n\
         - /count: expected boolean, integer or number, got string; send it without quotes\n\
         - /filter/id: expected at least 1, got 0\n\
         - /tree/0/0: expected array, got integer\n\
         - /pair: expected array, got a JSON text: send the array itself\n\
         - /labels/other: expected integer, got number"
    );
    input["shape"] = json!({ "kind": "triangle" });
    let text = failure("shapes", input);
    assert!(
        text.contains(
            "- /shape/kind: expected one of \"circle\", \"square\", \"sq\", got \"triangle\""
        ),
        "{text}"
    );
}

#[test]
fn what_the_type_cannot_hold_is_a_violation_too() {
    let arguments = json!({ "location": "Oslo", "parent": null, "days": -1e30 });
    let text = failure("get_weather", arguments);
    assert!(
        text.contains(
            "- /days: expected a whole number from -9223372036854775808 to 9223372036854775807, got -1e"
        ),
        "{text}"
    );
}

#[test]
fn combining_refuses_a_name_twice() {
    let error = combine((WeatherServer::new(Station), WeatherServer::new(Station))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the servers `weather` and `weather` both have a tool `get_weather`"
    );
}

#[test]
fn a_prepared_contract_answers() {
    CONTRACT.prepare();
    assert_eq!(CONTRACT.find("shapes").unwrap().name(), "shapes");
    assert_eq!(CONTRACT.instructions(), Some("Ask for one city at a time."));
    assert_eq!(
        WeatherServer::new(Station).contract().server().title(),
        Some("Weather")
    );
}
