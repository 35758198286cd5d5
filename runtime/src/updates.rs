//! What changed among the resources, told to those who want to know. Needs no executor.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    task::Waker,
};
#[cfg(any(feature = "rmcp", test))]
use std::{future::poll_fn, task::Poll};

use crate::{
    CallError, Complete, Completions, Contract, GetPrompt, PromptOutput, ReadResource,
    ResourceOutput, ToolCall, ToolOutput, Toolset,
};

/// Tells clients that resources changed. Clones tell the same clients.
///
/// It reaches every client that subscribed in this process: those with a session that used `resources/subscribe`, and those of
/// 2026-07-28 with a `subscriptions/listen` that is open. It is memory of this process, the only one there is: of several
/// processes behind a load balancer, each knows its own clients only, so a change must be told in all of them. Over HTTP without
/// sessions there is nobody who could be told but those who listen.
///
/// # Examples
///
/// ```no_run
/// use mcp_codegen_runtime::{ResourceUpdates, ServeError, Toolset, serve_stdio, watched};
///
/// # async fn example(server: impl Toolset, watch_files: impl FnOnce(ResourceUpdates)) -> Result<(), ServeError> {
/// let updates = ResourceUpdates::new();
/// watch_files(updates.clone()); // calls `updates.updated("brand://guidelines")`
/// serve_stdio(watched(server, updates)).await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ResourceUpdates(Vec<Arc<Mutex<Hub>>>);

/// Those who listen, as long as they do.
#[derive(Debug, Default)]
struct Hub(Vec<Weak<Mutex<Inbox>>>);

impl Default for ResourceUpdates {
    fn default() -> Self {
        Self::new()
    }
}

impl ResourceUpdates {
    /// Nobody listens yet.
    pub fn new() -> Self {
        Self(vec![Arc::default()])
    }

    /// The resource with this URI changed. Does not wait for anybody.
    pub fn updated(&self, uri: impl Into<String>) {
        let uri = uri.into();
        self.tell(|inbox| inbox.wanted.contains(&uri) && inbox.updated.insert(uri.clone()));
    }

    /// The list of resources changed. Does not wait for anybody.
    pub fn list_changed(&self) {
        self.tell(|inbox| inbox.wants_list && !std::mem::replace(&mut inbox.list_changed, true));
    }

    /// Both as one: who listens to it, listens to both.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// One who listens, to nothing yet.
    #[cfg(any(feature = "rmcp", test))]
    pub(crate) fn listen(&self) -> Listener {
        let inbox = Arc::default();
        for hub in &self.0 {
            let mut hub = lock(hub);
            hub.0.retain(|it| it.strong_count() > 0);
            hub.0.push(Arc::downgrade(&inbox));
        }
        Listener(inbox)
    }

    /// `change` says whether there is news in it.
    fn tell(&self, change: impl Fn(&mut Inbox) -> bool) {
        let hubs = self.0.iter();
        let inboxes: Vec<_> = hubs.flat_map(|hub| lock(hub).0.clone()).collect();
        for inbox in inboxes.iter().filter_map(Weak::upgrade) {
            let waker = {
                let mut inbox = lock(&inbox);
                change(&mut inbox).then(|| inbox.waker.take()).flatten()
            };
            // Outside the lock: a waker may run the future at once.
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

/// How many resources one listener can want to know of. A template has URIs without end, and a client could name them all.
#[cfg(any(feature = "rmcp", test))]
pub(crate) const MOST_WANTED: usize = 1024;

/// What one listener wants to know, and what it was not told yet. A resource that changes twice before it is told is told
/// once, so this stays as small as what is wanted.
#[derive(Debug, Default)]
struct Inbox {
    wanted: BTreeSet<String>,
    wants_list: bool,
    updated: BTreeSet<String>,
    list_changed: bool,
    waker: Option<Waker>,
}

/// One who listens. Clones hear the same news, each once.
#[cfg(any(feature = "rmcp", test))]
#[derive(Clone, Debug)]
pub(crate) struct Listener(Arc<Mutex<Inbox>>);

/// What changed.
#[cfg(any(feature = "rmcp", test))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    /// The resource with this URI.
    Resource(String),
    /// The list of resources.
    List,
}

#[cfg(any(feature = "rmcp", test))]
impl Listener {
    /// `false` where it wants to know so much already that it can want no more.
    #[must_use]
    pub(crate) fn want(&self, uri: String) -> bool {
        let mut inbox = lock(&self.0);
        let has_room = inbox.wanted.len() < MOST_WANTED || inbox.wanted.contains(&uri);
        if has_room {
            inbox.wanted.insert(uri);
        }
        has_room
    }

    pub(crate) fn want_list(&self) {
        lock(&self.0).wants_list = true;
    }

    pub(crate) fn forget(&self, uri: &str) {
        let mut inbox = lock(&self.0);
        inbox.wanted.remove(uri);
        inbox.updated.remove(uri);
    }

    /// The next news. One task at a time can wait for it.
    pub(crate) async fn next(&self) -> Update {
        poll_fn(|cx| {
            let mut inbox = lock(&self.0);
            if std::mem::take(&mut inbox.list_changed) {
                return Poll::Ready(Update::List);
            }
            if let Some(uri) = inbox.updated.pop_first() {
                return Poll::Ready(Update::Resource(uri));
            }
            let old = inbox.waker.replace(cx.waker().clone());
            drop(inbox);
            // Outside the lock: a waker may hold the last hand on a task, and with it on others.
            drop(old);
            Poll::Pending
        })
        .await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code of others runs under these locks, so a poisoned state is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A [`Toolset`] whose clients are told when resources change. Made by [`watched()`].
#[derive(Clone, Debug)]
pub struct Watched<T> {
    toolset: T,
    updates: ResourceUpdates,
}

/// Serves `toolset` so that clients can subscribe to its resources; `updates` is how they are told.
pub const fn watched<T: Toolset>(toolset: T, updates: ResourceUpdates) -> Watched<T> {
    Watched { toolset, updates }
}

impl<T: Toolset> Toolset for Watched<T> {
    fn contract(&self) -> &'static Contract {
        self.toolset.contract()
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        self.toolset.call(call).await
    }

    async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
        self.toolset.read(read).await
    }

    async fn prompt(&self, get: GetPrompt) -> Result<PromptOutput, CallError> {
        self.toolset.prompt(get).await
    }

    async fn complete(&self, complete: Complete) -> Result<Completions, CallError> {
        self.toolset.complete(complete).await
    }

    fn updates(&self) -> Option<ResourceUpdates> {
        let updates = self.updates.clone();
        Some(match self.toolset.updates() {
            Some(inner) => updates.and(inner),
            None => updates,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::block_on;

    #[test]
    fn news_are_told_once_to_those_who_want_them() {
        let updates = ResourceUpdates::new();
        let (one, other) = (updates.listen(), updates.listen());
        assert!(one.want("a".to_owned()) && one.want("b".to_owned()) && other.want("c".to_owned()));
        one.want_list();
        for uri in ["b", "a", "b", "z"] {
            updates.updated(uri);
        }
        updates.list_changed();
        one.forget("a");
        let told = [block_on(one.next()), block_on(one.next())];
        assert_eq!(told, [Update::List, Update::Resource("b".to_owned())]);
        // Who waits is woken, from another thread and through a clone of a joined handle.
        let joined = ResourceUpdates::new().and(updates.clone());
        let teller = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            joined.updated("c");
        });
        assert_eq!(block_on(other.next()), Update::Resource("c".to_owned()));
        teller.join().expect("the thread only tells");
        drop((one, other));
        let _last = updates.listen();
        assert_eq!(lock(&updates.0[0]).0.len(), 1);
    }

    #[test]
    fn nobody_can_want_everything() {
        let listener = ResourceUpdates::new().listen();
        for number in 0..MOST_WANTED {
            assert!(listener.want(number.to_string()));
        }
        assert!(listener.want("0".to_owned()));
        assert!(!listener.want("one more".to_owned()));
        listener.forget("0");
        assert!(listener.want("one more".to_owned()));
    }
}
