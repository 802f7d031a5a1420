//! Desktop for one program: a screen, a window manager, a message bus and a home folder. All programs started on the
//! desktop end with it.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use anyhow::{Context as _, Result};

use crate::{desktop::message_bus, own_home::live_in, processes::running::RunningProgram};

/// Running desktop. Dropping it ends its parts in the order of the fields.
#[derive(Debug)]
pub struct VirtualDesktop {
    display: String,
    address: String,
    home: PathBuf,
    manager: RunningProgram,
    _others: [RunningProgram; 2],
}

impl VirtualDesktop {
    /// Starts a desktop with the home folder `home` and the bus folder `run`. If `pixels` is given, a file in this
    /// folder holds the screen content. When this function returns, the window manager possibly does not answer yet:
    /// see [`is_managed`](Self::is_managed).
    pub fn start(home: &Path, run: &Path, pixels: Option<&Path>) -> Result<Self> {
        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        if let Some(pixels) = pixels {
            screen.arg("-fbdir").arg(pixels);
        }
        let (screen, number) = RunningProgram::start_and_hear(screen)?;
        let display = format!(":{number}");
        let (bus, address) = message_bus::start(run)?;
        let manager = window_manager(&display, home)?;
        Ok(Self { display, address, home: home.to_owned(), manager, _others: [bus, screen] })
    }

    /// Returns whether the window manager answers. Restarts the window manager if it has exited, which occasionally
    /// happens during its start for an unknown reason.
    pub fn is_managed(&mut self) -> Result<bool> {
        if !self.manager.is_running() {
            self.manager = window_manager(&self.display, &self.home)?;
        }
        Ok(self.xdotool(&["get_desktop"])?.status.success())
    }

    /// Address of the session bus.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Home folder of the user.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Data folder, which contains the list.
    pub fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    /// Returns a command for a program that has access only to this desktop. The caller sets the runtime folder and the
    /// folder for temporary files.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            // Do not wait for an accessibility bus, because this desktop has none.
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_A11Y", "none");
        live_in(&mut command, &self.home, &self.data());
        command
    }

    /// Returns the output of `xdotool`. Kills it after 10 seconds, because it waits forever if the screen does not
    /// answer.
    pub fn xdotool(&self, words: &[&str]) -> Result<Output> {
        let mut command = self.command("timeout");
        command.args(["--kill-after=1", "10", "xdotool"]).args(words).stderr(Stdio::null());
        command.output().context("xdotool cannot be started; scripts/setup installs it")
    }

    /// Returns left, top, width and height of a window in pixels; `None` if the window does not exist. `words` is an
    /// xdotool command that prints these values, such as `getwindowgeometry --shell`.
    pub fn geometry(&self, words: &[&str]) -> Option<[i32; 4]> {
        let output = self.xdotool(words).ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        Some([field("X=")?, field("Y=")?, field("WIDTH=")?, field("HEIGHT=")?])
    }
}

fn window_manager(display: &str, home: &Path) -> Result<RunningProgram> {
    let mut manager = Command::new("openbox");
    manager.arg("--sm-disable").env("DISPLAY", display).env("HOME", home);
    manager.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    RunningProgram::start(manager)
}
