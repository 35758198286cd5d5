//! Resources and resource templates in rmcp's words, and the answer to `resources/read`.

use rmcp::{
    ErrorData, RoleServer,
    model::{
        Annotations, Icon, MetaObject, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};

use super::{Handler, catalog::member, context, input, result};
use crate::{ReadResource, ResourceOutput, Toolset};

impl<T: Toolset> Handler<T> {
    /// Answers one `resources/read`, with the contract enforced.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong: an unknown URI, variables that break their schema, a method that fails.
    pub async fn read(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let revision = context::revision(&context);
        let meta = self.catalog().meta(revision);
        let (uri, state) = (request.uri, request.request_state);
        let answers = input::answers(
            "resources/read",
            &uri,
            request.input_responses,
            state.as_deref(),
        )?;
        let read = ReadResource::new(self.toolset().contract(), uri);
        let ended = self.run(context, answers, |context| {
            self.toolset().read(read.with_context(context))
        });
        match result::answered(ended.await, revision, meta)? {
            result::Answer::Output(output) => Ok(model(output, meta).into()),
            result::Answer::InputRequired(questions) => Ok(questions.into()),
        }
    }
}

fn model(output: ResourceOutput, server_meta: &Map<String, Value>) -> ReadResourceResult {
    let contents = output.contents.into_iter().filter_map(contents);
    let mut model = ReadResourceResult::new(contents.collect());
    model.meta = result::meta(server_meta, output.meta);
    model
}

/// Taken apart by hand: rmcp's own way is to copy a text twice.
fn contents(value: Value) -> Option<ResourceContents> {
    let Value::Object(mut members) = value else {
        return None;
    };
    let mut text = |key: &str| match members.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let uri = text("uri")?;
    let mime_type = text("mimeType");
    let (text, blob) = (text("text"), text("blob"));
    let meta = match members.remove("_meta") {
        Some(Value::Object(meta)) => Some(MetaObject::from(meta)),
        _ => None,
    };
    if let Some(text) = text {
        return Some(ResourceContents::TextResourceContents {
            uri,
            mime_type,
            text,
            meta,
        });
    }
    Some(ResourceContents::BlobResourceContents {
        uri,
        mime_type,
        blob: blob?,
        meta,
    })
}

/// A `resources/list` entry, member by member as in [`catalog`](super::catalog).
pub(super) fn resource(entry: &Map<String, Value>) -> Resource {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut resource = Resource::new(
        text("uri").unwrap_or_default(),
        text("name").unwrap_or_default(),
    );
    resource.title = text("title");
    resource.description = text("description");
    resource.mime_type = text("mimeType");
    resource.size = member::<u64>(entry, "size");
    resource.icons = member::<Vec<Icon>>(entry, "icons");
    resource.annotations = member::<Annotations>(entry, "annotations");
    resource.meta = member::<MetaObject>(entry, "_meta");
    resource
}

/// A `resources/templates/list` entry.
pub(super) fn template(entry: &Map<String, Value>) -> ResourceTemplate {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut template = ResourceTemplate::new(
        text("uriTemplate").unwrap_or_default(),
        text("name").unwrap_or_default(),
    );
    template.title = text("title");
    template.description = text("description");
    template.mime_type = text("mimeType");
    template.icons = member::<Vec<Icon>>(entry, "icons");
    template.annotations = member::<Annotations>(entry, "annotations");
    template.meta = member::<MetaObject>(entry, "_meta");
    template
}
