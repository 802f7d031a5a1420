//! Desktop for one test: a screen, a window manager, a session bus and a home folder.
//!
//! The stage starts the program under test. Every process ends with the stage, even if the test fails. `windows`
//! inspects the windows and operates them as a user would.

mod windows;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use ashore_engine::{EngineReport, NewRegistration, NewRequest, Registration, RequestSource};
use ashore_rpc::{MethodCall, SocketClient};
use ashore_testkit::{
    peers::Bus,
    running::RunningProgram,
    tools::built,
    virtual_desktop::VirtualDesktop,
    waits::{until, within_looks},
};
use futures_util::StreamExt;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

pub use self::windows::Place;
use crate::{notifications::Notifications, panel::Panel};

/// Maximum number of test desktops that exist at the same time. Each desktop mostly waits for its window to be drawn,
/// and more than two desktops make the windows slow.
static STAGES: Semaphore = Semaphore::const_new(2);

/// Bus peer that never answers.
pub struct Silent(zbus::MessageStream);

impl Silent {
    /// Waits until a method call arrives at this peer.
    pub async fn asked(mut self) -> Self {
        until("a second instance calls over the bus", async || {
            let message = self.0.next().await?.ok()?;
            (message.message_type() == zbus::message::Type::MethodCall).then_some(())
        })
        .await;
        self
    }
}

/// Desktop of a test. Its parts end in the order of the fields.
pub struct Stage {
    /// Notification service of the desktop.
    pub notifications: Notifications,
    /// Tray of the desktop.
    pub panel: Panel,
    /// Address of the system bus; `None` if there are no system services.
    system: Option<String>,
    /// Additional environment variables for programs.
    variables: Vec<(&'static str, &'static str)>,
    program: PathBuf,
    desktop: VirtualDesktop,
    home: TempDir,
    _turn: SemaphorePermit<'static>,
}

impl Stage {
    /// Creates a desktop with a tray and a notification service.
    pub async fn new() -> Self {
        let turn = STAGES.acquire().await.expect("the semaphore stays open");
        let home = tempfile::Builder::new().prefix("ashore-desktop-").tempdir().unwrap();
        for folder in ["run", "data", "downloads"] {
            fs::create_dir(home.path().join(folder)).unwrap();
        }
        fs::write(
            home.path().join("data/ashore.toml"),
            "retry-after-seconds = 0.1\ncheckpoint-seconds = 0.05\nnotifications = \"all\"\n",
        )
        .unwrap();

        let desktop = VirtualDesktop::start(home.path(), &home.path().join("run"), None).unwrap();
        let notifications = Notifications::serve(desktop.address()).await;
        let panel = Panel::serve(desktop.address()).await;
        let mut stage =
            Self { notifications, panel, system: None, variables: Vec::new(), program: binary(), desktop, home, _turn: turn };
        until("the window manager answers", async || stage.desktop.is_managed().unwrap().then_some(())).await;
        stage
    }

    /// Makes later programs use this bus as the system bus.
    pub fn on_system(&mut self, bus: &Bus) {
        self.system = Some(bus.address.clone());
    }

    /// Sets an environment variable for later programs.
    pub fn set(&mut self, name: &'static str, value: &'static str) {
        self.variables.push((name, value));
    }

    /// Replaces the program under test for later starts.
    pub fn with_program(&mut self, program: PathBuf) {
        self.program = program;
    }

    /// Path of the program under test.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Address of the session bus.
    pub fn address(&self) -> &str {
        self.desktop.address()
    }

    /// Home folder of the user.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Data folder, which contains the list.
    pub fn data(&self) -> PathBuf {
        self.desktop.data()
    }

    /// Default download folder.
    pub fn downloads(&self) -> PathBuf {
        self.home.path().join("downloads")
    }

    /// Returns a command for a program that can use only this desktop.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.desktop.command(program);
        command
            // Without XDG_RUNTIME_DIR, the socket is in the data folder, where this process finds it too.
            .env("TMPDIR", std::env::temp_dir())
            .env("ASHORE_LOG", std::env::var("ASHORE_LOG").unwrap_or_else(|_| "warn".to_owned()))
            .envs(self.system.as_ref().map(|address| ("DBUS_SYSTEM_BUS_ADDRESS", address)))
            .envs(self.variables.iter().copied());
        command
    }

    /// Starts the program under test on this desktop.
    pub fn ashore(&self, arguments: &[&str]) -> RunningProgram {
        let mut command = self.command(&self.program);
        command.args(arguments);
        RunningProgram::start(command).unwrap()
    }

    /// Starts the program in the tray and waits until it answers.
    pub async fn ashore_in_tray(&self) -> RunningProgram {
        let mut ashore = self.ashore(&["--hidden"]);
        until("the engine answers", async || {
            assert!(ashore.is_running(), "ashore-desktop ended at its start");
            SocketClient::connect(&self.data()).await.ok()
        })
        .await;
        self.panel.item().await;
        ashore
    }

    /// Starts a program that belongs to this desktop.
    pub fn start(&self, mut command: Command) -> RunningProgram {
        command.stdin(Stdio::null());
        if std::env::var_os("ASHORE_LOG").is_none() {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
        RunningProgram::start(command).unwrap()
    }

    /// Connects to the engine in the program under test.
    pub async fn client(&self) -> SocketClient {
        until("the engine answers", async || SocketClient::connect(&self.data()).await.ok()).await
    }

    /// Adds one file in the same way as the window does.
    pub async fn add(&self, url: Url, title: &str) -> Registration {
        self.create(&[url.to_string()], title, false).await
    }

    /// Adds several files as one paused registration.
    pub async fn add_paused(&self, urls: &[String], title: &str) -> Registration {
        self.create(urls, title, true).await
    }

    async fn create(&self, urls: &[String], title: &str, paused: bool) -> Registration {
        let requests = urls.iter().map(|url| NewRequest { url: url.clone(), ..NewRequest::default() }).collect();
        let new = NewRegistration {
            source: RequestSource::Window,
            owner: "window".to_owned(),
            title: Some(title.to_owned()),
            folder: Some(self.downloads()),
            paused,
            requests,
            ..NewRegistration::default()
        };
        self.client().await.call(&MethodCall::Create(new)).await.unwrap()
    }

    /// Waits until the registration satisfies `wanted`.
    pub async fn registration(&self, of: &Registration, what: &str, wanted: impl Fn(&Registration) -> bool) -> Registration {
        let client = self.client().await;
        let unique_id = of.unique_id;
        until(what, async || {
            let now: Registration = client.call(&MethodCall::Show { unique_id }).await.ok()?;
            wanted(&now).then_some(now)
        })
        .await
    }

    /// Waits until the first partial file has at least `least` durable bytes. Returns the number of durable bytes.
    pub async fn durable(&self, least: u64) -> u64 {
        let client = self.client().await;
        until("the partial file is durable up to there", async || {
            let report: EngineReport = client.call(&MethodCall::Doctor).await.ok()?;
            report.partials.first().map(|partial| partial.bytes).filter(|bytes| *bytes >= least)
        })
        .await
    }

    /// Waits until a name on the bus ends with this text. Returns this name.
    pub async fn name_on_bus(&self, ending: &str) -> String {
        let bus = self.bus().await;
        let daemon = zbus::fdo::DBusProxy::new(&bus).await.unwrap();
        until(&format!("a name on the bus ends with {ending}"), async || {
            let names = daemon.list_names().await.ok()?;
            names.into_iter().map(|name| name.to_string()).find(|name| name.ends_with(ending))
        })
        .await
    }

    /// Claims a name on the bus, but answers no calls to that name.
    pub async fn claim_name(&self, name: &str) -> Silent {
        let bus = self.bus().await;
        let heard = zbus::MessageStream::from(&bus);
        until(&format!("{name} is free"), async || bus.request_name(name).await.ok()).await;
        Silent(heard)
    }

    /// Connects to the session bus as a program other than Ashore.
    pub async fn bus(&self) -> zbus::Connection {
        zbus::connection::Builder::address(self.address()).unwrap().build().await.unwrap()
    }

    /// Presses a notification button until `effect` returns a value. One press may not be enough, because a
    /// notification appears slightly before the program listens for its buttons.
    pub async fn press<T>(&self, id: u32, key: &str, effect: impl AsyncFn() -> Option<T>) -> T {
        until(&format!("the button {key} has its effect"), async || {
            self.notifications.press(id, key).await;
            within_looks(40, &effect).await
        })
        .await
    }

    /// Returns `Some` if the registration currently satisfies `wanted`.
    pub async fn is(&self, of: &Registration, wanted: impl Fn(&Registration) -> bool) -> Option<()> {
        let unique_id = of.unique_id;
        let now: Registration = self.client().await.call(&MethodCall::Show { unique_id }).await.ok()?;
        wanted(&now).then_some(())
    }
}

/// Returns the path of the program in `ASHORE_DESKTOP`, or of the built program.
fn binary() -> PathBuf {
    std::env::var_os("ASHORE_DESKTOP").map_or_else(|| built("ashore-desktop").unwrap(), PathBuf::from)
}

/// Kills a process with SIGKILL, as in a crash.
pub fn kill(pid: Pid) {
    kill_process(pid, Signal::KILL).unwrap();
}

/// Sends SIGTERM to a process, as the system does at logout.
pub fn terminate(pid: Pid) {
    kill_process(pid, Signal::TERM).unwrap();
}

/// Waits until the file exists, then compares its content.
pub async fn file(path: &Path, content: &[u8]) {
    until(&format!("{} is there", path.display()), async || path.is_file().then_some(())).await;
    assert!(fs::read(path).unwrap() == content, "{} has other bytes than the origin", path.display());
}
