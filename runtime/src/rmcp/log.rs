//! Log messages to the client, which MCP deprecated in 2026-07-28 (SEP-2577) and clients still show.
#![expect(
    deprecated,
    reason = "deprecated by the protocol, not replaced: clients show these messages until it goes"
)]

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use rmcp::{
    Peer, RoleServer,
    model::{
        LoggingLevel, LoggingMessageNotificationParam, RequestMetaObject, ServerCapabilities,
        SetLevelRequestParams,
    },
};
use serde_json::Value;

use crate::{LogLevel, Revision};

/// The parameters of `logging/setLevel`.
pub(super) type SetLevel = SetLevelRequestParams;

/// All levels, in order: the index is what [`SessionLevel`] keeps.
const LEVELS: [LogLevel; 8] = [
    LogLevel::Debug,
    LogLevel::Info,
    LogLevel::Notice,
    LogLevel::Warning,
    LogLevel::Error,
    LogLevel::Critical,
    LogLevel::Alert,
    LogLevel::Emergency,
];

/// The least level that the client of one session wants; clones are of the same session.
#[derive(Clone, Debug)]
pub(super) struct SessionLevel(Arc<AtomicU8>);

impl Default for SessionLevel {
    /// Before `logging/setLevel` the server decides: all but debugging.
    fn default() -> Self {
        Self(Arc::new(AtomicU8::new(LogLevel::Info as u8)))
    }
}

impl SessionLevel {
    pub(super) fn set(&self, request: &SetLevel) {
        self.0
            .store(from_rmcp(request.level) as u8, Ordering::Relaxed);
    }

    /// The least level that the client of this request wants; `None` for no messages at all.
    ///
    /// From 2026-07-28 on each request says it, and silence means none.
    pub(super) fn wanted(&self, meta: &RequestMetaObject, revision: Revision) -> Option<LogLevel> {
        if revision.is_modern() {
            return meta.log_level().map(from_rmcp);
        }
        LEVELS
            .get(usize::from(self.0.load(Ordering::Relaxed)))
            .copied()
    }
}

/// Log messages: what every server of ours can send.
pub(super) fn capabilities() -> ServerCapabilities {
    ServerCapabilities::builder().enable_logging().build()
}

pub(super) async fn send(client: &Peer<RoleServer>, level: LogLevel, data: Value) {
    let message = LoggingMessageNotificationParam::new(to_rmcp(level), data);
    if let Err(error) = client.notify_logging_message(message).await {
        tracing::debug!(%error, "a log message did not reach the client");
    }
}

const fn from_rmcp(level: LoggingLevel) -> LogLevel {
    match level {
        LoggingLevel::Debug => LogLevel::Debug,
        LoggingLevel::Info => LogLevel::Info,
        LoggingLevel::Notice => LogLevel::Notice,
        LoggingLevel::Warning => LogLevel::Warning,
        LoggingLevel::Error => LogLevel::Error,
        LoggingLevel::Critical => LogLevel::Critical,
        LoggingLevel::Alert => LogLevel::Alert,
        LoggingLevel::Emergency => LogLevel::Emergency,
    }
}

const fn to_rmcp(level: LogLevel) -> LoggingLevel {
    match level {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Info => LoggingLevel::Info,
        LogLevel::Notice => LoggingLevel::Notice,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
        LogLevel::Critical => LoggingLevel::Critical,
        LogLevel::Alert => LoggingLevel::Alert,
        LogLevel::Emergency => LoggingLevel::Emergency,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_level_is_its_value() {
        for (index, level) in LEVELS.into_iter().enumerate() {
            assert_eq!(level as usize, index);
            assert_eq!(from_rmcp(to_rmcp(level)), level);
        }
    }
}
