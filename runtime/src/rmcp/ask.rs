//! Questions to clients before 2026-07-28: a request of ours, whose answer the call waits for.

use rmcp::{
    RoleServer,
    model::{
        CancelledNotification, CancelledNotificationParam, CustomRequest, RequestId, ServerRequest,
    },
    service::{PeerRequestOptions, ServiceError},
};
use serde_json::Value;

use crate::{AskError, Question};

/// Asks and waits.
///
/// rmcp's own types of these requests would lose what they do not know of a form's schema; a custom request carries what the
/// contract says.
pub(super) async fn ask(
    client: &rmcp::Peer<RoleServer>,
    question: &Question,
) -> Result<Value, AskError> {
    let params = Value::Object(question.params().clone());
    let request = CustomRequest::new(question.method(), Some(params));
    let options = PeerRequestOptions::no_options();
    let request = ServerRequest::CustomRequest(request);
    let handle = client
        .send_cancellable_request(request, options)
        .await
        .map_err(refusal)?;
    let mut open = Open {
        client,
        id: Some(handle.id.clone()),
    };
    let answer = handle.await_response().await;
    open.id = None;
    let answer = answer.map_err(refusal)?;
    serde_json::to_value(answer).map_err(|error| AskError::unreachable(error.to_string()))
}

fn refusal(error: ServiceError) -> AskError {
    match error {
        ServiceError::McpError(error) => AskError::refused(error.message),
        error => AskError::unreachable(error.to_string()),
    }
}

/// A question that is on the user's screen, until it is answered.
struct Open<'a> {
    client: &'a rmcp::Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for Open<'_> {
    /// Takes the question off the screen when the call ends without waiting for it.
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let client = self.client.clone();
        runtime.spawn(async move {
            let params = CancelledNotificationParam::new(
                Some(id),
                Some("the call that asked has ended".to_owned()),
            );
            let notification = CancelledNotification::new(params);
            if let Err(error) = client.send_notification(notification.into()).await {
                tracing::debug!(%error, "a question could not be taken back");
            }
        });
    }
}
