//! What a contract does not have yet: methods that are refused in words, where rmcp would answer with the bare name.

use rmcp::{ErrorData, model::ErrorCode};

use crate::violation::shortened;

/// The answer to a method that this server does not have.
pub(super) fn unsupported(method: &str) -> ErrorData {
    let method = shortened(method, 128);
    let message = format!("method `{method}` is not supported by this server");
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// Methods of rmcp's `ServerHandler` that refuse.
macro_rules! refuse {
    ($($name:ident($params:ty) -> $result:ty = $method:literal;)+) => {
        $(
            async fn $name(
                &self,
                _: $params,
                _: ::rmcp::service::RequestContext<::rmcp::RoleServer>,
            ) -> Result<$result, ::rmcp::ErrorData> {
                Err($crate::rmcp::unsupported::unsupported($method))
            }
        )+
    };
}

pub(super) use refuse;
