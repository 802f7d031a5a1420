//! Answers that came before anybody had decided to keep the file. What it is called and how large it is, their heads say;
//! each body waits at its server for the transfer of the same GUID, which then goes on with it: a link that works once is
//! used once. What nobody starts is let go.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http::header::ACCEPT_RANGES;

use crate::{
    http::{
        exchange::{self, Response},
        html_detection, response_claim, response_head,
    },
    model::{
        event::ResponseSummary,
        outcome::TransferFailure,
        spec::{Guid, TransferSpec},
    },
};

/// An answer waits so long: servers give up on who does not read. Whoever starts later asks anew.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// Connections that stand open for files that nobody may want; the oldest goes first.
const MOST: usize = 8;

/// What a server says of a file before anybody fetches it.
#[derive(Clone, Debug)]
pub struct ProbeResult {
    /// As it will be told when the transfer starts, unless the caller wants another name.
    pub head: ResponseSummary,
    /// Whether it could go on where it broke off; none where the server does not say.
    pub may_resume: Option<bool>,
    /// It looks like a web page where a file was asked for.
    pub is_page: bool,
}

/// The answers that wait.
#[derive(Debug, Default)]
pub(crate) struct PendingResponses(Mutex<VecDeque<(Guid, Response)>>);

impl PendingResponses {
    /// Keeps `answered` for the transfer `guid`, in place of what waited for it before.
    pub fn hold(&self, guid: Guid, answered: Response) {
        let mut waiting = self.waiting();
        waiting.retain(|(other, _)| *other != guid);
        if waiting.len() == MOST {
            waiting.pop_front();
        }
        waiting.push_back((guid, answered));
    }

    /// Hands it over; dropped, it closes its connection.
    pub fn take(&self, guid: Guid) -> Option<Response> {
        let mut waiting = self.waiting();
        let place = waiting.iter().position(|(other, _)| *other == guid)?;
        waiting.remove(place).map(|(_, answered)| answered)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<(Guid, Response)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the head of the answer to `spec`. Fails where it says that there will be no file.
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
    use crate::model::outcome::FailureKind;

    fn spec() -> TransferSpec {
        TransferSpec::download(Guid(uuid::Uuid::nil()), Url::parse("http://a.test/disk.iso").unwrap(), "/nowhere".into())
    }

    #[test]
    fn it_is_said_whether_a_file_can_be_gone_on_with_where_the_server_says_so() {
        for (headers, may_resume) in [
            (vec![("accept-ranges", "Bytes")], Some(true)),
            (vec![("accept-ranges", "none")], Some(false)),
            (vec![("accept-ranges", "pages")], None),
            (vec![], None),
            // Ranges would be of what is on the way, and not of the file.
            (vec![("accept-ranges", "bytes"), ("content-encoding", "gzip")], Some(false)),
        ] {
            assert_eq!(read(&Response::with_head(200, &headers), &spec()).unwrap().may_resume, may_resume, "{headers:?}");
        }
        for status in [202, 204, 205, 302, 404] {
            assert_eq!(read(&Response::with_head(status, &[]), &spec()).unwrap_err().kind, FailureKind::BadStatus, "{status}");
        }
    }

    #[test]
    fn the_oldest_answer_gives_way_and_each_is_handed_over_once() {
        let answers = PendingResponses::default();
        let guid = |number| Guid(uuid::Uuid::from_u128(number));
        for number in 0..=MOST as u128 {
            answers.hold(guid(number), Response::with_head(200, &[]));
        }
        answers.hold(guid(5), Response::with_head(206, &[]));
        assert!(answers.take(guid(0)).is_none());
        assert_eq!(answers.take(guid(5)).unwrap().response.status(), 206);
        assert!(answers.take(guid(5)).is_none());
    }
}
