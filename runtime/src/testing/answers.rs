//! A client that answers questions, for tests of the methods that ask them.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Map, Value, json};

use crate::{
    Abilities, Answers, AskError, CallContext, CallError, InputRequired, LogLevel, Peer,
    PeerFuture, Progress, Question,
};

/// What the client says when it is asked; see [`InProcess::with_answers`](super::InProcess::with_answers).
#[derive(Clone, Debug, PartialEq)]
pub struct Answer(Result<Value, AskError>);

impl Answer {
    /// The user fills in the form so, or agrees to open the page.
    pub fn accept(content: impl Into<Value>) -> Self {
        Self::raw(json!({ "action": "accept", "content": content.into() }))
    }

    /// The user says no.
    pub fn decline() -> Self {
        Self::raw(json!({ "action": "decline" }))
    }

    /// The user closes the form.
    pub fn cancel() -> Self {
        Self::raw(json!({ "action": "cancel" }))
    }

    /// The model writes this.
    pub fn sampled(text: impl Into<String>) -> Self {
        Self::raw(json!({
            "role": "assistant", "content": { "type": "text", "text": text.into() },
            "model": "test", "stopReason": "endTurn"
        }))
    }

    /// The client works in the folders of these URIs.
    pub fn roots(uris: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let roots = uris.into_iter().map(|uri| json!({ "uri": uri.into() }));
        Self::raw(json!({ "roots": roots.collect::<Vec<_>>() }))
    }

    /// The result of the request as MCP has it, or anything else.
    pub fn raw(result: impl Into<Value>) -> Self {
        Self(Ok(result.into()))
    }

    /// The client answers with an error. One of 2026-07-28 does not repeat its request then.
    pub fn refuse(message: impl Into<String>) -> Self {
        Self(Err(AskError::refused(message)))
    }
}

/// The answers of one client, in the order of the questions. Clones are the same list.
#[derive(Clone, Debug, Default)]
pub(super) struct Script(Arc<Mutex<VecDeque<Answer>>>);

impl Script {
    pub(super) fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self(Arc::new(Mutex::new(answers.into_iter().collect())))
    }

    /// The client of `context`, able to answer.
    pub(super) fn answering(&self, context: CallContext) -> CallContext {
        let client = Client {
            script: self.clone(),
            inner: context.peer().cloned(),
        };
        context
            .with_abilities(Abilities::all())
            .with_peer(Arc::new(client))
    }

    /// Repeats a request as a client of 2026-07-28 does, while there is an answer to every question.
    pub(super) async fn rounds<T, Fut>(
        &self,
        request: impl Fn(Option<Answers>) -> Fut,
    ) -> Result<T, CallError>
    where
        Fut: Future<Output = Result<T, CallError>>,
    {
        let mut outcome = request(None).await;
        loop {
            let Err(CallError::InputRequired(input)) = &outcome else {
                return outcome;
            };
            let Some(responses) = self.responses(input) else {
                return outcome;
            };
            let state = Some(input.request_state());
            let answers =
                Answers::new("", responses, state).map_err(|error| CallError::InvalidAnswer {
                    message: error.message,
                })?;
            outcome = request(Some(answers)).await;
        }
    }

    /// `None` when an answer is missing, or is a refusal.
    fn responses(&self, input: &InputRequired) -> Option<Map<String, Value>> {
        let requests = input.requests();
        requests
            .map(|(key, _)| {
                let Answer(answer) = self.list().pop_front()?;
                Some((key.to_owned(), answer.ok()?))
            })
            .collect()
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<Answer>> {
        // Nothing can panic under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client before 2026-07-28, which is asked while the call waits.
struct Client {
    script: Script,
    inner: Option<Arc<dyn Peer>>,
}

impl Peer for Client {
    fn progress(&self, progress: Progress) -> PeerFuture<'_> {
        match &self.inner {
            Some(inner) => inner.progress(progress),
            None => Box::pin(async {}),
        }
    }

    fn log(&self, level: LogLevel, data: Value) -> PeerFuture<'_> {
        match &self.inner {
            Some(inner) => inner.log(level, data),
            None => Box::pin(async {}),
        }
    }

    fn ask<'a>(&'a self, _: &'a Question) -> PeerFuture<'a, Result<Value, AskError>> {
        Box::pin(async {
            let answer = self.script.list().pop_front();
            answer.map_or_else(
                || Err(AskError::unreachable("the test has no answer left")),
                |Answer(answer)| answer,
            )
        })
    }
}
