//! Desktop for one test: a screen, a window manager, a session bus and a home folder.
//!
//! The program under test is started here. Every process ends with the stage, even if the test fails. `windows`
//! inspects the windows and drives them as a user would.

mod windows;

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use ashore_engine::{EngineReport, NewRegistration, NewRequest, Registration, RequestSource};
use ashore_rpc::{MethodCall, SocketClient};
use ashore_testkit::peers::Bus;
use futures_util::StreamExt;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, sleep, timeout_at},
};
use url::Url;

pub use self::windows::Place;
use crate::{notifications::Notifications, panel::Panel};

/// Limit for every wait, generous enough for a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Interval at which conditions outside this process are polled.
const LOOK: Duration = Duration::from_millis(50);

/// Maximum number of stages at the same time. A stage mostly waits for its window to draw; more than two make the
/// windows slow.
static STAGES: Semaphore = Semaphore::const_new(2);

const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=@RUN@</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"#;

/// Program that is killed on drop, together with all its child processes.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Process id of the program.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    /// Waits until the program ends and returns whether it succeeded.
    pub async fn ended(&mut self) -> bool {
        let found = until("a program ends", async || self.0.try_wait().unwrap()).await;
        found.success()
    }

    /// Returns whether the program still runs.
    pub fn is_there(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = kill_process_group(self.pid(), Signal::KILL);
        let _ = self.0.wait();
    }
}

/// Peer on the bus that never answers.
pub struct Silent(zbus::MessageStream);

impl Silent {
    /// Waits until a method call arrives.
    pub async fn asked(mut self) -> Self {
        until("somebody asks over the bus", async || {
            let message = self.0.next().await?.ok()?;
            (message.message_type() == zbus::message::Type::MethodCall).then_some(())
        })
        .await;
        self
    }
}

/// Desktop of a test. Fields are dropped in order, so the first one ends first.
pub struct Stage {
    /// Notification service of the desktop.
    pub notifications: Notifications,
    /// Tray of the desktop.
    pub panel: Panel,
    display: String,
    address: String,
    /// Address of the system bus.
    system: String,
    /// Additional environment variables for programs.
    variables: Vec<(&'static str, &'static str)>,
    program: PathBuf,
    manager: Running,
    _bus: Running,
    _screen: Running,
    home: TempDir,
    _turn: SemaphorePermit<'static>,
}

impl Stage {
    /// Creates a desktop with a tray and a notification service.
    pub async fn new() -> Self {
        let turn = STAGES.acquire().await.expect("nobody closes it");
        let home = tempfile::Builder::new().prefix("ashore-desktop-").tempdir().unwrap();
        for folder in ["run", "data", "downloads"] {
            fs::create_dir(home.path().join(folder)).unwrap();
        }
        fs::write(home.path().join("data/ashore.toml"), "retry-after-seconds = 0.1\ncheckpoint-seconds = 0.05\n").unwrap();

        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        let (screen, number) = said_once(screen);
        let display = format!(":{number}");

        let configuration = home.path().join("bus.conf");
        let run = home.path().join("run");
        fs::write(&configuration, BUS.replace("@RUN@", &run.to_string_lossy())).unwrap();
        let mut bus = Command::new("dbus-daemon");
        bus.arg("--config-file").arg(&configuration).args(["--nofork", "--nopidfile", "--print-address=1"]);
        let (bus, address) = said_once(bus);

        let notifications = Notifications::serve(&address).await;
        let panel = Panel::serve(&address).await;
        let manager = window_manager(&display, home.path());
        let (system, program) = (ashore_testkit::NO_BUS.to_owned(), binary());
        let mut stage = Self {
            notifications,
            panel,
            display,
            address,
            system,
            variables: Vec::new(),
            program,
            manager,
            _bus: bus,
            _screen: screen,
            home,
            _turn: turn,
        };
        until("the window manager is there", async || {
            if !stage.manager.is_there() {
                stage.manager = window_manager(&stage.display, stage.home.path());
            }
            stage.xdotool(&["get_desktop"]).status.success().then_some(())
        })
        .await;
        stage
    }

    /// Uses this bus as the system bus of programs started from now on.
    pub fn on_system(&mut self, bus: &Bus) {
        self.system.clone_from(&bus.address);
    }

    /// Sets an environment variable for programs started from now on.
    pub fn set(&mut self, name: &'static str, value: &'static str) {
        self.variables.push((name, value));
    }

    /// Replaces the program under test from now on.
    pub fn with_program(&mut self, program: PathBuf) {
        self.program = program;
    }

    /// Path of the program under test.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Address of the session bus.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Home folder of the user.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Data folder, which contains the list.
    pub fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// Default download folder.
    pub fn downloads(&self) -> PathBuf {
        self.home.path().join("downloads")
    }

    /// Command for a program that sees only this desktop.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("HOME", self.home.path())
            // Without XDG_RUNTIME_DIR the socket is in the data folder, where this process finds it too.
            .env("TMPDIR", std::env::temp_dir())
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("DBUS_SYSTEM_BUS_ADDRESS", &self.system)
            // No accessibility bus exists here, so do not wait for one.
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_A11Y", "none")
            .env("ASHORE_LOG", std::env::var("ASHORE_LOG").unwrap_or_else(|_| "warn".to_owned()))
            .env("ASHORE_DATA_DIR", self.data())
            .envs(self.variables.iter().copied());
        command
    }

    /// Starts the program under test on this desktop.
    pub fn ashore(&self, arguments: &[&str]) -> Running {
        let mut command = self.command(&self.program);
        command.args(arguments);
        started(command)
    }

    /// Starts the program in the tray and waits until it answers.
    pub async fn ashore_in_tray(&self) -> Running {
        let mut ashore = self.ashore(&["--hidden"]);
        until("the engine answers", async || {
            assert!(ashore.is_there(), "ashore-desktop ended at its start");
            SocketClient::connect(&self.data()).await.ok()
        })
        .await;
        self.panel.item().await;
        ashore
    }

    /// Starts a program that belongs to this desktop.
    pub fn start(&self, mut command: Command) -> Running {
        command.stdin(Stdio::null());
        started(command)
    }

    /// Connects to the engine in the program under test.
    pub async fn client(&self) -> SocketClient {
        until("the engine answers", async || SocketClient::connect(&self.data()).await.ok()).await
    }

    /// Adds one file, as the window would.
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

    /// Waits until the first partial file has at least `least` durable bytes; returns their number.
    pub async fn durable(&self, least: u64) -> u64 {
        let client = self.client().await;
        until("the partial is durable that far", async || {
            let report: EngineReport = client.call(&MethodCall::Doctor).await.ok()?;
            report.partials.first().map(|partial| partial.bytes).filter(|bytes| *bytes >= least)
        })
        .await
    }

    /// Waits for a name on the bus with this ending.
    pub async fn name_on_bus(&self, ending: &str) -> String {
        let bus = self.bus().await;
        let daemon = zbus::fdo::DBusProxy::new(&bus).await.unwrap();
        until(&format!("a name on the bus ends with {ending}"), async || {
            let names = daemon.list_names().await.ok()?;
            names.into_iter().map(|name| name.to_string()).find(|name| name.ends_with(ending))
        })
        .await
    }

    /// Claims a name on the bus and answers no call to that name.
    pub async fn claim_name(&self, name: &str) -> Silent {
        let bus = self.bus().await;
        let heard = zbus::MessageStream::from(&bus);
        until(&format!("{name} is free"), async || bus.request_name(name).await.ok()).await;
        Silent(heard)
    }

    /// Connects to the session bus as a program other than Ashore.
    pub async fn bus(&self) -> zbus::Connection {
        zbus::connection::Builder::address(self.address.as_str()).unwrap().build().await.unwrap()
    }

    /// Presses a button of a notification until `effect` returns a value. The desktop shows a notification slightly
    /// before the program listens to its signals.
    pub async fn press<T>(&self, id: u32, key: &str, effect: impl AsyncFn() -> Option<T>) -> T {
        until(&format!("the button {key} has its effect"), async || {
            self.notifications.press(id, key).await;
            within_looks(40, &effect).await
        })
        .await
    }

    /// Returns `Some` if the registration satisfies `wanted` now.
    pub async fn is(&self, of: &Registration, wanted: impl Fn(&Registration) -> bool) -> Option<()> {
        let unique_id = of.unique_id;
        let now: Registration = self.client().await.call(&MethodCall::Show { unique_id }).await.ok()?;
        wanted(&now).then_some(())
    }
}

/// Path of the built program, or the value of `ASHORE_DESKTOP`.
fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("ASHORE_DESKTOP") {
        return named.into();
    }
    let me = std::env::current_exe().unwrap();
    let found = me.ancestors().nth(2).unwrap().join("ashore-desktop");
    assert!(found.is_file(), "{} is not there: `make test` builds it first", found.display());
    found
}

/// Returns the running child processes of `pid`.
pub fn children(pid: Pid) -> Vec<Pid> {
    // The kernel lists a child under the thread that started it.
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
    let found = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok()).collect::<String>();
    found.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
}

/// Returns the child process with this name.
pub fn child(of: Pid, name: &str) -> Option<Pid> {
    let is_it =
        |pid: &Pid| fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero())).is_ok_and(|found| found.trim() == name);
    children(of).into_iter().find(is_it)
}

/// Kills a process with SIGKILL, as in a crash.
pub fn kill(pid: Pid) {
    kill_process(pid, Signal::KILL).unwrap();
}

/// Sends SIGTERM to a process, as the system does at logout.
pub fn terminate(pid: Pid) {
    kill_process(pid, Signal::TERM).unwrap();
}

/// Returns a port that is free now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until `look` returns a value; panics after the deadline.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    match within(look).await {
        Some(found) => found,
        None => panic!("not within {DEADLINE:?}: {what}"),
    }
}

/// Waits until `look` returns a value; `None` after the deadline.
pub async fn within<T>(mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + DEADLINE;
    while Instant::now() < end {
        // A poll that hangs counts as not found.
        if let Some(found) = timeout_at(end, look()).await.ok()? {
            return Some(found);
        }
        sleep(LOOK).await;
    }
    None
}

/// Polls `look` at most `looks` times.
pub async fn within_looks<T>(looks: u32, mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    for _ in 0..looks {
        if let Some(found) = look().await {
            return Some(found);
        }
        sleep(LOOK).await;
    }
    None
}

/// Waits until the file exists, then compares its content.
pub async fn file(path: &Path, content: &[u8]) {
    until(&format!("{} is there", path.display()), async || path.is_file().then_some(())).await;
    assert!(fs::read(path).unwrap() == content, "{} has other bytes than the origin", path.display());
}

fn window_manager(display: &str, home: &Path) -> Running {
    let mut manager = Command::new("openbox");
    manager.arg("--sm-disable").env("DISPLAY", display).env("HOME", home);
    started(manager)
}

fn started(mut command: Command) -> Running {
    let name = command.get_program().to_string_lossy().into_owned();
    command.process_group(0);
    if std::env::var_os("ASHORE_LOG").is_none() && !name.ends_with("ashore-desktop") {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    Running(command.spawn().unwrap_or_else(|error| panic!("{name} cannot be started ({error}): `make test` installs it")))
}

/// Starts a program; returns its handle and the only line that the program prints, such as its address.
fn said_once(mut command: Command) -> (Running, String) {
    command.stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null()).process_group(0);
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command.spawn().unwrap_or_else(|error| panic!("{name} cannot be started ({error}): `make test` installs it"));
    let mut running = Running(child);
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!line.trim().is_empty(), "{name} ended before it said where it is");
    (running, line.trim().to_owned())
}
