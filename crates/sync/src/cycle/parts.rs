//! Sends and reads long lists of requests, which are stored as parts in the collection `dl-parts`.
//!
//! - The ids of parts are derived from their content: see [`PartSplit`](crate::merge::PartSplit).
//! - Parts are sent before the record that names them. The server may lose the parts before it gets the record. After
//!   each send of parts, this device therefore checks whether the server has them: see `part_upkeep`.
//! - Parts are read only to create the download on this device. Either all requests are read, or none.

use std::collections::BTreeSet;

use ashore_engine::{SyncCursor, SyncWrite};
use serde_json::Value;

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        session::{SyncSession, empty_row, held, open_object},
    },
    keys::KeyRing,
    merge::part_id,
    records::{PartList, PartRecord, SyncRecord as _, count_links},
    server::{OutgoingObject, SyncServer},
};

/// Number of parts in one batch. It is small enough for one POST to contain the whole batch.
const SENT_AT_ONCE: usize = 8;
/// Minimum age, in milliseconds, at which a stored part is sent again before a new record names it. Other devices do
/// not delete a part that was sent within the last day.
const FRESH_MS: i64 = 60 * 60 * 1000;
/// Value that the ledger stores instead of the collection's time while parts that this device sends are unchecked. It
/// stays until the next check has shown whether the server has the parts. The server never states this time.
const UNCHECKED_MS: i64 = -1;

/// Requests that were read from parts.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadParts {
    /// References to the parts.
    pub list: PartList,
    /// Requests of all parts, in order.
    pub requests: Vec<Value>,
}

impl ReadParts {
    /// Reads all parts of a download from the server.
    ///
    /// Fails with a fault of the server, with `Newer` if a newer version wrote a part, and with `PartsUnreadable` if a
    /// part is missing, was replaced by another part, or was changed.
    pub async fn read<S: SyncServer>(server: &S, keys: &KeyRing, uid: i64, list: PartList) -> Result<Self, SyncFault> {
        let mut requests = Vec::new();
        for (index, id) in list.ids.iter().enumerate() {
            let object = server.read_object(PartRecord::COLLECTION, id).await?.value.ok_or(SyncFault::PartsUnreadable)?;
            let part: PartRecord = match open_object(keys, uid, id, &object.payload, object.modified_ms) {
                Ok(part) => part,
                Err(held::NEWER) => return Err(SyncFault::Newer),
                Err(_) => return Err(SyncFault::PartsUnreadable),
            };
            // The id contains the index, so this check also finds two parts in the wrong order.
            if usize::try_from(part.index) != Ok(index) || part_id(keys, &part) != *id {
                return Err(SyncFault::PartsUnreadable);
            }
            requests.extend(part.requests);
        }
        let is_whole = !requests.is_empty() && count_links(&requests) == list.count;
        if is_whole { Ok(Self { list, requests }) } else { Err(SyncFault::PartsUnreadable) }
    }
}

/// Sends the parts of a long list of requests, or only the parts in `only`. Returns false if the server refused a part.
///
/// Parts that this session has just sent are not sent again. This device remembers each part before it is sent, so that
/// the part is deleted later even if no record ever names it.
pub async fn send_parts<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    requests: &[Value],
    only: Option<&BTreeSet<String>>,
) -> Result<bool, SyncFault> {
    let Some(mut parts) = session.part_split().parts(requests) else { return Ok(false) };
    let now_ms = session.server_ms;
    parts.retain(|(id, _)| {
        let is_fresh = session.sent_parts.get(id).is_some_and(|sent_ms| now_ms - sent_ms < FRESH_MS);
        !is_fresh && only.is_none_or(|only| only.contains(id))
    });
    let ids: BTreeSet<&str> = parts.iter().map(|(id, _)| id.as_str()).collect();
    remember_parts(session, &ids).await?;
    note_unchecked(session).await?;
    for group in parts.chunks(SENT_AT_ONCE) {
        let seal = |(id, part): &(String, PartRecord)| {
            Ok(OutgoingObject { id: id.clone(), payload: session.seal(id, part)?, ttl_s: None })
        };
        let objects = group.iter().map(seal).collect::<Result<Vec<_>, SyncFault>>()?;
        // Overwriting a part is harmless, because every device writes the same content under this id.
        let answer = session.server.post_batch(PartRecord::COLLECTION, &objects, None).await?;
        if !session.note(answer).failed.is_empty() {
            return Ok(false);
        }
        let sent_ms = session.server_ms;
        session.sent_parts.extend(group.iter().map(|(id, _)| (id.clone(), sent_ms)));
    }
    ashore_engine::failpoint::hit("sync.parts-sent");
    Ok(true)
}

/// Makes the next check compare all parts, even if a restore from a backup returns the server to the time of the latest
/// check. The mark is stored before the parts and their record are sent, so that a kill does not lose it.
async fn note_unchecked<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<(), SyncFault> {
    let cursor = SyncCursor { modified: UNCHECKED_MS, page_modified: None, page_offset: None };
    session.list.write(&[SyncWrite::Cursor { collection: PartRecord::COLLECTION.to_owned(), cursor }]).await?;
    Ok(())
}

/// Remembers parts, so that this device deletes them when no record names them any more.
pub async fn remember_parts<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    ids: &BTreeSet<&str>,
) -> Result<(), SyncFault> {
    let listed: Vec<&str> = ids.iter().copied().collect();
    let known = session.list.records(PartRecord::COLLECTION, &listed).await?;
    let known: BTreeSet<&str> = known.iter().map(|row| row.id.as_str()).collect();
    let remember = |id: &&str| {
        let record = Box::new(empty_row(PartRecord::COLLECTION, id));
        SyncWrite::Record { record, seen: 0, is_edit: false }
    };
    let writes: Vec<SyncWrite> = ids.difference(&known).map(remember).collect();
    if writes.is_empty() || session.list.write(&writes).await? { Ok(()) } else { Err(SyncFault::Contended) }
}
