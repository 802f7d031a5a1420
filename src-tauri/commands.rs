//! What the page may ask for. Nearly all of it is Ashore's to answer, and to refuse.

use ashore_pipe::{PipeReply, PipeRequest, message};
use serde_json::{Value, value::RawValue};
use tauri::{AppHandle, State};

use crate::{
    ashore::DesktopPipe,
    carried::DragPayload,
    window::{self, LastWord},
};

/// A verb of the engine; answers what it answers.
#[tauri::command]
pub async fn call(ashore: State<'_, DesktopPipe>, call: Value) -> PipeReply {
    ashore.ask(PipeRequest::Call(call)).await
}

/// Opens a finished file.
#[tauri::command]
pub async fn open_file(ashore: State<'_, DesktopPipe>, unique_id: Value, index: Value) -> PipeReply {
    ashore.ask(PipeRequest::OpenFile { unique_id, index }).await
}

/// Shows a finished file in its folder; with no index, that folder.
#[tauri::command]
pub async fn show_in_folder(ashore: State<'_, DesktopPipe>, unique_id: Value, index: Value) -> PipeReply {
    ashore.ask(PipeRequest::ShowInFolder { unique_id, index }).await
}

/// Lets the person choose a folder; null when they did not.
#[tauri::command]
pub async fn choose_folder(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::ChooseFolder).await
}

/// Lets the person choose the file that a setting names, and sets it; false when they did not.
#[tauri::command]
pub async fn choose_file(ashore: State<'_, DesktopPipe>, key: Value) -> PipeReply {
    ashore.ask(PipeRequest::ChooseFile { key }).await
}

/// Lets the person choose where the list is saved, and saves it there; null when they did not.
#[tauri::command]
pub async fn save_list(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::SaveList).await
}

/// Lets the person choose a saved list, and takes it in; null when they did not.
#[tauri::command]
pub async fn take_in_list(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeInList).await
}

/// What this desktop does not have at the moment, of all that settings speak of.
#[tauri::command]
pub async fn lacking(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::Lacking).await
}

/// What becomes of the machine when all is done, and when.
#[tauri::command]
pub async fn afterwards(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::Afterwards).await
}

/// It becomes this, once.
#[tauri::command]
pub async fn choose_afterwards(ashore: State<'_, DesktopPipe>, then: Value) -> PipeReply {
    ashore.ask(PipeRequest::ChooseAfterwards { then }).await
}

/// Links that were handed over before the page listened.
#[tauri::command]
pub async fn take_links(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeLinks).await
}

/// What a person wanted to see before the page listened.
#[tauri::command]
pub async fn take_look(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeLook).await
}

/// What somebody copied elsewhere before the page listened.
#[tauri::command]
pub async fn take_copied(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeCopied).await
}

/// Why something that was asked for outside of the page was not done, from before it listened.
#[tauri::command]
pub async fn take_troubles(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeTroubles).await
}

/// These files are dragged out of the page together.
#[tauri::command]
pub async fn carry(ashore: State<'_, DesktopPipe>, carried: State<'_, DragPayload>, files: Value) -> Result<(), Box<RawValue>> {
    let drag = carried.begin();
    let addresses = ashore.ask(PipeRequest::Addresses { files }).await?;
    // What Ashore says are addresses, and nothing else would do.
    carried.are(drag, message(addresses.get()).unwrap_or_default());
    Ok(())
}

/// The first list is on the screen.
#[tauri::command]
pub fn ready(app: AppHandle) {
    window::ready(&app);
}

/// The page has done what it had to before it goes.
#[tauri::command]
pub fn gone(last: State<'_, LastWord>) {
    last.on_ready();
}
