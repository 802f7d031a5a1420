//! Answers Ashore's questions that need a window: the content of the clipboard, and the user's choices in dialogs.

use ashore_pipe::{PipeQuestion, WindowMessage};
use gtk::gdk;
use serde::Serialize;
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt, FilePath, MessageDialogButtons, MessageDialogKind};

use crate::{ashore::DesktopPipe, window};

/// Finds the answer to a question from Ashore and sends it.
pub fn answer(app: &AppHandle, ashore: &DesktopPipe, id: u64, question: PipeQuestion) {
    let ashore = ashore.clone();
    match question {
        PipeQuestion::Clipboard => window::on_main(app, move |_| {
            gtk::Clipboard::get(&gdk::SELECTION_CLIPBOARD).request_text(move |_, text| send_reply(&ashore, id, text));
            Ok(())
        }),
        PipeQuestion::Folder { title, from } => {
            let dialog = app.dialog().file().set_title(title);
            let dialog = if let Some(from) = from { dialog.set_directory(from) } else { dialog };
            dialog.pick_folder(move |path| say_path(&ashore, id, path));
        }
        PipeQuestion::File { title } => app.dialog().file().set_title(title).pick_file(move |path| say_path(&ashore, id, path)),
        PipeQuestion::NewFile { title, name } => {
            app.dialog().file().set_title(title).set_file_name(name).save_file(move |path| say_path(&ashore, id, path));
        }
        PipeQuestion::Confirm { title, body, yes, no } => app
            .dialog()
            .message(body)
            .title(title)
            .kind(MessageDialogKind::Warning)
            .buttons(MessageDialogButtons::OkCancelCustom(yes, no))
            .show(move |yes| send_reply(&ashore, id, yes)),
    }
}

fn say_path(ashore: &DesktopPipe, id: u64, path: Option<FilePath>) {
    send_reply(ashore, id, path.and_then(|path| path.into_path().ok()));
}

fn send_reply(ashore: &DesktopPipe, id: u64, answer: impl Serialize) {
    // An answer that cannot be serialised becomes null.
    let answer = serde_json::to_value(answer).unwrap_or_default();
    ashore.send(&WindowMessage::Answer { id, answer });
}
