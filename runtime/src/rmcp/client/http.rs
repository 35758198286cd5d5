//! What HTTP requests of a client carry.

use std::{collections::HashMap, error::Error, fmt};

use http::{HeaderName, HeaderValue};
use rmcp::{
    RoleClient,
    transport::{
        StreamableHttpClientTransport, Transport,
        streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError},
    },
};

use crate::client::TransportError;

/// Headers, as they were set: what is wrong with them is told when they are used.
#[derive(Clone, Default)]
pub(super) struct Settings {
    token: Option<String>,
    headers: Vec<(String, String)>,
}

impl Settings {
    pub(super) fn set_token(&mut self, token: String) {
        self.token = Some(token);
    }

    pub(super) fn add_header(&mut self, name: String, value: String) {
        self.headers.push((name, value));
    }

    /// What carries messages to the server at `url`.
    pub(super) fn transport(
        &self,
        url: &str,
    ) -> Result<impl Transport<RoleClient> + use<>, TransportError> {
        let is_tls = url
            .get(..6)
            .is_some_and(|it| it.eq_ignore_ascii_case("https:"));
        if is_tls && !cfg!(feature = "client-tls") {
            let message =
                format!("`{url}`: HTTPS needs the feature `client-tls` of mcp-codegen-runtime");
            return Err(TransportError::new(message));
        }
        #[cfg(feature = "client-tls")]
        provide_cryptography();
        let mut headers = HashMap::new();
        for (name, value) in &self.headers {
            let bad = || TransportError::new(format!("the header `{name}` cannot be sent"));
            let key: HeaderName = name.parse().map_err(|it| bad().with_source(it))?;
            let value = HeaderValue::from_str(value).map_err(|it| bad().with_source(it))?;
            headers.insert(key, value);
        }
        let mut config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(headers);
        if let Some(token) = &self.token {
            config = config.auth_header(token);
        }
        // The SDK makes such a client itself and panics where that fails, for want of the platform's certificates, say.
        reqwest::Client::builder().build().map_err(|error| {
            TransportError::new(format!("no HTTP client can be made here: {error}"))
                .with_source(error)
        })?;
        Ok(StreamableHttpClientTransport::from_config(config))
    }
}

/// The HTTP client panics in a process without one. A program that has chosen another one keeps it.
#[cfg(feature = "client-tls")]
fn provide_cryptography() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // It fails only where another thread was faster.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}

/// The error of the HTTP client inside of one of the SDK, whose `source` does not lead there.
pub(super) fn source<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>()? {
        StreamableHttpError::Client(error) => Some(error),
        _ => None,
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values may be secrets.
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Settings")
            .field("token", &self.token.is_some())
            .field("headers", &names)
            .finish()
    }
}
