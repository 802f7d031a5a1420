//! Desktop for measurements. It has a system tray, and its screen can be read.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::Result;
use ashore_testkit::{
    tools::built,
    virtual_desktop::VirtualDesktop,
    waits::blocking::{pause, until},
};
use tokio::runtime::Runtime;
use zbus::{Connection, connection, interface};

use crate::window::screen::{CapturedScreen, ScreenPart};

/// Variable that selects the renderer of the web view.
const PAINTING: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Running desktop. The order of the fields is the order in which they are dropped.
#[derive(Debug)]
pub struct MeasuredDesktop {
    /// Screen of the desktop.
    pub screen: CapturedScreen,
    _tray: Connection,
    desktop: VirtualDesktop,
}

/// Tray that accepts every icon and shows none.
struct Tray;

impl MeasuredDesktop {
    /// Starts a desktop in the empty folder `home`. The tray of the desktop runs on `runtime`.
    pub fn new(home: &Path, runtime: &Runtime) -> Result<Self> {
        let pixels = home.join("screen");
        for folder in [home, &home.join("data"), &pixels] {
            fs::create_dir_all(folder)?;
            fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        }
        let mut desktop = VirtualDesktop::start(home, home, Some(&pixels))?;
        let tray = runtime.block_on(async {
            let builder = connection::Builder::address(desktop.address())?.serve_at("/StatusNotifierWatcher", Tray)?;
            builder.name("org.kde.StatusNotifierWatcher")?.build().await
        })?;
        let screen = CapturedScreen::open(&pixels.join("Xvfb_screen0"))?;
        until("the window manager answers", || desktop.is_managed().is_ok_and(|is_managed| is_managed).then_some(()))?;
        // Move the pointer off the window. An element under the pointer has another colour.
        desktop.xdotool(&["mousemove", "2", "2"])?;
        Ok(Self { screen, _tray: tray, desktop })
    }

    /// Returns the data folder.
    pub fn data(&self) -> PathBuf {
        self.desktop.data()
    }

    /// Returns a command that sees no desktop except this one. The command has no input, and its output is discarded.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let (mut command, home) = (self.desktop.command(program), self.desktop.home());
        command.env("TMPDIR", home).env("XDG_RUNTIME_DIR", home).env("ASHORE_LOG", "error");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Pass the renderer variable on to the command. It is the only variable that may differ between runs.
        command.envs(env::var_os(PAINTING).map(|how| (PAINTING, how)));
        command
    }

    /// Returns the command of the shipped program.
    pub fn ashore(&self) -> Result<Command> {
        Ok(self.command(built("ashore-desktop")?))
    }

    /// Returns left, top, width and height of the window in pixels; None while the window is hidden.
    pub fn window(&self) -> Option<ScreenPart> {
        let search = ["search", "--onlyvisible", "--name", "^Ashore$", "getwindowgeometry", "--shell"];
        let [left, top, width, height] = self.desktop.geometry(&search)?.map(|pixels| pixels.try_into().ok());
        Some([left?, top?, width?, height?])
    }

    /// Closes the window as a user does.
    pub fn close_window(&self) -> Result<()> {
        until("the window is closed", || {
            let _ = self.desktop.xdotool(&["search", "--onlyvisible", "--name", "^Ashore$", "windowactivate"]);
            // Send the keys to the focused window. Keys that are sent to a named window are synthetic, and window
            // managers ignore them.
            let _ = self.desktop.xdotool(&["key", "--clearmodifiers", "alt+F4"]);
            pause(Duration::from_secs(2));
            self.window().is_none().then_some(())
        })
    }
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
