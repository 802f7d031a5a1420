//! Keeps the data of the simulated server, with the semantics of `ashore-sync-server`.
//!
//! Called by `simulated_server`, which simulates faults and the connection.
//!
//! - Each write gets the time max(now, last write of the user + 10 ms).
//! - Expired objects are treated as missing.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

use super::{
    batch_plan::BatchPlan,
    device_token::DeviceToken,
    http_server::LONGEST_PAGE,
    page_check::ReceivedPage,
    server_fault::{ServerFault, UnexpectedAnswer},
    server_types::{
        BatchStep, CollectionListing, CollectionPoll, CreatedInvite, DeviceEnrolled, DeviceEnrolment, InviteRequest,
        ListedDevice, ListedIds, ObjectPost, OutgoingObject, PageRequest, PostReceipt, RejectReason, ServerLimits, SpaceUsage,
        StoredObject, is_collection_name, is_object_id,
    },
};

/// Minimum time between two writes, in milliseconds.
const TICK: i64 = 10;

/// Lifetimes of an invite and of an open batch, in milliseconds.
const INVITE_LIFETIME: i64 = 10 * 60 * 1000;
const BATCH_LIFETIME: i64 = 2 * 3600 * 1000;

/// Maximum number of attempts per invite, and maximum number of open batches per user.
const TRIES: u32 = 5;
const OPEN_BATCHES: usize = 64;

const BAD_REQUEST: ServerFault = ServerFault::Refused { status: 400, code: Some(0) };
const BAD_BODY: ServerFault = ServerFault::Refused { status: 400, code: Some(8) };
const OVER_LIMIT: ServerFault = ServerFault::Refused { status: 400, code: Some(17) };

/// Data of all users.
#[derive(Clone, Debug)]
pub(super) struct SimulatedStore {
    pub now_ms: i64,
    pub limits: ServerLimits,
    /// Maximum number of objects in a page. A request for more objects also gets only this number.
    pub longest_page: u32,
    /// Number of issued ids. An id is never issued twice.
    given: u64,
    users: BTreeMap<i64, StoredUser>,
    invites: BTreeMap<String, StoredInvite>,
}

#[derive(Clone, Debug, Default)]
struct StoredUser {
    modified: i64,
    quota: Option<i64>,
    auth_hash: Option<String>,
    collections: BTreeMap<String, StoredCollection>,
    devices: BTreeMap<String, StoredDevice>,
    batches: BTreeMap<String, OpenBatch>,
}

#[derive(Clone, Debug, Default)]
struct StoredCollection {
    modified: i64,
    rows: BTreeMap<String, StoredRow>,
}

#[derive(Clone, Debug)]
struct StoredRow {
    payload: String,
    modified: i64,
    expiry: Option<i64>,
}

#[derive(Clone, Debug)]
struct OpenBatch {
    collection: String,
    objects: BTreeMap<String, OutgoingObject>,
    expiry: i64,
}

#[derive(Clone, Debug)]
struct StoredDevice {
    token: DeviceToken,
    name: String,
    created: i64,
}

#[derive(Clone, Debug)]
struct StoredInvite {
    uid: i64,
    auth_hash: String,
    wrapped: Option<String>,
    expiry: i64,
    tries: u32,
}

impl StoredRow {
    fn is_live(&self, now: i64) -> bool {
        self.expiry.is_none_or(|expiry| expiry > now)
    }
}

impl StoredUser {
    /// Returns the time of the next write.
    fn next_time(&self, now: i64) -> i64 {
        (now / TICK * TICK).max(self.modified + TICK)
    }

    fn live_row(&self, collection: &str, id: &str, now: i64) -> Option<&StoredRow> {
        self.collections.get(collection)?.rows.get(id).filter(|row| row.is_live(now))
    }

    fn modified_of(&self, collection: &str) -> i64 {
        self.collections.get(collection).map_or(0, |collection| collection.modified)
    }

    fn used(&self, now: i64) -> i64 {
        let rows = self.collections.values().flat_map(|collection| collection.rows.values());
        rows.filter(|row| row.is_live(now)).map(|row| length(&row.payload)).sum()
    }

    /// Fails with `Full` if these objects would raise the usage above the quota.
    fn check_quota<'a>(
        &self,
        collection: &str,
        objects: impl Iterator<Item = &'a OutgoingObject>,
        now: i64,
    ) -> Result<(), ServerFault> {
        let replaced = |id: &str| self.live_row(collection, id, now).map_or(0, |row| length(&row.payload));
        let change: i64 = objects.map(|object| length(&object.payload) - replaced(&object.id)).sum();
        let is_over = self.quota.is_some_and(|quota| self.used(now) + change > quota);
        if is_over && change > 0 { Err(ServerFault::Full) } else { Ok(()) }
    }

    /// Writes objects with one new time, and returns this time.
    fn write<'a>(&mut self, collection: &str, objects: impl Iterator<Item = &'a OutgoingObject>, now: i64) -> i64 {
        let time = self.next_time(now);
        self.modified = time;
        let collection = self.collections.entry(collection.to_owned()).or_default();
        collection.modified = time;
        for object in objects {
            let expiry = object.ttl_s.map(|seconds| now + i64::from(seconds) * 1000);
            let row = StoredRow { payload: object.payload.clone(), modified: time, expiry };
            collection.rows.insert(object.id.clone(), row);
        }
        time
    }
}

impl SimulatedStore {
    pub fn new(now_ms: i64) -> Self {
        let (users, invites) = (BTreeMap::new(), BTreeMap::new());
        Self { now_ms, limits: ServerLimits::default(), longest_page: u32::MAX, given: 0, users, invites }
    }

    /// Returns the data of a backup, with the current clock.
    ///
    /// Keeps the current count of issued ids, so that no id is issued twice.
    pub fn restored(&self, backup: &Self) -> Self {
        Self { now_ms: self.now_ms, given: self.given, ..backup.clone() }
    }

    fn user(&self, uid: i64) -> Result<&StoredUser, ServerFault> {
        self.users.get(&uid).ok_or(ServerFault::Unauthorized)
    }

    fn user_mut(&mut self, uid: i64) -> Result<&mut StoredUser, ServerFault> {
        self.users.get_mut(&uid).ok_or(ServerFault::Unauthorized)
    }

    /// Returns an id that was never issued before.
    fn new_id(&mut self, kind: &str) -> String {
        self.given += 1;
        URL_SAFE_NO_PAD.encode(&Sha256::digest(format!("{kind} {}", self.given))[..12])
    }

    /// Returns the user of a token. Fails with `Unauthorized` if the device no longer exists.
    pub fn uid_of(&self, token: &DeviceToken) -> Result<i64, ServerFault> {
        let device = self.user(token.uid())?.devices.get(token.device());
        device.filter(|device| device.token == *token).map(|_| token.uid()).ok_or(ServerFault::Unauthorized)
    }

    pub fn poll(&self, uid: i64, since_ms: Option<i64>) -> Result<CollectionPoll, ServerFault> {
        let user = self.user(uid)?;
        if since_ms.is_some_and(|since| user.modified <= since) {
            return Ok(CollectionPoll::Unchanged);
        }
        let times = user.collections.iter().map(|(name, collection)| (name.clone(), collection.modified));
        let (last_modified_ms, server_time_ms) = (user.modified, self.server_time(uid));
        Ok(CollectionPoll::Listed(CollectionListing { collections: times.collect(), last_modified_ms, server_time_ms }))
    }

    /// Returns the time for the header `X-Weave-Timestamp`.
    pub fn server_time(&self, uid: i64) -> i64 {
        (self.now_ms / TICK * TICK).max(self.users.get(&uid).map_or(0, |user| user.modified))
    }

    /// Returns all live objects of a collection, sorted by time and id.
    pub fn objects(&self, uid: i64, collection: &str) -> Vec<StoredObject> {
        self.live_rows(uid, collection, i64::MIN).into_iter().map(stored_object).collect()
    }

    /// Returns the live rows of a collection that were modified after `newer_ms`, sorted by time and id.
    fn live_rows(&self, uid: i64, collection: &str, newer_ms: i64) -> Vec<(&String, &StoredRow)> {
        let rows = self.users.get(&uid).and_then(|user| user.collections.get(collection)).map(|found| &found.rows);
        let is_listed = |(_, row): &(&String, &StoredRow)| row.is_live(self.now_ms) && row.modified > newer_ms;
        let mut live: Vec<(&String, &StoredRow)> = rows.into_iter().flatten().filter(is_listed).collect();
        live.sort_by_key(|(id, row)| (row.modified, *id));
        live
    }

    pub fn page(&self, uid: i64, request: &PageRequest) -> Result<ReceivedPage, ServerFault> {
        check_collection(&request.collection)?;
        let last_modified_ms = self.user(uid)?.modified_of(&request.collection);
        check_condition(last_modified_ms, request.if_unmodified_since_ms)?;
        let after = match &request.offset {
            Some(offset) => Some(read_offset(&offset.text).ok_or(BAD_REQUEST)?),
            None => None,
        };
        let mut rows = self.live_rows(uid, &request.collection, request.newer_ms);
        rows.retain(|(id, row)| after.as_ref().is_none_or(|(time, last)| (row.modified, *id) > (*time, last)));
        let limit = request.limit.min(self.longest_page) as usize;
        let is_cut = rows.len() > limit;
        let objects: Vec<StoredObject> = rows.into_iter().take(limit).map(stored_object).collect();
        if objects.iter().map(|object| object.payload.len()).sum::<usize>() > LONGEST_PAGE {
            return Err(ServerFault::NotSyncServer(UnexpectedAnswer::TooLong));
        }
        let next_offset = objects.last().filter(|_| is_cut).map(|last| write_offset(last.modified_ms, &last.id));
        Ok(ReceivedPage { objects, next_offset, last_modified_ms, server_time_ms: self.server_time(uid) })
    }

    /// Returns the ids of the live objects of a collection that were modified before `older_ms`.
    pub fn ids(&self, uid: i64, collection: &str, older_ms: Option<i64>) -> Result<ListedIds, ServerFault> {
        check_collection(collection)?;
        let last_modified_ms = self.user(uid)?.modified_of(collection);
        let rows = self.live_rows(uid, collection, i64::MIN).into_iter();
        let is_chosen = |(_, row): &(&String, &StoredRow)| older_ms.is_none_or(|older_ms| row.modified < older_ms);
        Ok(ListedIds { ids: rows.filter(is_chosen).map(|(id, _)| id.clone()).collect(), last_modified_ms })
    }

    pub fn put_object(
        &mut self,
        uid: i64,
        collection: &str,
        object: &OutgoingObject,
        since_ms: Option<i64>,
    ) -> Result<i64, ServerFault> {
        check_collection(collection)?;
        if !is_object_id(&object.id) || object.payload.contains('\0') {
            return Err(BAD_BODY);
        }
        if object.payload.len() > self.limits.payload_bytes {
            return Err(ServerFault::TooLarge);
        }
        let now = self.now_ms;
        let user = self.user_mut(uid)?;
        check_condition(user.live_row(collection, &object.id, now).map_or(0, |row| row.modified), since_ms)?;
        user.check_quota(collection, std::iter::once(object), now)?;
        Ok(user.write(collection, std::iter::once(object), now))
    }

    pub fn post(&mut self, uid: i64, post: ObjectPost<'_>) -> Result<PostReceipt, ServerFault> {
        check_collection(post.collection)?;
        let (now, limits, batch) = (self.now_ms, self.limits, self.new_id("batch"));
        let sent: Vec<OutgoingObject> = post.objects.iter().map(|object| (*object).clone()).collect();
        let plan = BatchPlan::new(&sent, &limits)?;
        let user = self.user_mut(uid)?;
        check_condition(user.modified_of(post.collection), post.if_unmodified_since_ms)?;
        let first = plan.posts.first().into_iter().flatten().map(|object| (object.id.clone(), (*object).clone()));
        let objects: BTreeMap<String, OutgoingObject> = first.collect();
        // A request may contain only a limited number of objects. The server asks the client to send the remaining ones
        // in another request.
        let later = plan.posts.iter().skip(1).flatten().map(|object| (object.id.clone(), RejectReason::SendAgain));
        let failed: BTreeMap<String, RejectReason> = later.chain(plan.rejected.clone()).collect();
        user.batches.retain(|_, open| open.expiry > now);
        let (id, mut open) = match post.step {
            BatchStep::Begin if user.batches.len() >= OPEN_BATCHES => return Err(OVER_LIMIT),
            BatchStep::Whole | BatchStep::Begin => {
                let expiry = now + BATCH_LIFETIME;
                (batch, OpenBatch { collection: post.collection.to_owned(), objects: BTreeMap::new(), expiry })
            }
            BatchStep::Append(id) | BatchStep::Commit(id) => {
                let open = user.batches.get(id).filter(|open| open.collection == post.collection);
                (id.clone(), open.ok_or(BAD_REQUEST)?.clone())
            }
        };
        open.objects.extend(objects);
        let bytes: usize = open.objects.values().map(|object| object.payload.len()).sum();
        if open.objects.len() > limits.total_records || bytes > limits.total_bytes {
            return Err(OVER_LIMIT);
        }
        user.check_quota(post.collection, open.objects.values(), now)?;
        match post.step {
            BatchStep::Whole | BatchStep::Commit(_) => {
                user.batches.remove(&id);
                let modified_ms = user.write(post.collection, open.objects.values(), now);
                Ok(PostReceipt { modified_ms, batch: None, failed })
            }
            BatchStep::Begin | BatchStep::Append(_) => {
                user.batches.insert(id.clone(), open);
                Ok(PostReceipt { modified_ms: user.modified_of(post.collection), batch: Some(id), failed })
            }
        }
    }

    /// Deletes these objects. `None` deletes the whole collection.
    pub fn delete(
        &mut self,
        uid: i64,
        collection: &str,
        ids: Option<&[&str]>,
        since_ms: Option<i64>,
    ) -> Result<i64, ServerFault> {
        check_collection(collection)?;
        let now = self.now_ms;
        let user = self.user_mut(uid)?;
        check_condition(user.modified_of(collection), since_ms)?;
        let time = user.next_time(now);
        let Some(stored) = user.collections.get_mut(collection) else { return Ok(user.modified) };
        match ids {
            Some(ids) => {
                stored.rows.retain(|id, _| !ids.contains(&id.as_str()));
                stored.modified = time;
            }
            None => {
                user.collections.remove(collection);
                user.batches.retain(|_, open| open.collection != collection);
            }
        }
        user.modified = time;
        Ok(time)
    }

    /// Replaces the payload of an object without changing its time, as a malicious server can.
    pub fn tamper(&mut self, uid: i64, collection: &str, id: &str, payload: &str) -> bool {
        let row = self.users.get_mut(&uid).and_then(|user| user.collections.get_mut(collection)?.rows.get_mut(id));
        row.map(|row| payload.clone_into(&mut row.payload)).is_some()
    }

    /// Creates an invite for a new user, and returns the id of the invite.
    pub fn set_up_invite(&mut self, auth: &str) -> String {
        self.make_invite(0, hash(auth), None).id
    }

    pub fn invite(&mut self, uid: i64, invite: &InviteRequest) -> Result<CreatedInvite, ServerFault> {
        if !is_hash(&invite.auth_hash) {
            return Err(BAD_BODY);
        }
        Ok(self.make_invite(uid, invite.auth_hash.clone(), invite.wrapped.clone()))
    }

    fn make_invite(&mut self, uid: i64, auth_hash: String, wrapped: Option<String>) -> CreatedInvite {
        let (id, expiry) = (self.new_id("invite"), self.now_ms + INVITE_LIFETIME);
        self.invites.insert(id.clone(), StoredInvite { uid, auth_hash, wrapped, expiry, tries: TRIES });
        CreatedInvite { id, uid, expires_ms: expiry / 1000 * 1000 }
    }

    pub fn enrol(&mut self, enrolment: &DeviceEnrolment) -> Result<DeviceEnrolled, ServerFault> {
        let DeviceEnrolment { uid, invite, auth, name } = enrolment;
        if name.trim().is_empty() {
            return Err(BAD_BODY);
        }
        let (uid, wrapped) = match invite {
            None => {
                let known = self.user(*uid)?.auth_hash.as_ref();
                known.filter(|known| **known == hash(auth)).map(|_| (*uid, None)).ok_or(ServerFault::Unauthorized)?
            }
            Some(id) => {
                let now = self.now_ms;
                let usable = |found: &&mut StoredInvite| found.uid == *uid && found.expiry > now && found.tries > 0;
                let found = self.invites.get_mut(id).filter(usable).ok_or(ServerFault::Unauthorized)?;
                found.tries -= 1;
                if found.auth_hash != hash(auth) {
                    return Err(ServerFault::Unauthorized);
                }
                let wrapped = self.invites.remove(id).and_then(|invite| invite.wrapped);
                (if *uid == 0 { self.new_user() } else { *uid }, wrapped)
            }
        };
        Ok(DeviceEnrolled { token: self.add_device(uid, name)?, wrapped })
    }

    /// Creates a user without devices.
    pub fn new_user(&mut self) -> i64 {
        self.given += 1;
        let uid = 1_000_000_000 + i64::try_from(self.given).unwrap_or_default();
        self.users.insert(uid, StoredUser::default());
        uid
    }

    /// Creates a device without an invite.
    pub fn add_device(&mut self, uid: i64, name: &str) -> Result<DeviceToken, ServerFault> {
        let (device, secret, created) = (self.new_id("device"), self.new_id("secret"), self.now_ms / 1000 * 1000);
        let token = DeviceToken::parse(&format!("{uid}.{device}.{secret}")).ok_or(BAD_BODY)?;
        let stored = StoredDevice { token: token.clone(), name: name.to_owned(), created };
        self.user_mut(uid)?.devices.insert(device, stored);
        Ok(token)
    }

    pub fn devices(&self, uid: i64, own: &str) -> Result<Vec<ListedDevice>, ServerFault> {
        let listed = |(id, device): (&String, &StoredDevice)| ListedDevice {
            id: id.clone(),
            name: device.name.clone(),
            created_ms: device.created,
            last_seen_ms: device.created,
            is_own: id == own,
        };
        Ok(self.user(uid)?.devices.iter().map(listed).collect())
    }

    pub fn remove_device(&mut self, uid: i64, device: &str) -> Result<bool, ServerFault> {
        Ok(self.user_mut(uid)?.devices.remove(device).is_some())
    }

    pub fn change_auth(&mut self, uid: i64, auth_hash: &str) -> Result<(), ServerFault> {
        if !is_hash(auth_hash) {
            return Err(BAD_BODY);
        }
        self.user_mut(uid)?.auth_hash = Some(auth_hash.to_owned());
        Ok(())
    }

    pub fn counts(&self, uid: i64) -> Result<BTreeMap<String, u64>, ServerFault> {
        let live = |stored: &StoredCollection| stored.rows.values().filter(|row| row.is_live(self.now_ms)).count();
        let count = |stored: &StoredCollection| u64::try_from(live(stored)).unwrap_or_default();
        Ok(self.user(uid)?.collections.iter().map(|(name, stored)| (name.clone(), count(stored))).collect())
    }

    pub fn quota(&self, uid: i64) -> Result<SpaceUsage, ServerFault> {
        let user = self.user(uid)?;
        Ok(SpaceUsage { used_bytes: user.used(self.now_ms), limit_bytes: user.quota })
    }

    pub fn set_quota(&mut self, uid: i64, bytes: Option<i64>) {
        if let Some(user) = self.users.get_mut(&uid) {
            user.quota = bytes;
        }
    }
}

fn stored_object((id, row): (&String, &StoredRow)) -> StoredObject {
    StoredObject { id: id.clone(), modified_ms: row.modified, payload: row.payload.clone() }
}

fn length(payload: &str) -> i64 {
    i64::try_from(payload.len()).unwrap_or(i64::MAX)
}

fn hash(auth: &str) -> String {
    hex::encode(Sha256::digest(auth.as_bytes()))
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|letter| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter))
}

fn check_collection(name: &str) -> Result<(), ServerFault> {
    if is_collection_name(name) { Ok(()) } else { Err(ServerFault::Refused { status: 400, code: None }) }
}

/// Fails with `Conflict` if the target was modified after the time in the condition.
fn check_condition(modified: i64, since_ms: Option<i64>) -> Result<(), ServerFault> {
    if since_ms.is_some_and(|since| modified > since) { Err(ServerFault::Conflict) } else { Ok(()) }
}

fn write_offset(modified: i64, id: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{modified}:{id}"))
}

fn read_offset(text: &str) -> Option<(i64, String)> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let (modified, id) = text.split_once(':')?;
    Some((modified.parse().ok()?, id.to_owned()))
}
