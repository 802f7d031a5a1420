//! A desktop for one story: a screen, a window manager, a session bus, a home. The program under test is started here,
//! and everything that was started ends with the stage, also when the story fails. `windows` looks at the windows and drives
//! them as a person would.

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
use ashore_tests::peers::Bus;
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

/// Nothing a story waits for takes this long, however busy the machine is.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// How often a condition outside this process is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Two stories at a time: each mostly waits for its window to draw. With more, the windows are slow.
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

/// A program that ends with its owner, with everything that it has started.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Its process.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    /// Waits for its end; whether it ended well.
    pub async fn ended(&mut self) -> bool {
        let found = until("a program ends", async || self.0.try_wait().unwrap()).await;
        found.success()
    }

    /// Whether it is still there.
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

/// Somebody on the bus who answers nothing.
pub struct Silent(zbus::MessageStream);

impl Silent {
    /// Waits until somebody asks.
    pub async fn asked(mut self) -> Self {
        until("somebody asks over the bus", async || {
            let message = self.0.next().await?.ok()?;
            (message.message_type() == zbus::message::Type::MethodCall).then_some(())
        })
        .await;
        self
    }
}

/// A desktop of its own. What stands first ends first.
pub struct Stage {
    /// The desktop's notification service.
    pub notifications: Notifications,
    /// The desktop's tray.
    pub panel: Panel,
    display: String,
    address: String,
    /// Where the system's own services are.
    system: String,
    /// What else programs find in their environment.
    variables: Vec<(&'static str, &'static str)>,
    program: PathBuf,
    manager: Running,
    _bus: Running,
    _screen: Running,
    home: TempDir,
    _turn: SemaphorePermit<'static>,
}

impl Stage {
    /// A desktop with a panel and a notification service.
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
        let (system, program) = (ashore_tests::home::NO_BUS.to_owned(), binary());
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

    /// From now on the services of the system are on this bus.
    pub fn on_system(&mut self, bus: &Bus) {
        self.system.clone_from(&bus.address);
    }

    /// From now on programs find this in their environment.
    pub fn set(&mut self, name: &'static str, value: &'static str) {
        self.variables.push((name, value));
    }

    /// From now on this is the program under test, in the place of the one that was built.
    pub fn with_program(&mut self, program: PathBuf) {
        self.program = program;
    }

    /// The program under test.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Where the session bus is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The person's home.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The folder of the list.
    pub fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The folder that files go to.
    pub fn downloads(&self) -> PathBuf {
        self.home.path().join("downloads")
    }

    /// A program that sees this desktop and no other.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("HOME", self.home.path())
            // Without XDG_RUNTIME_DIR the socket lies in the data folder, where this process finds it too.
            .env("TMPDIR", std::env::temp_dir())
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("DBUS_SYSTEM_BUS_ADDRESS", &self.system)
            // There is no accessibility bus here to wait for.
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_A11Y", "none")
            .env("ASHORE_LOG", std::env::var("ASHORE_LOG").unwrap_or_else(|_| "warn".to_owned()))
            .env("ASHORE_DATA_DIR", self.data())
            .envs(self.variables.iter().copied());
        command
    }

    /// The program under test, on this desktop.
    pub fn ashore(&self, arguments: &[&str]) -> Running {
        let mut command = self.command(&self.program);
        command.args(arguments);
        started(command)
    }

    /// The same in the tray, answering.
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

    /// A client of the engine in the program under test.
    pub async fn client(&self) -> SocketClient {
        until("the engine answers", async || SocketClient::connect(&self.data()).await.ok()).await
    }

    /// Asks for one file, as the window would.
    pub async fn add(&self, url: Url, title: &str) -> Registration {
        self.create(&[url.to_string()], title, false).await
    }

    /// The same with several files, and it waits for somebody to resume it.
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

    /// Waits until the registration is as `wanted`.
    pub async fn registration(&self, of: &Registration, what: &str, wanted: impl Fn(&Registration) -> bool) -> Registration {
        let client = self.client().await;
        let unique_id = of.unique_id;
        until(what, async || {
            let now: Registration = client.call(&MethodCall::Show { unique_id }).await.ok()?;
            wanted(&now).then_some(now)
        })
        .await
    }

    /// Waits until the one partial there is holds at least so many durable bytes; how many it holds.
    pub async fn durable(&self, least: u64) -> u64 {
        let client = self.client().await;
        until("the partial is durable that far", async || {
            let report: EngineReport = client.call(&MethodCall::Doctor).await.ok()?;
            report.partials.first().map(|partial| partial.bytes).filter(|bytes| *bytes >= least)
        })
        .await
    }

    /// The one name on the bus that ends like this.
    pub async fn name_on_bus(&self, ending: &str) -> String {
        let bus = self.bus().await;
        let daemon = zbus::fdo::DBusProxy::new(&bus).await.unwrap();
        until(&format!("a name on the bus ends with {ending}"), async || {
            let names = daemon.list_names().await.ok()?;
            names.into_iter().map(|name| name.to_string()).find(|name| name.ends_with(ending))
        })
        .await
    }

    /// Takes a name on the bus, and answers nothing under it.
    pub async fn claim_name(&self, name: &str) -> Silent {
        let bus = self.bus().await;
        let heard = zbus::MessageStream::from(&bus);
        until(&format!("{name} is free"), async || bus.request_name(name).await.ok()).await;
        Silent(heard)
    }

    /// A connection of a program that is not Ashore.
    pub async fn bus(&self) -> zbus::Connection {
        zbus::connection::Builder::address(self.address.as_str()).unwrap().build().await.unwrap()
    }

    /// Presses a button of a notification until it has shown effect: a desktop shows it a moment before the program
    /// listens.
    pub async fn press<T>(&self, id: u32, key: &str, effect: impl AsyncFn() -> Option<T>) -> T {
        until(&format!("the button {key} has its effect"), async || {
            self.notifications.press(id, key).await;
            within_looks(40, &effect).await
        })
        .await
    }

    /// The registration, if it is as `wanted` now.
    pub async fn is(&self, of: &Registration, wanted: impl Fn(&Registration) -> bool) -> Option<()> {
        let unique_id = of.unique_id;
        let now: Registration = self.client().await.call(&MethodCall::Show { unique_id }).await.ok()?;
        wanted(&now).then_some(())
    }
}

/// The built program; `ASHORE_DESKTOP` names another one.
fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("ASHORE_DESKTOP") {
        return named.into();
    }
    let me = std::env::current_exe().unwrap();
    let found = me.ancestors().nth(2).unwrap().join("ashore-desktop");
    assert!(found.is_file(), "{} is not there: `make test` builds it first", found.display());
    found
}

/// The processes that `pid` has started and that are still there.
pub fn children(pid: Pid) -> Vec<Pid> {
    // A child is listed with the thread that started it.
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
    let found = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok()).collect::<String>();
    found.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
}

/// That of this name.
pub fn child(of: Pid, name: &str) -> Option<Pid> {
    let is_it =
        |pid: &Pid| fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero())).is_ok_and(|found| found.trim() == name);
    children(of).into_iter().find(is_it)
}

/// Kills a process as a crash would.
pub fn kill(pid: Pid) {
    kill_process(pid, Signal::KILL).unwrap();
}

/// Asks a process to end, as the system does.
pub fn terminate(pid: Pid) {
    kill_process(pid, Signal::TERM).unwrap();
}

/// A port that is free now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until `look` finds something.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    match within(look).await {
        Some(found) => found,
        None => panic!("not within {DEADLINE:?}: {what}"),
    }
}

/// The same; none when it does not happen in time.
pub async fn within<T>(mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + DEADLINE;
    while Instant::now() < end {
        // A look that hangs has found nothing.
        if let Some(found) = timeout_at(end, look()).await.ok()? {
            return Some(found);
        }
        sleep(LOOK).await;
    }
    None
}

/// What is found within so many looks.
pub async fn within_looks<T>(looks: u32, mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    for _ in 0..looks {
        if let Some(found) = look().await {
            return Some(found);
        }
        sleep(LOOK).await;
    }
    None
}

/// Waits until the file is there, whole.
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

/// Starts a program and reads the one line with which it says where it is.
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
