//! Splits the objects of a batch into POSTs, and renders the bodies of writes. [pure]
//!
//! Called by `post_batch` of the trait `SyncServer`, and by both of its implementations.
//!
//! - Payloads and whole bodies have separate limits in bytes. A quotation mark takes one byte of the payload, but two
//!   bytes of the body.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::{
    server_fault::ServerFault,
    server_types::{BatchStep, OutgoingObject, RejectReason, ServerLimits, is_object_id},
};

/// Size of the two brackets around the objects of a body, in bytes.
const BRACKETS: usize = 2;

/// POSTs of one batch.
#[derive(Debug, Default)]
pub(super) struct BatchPlan<'a> {
    /// Objects of each POST. Their order is the given order.
    pub posts: Vec<Vec<&'a OutgoingObject>>,
    /// Rejected objects, which are in no POST.
    pub rejected: BTreeMap<String, RejectReason>,
}

#[derive(Serialize)]
struct RenderedObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    payload: &'a str,
    /// `null` removes the expiry time that an earlier write set. If the field were absent, that expiry time would stay.
    ttl: Option<u32>,
}

impl<'a> BatchPlan<'a> {
    /// Divides the objects among several POSTs.
    ///
    /// Rejects objects that are not valid, are too long, or repeat an id. Fails with `TooLarge` if the remaining
    /// objects exceed the limits of one batch.
    pub fn new(objects: &'a [OutgoingObject], limits: &ServerLimits) -> Result<Self, ServerFault> {
        let (mut plan, mut seen) = (Self::default(), HashSet::new());
        let (mut records, mut bytes) = (0, 0);
        let (mut post, mut post_bytes, mut body_bytes) = (Vec::new(), 0, BRACKETS);
        for object in objects {
            let (payload, rendered) = (object.payload.len(), render(object).len() + 1);
            if !is_object_id(&object.id) || object.payload.contains('\0') || !seen.insert(object.id.as_str()) {
                plan.rejected.insert(object.id.clone(), RejectReason::NotValid);
                continue;
            }
            if payload > limits.payload_bytes.min(limits.post_bytes) || rendered + BRACKETS > limits.request_bytes {
                plan.rejected.insert(object.id.clone(), RejectReason::TooLong);
                continue;
            }
            let is_full = post.len() >= limits.post_records
                || post_bytes + payload > limits.post_bytes
                || body_bytes + rendered > limits.request_bytes;
            if is_full {
                plan.posts.push(std::mem::take(&mut post));
                (post_bytes, body_bytes) = (0, BRACKETS);
            }
            post.push(object);
            (post_bytes, body_bytes) = (post_bytes + payload, body_bytes + rendered);
            (records, bytes) = (records + 1, bytes + payload);
        }
        if !post.is_empty() {
            plan.posts.push(post);
        }
        let fits = records <= limits.total_records && bytes <= limits.total_bytes;
        if fits { Ok(plan) } else { Err(ServerFault::TooLarge) }
    }

    /// Returns the place of a POST in its batch. `batch` is the id from the answer to the first POST.
    pub fn step(&self, at: usize, batch: Option<&str>) -> BatchStep {
        match (batch, at + 1 == self.posts.len()) {
            (None, true) => BatchStep::Whole,
            (None, false) => BatchStep::Begin,
            (Some(batch), true) => BatchStep::Commit(batch.to_owned()),
            (Some(batch), false) => BatchStep::Append(batch.to_owned()),
        }
    }
}

/// Returns the body of a POST.
pub(super) fn post_body(objects: &[&OutgoingObject]) -> String {
    let rendered: Vec<String> = objects.iter().map(|object| render(object)).collect();
    format!("[{}]", rendered.join(","))
}

/// Returns the body of a PUT. The path of the PUT contains the id.
pub(super) fn put_body(payload: &str, ttl_s: Option<u32>) -> String {
    // Serializing text and numbers cannot fail.
    serde_json::to_string(&RenderedObject { id: None, payload, ttl: ttl_s }).unwrap_or_default()
}

fn render(object: &OutgoingObject) -> String {
    let rendered = RenderedObject { id: Some(&object.id), payload: &object.payload, ttl: object.ttl_s };
    serde_json::to_string(&rendered).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(id: usize, payload: &str) -> OutgoingObject {
        OutgoingObject { id: format!("{id:05}"), payload: payload.to_owned(), ttl_s: None }
    }

    fn plan<'a>(objects: &'a [OutgoingObject], limits: &ServerLimits) -> BatchPlan<'a> {
        BatchPlan::new(objects, limits).unwrap()
    }

    fn lengths(plan: &BatchPlan<'_>) -> Vec<usize> {
        plan.posts.iter().map(Vec::len).collect()
    }

    #[test]
    fn posts_respect_maximum_number_of_objects() {
        let objects: Vec<_> = (0..250).map(|id| object(id, "x")).collect();
        let plan = plan(&objects, &ServerLimits::default());
        assert_eq!(lengths(&plan), [100, 100, 50]);
        assert_eq!(plan.step(0, None), BatchStep::Begin);
        assert_eq!(plan.step(1, Some("b")), BatchStep::Append("b".into()));
        assert_eq!(plan.step(2, Some("b")), BatchStep::Commit("b".into()));
    }

    #[test]
    fn batch_that_fits_one_post_is_sent_in_one_step() {
        let objects = [object(1, "x")];
        assert_eq!(plan(&objects, &ServerLimits::default()).step(0, None), BatchStep::Whole);
        assert!(plan(&[], &ServerLimits::default()).posts.is_empty());
    }

    #[test]
    fn post_bodies_respect_maximum_request_length() {
        // Each quotation mark takes two bytes of the body, but one byte of the payload.
        let objects: Vec<_> = (0..100).map(|id| object(id, &"\"".repeat(20_000))).collect();
        let limits = ServerLimits::default();
        let plan = plan(&objects, &limits);
        assert_eq!(plan.posts.iter().map(Vec::len).sum::<usize>(), 100);
        assert!(plan.posts.len() > 1);
        assert!(plan.posts.iter().all(|post| post_body(post).len() <= limits.request_bytes));
    }

    #[test]
    fn post_payloads_respect_maximum_number_of_bytes() {
        let limits = ServerLimits { post_bytes: 10, ..ServerLimits::default() };
        let objects: Vec<_> = (0..5).map(|id| object(id, "1234")).collect();
        assert_eq!(lengths(&plan(&objects, &limits)), [2, 2, 1]);
    }

    #[test]
    fn object_that_server_cannot_store_is_rejected_before_sending() {
        let limits = ServerLimits { payload_bytes: 3, ..ServerLimits::default() };
        let mut objects = vec![object(1, "123"), object(2, "1234"), object(3, "\0"), object(1, "4")];
        objects.push(OutgoingObject { id: "ä".into(), payload: String::new(), ttl_s: None });
        let plan = plan(&objects, &limits);
        assert_eq!(lengths(&plan), [1]);
        assert_eq!(plan.rejected["00002"], RejectReason::TooLong);
        assert_eq!(plan.rejected["00003"], RejectReason::NotValid);
        assert_eq!(plan.rejected["ä"], RejectReason::NotValid);
        assert_eq!(plan.rejected["00001"], RejectReason::NotValid, "the second object with this id");
    }

    #[test]
    fn batch_above_its_limits_is_refused() {
        let objects: Vec<_> = (0..10_001).map(|id| object(id, "")).collect();
        assert_eq!(BatchPlan::new(&objects, &ServerLimits::default()).unwrap_err(), ServerFault::TooLarge);
        let limits = ServerLimits { total_bytes: 9, ..ServerLimits::default() };
        assert_eq!(BatchPlan::new(&[object(1, "0123456789")], &limits).unwrap_err(), ServerFault::TooLarge);
    }

    #[test]
    fn absent_lifetime_is_written_as_null() {
        assert_eq!(put_body("a\"", None), r#"{"payload":"a\"","ttl":null}"#);
        let short = OutgoingObject { ttl_s: Some(5), ..object(1, "x") };
        assert_eq!(
            post_body(&[&short, &object(2, "y")]),
            r#"[{"id":"00001","payload":"x","ttl":5},{"id":"00002","payload":"y","ttl":null}]"#
        );
    }
}
