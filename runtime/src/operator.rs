//! What the operator of a server is told, and no client: through `tracing`, or on standard error where nobody listens to that.

use std::{error::Error, fmt, io::Write};

use tracing::subscriber::NoSubscriber;

/// Tells why a call of `subject` failed; `what` says how it did.
///
/// Without a `tracing` subscriber the cause of a failure would be lost, and a server that answers only "tool failed" cannot be
/// mended. Standard error it is: standard output belongs to the protocol.
pub(crate) fn failure(subject: &dyn fmt::Display, what: &'static str, cause: &dyn fmt::Display) {
    tracing::error!(%subject, %cause, "{what}");
    if nobody_listens() {
        // Where standard error is closed, there is nobody left to tell.
        let _ = writeln!(std::io::stderr().lock(), "{subject}: {what}: {cause}");
    }
}

fn nobody_listens() -> bool {
    tracing::dispatcher::get_default(tracing::Dispatch::is::<NoSubscriber>)
}

/// An error and its sources, on one line.
pub(crate) struct Chain<'a>(pub(crate) &'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut next = self.0.source();
        while let Some(error) = next {
            write!(f, ": {error}")?;
            next = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::{
        fmt::Write,
        sync::{Arc, Mutex},
    };

    use serde_json::{Value, json};
    use tracing::{
        Event, Id, Metadata, Subscriber,
        field::{Field, Visit},
        span::{Attributes, Record},
    };

    use crate::{Contract, Redact, ToolCall, testing::block_on};

    /// What was told, as one text.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<String>>);

    impl Subscriber for Log {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            event.record(&mut Line(&mut self.0.lock().unwrap()));
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    struct Line<'a>(&'a mut String);

    impl Visit for Line<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            writeln!(self.0, "{field}={value:?}").unwrap();
        }
    }

    static CONTRACT: Contract = Contract::new(
        r#"{
            "server": { "name": "s", "version": "1" },
            "tools": [
                { "name": "deny", "inputSchema": {}, "outputSchema": { "maximum": 1 } },
                { "name": "warn", "inputSchema": {}, "outputSchema": { "maximum": 1 } }
            ],
            "settings": { "warn": { "output": "warn" } }
        }"#,
    );

    fn logged(tool: &str, redact: Redact) -> String {
        let log = Log::default();
        tracing::subscriber::with_default(log.clone(), || {
            let call = ToolCall::new(tool, json!(4711)).with_redact(redact);
            let tool = CONTRACT.find(tool).unwrap();
            let _ = block_on(call.structured(tool, |it: Value, _| async { Ok(it) }));
        });
        log.0.lock().unwrap().clone()
    }

    #[test]
    fn values_that_must_not_be_shown_are_not_logged() {
        for tool in ["deny", "warn"] {
            let text = logged(tool, Redact::Nothing);
            assert!(text.contains("expected at most 1, got 4711"), "{text}");
            let text = logged(tool, Redact::Values);
            assert!(text.contains("expected at most 1"), "{text}");
            assert!(!text.contains("4711"), "{text}");
        }
    }
}
