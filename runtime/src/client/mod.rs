//! Typed clients: what generated clients stand on, over any connection.
//!
//! A generated `WeatherClient` has one method per tool. Each goes through a [`Client`], which holds arguments and results against
//! the [`Contract`](crate::Contract), and sends them over a [`Connection`]. The server behind it need not be made by mcp-codegen.
//!
//! [`Connect`] opens connections: to a server in the same process always; to a child process over standard input and output with the
//! feature `client`; over HTTP with the feature `client-http`, and over HTTPS with `client-tls`.

mod call;
mod connection;
mod error;
mod in_process;
mod offers;
mod reply;
#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc};

#[cfg(feature = "client")]
pub use crate::rmcp::Connector;

#[cfg(feature = "client")]
pub(crate) use self::call::wants_to_ask;
pub use self::{
    connection::{Connection, ConnectionError, ConnectionFuture, Request},
    error::{Breach, ClientError, Direction, ToolFailure, TransportError},
    offers::{Contents, ContentsReply, Message, PromptReply},
    reply::{Block, Link, Media, Reply},
};
use crate::{Revision, Toolset};

/// The client of one server. Cheap to clone; clones share the connection, which ends with the last of them.
#[derive(Clone)]
pub struct Client(Arc<dyn Connection>);

impl Client {
    /// A client over a connection.
    pub fn new(connection: impl Connection) -> Self {
        Self(Arc::new(connection))
    }

    /// A client of a server in the same process. No transport and no executor take part.
    pub fn in_process(server: impl Toolset) -> Self {
        Self::new(in_process::InProcess::new(server, Revision::LATEST))
    }

    /// The same, as one that speaks `revision`.
    pub fn in_process_as(server: impl Toolset, revision: Revision) -> Self {
        Self::new(in_process::InProcess::new(server, revision))
    }

    /// The protocol revision that both sides speak.
    pub fn revision(&self) -> Revision {
        self.0.revision()
    }

    /// Ends the connection, and waits for it: a child process has ended afterwards. Calls under way fail.
    ///
    /// Dropping the last clone ends it too, without waiting.
    ///
    /// # Errors
    ///
    /// [`ClientError::Transport`].
    pub async fn close(&self) -> Result<(), ClientError> {
        Ok(self.0.close().await?)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("revision", &self.revision())
            .finish_non_exhaustive()
    }
}

/// What every generated client can do beside calling its tools.
///
/// These stand in a trait so that a tool may be called `new` or `http`: `WeatherClient::http(…)` is then the tool, and
/// `<WeatherClient as Connect>::http(…)` opens a connection.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{Toolset, client::{Client, ClientError, Connect}};
/// # struct WeatherClient(Client);
/// # impl Connect for WeatherClient {
/// #     fn over(client: Client) -> Self { Self(client) }
/// #     fn client(&self) -> &Client { &self.0 }
/// # }
///
/// async fn no_transport_needed(server: impl Toolset) {
///     let weather = WeatherClient::in_process(server);
///     // weather.get_weather(&GetWeatherInput { … }).await
/// #   let _ = weather;
/// }
/// ```
pub trait Connect: Sized + Send {
    /// The typed client over an untyped one.
    fn over(client: Client) -> Self;

    /// The untyped client.
    fn client(&self) -> &Client;

    /// A client over a connection of any kind.
    fn new(connection: impl Connection) -> Self {
        Self::over(Client::new(connection))
    }

    /// A client of a server in the same process.
    fn in_process(server: impl Toolset) -> Self {
        Self::over(Client::in_process(server))
    }

    /// Starts a server as a child process and speaks to it over its standard input and output. [`Connector`] has more choices.
    ///
    /// # Errors
    ///
    /// [`ClientError::Transport`] when it does not start or answer, [`ClientError::Refused`] when it refuses this client.
    #[cfg(feature = "client")]
    fn stdio(
        command: std::process::Command,
    ) -> impl Future<Output = Result<Self, ClientError>> + Send {
        async { Ok(Self::over(Connector::new().stdio(command).await?)) }
    }

    /// Connects to a server over HTTP. [`Connector`] has more choices, such as a bearer token.
    ///
    /// # Errors
    ///
    /// As for [`stdio`](Self::stdio).
    #[cfg(feature = "client-http")]
    fn http(url: &str) -> impl Future<Output = Result<Self, ClientError>> + Send {
        async move { Ok(Self::over(Connector::new().http(url).await?)) }
    }
}
