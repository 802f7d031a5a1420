//! Starts all parts of the desktop program and connects them.
//!
//! `lib.rs` calls [`start`] once. Only this file imports every part.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};

use ashore_engine::{EngineEvent, UniqueId};
use ashore_remote::RemoteSwitch;
use ashore_rpc::MethodCall;
use tokio::{runtime::Handle, sync::mpsc};

use crate::{
    context::{AppContext, AppParts, ExitReason},
    engine::{client::EngineClient, desktop_settings::SettingsCache, router_state::RouterState, status::EngineStatus},
    handles::{chosen_paths::ChosenPaths, window::WindowProcess},
    notifications::{content::NotificationAction, service::NotificationLoop},
    system::{
        autostart::AutostartEntry,
        clipboard_state::CopiedLinks,
        link_inbox::{IncomingLinks, LinkSource},
        listening_address,
        own_server::OwnServer,
        power_action::{handle::PowerActionWatch, state::PowerAction},
        single_instance::SingleInstance,
        ui_state::UiState,
    },
    tasks::{event_router, incoming_links, launcher_badge, power_action},
    tray,
    window::{open_file, process::WindowSupervisor},
};

/// Starts all parts for the list in `data_dir`. The engine runs in its own runtime.
///
/// The returned receiver gets a single message: the reason why the program exits.
pub fn start(
    data_dir: &Path,
    icon: PathBuf,
    instance: Option<SingleInstance>,
    engine: &Handle,
) -> (AppContext, mpsc::UnboundedReceiver<ExitReason>) {
    let (press, mut presses) = mpsc::unbounded_channel();
    let (over, ended) = mpsc::unbounded_channel();
    let (window, queue) = WindowProcess::new();
    let door = EngineClient::new();
    let (afterwards, wanted) = PowerActionWatch::new();
    let pressed = move |about, pressed| {
        // Ignore the error: sending fails only while Ashore is shutting down.
        let _ = press.send((about, pressed));
    };
    let remembered = UiState::read(data_dir);
    let remote = RemoteSwitch::new(data_dir, listening_address::for_other_devices(), remembered.remote());
    let shell = AppContext::new(AppParts {
        notifier: NotificationLoop::start(door.clone(), icon, data_dir, pressed),
        door,
        window,
        glance: EngineStatus::new(),
        wished: SettingsCache::default(),
        reading: RouterState::default(),
        login: AutostartEntry::for_data_dir(data_dir),
        data_dir: data_dir.to_owned(),
        remembered,
        own_server: OwnServer::new(data_dir),
        remote,
        is_link_granted: AtomicBool::new(false),
        links: IncomingLinks::default(),
        copied: CopiedLinks::default(),
        chosen: ChosenPaths::default(),
        afterwards,
        instance,
        leaving: AtomicBool::new(false),
        open: Mutex::new(None),
        over,
    });
    shell.own_server.resume(&shell.remembered);
    let watching = shell.clone();
    tokio::spawn(async move { watching.own_server.watch(|| watching.window.event(&EngineEvent::Sync)).await });
    tokio::spawn(WindowSupervisor::new(queue).live(shell.clone()));
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
        let remote = hearer.remote.clone();
        door.keep_open(data_dir, remote, |news| {
            let _on_the_desktop = desktop.enter();
            event_router::on_client_news(&hearer, news);
        })
        .await;
    });
    *shell.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
    (shell, ended)
}

/// Performs the action of a notification button.
async fn handle_action(shell: AppContext, about: Option<UniqueId>, press: NotificationAction) {
    let door = &shell.door;
    if press == NotificationAction::StayOn {
        // Ignore the result: `Nothing` needs no permission, so `choose` cannot fail.
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
