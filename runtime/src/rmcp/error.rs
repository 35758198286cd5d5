//! Why a server could not be started or had to stop.

use std::{error::Error, fmt, io};

use crate::operator::Chain;

/// A failure of the transport under a server, never of a tool.
///
/// What goes wrong inside one call is answered to the client and does not end the server.
///
/// `Debug` is a sentence with its causes: it is what is shown when `main` returns the error or unwraps it.
#[non_exhaustive]
pub enum ServeError {
    /// The address could not be listened on.
    Bind {
        /// The address as it was asked for.
        address: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The transport, or the signals that end a server, could not be set up.
    Io(io::Error),
    /// The client and the server could not agree on how to talk.
    Handshake(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bind { address, .. } => write!(f, "cannot listen on {address}"),
            Self::Io(_) => f.write_str("the transport failed"),
            Self::Handshake(reason) => write!(f, "the client did not open a session: {reason}"),
        }
    }
}

impl fmt::Debug for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Chain(self), f)
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Bind { source, .. } | Self::Io(source) => Some(source),
            Self::Handshake(_) => None,
        }
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_main_shows_is_a_sentence_with_its_cause() {
        let source = io::Error::from(io::ErrorKind::AddrInUse);
        let cause = source.to_string();
        let address = "127.0.0.1:80".to_owned();
        let error = ServeError::Bind { address, source };
        let expected = format!("cannot listen on 127.0.0.1:80: {cause}");
        assert_eq!(format!("{error:?}"), expected);
        let error = ServeError::Handshake("no `initialize`".to_owned());
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
