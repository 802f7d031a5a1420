//! Stores responses that arrive before the user decides to download the file.
//!
//! - The head of a response contains the name and size of the file.
//! - The body stays unread on its connection. The transfer with the same GUID later continues this response, so that a
//!   single-use link is used only once.
//! - If no such transfer starts, the response is dropped.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http::header::ACCEPT_RANGES;

use crate::{
    http::{
        AddressPolicy,
        exchange::{self, Response},
        html_detection, response_claim, response_head,
    },
    model::{
        event::ResponseSummary,
        failure::TransferFailure,
        spec::{Guid, TransferSpec},
    },
};

/// Time for which a response is stored.
///
/// The time is limited because servers close stalled connections. A transfer that starts later sends a new request.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// Maximum number of waiting responses. The oldest response is dropped first.
///
/// Larger than 32, because a browser may wait for answers about 32 of its downloads at once.
const MOST: usize = 40;

/// Information about a file, obtained from its server before the download starts.
#[derive(Clone, Debug)]
pub struct ProbeResult {
    /// Head of the response. The transfer emits the same head when it starts, unless the caller has chosen another
    /// name.
    pub head: ResponseSummary,
    /// Whether the download can be resumed after an interruption. `None` if the server does not say.
    pub may_resume: Option<bool>,
    /// Whether the response looks like a web page although a file was requested.
    pub is_page: bool,
}

/// Waiting responses by GUID.
#[derive(Debug, Default)]
pub(crate) struct PendingResponses(Mutex<WaitingResponses>);

#[derive(Debug, Default)]
struct WaitingResponses {
    held: VecDeque<WaitingResponse>,
    last: HoldNumber,
}

/// One waiting response.
#[derive(Debug)]
struct WaitingResponse {
    number: HoldNumber,
    guid: Guid,
    /// Addresses that the request and its redirects were allowed to reach.
    reach: AddressPolicy,
    answered: Response,
}

/// Sequence number of a stored response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HoldNumber(u64);

impl PendingResponses {
    /// Stores `answered` for the transfer `guid`, and drops an earlier response for it.
    ///
    /// `reach` describes the addresses that the request was allowed to reach. Returns the number for [`Self::expire`].
    pub fn hold(&self, guid: Guid, reach: AddressPolicy, answered: Response) -> HoldNumber {
        let mut waiting = self.waiting();
        waiting.held.retain(|waiting| waiting.guid != guid);
        if waiting.held.len() == MOST {
            waiting.held.pop_front();
        }
        waiting.last.0 += 1;
        let number = waiting.last;
        waiting.held.push_back(WaitingResponse { number, guid, reach, answered });
        number
    }

    /// Drops the response with this number, but not a newer response of the same transfer.
    pub fn expire(&self, number: HoldNumber) {
        self.waiting().held.retain(|waiting| waiting.number != number);
    }

    /// Removes and returns the response for `guid`.
    ///
    /// Returns `None` if the request was allowed to reach addresses beyond `reach`. In this case, drops the response,
    /// which closes the connection.
    pub fn take(&self, guid: Guid, reach: AddressPolicy) -> Option<Response> {
        let mut waiting = self.waiting();
        let place = waiting.held.iter().position(|waiting| waiting.guid == guid)?;
        let kept = waiting.held.remove(place)?;
        (reach == AddressPolicy::Anywhere || kept.reach == reach).then_some(kept.answered)
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingResponses> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the head of the response to `spec`.
///
/// Fails with `BadStatus` if the status means that there is no file.
pub(crate) fn read(answered: &Response, spec: &TransferSpec) -> Result<ProbeResult, TransferFailure> {
    let Response { response, chain, .. } = answered;
    if !response_claim::carries_file(response.status().as_u16()) {
        return Err(exchange::bad_status(answered, 0));
    }
    let headers = response.headers();
    let length = response_head::length(response);
    let is_page = html_detection::is_instead_of_a_file(&response_head::came(spec, None, headers, chain, length));
    let is_encoded = response_head::is_encoded(headers);
    let ranges = headers.get(ACCEPT_RANGES).map(http::HeaderValue::as_bytes);
    let may_resume = match ranges {
        _ if is_encoded => Some(false),
        Some(ranges) if ranges.eq_ignore_ascii_case(b"bytes") => Some(true),
        Some(ranges) if ranges.eq_ignore_ascii_case(b"none") => Some(false),
        _ => None,
    };
    let head = answered.head(length.filter(|_| !is_encoded), spec.name.as_deref());
    Ok(ProbeResult { head, may_resume, is_page })
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::model::failure_kind::FailureKind;

    fn spec() -> TransferSpec {
        TransferSpec::download(Guid(uuid::Uuid::nil()), Url::parse("http://a.test/disk.iso").unwrap(), "/nowhere".into())
    }

    #[test]
    fn resume_support_is_known_only_if_the_response_announces_or_excludes_it() {
        for (headers, may_resume) in [
            (vec![("accept-ranges", "Bytes")], Some(true)),
            (vec![("accept-ranges", "none")], Some(false)),
            (vec![("accept-ranges", "pages")], None),
            (vec![], None),
            // Ranges would refer to the encoded bytes, not to the file.
            (vec![("accept-ranges", "bytes"), ("content-encoding", "gzip")], Some(false)),
        ] {
            assert_eq!(read(&Response::with_head(200, &headers), &spec()).unwrap().may_resume, may_resume, "{headers:?}");
        }
        for status in [202, 204, 205, 302, 404] {
            assert_eq!(read(&Response::with_head(status, &[]), &spec()).unwrap_err().kind, FailureKind::BadStatus, "{status}");
        }
    }

    #[test]
    fn number_of_pending_responses_is_limited_and_each_can_be_used_once() {
        let answers = PendingResponses::default();
        let guid = |number| Guid(uuid::Uuid::from_u128(number));
        for number in 0..=MOST as u128 {
            answers.hold(guid(number), AddressPolicy::Anywhere, Response::with_head(200, &[]));
        }
        answers.hold(guid(5), AddressPolicy::Anywhere, Response::with_head(206, &[]));
        assert!(answers.take(guid(0), AddressPolicy::Anywhere).is_none());
        assert_eq!(answers.take(guid(5), AddressPolicy::Anywhere).unwrap().response.status(), 206);
        assert!(answers.take(guid(5), AddressPolicy::Anywhere).is_none());
    }

    #[test]
    fn transfer_restricted_to_public_addresses_uses_no_response_of_an_unrestricted_request() {
        const POLICIES: [AddressPolicy; 2] = [AddressPolicy::Anywhere, AddressPolicy::Public];
        let answers = PendingResponses::default();
        let guid = Guid(uuid::Uuid::nil());
        for (asked, used) in POLICIES.into_iter().flat_map(|asked| POLICIES.map(|used| (asked, used))) {
            answers.hold(guid, asked, Response::with_head(200, &[]));
            let may_use = (asked, used) != (AddressPolicy::Anywhere, AddressPolicy::Public);
            assert_eq!(answers.take(guid, used).is_some(), may_use, "{asked:?}, {used:?}");
            assert!(answers.take(guid, AddressPolicy::Anywhere).is_none(), "a refused response is dropped");
        }
    }

    #[test]
    fn later_response_stays_when_earlier_one_expires() {
        let answers = PendingResponses::default();
        let guid = Guid(uuid::Uuid::nil());
        let first = answers.hold(guid, AddressPolicy::Anywhere, Response::with_head(200, &[]));
        assert!(answers.take(guid, AddressPolicy::Anywhere).is_some());
        let second = answers.hold(guid, AddressPolicy::Anywhere, Response::with_head(206, &[]));
        answers.expire(first);
        assert_eq!(answers.take(guid, AddressPolicy::Anywhere).unwrap().response.status(), 206);
        answers.hold(guid, AddressPolicy::Anywhere, Response::with_head(206, &[]));
        answers.expire(second);
        assert!(answers.take(guid, AddressPolicy::Anywhere).is_some());
    }
}
