//! A toolset as an rmcp server: what answers each request.

use std::{
    fmt,
    num::NonZeroUsize,
    pin::pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
        CustomRequest, CustomResult, DiscoverResult, GetPromptRequestParams, GetPromptResponse,
        InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams, Prompt,
        ReadResourceRequestParams, ReadResourceResponse, Resource, ResourceTemplate, ServerConfig,
        SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::{
    catalog::Catalog,
    context, input,
    log::{SessionLevel, SetLevel},
    paging::{Page, page},
    result,
    subscriptions::Subscriptions,
    unsupported::{malformed, unsupported},
};
use crate::{
    Answers, CallContext, CallError, Cancellation, PeerFuture, ResourceUpdates, Revision, ToolCall,
    Toolset, contract,
};

/// How long a call may go on after the client gave it up or the server was asked to end, to put things in order.
///
/// Less than the two seconds for which rmcp still sends answers at the end.
const GRACE: Duration = Duration::from_millis(1500);

/// Makes an rmcp server of a toolset.
///
/// Serve it over any transport of rmcp, or ask it from a hand-written server: see [`Handler`].
pub fn into_handler<T: Toolset>(toolset: T) -> Handler<T> {
    let shared = Shared {
        toolset,
        catalog: OnceLock::new(),
        updates: OnceLock::new(),
    };
    Handler {
        shared: Arc::new(shared),
        session: Session::default(),
        call_timeout: None,
        page_size: None,
        sessions: true,
        closing: CancellationToken::new(),
    }
}

/// A toolset as an rmcp `ServerHandler`. Cloning it is cheap; clones serve one toolset.
///
/// A hand-written server can offer the contract's tools beside its own. One with a `#[tool_router]` adds
/// [`router`](Self::router) to it. One without asks [`owns`](Self::owns) and passes on to [`call`](Self::call), lists
/// [`tools`](Self::tools) beside its own, and answers `get_tool` from [`tool`](Self::tool). Resources, prompts and completions
/// are asked for with [`read`](Self::read), [`prompt`](Self::prompt) and [`completion`](Self::completion).
pub struct Handler<T> {
    shared: Arc<Shared<T>>,
    session: Session,
    call_timeout: Option<Duration>,
    page_size: Option<usize>,
    /// Whether clients before 2026-07-28 are there for longer than one request.
    sessions: bool,
    /// Cancelled once the server is asked to end: calls are finished then, but nobody is listened to any longer.
    closing: CancellationToken,
}

/// What belongs to one client.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    /// Which log messages it wants.
    pub(super) level: SessionLevel,
    /// Cancelled once nothing more can be heard from it. Answers still go out then, notifications do not: rmcp no longer takes
    /// them, and whoever waits for one to be sent would wait for ever.
    pub(super) deaf: CancellationToken,
    /// Which changes it wants to be told.
    subscriptions: Subscriptions,
}

struct Shared<T> {
    toolset: T,
    catalog: OnceLock<Catalog>,
    /// There once somebody can tell that resources change.
    updates: OnceLock<ResourceUpdates>,
}

impl<T> Clone for Handler<T> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            session: self.session.clone(),
            call_timeout: self.call_timeout,
            page_size: self.page_size,
            sessions: self.sessions,
            closing: self.closing.clone(),
        }
    }
}

impl<T> fmt::Debug for Handler<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler")
            .field("call_timeout", &self.call_timeout)
            .finish_non_exhaustive()
    }
}

impl<T: Toolset> Handler<T> {
    /// Drops a call that takes longer than `limit` and answers with an `isError` result that says so; other requests, that have
    /// no such results, with an error.
    #[must_use]
    pub fn with_call_timeout(mut self, limit: Duration) -> Self {
        self.call_timeout = Some(limit);
        self
    }

    /// Hands out lists in pages of at most `entries`, 0 for all on one, whatever the contract says.
    #[must_use]
    pub fn with_page_size(mut self, entries: usize) -> Self {
        self.page_size = Some(entries);
        self
    }

    /// For a transport that knows clients before 2026-07-28 for one request only, so that they can be told nothing later.
    #[cfg(feature = "http")]
    pub(super) fn without_sessions(mut self) -> Self {
        self.sessions = false;
        self
    }

    /// Sets what is cancelled once the server is asked to end.
    #[cfg(feature = "http")]
    pub(super) fn closing_with(mut self, closing: CancellationToken) -> Self {
        self.closing = closing;
        self
    }

    pub(super) fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// The same server for another client: nothing that one client sets reaches the other.
    #[must_use]
    pub fn new_session(&self) -> Self {
        Self {
            session: Session::default(),
            ..self.clone()
        }
    }

    /// Whether the contract has a tool of this name.
    pub fn owns(&self, name: &str) -> bool {
        self.catalog().tool(name).is_some()
    }

    /// The contract's tools in its order, as the peer of this request may see them.
    pub fn tools(&self, request: &RequestContext<RoleServer>) -> &[Tool] {
        self.catalog().tools(context::revision(request))
    }

    /// One tool as published.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.catalog().tool(name)
    }

    /// The contract's resources in its order.
    pub fn resources(&self) -> &[Resource] {
        &self.catalog().resources
    }

    /// The contract's resource templates in its order.
    pub fn resource_templates(&self) -> &[ResourceTemplate] {
        &self.catalog().templates
    }

    /// The contract's prompts in its order.
    pub fn prompts(&self) -> &[Prompt] {
        &self.catalog().prompts
    }

    /// Answers one `tools/call`, with the contract enforced in both directions.
    ///
    /// # Errors
    ///
    /// `-32602` for a tool that the contract does not have. Whatever else goes wrong is a result with `isError: true`.
    pub async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let revision = context::revision(&context);
        let meta = self.catalog().meta(revision);
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let name = request.name.into_owned();
        let state = request.request_state;
        let answers = input::answers(
            "tools/call",
            &name,
            request.input_responses,
            state.as_deref(),
        )?;
        let call = ToolCall::new(name.as_str(), arguments);
        let ended = self.run(context, answers, |context| {
            self.toolset().call(call.with_context(context))
        });
        let outcome = match ended.await {
            Ended::Answered(Err(CallError::InputRequired(input))) => {
                return input::required(&input, meta).map(Into::into);
            }
            Ended::Answered(outcome) => outcome,
            Ended::Abandoned => return Err(result::abandoned()),
            Ended::Late(limit) => {
                tracing::error!(
                    tool = name,
                    ?limit,
                    "the call took too long and was dropped"
                );
                return result::too_late(&name, limit, meta).map(Into::into);
            }
        };
        result::from_outcome(&name, outcome, meta, revision).map(Into::into)
    }

    /// Runs what answers one request, until it does, the client is gone, or the time is over.
    pub(super) async fn run<O, Fut>(
        &self,
        request: RequestContext<RoleServer>,
        answers: Answers,
        answer: impl FnOnce(CallContext) -> Fut,
    ) -> Ended<O>
    where
        Fut: Future<Output = Result<O, CallError>>,
    {
        let revision = context::revision(&request);
        let gone = request.ct.clone();
        let cancellation = Cancellation::new();
        let context = context::call_context(request, revision, &self.session, cancellation.clone())
            .with_answers(answers)
            .with_blocking(elsewhere);
        bounded(answer(context), &gone, &cancellation, self.call_timeout).await
    }

    pub(super) fn toolset(&self) -> &T {
        &self.shared.toolset
    }

    pub(super) fn updates_cell(&self) -> &OnceLock<ResourceUpdates> {
        &self.shared.updates
    }

    pub(super) fn subscriptions(&self) -> &Subscriptions {
        &self.session.subscriptions
    }

    /// The page of a list that a request asks for, by the contract's page size or this handler's own.
    fn page<'a, I>(
        &self,
        list: &str,
        items: &'a [I],
        request: Option<PaginatedRequestParams>,
    ) -> Result<Page<'a, I>, ErrorData> {
        let stated = || self.lists().page_size.map_or(0, NonZeroUsize::get);
        page(list, items, self.page_size.unwrap_or_else(stated), request)
    }

    /// How long a client may keep a list, who may, and what every result's `_meta` has.
    fn list_hints(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> (Option<u64>, Option<CacheScope>, Option<MetaObject>) {
        let revision = context::revision(context);
        if !revision.is_modern() {
            return (None, None, None);
        }
        let lists = self.lists();
        let scope = match lists.cache_scope {
            contract::CacheScope::Public => CacheScope::Public,
            contract::CacheScope::Private => CacheScope::Private,
        };
        let meta = result::meta(self.catalog().meta(revision), Map::new());
        (Some(lists.ttl_ms), Some(scope), meta)
    }

    fn lists(&self) -> contract::Lists {
        self.toolset().contract().lists()
    }

    /// Whether there is nothing that the `method` could be about.
    fn lacks(&self, method: &str) -> bool {
        let capabilities = &self.catalog().config.capabilities;
        match method.split('/').next() {
            Some("resources") => capabilities.resources.is_none(),
            Some("prompts") => capabilities.prompts.is_none(),
            Some("completion") => capabilities.completions.is_none(),
            _ => false,
        }
    }

    /// Refuses a method where there is nothing that it could be about.
    fn require(&self, method: &'static str) -> Result<(), ErrorData> {
        if self.lacks(method) {
            return Err(unsupported(method));
        }
        Ok(())
    }

    /// Cancelled once the client can no longer be heard.
    pub(super) fn deaf(&self) -> &CancellationToken {
        &self.session.deaf
    }

    /// All tools as published.
    pub(super) fn published(&self) -> &[Tool] {
        self.catalog().tools(Revision::LATEST)
    }

    pub(super) fn catalog(&self) -> &Catalog {
        self.shared
            .catalog
            .get_or_init(|| Catalog::new(self.shared.toolset.contract()))
    }
}

impl<T: Toolset> ServerHandler for Handler<T> {
    fn get_info(&self) -> ServerConfig {
        let mut config = self.catalog().config.clone();
        self.announce(&mut config.capabilities);
        config
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        if !self.sessions {
            let told = &self.catalog().config.capabilities.resources;
            result.capabilities.resources.clone_from(told);
        }
        Ok(result)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.sessions {
            self.begin_session(context.peer);
        }
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let ttl_ms = self.lists().ttl_ms;
        Ok(DiscoverResult::from_server_info(versions, self.get_info()).with_ttl_ms(ttl_ms))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let page = self.page("tools/list", self.tools(&context), page)?;
        let mut list = ListToolsResult::with_all_items(page.items.to_vec());
        list.next_cursor = page.next;
        (list.ttl_ms, list.cache_scope, list.meta) = self.list_hints(&context);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, context).await
    }

    /// rmcp asks for this to compare `Mcp-Param-*` headers with the arguments; without it the check is skipped.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tool(name).cloned()
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.require("resources/list")?;
        let page = self.page("resources/list", self.resources(), page)?;
        let mut list = ListResourcesResult::with_all_items(page.items.to_vec());
        list.next_cursor = page.next;
        (list.ttl_ms, list.cache_scope, list.meta) = self.list_hints(&context);
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.require("resources/templates/list")?;
        let page = self.page("resources/templates/list", self.resource_templates(), page)?;
        let mut list = ListResourceTemplatesResult::with_all_items(page.items.to_vec());
        list.next_cursor = page.next;
        (list.ttl_ms, list.cache_scope, list.meta) = self.list_hints(&context);
        Ok(list)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.require("resources/read")?;
        self.read(request, context).await
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.require("prompts/list")?;
        let page = self.page("prompts/list", self.prompts(), page)?;
        let mut list = ListPromptsResult::with_all_items(page.items.to_vec());
        list.next_cursor = page.next;
        (list.ttl_ms, list.cache_scope, list.meta) = self.list_hints(&context);
        Ok(list)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.require("prompts/get")?;
        self.prompt(request, context).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.require("completion/complete")?;
        self.completion(request, context).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let told = || self.subscribe_to(request.uri, context.peer);
        let subscribed = self.sessions.then(told).flatten();
        subscribed.unwrap_or_else(|| Err(unsupported("resources/subscribe")))
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let told = || self.unsubscribe_from(&request.uri);
        let done = self.sessions.then(told).flatten();
        done.ok_or_else(|| unsupported("resources/unsubscribe"))
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.accept(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.tell(context).await;
        Ok(())
    }

    async fn set_level(
        &self,
        request: SetLevel,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // Since 2026-07-28 each request says it for itself.
        if context::revision(&context).is_modern() {
            return Err(unsupported("logging/setLevel"));
        }
        self.session.level.set(&request);
        Ok(())
    }

    /// rmcp brings here what it could not read, and would answer it as an unknown method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if self.lacks(&request.method) {
            return Err(unsupported(&request.method));
        }
        Err(malformed(&request, context::revision(&context)))
    }
}

/// Where files are read: tokio has threads for it.
fn elsewhere(work: Box<dyn FnOnce() + Send>) -> PeerFuture<'static> {
    Box::pin(async move {
        if let Err(error) = tokio::task::spawn_blocking(work).await {
            tracing::error!(%error, "work that blocks was not done");
        }
    })
}

/// How a request came to its end.
pub(super) enum Ended<O> {
    Answered(Result<O, CallError>),
    Abandoned,
    Late(Duration),
}

/// Runs a call until it answers, the client is gone, or the time is over.
async fn bounded<O>(
    call: impl Future<Output = Result<O, CallError>>,
    gone: &CancellationToken,
    cancellation: &Cancellation,
    limit: Option<Duration>,
) -> Ended<O> {
    let mut call = pin!(call);
    let late = async {
        match limit {
            Some(limit) => {
                tokio::time::sleep(limit).await;
                limit
            }
            None => std::future::pending().await,
        }
    };
    let ended = tokio::select! {
        biased;
        outcome = call.as_mut() => return Ended::Answered(outcome),
        () = gone.cancelled() => Ended::Abandoned,
        limit = late => Ended::Late(limit),
    };
    cancellation.cancel();
    if matches!(ended, Ended::Abandoned) {
        // A method that watches `cx.cancelled()` gets the time to undo what it began, and one that is nearly done to finish: at
        // the end of the server its answer is still sent. Then it is dropped.
        if let Ok(outcome) = tokio::time::timeout(GRACE, call).await {
            return Ended::Answered(outcome);
        }
    }
    ended
}
