//! What an HTTP server allows, and how long it waits.

use std::time::Duration;

/// Which hosts or origins may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allow {
    /// Only these; an empty list allows none.
    Only(Vec<String>),
    /// Any at all. Only where something in front of the server checks instead.
    Any,
}

impl Allow {
    fn push(&mut self, entry: String) {
        match self {
            Self::Only(entries) => entries.push(entry),
            Self::Any => {}
        }
    }
}

/// Settings of the HTTP transport; the default is safe on a developer's machine.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::HttpConfig;
///
/// let config = HttpConfig::default()
///     .allow_host("tools.example.com")
///     .allow_origin("https://app.example.com:443");
/// assert_eq!(config.path, "/mcp");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpConfig {
    /// The path that [`HttpServer`](super::HttpServer) answers on: `/mcp`.
    ///
    /// [`http_service`](super::http_service) does not look at it: there the router decides.
    pub path: String,
    /// The values of `Host` that are served, each `host` or `host:port`; any other gets `403`.
    ///
    /// By default the names of this machine: `localhost`, `127.0.0.1`, `::1`. This is what keeps a
    /// web page from reaching a local server through a name it controls (DNS rebinding).
    pub hosts: Allow,
    /// The values of `Origin` that are served, each `scheme://host:port` or `scheme://host:*`; any other gets
    /// `403`. A request without `Origin` does not come from a web page and passes.
    ///
    /// By default pages served by this machine, whatever their port.
    pub origins: Allow,
    /// The largest request body in bytes; a larger one gets `413`. 4 MiB by default.
    pub max_body_bytes: usize,
    /// How long a client may take to send the head, and again the body, of a request: 30 s by default.
    pub read_timeout: Duration,
    /// How long one call of a tool may take, 5 minutes by default; `None` for no limit.
    ///
    /// A call that takes longer is dropped and answered with an `isError` result that says so.
    pub request_timeout: Option<Duration>,
    /// How long a server that was asked to end waits for the calls under way: 10 s by default.
    pub shutdown_timeout: Duration,
    /// Whether clients of the revisions before 2026-07-28 get a session that lives in this process.
    ///
    /// Off by default: then nothing is kept between calls, and any number of processes can stand behind a load
    /// balancer. A session is needed only to remember a client's name, its `logging/setLevel` and what it subscribed to.
    pub sessions: bool,
}

impl Default for HttpConfig {
    fn default() -> Self {
        let local = |entries: [&str; 3]| Allow::Only(entries.map(String::from).to_vec());
        Self {
            path: "/mcp".to_owned(),
            hosts: local(["localhost", "127.0.0.1", "::1"]),
            origins: local(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"]),
            max_body_bytes: 4 * 1024 * 1024,
            read_timeout: Duration::from_secs(30),
            request_timeout: Some(Duration::from_secs(300)),
            shutdown_timeout: Duration::from_secs(10),
            sessions: false,
        }
    }
}

impl HttpConfig {
    /// Also serves requests whose `Host` is `host`, with a port or for any port.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Also serves web pages of `origin`, such as `https://app.example.com:443` or `http://localhost:*`.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Answers on `path` instead of `/mcp`.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Sets the largest request body in bytes.
    #[must_use]
    pub const fn with_max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Sets how long a client may take to send a request.
    #[must_use]
    pub const fn with_read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// Sets how long one call may take; `None` for no limit.
    #[must_use]
    pub const fn with_request_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.request_timeout = timeout;
        self
    }

    /// Sets how long the end waits for calls under way.
    #[must_use]
    pub const fn with_shutdown_timeout(mut self, timeout: Duration) -> Self {
        self.shutdown_timeout = timeout;
        self
    }

    /// Keeps a session in this process for each client of a revision before 2026-07-28.
    #[must_use]
    pub const fn with_sessions(mut self, sessions: bool) -> Self {
        self.sessions = sessions;
        self
    }
}
