//! Connects to the engine, and starts the app if no engine runs. Called by `hand_off` and `offer`.
//!
//! - An engine that answers on the socket is used, even if it belongs to `ashore serve`.
//! - The app must outlive the browser, so systemd starts it in its own unit. Without systemd, the app gets its own
//!   process group and no pipes of the browser.

use std::{
    env,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use ashore_engine::{Settings, UserMessage};
use ashore_messages::message;
use ashore_rpc::SocketClient;
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};

/// File name of the app.
pub(crate) const APP: &str = "ashore-desktop";
/// Program that starts units of the systemd user manager.
const SYSTEMD_RUN: &str = "systemd-run";
/// Maximum time for systemd to start a unit.
const UNIT_PATIENCE: Duration = Duration::from_secs(3);
/// Maximum time from the start of the app to its first answer. A cold start takes about half a second.
pub(crate) const PATIENCE: Duration = Duration::from_secs(8);
const PAUSE: Duration = Duration::from_millis(50);

/// Environment variables that the app needs and that systemd may not have. None of them holds a secret.
const PASSED_ON: [&str; 12] = [
    "ASHORE_DATA_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "HOME",
    "LANG",
    "LANGUAGE",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_CONFIG_HOME",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// Starter of the app.
#[derive(Clone, Debug)]
pub(crate) struct AppStarter {
    /// Path of the app.
    app: PathBuf,
    /// Whether to try systemd first.
    uses_systemd: bool,
    /// Whether to start the app if no engine runs.
    starts: bool,
}

impl AppStarter {
    /// Returns the starter of the app in the folder of this program.
    pub(crate) fn beside_this_program() -> io::Result<Self> {
        Ok(Self { app: env::current_exe()?.with_file_name(APP), uses_systemd: true, starts: true })
    }

    /// Returns a starter that never starts an engine. Used by a program whose own engine has just closed.
    pub(crate) fn without_start(self) -> Self {
        Self { starts: false, ..self }
    }

    /// Returns a starter that runs `app` without systemd.
    #[cfg(test)]
    pub(crate) fn direct(app: PathBuf) -> Self {
        Self { app, uses_systemd: false, starts: true }
    }

    /// Starts the app without a window. Returns its process, or `None` if systemd started it.
    ///
    /// Fails if the app is missing or cannot be started, or if this starter must not start the app.
    async fn start(&self) -> io::Result<Option<Child>> {
        if !self.starts || !self.app.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        if self.uses_systemd && self.start_unit().await {
            return Ok(None);
        }
        self.command(&["--hidden"]).stdin(Stdio::null()).spawn().map(Some)
    }

    /// Returns the command of the app in its own process group. The caller sets its stdin.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.app);
        command.args(arguments).process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Starts the app with systemd. Returns false if that fails.
    async fn start_unit(&self) -> bool {
        let mut command = Command::new(SYSTEMD_RUN);
        // With `Type=exec`, `systemd-run` fails if the app cannot be executed.
        command
            .args(["--user", "--collect", "--quiet", "--no-ask-password", "--property=Type=exec"])
            .args(environment(|name| env::var_os(name)));
        command.arg("--").arg(&self.app).arg("--hidden");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let Ok(mut child) = command.spawn() else { return false };
        timeout(UNIT_PATIENCE, child.wait()).await.is_ok_and(|ended| ended.is_ok_and(|status| status.success()))
    }
}

/// Returns the options that pass the environment to systemd. [pure]
fn environment(variable: impl Fn(&str) -> Option<OsString>) -> Vec<OsString> {
    let option = |name: &str| {
        let mut option = OsString::from(format!("--setenv={name}="));
        option.push(variable(name)?);
        Some(option)
    };
    PASSED_ON.iter().filter_map(|name| option(name)).collect()
}

/// Connects to the engine of `data_dir`. If none runs, starts the app and waits at most `patience` for its answer.
///
/// Fails with `browser-ashore-absent` if the app cannot be started or a setting forbids the start. Fails with
/// `browser-ashore-silent` if no engine answers in time.
pub(crate) async fn reach(data_dir: &Path, starter: &AppStarter, patience: Duration) -> Result<SocketClient, UserMessage> {
    match SocketClient::connect(data_dir).await {
        Ok(client) => return Ok(client),
        // The running app accepted the connection but did not answer. Do not start a second one.
        Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(message!("browser-ashore-silent")),
        Err(_) => {}
    }
    // If the settings cannot be read, the app reports that.
    if Settings::stored(data_dir).is_ok_and(|settings| !settings.browser_starts_ashore) {
        return Err(message!("browser-ashore-absent.off"));
    }
    let started = Instant::now();
    let mut child = starter.start().await.map_err(|error| message!("browser-ashore-absent", why = &error))?;
    let mut ended = None;
    loop {
        if let Ok(client) = SocketClient::connect(data_dir).await {
            return Ok(client);
        }
        if let Some(status) = ended {
            return Err(absent(status));
        }
        // Try once more after the process has ended: it may have handed over to another instance, which now answers.
        ended = child.as_mut().and_then(|child| child.try_wait().ok().flatten()).filter(|status| !status.success());
        if started.elapsed() > patience {
            return Err(message!("browser-ashore-silent"));
        }
        sleep(PAUSE).await;
    }
}

fn absent(status: ExitStatus) -> UserMessage {
    message!("browser-ashore-absent.ended", status = status.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_variables_with_values_are_passed_to_systemd() {
        let set = |name: &str| ["DISPLAY", "HOME", "COOKIE"].contains(&name).then(|| format!("of {name}").into());
        assert_eq!(environment(set), ["--setenv=DISPLAY=of DISPLAY", "--setenv=HOME=of HOME"]);
    }

    #[tokio::test]
    async fn attempt_to_start_missing_app_reports_that_ashore_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let starter = AppStarter::direct(folder.path().join(APP));
        let why = reach(folder.path(), &starter, PATIENCE).await.unwrap_err();
        assert_eq!((why.code.as_str(), why.variant), ("browser-ashore-absent", None));
    }

    #[tokio::test]
    async fn browser_does_not_start_app_if_setting_forbids_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ashore.toml"), "browser-starts-ashore = false\n").unwrap();
        let starter = AppStarter::direct("/bin/true".into());
        let why = reach(folder.path(), &starter, Duration::MAX).await.unwrap_err();
        assert_eq!((why.code.as_str(), why.variant.as_deref()), ("browser-ashore-absent", Some("off")));
    }

    #[tokio::test]
    async fn app_that_fails_is_reported_without_waiting_for_time_limit() {
        let folder = tempfile::tempdir().unwrap();
        let starter = AppStarter::direct("/bin/false".into());
        let why = reach(folder.path(), &starter, Duration::MAX).await.unwrap_err();
        assert_eq!((why.code.as_str(), why.variant.as_deref()), ("browser-ashore-absent", Some("ended")));
    }

    #[tokio::test]
    async fn app_that_opens_no_socket_is_reported_as_silent() {
        let folder = tempfile::tempdir().unwrap();
        let starter = AppStarter::direct("/bin/true".into());
        let why = reach(folder.path(), &starter, Duration::ZERO).await.unwrap_err();
        assert_eq!(why.code, "browser-ashore-silent");
    }
}
