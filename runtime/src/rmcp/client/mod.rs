//! Connections of clients: to child processes, to any reader and writer, and over HTTP.

mod connection;
#[cfg(feature = "client-http")]
mod http;
mod mute;

use std::{error::Error, io, process::Command, time::Duration};

use rmcp::{
    RoleClient,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
    service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt},
    transport::{DynamicTransportError, IntoTransport, TokioChildProcess},
};
use tokio::io::{AsyncRead, AsyncWrite};

use self::{connection::RmcpConnection, mute::Mute};
use crate::{
    ClientInfo, Revision,
    client::{Client, ClientError, TransportError},
    wire::RpcError,
};

/// How long a server may take to say its first word: enough for one that is downloaded first.
const OPENING: Duration = Duration::from_secs(120);

/// Opens connections to servers.
///
/// # Examples
///
/// ```no_run
/// use std::process::Command;
///
/// use mcp_codegen_runtime::{ClientInfo, client::{Client, ClientError, Connector}};
///
/// # async fn example() -> Result<(), ClientError> {
/// let connector = Connector::new().with_client_info(ClientInfo::new("dashboard", "1.2.0"));
/// let client: Client = connector.stdio(Command::new("weather-example")).await?;
/// // let weather = WeatherClient::over(client);
/// # let _ = client;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Connector {
    info: ClientInfo,
    revision: Option<Revision>,
    #[cfg(feature = "client-http")]
    http: http::Settings,
}

impl Connector {
    /// One that speaks 2026-07-28 where the server does, else 2025-11-25 or what the server offers instead.
    ///
    /// A server that does not answer at all to what it does not know costs ten seconds: see
    /// [`with_revision`](Self::with_revision).
    pub fn new() -> Self {
        Self {
            info: ClientInfo::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            revision: None,
            #[cfg(feature = "client-http")]
            http: http::Settings::default(),
        }
    }

    /// Sets who the client says it is.
    #[must_use]
    pub fn with_client_info(mut self, info: ClientInfo) -> Self {
        self.info = info;
        self
    }

    /// Speaks this revision, without asking first what the server speaks. Of those before 2026-07-28, a server may still offer
    /// another one.
    #[must_use]
    pub fn with_revision(mut self, revision: Revision) -> Self {
        self.revision = Some(revision);
        self
    }

    /// Sends this token with every HTTP request, as `Authorization: Bearer …`.
    #[cfg(feature = "client-http")]
    #[must_use]
    pub fn with_bearer_token(mut self, token: impl Into<String>) -> Self {
        self.http.set_token(token.into());
        self
    }

    /// Sends this header with every HTTP request.
    #[cfg(feature = "client-http")]
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.http.add_header(name.into(), value.into());
        self
    }

    /// Starts a server as a child process and speaks to it over its standard input and output. Its standard error is this
    /// process's own, unless `command` says otherwise.
    ///
    /// # Errors
    ///
    /// [`ClientError::Transport`] when it does not start or answer, [`ClientError::Refused`] when it refuses this client.
    pub async fn stdio(&self, command: Command) -> Result<Client, ClientError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = TokioChildProcess::new(tokio::process::Command::from(command));
        let child = child.map_err(|error| {
            TransportError::new(format!("`{program}` does not start: {error}")).with_source(error)
        })?;
        self.open(child, false).await
    }

    /// Speaks to the server behind a reader and a writer of newline-delimited JSON-RPC messages.
    ///
    /// # Errors
    ///
    /// As for [`stdio`](Self::stdio).
    pub async fn io<R, W>(&self, reader: R, writer: W) -> Result<Client, ClientError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        self.open((reader, writer), false).await
    }

    /// Connects to a server over HTTP: `http://127.0.0.1:8080/mcp`. `https:` needs the feature `client-tls`.
    ///
    /// # Errors
    ///
    /// As for [`stdio`](Self::stdio). A bad URL or header is [`ClientError::Transport`] too.
    #[cfg(feature = "client-http")]
    pub async fn http(&self, url: &str) -> Result<Client, ClientError> {
        self.open(self.http.transport(url)?, true).await
    }

    /// `headers`: the transport has some.
    async fn open<T, E, A>(&self, transport: T, headers: bool) -> Result<Client, ClientError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        let opening = Mute(self.config()).serve_with_lifecycle(transport, self.lifecycle());
        let running = tokio::time::timeout(OPENING, opening)
            .await
            .map_err(|_| {
                let limit = OPENING.as_secs();
                TransportError::new(format!("the server has not answered for {limit} seconds"))
            })?
            .map_err(failed)?;
        Ok(Client::new(RmcpConnection::new(running, headers)))
    }

    fn config(&self) -> ClientConfig {
        let mut info = Implementation::new(self.info.name.clone(), self.info.version.clone());
        info.title.clone_from(&self.info.title);
        let config = ClientConfig::new(ClientCapabilities::default(), info);
        match self.revision {
            Some(revision) => config.with_protocol_version(version(revision)),
            None => config,
        }
    }

    fn lifecycle(&self) -> ClientLifecycleMode {
        match self.revision {
            None => ClientLifecycleMode::Auto {
                preferred_versions: vec![version(Revision::LATEST)],
                legacy_version: Some(version(Revision::V2025_11_25)),
            },
            Some(revision) if revision.is_modern() => ClientLifecycleMode::Discover {
                preferred_versions: vec![version(revision)],
            },
            Some(_) => ClientLifecycleMode::Initialize,
        }
    }
}

impl Default for Connector {
    fn default() -> Self {
        Self::new()
    }
}

fn version(revision: Revision) -> ProtocolVersion {
    match revision {
        Revision::V2024_11_05 => ProtocolVersion::V_2024_11_05,
        Revision::V2025_03_26 => ProtocolVersion::V_2025_03_26,
        Revision::V2025_06_18 => ProtocolVersion::V_2025_06_18,
        Revision::V2025_11_25 => ProtocolVersion::V_2025_11_25,
        Revision::V2026_07_28 => ProtocolVersion::V_2026_07_28,
    }
}

/// Why the connection could not be opened.
fn failed(error: ClientInitializeError) -> ClientError {
    match error {
        ClientInitializeError::JsonRpcError(error) => ClientError::Refused(refusal(error)),
        // Of the two attempts, the second is the one that was to work.
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => failed(*fallback),
        // A program that ends at once may be gone before or after the first word to it.
        ClientInitializeError::TransportError { error, .. } if is_broken_pipe(&error) => {
            let message = "the server does not open the connection: it has ended";
            TransportError::new(message).with_source(error.error).into()
        }
        ClientInitializeError::TransportError { error, .. } => unreachable(error).into(),
        error => {
            let message = format!("the server does not open the connection: {error}");
            TransportError::new(message).with_source(error).into()
        }
    }
}

fn source<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    #[cfg(feature = "client-http")]
    if let Some(source) = http::source(error) {
        return Some(source);
    }
    error.source()
}

/// The SDK's own message names types and not the cause.
fn unreachable(error: DynamicTransportError) -> TransportError {
    let message = format!("the server cannot be reached: {}", cause(&error));
    TransportError::new(message).with_source(error.error)
}

fn is_broken_pipe(error: &DynamicTransportError) -> bool {
    let cause = cause(error).downcast_ref::<io::Error>();
    cause.is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// Where an error comes from in the end.
fn cause(error: &DynamicTransportError) -> &(dyn Error + 'static) {
    let mut cause: &(dyn Error + 'static) = error.error.as_ref();
    while let Some(source) = source(cause) {
        cause = source;
    }
    cause
}

fn refusal(error: rmcp::ErrorData) -> RpcError {
    RpcError {
        code: error.code.0.into(),
        message: error.message.into_owned(),
        data: error.data,
    }
}
