//! Contexts, cancellation and peers, without an executor.

use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::*;
use crate::{Cancellation, ClientInfo, Extensions, LogLevel, Peer, PeerFuture, Progress};

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
