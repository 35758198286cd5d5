//! An HTTP server of its own: listening, connections, graceful shutdown.

use std::{
    convert::Infallible,
    fmt, io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use hyper::{
    Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream, ToSocketAddrs},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

use super::{Allow, HttpBody, HttpConfig, HttpService, service::plain};
use crate::{
    Toolset,
    rmcp::{ServeError, shutdown},
};

/// Serves a toolset over streamable HTTP on `address`, path `/mcp`, until SIGINT or SIGTERM.
///
/// Only clients on this machine are served: see [`HttpConfig::hosts`], and [`serve_http_with`] to change it.
///
/// # Errors
///
/// When `address` cannot be listened on or the signal handlers cannot be installed.
///
/// # Examples
///
/// ```no_run
/// # use mcp_codegen_runtime::{ServeError, Toolset, serve_http};
/// # async fn example(server: impl Toolset) -> Result<(), ServeError> {
/// serve_http(server, "127.0.0.1:8080").await
/// # }
/// ```
pub async fn serve_http<T: Toolset>(
    toolset: T,
    address: impl ToSocketAddrs + fmt::Debug,
) -> Result<(), ServeError> {
    serve_http_with(toolset, address, HttpConfig::default()).await
}

/// [`serve_http`] with settings.
///
/// # Errors
///
/// As for [`serve_http`].
pub async fn serve_http_with<T: Toolset>(
    toolset: T,
    address: impl ToSocketAddrs + fmt::Debug,
    config: HttpConfig,
) -> Result<(), ServeError> {
    let signalled = shutdown::on_signal()?;
    let server = HttpServer::bind(toolset, address, config).await?;
    let handle = server.shutdown_handle();
    tokio::spawn(async move {
        signalled.cancelled().await;
        handle.shutdown();
    });
    server.serve().await;
    Ok(())
}

/// A bound HTTP server that answers once [`serve`](Self::serve) runs.
///
/// # Examples
///
/// ```no_run
/// # use mcp_codegen_runtime::{HttpConfig, HttpServer, ServeError, Toolset};
/// # async fn example(server: impl Toolset) -> Result<(), ServeError> {
/// let server = HttpServer::bind(server, "127.0.0.1:0", HttpConfig::default()).await?;
/// let (address, handle) = (server.local_addr(), server.shutdown_handle());
/// let running = tokio::spawn(server.serve());
/// // … talk to http://{address}/mcp …
/// # let _ = address;
/// handle.shutdown();
/// let _ = running.await;
/// # Ok(())
/// # }
/// ```
pub struct HttpServer<T: Toolset> {
    listener: TcpListener,
    address: SocketAddr,
    service: HttpService<T>,
    config: Arc<HttpConfig>,
    shutdown: CancellationToken,
    /// Ends the streams that are still open when the time to finish is over.
    stop: CancellationToken,
}

impl<T: Toolset> fmt::Debug for HttpServer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer")
            .field("address", &self.address)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// The address a connection comes from; in the extensions of every request that [`HttpServer`] serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteAddr(pub SocketAddr);

/// Asks an [`HttpServer`] to end. Cloning it gives another handle to the same server.
#[derive(Clone, Debug)]
pub struct ShutdownHandle(CancellationToken);

impl ShutdownHandle {
    /// Takes no more connections, lets the calls under way finish, then ends the server.
    pub fn shutdown(&self) {
        self.0.cancel();
    }
}

impl<T: Toolset> HttpServer<T> {
    /// Listens on `address`; port 0 takes a free one, see [`local_addr`](Self::local_addr).
    ///
    /// A bound IP address is served under its own number too: a web page cannot make a name of it.
    ///
    /// # Errors
    ///
    /// [`ServeError::Bind`] when `address` cannot be listened on.
    pub async fn bind(
        toolset: T,
        address: impl ToSocketAddrs + fmt::Debug,
        mut config: HttpConfig,
    ) -> Result<Self, ServeError> {
        let listener = TcpListener::bind(&address)
            .await
            .map_err(|source| ServeError::Bind {
                address: name(&address),
                source,
            })?;
        let address = listener.local_addr()?;
        config.hosts = with_own_address(config.hosts, address.ip());
        let stop = CancellationToken::new();
        let shutdown = CancellationToken::new();
        let service = HttpService::new(toolset, config.clone(), shutdown.clone(), stop.clone());
        Ok(Self {
            listener,
            address,
            service,
            config: Arc::new(config),
            shutdown,
            stop,
        })
    }

    /// Where the server listens.
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// A handle that ends the server from elsewhere.
    pub fn shutdown_handle(&self) -> ShutdownHandle {
        ShutdownHandle(self.shutdown.clone())
    }

    /// Serves until a [`ShutdownHandle`] ends it, then waits for the calls under way.
    pub async fn serve(self) {
        tracing::info!(address = %self.address, path = self.config.path, "serving MCP over HTTP");
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => break,
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, remote)) => {
                        connections.spawn(self.connection(stream, remote));
                    }
                    Err(error) => wait_after(&error).await,
                },
            }
        }
        // Refuse new connections from here on.
        drop(self.listener);
        let finished = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(self.config.shutdown_timeout, finished)
            .await
            .is_err()
        {
            tracing::warn!("calls were still running at the end of the shutdown timeout");
        }
        self.stop.cancel();
        connections.shutdown().await;
    }

    fn connection(
        &self,
        stream: TcpStream,
        remote: SocketAddr,
    ) -> impl Future<Output = ()> + Send + use<T> {
        let service = self.service.clone();
        let config = Arc::clone(&self.config);
        let shutdown = self.shutdown.clone();
        async move {
            // Answers are small and waited for. Without the option they only come later.
            let _ = stream.set_nodelay(true);
            let route = service_fn(|request| route(request, remote, service.clone(), &config.path));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(config.read_timeout)
                .serve_connection(TokioIo::new(stream), route);
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = shutdown.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, %remote, "connection ended early");
            }
        }
    }
}

fn route<T: Toolset>(
    mut request: Request<Incoming>,
    remote: SocketAddr,
    mut service: HttpService<T>,
    path: &str,
) -> impl Future<Output = Result<Response<HttpBody>, Infallible>> + Send + use<T> {
    let known = request.uri().path() == path;
    async move {
        if !known {
            return Ok(plain(StatusCode::NOT_FOUND, "not found"));
        }
        request.extensions_mut().insert(RemoteAddr(remote));
        service.call(request).await
    }
}

/// Adds the address that is listened on, which clients may use as a name.
fn with_own_address(hosts: Allow, ip: IpAddr) -> Allow {
    let Allow::Only(mut hosts) = hosts else {
        return hosts;
    };
    if !ip.is_unspecified() {
        hosts.push(ip.to_string());
    } else if HttpConfig::default().hosts == Allow::Only(hosts.clone()) {
        tracing::warn!(
            "listening on all addresses, but serving only local names: set `HttpConfig::hosts`"
        );
    }
    Allow::Only(hosts)
}

fn name(address: &impl fmt::Debug) -> String {
    format!("{address:?}").trim_matches('"').to_owned()
}

/// A connection that died in the queue is nothing; a full file table passes only with time.
async fn wait_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};

    if matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        return;
    }
    tracing::error!(%error, "cannot accept connections");
    tokio::time::sleep(Duration::from_millis(500)).await;
}
