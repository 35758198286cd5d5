//! A tower layer that lets requests with a good bearer token pass, and puts its claims into them.

use std::{
    future::{Ready, ready},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use jiff::Timestamp;
use mcp_codegen_runtime::http::{
    HeaderMap, HeaderValue, Request, Response, StatusCode,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use tower_layer::Layer;
use tower_service::Service;

use crate::tokens::{Claims, Tokens};

/// Puts a [`Bearer`] around a service.
#[derive(Clone, Debug)]
pub(crate) struct BearerLayer(Arc<Guard>);

/// What decides, and what is said to those who are turned away.
#[derive(Debug)]
struct Guard {
    tokens: Tokens,
    /// The URL of the resource's description, from which a client learns where to get a token.
    metadata: String,
}

impl BearerLayer {
    /// A layer for these tokens; `metadata` is the URL that RFC 9728 has clients read after a `401`.
    pub(crate) fn new(tokens: Tokens, metadata: String) -> Self {
        Self(Arc::new(Guard { tokens, metadata }))
    }
}

impl<S> Layer<S> for BearerLayer {
    type Service = Bearer<S>;

    fn layer(&self, inner: S) -> Bearer<S> {
        Bearer {
            inner,
            guard: Arc::clone(&self.0),
        }
    }
}

/// A service that only those reach who have a token. They are known further in by the [`Claims`] among the request's
/// extensions.
#[derive(Clone, Debug)]
pub(crate) struct Bearer<S> {
    inner: S,
    guard: Arc<Guard>,
}

impl<S, B, R> Service<Request<B>> for Bearer<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    R: Default + Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        match self.guard.check(request.headers()) {
            Ok(claims) => {
                request.extensions_mut().insert(claims.clone());
                Box::pin(self.inner.call(request))
            }
            Err(reason) => {
                let refused: Ready<_> = ready(Ok(self.guard.refusal(reason)));
                Box::pin(refused)
            }
        }
    }
}

/// Why a request is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    NoToken,
    BadToken,
}

impl Guard {
    fn check(&self, headers: &HeaderMap) -> Result<&Claims, Reason> {
        let token = token(headers).ok_or(Reason::NoToken)?;
        self.tokens
            .claims(token, Timestamp::now())
            .ok_or(Reason::BadToken)
    }

    /// `401` with a challenge, as RFC 6750 section 3 words it: no error code for who sent no token at all.
    fn refusal<R: Default>(&self, reason: Reason) -> Response<R> {
        let error = match reason {
            Reason::NoToken => "",
            Reason::BadToken => {
                "error=\"invalid_token\", error_description=\"unknown or expired\", "
            }
        };
        let challenge = format!("Bearer {error}resource_metadata=\"{}\"", self.metadata);
        let mut response = Response::new(R::default());
        *response.status_mut() = StatusCode::UNAUTHORIZED;
        if let Ok(challenge) = HeaderValue::try_from(challenge) {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// The token of the one `Authorization: Bearer …` header. Of two nobody knows which is meant.
fn token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (value, None) = (values.next()?.to_str().ok()?, values.next()) else {
        return None;
    };
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_start())
}
