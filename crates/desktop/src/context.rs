//! Shared state of the desktop program, and its shutdown.
//!
//! The state consists of the engine client, the window, the tray, the notifications and the status of the downloads.

use std::{
    ops::Deref,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use ashore_remote::RemoteSwitch;
use tokio::{sync::mpsc, task::JoinHandle, time::timeout};

use crate::{
    engine::{client::EngineClient, desktop_settings::SettingsCache, router_state::RouterState, status::EngineStatus},
    handles::{chosen_paths::ChosenPaths, window::WindowProcess},
    notifications::service::NotificationLoop,
    system::{
        autostart::AutostartEntry, clipboard_state::CopiedLinks, link_inbox::IncomingLinks, own_server::OwnServer,
        power_action::handle::PowerActionWatch, single_instance::SingleInstance, ui_state::UiState,
    },
};

/// Maximum time that Ashore, while exiting, waits for an engine that is still opening.
const FAREWELL: Duration = Duration::from_secs(10);

/// Reason why the program exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The user quit Ashore, or another instance took over this start.
    Meant,
    /// The user can no longer reach the program.
    Failed,
    /// The program restarts, because it was updated.
    Anew,
}

/// Handle on the shared state. Cheap to clone; all clones refer to the same state.
#[derive(Clone)]
pub struct AppContext(Arc<AppParts>);

/// Parts of the shared state.
pub struct AppParts {
    /// Client of the engine.
    pub door: EngineClient,
    /// Window process.
    pub window: WindowProcess,
    /// Notifications.
    pub notifier: NotificationLoop,
    /// Status that tray and taskbar show.
    pub glance: EngineStatus,
    /// Settings of the desktop program, as last read.
    pub wished: SettingsCache,
    /// Lock that serializes reads of the desktop settings.
    pub reading: RouterState,
    /// Autostart entry.
    pub login: AutostartEntry,
    /// Data folder.
    pub data_dir: PathBuf,
    /// State of the user interface, which is stored next to the ledger.
    pub remembered: UiState,
    /// Sync server of this machine.
    pub own_server: OwnServer,
    /// Switch of the server for other devices.
    pub remote: RemoteSwitch,
    /// Whether the user has consented to the next link for another device.
    pub is_link_granted: AtomicBool,
    /// Links and messages that wait for the page.
    pub links: IncomingLinks,
    /// State of the clipboard watcher.
    pub copied: CopiedLinks,
    /// Folders that the user chose in a dialog of the desktop.
    pub chosen: ChosenPaths,
    /// Sender of the power action that follows when the last download ends.
    pub afterwards: PowerActionWatch,
    /// Session-bus name that this instance owns.
    pub instance: Option<SingleInstance>,
    /// Whether Ashore is quitting.
    pub leaving: AtomicBool,
    /// Task that keeps the connection to the engine open.
    pub open: Mutex<Option<JoinHandle<()>>>,
    /// Sender of the reason why the program ends.
    pub over: mpsc::UnboundedSender<ExitReason>,
}

impl Deref for AppContext {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl AppContext {
    pub fn new(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }

    /// Quits Ashore after every byte is durable. Does not ask the user, because no data is lost.
    pub fn quit(&self, ending: ExitReason) {
        if self.leaving.swap(true, Ordering::SeqCst) {
            return;
        }
        let shell = self.clone();
        tokio::spawn(async move {
            // Release the instance name first, so that a new start does not hand over to this process.
            if let Some(instance) = &shell.instance {
                instance.release().await;
            }
            shell.window.leave().await;
            shell.notifier.close().await;
            shell.door.close().await;
            let open = shell.open.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(open) = open {
                let _ = timeout(FAREWELL, open).await;
            }
            let _ = shell.over.send(ending);
        });
    }
}
