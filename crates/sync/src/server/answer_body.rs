//! Parses the JSON bodies of answers. [pure]
//!
//! Called by the HTTP client. Each function returns `None` if the body is not valid.
//!
//! - Unknown fields are ignored, so that a newer server can add fields.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    device_token::DeviceToken,
    server_time::{KilobyteNumber, TimeNumber},
    server_types::{
        CreatedInvite, DeviceEnrolled, ListedDevice, OutgoingObject, PostReceipt, RejectReason, ServerLimits, SpaceUsage,
        StoredObject, is_collection_name, is_object_id,
    },
};

/// Maximum length of a device name in characters.
const LONGEST_NAME: usize = 100;

/// Latest accepted time in seconds. In milliseconds, it is far within the range of an `i64`.
const LATEST_S: i64 = 999_999_999_999;

fn read<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    serde_json::from_slice(body).ok()
}

/// Reads the time of the newest write to each collection, by collection name.
pub(super) fn read_times(body: &[u8]) -> Option<BTreeMap<String, i64>> {
    let times: BTreeMap<String, TimeNumber> = read(body)?;
    let is_valid = times.keys().all(|name| is_collection_name(name));
    is_valid.then(|| times.into_iter().map(|(name, time)| (name, time.0)).collect())
}

/// Reads the number of objects of each collection, by collection name.
pub(super) fn read_counts(body: &[u8]) -> Option<BTreeMap<String, u64>> {
    let counts: BTreeMap<String, u64> = read(body)?;
    counts.keys().all(|name| is_collection_name(name)).then_some(counts)
}

#[derive(Deserialize)]
struct ObjectBody {
    id: String,
    modified: TimeNumber,
    payload: String,
}

impl From<ObjectBody> for StoredObject {
    fn from(body: ObjectBody) -> Self {
        Self { id: body.id, modified_ms: body.modified.0, payload: body.payload }
    }
}

/// Reads the object with this id.
pub(super) fn read_object(body: &[u8], id: &str) -> Option<StoredObject> {
    read::<ObjectBody>(body).map(StoredObject::from).filter(|object| object.id == id)
}

/// Reads a list of ids.
pub(super) fn read_ids(body: &[u8]) -> Option<Vec<String>> {
    read::<Vec<String>>(body).filter(|ids| ids.iter().all(|id| is_object_id(id)))
}

/// Reads a list of objects, without verifying it.
pub(super) fn read_objects(body: &[u8]) -> Option<Vec<StoredObject>> {
    Some(read::<Vec<ObjectBody>>(body)?.into_iter().map(StoredObject::from).collect())
}

/// Reads the answer to a PUT: a plain number, the time of the write.
pub(super) fn read_time(body: &[u8]) -> Option<i64> {
    read::<TimeNumber>(body).map(|time| time.0)
}

/// Reads the time of a deletion.
pub(super) fn read_deleted(body: &[u8]) -> Option<i64> {
    #[derive(Deserialize)]
    struct DeletedBody {
        modified: TimeNumber,
    }
    read::<DeletedBody>(body).map(|body| body.modified.0)
}

/// Reads the answer to a POST of `objects`.
///
/// `is_open` states whether the batch stays open. `modified_ms` is X-Last-Modified. The answer lists the written and
/// the failed objects. Each object must be in exactly one of these lists.
pub(super) fn read_posted(body: &[u8], sent: &[&OutgoingObject], is_open: bool, modified_ms: i64) -> Option<PostReceipt> {
    #[derive(Deserialize)]
    struct PostedBody {
        modified: Option<TimeNumber>,
        batch: Option<String>,
        success: Vec<String>,
        failed: BTreeMap<String, String>,
    }
    let body: PostedBody = read(body)?;
    let answered: HashSet<&str> = body.success.iter().chain(body.failed.keys()).map(String::as_str).collect();
    let is_whole = answered.len() == sent.len()
        && body.success.len() + body.failed.len() == sent.len()
        && sent.iter().all(|object| answered.contains(object.id.as_str()));
    let is_batch = |text: &String| (1..=256).contains(&text.len()) && text.bytes().all(|letter| letter.is_ascii_graphic());
    let (modified_ms, batch) = match is_open {
        true => (modified_ms, Some(body.batch.filter(is_batch)?)),
        false => (body.modified?.0, None),
    };
    let failed = body.failed.into_iter().map(|(id, reason)| (id, reason_of(&reason))).collect();
    is_whole.then_some(PostReceipt { modified_ms, batch, failed })
}

fn reason_of(text: &str) -> RejectReason {
    match text {
        "invalid bso" => RejectReason::NotValid,
        "retry bytes" | "retry bso" => RejectReason::SendAgain,
        _ => RejectReason::Other,
    }
}

/// Reads the limits of the server. A limit above the client's own limit is reduced to it.
///
/// An absent limit counts as the client's own limit. A limit of 0 is not valid, because nothing could be sent.
pub(super) fn read_limits(body: &[u8]) -> Option<ServerLimits> {
    #[derive(Deserialize)]
    struct LimitBody {
        max_post_records: Option<u64>,
        max_post_bytes: Option<u64>,
        max_total_records: Option<u64>,
        max_total_bytes: Option<u64>,
        max_record_payload_bytes: Option<u64>,
        max_request_bytes: Option<u64>,
    }
    let body: LimitBody = read(body)?;
    let own = ServerLimits::default();
    let least = |own: usize, stated: Option<u64>| {
        let stated = stated.map_or(own, |stated| usize::try_from(stated).unwrap_or(own));
        (stated > 0).then_some(stated.min(own))
    };
    Some(ServerLimits {
        post_records: least(own.post_records, body.max_post_records)?,
        post_bytes: least(own.post_bytes, body.max_post_bytes)?,
        total_records: least(own.total_records, body.max_total_records)?,
        total_bytes: least(own.total_bytes, body.max_total_bytes)?,
        payload_bytes: least(own.payload_bytes, body.max_record_payload_bytes)?,
        request_bytes: least(own.request_bytes, body.max_request_bytes)?,
    })
}

/// Reads the answer to an enrolment.
pub(super) fn read_enrolled(body: &[u8]) -> Option<DeviceEnrolled> {
    #[derive(Deserialize)]
    struct EnrolledBody<'a> {
        uid: i64,
        device: String,
        // Borrow the token, so that no copy stays in memory.
        token: &'a str,
        wrapped: Option<String>,
    }
    let body: EnrolledBody<'_> = serde_json::from_slice(body).ok()?;
    let token = DeviceToken::parse(body.token)?;
    let is_own = token.uid() == body.uid && token.device() == body.device && body.uid > 0;
    is_own.then_some(DeviceEnrolled { token, wrapped: body.wrapped })
}

/// Reads the answer to a request that creates an invite.
pub(super) fn read_invite(body: &[u8]) -> Option<CreatedInvite> {
    #[derive(Deserialize)]
    struct InviteBody {
        id: String,
        uid: i64,
        expires: i64,
    }
    let body: InviteBody = read(body)?;
    let expires_ms = milliseconds(body.expires)?;
    is_object_id(&body.id).then_some(CreatedInvite { id: body.id, uid: body.uid, expires_ms })
}

/// Reads the list of devices. Control characters in names are removed.
pub(super) fn read_devices(body: &[u8]) -> Option<Vec<ListedDevice>> {
    #[derive(Deserialize)]
    struct DeviceBody {
        id: String,
        name: String,
        created: i64,
        last_seen: i64,
        is_own: bool,
    }
    let device = |body: DeviceBody| {
        let name = body.name.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
        let (created_ms, last_seen_ms) = (milliseconds(body.created)?, milliseconds(body.last_seen)?);
        is_object_id(&body.id).then_some(ListedDevice { id: body.id, name, created_ms, last_seen_ms, is_own: body.is_own })
    };
    read::<Vec<DeviceBody>>(body)?.into_iter().map(device).collect()
}

/// Reads the used space and the quota, in KB: `[used, limit or null]`.
pub(super) fn read_quota(body: &[u8]) -> Option<SpaceUsage> {
    let (used, limit): (KilobyteNumber, Option<KilobyteNumber>) = read(body)?;
    Some(SpaceUsage { used_bytes: used.0, limit_bytes: limit.map(|limit| limit.0) })
}

fn milliseconds(seconds: i64) -> Option<i64> {
    (0..=LATEST_S).contains(&seconds).then(|| seconds * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(id: &str) -> OutgoingObject {
        OutgoingObject { id: id.to_owned(), payload: String::new(), ttl_s: None }
    }

    #[test]
    fn collection_times_are_read_by_name() {
        let times = read_times(br#"{"dl-items":1700000000.05,"meta":12.30}"#).unwrap();
        assert_eq!(times, BTreeMap::from([("dl-items".to_owned(), 1_700_000_000_050), ("meta".to_owned(), 12_300)]));
        for wrong in ["", "[]", "null", r#"{"a b":1.00}"#, r#"{"a":"1.00"}"#, r#"{"a":1.00}x"#, r#"{"a":null}"#] {
            assert_eq!(read_times(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn objects_are_read_with_unknown_fields() {
        let body = br#"[{"id":"a","modified":1.05,"sortindex":3,"payload":"x\n","later":{}}]"#;
        let expected = StoredObject { id: "a".into(), modified_ms: 1050, payload: "x\n".into() };
        assert_eq!(read_objects(body), Some(vec![expected.clone()]));
        assert_eq!(read_object(br#"{"id":"a","modified":1.05,"payload":"x\n"}"#, "a"), Some(expected));
        assert_eq!(read_object(br#"{"id":"b","modified":1.05,"payload":"x\n"}"#, "a"), None, "another object");
        for wrong in
            ["[\"a\"]", r#"[{"id":"a","payload":"x"}]"#, r#"[{"id":"a","id":"b","modified":1,"payload":"x"}]"#, "[{}", "\u{0}"]
        {
            assert_eq!(read_objects(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn server_response_to_a_write_must_mention_every_sent_object_exactly_once() {
        let (a, b) = (object("a"), object("b"));
        let read = |body: &str| read_posted(body.as_bytes(), &[&a, &b], false, 7);
        let receipt = read(r#"{"modified":1.05,"success":["a"],"failed":{"b":"invalid bso"}}"#).unwrap();
        assert_eq!((receipt.modified_ms, receipt.failed), (1050, BTreeMap::from([("b".to_owned(), RejectReason::NotValid)])));
        for wrong in [
            r#"{"modified":1.05,"success":["a"],"failed":{}}"#,
            r#"{"modified":1.05,"success":["a","a"],"failed":{}}"#,
            r#"{"modified":1.05,"success":["a","b"],"failed":{"b":"x"}}"#,
            r#"{"modified":1.05,"success":["a","b","c"],"failed":{}}"#,
            r#"{"success":["a","b"],"failed":{}}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn open_batch_must_have_id() {
        let a = object("a");
        let read = |body: &str| read_posted(body.as_bytes(), &[&a], true, 7);
        let receipt = read(r#"{"batch":"b1","success":["a"],"failed":{}}"#).unwrap();
        assert_eq!((receipt.modified_ms, receipt.batch.as_deref()), (7, Some("b1")));
        assert_eq!(read(r#"{"success":["a"],"failed":{}}"#), None);
        assert_eq!(read(r#"{"batch":"","success":["a"],"failed":{}}"#), None);
    }

    #[test]
    fn announced_server_limits_can_lower_but_never_raise_the_default_limits() {
        let limits = read_limits(br#"{"max_post_records":10,"max_post_bytes":99999999999,"other":1}"#).unwrap();
        assert_eq!(limits, ServerLimits { post_records: 10, ..ServerLimits::default() });
        assert_eq!(read_limits(br#"{"max_post_records":0}"#), None);
        assert_eq!(read_limits(b"[]"), None);
    }

    #[test]
    fn enrolment_answer_is_refused_if_token_is_for_another_user_or_device() {
        let read = |body: &str| read_enrolled(body.as_bytes());
        let enrolled = read(r#"{"uid":12,"device":"d","token":"12.d.s","wrapped":null}"#).unwrap();
        assert_eq!((enrolled.token.expose(), enrolled.wrapped), ("12.d.s", None));
        for wrong in [
            r#"{"uid":13,"device":"d","token":"12.d.s"}"#,
            r#"{"uid":12,"device":"e","token":"12.d.s"}"#,
            r#"{"uid":12,"device":"d","token":"s"}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn device_names_are_listed_without_control_characters() {
        let devices = read_devices(br#"[{"id":"d","name":"Lap\u0007top","created":5,"last_seen":6,"is_own":true}]"#).unwrap();
        assert_eq!((devices[0].name.as_str(), devices[0].created_ms, devices[0].is_own), ("Laptop", 5000, true));
        assert_eq!(read_devices(br#"[{"id":"","name":"a","created":5,"last_seen":6,"is_own":true}]"#), None);
    }

    #[test]
    fn quota_is_read_in_bytes() {
        assert_eq!(read_quota(b"[0.48828125,2097152.0]"), Some(SpaceUsage { used_bytes: 500, limit_bytes: Some(2 << 30) }));
        assert_eq!(read_quota(b"[1.0,null]"), Some(SpaceUsage { used_bytes: 1024, limit_bytes: None }));
        assert_eq!(read_quota(b"[1.0]"), None);
    }

    #[test]
    fn invite_expiry_is_read_in_milliseconds() {
        let invite = read_invite(br#"{"id":"i","uid":12,"expires":1700000600}"#).unwrap();
        assert_eq!((invite.id.as_str(), invite.uid, invite.expires_ms), ("i", 12, 1_700_000_600_000));
        assert_eq!(read_invite(br#"{"id":"i","uid":12,"expires":9223372036854775807}"#), None);
    }
}
