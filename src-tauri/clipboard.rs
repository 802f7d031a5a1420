//! What the clipboard holds, for who wants to add it without having the window before them. It goes the way of all links
//! from outside: into the dialog, where the person says what becomes of it.

use std::sync::atomic::{AtomicBool, Ordering};

use gtk::gdk;
use tauri::{AppHandle, Manager};

use crate::{open, window};

/// The clipboard is to be read as soon as the window has the focus.
#[derive(Debug, Default)]
pub struct Awaited(AtomicBool);

/// Opens the window with what the clipboard holds. Some desktops tell that only to who has the focus, so it is read again
/// then.
pub fn add(app: &AppHandle) {
    read(app, |app, text| match text {
        Some(text) => open::hand_over(app, vec![text]),
        None if window::has_focus(app) => open::hand_over(app, vec![String::new()]),
        None => app.state::<Awaited>().0.store(true, Ordering::Release),
    });
    window::show(app);
}

/// The window has the focus.
pub fn focused(app: &AppHandle) {
    if app.state::<Awaited>().0.swap(false, Ordering::AcqRel) {
        read(app, |app, text| open::hand_over(app, vec![text.unwrap_or_default()]));
    }
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
