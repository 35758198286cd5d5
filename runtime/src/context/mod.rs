//! What a tool's method knows about its call, and can do beside returning a result.

mod cancellation;
mod extensions;
mod peer;

use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::{
    cancellation::{Cancellation, Cancelled},
    extensions::Extensions,
    peer::{LogLevel, Peer, PeerFuture, Progress},
};
use crate::{
    Abilities, Answers, Blocking, Content, Redact, Revision, Tool, ToolError, ToolResult,
    elicit::Replay,
};

/// One call, as the tool's method sees it. Cheap to clone; clones speak of the same call.
#[derive(Clone, Debug, Default)]
pub struct CallContext {
    request: Arc<Request>,
    tool: Option<&'static Tool>,
    redact: Redact,
    extras: Arc<Mutex<Extras>>,
    replay: Replay,
}

/// Who called, and through what.
#[derive(Clone, Default)]
struct Request {
    id: Option<String>,
    revision: Revision,
    client: Option<ClientInfo>,
    cancellation: Cancellation,
    abilities: Abilities,
    peer: Option<Arc<dyn Peer>>,
    extensions: Extensions,
    blocking: Option<Blocking>,
}

/// What goes out beside the result.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    pub(crate) attachments: Vec<Content>,
    pub(crate) meta: Map<String, Value>,
}

impl Extras {
    /// Whether rendering the attachments reads files.
    pub(crate) fn read_files(&self) -> bool {
        self.attachments.iter().any(Content::reads_files)
    }
}

/// The client's `clientInfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientInfo {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

impl ClientInfo {
    /// A client without title.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
        }
    }

    /// Adds a name for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

/// What the tool can ask and do.
impl CallContext {
    /// The name of the tool; empty in a context that no call made.
    pub fn tool(&self) -> &str {
        self.tool.map_or("", Tool::name)
    }

    /// The JSON-RPC id of the request, as text.
    pub fn request_id(&self) -> Option<&str> {
        self.request.id.as_deref()
    }

    /// The protocol revision that the client speaks.
    pub fn revision(&self) -> Revision {
        self.request.revision
    }

    /// Who the client says it is.
    pub fn client(&self) -> Option<&ClientInfo> {
        self.request.client.as_ref()
    }

    /// What the transport knows, by type: over HTTP, the parts of the request.
    pub fn extensions(&self) -> &Extensions {
        &self.request.extensions
    }

    /// Whether the client no longer waits for the result.
    pub fn is_cancelled(&self) -> bool {
        self.request.cancellation.is_cancelled()
    }

    /// Completes when the client no longer waits for the result; needs no executor.
    pub fn cancelled(&self) -> Cancelled {
        self.request.cancellation.cancelled()
    }

    /// Tells the client how far the call is. Does nothing where the client did not ask for it.
    pub async fn progress(&self, progress: Progress) {
        if let Some(peer) = &self.request.peer {
            peer.progress(progress).await;
        }
    }

    /// Sends the client a log message: a text, or any JSON value.
    pub async fn log(&self, level: LogLevel, data: impl Into<Value>) {
        if let Some(peer) = &self.request.peer {
            peer.log(level, data.into()).await;
        }
    }

    /// Adds content blocks after those of the result.
    pub fn attach(&self, content: impl Into<Content>) {
        self.extras(|extras| extras.attachments.push(content.into()));
    }

    /// Sets a member of the result's `_meta`.
    pub fn meta(&self, key: impl Into<String>, value: impl Into<Value>) {
        self.extras(|extras| extras.meta.insert(key.into(), value.into()));
    }

    /// Checks JSON from elsewhere against the tool's promised output, and types it.
    ///
    /// # Errors
    ///
    /// Names each place where `value` breaks the output schema, as the tool's failure.
    pub fn output<T: DeserializeOwned>(&self, value: &Value) -> ToolResult<T> {
        let Some(tool) = self.tool else {
            return Ok(crate::decode(value)?);
        };
        tool.decode_output(value).map_err(|violations| {
            let name = tool.name();
            let violations = self.redact.apply(violations);
            tracing::warn!(tool = name, %violations, "upstream data breaks the output schema");
            let place = format!("the upstream data for the result of `{name}`");
            ToolError::new(violations.redacted().report(&place))
        })
    }
}

/// What a transport says about the call.
impl CallContext {
    /// A context that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the JSON-RPC id of the request.
    #[must_use]
    pub fn with_request_id(self, id: impl Into<String>) -> Self {
        self.with(|request| request.id = Some(id.into()))
    }

    /// Sets the revision that the client speaks.
    #[must_use]
    pub fn with_revision(self, revision: Revision) -> Self {
        self.with(|request| request.revision = revision)
    }

    /// Sets who the client says it is.
    #[must_use]
    pub fn with_client(self, client: ClientInfo) -> Self {
        self.with(|request| request.client = Some(client))
    }

    /// Sets the switch that the transport throws when the client cancels.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        self.with(|request| request.cancellation = cancellation)
    }

    /// Sets the way back to the client.
    #[must_use]
    pub fn with_peer(self, peer: Arc<dyn Peer>) -> Self {
        self.with(|request| request.peer = Some(peer))
    }

    /// Sets what the client says it can be asked for.
    #[must_use]
    pub fn with_abilities(self, abilities: Abilities) -> Self {
        self.with(|request| request.abilities = abilities)
    }

    /// Sets what the client answered so far, for a client of 2026-07-28 or later.
    #[must_use]
    pub fn with_answers(mut self, answers: Answers) -> Self {
        self.replay = Replay::new(answers);
        self
    }

    /// Sets what the transport knows.
    #[must_use]
    pub fn with_extensions(self, extensions: Extensions) -> Self {
        self.with(|request| request.extensions = extensions)
    }

    /// Sets where work is done that blocks. Without it, it is done where the call is answered.
    #[must_use]
    pub fn with_blocking(self, blocking: Blocking) -> Self {
        self.with(|request| request.blocking = Some(blocking))
    }

    fn with(mut self, change: impl FnOnce(&mut Request)) -> Self {
        change(Arc::make_mut(&mut self.request));
        self
    }

    pub(crate) fn for_tool(mut self, tool: &'static Tool) -> Self {
        self.tool = Some(tool);
        self
    }

    /// Sets whether logs and texts of this call may show values. A request keeps that when it is given another context.
    pub(crate) fn with_redact(mut self, redact: Redact) -> Self {
        self.redact = redact;
        self
    }

    pub(crate) fn blocking(&self) -> Option<Blocking> {
        self.request.blocking
    }

    /// Whether logs and texts of this call may show values.
    pub(crate) fn redact(&self) -> Redact {
        self.redact
    }

    pub(crate) fn abilities(&self) -> Abilities {
        self.request.abilities
    }

    pub(crate) fn peer(&self) -> Option<&Arc<dyn Peer>> {
        self.request.peer.as_ref()
    }

    /// The same call, for a run of the method.
    pub(crate) fn for_run(&self) -> Self {
        Self {
            replay: self.replay.fresh(),
            ..self.clone()
        }
    }

    /// The questions of this run.
    pub(crate) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The same request, with nothing attached and nothing answered yet.
    pub(crate) fn for_new_call(&self) -> Self {
        Self {
            request: Arc::clone(&self.request),
            ..Self::default()
        }
    }

    /// Takes what the method attached.
    pub(crate) fn take_extras(&self) -> Extras {
        self.extras(std::mem::take)
    }

    fn extras<R>(&self, use_them: impl FnOnce(&mut Extras) -> R) -> R {
        // A panic while the lock is held cannot leave a half-made entry behind.
        use_them(&mut self.extras.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("id", &self.id)
            .field("revision", &self.revision)
            .field("client", &self.client)
            .field("cancellation", &self.cancellation)
            .field("abilities", &self.abilities)
            .finish_non_exhaustive()
    }
}
