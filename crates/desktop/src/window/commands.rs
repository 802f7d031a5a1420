//! Handles the requests of the page.
//!
//! One request type carries every call of the engine, because the tagged union `MethodCall` is the interface for both
//! socket and window. All other requests belong to the desktop program. A request that is not valid gets a typed error.

use std::path::{Path, PathBuf};

use ashore_browser::{BrowserPlace, BrowserReport, HostProgram, UserFolders};
use ashore_engine::{OrphanPartial, SettingKey, SettingKind, SettingValue, SettingsReport, UniqueId, UserMessage};
use ashore_messages::{message, text};
use ashore_pipe::{PipeQuestion, PipeReply, PipeRequest, raw};
use ashore_remote::{BrowserChannelReport, RemoteReport, channel_report, start_pairing, unpair};
use ashore_rpc::{
    MethodCall,
    permissions::{self, not_understood},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use url::Url;

use crate::{
    context::AppContext,
    notifications::service,
    system::tray_panel,
    window::{open_file, open_page, other_devices, sync_consent},
};

/// Returns the answer to the page's `request`.
pub async fn answer(shell: &AppContext, request: PipeRequest) -> PipeReply {
    match request {
        PipeRequest::Call(call) => shaped(call_engine(shell, call).await),
        PipeRequest::OpenFile { unique_id, index } => shaped(open_file(shell, unique_id, index).await),
        PipeRequest::OpenPage { unique_id } => shaped(open_page(shell, unique_id).await),
        PipeRequest::ShowInFolder { unique_id, index } => shaped(show_in_folder(shell, unique_id, index).await),
        PipeRequest::Addresses { files } => shaped(addresses(shell, files).await),
        PipeRequest::ChooseFolder => shaped(Ok::<_, UserMessage>(choose_folder(shell).await)),
        PipeRequest::ChooseFile { key } => shaped(choose_file(shell, key).await),
        PipeRequest::SaveList => shaped(save_list(shell).await),
        PipeRequest::TakeInList => shaped(take_in_list(shell).await),
        PipeRequest::OwnServer => shaped(Ok::<_, UserMessage>(shell.own_server.report(&shell.remembered))),
        PipeRequest::KeepServer => shaped(keep_server(shell).await),
        PipeRequest::StartServer => shaped(start_server(shell).await),
        PipeRequest::StopServer => shaped(stop_server(shell).await),
        PipeRequest::Browsers => shaped(browsers().await),
        PipeRequest::ConnectBrowser { name, is_connected } => shaped(connect_browser(name, is_connected).await),
        PipeRequest::BrowserChannel => shaped(channel_report(&shell.data_dir)),
        PipeRequest::PairBrowser => shaped(start_pairing(&shell.data_dir).await),
        PipeRequest::UnpairBrowser { name } => shaped(unpair_browser(shell, name)),
        PipeRequest::RemoteAccess => shaped(shell.remote.report()),
        PipeRequest::AllowDevices { is_on } => shaped(allow_devices(shell, is_on).await),
        PipeRequest::LinkDevice => shaped(other_devices::link(shell).await),
        PipeRequest::SignOutDevice { name } => shaped(sign_out_device(shell, name)),
        PipeRequest::Lacking => shaped(Ok::<_, UserMessage>(lacking().await)),
        PipeRequest::TakeLinks => shaped(Ok::<_, UserMessage>(shell.links.take())),
        PipeRequest::TakeLook => shaped(Ok::<_, UserMessage>(shell.links.take_look())),
        PipeRequest::TakeTroubles => shaped(Ok::<_, UserMessage>(shell.links.take_troubles())),
        PipeRequest::Afterwards => shaped(Ok::<_, UserMessage>(shell.glance.follow().borrow().afterwards)),
        PipeRequest::ChooseAfterwards { then } => shaped(choose_afterwards(shell, then).await),
        PipeRequest::TakeCopied => shaped(Ok::<_, UserMessage>(shell.links.take_copied())),
    }
}

async fn call_engine(shell: &AppContext, call: Value) -> Result<Value, UserMessage> {
    let call = understood(call)?;
    permissions::may(&call)?;
    if let MethodCall::Adopt { partials } = &call {
        let known: Vec<OrphanPartial> = shell.door.ask(MethodCall::Orphans).await?;
        if !partials.iter().all(|part| known.iter().any(|one| one.path == *part)) {
            return Err(not_understood(message!("fault-call.file")));
        }
    }
    if let Some(folder) = permissions::folder(&call)
        && permissions::is_hidden(folder, dirs::home_dir().as_deref())
        && !is_meant(shell, folder).await?
    {
        return Err(permissions::hidden(folder));
    }
    if let MethodCall::Sync(call) = &call {
        sync_consent::ask(shell, call).await?;
    }
    shell.door.ask(call).await
}

/// Asks the user, then keeps a sync server running on this machine. Returns a link that creates a list on this server.
async fn keep_server(shell: &AppContext) -> Result<Value, UserMessage> {
    sync_consent::ask_for_server(shell).await?;
    let link = shell.own_server.create_list(&shell.remembered).await?;
    Ok(json!({ "link": link }))
}

/// Starts the sync server of this machine again. Asks the user only if the user had stopped it.
async fn start_server(shell: &AppContext) -> Result<(), UserMessage> {
    if !shell.remembered.server().is_kept {
        sync_consent::ask_for_server(shell).await?;
    }
    shell.own_server.start(&shell.remembered).await
}

async fn stop_server(shell: &AppContext) -> Result<(), UserMessage> {
    shell.own_server.stop(&shell.remembered).await;
    Ok(())
}

/// Returns the browsers of the user.
async fn browsers() -> Result<Vec<BrowserReport>, UserMessage> {
    Ok(ashore_browser::reports(&browser_folders()?).await)
}

fn browser_folders() -> Result<UserFolders, UserMessage> {
    UserFolders::of_this_user().ok_or_else(|| message!("data-dir.home"))
}

/// Connects or disconnects a browser, and returns the browsers afterwards.
async fn connect_browser(name: Value, is_connected: Value) -> Result<Vec<BrowserReport>, UserMessage> {
    let (name, is_connected): (String, bool) = (understood(name)?, understood(is_connected)?);
    let browser = BrowserPlace::named(&name).ok_or_else(|| message!("browser-manifest.unknown", name = name))?;
    let folders = browser_folders()?;
    if is_connected {
        let program = HostProgram::beside_this_program()
            .map_err(|why| message!("disk.unread", path = Path::new("ashore-browser"), why = &why))?;
        ashore_browser::connect(browser, &folders, &program)?;
    } else {
        ashore_browser::disconnect(browser, &folders)?;
    }
    browsers().await
}

/// Removes a paired browser, and returns the state of the channel afterwards.
fn unpair_browser(shell: &AppContext, name: Value) -> Result<BrowserChannelReport, UserMessage> {
    unpair(&shell.data_dir, &understood::<String>(name)?)?;
    channel_report(&shell.data_dir)
}

async fn allow_devices(shell: &AppContext, is_on: Value) -> Result<RemoteReport, UserMessage> {
    other_devices::allow(shell, understood(is_on)?).await
}

fn sign_out_device(shell: &AppContext, name: Value) -> Result<RemoteReport, UserMessage> {
    other_devices::sign_out(shell, &understood::<String>(name)?)
}

/// Whether the user already chose `folder`, either in the desktop's dialog or in the settings.
async fn is_meant(shell: &AppContext, folder: &Path) -> Result<bool, UserMessage> {
    if shell.chosen.has(folder) {
        return Ok(true);
    }
    let report: SettingsReport = shell.door.ask(MethodCall::Settings).await?;
    let mut folders = report.settings.into_iter().filter(|setting| setting.kind == SettingKind::Folder);
    Ok(folders.any(|setting| matches!(setting.value, SettingValue::Text(usual) if Path::new(&usual) == folder)))
}

async fn open_file(shell: &AppContext, unique_id: Value, index: Value) -> Result<(), UserMessage> {
    open_file::open(shell, understood::<UniqueId>(unique_id)?, understood(index)?).await
}

async fn open_page(shell: &AppContext, unique_id: Value) -> Result<(), UserMessage> {
    open_page::open(shell, understood::<UniqueId>(unique_id)?).await
}

async fn show_in_folder(shell: &AppContext, unique_id: Value, index: Value) -> Result<(), UserMessage> {
    let unique_id = understood::<UniqueId>(unique_id)?;
    match understood::<Option<u32>>(index)? {
        Some(index) => open_file::show_in_folder(shell, unique_id, index).await,
        None => open_file::show_folder(shell, unique_id).await,
    }
}

async fn addresses(shell: &AppContext, files: Value) -> Result<Vec<Url>, UserMessage> {
    Ok(open_file::addresses(shell, understood::<Vec<(UniqueId, u32)>>(files)?).await)
}

/// Asks the user for a folder; `None` if the user cancels the dialog.
async fn choose_folder(shell: &AppContext) -> Option<PathBuf> {
    // Start in the usual download folder, or else in its nearest existing parent.
    let usual = shell.wished.now().and_then(|wishes| wishes.folder).or_else(dirs::download_dir).or_else(dirs::home_dir);
    let from = usual.and_then(|usual| usual.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned));
    let folder = chosen(shell, PipeQuestion::Folder { title: text!("ask-folder"), from }).await?;
    shell.chosen.add(&folder);
    Some(folder)
}

/// Asks the user for a file, and stores its path as the value of a setting.
///
/// Returns false if the user cancels the dialog.
async fn choose_file(shell: &AppContext, key: Value) -> Result<bool, UserMessage> {
    let key: SettingKey = understood(key)?;
    if !key.is_file() {
        return Err(not_understood(message!("fault-call.no-file")));
    }
    let Some(file) = chosen(shell, PipeQuestion::File { title: text!("ask-file") }).await else { return Ok(false) };
    let file = file.into_os_string().into_string().map_err(|_| not_understood(message!("fault-call.name")))?;
    let () = shell.door.ask(MethodCall::Set { key, value: Some(SettingValue::Text(file)) }).await?;
    Ok(true)
}

/// Exports the list to a file that the user chooses; `None` if the user cancels the dialog.
///
/// Before an existing file is replaced, the dialog itself asks the user.
async fn save_list(shell: &AppContext) -> Result<Option<Value>, UserMessage> {
    let question = PipeQuestion::NewFile { title: text!("ask-save-list"), name: "ashore-list.ndjson".to_owned() };
    let Some(file) = chosen(shell, question).await else { return Ok(None) };
    shell.door.ask(MethodCall::Export { file, replace: true }).await.map(Some)
}

/// Imports a list that the user chooses; `None` if the user cancels the dialog.
async fn take_in_list(shell: &AppContext) -> Result<Option<Value>, UserMessage> {
    let Some(file) = chosen(shell, PipeQuestion::File { title: text!("ask-list") }).await else { return Ok(None) };
    shell.door.ask(MethodCall::Import { file, unchecked: false }).await.map(Some)
}

async fn choose_afterwards(shell: &AppContext, then: Value) -> Result<(), UserMessage> {
    shell.afterwards.choose(understood(then)?).await
}

async fn chosen(shell: &AppContext, question: PipeQuestion) -> Option<PathBuf> {
    shell.window.ask::<Option<PathBuf>>(question).await?
}

/// Returns the features that have settings but are missing on this desktop: `notifications` or `tray`.
async fn lacking() -> Vec<&'static str> {
    let (has_notifications, has_tray) = tokio::join!(service::is_available(), tray_panel::is_available());
    let known = [("notifications", has_notifications), ("tray", has_tray)];
    known.into_iter().filter(|(_, is_there)| !is_there).map(|(what, _)| what).collect()
}

fn understood<T: DeserializeOwned>(value: Value) -> Result<T, UserMessage> {
    serde_json::from_value(value).map_err(|error| {
        tracing::warn!(%error, "message from the window is not valid; rejected");
        not_understood(error.to_string())
    })
}

/// Converts an answer to a reply for the pipe.
fn shaped<T: Serialize, E: Serialize>(answer: Result<T, E>) -> PipeReply {
    let reply = match &answer {
        Ok(value) => raw(value).map(Ok),
        Err(trouble) => raw(trouble).map(Err),
    };
    reply.unwrap_or_else(|_| Err(Box::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_call_from_page_gets_typed_error() {
        let bad = [
            json!(null),
            json!([]),
            json!({"method": "format_disk"}),
            json!({"method": "abort"}),
            json!({"method": "abort", "params": {"unique_id": "../../etc"}}),
            json!({"method": "create", "params": {"requests": [], "surprise": 1}}),
        ];
        for call in bad {
            let refusal = understood::<MethodCall>(call.clone()).unwrap_err();
            assert_eq!((refusal.code.as_str(), refusal.variant.as_deref()), ("invalid", Some("message")), "{call}");
        }
        assert!(understood::<MethodCall>(json!({"method": "totals"})).is_ok());
        assert!(understood::<u32>(json!(-1)).is_err());
    }
}
