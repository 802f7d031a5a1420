//! State of the clipboard watcher. The state contains the last text, so that this text is not offered again.
//! `tasks/clipboard.rs` reads the clipboard.

use std::sync::{Mutex, PoisonError, atomic::AtomicBool};

/// Maximum size, in bytes, of copied text that is offered.
const LONGEST_OFFER: usize = 64 << 10;

/// State of the clipboard watcher.
#[derive(Debug, Default)]
pub struct CopiedLinks {
    /// Whether to add the links of the clipboard when the window gets the focus.
    pub awaited: AtomicBool,
    /// Text that was last offered or added.
    last: Mutex<String>,
    /// Lock that serializes reads of the clipboard, so that the same text is not both added and offered.
    pub reading: tokio::sync::Mutex<()>,
}

impl CopiedLinks {
    /// Whether to offer `text`. True if `text` may contain links and differs from the last text.
    ///
    /// Also stores `text` as the last text.
    pub fn is_new(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let may_have_links = text.len() <= LONGEST_OFFER && ["http://", "https://"].iter().any(|start| lower.contains(start));
        may_have_links && self.remember(text)
    }

    /// Stores `text` as the last text. Returns whether `text` differs from the previous last text.
    pub fn remember(&self, text: &str) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *last != text;
        text.clone_into(&mut last);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_text_with_links_is_offered_only_once() {
        let offered = CopiedLinks::default();
        assert!(!offered.is_new("a password") && !offered.is_new("ftp://a.example/"));
        assert!(offered.is_new("HTTPS://a.example/1") && !offered.is_new("HTTPS://a.example/1"));
        assert!(!offered.is_new("some other text"));
        assert!(!offered.is_new("HTTPS://a.example/1"), "the text between the two was not a link");
        assert!(offered.is_new("see http://a.example/2"));
        assert!(!offered.is_new(&format!("http://a.example/{}", "x".repeat(LONGEST_OFFER))));
    }

    #[test]
    fn text_added_from_tray_is_not_offered_again() {
        let offered = CopiedLinks::default();
        offered.remember("http://a.example/1");
        assert!(!offered.is_new("http://a.example/1"));
    }
}
