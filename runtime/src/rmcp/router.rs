//! A contract's tools as routes, to be added to those of a `#[tool_router]`.

use rmcp::{
    handler::server::{
        router::tool::{ToolRoute, ToolRouter},
        tool::ToolCallContext,
    },
    model::{CallToolRequestParams, Tool},
};

use super::Handler;
use crate::Toolset;

impl<T: Toolset> Handler<T> {
    /// The contract's tools as a router, to be added to the one of a hand-written server of type `S`.
    ///
    /// rmcp's routers list one form of a tool to all peers. Peers before 2026-07-28 therefore see no output schema where it is
    /// not of an object; the values they get are the same as elsewhere. A server that lists by hand, with
    /// [`tools`](Self::tools), shows them the wrapped schema.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mcp_codegen_runtime::{Toolset, into_handler};
    /// # use rmcp::handler::server::router::tool::ToolRouter;
    /// # struct MyServer;
    /// fn routes(contract: impl Toolset, by_hand: ToolRouter<MyServer>) -> ToolRouter<MyServer> {
    ///     by_hand + into_handler(contract).router()
    /// }
    /// ```
    pub fn router<S: Send + Sync + 'static>(&self) -> ToolRouter<S> {
        let tools = self.published().iter().cloned();
        tools.fold(ToolRouter::new(), |mut router, tool| {
            router.add_route(self.route(tool));
            router
        })
    }

    fn route<S: Send + Sync + 'static>(&self, tool: Tool) -> ToolRoute<S> {
        let handler = self.clone();
        ToolRoute::new_dyn(tool, move |call: ToolCallContext<'_, S>| {
            let handler = handler.clone();
            let ToolCallContext {
                request_context,
                name,
                arguments,
                input_responses,
                request_state,
                ..
            } = call;
            let mut request = CallToolRequestParams::new(name);
            request.arguments = arguments;
            request.input_responses = input_responses;
            request.request_state = request_state;
            Box::pin(async move { handler.call(request, request_context).await })
        })
    }
}
