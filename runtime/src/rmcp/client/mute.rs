//! What a server hears that asks the client something: that it cannot be asked.
//!
//! The SDK's own handler declines in the user's name and says that there are no roots. Nobody was asked, so nobody answers.
#![expect(
    deprecated,
    reason = "servers of earlier revisions may ask for roots for as long as those are spoken"
)]

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientConfig, ElicitRequestParams, ElicitResult, ElicitationCreateRequestMethod,
        ListRootsRequestMethod, ListRootsResult,
    },
    service::RequestContext,
};

/// A client without capabilities.
pub(super) struct Mute(pub(super) ClientConfig);

impl ClientHandler for Mute {
    fn get_info(&self) -> ClientConfig {
        self.0.clone()
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(ErrorData::method_not_found::<ElicitationCreateRequestMethod>())
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }
}
