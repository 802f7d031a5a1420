//! The desktop program without its window: the engine, the tray icon and the notifications.
//!
//! The window is a separate program (`src-tauri/`), which this program starts. The window program ends when the user
//! closes the window, so that the memory of its web view is freed. The engine makes all decisions about downloads.
//!
//! - `app` starts all parts, and `context` holds them together. `engine` contains the client of the engine, its status
//!   and settings.
//! - `notifications` shows the state of registrations; `tray` is the icon with its menu.
//! - `window` contains the life of the window and the calls that its page may make.
//! - `handles` contains the handles on the window, and `tasks` reacts to the engine, the clipboard and links from outside.
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
    env, fs, io,
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
        install_paths,
        single_instance::{self, IDENTIFIER, InstanceClaim},
        tray_panel,
    },
    tasks::incoming_links::{self, LaunchArguments},
};

/// Runs Ashore until the user quits it.
pub fn run() -> ExitCode {
    let arguments = LaunchArguments::parse();
    let filter = EnvFilter::try_from_env("ASHORE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(LogLine::new).init();
    if ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| env::var_os(name).is_none_or(|value| value.is_empty())) {
        return refused("There is no display here for the window. `ashore serve` downloads without one.");
    }
    let data_dir = match arguments.data_dir.clone().or_else(ashore_rpc::data_dir).map(made) {
        Some(Ok(data_dir)) => data_dir,
        Some(Err(error)) => {
            return refused(&format!("The folder of the list cannot be used: {error}. Choose another one with --data-dir."));
        }
        None => return refused(&in_language_of_desktop(&message!("data-dir.home"))),
    };
    // The engine has its own runtime, so that work for the desktop never delays a download.
    let runtimes = ashore_engine::runtime().and_then(|engine| Ok((engine, ashore_engine::runtime()?)));
    let (engine, desktop) = match runtimes {
        Ok(runtimes) => runtimes,
        Err(error) => return refused(&in_language_of_desktop(&message!("not-started", why = &error))),
    };
    let ending = desktop.block_on(live(arguments, &data_dir, engine.handle()));
    // Abandon the remaining tasks; the time to wait for them is over.
    desktop.shutdown_background();
    engine.shutdown_background();
    ashore_engine::flush_log(Duration::from_secs(1));
    match ending {
        ExitReason::Meant => ExitCode::SUCCESS,
        ExitReason::Failed => ExitCode::FAILURE,
        ExitReason::Anew => refused(&format!("Ashore cannot be started anew: {}.", install_paths::start_anew(&data_dir))),
    }
}

/// Returns the sentence of a message in the language of the desktop. Used while the settings are not read yet.
fn in_language_of_desktop(message: &UserMessage) -> String {
    ashore_messages::set_language("auto");
    message.localized()
}

async fn live(arguments: LaunchArguments, data_dir: &Path, engine: &Handle) -> ExitReason {
    let name = single_instance::name(IDENTIFIER, data_dir);
    single_instance::settle(&name).await;
    // Claim the instance name first, so that a second start ends before it opens anything.
    let (instance, mut starts) = match single_instance::claim(&name).await {
        InstanceClaim::Ours(instance, starts) => (instance, starts),
        InstanceClaim::HandedOver => return ExitReason::Meant,
    };
    // Use the language of the environment until the settings are read.
    ashore_messages::set_language("auto");
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

fn refused(why: &str) -> ExitCode {
    // Ignore errors, because standard error may be closed.
    let _ = io::Write::write_all(&mut io::stderr(), format!("{why}\n").as_bytes());
    ExitCode::FAILURE
}

/// Creates the folder and returns its canonical path. With it, two starts with different spellings of the path find the
/// same instance.
fn made(data_dir: PathBuf) -> io::Result<PathBuf> {
    fs::create_dir_all(&data_dir)?;
    fs::canonicalize(data_dir)
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

/// Returns a file with Ashore's icon for notifications: the installed one, or one written to the cache folder.
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
