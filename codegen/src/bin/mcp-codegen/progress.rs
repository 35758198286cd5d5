//! A line on the terminal while a run takes long; nothing on quick runs, in pipes, or in CI.

use std::{
    io::Write as _,
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows `what` and the seconds since the start, until it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts to watch the time if `watched`.
    pub(crate) fn start(what: &'static str, watched: bool) -> Self {
        if !watched {
            return Self { running: None };
        }
        let (stop, stopped) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let start = Instant::now();
            let mut shown = false;
            while stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown = true;
                let _unreported = write!(
                    anstream::stderr(),
                    "\r{what}… {} s",
                    start.elapsed().as_secs()
                );
            }
            if shown {
                // Blanks the line, so that findings begin in the first column.
                let _unreported = write!(
                    anstream::stderr(),
                    "\r{:width$}\r",
                    "",
                    width = what.len() + 16
                );
            }
        });
        Self {
            running: Some((stop, thread)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _finished = thread.join();
        }
    }
}
