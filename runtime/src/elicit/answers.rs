//! What a client of 2026-07-28 is asked for, and what it sends when it repeats its request.
//!
//! Source: SEP-2322, multi round-trip requests.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Question, question::hash};
use crate::wire::RpcError;

/// How long a `requestState` may be. It holds what the client answered in earlier rounds.
const MAX_STATE_BYTES: usize = 1024 * 1024;

/// How many characters of a `requestState` are its checksum.
const CHECKSUM: usize = 16;

/// The answers of the client to questions of earlier runs of one request, by key.
///
/// Nothing in here is trusted more than the arguments of a call: it is what the client says of its own user.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// What was requested; a state belongs to that.
    target: String,
    given: BTreeMap<String, Value>,
    /// The fingerprints of the questions that the client was asked.
    asked: BTreeMap<String, String>,
}

/// A `requestState`, after its checksum.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    answers: BTreeMap<String, Value>,
    asked: BTreeMap<String, String>,
}

impl Answers {
    /// The members `inputResponses` and `requestState` of the parameters of a request for `target`.
    ///
    /// `target` is the method with the name of what is asked for, for example `tools/call get_weather`: a state that was
    /// given out for another target is refused.
    ///
    /// # Errors
    ///
    /// When `state` is not one that a server like this one gave out: `-32602`.
    pub fn new(
        target: impl Into<String>,
        responses: impl IntoIterator<Item = (String, Value)>,
        state: Option<&str>,
    ) -> Result<Self, RpcError> {
        let target = target.into();
        let (mut given, asked) = match state {
            None => Default::default(),
            Some(text) => {
                let state = State::decode(&target, text).ok_or_else(|| {
                    let message = "`requestState` is not what this request was answered with";
                    RpcError::invalid_params(message)
                })?;
                (state.answers, state.asked)
            }
        };
        given.extend(responses);
        Ok(Self {
            target,
            given,
            asked,
        })
    }

    /// The answer that goes by `key`, if the client was asked the question of this fingerprint under it.
    ///
    /// Where the client sends no state, the key alone has to do.
    pub(super) fn get(&self, key: &str, fingerprint: &str) -> Option<&Value> {
        if self
            .asked
            .get(key)
            .is_some_and(|asked| asked != fingerprint)
        {
            // The method asks something else than before, so the user has not answered that.
            return None;
        }
        self.given.get(key)
    }

    /// The state for the next round: the answers that the run used, and what it asks beside. Of both the fingerprints by key.
    pub(super) fn state(
        &self,
        answered: &BTreeMap<String, String>,
        open: impl IntoIterator<Item = (String, String)>,
    ) -> Result<String, String> {
        let used = self.given.iter();
        let used = used.filter(|(key, _)| answered.contains_key(*key));
        let answers = used.map(|(key, answer)| (key.clone(), answer.clone()));
        let answers = answers.collect();
        let mut asked = answered.clone();
        asked.extend(open);
        let text = State { answers, asked }.encode(&self.target);
        if text.len() > MAX_STATE_BYTES {
            return Err(format!(
                "the answers of this request exceed {MAX_STATE_BYTES} bytes"
            ));
        }
        Ok(text)
    }
}

impl State {
    fn encode(&self, target: &str) -> String {
        let text = serde_json::to_string(self)
            .expect("maps of JSON values and texts with text keys are JSON");
        format!("{:016x}{text}", hash([target, &text]))
    }

    fn decode(target: &str, text: &str) -> Option<Self> {
        if text.len() > MAX_STATE_BYTES {
            return None;
        }
        let (checksum, text) = text.split_at_checked(CHECKSUM)?;
        // Against accidents, not against malice: see `Answers`.
        if u64::from_str_radix(checksum, 16).ok()? != hash([target, text]) {
            return None;
        }
        serde_json::from_str(text).ok()
    }
}

/// What a client is asked for before its request can be answered: MCP's `InputRequiredResult`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRequired {
    requests: Vec<(String, Question)>,
    state: String,
}

impl InputRequired {
    pub(super) const fn new(requests: Vec<(String, Question)>, state: String) -> Self {
        Self { requests, state }
    }

    /// The questions with their keys, in the order in which they were asked.
    pub fn requests(&self) -> impl Iterator<Item = (&str, &Question)> {
        self.requests
            .iter()
            .map(|(key, question)| (key.as_str(), question))
    }

    /// What the client sends back with its answers.
    pub fn request_state(&self) -> &str {
        &self.state
    }
}
