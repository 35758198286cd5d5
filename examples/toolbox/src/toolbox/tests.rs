//! All tools through one client, in both eras.
#![expect(clippy::unwrap_used, reason = "tests")]

use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, CallToolResult, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt, RunningService},
};
use serde_json::{Value, json};

use super::*;

async fn client(lifecycle: ClientLifecycleMode) -> RunningService<RoleClient, ()> {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let server = Toolbox::new(Store::in_memory().unwrap()).unwrap();
    tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await });
    ().serve_with_lifecycle(ours, lifecycle).await.unwrap()
}

async fn call(
    client: &RunningService<RoleClient, ()>,
    name: &'static str,
    arguments: Value,
) -> CallToolResult {
    let arguments = arguments.as_object().unwrap().clone();
    let request = CallToolRequestParams::new(name).with_arguments(arguments);
    client.call_tool(request).await.unwrap()
}

#[tokio::test]
async fn contracts_and_tools_written_by_hand_are_one_server() {
    let modern = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    for lifecycle in [ClientLifecycleMode::Initialize, modern] {
        let client = client(lifecycle).await;
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|it| &*it.name).collect();
        for name in ["convert_temperature", "get_weather", "create_note"] {
            assert!(names.contains(&name), "{names:?}");
        }

        let converted = call(&client, "convert_temperature", json!({ "celsius": 100 })).await;
        assert_eq!(converted.content[0].as_text().unwrap().text, "212 °F");
        let weather = call(&client, "get_weather", json!({ "city": "Cairo" })).await;
        assert_eq!(weather.structured_content.unwrap()["conditions"], "clear");
        let note = call(&client, "create_note", json!({ "title": "Sunscreen" })).await;
        assert_eq!(note.structured_content.unwrap()["id"], 1);

        // Merging takes nothing from the contract: arguments are still held against it, every violation at once.
        let wrong = call(&client, "create_note", json!({ "titel": 1 })).await;
        let text = &wrong.content[0].as_text().unwrap().text;
        assert_eq!(wrong.is_error, Some(true));
        assert!(
            text.contains("did you mean `title`?") && text.contains("missing"),
            "{text}"
        );
    }
}

#[test]
fn two_contracts_with_one_tool_are_refused() {
    let twice = combine((weather_example::server(), weather_example::server()));
    let message = twice.map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("`find_station`"), "{message}");
}
