//! Defines the interface of a sync server. The HTTP client and the simulated server implement it.
//!
//! Called by the sync cycle, by pairing, and by the list of devices.
//!
//! - A method can be cancelled at any await. A cancelled write may have been committed.
//! - No method retries, because a retried write may conflict with itself. The sync cycle decides about retries.

use std::{collections::BTreeMap, future::Future};

use futures_util::stream::BoxStream;

use super::{
    batch_plan::BatchPlan,
    device_token::DeviceToken,
    server_fault::{ServerAnswer, ServerFailure, ServerFault, ServerHints, ServerResult},
    server_types::{
        BatchReceipt, CollectionPoll, CreatedInvite, DeviceEnrolled, DeviceEnrolment, InviteRequest, ListedDevice, ListedIds,
        ObjectPage, ObjectPost, OutgoingObject, PageRequest, PostReceipt, ServerChange, ServerLimits, SpaceUsage, StoredObject,
        is_object_id,
    },
};

/// Maximum number of ids in one deletion, and maximum total length of these ids in bytes.
///
/// Proxies limit the length of a URL to 8 KiB.
const DELETED_AT_ONCE: usize = 100;
const DELETED_LENGTH: usize = 2000;

/// Stream of announced changes. It ends after an error, or when the server closes it.
pub type ChangeStream = BoxStream<'static, Result<ServerChange, ServerFailure>>;

/// Sync server of one user.
///
/// Times are milliseconds.
///
/// A write fails with `Conflict`, without any effect, if its target was modified after `if_unmodified_since_ms`. The
/// value 0 requires that the target does not exist. The target of `put_object` is the object. The target of all other
/// writes is the collection.
pub trait SyncServer: Clone + Send + Sync + 'static {
    /// Returns the same server, as the device with this token sees it.
    fn with_token(&self, token: DeviceToken) -> Self;

    /// Returns the limits of the server.
    ///
    /// An implementation may cache the limits. An answer from the cache has no hints.
    fn limits(&self) -> impl Future<Output = ServerResult<ServerLimits>> + Send;

    /// Returns the times of all collections, or `Unchanged` if nothing was modified after `since_ms`.
    fn info_collections(&self, since_ms: Option<i64>) -> impl Future<Output = ServerResult<CollectionPoll>> + Send;

    /// Returns the number of objects of each collection.
    fn collection_counts(&self) -> impl Future<Output = ServerResult<BTreeMap<String, u64>>> + Send;

    /// Returns a page of objects, oldest first. A collection that does not exist has no objects.
    fn read_page(&self, request: &PageRequest) -> impl Future<Output = ServerResult<ObjectPage>> + Send;

    /// Returns the ids of the objects of a collection, without their payloads.
    ///
    /// `older_ms` selects objects that were last modified before this time. `None` selects all objects.
    fn list_ids(&self, collection: &str, older_ms: Option<i64>) -> impl Future<Output = ServerResult<ListedIds>> + Send;

    /// Returns an object, or `None` if it does not exist.
    fn read_object(&self, collection: &str, id: &str) -> impl Future<Output = ServerResult<Option<StoredObject>>> + Send;

    /// Writes an object, and returns its time.
    fn put_object(
        &self,
        collection: &str,
        object: &OutgoingObject,
        if_unmodified_since_ms: Option<i64>,
    ) -> impl Future<Output = ServerResult<i64>> + Send;

    /// Sends one POST of a batch.
    fn post_objects(&self, post: ObjectPost<'_>) -> impl Future<Output = ServerResult<PostReceipt>> + Send;

    /// Writes objects as one batch: all of them become visible at the same time, or none.
    ///
    /// The receipt names objects that are not valid. The other objects are written. Fails with `TooLarge`, before
    /// anything is sent, if the objects exceed the limits of a batch. A failed batch stays open on the server for two
    /// hours.
    fn post_batch(
        &self,
        collection: &str,
        objects: &[OutgoingObject],
        if_unmodified_since_ms: Option<i64>,
    ) -> impl Future<Output = ServerResult<BatchReceipt>> + Send {
        async move {
            let limits = self.limits().await?;
            let plan = BatchPlan::new(objects, &limits.value).map_err(|fault| ServerFailure { fault, hints: limits.hints })?;
            let (mut hints, mut batch, mut modified_ms) = (limits.hints, None, None);
            let mut failed = BTreeMap::new();
            for (at, objects) in plan.posts.iter().enumerate() {
                let step = plan.step(at, batch.as_deref());
                let post = ObjectPost { collection, objects, step: &step, if_unmodified_since_ms };
                let receipt = self.post_objects(post).await?;
                hints = hints.followed_by(receipt.hints);
                failed.extend(receipt.value.failed);
                modified_ms = Some(receipt.value.modified_ms);
                batch = receipt.value.batch;
            }
            failed.extend(plan.rejected);
            Ok(ServerAnswer { value: BatchReceipt { modified_ms, failed }, hints })
        }
    }

    /// Deletes up to 100 objects in one request, and returns the time of the collection.
    fn delete_listed(
        &self,
        collection: &str,
        ids: &[&str],
        if_unmodified_since_ms: Option<i64>,
    ) -> impl Future<Output = ServerResult<i64>> + Send;

    /// Deletes objects, and returns the time of the collection. Ignores ids without an object.
    ///
    /// Many ids need several requests. If a later request fails, the objects of the earlier requests remain deleted.
    /// Fails with `Refused` if an id is not valid or contains a comma, because commas separate ids in the request.
    fn delete_objects(
        &self,
        collection: &str,
        ids: &[String],
        if_unmodified_since_ms: Option<i64>,
    ) -> impl Future<Output = ServerResult<i64>> + Send {
        async move {
            if ids.is_empty() || ids.iter().any(|id| !is_object_id(id) || id.contains(',')) {
                return Err(ServerFailure::without_answer(ServerFault::Refused { status: 400, code: None }));
            }
            let (mut hints, mut modified_ms, mut condition) = (ServerHints::default(), 0, if_unmodified_since_ms);
            let mut rest = ids;
            while !rest.is_empty() {
                let mut length = 0;
                let fitting = rest.iter().take(DELETED_AT_ONCE).take_while(|id| {
                    length += id.len() + 1;
                    length <= DELETED_LENGTH
                });
                let (now, later) = rest.split_at(fitting.count());
                let now: Vec<&str> = now.iter().map(String::as_str).collect();
                let answer = self.delete_listed(collection, &now, condition).await?;
                (hints, modified_ms, rest) = (hints.followed_by(answer.hints), answer.value, later);
                // The deletion has changed the modification time of the collection. The condition of the next request must
                // therefore state the new time.
                condition = condition.map(|_| modified_ms);
            }
            Ok(ServerAnswer { value: modified_ms, hints })
        }
    }

    /// Deletes a collection, and returns the time of the deletion.
    fn delete_collection(
        &self,
        collection: &str,
        if_unmodified_since_ms: Option<i64>,
    ) -> impl Future<Output = ServerResult<i64>> + Send;

    /// Creates a device. Needs no token.
    fn enrol(&self, enrolment: &DeviceEnrolment) -> impl Future<Output = ServerResult<DeviceEnrolled>> + Send;

    /// Creates an invite for another device.
    fn create_invite(&self, invite: &InviteRequest) -> impl Future<Output = ServerResult<CreatedInvite>> + Send;

    /// Returns the devices of the user.
    fn devices(&self) -> impl Future<Output = ServerResult<Vec<ListedDevice>>> + Send;

    /// Removes a device and revokes its token. Returns whether the device existed.
    fn remove_device(&self, device: &str) -> impl Future<Output = ServerResult<bool>> + Send;

    /// Replaces the proof for enrolments without an invite. `auth_hash` is the SHA-256 of the new proof, in hex.
    fn change_auth(&self, auth_hash: &str) -> impl Future<Output = ServerResult<()>> + Send;

    /// Returns the used space and the quota of the user.
    fn quota(&self) -> impl Future<Output = ServerResult<SpaceUsage>> + Send;

    /// Opens the stream of changes.
    ///
    /// Changes before the answer to this request are not announced. Therefore, read `info_collections` after the
    /// answer.
    fn events(&self) -> impl Future<Output = ServerResult<ChangeStream>> + Send;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{BatchStep, SimulatedServer};

    fn is_send(_: &impl Send) {}

    /// Compiles only if the futures of every server are `Send`.
    fn check_futures<S: SyncServer>(server: &S) {
        let step = BatchStep::Whole;
        let post = ObjectPost { collection: "dl-items", objects: &[], step: &step, if_unmodified_since_ms: None };
        is_send(&server.post_batch("dl-items", &[], None));
        is_send(&server.delete_objects("dl-items", &[], None));
        is_send(&server.post_objects(post));
        is_send(&server.events());
    }

    #[test]
    fn sync_server_futures_can_be_sent_between_threads() {
        check_futures(&SimulatedServer::new(0));
    }

    #[tokio::test]
    async fn deletion_of_unusable_id_is_not_sent() {
        let server = SimulatedServer::with_user(0, "Laptop");
        let refused = ServerFault::Refused { status: 400, code: None };
        for ids in [vec![], vec!["a,b"], vec!["a", ""], vec!["\u{e4}"]] {
            let ids: Vec<String> = ids.into_iter().map(str::to_owned).collect();
            let failure = server.delete_objects("dl-items", &ids, None).await.unwrap_err();
            assert_eq!((failure.fault, server.operations()), (refused, 0), "{ids:?}");
        }
    }
}
