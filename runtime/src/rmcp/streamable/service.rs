//! A server as a tower service: what stands between HTTP and rmcp's streamable HTTP transport.

use std::{
    convert::Infallible,
    error::Error,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Body, Bytes},
    header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use rmcp::{
    model::{ErrorCode, ErrorData, JsonRpcError, RequestId},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde::{Deserialize, de::IgnoredAny};
use tokio_util::sync::CancellationToken;

use super::{Allow, HttpConfig};
use crate::{
    Toolset,
    rmcp::{Handler, into_handler},
};

/// The body of every answer: bytes, or a stream of server-sent events.
pub type HttpBody = BoxBody<Bytes, Infallible>;

/// Serves a toolset over streamable HTTP, as a tower service for `axum::Router::nest_service` and the like.
///
/// `Host` and `Origin` are checked, the body is limited, and nothing is kept between calls; see [`HttpConfig`].
/// A method finds the head of its request in `cx.extensions()`, as [`http::request::Parts`](crate::http::request::Parts).
/// A server of its own, with graceful shutdown, is [`HttpServer`](super::HttpServer).
pub fn http_service<T: Toolset>(toolset: T, config: HttpConfig) -> HttpService<T> {
    HttpService::new(
        toolset,
        config,
        CancellationToken::new(),
        CancellationToken::new(),
    )
}

/// The service that [`http_service`] makes. Cloning it is cheap; the clones serve one toolset.
pub struct HttpService<T: Toolset> {
    inner: StreamableHttpService<Handler<T>, LocalSessionManager>,
    config: Arc<HttpConfig>,
}

impl<T: Toolset> Clone for HttpService<T> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            config: Arc::clone(&self.config),
        }
    }
}

impl<T: Toolset> fmt::Debug for HttpService<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

impl<T: Toolset> HttpService<T> {
    /// A service whose open streams end when `stop` is cancelled, those of clients that only listen already with `closing`.
    pub(super) fn new(
        toolset: T,
        config: HttpConfig,
        closing: CancellationToken,
        stop: CancellationToken,
    ) -> Self {
        let mut handler = into_handler(toolset).closing_with(closing);
        if !config.sessions {
            handler = handler.without_sessions();
        }
        if let Some(limit) = config.request_timeout {
            handler = handler.with_call_timeout(limit);
        }
        let inner = StreamableHttpService::new(
            move || Ok(handler.new_session()),
            Arc::new(LocalSessionManager::default()),
            transport_config(&config, stop),
        );
        Self {
            inner,
            config: Arc::new(config),
        }
    }

    async fn answer<B>(self, request: Request<B>) -> Response<HttpBody>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let bytes = match self.read(&parts.headers, body).await {
            Ok(bytes) => bytes,
            Err(refusal) => return refusal,
        };
        let claims_json = is_json(&parts.headers);
        let request = Request::from_parts(parts, Full::new(bytes.clone()));
        let response = self.inner.handle(request).await;
        if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && claims_json {
            // rmcp calls a body it cannot read a wrong media type. JSON-RPC has its own words for that.
            return unreadable(&bytes);
        }
        response
    }

    /// The whole body: rmcp reads it whole anyway, and here it gets a time limit.
    async fn read<B>(&self, headers: &HeaderMap, body: B) -> Result<Bytes, Response<HttpBody>>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let limit = self.config.max_body_bytes;
        if announced_length(headers).is_some_and(|length| length > limit as u64) {
            return Err(too_large(limit));
        }
        let collected = Limited::new(body, limit).collect();
        match tokio::time::timeout(self.config.read_timeout, collected).await {
            Ok(Ok(collected)) => Ok(collected.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(limit)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "the request body broke off");
                Err(plain(StatusCode::BAD_REQUEST, "the request body broke off"))
            }
            Err(_) => Err(too_slow(self.config.read_timeout)),
        }
    }
}

impl<T, B> tower_service::Service<Request<B>> for HttpService<T>
where
    T: Toolset,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

fn transport_config(config: &HttpConfig, stop: CancellationToken) -> StreamableHttpServerConfig {
    let base = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(config.sessions)
        // A plain answer where one suffices; a call that reports progress still becomes a stream.
        .with_json_response(true)
        .with_max_request_body_bytes(config.max_body_bytes)
        .with_cancellation_token(stop);
    let base = match &config.hosts {
        // For rmcp an empty list allows all. An entry that no host equals keeps our meaning: none.
        Allow::Only(hosts) if hosts.is_empty() => base.with_allowed_hosts([""]),
        Allow::Only(hosts) => base.with_allowed_hosts(hosts),
        Allow::Any => base.disable_allowed_hosts(),
    };
    match &config.origins {
        Allow::Only(origins) => base
            .with_allowed_origins(origins)
            .enforce_origin_validation(),
        Allow::Any => base.disable_allowed_origins(),
    }
}

fn announced_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(value)) = headers.get(CONTENT_TYPE).map(HeaderValue::to_str) else {
        return false;
    };
    let essence = value.split_once(';').map_or(value, |(essence, _)| essence);
    essence.trim().eq_ignore_ascii_case("application/json")
}

/// JSON-RPC's answer to a body that is no message: `-32700` when it is not JSON, else `-32600`, with the request's id where it
/// can be read.
fn unreadable(body: &[u8]) -> Response<HttpBody> {
    #[derive(Deserialize)]
    struct Identified {
        id: RequestId,
    }
    let mut id = None;
    let error = match serde_json::from_slice::<IgnoredAny>(body) {
        Err(error) => ErrorData::new(
            ErrorCode::PARSE_ERROR,
            format!("the body is not JSON: {error}"),
            None,
        ),
        Ok(_) if body.trim_ascii_start().starts_with(b"[") => {
            ErrorData::invalid_request("batches are not served: send one message a request", None)
        }
        Ok(_) => {
            let read = serde_json::from_slice::<Identified>(body);
            id = read.ok().map(|it| it.id);
            ErrorData::invalid_request("the body is not a JSON-RPC 2.0 message", None)
        }
    };
    let text = serde_json::to_vec(&JsonRpcError::new(id, error)).unwrap_or_default();
    respond(StatusCode::BAD_REQUEST, "application/json", text.into())
}

fn too_large(limit: usize) -> Response<HttpBody> {
    plain(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the request body exceeds {limit} bytes"),
    )
}

fn too_slow(limit: Duration) -> Response<HttpBody> {
    plain(
        StatusCode::REQUEST_TIMEOUT,
        format!("the request body took longer than {limit:?}"),
    )
}

pub(super) fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<HttpBody> {
    respond(status, "text/plain; charset=utf-8", text.into())
}

fn respond(status: StatusCode, media_type: &'static str, body: Bytes) -> Response<HttpBody> {
    let mut response = Response::new(Full::new(body).boxed());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
