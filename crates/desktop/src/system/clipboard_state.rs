//! State of the clipboard watcher: the text that is not offered again. `tasks/clipboard.rs` reads the clipboard.

use std::sync::{Mutex, PoisonError, atomic::AtomicBool};

/// Maximum size, in bytes, of copied text that is offered.
const LONGEST_OFFER: usize = 64 << 10;

/// State of the clipboard watcher.
#[derive(Debug, Default)]
pub struct CopiedLinks {
    /// Whether the links of the clipboard are to be added as soon as the window has the focus.
    pub awaited: AtomicBool,
    /// Text that was offered or added last. This text is not offered again.
    last: Mutex<String>,
    /// Lock that makes reads of the clipboard run one after the other, so that the same text is not both added and
    /// offered.
    pub reading: tokio::sync::Mutex<()>,
}

impl CopiedLinks {
    /// Whether `text` is to be offered. True if the text may contain links and differs from the last text. An offered
    /// text becomes the last text.
    pub fn is_new(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let may_have_links = text.len() <= LONGEST_OFFER && ["http://", "https://"].iter().any(|start| lower.contains(start));
        may_have_links && self.remember(text)
    }

    /// Remembers `text` as the last text. Returns whether it differs from the text that was remembered before.
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
        assert!(!offered.is_new("HTTPS://a.example/1"), "what was copied between them was no link");
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
