//! Prompts in rmcp's words, and the answer to `prompts/get`.

use rmcp::{
    ErrorData, RoleServer,
    model::{
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, Icon, MetaObject, Prompt,
        PromptArgument, PromptMessage, Role,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};

use super::{Handler, catalog::member, context, input, result};
use crate::{GetPrompt, PromptOutput, Toolset, content, operator};

impl<T: Toolset> Handler<T> {
    /// Answers one `prompts/get`, with the contract enforced.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong: an unknown prompt, arguments that break their schema, a method that fails.
    pub async fn prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let revision = context::revision(&context);
        let meta = self.catalog().meta(revision);
        let (name, state) = (request.name, request.request_state);
        let answers = input::answers(
            "prompts/get",
            &name,
            request.input_responses,
            state.as_deref(),
        )?;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let get = GetPrompt::new(self.toolset().contract(), name.as_str(), arguments);
        let ended = self.run(context, answers, |context| {
            self.toolset().prompt(get.with_context(context))
        });
        match result::answered(ended.await, revision, meta)? {
            result::Answer::Output(output) => match model(output, meta) {
                Ok(model) => Ok(model.into()),
                Err(error) => {
                    // Content that rmcp cannot carry.
                    let subject = format_args!("prompt `{name}`");
                    operator::failure(&subject, "its messages cannot be sent", &error);
                    let message = "the prompt's messages cannot be sent";
                    Err(ErrorData::internal_error(message, None))
                }
            },
            result::Answer::InputRequired(questions) => Ok(questions.into()),
        }
    }
}

fn model(
    output: PromptOutput,
    server_meta: &Map<String, Value>,
) -> serde_json::Result<GetPromptResult> {
    let messages = output.messages.into_iter().map(|(role, block)| {
        let role = match role {
            content::Role::User => Role::User,
            content::Role::Assistant => Role::Assistant,
        };
        Ok(PromptMessage::new(role, result::block(block)?))
    });
    let mut model = GetPromptResult::new(messages.collect::<serde_json::Result<_>>()?);
    model.description = output.description;
    model.meta = result::meta(server_meta, output.meta);
    Ok(model)
}

/// A `prompts/list` entry, member by member as in [`catalog`](super::catalog).
pub(super) fn prompt(entry: &Map<String, Value>) -> Prompt {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    let arguments = member::<Vec<PromptArgument>>(entry, "arguments");
    let name = text("name").unwrap_or_default();
    let mut prompt = Prompt::new(name, text("description"), arguments);
    prompt.title = text("title");
    prompt.icons = member::<Vec<Icon>>(entry, "icons");
    prompt.meta = member::<MetaObject>(entry, "_meta");
    prompt
}
