//! What only a program with a window can find out: what was copied, and what a person says to a dialog.

use ashore_pipe::{Question, Word};
use gtk::gdk;
use serde::Serialize;
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};

use crate::{ashore::Ashore, window};

/// Finds it out, and tells Ashore.
pub fn answer(app: &AppHandle, ashore: &Ashore, id: u64, question: Question) {
    let ashore = ashore.clone();
    match question {
        Question::Clipboard => window::on_main(app, move |_| {
            gtk::Clipboard::get(&gdk::SELECTION_CLIPBOARD).request_text(move |_, text| say(&ashore, id, text));
            Ok(())
        }),
        Question::Folder { title } => app.dialog().file().set_title(title).pick_folder(move |folder| {
            say(&ashore, id, folder.and_then(|folder| folder.into_path().ok()));
        }),
        Question::Confirm { title, body, yes, no } => app
            .dialog()
            .message(body)
            .title(title)
            .kind(MessageDialogKind::Warning)
            .buttons(MessageDialogButtons::OkCancelCustom(yes, no))
            .show(move |yes| say(&ashore, id, yes)),
    }
}

fn say(ashore: &Ashore, id: u64, answer: impl Serialize) {
    // What cannot be said is no answer.
    let answer = serde_json::to_value(answer).unwrap_or_default();
    ashore.say(&Word::Answer { id, answer });
}
