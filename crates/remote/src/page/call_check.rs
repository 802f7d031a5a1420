//! Decides whether a device may make a call: permissions of pages, scope of the device, folders, and consent.

use std::path::{Component, Path, PathBuf};

use ashore_engine::{OrphanPartial, SettingValue, UserMessage};
use ashore_messages::message;
use ashore_rpc::{
    MethodCall, PeerConversation,
    permissions::{self, not_understood},
};
use ashore_sync::service::SyncService;
use tokio::task::spawn_blocking;

use crate::{page::call_scope, roots::FolderRoots, token_scope::TokenScope};

/// Fails with the reason why a device with `scope` may not make `call`. `roots` are the folders of the command line.
/// Replaces the folder in `call` by its path without symbolic links.
pub(super) async fn check(
    conversation: &PeerConversation,
    service: &SyncService,
    roots: &[PathBuf],
    scope: TokenScope,
    call: &mut MethodCall,
) -> Result<(), UserMessage> {
    permissions::may(call)?;
    check_sender(conversation, service, roots, scope, call).await
}

/// Fails with the reason why a device or program with `scope` may not make `call`. Does not check whether a page has a
/// control for the call. Replaces the folder in `call` by its path without symbolic links.
pub(crate) async fn check_sender(
    conversation: &PeerConversation,
    service: &SyncService,
    roots: &[PathBuf],
    scope: TokenScope,
    call: &mut MethodCall,
) -> Result<(), UserMessage> {
    if !scope.includes(call_scope::needed(call)) {
        return Err(message!("remote-sign-in.scope"));
    }
    if scope != TokenScope::Control && call_scope::has_credentials(call) {
        return Err(message!("remote-sign-in.scope"));
    }
    match &*call {
        // In the window, a dialog asks the user before such a call.
        MethodCall::Sync(call) if permissions::discloses(call) => return Err(message!("remote-sign-in.person")),
        MethodCall::Adopt { partials } => {
            let known: Vec<OrphanPartial> = conversation.call(MethodCall::Orphans).await.map_err(|failure| failure.message())?;
            if !partials.iter().all(|part| known.iter().any(|one| one.path == *part)) {
                return Err(not_understood(message!("fault-call.file")));
            }
        }
        // Refuse a path instead of a name, because the answer would show whether any file of this machine exists.
        MethodCall::Known { name: Some(name), .. } if !name.is_empty() && !is_file_name(name) => {
            return Err(not_understood(message!("fault-call.file")));
        }
        _ => {}
    }
    let Some(folder) = named_folder(call) else { return Ok(()) };
    let folder = match call {
        // A folder of the settings may be relative to the download folder.
        MethodCall::Set { .. } => service.engine().download_folder().join(folder),
        _ => folder.to_owned(),
    };
    let resolved = in_roots(service, roots, folder.clone()).await?;
    if resolved != folder {
        replace_folder(call, resolved);
    }
    Ok(())
}

/// Replaces the folder that `call` would write to, so that a link that changes after the check has no effect. [pure]
fn replace_folder(call: &mut MethodCall, resolved: PathBuf) {
    match call {
        MethodCall::Add(new) => new.folder = Some(resolved),
        MethodCall::PutInto { folder, .. } => *folder = resolved,
        MethodCall::Set { value: Some(SettingValue::Text(folder)), .. } => {
            // The text of a setting cannot contain a path that is not UTF-8.
            if let Some(resolved) = resolved.to_str() {
                resolved.clone_into(folder);
            }
        }
        _ => {}
    }
}

/// Whether `name` is a plain file name, without a path. [pure]
fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(only)), None) if only == name)
}

/// Returns the folder that the call would write to or search. [pure]
fn named_folder(call: &MethodCall) -> Option<&Path> {
    let folder = match call {
        MethodCall::Known { folder, .. } => folder.as_deref(),
        call => permissions::folder(call),
    };
    // An empty setting names no folder.
    folder.filter(|folder| !folder.as_os_str().is_empty())
}

/// Returns the path of `folder` with all symbolic links resolved. Fails if this path is outside of the roots.
pub(super) async fn in_roots(service: &SyncService, roots: &[PathBuf], folder: PathBuf) -> Result<PathBuf, UserMessage> {
    let refused = message!("remote-folder", path = &folder);
    let folders = root_folders(service, roots);
    let resolved = spawn_blocking(move || FolderRoots::new(folders).resolve(&folder)).await.ok().flatten();
    resolved.ok_or(refused)
}

/// Returns the folders that the command line names, and the folders that receive downloads by default.
pub(super) fn root_folders(service: &SyncService, roots: &[PathBuf]) -> Vec<PathBuf> {
    roots.iter().cloned().chain(service.engine().usual_folders()).collect()
}
