//! Desktop for measurements: a screen with readable pixels, a window manager, a message bus with a tray, and a home.
//! All programs started on it end with it.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::runtime::Runtime;
use zbus::{Connection, connection, interface};

use crate::{
    wait::{pause, until},
    window::screen::CapturedScreen,
};

/// Variable that selects the renderer of the web view.
const PAINTING: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=@HOME@</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"#;

/// Program that is killed with its descendants when dropped.
#[derive(Debug)]
pub struct RunningWindow(Child);

/// Running desktop. Fields are dropped in order.
#[derive(Debug)]
pub struct VirtualDesktop {
    /// Screen of the desktop.
    pub screen: CapturedScreen,
    display: String,
    address: String,
    home: PathBuf,
    _tray: Connection,
    manager: RunningWindow,
    _others: [RunningWindow; 2],
}

/// Tray that accepts every icon and shows none.
struct Tray;

impl RunningWindow {
    /// Starts a program in its own process group, with stderr discarded.
    pub fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.process_group(0).stdin(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Self).with_context(|| format!("{name} could not be started; `make bench` installs it"))
    }

    /// Starts a program and returns its first line, which is its address.
    fn start_and_hear(mut command: Command) -> Result<(Self, String)> {
        let mut running = Self::start({
            command.stdout(Stdio::piped());
            command
        })?;
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().context("the program has no output")?).read_line(&mut line)?;
        ensure!(!line.trim().is_empty(), "{} ended before it printed its address", command_name(running.0.id()));
        Ok((running, line.trim().to_owned()))
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Returns whether the program has exited.
    fn has_ended(&mut self) -> bool {
        self.0.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Terminates the program and waits for its exit.
    pub fn stop(mut self) -> Result<()> {
        kill_process(Pid::from_child(&self.0), Signal::TERM)?;
        until("the program has ended", || self.0.try_wait().ok().flatten())?;
        Ok(())
    }
}

impl Drop for RunningWindow {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}

impl VirtualDesktop {
    /// Starts a desktop in the empty folder `home`; its tray runs on `runtime`.
    pub fn new(home: &Path, runtime: &Runtime) -> Result<Self> {
        for folder in [home, &home.join("data"), &home.join("screen")] {
            fs::create_dir_all(folder)?;
            fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        }
        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-fbdir"]).arg(home.join("screen"));
        let (screen, number) = RunningWindow::start_and_hear(screen)?;
        let display = format!(":{number}");

        fs::write(home.join("bus.conf"), BUS.replace("@HOME@", &home.to_string_lossy()))?;
        let mut bus = Command::new("dbus-daemon");
        bus.arg("--config-file").arg(home.join("bus.conf")).args(["--nofork", "--nopidfile", "--print-address=1"]);
        let (bus, address) = RunningWindow::start_and_hear(bus)?;
        let tray = runtime.block_on(async {
            let builder = connection::Builder::address(address.as_str())?.serve_at("/StatusNotifierWatcher", Tray)?;
            builder.name("org.kde.StatusNotifierWatcher")?.build().await
        })?;

        let manager = window_manager(&display, home)?;
        let screen_file = CapturedScreen::open(&home.join("screen/Xvfb_screen0"))?;
        let (home, others) = (home.to_owned(), [bus, screen]);
        let mut desk = Self { screen: screen_file, display, address, home, _tray: tray, manager, _others: others };
        until("the window manager is running", || {
            // Occasionally the window manager exits at its start for an unknown reason; start it again before
            // measuring.
            if desk.manager.has_ended() {
                desk.manager = window_manager(&desk.display, &desk.home).ok()?;
            }
            desk.xdotool(&["get_desktop"]).ok().filter(|output| output.status.success())
        })?;
        // Move the pointer away, because hovered elements have another colour.
        desk.xdotool(&["mousemove", "2", "2"])?;
        Ok(desk)
    }

    /// Returns the data folder.
    pub fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    /// Returns a command that sees only this desktop.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("LANG", "C.UTF-8").env("TZ", "UTC").env("HOME", &self.home).env("TMPDIR", &self.home);
        command.env("XDG_RUNTIME_DIR", &self.home).env("DISPLAY", &self.display);
        command.env("DBUS_SESSION_BUS_ADDRESS", &self.address).env("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        // Disable accessibility: waiting for its missing bus would take time.
        command.env("NO_AT_BRIDGE", "1").env("GTK_A11Y", "none");
        command.env("ASHORE_DATA_DIR", self.data()).env("ASHORE_LOG", "error").stdout(Stdio::null());
        // Pass the renderer through, the only setting that may be varied from outside.
        command.envs(std::env::var_os(PAINTING).map(|how| (PAINTING, how)));
        command
    }

    /// Returns the command of the shipped program.
    pub fn ashore(&self) -> Result<Command> {
        Ok(self.command(program()?))
    }

    /// Returns left, top, width and height of the window in pixels; None while it is not visible.
    pub fn window(&self) -> Option<[usize; 4]> {
        let output = self.xdotool(&["search", "--onlyvisible", "--name", "^Ashore$", "getwindowgeometry", "--shell"]).ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        Some([field("X=")?, field("Y=")?, field("WIDTH=")?, field("HEIGHT=")?])
    }

    /// Closes the window as a user does.
    pub fn close_window(&self) -> Result<()> {
        until("the window is closed", || {
            let _ = self.xdotool(&["search", "--onlyvisible", "--name", "^Ashore$", "windowactivate"]);
            // Keys sent to a named window are synthetic, and window managers ignore them.
            let _ = self.xdotool(&["key", "--clearmodifiers", "alt+F4"]);
            pause(Duration::from_secs(2));
            self.window().is_none().then_some(())
        })
    }

    fn xdotool(&self, words: &[&str]) -> Result<Output> {
        Ok(self.command("timeout").args(["--kill-after=1", "10", "xdotool"]).args(words).stdout(Stdio::piped()).output()?)
    }
}

fn window_manager(display: &str, home: &Path) -> Result<RunningWindow> {
    let mut manager = Command::new("openbox");
    manager.arg("--sm-disable").env("DISPLAY", display).env("HOME", home).stdout(Stdio::null());
    RunningWindow::start(manager)
}

/// Returns the path of the shipped program beside this one.
pub fn program() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("ashore-desktop");
    ensure!(path.is_file(), "{} is missing; `make bench` builds it", path.display());
    Ok(path)
}

fn command_name(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned()
}

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Tray {
    fn register_status_notifier_item(&mut self, _service: String) {}

    fn register_status_notifier_host(&self, _service: String) {}

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        Vec::new()
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}
