//! Reads the clipboard, to add its links from the tray, or to offer copied links once if the setting allows it.
//!
//! The clipboard is read only on request or when the window gets the focus, never while another program is used. The
//! page asks the user about the links, as about all links from outside.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use ashore_pipe::PipeQuestion;

use crate::{context::AppContext, system::incoming_links};

/// Maximum size of copied text that is offered, in bytes.
const LONGEST_OFFER: usize = 64 << 10;

/// State of the clipboard watcher.
#[derive(Debug, Default)]
pub struct CopiedLinks {
    /// Whether the clipboard is to be added as soon as the window has the focus.
    awaited: AtomicBool,
    /// Text that was handed over last, which is not offered again.
    last: Mutex<String>,
    /// Lock that makes reads run one after the other, so that text is not both added and offered.
    reading: tokio::sync::Mutex<()>,
}

impl CopiedLinks {
    /// Whether `text` is to be offered: it may contain links, and differs from the last text. Remembers such text as
    /// the last.
    fn is_new(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let may_have_links = text.len() <= LONGEST_OFFER && ["http://", "https://"].iter().any(|start| lower.contains(start));
        may_have_links && self.remember(text)
    }

    /// Remembers `text`. Returns whether it differs from the last text.
    fn remember(&self, text: &str) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *last != text;
        text.clone_into(&mut last);
        is_new
    }
}

/// Opens the window with the content of the clipboard.
///
/// Some desktops reveal the clipboard only to the focused window, so an empty result is read again when the window has
/// the focus.
pub async fn add(shell: AppContext) {
    shell.window.show();
    let _one_at_a_time = shell.copied.reading.lock().await;
    match read(&shell).await {
        Some(text) => hand_over(&shell, text),
        None if shell.window.has_focus() => incoming_links::hand_over(&shell, vec![String::new()]),
        None => shell.copied.awaited.store(true, Ordering::Release),
    }
}

/// Handles that the window got the focus.
pub async fn focused(shell: AppContext) {
    let _one_at_a_time = shell.copied.reading.lock().await;
    if shell.copied.awaited.swap(false, Ordering::AcqRel) {
        let text = read(&shell).await.unwrap_or_default();
        return hand_over(&shell, text);
    }
    if shell.wished.now().is_some_and(|wishes| wishes.offer_copied_links) {
        // The window may have lost the focus before the answer arrived.
        let text = read(&shell).await.filter(|text| shell.window.has_focus() && shell.copied.is_new(text));
        if let Some(text) = text {
            incoming_links::offer(&shell, text);
        }
    }
}

fn hand_over(shell: &AppContext, text: String) {
    shell.copied.remember(&text);
    incoming_links::hand_over(shell, vec![text]);
}

async fn read(shell: &AppContext) -> Option<String> {
    let text: String = shell.window.ask::<Option<String>>(PipeQuestion::Clipboard).await??;
    Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_with_links_is_offered_once_in_a_row() {
        let offered = CopiedLinks::default();
        assert!(!offered.is_new("a password") && !offered.is_new("ftp://a.example/"));
        assert!(offered.is_new("HTTPS://a.example/1") && !offered.is_new("HTTPS://a.example/1"));
        assert!(!offered.is_new("some other text"));
        assert!(!offered.is_new("HTTPS://a.example/1"), "what was copied between them was no link");
        assert!(offered.is_new("see http://a.example/2"));
        assert!(!offered.is_new(&format!("http://a.example/{}", "x".repeat(LONGEST_OFFER))));
    }

    #[test]
    fn text_added_from_tray_is_not_offered() {
        let offered = CopiedLinks::default();
        offered.remember("http://a.example/1");
        assert!(!offered.is_new("http://a.example/1"));
    }
}
