//! Limits for sending downloads to other devices. The sender and the recipient both check them. [pure]

use crate::records::{RecordFault, SendRecord, count_links, judge_requests};

/// Maximum number of links in a sent download.
pub const MOST_SENT_LINKS: u64 = 1000;
/// Maximum number of downloads that one device may send in an hour.
pub const MOST_SENDS: usize = 20;

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Reason why a download may not be sent, or is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendRefusal {
    /// A request is not valid, for example because its link is not a web link.
    #[error(transparent)]
    Fault(#[from] RecordFault),
    /// The record has no link, and does not hand over an existing download.
    #[error("The send has no link. Send at least one link.")]
    NoLinks,
    /// The download has too many links.
    #[error("The send has {count} links. Send at most {MOST_SENT_LINKS} links at once.")]
    TooManyLinks {
        /// Number of links.
        count: u64,
    },
    /// The device has sent too often.
    #[error("The device has sent {MOST_SENDS} times within an hour. Send again later.")]
    TooManySends,
}

/// Checks whether a download may be sent at the time `now_ms`.
///
/// `earlier_ms` contains the times of earlier sends. On the sending device, these are the times of sending. On the
/// receiving device, these are the times at which it accepted sends of this sender. The times in the records are not
/// used, because the sender can forge them.
///
/// Fails with `NoLinks`, `TooManyLinks`, `Fault` or `TooManySends`.
pub fn judge_send(send: &SendRecord, earlier_ms: &[i64], now_ms: i64) -> Result<(), SendRefusal> {
    let count = count_links(&send.requests);
    if count == 0 && send.hand_over.is_none() {
        return Err(SendRefusal::NoLinks);
    }
    if count > MOST_SENT_LINKS {
        return Err(SendRefusal::TooManyLinks { count });
    }
    judge_requests(&send.requests)?;
    // Also count times in the future, so that setting the clock back does not lift the limit.
    let recent = earlier_ms.iter().filter(|ms| now_ms.saturating_sub(**ms) < HOUR_MS).count();
    if recent < MOST_SENDS { Ok(()) } else { Err(SendRefusal::TooManySends) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    fn send(requests: Vec<Value>) -> SendRecord {
        let [to, from] = ["desktop", "laptop"].map(|device| device.parse().unwrap());
        SendRecord {
            v: 1,
            to,
            from,
            title: String::new(),
            requests,
            sent_ms: 0,
            hand_over: None,
            answer: None,
            unknown: Map::new(),
        }
    }

    #[test]
    fn sending_too_many_links_is_refused() {
        let link = json!({ "url": "https://a.test/" });
        assert_eq!(judge_send(&send(vec![link.clone(); 1000]), &[], 0), Ok(()));
        assert_eq!(judge_send(&send(vec![link; 1001]), &[], 0), Err(SendRefusal::TooManyLinks { count: 1001 }));
        let series =
            json!({ "url": "https://a.test/", "next": { "series": { "url": "https://a.test/", "number": 1, "until": 1000 } } });
        assert_eq!(judge_send(&send(vec![series]), &[], 0), Err(SendRefusal::TooManyLinks { count: 1001 }));
    }

    #[test]
    fn sending_download_without_web_links_is_refused() {
        assert_eq!(judge_send(&send(Vec::new()), &[], 0), Err(SendRefusal::NoLinks));
        let hand_over = SendRecord { hand_over: Some("a".to_owned()), ..send(Vec::new()) };
        assert_eq!(judge_send(&hand_over, &[], 0), Ok(()));
        let local = send(vec![json!({ "url": "file:///etc/passwd" })]);
        assert_eq!(judge_send(&local, &[], 0), Err(SendRefusal::Fault(RecordFault::NotWebLink)));
    }

    #[test]
    fn sending_more_than_twenty_downloads_an_hour_is_refused() {
        let one = send(vec![json!({ "url": "https://a.test/" })]);
        let mut earlier: Vec<i64> = (0..20).collect();
        assert_eq!(judge_send(&one, &earlier[1..], 20), Ok(()));
        assert_eq!(judge_send(&one, &earlier, 20), Err(SendRefusal::TooManySends));
        assert_eq!(judge_send(&one, &earlier, HOUR_MS), Ok(()));
        earlier.extend(20..25);
        assert_eq!(judge_send(&one, &earlier, 25), Err(SendRefusal::TooManySends));
    }
}
