//! From a `resources/read` to an implementation and back.

mod contents;

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::contents::ResourceContents;
use crate::{
    CallContext, CallError, Contract, Redact, Subject, ToolResult,
    contract::{Resource, ResourceTemplate},
    guard, method,
};

/// One `resources/read`.
#[derive(Clone)]
pub struct ReadResource {
    uri: String,
    found: Option<Found>,
    context: CallContext,
}

/// What of the contract the URI means.
#[derive(Clone)]
enum Found {
    Resource(&'static Resource),
    /// With its variables.
    Template(&'static ResourceTemplate, Value),
}

impl Found {
    fn of(contract: &'static Contract, uri: &str) -> Option<Self> {
        let resource = contract.find_resource(uri).map(Self::Resource);
        resource.or_else(|| {
            let (template, variables) = contract.match_template(uri)?;
            Some(Self::Template(template, Value::Object(variables)))
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Resource(resource) => resource.name(),
            Self::Template(template, _) => template.name(),
        }
    }
}

impl ReadResource {
    /// A read of `uri`: of the resource that has it, else of the first template that it matches.
    pub fn new(contract: &'static Contract, uri: impl Into<String>) -> Self {
        let uri = uri.into();
        Self {
            found: Found::of(contract, &uri),
            uri,
            context: CallContext::default(),
        }
    }

    /// Sets what the transport knows of the request.
    #[must_use]
    pub fn with_context(mut self, context: CallContext) -> Self {
        self.context = context.with_redact(self.context.redact());
        self
    }

    /// Sets whether error texts show values.
    #[must_use]
    pub fn with_redact(mut self, redact: Redact) -> Self {
        self.context = self.context.with_redact(redact);
        self
    }

    /// The name of the resource or template; empty where the contract has none for the URI.
    pub fn name(&self) -> &str {
        self.found.as_ref().map_or("", Found::name)
    }

    /// The template that the URI matches, where no resource has it.
    pub(crate) fn uri_template(&self) -> Option<&'static str> {
        match self.found.as_ref()? {
            Found::Resource(_) => None,
            Found::Template(template, _) => Some(template.uri_template()),
        }
    }

    /// The URI as it came.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The error for a URI that no resource has and no template matches.
    pub fn unknown_resource(self) -> CallError {
        CallError::UnknownResource { uri: self.uri }
    }

    /// Reads a resource: runs `body`.
    ///
    /// # Errors
    ///
    /// [`CallError::UnknownResource`] and [`CallError::Unavailable`], or what has to be asked before.
    pub async fn resource<F, Fut>(self, body: F) -> Result<ResourceOutput, CallError>
    where
        F: FnOnce(CallContext) -> Fut,
        Fut: Future<Output = ToolResult<ResourceContents>> + Send,
    {
        let Some(Found::Resource(resource)) = self.found else {
            return Err(self.unknown_resource());
        };
        let (subject, mime) = (Subject::Resource(resource.name()), resource.mime_type());
        let context = self.context;
        let contents = guard::run(subject, &context, (), |(), context| body(context)).await?;
        answer(subject, &context, contents, self.uri, mime).await
    }

    /// Reads what a template describes: validates and types its variables, and runs `body`.
    ///
    /// The variables are the client's. Decoded, a text may hold `/` and `..`: one that is to become part of a path needs a
    /// `pattern` in the contract, or a check in `body`.
    ///
    /// # Errors
    ///
    /// As [`resource`](Self::resource), and [`CallError::InvalidParams`].
    pub async fn template<I, F, Fut>(self, body: F) -> Result<ResourceOutput, CallError>
    where
        I: DeserializeOwned,
        F: FnOnce(I, CallContext) -> Fut,
        Fut: Future<Output = ToolResult<ResourceContents>> + Send,
    {
        let Some(Found::Template(template, variables)) = self.found else {
            return Err(self.unknown_resource());
        };
        let (subject, mime) = (Subject::Resource(template.name()), template.mime_type());
        let decode = |it: &Value| template.decode_variables(it);
        let context = self.context;
        let contents = method::call(subject, &context, variables, decode, body).await?;
        answer(subject, &context, contents, self.uri, mime).await
    }
}

async fn answer(
    subject: Subject,
    context: &CallContext,
    contents: ResourceContents,
    uri: String,
    mime: Option<&'static str>,
) -> Result<ResourceOutput, CallError> {
    let meta = method::meta(subject, context);
    let blocks = contents.reads_files();
    let render = move || contents.render(&uri, mime);
    let contents = method::render(subject, context, blocks, render).await?;
    Ok(ResourceOutput { contents, meta })
}

impl fmt::Debug for ReadResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ReadResource");
        out.field("name", &self.name())
            .field("context", &self.context);
        if self.context.redact() == Redact::Nothing {
            out.field("uri", &self.uri);
        }
        out.finish_non_exhaustive()
    }
}

/// What a read gives: MCP resource contents, complete.
#[derive(Clone, Debug)]
pub struct ResourceOutput {
    pub(crate) contents: Vec<Value>,
    pub(crate) meta: Map<String, Value>,
}

impl ResourceOutput {
    /// The MCP resource contents.
    pub fn contents(&self) -> &[Value] {
        &self.contents
    }
}
