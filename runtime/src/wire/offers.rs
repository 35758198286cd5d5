//! Results and lists of resources, prompts and completions.
//!
//! Source: `ReadResourceResult`, `GetPromptResult`, `CompleteResult` of the schemas; SEP-2164 for the code of an unknown
//! resource, SEP-2549 for what may be cached.

use serde_json::{Map, Value, json};

use super::{
    INTERNAL_ERROR, INVALID_PARAMS, MISSING_CAPABILITY, RESOURCE_NOT_FOUND, RpcError, complete,
    input_required, list,
};
use crate::{
    CallError, Completions, Contract, Prompt, PromptOutput, Resource, ResourceOutput,
    ResourceTemplate, Revision, prompt,
};

/// The `ReadResourceResult` for what a read gave, or the [`input_required`](super::input_required) result.
///
/// # Errors
///
/// Whatever went wrong: there is no other way to tell it.
pub fn read_result(
    contract: &'static Contract,
    result: Result<ResourceOutput, CallError>,
    revision: Revision,
) -> Result<Map<String, Value>, RpcError> {
    answer(contract, result, revision, |output, out| {
        out.insert("contents".to_owned(), Value::Array(output.contents));
        if revision.is_modern() {
            // Nobody knows for how long contents stay what they are.
            out.insert("ttlMs".to_owned(), Value::from(0));
            out.insert("cacheScope".to_owned(), Value::from("private"));
        }
        output.meta
    })
}

/// The `GetPromptResult` for what a prompt gave, or the [`input_required`](super::input_required) result.
///
/// # Errors
///
/// As [`read_result`].
pub fn prompt_result(
    contract: &'static Contract,
    result: Result<PromptOutput, CallError>,
    revision: Revision,
) -> Result<Map<String, Value>, RpcError> {
    answer(contract, result, revision, |output, out| {
        if let Some(description) = output.description {
            out.insert("description".to_owned(), Value::String(description));
        }
        let messages = output.messages.into_iter().map(prompt::message);
        out.insert("messages".to_owned(), messages.collect());
        output.meta
    })
}

/// The `CompleteResult` for what a completion gave.
///
/// # Errors
///
/// As [`read_result`].
pub fn completion_result(
    contract: &'static Contract,
    result: Result<Completions, CallError>,
    revision: Revision,
) -> Result<Map<String, Value>, RpcError> {
    answer(contract, result, revision, |output, out| {
        let more = output.has_more();
        let completion = json!({ "values": output.values, "total": output.total, "hasMore": more });
        out.insert("completion".to_owned(), completion);
        output.meta
    })
}

/// `fill` writes the result's own members and gives its `_meta`.
fn answer<T>(
    contract: &'static Contract,
    result: Result<T, CallError>,
    revision: Revision,
    fill: impl FnOnce(T, &mut Map<String, Value>) -> Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let output = match result {
        Ok(output) => output,
        Err(CallError::InputRequired(input)) => {
            return Ok(input_required(contract, &input, revision));
        }
        Err(error) => return Err(rpc_error(&error, revision)),
    };
    let mut out = Map::new();
    let own = fill(output, &mut out);
    complete(&mut out, contract, own, revision);
    Ok(out)
}

/// The JSON-RPC error for a request that has no result for what went wrong: all but calls of tools.
pub fn rpc_error(error: &CallError, revision: Revision) -> RpcError {
    let code = match error {
        CallError::UnknownResource { .. } if !revision.is_modern() => RESOURCE_NOT_FOUND,
        CallError::UnknownTool { .. }
        | CallError::UnknownResource { .. }
        | CallError::UnknownPrompt { .. }
        | CallError::UnknownArgument { .. }
        | CallError::InvalidArguments { .. }
        | CallError::InvalidParams { .. }
        | CallError::InvalidAnswer { .. } => INVALID_PARAMS,
        CallError::MissingAbility { .. } if revision.is_modern() => MISSING_CAPABILITY,
        CallError::InvalidOutput { .. }
        | CallError::Failed { .. }
        | CallError::Unavailable { .. }
        | CallError::MissingAbility { .. }
        | CallError::InputRequired(_) => INTERNAL_ERROR,
    };
    let data = match error {
        CallError::UnknownResource { uri } => Some(json!({ "uri": uri })),
        CallError::MissingAbility { ability, .. } if revision.is_modern() => {
            Some(json!({ "requiredCapabilities": ability.capabilities() }))
        }
        _ => None,
    };
    RpcError {
        code,
        message: error.to_string(),
        data,
    }
}

/// The `resources` of a `resources/list` result, in the contract's order.
pub fn resources(contract: &'static Contract) -> Vec<Value> {
    list(contract.resources().iter().map(Resource::definition))
}

/// The `resourceTemplates` of a `resources/templates/list` result, in the contract's order.
pub fn resource_templates(contract: &'static Contract) -> Vec<Value> {
    list(
        contract
            .resource_templates()
            .iter()
            .map(ResourceTemplate::definition),
    )
}

/// The `prompts` of a `prompts/list` result, in the contract's order.
pub fn prompts(contract: &'static Contract) -> Vec<Value> {
    list(contract.prompts().iter().map(Prompt::definition))
}
