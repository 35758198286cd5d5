//! The answer to `completion/complete`.

use rmcp::{
    ErrorData, RoleServer,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference},
    service::RequestContext,
};

use super::{Handler, context, result};
use crate::{Answers, Complete, Partial, Toolset};

impl<T: Toolset> Handler<T> {
    /// Answers one `completion/complete`, from the contract or by the method that it names.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong: an unknown prompt, template or argument, a method that fails.
    pub async fn completion(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let revision = context::revision(&context);
        let meta = self.catalog().meta(revision);
        let contract = self.toolset().contract();
        let argument = request.argument.name;
        let mut partial = Partial::new(request.argument.value);
        let others = request.context.and_then(|it| it.arguments);
        partial.others.extend(others.unwrap_or_default());
        let complete = match request.r#ref {
            Reference::Prompt(prompt) => Complete::prompt(contract, prompt.name, argument, partial),
            Reference::Resource(it) => Complete::template(contract, it.uri, argument, partial),
            _ => {
                let message = "`ref` is neither `ref/prompt` nor `ref/resource`";
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        let ended = self.run(context, Answers::default(), |context| {
            self.toolset().complete(complete.with_context(context))
        });
        let output = match result::answered(ended.await, revision, meta)? {
            result::Answer::Output(output) => output,
            result::Answer::InputRequired(_) => {
                let message = "a completion cannot wait for answers";
                return Err(ErrorData::internal_error(message, None));
            }
        };
        let mut info = CompletionInfo::default();
        info.has_more = Some(output.has_more());
        // A total that does not fit is not told; nobody counts that far.
        info.total = u32::try_from(output.total()).ok();
        info.values = output.values;
        let mut model = CompleteResult::new(info);
        model.meta = result::meta(meta, output.meta);
        Ok(model)
    }
}
