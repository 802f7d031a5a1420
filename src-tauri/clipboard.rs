//! What the clipboard holds: for who wants to add it without having the window before them, and, where somebody wants that,
//! links that were copied elsewhere, which are offered once. It is read when it is asked for or when the window gets the focus,
//! and never while the person is somewhere else. What becomes of it is said in the page, as with all links from outside.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use gtk::gdk;
use tauri::{AppHandle, Manager};

use crate::{open, window, wishes::Wished};

/// Nobody copies more than this to be offered it again, bytes.
const LONGEST_OFFER: usize = 64 << 10;

/// The clipboard is to be read as soon as the window has the focus.
#[derive(Debug, Default)]
pub struct Awaited(AtomicBool);

/// What was handed over last: it is not offered again.
#[derive(Debug, Default)]
pub struct Offered(Mutex<String>);

impl Offered {
    /// Whether `text` is to be offered: it may have links in it, and is another one than the last. From then on it is the last.
    fn is_new(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let may_have_links = text.len() <= LONGEST_OFFER && ["http://", "https://"].iter().any(|start| lower.contains(start));
        may_have_links && self.remember(text)
    }

    /// Whether it is another one than before.
    fn remember(&self, text: &str) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *last != text;
        text.clone_into(&mut last);
        is_new
    }
}

/// Opens the window with what the clipboard holds. Some desktops tell that only to who has the focus, so it is read again
/// then.
pub fn add(app: &AppHandle) {
    read(app, |app, text| match text {
        Some(text) => hand_over(app, text),
        None if window::has_focus(app) => open::hand_over(app, vec![String::new()]),
        None => app.state::<Awaited>().0.store(true, Ordering::Release),
    });
    window::show(app);
}

/// The window has the focus.
pub fn focused(app: &AppHandle) {
    if app.state::<Awaited>().0.swap(false, Ordering::AcqRel) {
        return read(app, |app, text| hand_over(app, text.unwrap_or_default()));
    }
    if app.state::<Wished>().now().is_some_and(|wishes| wishes.offer_copied_links) {
        read(app, |app, text| {
            // The answer may come when the person is somewhere else again.
            if let Some(text) = text.filter(|text| window::has_focus(app) && app.state::<Offered>().is_new(text)) {
                open::offer(app, text);
            }
        });
    }
}

fn hand_over(app: &AppHandle, text: String) {
    app.state::<Offered>().remember(&text);
    open::hand_over(app, vec![text]);
}

fn read(app: &AppHandle, then: impl FnOnce(&AppHandle, Option<String>) + Send + 'static) {
    let handle = app.clone();
    let sent = app.run_on_main_thread(move || {
        let clipboard = gtk::Clipboard::get(&gdk::SELECTION_CLIPBOARD);
        clipboard.request_text(move |_, text| {
            let text = text.map(str::trim).filter(|text| !text.is_empty());
            then(&handle, text.map(str::to_owned));
        });
    });
    if let Err(error) = sent {
        tracing::debug!(%error, "the clipboard was not read");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_have_links_is_offered_and_only_once_in_a_row() {
        let offered = Offered::default();
        assert!(!offered.is_new("a password") && !offered.is_new("ftp://a.example/"));
        assert!(offered.is_new("HTTPS://a.example/1") && !offered.is_new("HTTPS://a.example/1"));
        assert!(!offered.is_new("some other text"));
        assert!(!offered.is_new("HTTPS://a.example/1"), "what was copied between them was no link");
        assert!(offered.is_new("see http://a.example/2"));
        assert!(!offered.is_new(&format!("http://a.example/{}", "x".repeat(LONGEST_OFFER))));
    }

    #[test]
    fn what_was_added_from_the_tray_is_not_offered_as_well() {
        let offered = Offered::default();
        offered.remember("http://a.example/1");
        assert!(!offered.is_new("http://a.example/1"));
    }
}
