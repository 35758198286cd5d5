//! From rmcp's request context to what a tool's method sees.

use std::sync::Arc;

use rmcp::{
    RoleServer,
    model::{Implementation, ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{ask, handler::Session, log};
use crate::{
    Abilities, AskError, CallContext, Cancellation, ClientInfo, Extensions, LogLevel, Peer,
    PeerFuture, Progress, Question, Revision,
};

/// What one request says about itself.
pub(super) fn call_context(
    request: RequestContext<RoleServer>,
    revision: Revision,
    session: &Session,
    cancellation: Cancellation,
) -> CallContext {
    let client = client(&request);
    let abilities = abilities(&request, revision);
    let peer = Client {
        progress_token: request.meta.get_progress_token(),
        wanted: session.level.wanted(&request.meta, revision),
        gone: request.ct,
        deaf: session.deaf.clone(),
        peer: request.peer,
    };
    let context = CallContext::new()
        .with_request_id(request.id.to_string())
        .with_revision(revision)
        .with_cancellation(cancellation)
        .with_abilities(abilities)
        .with_extensions(extensions(request.extensions))
        .with_peer(Arc::new(peer));
    match client {
        Some(client) => context.with_client(client),
        None => context,
    }
}

/// The revision that a request is made in.
///
/// rmcp refuses requests in a revision it does not know, so the fallback is for a handler that is called without any
/// negotiation, as `serve_directly` does: the last revision that had one.
pub(super) fn revision(request: &RequestContext<RoleServer>) -> Revision {
    request
        .protocol_version()
        .and_then(|version| version.as_str().parse().ok())
        .unwrap_or(Revision::V2025_11_25)
}

fn client(request: &RequestContext<RoleServer>) -> Option<ClientInfo> {
    let info = if is_sessionless(request) {
        // rmcp makes up a client of its own name where nobody introduced himself.
        request.meta.client_info()?
    } else {
        request.client_info()?
    };
    let Implementation {
        name,
        title,
        version,
        ..
    } = info;
    let client = ClientInfo::new(name, version);
    Some(match title {
        Some(title) => client.with_title(title),
        None => client,
    })
}

/// What the client declares, in its request or when it opened the session.
fn abilities(request: &RequestContext<RoleServer>, revision: Revision) -> Abilities {
    if !revision.is_modern() && is_sessionless(request) {
        // An answer to a request of ours would find nobody.
        return Abilities::none();
    }
    // As JSON, because rmcp's types say that sampling and roots are deprecated.
    let declared = request.client_capabilities();
    let declared = declared.and_then(|it| serde_json::to_value(it).ok());
    declared.map_or_else(Abilities::none, |it| Abilities::of_capabilities(&it))
}

/// Whether the request came by HTTP without a session, so that no `initialize` is remembered.
#[cfg(feature = "http")]
fn is_sessionless(request: &RequestContext<RoleServer>) -> bool {
    let parts = request.extensions.get::<hyper::http::request::Parts>();
    parts.is_some_and(|parts| !parts.headers.contains_key("mcp-session-id"))
}

#[cfg(not(feature = "http"))]
const fn is_sessionless(_: &RequestContext<RoleServer>) -> bool {
    false
}

/// Over HTTP, the head of the request.
#[cfg(feature = "http")]
fn extensions(mut from: rmcp::model::Extensions) -> Extensions {
    let mut extensions = Extensions::new();
    if let Some(parts) = from.remove::<hyper::http::request::Parts>() {
        extensions.insert(parts);
    }
    extensions
}

#[cfg(not(feature = "http"))]
fn extensions(_: rmcp::model::Extensions) -> Extensions {
    Extensions::new()
}

/// The client of one request.
struct Client {
    peer: rmcp::Peer<RoleServer>,
    progress_token: Option<ProgressToken>,
    wanted: Option<LogLevel>,
    /// The client gave the request up.
    gone: CancellationToken,
    deaf: CancellationToken,
}

impl Client {
    /// Runs `send` unless the client no longer cares, or until it does no longer.
    async fn while_listening<T>(&self, send: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.gone.cancelled() => None,
            () = self.deaf.cancelled() => None,
            output = send => Some(output),
        }
    }
}

impl Peer for Client {
    fn progress(&self, progress: Progress) -> PeerFuture<'_> {
        Box::pin(async move {
            let Some(token) = self.progress_token.clone() else {
                return;
            };
            let mut notification = ProgressNotificationParam::new(token, progress.done);
            notification.total = progress.total;
            notification.message = progress.message;
            self.while_listening(async {
                if let Err(error) = self.peer.notify_progress(notification).await {
                    tracing::debug!(%error, "a progress notification did not reach the client");
                }
            })
            .await;
        })
    }

    fn log(&self, level: LogLevel, data: Value) -> PeerFuture<'_> {
        Box::pin(async move {
            if self.wanted.is_some_and(|wanted| level >= wanted) {
                self.while_listening(log::send(&self.peer, level, data))
                    .await;
            }
        })
    }

    fn ask<'a>(&'a self, question: &'a Question) -> PeerFuture<'a, Result<Value, AskError>> {
        Box::pin(async move {
            let answer = self.while_listening(ask::ask(&self.peer, question)).await;
            answer.unwrap_or_else(|| Err(AskError::unreachable("it gave the request up")))
        })
    }
}
