//! A small load balancer: each request goes to the next server in turn, whoever sent it.
//!
//! It knows nothing of MCP. A real one does the same, and TLS, health checks and limits besides.

use std::{
    convert::Infallible,
    error::Error,
    fmt::Display,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use http_body_util::{BodyExt, Full, Limited, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode, Uri,
    body::{Bytes, Incoming},
    header::{CONNECTION, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING, UPGRADE},
    http::{request::Parts, uri::Authority},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo},
};
use tokio::net::{TcpListener, TcpStream};

/// As much as the servers take themselves.
const MAX_BODY: usize = 4 * 1024 * 1024;

/// Which server answered; for the curious and for tests.
const SERVED_BY: HeaderName = HeaderName::from_static("x-served-by");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Headers that are about one connection, not about the request.
const HOP_BY_HOP: [HeaderName; 4] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    TRANSFER_ENCODING,
    UPGRADE,
];

type Body = BoxBody<Bytes, hyper::Error>;

/// Servers, and whose turn it is.
#[derive(Debug)]
pub(crate) struct Proxy {
    servers: Vec<Authority>,
    next: AtomicUsize,
    client: Client<HttpConnector, Full<Bytes>>,
}

impl Proxy {
    /// A balancer for these servers, of which there is at least one.
    pub(crate) fn new(servers: Vec<Authority>) -> Self {
        Self {
            servers,
            next: AtomicUsize::new(0),
            client: Client::builder(TokioExecutor::new()).build_http(),
        }
    }

    /// Takes connections until it is dropped.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let proxy = Arc::new(self);
        loop {
            match listener.accept().await {
                Ok((stream, remote)) => {
                    tokio::spawn(connection(Arc::clone(&proxy), stream, remote));
                }
                Err(error) => tracing::warn!(%error, "cannot accept a connection"),
            }
        }
    }

    /// Asks the next server, and the ones after it while one cannot be reached.
    ///
    /// Nothing has been sent to one that cannot be connected to, so trying another is safe whatever the request does.
    async fn forward(&self, request: Request<Incoming>, remote: SocketAddr) -> Response<Body> {
        let (mut head, body) = request.into_parts();
        // Whole, so that it can be sent again. Requests of MCP are small; it is answers that can be long.
        let body = match Limited::new(body, MAX_BODY).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => return failure(StatusCode::PAYLOAD_TOO_LARGE, &error),
        };
        remove_hop_by_hop(&mut head.headers);
        if let Ok(remote) = HeaderValue::try_from(remote.ip().to_string()) {
            head.headers.append(FORWARDED_FOR, remote);
        }
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let mut answer = failure(StatusCode::BAD_GATEWAY, &"no server");
        for turn in 0..self.servers.len() {
            let server = &self.servers[first.wrapping_add(turn) % self.servers.len()];
            match self.ask(server, &head, body.clone()).await {
                Ok(response) => return response,
                Err((error, again)) => {
                    tracing::warn!(%server, %error, "a server does not answer");
                    answer = failure(StatusCode::BAD_GATEWAY, &error);
                    if !again {
                        break;
                    }
                }
            }
        }
        answer
    }

    /// Asks one server. Its answer is handed on as it comes, so a stream of events stays one. A failure says whether another
    /// server may be asked.
    async fn ask(
        &self,
        server: &Authority,
        head: &Parts,
        body: Bytes,
    ) -> Result<Response<Body>, (Box<dyn Error + Send + Sync>, bool)> {
        let path = head.uri.path_and_query().map_or("/", |it| it.as_str());
        let uri = Uri::builder()
            .scheme("http")
            .authority(server.clone())
            .path_and_query(path)
            .build()
            .map_err(|error| (error.into(), false))?;
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = head.method.clone();
        *request.uri_mut() = uri;
        *request.headers_mut() = head.headers.clone();
        let response = self.client.request(request).await.map_err(|error| {
            let again = error.is_connect();
            (error.into(), again)
        })?;
        let mut response = response.map(BodyExt::boxed);
        remove_hop_by_hop(response.headers_mut());
        if let Ok(server) = HeaderValue::try_from(server.as_str()) {
            response.headers_mut().insert(SERVED_BY, server);
        }
        Ok(response)
    }
}

async fn connection(proxy: Arc<Proxy>, stream: TcpStream, remote: SocketAddr) {
    let service = service_fn(|request| {
        let proxy = Arc::clone(&proxy);
        async move { Ok::<_, Infallible>(proxy.forward(request, remote).await) }
    });
    // A client that hangs up ends this future, with it the request to the server, and so the call there.
    let served = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, %remote, "a connection ended early");
    }
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
}

fn failure(status: StatusCode, reason: &dyn Display) -> Response<Body> {
    let text = Full::from(reason.to_string()).map_err(|never| match never {});
    let mut response = Response::new(text.boxed());
    *response.status_mut() = status;
    response
}
