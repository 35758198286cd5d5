//! Runs user code so that a panic in it ends the call, not the server.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use crate::{CallContext, CallError, Subject, ToolResult};

/// Runs `work`; `Err` if it panics, where panics unwind.
pub(crate) fn catch<T>(subject: Subject, work: impl FnOnce() -> T) -> Result<T, CallError> {
    // Unwind safety: after a panic nothing that `work` held is touched again. State that user code shares between
    // calls is its own to guard, as with threads.
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| CallError::panicked(subject, text(panic.as_ref())))
}

/// Runs `body` to its end, where panics unwind, or until it needs an answer that is not there.
///
/// `body` may panic before it returns a future, when it is no `async fn`, so that is caught too.
pub(crate) async fn run<I, O, F, Fut>(
    subject: Subject,
    context: &CallContext,
    input: I,
    body: F,
) -> Result<O, CallError>
where
    F: FnOnce(I, CallContext) -> Fut,
    Fut: Future<Output = ToolResult<O>>,
{
    let context = context.for_run();
    let replay = context.replay().clone();
    // Before the future, so that it goes after it: what goes with the future is not told of the end.
    let _end = replay.end();
    let mut future = pin!(catch(subject, || body(input, context))?);
    poll_fn(|cx| match catch(subject, || future.as_mut().poll(cx)) {
        Ok(Poll::Ready(output)) => {
            Poll::Ready(output.map_err(|error| CallError::failed(subject, &error)))
        }
        Ok(Poll::Pending) => match replay.pause(cx.waker()) {
            Some(pause) => Poll::Ready(Err(pause)),
            None => Poll::Pending,
        },
        Err(error) => Poll::Ready(Err(error)),
    })
    .await
}

fn text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref().map(String::as_str))
        .unwrap_or("a panic without text")
}
