//! Verifies a page of a collection against its request. [pure]
//!
//! Called by the HTTP client and by the simulated server before they return a page.
//!
//! - Objects must be sorted by time and id, and must come after the last object of the previous page. This excludes
//!   duplicate objects and repeated pages.
//! - The collection must be at least as new as the request requires. If the collection is older, the server has lost
//!   data since it reported its times. Accepting the page would hide the loss.

use super::{
    server_fault::UnexpectedAnswer,
    server_types::{ObjectPage, PageOffset, PageRequest, StoredObject, is_object_id},
};

/// Maximum length of an offset in characters.
const LONGEST_OFFSET: usize = 512;

/// Content of an unverified answer.
#[derive(Clone, Debug)]
pub(super) struct ReceivedPage {
    pub objects: Vec<StoredObject>,
    /// `X-Weave-Next-Offset`.
    pub next_offset: Option<String>,
    pub last_modified_ms: i64,
    pub server_time_ms: i64,
}

/// Verifies and returns the page. Fails with `WrongPage`.
pub(super) fn check_page(request: &PageRequest, page: ReceivedPage) -> Result<ObjectPage, UnexpectedAnswer> {
    let ReceivedPage { objects, next_offset, last_modified_ms, server_time_ms } = page;
    let mut previous = request.offset.as_ref().map(|offset| (offset.modified_ms, offset.id.as_str()));
    for object in &objects {
        let key = (object.modified_ms, object.id.as_str());
        let is_requested = object.modified_ms > request.newer_ms && object.modified_ms <= last_modified_ms;
        if !is_requested || !is_object_id(&object.id) || previous.is_some_and(|previous| key <= previous) {
            return Err(UnexpectedAnswer::WrongPage);
        }
        previous = Some(key);
    }
    if objects.len() > request.limit as usize || last_modified_ms < request.newer_ms {
        return Err(UnexpectedAnswer::WrongPage);
    }
    let next_offset = match (next_offset, objects.last()) {
        (None, _) => None,
        // A page with an offset but without objects could repeat forever.
        (Some(_), None) => return Err(UnexpectedAnswer::WrongPage),
        (Some(text), Some(last)) => {
            let is_text = (1..=LONGEST_OFFSET).contains(&text.len()) && text.bytes().all(|letter| letter.is_ascii_graphic());
            if !is_text || request.offset.as_ref().is_some_and(|offset| offset.text == text) {
                return Err(UnexpectedAnswer::WrongPage);
            }
            Some(PageOffset { text, modified_ms: last.modified_ms, id: last.id.clone() })
        }
    };
    Ok(ObjectPage { objects, next_offset, last_modified_ms, server_time_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(newer_ms: i64, offset: Option<(i64, &str)>) -> PageRequest {
        let offset = offset.map(|(modified_ms, id)| PageOffset { text: "before".into(), modified_ms, id: id.into() });
        PageRequest { collection: "dl-items".into(), newer_ms, offset, limit: 3, if_unmodified_since_ms: None }
    }

    fn page(objects: &[(&str, i64)], next: Option<&str>) -> ReceivedPage {
        let object = |(id, modified_ms): &(&str, i64)| StoredObject {
            id: (*id).to_owned(),
            modified_ms: *modified_ms,
            payload: "x".into(),
        };
        let objects = objects.iter().map(object).collect();
        ReceivedPage { objects, next_offset: next.map(str::to_owned), last_modified_ms: 50, server_time_ms: 60 }
    }

    #[test]
    fn sorted_page_is_returned_with_offset_of_next_page() {
        let checked = check_page(&request(10, None), page(&[("b", 20), ("a", 30), ("c", 30)], Some("n"))).unwrap();
        assert_eq!(checked.next_offset, Some(PageOffset { text: "n".into(), modified_ms: 30, id: "c".into() }));
        assert_eq!((checked.last_modified_ms, checked.server_time_ms), (50, 60));
        assert_eq!(check_page(&request(10, None), page(&[], None)).unwrap().objects, []);
    }

    #[test]
    fn disordered_or_unrequested_object_is_rejected() {
        let long = "x".repeat(65);
        for objects in [
            &[("a", 10)][..],
            &[("a", 60)],
            &[("a", 30), ("b", 20)],
            &[("b", 30), ("a", 30)],
            &[("a", 30), ("a", 30)],
            &[("", 30)],
            &[("ä", 30)],
            &[("a\n", 30)],
            &[(long.as_str(), 30)],
            &[("a", 20), ("b", 20), ("c", 20), ("d", 20)],
        ] {
            assert_eq!(check_page(&request(10, None), page(objects, None)), Err(UnexpectedAnswer::WrongPage), "{objects:?}");
        }
    }

    #[test]
    fn page_older_than_known_collection_time_is_rejected() {
        assert_eq!(check_page(&request(51, None), page(&[], None)), Err(UnexpectedAnswer::WrongPage));
        assert!(check_page(&request(50, None), page(&[], None)).is_ok());
    }

    #[test]
    fn repeated_page_is_rejected() {
        let after = request(10, Some((30, "b")));
        for objects in [&[("b", 30)][..], &[("a", 20)], &[("a", 30)]] {
            assert_eq!(check_page(&after, page(objects, None)), Err(UnexpectedAnswer::WrongPage), "{objects:?}");
        }
        assert!(check_page(&after, page(&[("c", 30), ("a", 40)], None)).is_ok());
    }

    #[test]
    fn unusable_offset_of_next_page_is_rejected() {
        let after = request(10, Some((30, "b")));
        let long = "x".repeat(513);
        for (objects, next) in
            [(&[][..], "n"), (&[("c", 30)], "before"), (&[("c", 30)], ""), (&[("c", 30)], &long), (&[("c", 30)], "a b")]
        {
            assert_eq!(check_page(&after, page(objects, Some(next))), Err(UnexpectedAnswer::WrongPage), "{next}");
        }
    }
}
