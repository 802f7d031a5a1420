//! Stores links from outside, copied text and failures until the page reads them.
//!
//! `tasks/incoming_links.rs` adds the entries. The page's commands read and remove them.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_engine::{UniqueId, UserMessage};
use serde::Serialize;

/// Data that waits for the page: links, a download to show, copied text, and failures.
#[derive(Debug, Default)]
pub struct IncomingLinks(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    links: Vec<String>,
    look: Option<LinkSource>,
    copied: Option<String>,
    troubles: Vec<UserMessage>,
    /// Whether new data is sent to the page directly. True if the page listens and has read the waiting links.
    page_listens: bool,
}

/// Download that the user wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LinkSource {
    /// Id of the download.
    pub unique_id: UniqueId,
    /// Whether all details of the download are shown.
    pub is_close: bool,
}

impl IncomingLinks {
    /// Removes and returns the waiting links. New links are then sent to the page directly.
    pub fn take(&self) -> Vec<String> {
        let mut waiting = self.lock();
        waiting.page_listens = true;
        mem::take(&mut waiting.links)
    }

    /// Removes and returns the download to show.
    pub fn take_look(&self) -> Option<LinkSource> {
        self.lock().look.take()
    }

    /// Removes and returns the waiting copied text.
    pub fn take_copied(&self) -> Option<String> {
        self.lock().copied.take()
    }

    /// Removes and returns the waiting failures.
    pub fn take_troubles(&self) -> Vec<UserMessage> {
        mem::take(&mut self.lock().troubles)
    }

    /// From now on, stores new data instead of sending it, because the page was closed.
    pub fn hold_back(&self) {
        self.lock().page_listens = false;
    }

    /// Returns the links if the page listens, or else stores them.
    pub fn add(&self, links: Vec<String>) -> Vec<String> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return links;
        }
        waiting.links.extend(links);
        Vec::new()
    }

    /// Returns the download if the page listens, or else stores it in place of an earlier one.
    pub fn look(&self, look: LinkSource) -> Option<LinkSource> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return Some(look);
        }
        waiting.look = Some(look);
        None
    }

    /// Returns the copied text if the page listens, or else stores it in place of an earlier one.
    pub fn copied(&self, text: String) -> Option<String> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return Some(text);
        }
        waiting.copied = Some(text);
        None
    }

    /// Returns the failure if the page listens, or else stores it after earlier ones.
    pub fn trouble(&self, trouble: UserMessage) -> Option<UserMessage> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return Some(trouble);
        }
        waiting.troubles.push(trouble);
        None
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use ashore_messages::message;

    use super::*;

    #[test]
    fn incoming_links_wait_until_page_is_ready_and_are_returned_once() {
        let links = IncomingLinks::default();
        let list = |one: &str| vec![one.to_owned()];
        assert!(links.add(list("a")).is_empty());
        assert_eq!(links.take(), ["a"]);
        assert_eq!(links.add(list("b")), ["b"]);
        links.hold_back();
        assert!(links.add(list("c")).is_empty());
        assert_eq!(links.take(), ["c"]);
        assert!(links.take().is_empty());
    }

    #[test]
    fn ready_page_receives_only_the_latest_request_to_show_a_download() {
        let look = |digit: char| LinkSource {
            unique_id: format!("6a2ab1c0-1111-4222-8333-44445555666{digit}").parse().unwrap(),
            is_close: false,
        };
        let links = IncomingLinks::default();
        assert_eq!((links.look(look('1')), links.look(look('2'))), (None, None));
        links.take();
        assert_eq!((links.take_look(), links.take_look()), (Some(look('2')), None));
        assert_eq!(links.look(look('3')), Some(look('3')));
    }

    #[test]
    fn problems_with_incoming_links_wait_until_page_is_ready() {
        let trouble = |path: &str| message!("not-there.gone", path = path);
        let links = IncomingLinks::default();
        assert_eq!((links.trouble(trouble("a")), links.trouble(trouble("b"))), (None, None));
        links.take();
        assert_eq!((links.take_troubles(), links.take_troubles()), (vec![trouble("a"), trouble("b")], Vec::new()));
        assert_eq!(links.trouble(trouble("c")), Some(trouble("c")));
    }
}
