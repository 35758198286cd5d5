//! The signals that ask a server to end: SIGINT and SIGTERM, Ctrl-C where there are no signals.

use std::io;

use tokio_util::sync::CancellationToken;

/// A token that is cancelled by the first signal that asks this process to end.
///
/// The task behind it ends with the runtime; it holds nothing that a shutdown waits for.
///
/// # Errors
///
/// When the signal handlers cannot be installed.
pub(super) fn on_signal() -> io::Result<CancellationToken> {
    let token = CancellationToken::new();
    let cancelled = token.clone();
    let signal = first_signal()?;
    tokio::spawn(async move {
        let name = signal.await;
        tracing::info!(signal = name, "shutting down");
        cancelled.cancel();
    });
    Ok(token)
}

#[cfg(unix)]
fn first_signal() -> io::Result<impl Future<Output = &'static str>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => "SIGINT",
            _ = terminate.recv() => "SIGTERM",
        }
    })
}

#[cfg(not(unix))]
fn first_signal() -> io::Result<impl Future<Output = &'static str>> {
    Ok(async {
        // An error here means that the console is gone, and with it whoever could press the keys.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    })
}
