//! How a method asks the client.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Ability, AskError, Elicitation, Elicited, Question, Root, Sampled, Sampling};
use crate::{CallContext, Redact, ToolError, ToolResult, offload, violation::Violations};

/// Questions to the client.
///
/// They work alike in both eras of the protocol, at the price of one rule: **what comes before a question may happen more than once.** A
/// client of 2026-07-28 is asked by the answer to its request, and repeats the request with what its user said. The
/// method then runs again from its beginning, and questions that were answered resolve at once. So
///
/// - what changes the world belongs after the last question;
/// - a question is asked in the same words each time: one whose text changed is asked anew, since its user has not
///   answered that;
/// - questions that are asked side by side, with `join!`, cost one round and not one each.
///
/// Nothing is kept in the process between the rounds, so any process behind a load balancer can go on. A client of an
/// earlier revision is asked while the method waits, which over HTTP needs sessions.
///
/// Whoever cannot or will not answer makes these methods fail with a [`ToolError`] that says so;
/// [`client_can`](Self::client_can) tells before. A method that ends with the failure of a question for which the client
/// lacks the capability is answered as the protocol wants it: since 2026-07-28 by an error that names the capability
/// (`-32021`), before by an ordinary failure.
impl CallContext {
    /// Whether the client says that it can be asked for this.
    pub fn client_can(&self, ability: Ability) -> bool {
        self.abilities().has(ability)
    }

    /// Shows the user a form, with a message that says why.
    ///
    /// What comes before it may happen more than once: the method runs again from its beginning when the client repeats its
    /// request with the answer. So delete, pay and send after the last question.
    ///
    /// # Errors
    ///
    /// When the client cannot show forms, or when what it sends back breaks the form's schema: names each place.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mcp_codegen_runtime::{CallContext, Content, Elicitation, Elicited, ToolResult};
    /// # struct ConfirmDelete { sure: bool }
    /// # impl<'de> serde::Deserialize<'de> for ConfirmDelete {
    /// #     fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> { Ok(Self { sure: true }) }
    /// # }
    /// async fn delete(form: &Elicitation<ConfirmDelete>, cx: CallContext) -> ToolResult<Content> {
    ///     match cx.elicit(form, "Delete 3 notes?").await? {
    ///         Elicited::Accepted(answer) if answer.sure => { /* delete them */ }
    ///         _ => return Ok("Nothing was deleted.".into()),
    ///     }
    ///     Ok("Deleted 3 notes.".into())
    /// }
    /// ```
    pub async fn elicit<T: DeserializeOwned>(
        &self,
        form: &Elicitation<T>,
        message: impl Into<String>,
    ) -> ToolResult<Elicited<T>> {
        let (name, form, message) = (form.name(), form.form()?, message.into());
        let question = Question::new(Ability::Form, name, form.params(message));
        Ok(match self.ask(question, reply).await? {
            Elicited::Accepted(content) => {
                let answer = form.checker().check(&content).and_then(|()| {
                    crate::decode(&content).map_err(|error| error.into_violation().into())
                });
                Elicited::Accepted(answer.map_err(|it| broken(name, it, self.redact()))?)
            }
            Elicited::Declined => Elicited::Declined,
            Elicited::Cancelled => Elicited::Cancelled,
        })
    }

    /// Shows the user a form, with the message in its file.
    ///
    /// # Errors
    ///
    /// As [`elicit`](Self::elicit).
    pub async fn elicit_default<T: DeserializeOwned>(
        &self,
        form: &Elicitation<T>,
    ) -> ToolResult<Elicited<T>> {
        let message = form.form()?.message();
        self.elicit(form, message).await
    }

    /// Sends the user to a web page, for what must not pass through the client: passwords, keys, payments.
    ///
    /// [`Accepted`](Elicited::Accepted) says that the user agreed to open the page, not that they are done there.
    ///
    /// # Errors
    ///
    /// When the client cannot do that, or `url` is not of `https:` or `http:`.
    pub async fn elicit_url(
        &self,
        url: impl Into<String>,
        message: impl Into<String>,
    ) -> ToolResult<Elicited<()>> {
        let url = url.into();
        if !is_web(&url) {
            let reason = format!("`{url}` is not a URL of `https:` or `http:`");
            return Err(AskError::unreachable(reason).into());
        }
        let mut params = Map::from_iter([
            ("mode".to_owned(), json!("url")),
            ("message".to_owned(), Value::String(message.into())),
            ("url".to_owned(), Value::String(url)),
        ]);
        if !self.revision().is_modern() {
            params.insert("elicitationId".to_owned(), json!(self.next_id()));
        }
        let question = Question::new(Ability::Url, "url", params);
        Ok(self.ask(question, reply).await?.map(|_| ()))
    }

    /// Lets the client's model write something.
    ///
    /// MCP deprecated it in 2026-07-28 (SEP-2577), and clients still do it.
    ///
    /// # Errors
    ///
    /// When the client does not lend its model, or its user does not want that.
    pub async fn sample(&self, task: Sampling) -> ToolResult<Sampled> {
        let revision = self.revision();
        let params = offload::run(self, task.reads_files(), move || task.params(revision)).await?;
        let question = Question::new(Ability::Sampling, "sampling", params);
        self.ask(question, |it| Sampled::read(&it)).await
    }

    /// The folders that the client works in.
    ///
    /// MCP deprecated it in 2026-07-28 (SEP-2577), and clients still do it.
    ///
    /// # Errors
    ///
    /// When the client does not tell.
    pub async fn roots(&self) -> ToolResult<Vec<Root>> {
        let question = Question::new(Ability::Roots, "roots", Map::new());
        self.ask(question, |it| Root::read_all(&it)).await
    }

    /// Asks, in the way of the client's revision. `read` says what of an answer is wrong.
    async fn ask<T>(
        &self,
        question: Question,
        read: fn(Value) -> Result<T, &'static str>,
    ) -> ToolResult<T> {
        if !self.client_can(question.ability()) {
            let ability = question.ability();
            let error = ToolError::from(AskError::Unable { ability });
            return Err(error.with_message(ability.missing()));
        }
        if self.revision().is_modern() {
            let answer = self.replay().answer(&question).await?;
            return match read(answer) {
                Ok(answer) => Ok(answer),
                Err(why) => Err(self.replay().refuse(misfit(&question, why)).await.into()),
            };
        }
        let answer = match self.peer() {
            Some(peer) => peer.ask(&question).await,
            None => Err(AskError::unreachable("there is no way back to it")),
        };
        // The client's decision and the model's to read; nothing broke here.
        let answer = answer.map_err(|error| ToolError::new(error.to_string()))?;
        read(answer).map_err(|why| ToolError::new(misfit(&question, why)))
    }

    /// Tells one page of this process from another.
    fn next_id(&self) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number}", self.request_id().unwrap_or_default())
    }
}

/// The result of `elicitation/create`.
fn reply(mut result: Value) -> Result<Elicited<Value>, &'static str> {
    match result.get("action").and_then(Value::as_str) {
        Some("accept") => match result.get_mut("content").map(Value::take) {
            Some(content @ Value::Object(_)) => Ok(Elicited::Accepted(content)),
            // A page has no content, and a form of optional fields need not have any.
            None | Some(Value::Null) => Ok(Elicited::Accepted(json!({}))),
            Some(_) => Err("`content` is not an object"),
        },
        Some("decline") => Ok(Elicited::Declined),
        Some("cancel") => Ok(Elicited::Cancelled),
        _ => Err("`action` is none of `accept`, `decline`, `cancel`"),
    }
}

fn misfit(question: &Question, why: &str) -> String {
    let (label, method) = (question.label(), question.method());
    format!("the answer to `{label}` is no result of `{method}`: {why}")
}

fn broken(form: &str, violations: Violations, redact: Redact) -> ToolError {
    let violations = redact.apply(violations);
    ToolError::new(violations.report(&format!("the answer to the form `{form}`")))
}

fn is_web(url: &str) -> bool {
    let web = |scheme: &str| {
        url.get(..scheme.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(scheme))
            && url.len() > scheme.len()
    };
    (web("https://") || web("http://")) && !url.contains(char::is_whitespace)
}
