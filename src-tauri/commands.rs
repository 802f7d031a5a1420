//! What the page may ask for. One command carries every verb of the engine, since the tagged union [`Call`] is the border
//! for the socket and the window alike; the others are the desktop's own. What makes no sense gets a typed error.

use std::path::PathBuf;

use ashore_engine::{Trouble, UniqueId};
use ashore_rpc::Call;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;

use crate::{
    carried::Carried,
    catalogue::say,
    door::Door,
    files, notifier,
    open::{Links, Look},
    tray,
    window::{self, LastWord},
};

/// A verb of the engine; answers what it answers.
#[tauri::command]
pub async fn call(door: State<'_, Door>, call: Value) -> Result<Value, Trouble> {
    match understood(call)? {
        // Which file that is, only a person says.
        Call::Export { .. } | Call::Import { .. } => {
            Err(Trouble { code: "invalid".to_owned(), text: "Ashore does not understand this message: it names a file.".to_owned() })
        }
        call => door.ask(call).await,
    }
}

/// Lets the person choose where the list is saved, and saves it there; null when they did not. The dialog has asked before it
/// names a file that is there.
#[tauri::command]
pub async fn save_list(app: AppHandle, door: State<'_, Door>) -> Result<Option<Value>, Trouble> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    let dialog = app.dialog().file().set_title(say("ask-save-list", &[])).set_file_name("ashore-list.ndjson");
    dialog.save_file(|file| drop(answer.send(file)));
    let Some(file) = answered.await.ok().flatten().and_then(|file| file.into_path().ok()) else { return Ok(None) };
    door.ask(Call::Export { file, replace: true }).await.map(Some)
}

/// Lets the person choose a saved list, and takes it in; null when they did not.
#[tauri::command]
pub async fn take_in_list(app: AppHandle, door: State<'_, Door>) -> Result<Option<Value>, Trouble> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    app.dialog().file().set_title(say("ask-list", &[])).pick_file(|file| drop(answer.send(file)));
    let Some(file) = answered.await.ok().flatten().and_then(|file| file.into_path().ok()) else { return Ok(None) };
    door.ask(Call::Import { file, unchecked: false }).await.map(Some)
}

/// Opens a finished file.
#[tauri::command]
pub async fn open_file(app: AppHandle, unique_id: Value, index: Value) -> Result<(), Trouble> {
    files::open(&app, understood::<UniqueId>(unique_id)?, understood(index)?).await
}

/// Shows a finished file in its folder.
#[tauri::command]
pub async fn show_in_folder(app: AppHandle, unique_id: Value, index: Value) -> Result<(), Trouble> {
    files::show_in_folder(&app, understood::<UniqueId>(unique_id)?, understood(index)?).await
}

/// Lets the person choose a folder; null when they did not.
#[tauri::command]
pub async fn choose_folder(app: AppHandle) -> Result<Option<PathBuf>, Trouble> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    app.dialog().file().set_title(say("ask-folder", &[])).pick_folder(|folder| drop(answer.send(folder)));
    let chosen = answered.await.ok().flatten();
    Ok(chosen.and_then(|folder| folder.into_path().ok()))
}

/// What this desktop does not have at the moment, of all that settings speak of: `notifications`, `tray`.
#[tauri::command]
pub async fn lacking() -> Vec<&'static str> {
    let (has_notifications, has_tray) = tokio::join!(notifier::is_there(), tray::is_there());
    let known = [("notifications", has_notifications), ("tray", has_tray)];
    known.into_iter().filter(|(_, is_there)| !is_there).map(|(what, _)| what).collect()
}

/// These files are dragged out of the page together.
#[tauri::command]
pub fn carry(carried: State<'_, Carried>, urls: Value) -> Result<(), Trouble> {
    carried.are(understood(urls)?);
    Ok(())
}

/// Links that were handed over before the page listened.
#[tauri::command]
pub fn take_links(links: State<'_, Links>) -> Vec<String> {
    links.take()
}

/// What a person wanted to see before the page listened.
#[tauri::command]
pub fn take_look(links: State<'_, Links>) -> Option<Look> {
    links.take_look()
}

/// What somebody copied elsewhere before the page listened.
#[tauri::command]
pub fn take_copied(links: State<'_, Links>) -> Option<String> {
    links.take_copied()
}

/// The first list is on the screen.
#[tauri::command]
pub fn ready(app: AppHandle) {
    window::ready(&app);
}

/// The page has done what it had to before it goes.
#[tauri::command]
pub fn gone(last: State<'_, LastWord>) {
    last.said();
}

fn understood<T: DeserializeOwned>(value: Value) -> Result<T, Trouble> {
    serde_json::from_value(value).map_err(|error| {
        tracing::warn!(%error, "the window sent a message that makes no sense");
        Trouble { code: "invalid".to_owned(), text: format!("Ashore does not understand this message: {error}.") }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_misshapen_call_gets_a_typed_error() {
        let bad = [
            json!(null),
            json!([]),
            json!({"method": "format_disk"}),
            json!({"method": "abort"}),
            json!({"method": "abort", "params": {"unique_id": "../../etc"}}),
            json!({"method": "create", "params": {"requests": [], "surprise": 1}}),
        ];
        for message in bad {
            let trouble = understood::<Call>(message.clone()).unwrap_err();
            assert_eq!(trouble.code, "invalid", "{message}");
            assert!(trouble.text.starts_with("Ashore does not understand this message: "), "{}", trouble.text);
        }
        assert!(understood::<Call>(json!({"method": "totals"})).is_ok());
        assert!(understood::<u32>(json!(-1)).is_err());
    }
}
