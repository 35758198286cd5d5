//! Runs user code so that a panic in it ends the call, not the server.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use crate::CallContext;

/// Runs `work`; `Err` with the panic's text if it panics, where panics unwind.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Unwind safety: after a panic nothing that `work` held is touched again. State that user code shares between
    // calls is its own to guard, as with threads.
    catch_unwind(AssertUnwindSafe(work)).map_err(text)
}

/// Runs `body` to its end; `Err` with the panic's text if it panics, where panics unwind.
///
/// `body` may panic before it returns a future, when it is no `async fn`, so that is caught too.
pub(crate) async fn run<I, T, F, Fut>(body: F, input: I, context: CallContext) -> Result<T, String>
where
    F: FnOnce(I, CallContext) -> Fut,
    Fut: Future<Output = T>,
{
    let mut future = pin!(catch(|| body(input, context))?);
    poll_fn(|cx| match catch(|| future.as_mut().poll(cx)) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "used as a function of what `catch_unwind` gives"
)]
fn text(panic: Box<dyn Any + Send>) -> String {
    let panic = panic.as_ref();
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without text".to_owned())
}
