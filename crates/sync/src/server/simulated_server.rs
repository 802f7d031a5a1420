//! Implements `SyncServer` in memory, for tests of this and other crates.
//!
//! - The test sets the clock. Ids are the same in each run.
//! - A test can cancel each request at two points: before the request is carried out, and before its reply arrives.
//! - A fault plan can make any request fail.
//! - Answers are verified in the same way as by the HTTP client.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{StreamExt as _, stream};
use tokio::{sync::broadcast, task::yield_now};

use super::{
    device_token::DeviceToken,
    page_check::{ReceivedPage, check_page},
    server_fault::{ServerAnswer, ServerFailure, ServerFault, ServerHints, ServerResult, UnexpectedAnswer, UnreachableCause},
    server_types::{
        BatchStep, CollectionPoll, CreatedInvite, DeviceEnrolled, DeviceEnrolment, InviteRequest, ListedDevice, ListedIds,
        ObjectPage, ObjectPost, OutgoingObject, PageRequest, PostReceipt, ServerChange, ServerLimits, SpaceUsage, StoredObject,
    },
    simulated_faults::{FaultPlan, InjectedFault, OperationKind, ServerOperation, SimulatedSnapshot},
    simulated_store::SimulatedStore,
    sync_server::{ChangeStream, SyncServer},
};

/// Maximum number of unread changes in a stream.
const BACKLOG: usize = 1024;

/// Sync server in memory, as seen by one device. Clones share the data.
#[derive(Clone)]
pub struct SimulatedServer {
    shared: Arc<SharedServer>,
    token: Option<DeviceToken>,
}

struct SharedServer {
    state: Mutex<ServerState>,
    changes: broadcast::Sender<(i64, ServerChange)>,
}

struct ServerState {
    store: SimulatedStore,
    plan: Option<FaultPlan>,
    operations: u64,
    /// Last returned page of each user and collection.
    pages: BTreeMap<(i64, String), ReceivedPage>,
}

/// Request that is being carried out.
struct RunningOperation<'a> {
    store: &'a mut SimulatedStore,
    pages: &'a mut BTreeMap<(i64, String), ReceivedPage>,
    fault: Option<InjectedFault>,
    /// User id, or 0 without a token.
    uid: i64,
}

impl RunningOperation<'_> {
    /// Returns `time`, or an earlier time if the injected fault falsifies times.
    fn stated(&self, time: i64) -> i64 {
        match self.fault {
            Some(InjectedFault::TimeBackwards(by)) => (time - by).max(0),
            _ => time,
        }
    }
}

impl fmt::Debug for SimulatedServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SimulatedServer({:?})", self.token)
    }
}

impl SimulatedServer {
    /// Creates a server without users. `now_ms` is the time of its clock.
    pub fn new(now_ms: i64) -> Self {
        let state = ServerState { store: SimulatedStore::new(now_ms), plan: None, operations: 0, pages: BTreeMap::new() };
        let shared = SharedServer { state: Mutex::new(state), changes: broadcast::Sender::new(BACKLOG) };
        Self { shared: Arc::new(shared), token: None }
    }

    /// Creates a server with one user, as seen by the user's first device.
    pub fn with_user(now_ms: i64, device: &str) -> Self {
        let server = Self::new(now_ms);
        let uid = server.state().store.new_user();
        let token = server.state().store.add_device(uid, device).ok();
        Self { token, ..server }
    }

    /// Adds a device for the user of this device, and returns the server as seen by the new device.
    pub fn add_device(&self, name: &str) -> Self {
        let uid = self.uid();
        let token = self.state().store.add_device(uid, name).ok();
        Self { token, ..self.clone() }
    }

    /// Creates an invite, with the proof `auth`, for a new user. Returns the id of the invite.
    pub fn set_up_invite(&self, auth: &str) -> String {
        self.state().store.set_up_invite(auth)
    }

    /// Returns the token of this device.
    pub fn token(&self) -> Option<&DeviceToken> {
        self.token.as_ref()
    }

    /// Returns the time of the clock in milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.state().store.now_ms
    }

    /// Sets the clock, possibly to an earlier time.
    pub fn set_now(&self, now_ms: i64) {
        self.state().store.now_ms = now_ms;
    }

    /// Advances the clock.
    pub fn advance(&self, milliseconds: i64) {
        self.state().store.now_ms += milliseconds;
    }

    /// Replaces the limits of the server.
    pub fn set_limits(&self, limits: ServerLimits) {
        self.state().store.limits = limits;
    }

    /// Sets the server's own maximum number of objects in a page.
    pub fn set_longest_page(&self, objects: u32) {
        self.state().store.longest_page = objects;
    }

    /// Sets the quota of the user. `None` means no quota.
    pub fn set_quota(&self, bytes: Option<i64>) {
        let uid = self.uid();
        self.state().store.set_quota(uid, bytes);
    }

    /// Sets the plan that chooses the faults of all later requests. The plan must not call the server.
    pub fn set_faults(&self, plan: FaultPlan) {
        self.state().plan = Some(plan);
    }

    /// Ends all faults.
    pub fn clear_faults(&self) {
        self.state().plan = None;
    }

    /// Returns the number of requests so far.
    pub fn operations(&self) -> u64 {
        self.state().operations
    }

    /// Returns the content of the server.
    pub fn snapshot(&self) -> SimulatedSnapshot {
        SimulatedSnapshot(self.state().store.clone())
    }

    /// Restores the server from a backup, without setting the clock back.
    pub fn restore(&self, backup: &SimulatedSnapshot) {
        let mut state = self.state();
        state.store = state.store.restored(&backup.0);
    }

    /// Returns all objects of a collection, sorted by time and id. Does not count as a request.
    pub fn stored(&self, collection: &str) -> Vec<StoredObject> {
        self.state().store.objects(self.uid(), collection)
    }

    /// Replaces the payload of an object without changing its time. Returns whether the object exists.
    pub fn tamper(&self, collection: &str, id: &str, payload: &str) -> bool {
        let uid = self.uid();
        self.state().store.tamper(uid, collection, id, payload)
    }

    fn uid(&self) -> i64 {
        self.token.as_ref().map_or(0, DeviceToken::uid)
    }

    fn state(&self) -> MutexGuard<'_, ServerState> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out a request, with the fault that the plan chooses for it.
    async fn run<T: Send>(
        &self,
        kind: OperationKind,
        collection: Option<&str>,
        work: impl FnOnce(&mut RunningOperation<'_>) -> Result<T, ServerFault> + Send,
    ) -> ServerResult<T> {
        yield_now().await;
        let answer = self.answer(kind, collection, work);
        // Here, the request was carried out, but its reply has not arrived yet.
        yield_now().await;
        answer
    }

    fn answer<T>(
        &self,
        kind: OperationKind,
        collection: Option<&str>,
        work: impl FnOnce(&mut RunningOperation<'_>) -> Result<T, ServerFault>,
    ) -> ServerResult<T> {
        let mut state = self.state();
        let ServerState { store, plan, operations, pages } = &mut *state;
        let (number, device) = (*operations, self.token.as_ref().map(|token| token.device().to_owned()));
        *operations += 1;
        let operation = ServerOperation { number, kind, collection: collection.map(str::to_owned), device };
        let fault = plan.as_mut().and_then(|plan| plan(&operation));
        if let Some(InjectedFault::RollBack(backup)) = &fault {
            *store = store.restored(&backup.0);
        }
        if let Some(failure) = fault.as_ref().and_then(instead_of_answer) {
            return Err(failure);
        }
        let is_lost = matches!(fault, Some(InjectedFault::LostReply));
        let uid = match &self.token {
            _ if kind == OperationKind::Enrol => Ok(0),
            Some(token) => store.uid_of(token),
            None => Err(ServerFault::Unauthorized),
        };
        let mut running = RunningOperation { store, pages, fault, uid: *uid.as_ref().unwrap_or(&0) };
        let result = uid.and_then(|_| work(&mut running));
        let server_time = running.store.server_time(running.uid);
        let quota = running.store.quota(running.uid).ok().filter(|_| kind.is_write());
        let remaining = quota.and_then(|quota| Some((quota.limit_bytes? - quota.used_bytes).max(0) / 1024));
        let server_time_ms = Some(running.stated(server_time));
        let hints = ServerHints { quota_remaining_kb: remaining, server_time_ms, ..ServerHints::default() };
        match result {
            _ if is_lost => Err(ServerFailure::without_answer(ServerFault::TimedOut)),
            Ok(value) => Ok(ServerAnswer { value, hints }),
            Err(fault) => Err(ServerFailure { fault, hints }),
        }
    }

    /// Announces a write to the streams of the user, even if the reply to the write is lost.
    fn announce(&self, uid: i64, collection: &str, modified_ms: i64) {
        // Sending fails only if no stream is open.
        let _ = self.shared.changes.send((uid, ServerChange { collection: Some(collection.to_owned()), modified_ms }));
    }
}

/// Returns the failure that is reported instead of an answer. Returns `None` if the request is carried out.
fn instead_of_answer(fault: &InjectedFault) -> Option<ServerFailure> {
    let none = ServerHints::default();
    let (fault, hints) = match fault {
        InjectedFault::CutConnection => (ServerFault::Unreachable(UnreachableCause::ConnectionLost), none),
        InjectedFault::Unauthorized => (ServerFault::Unauthorized, none),
        InjectedFault::Conflict => (ServerFault::Conflict, none),
        InjectedFault::Full => (ServerFault::Full, none),
        InjectedFault::HtmlAnswer => (ServerFault::NotSyncServer(UnexpectedAnswer::ContentType), none),
        InjectedFault::Busy { retry_after_s } => {
            let retry_after_s = Some(*retry_after_s);
            (ServerFault::Busy { retry_after_s }, ServerHints { retry_after_s, ..none })
        }
        InjectedFault::LostReply
        | InjectedFault::RollBack(_)
        | InjectedFault::RepeatedPage
        | InjectedFault::TimeBackwards(_)
        | InjectedFault::SwappedPayloads => return None,
    };
    Some(ServerFailure { fault, hints })
}

/// Returns the page with the fault of the request applied.
fn spoil_page(running: &mut RunningOperation<'_>, request: &PageRequest, mut page: ReceivedPage) -> ReceivedPage {
    let key = (running.uid, request.collection.clone());
    match running.fault {
        Some(InjectedFault::RepeatedPage) => page = running.pages.get(&key).cloned().unwrap_or(page),
        Some(InjectedFault::SwappedPayloads) => {
            if let [first, second, ..] = &mut page.objects[..] {
                std::mem::swap(&mut first.payload, &mut second.payload);
            }
        }
        Some(InjectedFault::TimeBackwards(_)) => {
            for object in &mut page.objects {
                object.modified_ms = running.stated(object.modified_ms);
            }
            page.last_modified_ms = running.stated(page.last_modified_ms);
            page.server_time_ms = running.stated(page.server_time_ms);
        }
        _ => {}
    }
    running.pages.insert(key, page.clone());
    page
}

impl SyncServer for SimulatedServer {
    fn with_token(&self, token: DeviceToken) -> Self {
        Self { token: Some(token), ..self.clone() }
    }

    async fn limits(&self) -> ServerResult<ServerLimits> {
        self.run(OperationKind::Limits, None, |running| Ok(running.store.limits)).await
    }

    async fn info_collections(&self, since_ms: Option<i64>) -> ServerResult<CollectionPoll> {
        let work = |running: &mut RunningOperation<'_>| {
            let mut poll = running.store.poll(running.uid, since_ms)?;
            if let CollectionPoll::Listed(listing) = &mut poll {
                listing.collections.values_mut().for_each(|time| *time = running.stated(*time));
                listing.last_modified_ms = running.stated(listing.last_modified_ms);
                listing.server_time_ms = running.stated(listing.server_time_ms);
            }
            Ok(poll)
        };
        self.run(OperationKind::InfoCollections, None, work).await
    }

    async fn collection_counts(&self) -> ServerResult<BTreeMap<String, u64>> {
        self.run(OperationKind::CollectionCounts, None, |running| running.store.counts(running.uid)).await
    }

    async fn read_page(&self, request: &PageRequest) -> ServerResult<ObjectPage> {
        let work = |running: &mut RunningOperation<'_>| {
            let page = running.store.page(running.uid, request)?;
            let page = spoil_page(running, request, page);
            check_page(request, page).map_err(ServerFault::NotSyncServer)
        };
        self.run(OperationKind::ReadPage, Some(&request.collection), work).await
    }

    async fn list_ids(&self, collection: &str, older_ms: Option<i64>) -> ServerResult<ListedIds> {
        let work = |running: &mut RunningOperation<'_>| {
            let listed = running.store.ids(running.uid, collection, older_ms)?;
            Ok(ListedIds { last_modified_ms: running.stated(listed.last_modified_ms), ..listed })
        };
        self.run(OperationKind::ListIds, Some(collection), work).await
    }

    async fn read_object(&self, collection: &str, id: &str) -> ServerResult<Option<StoredObject>> {
        let work = |running: &mut RunningOperation<'_>| {
            let objects = running.store.objects(running.uid, collection);
            let found = objects.into_iter().find(|object| object.id == id);
            Ok(found.map(|object| StoredObject { modified_ms: running.stated(object.modified_ms), ..object }))
        };
        self.run(OperationKind::ReadObject, Some(collection), work).await
    }

    async fn put_object(
        &self,
        collection: &str,
        object: &OutgoingObject,
        if_unmodified_since_ms: Option<i64>,
    ) -> ServerResult<i64> {
        let work = |running: &mut RunningOperation<'_>| {
            let modified = running.store.put_object(running.uid, collection, object, if_unmodified_since_ms)?;
            self.announce(running.uid, collection, modified);
            Ok(running.stated(modified))
        };
        self.run(OperationKind::PutObject, Some(collection), work).await
    }

    async fn post_objects(&self, post: ObjectPost<'_>) -> ServerResult<PostReceipt> {
        let kind = match post.step {
            BatchStep::Whole => OperationKind::BatchWhole,
            BatchStep::Begin => OperationKind::BatchBegin,
            BatchStep::Append(_) => OperationKind::BatchAppend,
            BatchStep::Commit(_) => OperationKind::BatchCommit,
        };
        let work = |running: &mut RunningOperation<'_>| {
            let receipt = running.store.post(running.uid, post)?;
            if kind.is_write() {
                self.announce(running.uid, post.collection, receipt.modified_ms);
            }
            Ok(PostReceipt { modified_ms: running.stated(receipt.modified_ms), ..receipt })
        };
        self.run(kind, Some(post.collection), work).await
    }

    async fn delete_listed(&self, collection: &str, ids: &[&str], if_unmodified_since_ms: Option<i64>) -> ServerResult<i64> {
        let work = |running: &mut RunningOperation<'_>| {
            let modified = running.store.delete(running.uid, collection, Some(ids), if_unmodified_since_ms)?;
            self.announce(running.uid, collection, modified);
            Ok(running.stated(modified))
        };
        self.run(OperationKind::DeleteObjects, Some(collection), work).await
    }

    async fn delete_collection(&self, collection: &str, if_unmodified_since_ms: Option<i64>) -> ServerResult<i64> {
        let work = |running: &mut RunningOperation<'_>| {
            let modified = running.store.delete(running.uid, collection, None, if_unmodified_since_ms)?;
            self.announce(running.uid, collection, modified);
            Ok(running.stated(modified))
        };
        self.run(OperationKind::DeleteCollection, Some(collection), work).await
    }

    async fn enrol(&self, enrolment: &DeviceEnrolment) -> ServerResult<DeviceEnrolled> {
        self.run(OperationKind::Enrol, None, |running| running.store.enrol(enrolment)).await
    }

    async fn create_invite(&self, invite: &InviteRequest) -> ServerResult<CreatedInvite> {
        self.run(OperationKind::CreateInvite, None, |running| running.store.invite(running.uid, invite)).await
    }

    async fn devices(&self) -> ServerResult<Vec<ListedDevice>> {
        let own = self.token.as_ref().map(DeviceToken::device).unwrap_or_default();
        self.run(OperationKind::Devices, None, |running| running.store.devices(running.uid, own)).await
    }

    async fn remove_device(&self, device: &str) -> ServerResult<bool> {
        self.run(OperationKind::RemoveDevice, None, |running| running.store.remove_device(running.uid, device)).await
    }

    async fn change_auth(&self, auth_hash: &str) -> ServerResult<()> {
        self.run(OperationKind::ChangeAuth, None, |running| running.store.change_auth(running.uid, auth_hash)).await
    }

    async fn quota(&self) -> ServerResult<SpaceUsage> {
        self.run(OperationKind::Quota, None, |running| running.store.quota(running.uid)).await
    }

    async fn events(&self) -> ServerResult<ChangeStream> {
        let open = self.run(OperationKind::Events, None, |_| Ok(self.shared.changes.subscribe())).await?;
        Ok(open.map(|receiver| {
            let own = self.clone();
            stream::unfold((own, receiver), |(own, mut receiver)| async move {
                loop {
                    // The stream ends if its reader falls too far behind, or if the device of the stream was removed.
                    let (uid, change) = receiver.recv().await.ok()?;
                    own.token.as_ref().filter(|token| own.state().store.uid_of(token).is_ok())?;
                    if uid == own.uid() {
                        return Some((Ok(change), (own, receiver)));
                    }
                }
            })
            .boxed()
        }))
    }
}
