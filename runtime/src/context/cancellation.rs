//! A switch that is thrown once and can be awaited without an executor.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

/// A switch that is thrown once, when the client cancels. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    /// Of those who wait, by ticket; a slot is reused once its future is gone.
    wakers: Vec<Option<Waker>>,
}

impl Cancellation {
    /// A switch that is not thrown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Throws the switch and wakes all who wait for it.
    pub fn cancel(&self) {
        let wakers = {
            let mut state = self.lock();
            state.cancelled = true;
            std::mem::take(&mut state.wakers)
        };
        // Outside the lock: a waker may run the future at once.
        wakers.into_iter().flatten().for_each(Waker::wake);
    }

    /// Whether the switch was thrown.
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Completes when the switch is thrown.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled {
            switch: self.clone(),
            ticket: None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code of others runs under this lock, so a poisoned state is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Completes when a [`Cancellation`] is thrown.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Cancelled {
    switch: Cancellation,
    ticket: Option<usize>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let switch = self.switch.clone();
        let mut state = switch.lock();
        if state.cancelled {
            return Poll::Ready(());
        }
        let ticket = self
            .ticket
            .or_else(|| state.wakers.iter().position(Option::is_none));
        let waker = Some(cx.waker().clone());
        let old = if let Some(slot) = ticket.and_then(|ticket| state.wakers.get_mut(ticket)) {
            self.ticket = ticket;
            std::mem::replace(slot, waker)
        } else {
            state.wakers.push(waker);
            self.ticket = Some(state.wakers.len() - 1);
            None
        };
        // Outside the lock: a waker may hold the last hand on a task, and with it on others who wait here.
        drop(state);
        drop(old);
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else {
            return;
        };
        let mut state = self.switch.lock();
        let waker = state.wakers.get_mut(ticket).and_then(Option::take);
        // As in `poll`.
        drop(state);
        drop(waker);
    }
}
