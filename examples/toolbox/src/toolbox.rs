//! A server of rmcp that takes contracts in.

use mcp_codegen_runtime::{Duplicate, combine, into_handler};
use notes_example::{Notebook, Store, r#gen::notes::NotesServer};
use rmcp::{
    ServerHandler,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::{Implementation, ServerCapabilities, ServerConfig},
    tool, tool_handler, tool_router,
};
use serde::Deserialize;

/// What is offered: weather and notes as their contracts say, and `convert_temperature` from here.
#[derive(Clone, Debug)]
pub(crate) struct Toolbox {
    tool_router: ToolRouter<Self>,
}

/// Arguments of the tool written by hand. rmcp makes the schema of this type; nothing holds arguments against it but serde.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Convert {
    /// Degrees Celsius.
    celsius: f64,
}

#[tool_router]
impl Toolbox {
    /// # Errors
    ///
    /// When two contracts have a tool of one name. Against tools written by hand rmcp checks nothing: the later one wins.
    pub(crate) fn new(notes: Store) -> Result<Self, Duplicate> {
        let notebook = NotesServer::new(Notebook::new(notes));
        let contracts = combine((weather_example::server(), notebook))?;
        Ok(Self {
            tool_router: Self::tool_router() + into_handler(contracts).router(),
        })
    }

    #[tool(description = "Converts a temperature to Fahrenheit.")]
    fn convert_temperature(Parameters(Convert { celsius }): Parameters<Convert>) -> String {
        format!("{} °F", celsius * 1.8 + 32.0)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Toolbox {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("toolbox", env!("CARGO_PKG_VERSION")))
    }
}

#[cfg(test)]
mod tests;
