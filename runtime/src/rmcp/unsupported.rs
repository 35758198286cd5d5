//! Requests that are none: of methods that a server does not have, or with parameters that they do not take. rmcp would answer
//! them with the bare name of the method.

use rmcp::{
    ErrorData,
    model::{CustomRequest, ErrorCode},
};
use serde_json::Value;

use crate::{Revision, violation::shortened};

/// The methods whose parameters rmcp reads; what it cannot read comes as a custom request of the same name.
const KNOWN: [&str; 15] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// The methods that 2026-07-28 no longer has.
const REMOVED: [&str; 5] = [
    "initialize",
    "logging/setLevel",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
];

/// The answer to a method that this server does not have.
pub(super) fn unsupported(method: &str) -> ErrorData {
    let method = shortened(method, 128);
    let message = format!("method `{method}` is not supported by this server");
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// Why a request is none: its parameters are not what the method takes, or there is no such method here or in its revision.
pub(super) fn malformed(request: &CustomRequest, revision: Revision) -> ErrorData {
    let params = request.params.as_ref();
    match request.method.as_str() {
        method if revision.is_modern() && REMOVED.contains(&method) => unsupported(method),
        "tools/call" => ErrorData::invalid_params(malformed_call(params), None),
        method if KNOWN.contains(&method) => {
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
