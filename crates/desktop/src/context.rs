//! Shared state of the desktop program: the engine client, window, tray, notifications and their status. Also the
//! shutdown.

use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use ashore_engine::UniqueId;
use ashore_rpc::MethodCall;
use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle, time::timeout};

use crate::{
    engine::{
        client::EngineClient,
        desktop_settings::SettingsCache,
        event_router::{self, RouterState},
        status::EngineStatus,
    },
    notifications::{content::NotificationAction, service::NotificationLoop},
    system::{
        autostart::AutostartEntry,
        clipboard::CopiedLinks,
        incoming_links::{self, IncomingLinks, LinkSource},
        launcher_badge,
        power_action::{self, PowerAction, PowerActionWatch},
        single_instance::SingleInstance,
        ui_state::UiState,
    },
    tray,
    window::{open_file, permissions::ChosenPaths, process::WindowProcess},
};

/// Maximum time to close an engine that is still opening.
const FAREWELL: Duration = Duration::from_secs(10);

/// Reason why the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The user quit, or another instance took over the start.
    Meant,
    /// The user could not reach the program any more.
    Failed,
    /// The program restarts, because it was updated.
    Anew,
}

/// Handle on the shared state. Cheap to clone; all clones share it.
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
    /// Lock for reading these settings.
    pub reading: RouterState,
    /// Autostart entry.
    pub login: AutostartEntry,
    /// Data folder.
    pub data_dir: PathBuf,
    /// State that is stored next to the ledger.
    pub remembered: UiState,
    /// Links and messages that wait for the page.
    pub links: IncomingLinks,
    /// State of the clipboard watcher.
    pub copied: CopiedLinks,
    /// Folders that the user chose in the desktop's dialog.
    pub chosen: ChosenPaths,
    /// Sender of the power action that follows the last download.
    pub afterwards: PowerActionWatch,
    instance: Option<SingleInstance>,
    leaving: AtomicBool,
    /// Task that keeps the connection to the engine open.
    open: Mutex<Option<JoinHandle<()>>>,
    over: mpsc::UnboundedSender<ExitReason>,
}

impl Deref for AppContext {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl AppContext {
    /// Starts all parts for the list in `data_dir`; the engine runs in its own runtime.
    ///
    /// The receiver gets the reason for the end, once.
    pub fn start(
        data_dir: &Path,
        icon: PathBuf,
        instance: Option<SingleInstance>,
        engine: &Handle,
    ) -> (Self, mpsc::UnboundedReceiver<ExitReason>) {
        let (press, mut presses) = mpsc::unbounded_channel();
        let (over, ended) = mpsc::unbounded_channel();
        let (window, room) = WindowProcess::new();
        let door = EngineClient::new();
        let (afterwards, wanted) = PowerActionWatch::new();
        let pressed = move |about, pressed| {
            // Fails only while Ashore ends.
            let _ = press.send((about, pressed));
        };
        let shell = Self(Arc::new(AppParts {
            notifier: NotificationLoop::start(door.clone(), icon, data_dir, pressed),
            door,
            window,
            glance: EngineStatus::new(),
            wished: SettingsCache::default(),
            reading: RouterState::default(),
            login: AutostartEntry::for_data_dir(data_dir),
            data_dir: data_dir.to_owned(),
            remembered: UiState::read(data_dir),
            links: IncomingLinks::default(),
            copied: CopiedLinks::default(),
            chosen: ChosenPaths::default(),
            afterwards,
            instance,
            leaving: AtomicBool::new(false),
            open: Mutex::new(None),
            over,
        }));
        tokio::spawn(room.live(shell.clone()));
        let obeying = shell.clone();
        tokio::spawn(async move {
            while let Some((about, press)) = presses.recv().await {
                tokio::spawn(handle_action(obeying.clone(), about, press));
            }
        });
        tokio::spawn(tray::follow(shell.clone()));
        tokio::spawn(launcher_badge::follow(shell.glance.follow()));
        tokio::spawn(power_action::follow(shell.clone(), wanted));
        let (hearer, data_dir) = (shell.clone(), data_dir.to_owned());
        let desktop = Handle::current();
        let open = engine.spawn(async move {
            let door = hearer.door.clone();
            door.keep_open(data_dir, |news| {
                let _on_the_desktop = desktop.enter();
                event_router::on_client_news(&hearer, news);
            })
            .await;
        });
        *shell.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        (shell, ended)
    }

    /// Quits after making every byte durable. Does not ask the user, because no data is lost.
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

/// Carries out the action of a notification's button.
async fn handle_action(shell: AppContext, about: Option<UniqueId>, press: NotificationAction) {
    let door = &shell.door;
    if press == NotificationAction::StayOn {
        // Choosing nothing needs no permission, so this cannot fail.
        let _ = shell.afterwards.choose(PowerAction::Nothing).await;
        return;
    }
    let Some(unique_id) = about else { return shell.window.show() };
    let done = match press {
        NotificationAction::StayOn => Ok(()),
        NotificationAction::Window | NotificationAction::Details => {
            if press == NotificationAction::Window {
                incoming_links::tell_owner(&shell, unique_id).await;
            }
            return incoming_links::look_at(&shell, LinkSource { unique_id, is_close: press == NotificationAction::Details });
        }
        NotificationAction::Pause => door.ask::<()>(MethodCall::Pause { unique_id: Some(unique_id) }).await,
        NotificationAction::Resume => door.ask::<()>(MethodCall::Resume { unique_id: Some(unique_id) }).await,
        NotificationAction::Cancel => door.ask::<bool>(MethodCall::Abort { unique_id }).await.map(drop),
        NotificationAction::Retry => door.ask::<u32>(MethodCall::Retry { unique_id }).await.map(drop),
        NotificationAction::Open => open_file::open(&shell, unique_id, 0).await,
        NotificationAction::Folder => open_file::show_any_in_folder(&shell, unique_id).await,
    };
    if let Err(trouble) = done {
        tracing::warn!(trouble.text, "notification action failed");
        incoming_links::say_why(&shell, trouble);
    }
}
