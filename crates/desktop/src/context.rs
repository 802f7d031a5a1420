//! All of it in one hand, for whoever needs several parts: the engine's door, the window, the tray, the notifications and what is
//! known of each. Also the way out.

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
use ashore_rpc::Call;
use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle, time::timeout};

use crate::{
    engine::{
        client::Door,
        desktop_settings::Wished,
        event_router::{self, Reading},
        status::Glance,
    },
    notifications::{content::Press, service::Notifier},
    system::{
        autostart::Login,
        clipboard::Copied,
        incoming_links::{self, Links, Look},
        launcher_badge,
        power_action::{self, Afterwards, Then},
        single_instance::Instance,
        ui_state::Remembered,
    },
    tray,
    window::{open_file, permissions::Chosen, process::Window},
};

/// How long an engine that is still opening may take to close again.
const FAREWELL: Duration = Duration::from_secs(10);

/// How it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As somebody wanted it.
    Meant,
    /// Nobody could reach it any more.
    Failed,
    /// To be started anew.
    Anew,
}

/// All of it. Cheap to clone; every clone is the same.
#[derive(Clone)]
pub struct Shell(Arc<Parts>);

/// What it consists of.
pub struct Parts {
    /// The way to the engine.
    pub door: Door,
    /// The window.
    pub window: Window,
    /// The notifications.
    pub notifier: Notifier,
    /// What can be seen without the window.
    pub glance: Glance,
    /// What the settings say about the desktop.
    pub wished: Wished,
    /// Whose turn it is to read that.
    pub reading: Reading,
    /// The start with the desktop.
    pub login: Login,
    /// Where the list is.
    pub data_dir: PathBuf,
    /// What is kept beside the ledger.
    pub remembered: Remembered,
    /// What waits for the page.
    pub links: Links,
    /// What was copied elsewhere.
    pub copied: Copied,
    /// Folders that a person chose in the desktop's dialog.
    pub chosen: Chosen,
    /// What becomes of the machine when all is done.
    pub afterwards: Afterwards,
    instance: Option<Instance>,
    leaving: AtomicBool,
    /// Keeps the door open.
    open: Mutex<Option<JoinHandle<()>>>,
    over: mpsc::UnboundedSender<Ending>,
}

impl Deref for Shell {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Shell {
    /// Starts everything for the list in `data_dir`; the engine lives in its own runtime. How it ended is received once.
    pub fn start(
        data_dir: &Path,
        icon: PathBuf,
        instance: Option<Instance>,
        engine: &Handle,
    ) -> (Self, mpsc::UnboundedReceiver<Ending>) {
        let (press, mut presses) = mpsc::unbounded_channel();
        let (over, ended) = mpsc::unbounded_channel();
        let (window, room) = Window::new();
        let door = Door::new();
        let (afterwards, wanted) = Afterwards::new();
        let pressed = move |about, pressed| {
            // Nobody listens any more: Ashore ends.
            let _ = press.send((about, pressed));
        };
        let shell = Self(Arc::new(Parts {
            notifier: Notifier::start(door.clone(), icon, data_dir, pressed),
            door,
            window,
            glance: Glance::new(),
            wished: Wished::default(),
            reading: Reading::default(),
            login: Login::of(data_dir),
            data_dir: data_dir.to_owned(),
            remembered: Remembered::read(data_dir),
            links: Links::default(),
            copied: Copied::default(),
            chosen: Chosen::default(),
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
                tokio::spawn(obey(obeying.clone(), about, press));
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
                event_router::heard(&hearer, news);
            })
            .await;
        });
        *shell.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        (shell, ended)
    }

    /// Leaves, with every byte durable. Nothing is asked, since nothing is lost.
    pub fn quit(&self, ending: Ending) {
        if self.leaving.swap(true, Ordering::SeqCst) {
            return;
        }
        let shell = self.clone();
        tokio::spawn(async move {
            // Whoever starts Ashore from now on means the next one.
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

/// Does what a notification's button says.
async fn obey(shell: Shell, about: Option<UniqueId>, press: Press) {
    let door = &shell.door;
    if press == Press::StayOn {
        // Nobody has to be asked for that.
        let _ = shell.afterwards.choose(Then::Nothing).await;
        return;
    }
    let Some(unique_id) = about else { return shell.window.show() };
    let done = match press {
        Press::StayOn => Ok(()),
        Press::Window | Press::Details => {
            if press == Press::Window {
                incoming_links::tell_owner(&shell, unique_id).await;
            }
            return incoming_links::look_at(&shell, Look { unique_id, is_close: press == Press::Details });
        }
        Press::Pause => door.ask::<()>(Call::Pause { unique_id: Some(unique_id) }).await,
        Press::Resume => door.ask::<()>(Call::Resume { unique_id: Some(unique_id) }).await,
        Press::Cancel => door.ask::<bool>(Call::Abort { unique_id }).await.map(drop),
        Press::Retry => door.ask::<u32>(Call::Retry { unique_id }).await.map(drop),
        Press::Open => open_file::open(&shell, unique_id, 0).await,
        Press::Folder => open_file::show_any_in_folder(&shell, unique_id).await,
    };
    if let Err(trouble) = done {
        tracing::warn!(trouble.text, "a notification was not obeyed");
        incoming_links::say_why(&shell, trouble);
    }
}
