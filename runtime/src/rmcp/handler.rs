//! A toolset as an rmcp server: what answers each request.

use std::{
    fmt,
    pin::pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
        CustomRequest, CustomResult, DiscoverResult, GetPromptRequestParams, GetPromptResponse,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
        SubscribeRequestParams, Tool, UnsubscribeRequestParams,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    catalog::Catalog,
    context,
    log::{SessionLevel, SetLevel},
    result,
    unsupported::{refuse, unsupported},
};
use crate::{CallError, Cancellation, Revision, ToolCall, ToolOutput, Toolset};

/// How long a call may go on after the client gave it up or the server was asked to end, to put things in order.
///
/// Less than the two seconds for which rmcp still sends answers at the end.
const GRACE: Duration = Duration::from_millis(1500);

/// How long a client may keep the list of tools: it changes only with the server's program.
const LIST_TTL_MS: u64 = 300_000;

/// Makes an rmcp server of a toolset.
///
/// Serve it over any transport of rmcp, or ask it from a hand-written server: see [`Handler`].
pub fn into_handler<T: Toolset>(toolset: T) -> Handler<T> {
    let shared = Shared {
        toolset,
        catalog: OnceLock::new(),
    };
    Handler {
        shared: Arc::new(shared),
        session: Session::default(),
        call_timeout: None,
    }
}

/// A toolset as an rmcp `ServerHandler`. Cloning it is cheap; clones serve one toolset.
///
/// A hand-written server can offer the contract's tools beside its own. One with a `#[tool_router]` adds
/// [`router`](Self::router) to it. One without asks [`owns`](Self::owns) and passes on to [`call`](Self::call), lists
/// [`tools`](Self::tools) beside its own, and answers `get_tool` from [`tool`](Self::tool).
pub struct Handler<T> {
    shared: Arc<Shared<T>>,
    session: Session,
    call_timeout: Option<Duration>,
}

/// What belongs to one client.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    /// Which log messages it wants.
    pub(super) level: SessionLevel,
    /// Cancelled once nothing more can be heard from it. Answers still go out then, notifications do not: rmcp no longer takes
    /// them, and whoever waits for one to be sent would wait for ever.
    pub(super) deaf: CancellationToken,
}

struct Shared<T> {
    toolset: T,
    catalog: OnceLock<Catalog>,
}

impl<T> Clone for Handler<T> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            session: self.session.clone(),
            call_timeout: self.call_timeout,
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
    /// Drops a call that takes longer than `limit` and answers with an `isError` result that says so.
    #[must_use]
    pub fn with_call_timeout(mut self, limit: Duration) -> Self {
        self.call_timeout = Some(limit);
        self
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
        let gone = context.ct.clone();
        let cancellation = Cancellation::new();
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let context = context::call_context(context, revision, &self.session, cancellation.clone());
        let name = request.name.into_owned();
        let call = ToolCall::new(name.as_str(), arguments).with_context(context);
        let ended = bounded(
            self.shared.toolset.call(call),
            &gone,
            &cancellation,
            self.call_timeout,
        );
        let outcome = match ended.await {
            Ended::Answered(outcome) => outcome,
            // rmcp sends no answer to a request that the client gave up.
            Ended::Abandoned => {
                return Err(ErrorData::internal_error("the call was cancelled", None));
            }
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

    /// To be cancelled once the client can no longer be heard.
    #[cfg(feature = "stdio")]
    pub(super) fn deaf(&self) -> CancellationToken {
        self.session.deaf.clone()
    }

    /// All tools as published.
    pub(super) fn published(&self) -> &[Tool] {
        self.catalog().tools(Revision::LATEST)
    }

    fn catalog(&self) -> &Catalog {
        self.shared
            .catalog
            .get_or_init(|| Catalog::new(self.shared.toolset.contract()))
    }
}

impl<T: Toolset> ServerHandler for Handler<T> {
    fn get_info(&self) -> ServerConfig {
        self.catalog().config.clone()
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info()).with_ttl_ms(LIST_TTL_MS))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "unknown cursor: the list has one page",
                None,
            ));
        }
        let mut list = ListToolsResult::with_all_items(self.tools(&context).to_vec());
        let revision = context::revision(&context);
        if revision.is_modern() {
            // Private, because whoever runs the server may show it only to some.
            list = list
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Private);
            list.meta = Some(self.catalog().meta(revision).clone().into());
        }
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

    async fn set_level(
        &self,
        request: SetLevel,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.session.level.set(&request);
        Ok(())
    }

    refuse! {
        complete(CompleteRequestParams) -> CompleteResult = "completion/complete";
        get_prompt(GetPromptRequestParams) -> GetPromptResponse = "prompts/get";
        list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult = "prompts/list";
        list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult = "resources/list";
        list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult = "resources/templates/list";
        read_resource(ReadResourceRequestParams) -> ReadResourceResponse = "resources/read";
        subscribe(SubscribeRequestParams) -> () = "resources/subscribe";
        unsubscribe(UnsubscribeRequestParams) -> () = "resources/unsubscribe";
    }

    /// rmcp brings here what it could not read, and would answer it as an unknown method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(malformed(&request))
    }
}

/// Why a request is none: its parameters are not what the method takes, or there is no such method here.
fn malformed(request: &CustomRequest) -> ErrorData {
    let params = request.params.as_ref();
    match request.method.as_str() {
        "tools/call" => ErrorData::invalid_params(malformed_call(params), None),
        method
        @ ("initialize" | "logging/setLevel" | "ping" | "server/discover" | "tools/list") => {
            ErrorData::invalid_params(format!("malformed parameters of `{method}`"), None)
        }
        method => unsupported(method),
    }
}

fn malformed_call(params: Option<&Value>) -> &'static str {
    match params {
        None => "malformed `tools/call`: it has no `params`",
        Some(Value::Object(params)) => match (params.get("name"), params.get("arguments")) {
            (None, _) => "malformed `tools/call`: `params` has no `name`",
            (Some(Value::String(_)), None | Some(Value::Object(_) | Value::Null)) => {
                "malformed `tools/call`: a member of `params` has the wrong type"
            }
            (Some(Value::String(_)), Some(_)) => {
                "malformed `tools/call`: `arguments` is not an object"
            }
            (Some(_), _) => "malformed `tools/call`: `name` is not a string",
        },
        Some(_) => "malformed `tools/call`: `params` is not an object",
    }
}

/// How a call came to its end.
enum Ended {
    Answered(Result<ToolOutput, CallError>),
    Abandoned,
    Late(Duration),
}

/// Runs a call until it answers, the client is gone, or the time is over.
async fn bounded(
    call: impl Future<Output = Result<ToolOutput, CallError>>,
    gone: &CancellationToken,
    cancellation: &Cancellation,
    limit: Option<Duration>,
) -> Ended {
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
