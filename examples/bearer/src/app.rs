//! What is served where: the MCP service behind its layer, and the document that tells clients where tokens come from.

use axum::{Router, routing::get};
use mcp_codegen_runtime::{HttpConfig, http::header::CONTENT_TYPE, http_service};
use notes_example::r#gen::notes::NotesServer;
use serde_json::json;
use tower_layer::Layer;

use crate::{layer::BearerLayer, notebooks::Notebooks, tokens::Tokens};

/// Where RFC 9728 has the description of the resource `/mcp`.
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

/// Who gives out tokens. Here nobody does: they stand in a file.
const ISSUER: &str = "https://login.example.com";

/// The whole application; `origin` is where clients see it, such as `https://notes.example.com`.
pub(crate) fn router(tokens: Tokens, origin: &str) -> Router {
    let service = http_service(
        NotesServer::new(Notebooks::default()),
        HttpConfig::default(),
    );
    let layer = BearerLayer::new(tokens, format!("{origin}{METADATA}"));
    let metadata = json!({
        "resource": format!("{origin}/mcp"),
        "authorization_servers": [ISSUER],
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["notes:read", "notes:write"],
    });
    let metadata = ([(CONTENT_TYPE, "application/json")], metadata.to_string());
    Router::new()
        .route(METADATA, get(|| async { metadata }))
        .nest_service("/mcp", layer.layer(service))
}

#[cfg(test)]
mod tests;
