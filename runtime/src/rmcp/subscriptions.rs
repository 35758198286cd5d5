//! Clients that want to be told when resources change: `resources/subscribe` with a session, `subscriptions/listen` since
//! 2026-07-28.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{ResourceUpdatedNotificationParam, ServerCapabilities, SubscriptionFilter},
    service::SubscriptionContext,
};
use serde_json::json;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Handler;
use crate::{
    Contract, ResourceUpdates, Toolset,
    updates::{Listener, MOST_WANTED, Update},
    violation::shortened,
};

/// What one client wants to be told; clones are of the same client.
#[derive(Clone, Debug, Default)]
pub(super) struct Subscriptions(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Of a session: there from its opening, or from its first subscription.
    session: OnceLock<Told>,
    /// Accepted and not yet taken up. They listen already, so that nothing is missed in between.
    accepted: Mutex<Vec<(SubscriptionFilter, Listener)>>,
}

/// A task that tells a client what it hears, as long as this is there.
#[derive(Debug)]
struct Told {
    listener: Listener,
    _until: DropGuard,
}

/// How many accepted filters wait to be taken up at most; one that is forgotten costs nothing but the news in between.
const WAITING: usize = 64;

impl<T: Toolset> Handler<T> {
    /// Where to tell that resources changed.
    ///
    /// Ask for it before the server is served: the clients are told at the opening that they can subscribe. A server that is not
    /// served through its handler gets one by [`watched`](crate::watched()).
    pub fn updates(&self) -> ResourceUpdates {
        self.updates_cell()
            .get_or_init(|| self.toolset().updates().unwrap_or_default())
            .clone()
    }

    /// The same, if anybody can tell.
    pub(super) fn told_updates(&self) -> Option<ResourceUpdates> {
        let cell = self.updates_cell();
        if cell.get().is_none()
            && let Some(updates) = self.toolset().updates()
        {
            return Some(cell.get_or_init(|| updates).clone());
        }
        cell.get().cloned()
    }

    /// Adds what clients can subscribe to.
    pub(super) fn announce(&self, capabilities: &mut ServerCapabilities) {
        if let Some(resources) = &mut capabilities.resources
            && self.told_updates().is_some()
        {
            resources.subscribe = Some(true);
            resources.list_changed = Some(true);
        }
    }

    /// Tells a client with a session when the list changes, which it need not ask for.
    pub(super) fn begin_session(&self, peer: Peer<RoleServer>) {
        if let Some(updates) = self.told_updates()
            && !self.contract().resources_are_empty()
        {
            self.subscriptions().session(&updates, peer, self.deaf());
        }
    }

    /// `resources/subscribe`; `None` where nobody could be told.
    pub(super) fn subscribe_to(
        &self,
        uri: String,
        peer: Peer<RoleServer>,
    ) -> Option<Result<(), ErrorData>> {
        let updates = self.told_updates()?;
        if !self.contract().has_resource(&uri) {
            return Some(Err(unknown(&uri)));
        }
        let subscriptions = self.subscriptions();
        let told = subscriptions.session(&updates, peer, self.deaf());
        Some(if told.listener.want(uri) {
            Ok(())
        } else {
            let message = format!("a client can subscribe to {MOST_WANTED} resources");
            Err(ErrorData::invalid_request(message, None))
        })
    }

    /// `resources/unsubscribe`; `None` where nobody could be told.
    pub(super) fn unsubscribe_from(&self, uri: &str) -> Option<()> {
        self.told_updates()?;
        if let Some(told) = self.subscriptions().0.session.get() {
            told.listener.forget(uri);
        }
        Some(())
    }

    /// What of a filter can be told; `None` where nobody could be told anything.
    pub(super) fn accept(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let updates = self.told_updates()?;
        let contract = self.contract();
        let uris = requested.resource_subscriptions.iter().flatten();
        let known: Vec<String> = uris
            .filter(|it| contract.has_resource(it))
            .take(MOST_WANTED)
            .cloned()
            .collect();
        let mut accepted = SubscriptionFilter::new();
        let lists = requested.resources_list_changed == Some(true);
        accepted.resources_list_changed =
            (lists && !contract.resources_are_empty()).then_some(true);
        accepted.resource_subscriptions = (!known.is_empty()).then_some(known);
        self.subscriptions().accept(&accepted, &updates);
        Some(accepted)
    }

    /// Tells a client what it listens to, until it does no longer or the server ends.
    pub(super) async fn tell(&self, context: SubscriptionContext) {
        let Some(updates) = self.told_updates() else {
            return;
        };
        let listener = self.subscriptions().take(context.accepted(), &updates);
        let sink = context.sink();
        let tell = async {
            loop {
                let sent = match listener.next().await {
                    Update::Resource(uri) => sink.notify_resource_updated(uri).await,
                    Update::List => sink.notify_resource_list_changed().await,
                };
                if let Err(error) = sent {
                    tracing::debug!(%error, "an update did not reach the client");
                }
            }
        };
        tokio::select! {
            biased;
            () = context.cancelled() => {}
            () = self.deaf().cancelled() => {}
            () = self.closing().cancelled() => {}
            () = tell => {}
        }
    }

    fn contract(&self) -> &'static Contract {
        self.toolset().contract()
    }
}

impl Subscriptions {
    /// What tells the client of a session, until the session is gone or `deaf`: who waits then for a notification to be sent,
    /// would wait for ever.
    fn session(
        &self,
        updates: &ResourceUpdates,
        peer: Peer<RoleServer>,
        deaf: &CancellationToken,
    ) -> &Told {
        self.0.session.get_or_init(|| {
            let listener = updates.listen();
            listener.want_list();
            let until = deaf.child_token();
            let tell = tell_session(listener.clone(), peer);
            tokio::spawn(until.clone().run_until_cancelled_owned(tell));
            Told {
                listener,
                _until: until.drop_guard(),
            }
        })
    }

    fn accept(&self, accepted: &SubscriptionFilter, updates: &ResourceUpdates) {
        let mut waiting = self
            .0
            .accepted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= WAITING {
            waiting.remove(0);
        }
        waiting.push((accepted.clone(), listener(accepted, updates)));
    }

    /// One that listens to `accepted`: which of several does not matter, all of them heard the same.
    fn take(&self, accepted: &SubscriptionFilter, updates: &ResourceUpdates) -> Listener {
        let mut waiting = self
            .0
            .accepted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match waiting.iter().position(|(filter, _)| filter == accepted) {
            Some(at) => waiting.remove(at).1,
            None => listener(accepted, updates),
        }
    }
}

fn listener(accepted: &SubscriptionFilter, updates: &ResourceUpdates) -> Listener {
    let listener = updates.listen();
    for uri in accepted.resource_subscriptions.iter().flatten() {
        // What was accepted is no more than what one listener can want.
        let _ = listener.want(uri.clone());
    }
    if accepted.resources_list_changed == Some(true) {
        listener.want_list();
    }
    listener
}

async fn tell_session(listener: Listener, peer: Peer<RoleServer>) {
    while !peer.is_transport_closed() {
        let sent = match listener.next().await {
            Update::Resource(uri) => {
                let param = ResourceUpdatedNotificationParam::new(uri);
                peer.notify_resource_updated(param).await
            }
            Update::List => peer.notify_resource_list_changed().await,
        };
        if let Err(error) = sent {
            tracing::debug!(%error, "an update did not reach the client");
        }
    }
}

fn unknown(uri: &str) -> ErrorData {
    let message = format!("unknown resource `{}`", shortened(uri, 300));
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}
