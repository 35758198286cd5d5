//! A contract's tools beside those of a hand-written rmcp server.
#![cfg(feature = "rmcp")]
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/mod.rs"]
mod support;

use mcp_codegen_runtime::rmcp::{Handler, into_handler};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    handler::server::router::tool::ToolRouter,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    tool, tool_handler, tool_router,
};
use serde_json::json;

use self::support::Probe;

struct Macros {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Macros {
    fn new() -> Self {
        Self {
            tool_router: Self::tool_router() + into_handler(Probe::default()).router(),
        }
    }

    #[tool(description = "written by hand")]
    fn by_hand() -> String {
        "by hand".to_owned()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Macros {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

struct ByHand(Handler<Probe>);

impl ServerHandler for ByHand {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools = self.0.tools(&context).to_vec();
        tools.push(Tool::new(
            "by_hand",
            "written by hand",
            serde_json::Map::new(),
        ));
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.0.owns(&request.name) {
            return self.0.call(request, context).await;
        }
        Ok(CallToolResult::success(vec![ContentBlock::text("by hand")]).into())
    }
}

async fn check(server: impl ServerHandler) {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await });
    let client = ().serve(ours).await.unwrap();
    assert_eq!(client.list_all_tools().await.unwrap().len(), 11);
    let text = |result: CallToolResult| result.content[0].as_text().unwrap().text.clone();

    let result = client
        .call_tool(CallToolRequestParams::new("by_hand"))
        .await
        .unwrap();
    assert_eq!(text(result), "by hand");
    let arguments = json!({ "location": "Oslo" }).as_object().unwrap().clone();
    let result = client
        .call_tool(CallToolRequestParams::new("weather").with_arguments(arguments))
        .await
        .unwrap();
    assert_eq!(result.structured_content.unwrap()["temperature"], 4.5);
    let result = client
        .call_tool(CallToolRequestParams::new("weather"))
        .await
        .unwrap();
    assert_eq!(result.is_error, Some(true));
    assert!(text(result).contains("`location`"));
}

#[tokio::test]
async fn a_tool_router_takes_the_contract_in() {
    check(Macros::new()).await;
}

#[tokio::test]
async fn a_server_without_router_passes_calls_on() {
    check(ByHand(into_handler(Probe::default()))).await;
}
