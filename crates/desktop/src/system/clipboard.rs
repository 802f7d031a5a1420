//! What the clipboard holds: for who wants to add it without having the window before them, and, where somebody wants that,
//! links that were copied elsewhere, which are offered once. It is read when it is asked for or when the window gets the focus,
//! and never while the person is somewhere else. What becomes of it is said in the page, as with all links from outside.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use ashore_pipe::PipeQuestion;

use crate::{context::AppContext, system::incoming_links};

/// Nobody copies more than this to be offered it again, bytes.
const LONGEST_OFFER: usize = 64 << 10;

/// What is known of the clipboard.
#[derive(Debug, Default)]
pub struct CopiedLinks {
    /// It is to be read as soon as the window has the focus.
    awaited: AtomicBool,
    /// What was handed over last: it is not offered again.
    last: Mutex<String>,
    /// It is read once at a time, so that what is handed over is known to who would offer it.
    reading: tokio::sync::Mutex<()>,
}

impl CopiedLinks {
    /// Whether `text` is to be offered: it may have links in it, and is another one than the last. From then on it is the last.
    fn is_new(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let may_have_links = text.len() <= LONGEST_OFFER && ["http://", "https://"].iter().any(|start| lower.contains(start));
        may_have_links && self.remember(text)
    }

    /// Whether it is another one than before.
    fn remember(&self, text: &str) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *last != text;
        text.clone_into(&mut last);
        is_new
    }
}

/// Opens the window with what the clipboard holds. Some desktops tell that only to who has the focus, so it is read again
/// then.
pub async fn add(shell: AppContext) {
    shell.window.show();
    let _one_at_a_time = shell.copied.reading.lock().await;
    match read(&shell).await {
        Some(text) => hand_over(&shell, text),
        None if shell.window.has_focus() => incoming_links::hand_over(&shell, vec![String::new()]),
        None => shell.copied.awaited.store(true, Ordering::Release),
    }
}

/// The window has the focus.
pub async fn focused(shell: AppContext) {
    let _one_at_a_time = shell.copied.reading.lock().await;
    if shell.copied.awaited.swap(false, Ordering::AcqRel) {
        let text = read(&shell).await.unwrap_or_default();
        return hand_over(&shell, text);
    }
    if shell.wished.now().is_some_and(|wishes| wishes.offer_copied_links) {
        // The answer may come when the person is somewhere else again.
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
    fn only_what_may_have_links_is_offered_and_only_once_in_a_row() {
        let offered = CopiedLinks::default();
        assert!(!offered.is_new("a password") && !offered.is_new("ftp://a.example/"));
        assert!(offered.is_new("HTTPS://a.example/1") && !offered.is_new("HTTPS://a.example/1"));
        assert!(!offered.is_new("some other text"));
        assert!(!offered.is_new("HTTPS://a.example/1"), "what was copied between them was no link");
        assert!(offered.is_new("see http://a.example/2"));
        assert!(!offered.is_new(&format!("http://a.example/{}", "x".repeat(LONGEST_OFFER))));
    }

    #[test]
    fn what_was_added_from_the_tray_is_not_offered_as_well() {
        let offered = CopiedLinks::default();
        offered.remember("http://a.example/1");
        assert!(!offered.is_new("http://a.example/1"));
    }
}
