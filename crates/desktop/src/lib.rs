//! The desktop program without its window: the engine, the tray icon and the notifications.
//!
//! The window is a separate program (`src-tauri/`), which this program starts. The window program ends when the user
//! closes the window, so that the memory of its web view is freed. The engine makes all decisions about downloads.
//!
//! - `app` starts all parts, and `context` holds them together.
//! - `engine` contains the client of the engine, its status and settings.
//! - `notifications` shows the state of registrations; `tray` is the icon with its menu.
//! - `window` contains the life cycle of the window and the calls that its page may make.
//! - `handles` contains the handles on the window.
//! - `tasks` reacts to the engine, the clipboard and links from outside.
//! - `system` connects to the desktop: other instances, autostart, links, clipboard, files and power.
//! - `i18n` shortens and cleans texts; `ashore_messages` has the sentences of every language.

mod app;
mod context;
mod engine;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod handles;
mod i18n;
mod notifications;
mod system;
mod tasks;
mod tray;
mod window;

use std::{
    env,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use ashore_engine::LogLine;
use ashore_messages::{UserMessage, message};
use clap::Parser;
use tokio::{
    runtime::Handle,
    signal::unix::{SignalKind, signal},
};
use tracing_subscriber::EnvFilter;

use crate::{
    context::{AppContext, ExitReason},
    system::{
        install_paths, offered_links,
        single_instance::{self, IDENTIFIER, InstanceClaim},
        tray_panel,
    },
    tasks::incoming_links::{self, LaunchArguments},
};

/// Runs Ashore until the user quits it.
pub fn run() -> ExitCode {
    let mut arguments = LaunchArguments::parse();
    let filter = EnvFilter::try_from_env("ASHORE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let filter = match ashore_remote::LOG_LIMIT.parse() {
        Ok(limit) => filter.add_directive(limit),
        // Parsing cannot fail, because the limit is a valid constant.
        Err(_) => filter,
    };
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(LogLine::new).init();
    // Use the language of the environment until the settings are read.
    ashore_messages::set_language("auto");
    let data_dir = match has_display(|name| env::var_os(name)).and_then(|()| made(arguments.data_dir.clone())) {
        Ok(data_dir) => data_dir,
        Err(why) => return refused(&why),
    };
    let handed_over = match arguments.offer {
        Some(_) => {
            arguments.links.extend(offered_links::read(io::stdin().lock()));
            arguments.as_links()
        }
        None => env::args().collect(),
    };
    // The engine has its own runtime, so that the work of the desktop never delays a download.
    let runtimes = ashore_engine::runtime().and_then(|engine| Ok((engine, ashore_engine::runtime()?)));
    let (engine, desktop) = match runtimes {
        Ok(runtimes) => runtimes,
        Err(error) => return refused(&message!("not-started", why = &error)),
    };
    let ending = desktop.block_on(live(arguments, handed_over, &data_dir, engine.handle()));
    // Abandon the remaining tasks, because the maximum time to wait for them is over.
    desktop.shutdown_background();
    engine.shutdown_background();
    ashore_engine::flush_log(Duration::from_secs(1));
    match ending {
        ExitReason::Meant => ExitCode::SUCCESS,
        ExitReason::Failed => ExitCode::FAILURE,
        ExitReason::Anew => refused(&message!("not-restarted", why = &install_paths::start_anew(&data_dir))),
    }
}

/// Runs until the program ends. If another instance runs, passes `handed_over` to it instead.
async fn live(arguments: LaunchArguments, handed_over: Vec<String>, data_dir: &Path, engine: &Handle) -> ExitReason {
    let name = single_instance::name(IDENTIFIER, data_dir);
    single_instance::settle(&name).await;
    // Claim the instance name first, so that a second start exits before it opens anything.
    let (instance, mut starts) = match single_instance::claim(&name, handed_over).await {
        InstanceClaim::Ours(instance, starts) => (instance, starts),
        InstanceClaim::HandedOver => return ExitReason::Meant,
    };
    let (shell, mut over) = app::start(data_dir, icon(), instance, engine);
    let heard = shell.clone();
    tokio::spawn(async move {
        while let Some(start) = starts.recv().await {
            incoming_links::second_start(&heard, start);
        }
    });
    tokio::spawn(quit_on_signal(shell.clone()));
    let shown = !arguments.hidden || !arguments.links.is_empty();
    incoming_links::add(&shell, &arguments.links, Path::new("."));
    if shown {
        shell.window.show();
    } else {
        let shell = shell.clone();
        tokio::spawn(async move {
            if !tray_panel::comes().await {
                shell.window.show_minimised();
            }
        });
    }
    over.recv().await.unwrap_or(ExitReason::Failed)
}

fn refused(why: &UserMessage) -> ExitCode {
    // Ignore errors, because standard error may be closed.
    let _ = io::Write::write_all(&mut io::stderr(), format!("{}\n", why.localized()).as_bytes());
    ExitCode::FAILURE
}

/// Fails if the environment has no display for the window.
fn has_display(variable: impl Fn(&str) -> Option<OsString>) -> Result<(), UserMessage> {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(is_set) { Ok(()) } else { Err(message!("no-display")) }
}

/// Creates the folder of the list and returns its canonical path.
///
/// Two starts with different spellings of the path therefore find the same instance.
fn made(given: Option<PathBuf>) -> Result<PathBuf, UserMessage> {
    let data_dir = given.or_else(ashore_rpc::data_dir).ok_or_else(|| message!("data-dir.home"))?;
    let made = fs::create_dir_all(&data_dir).and_then(|()| fs::canonicalize(&data_dir));
    made.map_err(|error| message!("data-dir.unusable", path = &data_dir, why = &error))
}

async fn quit_on_signal(shell: AppContext) {
    match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            shell.quit(ExitReason::Meant);
        }
        (Err(error), _) | (_, Err(error)) => {
            tracing::warn!(%error, "signal handlers could not be installed; signals end Ashore immediately")
        }
    }
}

/// Returns the path of Ashore's icon for notifications: an installed file, or else a file in the cache folder.
fn icon() -> PathBuf {
    let installed = Path::new("/usr/share/icons/hicolor/128x128/apps/ashore-window.png");
    if installed.is_file() {
        return installed.to_owned();
    }
    let written = dirs::cache_dir().ok_or(io::ErrorKind::NotFound.into()).and_then(|caches| {
        let folder = caches.join(IDENTIFIER);
        fs::create_dir_all(&folder)?;
        let path = folder.join("ashore.png");
        fs::write(&path, include_bytes!("../../../icons/128x128.png"))?;
        Ok::<_, io::Error>(path)
    });
    written.unwrap_or_else(|_| PathBuf::from("folder-download"))
}

#[cfg(test)]
mod tests {
    use ashore_messages::Catalogue;

    use super::*;

    fn german(message: &UserMessage) -> String {
        message.render(&Catalogue::for_terminal("de"))
    }

    #[test]
    fn start_without_display_is_refused_in_language_of_user() {
        let wayland = |name: &str| (name == "WAYLAND_DISPLAY").then(|| "wayland-0".into());
        assert_eq!(has_display(wayland), Ok(()));
        let refusal = has_display(|_| Some(OsString::new())).unwrap_err();
        assert!(refusal.text.contains("There is no display") && german(&refusal).contains("keinen Bildschirm"), "{refusal}");
    }

    #[test]
    fn start_with_unusable_folder_is_refused_with_reason_and_cure() {
        let refusal = made(Some(PathBuf::from("/dev/null/list"))).unwrap_err();
        assert_eq!((refusal.code.as_str(), refusal.variant.as_deref()), ("data-dir", Some("unusable")));
        let text = german(&refusal);
        assert!(text.contains("/dev/null/list") && text.ends_with("Nennen Sie mit --data-dir einen anderen Ordner."), "{text}");
        let folder = tempfile::tempdir().unwrap();
        assert!(made(Some(folder.path().join("new"))).is_ok_and(|made| made.is_dir()));
    }

    #[test]
    fn failed_restart_names_reason_in_language_of_user() {
        let refusal = message!("not-restarted", why = &io::Error::from(io::ErrorKind::NotFound));
        assert!(german(&refusal).contains("kann nicht neu gestartet werden: die Datei"), "{}", german(&refusal));
    }
}
