//! Work that blocks, done where it keeps no other call from being answered.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{CallContext, PeerFuture, ToolError, ToolResult};

/// How a transport runs work that blocks: its future is done when the work is, on whatever thread that was.
///
/// The work reads files. Without this it is done where the call is answered.
pub type Blocking = fn(work: Box<dyn FnOnce() + Send>) -> PeerFuture<'static>;

/// Does `work`, elsewhere if it `blocks` and the transport knows a place.
pub(crate) async fn run<T: Send + 'static>(
    context: &CallContext,
    blocks: bool,
    work: impl FnOnce() -> ToolResult<T> + Send + 'static,
) -> ToolResult<T> {
    let Some(elsewhere) = context.blocking().filter(|_| blocks) else {
        return work();
    };
    let done = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&done);
    elsewhere(Box::new(move || {
        let result = work();
        // Nothing that panics runs under this lock.
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }))
    .await;
    let result = done.lock().unwrap_or_else(PoisonError::into_inner).take();
    // The place closes when the server ends.
    result.unwrap_or_else(|| {
        Err(ToolError::new(
            "the server ended before the files were read",
        ))
    })
}
