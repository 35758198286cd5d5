//! Runs user code so that a panic in it ends the call, not the server.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use crate::{CallContext, CallError, elicit::Pause};

/// Why user code did not run to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It panicked; the panic's text.
    Panicked(String),
    /// It waits for what only a further request of the client can bring.
    Paused(Pause),
}

impl Stop {
    /// The end of the call; `panicked` makes it of a panic's text.
    pub(crate) fn into_error(self, panicked: impl FnOnce(&str) -> CallError) -> CallError {
        match self {
            Self::Panicked(panic) => panicked(&panic),
            Self::Paused(Pause::Asks(input)) => CallError::InputRequired(input),
            Self::Paused(Pause::Misfit(message)) => CallError::InvalidAnswer { message },
        }
    }
}

/// Runs `work`; `Err` with the panic's text if it panics, where panics unwind.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Unwind safety: after a panic nothing that `work` held is touched again. State that user code shares between
    // calls is its own to guard, as with threads.
    catch_unwind(AssertUnwindSafe(work)).map_err(text)
}

/// Runs `body` to its end, where panics unwind, or until it needs an answer that is not there.
///
/// `body` may panic before it returns a future, when it is no `async fn`, so that is caught too.
pub(crate) async fn run<I, T, F, Fut>(body: F, input: I, context: CallContext) -> Result<T, Stop>
where
    F: FnOnce(I, CallContext) -> Fut,
    Fut: Future<Output = T>,
{
    let context = context.for_run();
    let replay = context.replay().clone();
    // Before the future, so that it goes after it: what goes with the future is not told of the end.
    let _end = replay.end();
    let mut future = pin!(catch(|| body(input, context)).map_err(Stop::Panicked)?);
    poll_fn(|cx| match catch(|| future.as_mut().poll(cx)) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => match replay.pause(cx.waker()) {
            Some(pause) => Poll::Ready(Err(Stop::Paused(pause))),
            None => Poll::Pending,
        },
        Err(panic) => Poll::Ready(Err(Stop::Panicked(panic))),
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
