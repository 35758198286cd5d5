//! Contexts, cancellation and peers, without an executor.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::Value;

use super::*;
use crate::{
    Cancellation, Cancelled, ClientInfo, Extensions, LogLevel, Peer, PeerFuture, Progress,
};

#[derive(Default)]
struct Recorder(Mutex<Vec<String>>);

impl Recorder {
    fn note(&self, line: String) {
        self.0
            .lock()
            .expect("no test panics while it holds the lock")
            .push(line);
    }
}

impl Peer for Recorder {
    fn progress(&self, it: Progress) -> PeerFuture<'_> {
        Box::pin(
            async move { self.note(format!("{} of {:?}: {:?}", it.done, it.total, it.message)) },
        )
    }

    fn log(&self, level: LogLevel, data: Value) -> PeerFuture<'_> {
        Box::pin(async move { self.note(format!("{level}: {data}")) })
    }
}

#[test]
fn a_context_tells_what_the_transport_knows() {
    let mut extensions = Extensions::new();
    extensions.insert(7_u8);
    let peer = Arc::new(Recorder::default());
    let cx = CallContext::new()
        .with_request_id("1")
        .with_revision(Revision::V2025_06_18)
        .with_client(ClientInfo::new("probe", "1.0").with_title("Probe"))
        .with_extensions(extensions)
        .with_peer(peer.clone());
    assert_eq!(
        (cx.request_id(), cx.revision()),
        (Some("1"), Revision::V2025_06_18)
    );
    assert_eq!(cx.client().map(|it| it.name.as_str()), Some("probe"));
    assert_eq!(
        (cx.extensions().get::<u8>(), cx.extensions().get::<u16>()),
        (Some(&7), None)
    );
    block_on(async {
        cx.progress(Progress::new(1.0).of(2.0).with_message("half"))
            .await;
        cx.log(LogLevel::Warning, "careful").await;
        CallContext::new().log(LogLevel::Debug, "to nobody").await;
    });
    let lines = peer
        .0
        .lock()
        .expect("no test panics while it holds the lock")
        .clone();
    assert_eq!(
        lines,
        ["1 of Some(2.0): Some(\"half\")", "warning: \"careful\""]
    );
}

#[test]
fn cancellation_wakes_all_who_wait() {
    let switch = Cancellation::new();
    let cx = CallContext::new().with_cancellation(switch.clone());
    assert!(!cx.is_cancelled());
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let cx = cx.clone();
            thread::spawn(move || block_on(cx.cancelled()))
        })
        .collect();
    thread::sleep(Duration::from_millis(20));
    switch.cancel();
    for thread in waiting {
        thread.join().expect("the thread only waits");
    }
    block_on(cx.cancelled());
    assert!(cx.is_cancelled());
}

/// A waker that counts.
#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn who_waits_no_more_is_not_woken_and_not_kept() {
    let switch = Cancellation::new();
    let wakers = [(); 3].map(|()| Arc::new(Count::default()));
    let poll = |it: &mut Cancelled, waker: &Arc<Count>| {
        let waker = Waker::from(Arc::clone(waker));
        Pin::new(it).poll(&mut Context::from_waker(&waker))
    };
    let (mut first, mut second) = (switch.cancelled(), switch.cancelled());
    assert!(poll(&mut first, &wakers[0]).is_pending());
    assert!(poll(&mut second, &wakers[1]).is_pending());
    // Polled by another task, it is that one who waits.
    assert!(poll(&mut second, &wakers[2]).is_pending());
    drop(first);
    assert_eq!(Arc::strong_count(&wakers[0]), 1);
    assert_eq!(Arc::strong_count(&wakers[1]), 1);
    switch.cancel();
    let woken = wakers.each_ref().map(|it| it.0.load(Ordering::SeqCst));
    assert_eq!(woken, [0, 0, 1]);
    assert!(poll(&mut second, &wakers[0]).is_ready());
    // A loop of waits, each given up, holds one place and not one each.
    let switch = Cancellation::new();
    for _ in 0..100 {
        assert!(poll(&mut switch.cancelled(), &wakers[0]).is_pending());
    }
    assert!(
        format!("{switch:?}").matches("None").count() <= 1,
        "{switch:?}"
    );
}
