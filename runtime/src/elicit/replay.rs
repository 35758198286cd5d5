//! One run of a method whose questions the client may have answered before.
//!
//! The method runs from its beginning each time the client repeats its request. A question that was answered gives its answer
//! at once; one that was not is noted and never resolves, and as soon as the method makes no further headway, it is
//! dropped and the client is asked. So no code after a question ever runs without its answer, `?` or not, and
//! questions that are asked side by side go out in one round.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

use serde_json::Value;

use super::{Answers, InputRequired, Question};
use crate::{CallError, Cancellation};

/// The questions of one run. Clones are of the same run.
#[derive(Clone, Default)]
pub(crate) struct Replay {
    answers: Option<Arc<Answers>>,
    run: Arc<Mutex<Run>>,
}

#[derive(Default)]
struct Run {
    /// The keys given out so far, and for each label how many began with it.
    keys: BTreeSet<String>,
    counts: BTreeMap<String, usize>,
    /// The fingerprints of the questions that had an answer, by key.
    answered: BTreeMap<String, String>,
    open: Vec<Open>,
    /// What the client is told of something that it sent and that is no answer.
    misfit: Option<String>,
    /// Wakes who runs the method.
    runner: Option<Waker>,
    /// Thrown at the end of the run, for those who wait then. Made on first need: most runs ask nothing.
    over: Option<Cancellation>,
    ended: bool,
}

/// A question without an answer.
struct Open {
    key: String,
    fingerprint: String,
    question: Question,
}

/// The run is over, so there will be no answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over;

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call ended before its question was answered")
    }
}

impl std::error::Error for Over {}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay").finish_non_exhaustive()
    }
}

impl Replay {
    pub(crate) fn new(answers: Answers) -> Self {
        Self {
            answers: Some(Arc::new(answers)),
            run: Arc::default(),
        }
    }

    /// The same answers for a run of its own: whoever repeats a call, or makes two at a time, has a run for each.
    pub(crate) fn fresh(&self) -> Self {
        Self {
            answers: self.answers.clone(),
            run: Arc::default(),
        }
    }

    /// Ends the run when what this returns is dropped.
    pub(crate) fn end(&self) -> End {
        End(self.clone())
    }

    /// Why the method, which just said that it waits, goes no further without the client. `waker` is woken when it begins to
    /// wait for that.
    pub(crate) fn pause(&self, waker: &Waker) -> Option<CallError> {
        let mut run = self.run();
        if let Some(message) = run.misfit.take() {
            return Some(CallError::InvalidAnswer { message });
        }
        if !run.open.is_empty() {
            return Some(self.questions(&run));
        }
        match &mut run.runner {
            Some(runner) => runner.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        None
    }

    fn questions(&self, run: &Run) -> CallError {
        let open = run.open.iter();
        let open = open.map(|it| (it.key.clone(), it.fingerprint.clone()));
        let none = Answers::default();
        let given = self.answers.as_deref().unwrap_or(&none);
        match given.state(&run.answered, open) {
            Ok(state) => {
                let open = run.open.iter();
                let requests = open.map(|it| (it.key.clone(), it.question.clone()));
                CallError::InputRequired(InputRequired::new(requests.collect(), state))
            }
            Err(message) => CallError::InvalidAnswer { message },
        }
    }

    /// The client's answer. Where it is not there, the run ends before this does.
    pub(super) async fn answer(&self, question: &Question) -> Result<Value, Over> {
        let (key, over) = match self.find(question)? {
            Found::Answer(answer) => return Ok(answer),
            Found::Open(key, over) => (key, over),
        };
        // A question that nobody waits for any more need not be asked.
        let _withdraw = Withdraw(self, key);
        over.cancelled().await;
        Err(Over)
    }

    /// Ends the run, because what the client sent is no answer.
    pub(super) async fn refuse(&self, message: String) -> Over {
        let over = {
            let mut run = self.run();
            run.misfit = Some(message);
            wake(run)
        };
        over.cancelled().await;
        Over
    }

    fn find(&self, question: &Question) -> Result<Found, Over> {
        let fingerprint = question.fingerprint();
        let mut run = self.run();
        if run.ended {
            return Err(Over);
        }
        let key = run.next_key(question.label());
        let given = self.answers.as_ref();
        if let Some(answer) = given.and_then(|it| it.get(&key, &fingerprint)) {
            run.answered.insert(key, fingerprint);
            return Ok(Found::Answer(answer.clone()));
        }
        run.open.push(Open {
            key: key.clone(),
            fingerprint,
            question: question.clone(),
        });
        Ok(Found::Open(key, wake(run)))
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        // No code of others runs under this lock, so a poisoned state is whole.
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What there is to a question.
enum Found {
    Answer(Value),
    /// Its key, and what is thrown when the run ends.
    Open(String, Cancellation),
}

/// Wakes the runner, for the question may come from another task than the method's. Gives what is thrown at the end.
fn wake(mut run: MutexGuard<'_, Run>) -> Cancellation {
    let runner = run.runner.take();
    let over = run.over.get_or_insert_default().clone();
    if run.ended {
        over.cancel();
    }
    // Outside the lock: a waker may run the future at once.
    drop(run);
    if let Some(runner) = runner {
        runner.wake();
    }
    over
}

impl Run {
    /// The label, for the first question that has it; then `label-2` and so on. The order of questions with different labels
    /// does not matter.
    fn next_key(&mut self, label: &str) -> String {
        let count = self.counts.entry(label.to_owned()).or_default();
        loop {
            *count += 1;
            let key = match *count {
                1 => label.to_owned(),
                number => format!("{label}-{number}"),
            };
            // A form may be called `label-2`.
            if self.keys.insert(key.clone()) {
                return key;
            }
        }
    }
}

/// Ends a run when it is dropped.
pub(crate) struct End(Replay);

impl Drop for End {
    fn drop(&mut self) {
        let over = {
            let mut run = self.0.run();
            run.ended = true;
            run.over.take()
        };
        // Outside the lock, as above.
        if let Some(over) = over {
            over.cancel();
        }
    }
}

/// Takes a question back.
struct Withdraw<'a>(&'a Replay, String);

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        self.0.run().open.retain(|it| it.key != self.1);
    }
}
