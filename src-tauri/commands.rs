//! Commands of the page. Nearly all of them are passed to Ashore, which either answers or refuses each of them.

use ashore_pipe::{PipeReply, PipeRequest, WindowMessage, message};
use serde_json::{Value, value::RawValue};
use tauri::{AppHandle, State};

use crate::{
    ashore::DesktopPipe,
    carried::DragPayload,
    window::{self, LastWord},
};

/// Calls a function of the engine and returns its result.
#[tauri::command]
pub async fn call(ashore: State<'_, DesktopPipe>, call: Value) -> PipeReply {
    ashore.ask(PipeRequest::Call(call)).await
}

/// Opens a finished file.
#[tauri::command]
pub async fn open_file(ashore: State<'_, DesktopPipe>, unique_id: Value, index: Value) -> PipeReply {
    ashore.ask(PipeRequest::OpenFile { unique_id, index }).await
}

/// Opens the page of a download in the browser. The download then waits for a click on this page.
#[tauri::command]
pub async fn open_page(ashore: State<'_, DesktopPipe>, unique_id: Value) -> PipeReply {
    ashore.ask(PipeRequest::OpenPage { unique_id }).await
}

/// Shows a finished file in its folder. If no index is given, shows only the folder.
#[tauri::command]
pub async fn show_in_folder(ashore: State<'_, DesktopPipe>, unique_id: Value, index: Value) -> PipeReply {
    ashore.ask(PipeRequest::ShowInFolder { unique_id, index }).await
}

/// Asks the user for a folder. Returns null if the dialog is cancelled.
#[tauri::command]
pub async fn choose_folder(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::ChooseFolder).await
}

/// Asks the user for a file, and stores its path as the value of a setting. Returns false if the dialog is cancelled.
#[tauri::command]
pub async fn choose_file(ashore: State<'_, DesktopPipe>, key: Value) -> PipeReply {
    ashore.ask(PipeRequest::ChooseFile { key }).await
}

/// Exports the list to a file that the user chooses. Returns null if the dialog is cancelled.
#[tauri::command]
pub async fn save_list(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::SaveList).await
}

/// Imports a list that the user chooses. Returns null if the dialog is cancelled.
#[tauri::command]
pub async fn take_in_list(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeInList).await
}

/// Returns the state of the sync server that Ashore keeps running on this machine.
#[tauri::command]
pub async fn own_server(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::OwnServer).await
}

/// Keeps a sync server running on this machine, and returns a link that creates a list on it.
#[tauri::command]
pub async fn keep_server(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::KeepServer).await
}

/// Starts the sync server of this machine again.
#[tauri::command]
pub async fn start_server(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::StartServer).await
}

/// Stops the sync server of this machine.
#[tauri::command]
pub async fn stop_server(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::StopServer).await
}

/// Returns the user's browsers, each with the result of a connection test.
#[tauri::command]
pub async fn browsers(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::Browsers).await
}

/// Returns the state of the channel for paired browsers.
#[tauri::command]
pub async fn browser_channel(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::BrowserChannel).await
}

/// Returns a code that pairs a browser.
#[tauri::command]
pub async fn pair_browser(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::PairBrowser).await
}

/// Removes a paired browser, and returns the state of the channel.
#[tauri::command]
pub async fn unpair_browser(ashore: State<'_, DesktopPipe>, name: Value) -> PipeReply {
    ashore.ask(PipeRequest::UnpairBrowser { name }).await
}

/// Connects a browser with Ashore, or disconnects it. Returns the user's browsers.
#[tauri::command]
pub async fn connect_browser(ashore: State<'_, DesktopPipe>, name: Value, is_connected: Value) -> PipeReply {
    ashore.ask(PipeRequest::ConnectBrowser { name, is_connected }).await
}

/// Returns the state of the server for other devices.
#[tauri::command]
pub async fn remote_access(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::RemoteAccess).await
}

/// Lets other devices connect, or closes the server for them. Returns its state.
#[tauri::command]
pub async fn allow_devices(ashore: State<'_, DesktopPipe>, is_on: Value) -> PipeReply {
    ashore.ask(PipeRequest::AllowDevices { is_on }).await
}

/// Returns a link that signs one device in, with its QR code.
#[tauri::command]
pub async fn link_device(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::LinkDevice).await
}

/// Signs a device or program out, and returns the state of the server for other devices.
#[tauri::command]
pub async fn sign_out_device(ashore: State<'_, DesktopPipe>, name: Value) -> PipeReply {
    ashore.ask(PipeRequest::SignOutDevice { name }).await
}

/// Returns the configurable features that this desktop lacks at the moment.
#[tauri::command]
pub async fn lacking(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::Lacking).await
}

/// Returns the chosen power action after the last download, and the countdown to this action.
#[tauri::command]
pub async fn afterwards(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::Afterwards).await
}

/// Chooses the power action after the last download. The choice applies only once.
#[tauri::command]
pub async fn choose_afterwards(ashore: State<'_, DesktopPipe>, then: Value) -> PipeReply {
    ashore.ask(PipeRequest::ChooseAfterwards { then }).await
}

/// Returns the links that arrived before the page listened, and removes them.
#[tauri::command]
pub async fn take_links(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeLinks).await
}

/// Returns the download that the user asked to see before the page listened, and removes this request.
#[tauri::command]
pub async fn take_look(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeLook).await
}

/// Returns the text that another program copied before the page listened, and removes it.
#[tauri::command]
pub async fn take_copied(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeCopied).await
}

/// Returns the failures of actions outside of the page that occurred before the page listened. Removes the returned
/// failures.
#[tauri::command]
pub async fn take_troubles(ashore: State<'_, DesktopPipe>) -> PipeReply {
    ashore.ask(PipeRequest::TakeTroubles).await
}

/// Starts a drag of these files out of the page.
#[tauri::command]
pub async fn carry(ashore: State<'_, DesktopPipe>, carried: State<'_, DragPayload>, files: Value) -> Result<(), Box<RawValue>> {
    let drag = carried.begin();
    let addresses = ashore.ask(PipeRequest::Addresses { files }).await?;
    // Ashore answers with addresses. Treat any other answer as an empty list.
    carried.are(drag, message(addresses.get()).unwrap_or_default());
    Ok(())
}

/// Shows the window. Called when the page has drawn its first list.
#[tauri::command]
pub fn ready(app: AppHandle) {
    window::ready(&app);
}

/// Asks Ashore to close the window, as the button of the window does.
#[tauri::command]
pub fn close_window(ashore: State<'_, DesktopPipe>) {
    ashore.send(&WindowMessage::CloseWanted);
}

/// Asks Ashore to quit, as the menu of the tray does.
#[tauri::command]
pub fn quit(ashore: State<'_, DesktopPipe>) {
    ashore.send(&WindowMessage::QuitWanted);
}

/// Reports that the page has finished its work, so that the window can close.
#[tauri::command]
pub fn gone(last: State<'_, LastWord>) {
    last.on_ready();
}
