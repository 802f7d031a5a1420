//! Reads the clipboard, to add or offer copied links.
//!
//! A choice in the tray adds the links. If the setting allows it, the window also offers them once. The clipboard is
//! read only on request or when the window gets the focus, never while the user works in another program. The page asks
//! the user about the links, as for all links from outside.

use std::sync::atomic::Ordering;

use ashore_pipe::PipeQuestion;

use crate::{context::AppContext, tasks::incoming_links};

/// Opens the window with the content of the clipboard.
///
/// Some desktops reveal the clipboard only to the focused window. If the result is empty, the clipboard is read again
/// when the window gets the focus.
pub async fn add(shell: AppContext) {
    shell.window.show();
    let _one_at_a_time = shell.copied.reading.lock().await;
    match read(&shell).await {
        Some(text) => hand_over(&shell, text),
        None if shell.window.has_focus() => incoming_links::hand_over(&shell, vec![String::new()]),
        None => shell.copied.awaited.store(true, Ordering::Release),
    }
}

/// Called when the window gets the focus. Adds or offers the content of the clipboard.
pub async fn focused(shell: AppContext) {
    let _one_at_a_time = shell.copied.reading.lock().await;
    if shell.copied.awaited.swap(false, Ordering::AcqRel) {
        let text = read(&shell).await.unwrap_or_default();
        return hand_over(&shell, text);
    }
    if shell.wished.now().is_some_and(|wishes| wishes.offer_copied_links) {
        // Check the focus again, because the window may have lost it during the read.
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
