//! The desktop shell: a window, a tray icon and notifications around the engine. It decides nothing about downloads.
//!
//! The rooms: `door` is the way to the engine, `events` what comes from there, `commands` what the page may ask for,
//! `window` and `tray` their lives, `glance` what can be seen without the window and `taskbar` its third place, `notify` what
//! a notification says, `notifier` which there are, `debt` what is owed, `busy` when all is done, `card` how one lives and
//! `standing` which outlive Ashore, `wishes` what the settings say about all this, `login` the start with the desktop, `open`
//! links from outside, `clipboard` those that were copied, `files` finished files, `carried` those that are dragged out, `catalogue` the language and its
//! sentences, `sentences` those of the engine in it, `words` sizes and other people's text, `remembered` where the window was.

mod busy;
mod card;
mod carried;
mod catalogue;
mod clipboard;
mod commands;
mod debt;
mod door;
mod events;
mod files;
mod glance;
mod login;
mod notifier;
mod notify;
mod open;
mod remembered;
mod sentences;
mod standing;
mod taskbar;
mod tray;
mod window;
mod wishes;
mod words;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use ashore_engine::UniqueId;
use ashore_rpc::Call;
use clap::Parser;
use tauri::{AppHandle, Manager, RunEvent};
use tokio::{
    runtime::Handle,
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
    time::timeout,
};
use tracing_subscriber::EnvFilter;

use crate::{
    carried::Carried,
    clipboard::{Awaited, Offered},
    door::Door,
    events::Reading,
    glance::Glance,
    login::Login,
    notifier::Notifier,
    notify::Press,
    open::{Arguments, Links, Look},
    remembered::Remembered,
    window::{Going, LastWord},
    wishes::Wished,
};

/// How long an engine that is still opening may take to close again.
const FAREWELL: Duration = Duration::from_secs(10);

/// On the way out.
struct Leaving {
    already: AtomicBool,
    door: Mutex<Option<JoinHandle<()>>>,
}

/// Runs the desktop shell until it is quit.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let filter = EnvFilter::try_from_env("ASHORE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    if ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| env::var_os(name).is_none_or(|value| value.is_empty())) {
        eprintln!("There is no display here for the window. `ashore serve` downloads without one.");
        return ExitCode::FAILURE;
    }
    let data_dir = arguments.data_dir.clone().or_else(ashore_rpc::data_dir).map(made);
    let data_dir = match data_dir {
        Some(Ok(data_dir)) => data_dir,
        Some(Err(error)) => {
            eprintln!("The folder of the list cannot be used: {error}. Choose another one with --data-dir.");
            return ExitCode::FAILURE;
        }
        None => {
            eprintln!("There is no home folder to keep the list in. Choose a folder with --data-dir.");
            return ExitCode::FAILURE;
        }
    };
    match start(arguments, data_dir) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The window cannot be opened: {error}. `ashore serve` downloads without one.");
            ExitCode::FAILURE
        }
    }
}

/// The folder under its one true name, so that two ways to say it find the same instance.
fn made(data_dir: PathBuf) -> io::Result<PathBuf> {
    fs::create_dir_all(&data_dir)?;
    fs::canonicalize(data_dir)
}

fn start(arguments: Arguments, data_dir: PathBuf) -> tauri::Result<()> {
    let context = tauri::generate_context!();
    // The engine has its own, so that nothing the window does holds up a download.
    let runtime = ashore_engine::runtime()?;
    let engine = runtime.handle().clone();
    let instance = open::instance_name(&context.config().identifier, &data_dir);
    tauri::async_runtime::block_on(open::settle(&instance));
    // First, so that a second start ends before it opens anything.
    let single = tauri_plugin_single_instance::Builder::new()
        .dbus_id(instance)
        .callback(|app, arguments, at| open::second_start(app, arguments, Path::new(&at)))
        .build();
    let app = tauri::Builder::default()
        .plugin(single)
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .manage(Links::default())
        .manage(Going::default())
        .manage(LastWord::default())
        .manage(Wished::default())
        .manage(Reading::default())
        .manage(Awaited::default())
        .manage(Offered::default())
        .manage(Carried::default())
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::open_file,
            commands::show_in_folder,
            commands::choose_folder,
            commands::save_list,
            commands::take_in_list,
            commands::carry,
            commands::lacking,
            commands::take_links,
            commands::take_look,
            commands::take_copied,
            commands::ready,
            commands::gone,
        ])
        .on_window_event(|window, event| window::happened(window.app_handle(), event))
        .setup(move |app| {
            wire(app.handle(), &engine, arguments, &data_dir);
            Ok(())
        })
        .build(context)?;
    app.run(|_, event| {
        // The window is gone; Ashore is not. Leaving says so with a code.
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
        }
    });
    Ok(())
}

fn wire(app: &AppHandle, engine: &Handle, arguments: Arguments, data_dir: &Path) {
    let door = Door::new();
    app.manage(door.clone());
    // Until the settings can be asked.
    catalogue::speak("auto");
    app.manage(Remembered::read(data_dir));
    app.manage(Login::of(app, data_dir));
    let presser = app.clone();
    let pressed = move |about, press| {
        tauri::async_runtime::spawn(obey(presser.clone(), about, press));
    };
    app.manage(Notifier::start(door.clone(), icon(app), data_dir, pressed));
    app.manage(Glance::new());
    tray::start(app);
    taskbar::start(app);
    let (hearer, data_dir) = (app.clone(), data_dir.to_owned());
    let open = engine.spawn(async move {
        door.keep_open(data_dir, |news| events::heard(&hearer, news)).await;
    });
    app.manage(Leaving { already: AtomicBool::new(false), door: Mutex::new(Some(open)) });
    tauri::async_runtime::spawn(quit_on_signal(app.clone()));
    let shown = !arguments.hidden || !arguments.links.is_empty();
    open::add(app, &arguments.links, Path::new("."));
    if shown {
        window::show(app);
    } else {
        let app = app.clone();
        tauri::async_runtime::spawn(async move {
            if !tray::comes().await {
                window::show_minimised(&app);
            }
        });
    }
}

/// Does what a notification's button says.
async fn obey(app: AppHandle, about: Option<UniqueId>, press: Press) {
    let door = app.state::<Door>();
    let Some(unique_id) = about else { return window::show(&app) };
    let done = match press {
        Press::Window | Press::Details => {
            return open::look_at(&app, Look { unique_id, is_close: press == Press::Details });
        }
        Press::Pause => door.ask::<()>(Call::Pause { unique_id: Some(unique_id) }).await,
        Press::Resume => door.ask::<()>(Call::Resume { unique_id: Some(unique_id) }).await,
        Press::Cancel => door.ask::<bool>(Call::Abort { unique_id }).await.map(drop),
        Press::Retry => door.ask::<u32>(Call::Retry { unique_id }).await.map(drop),
        Press::Open => files::open(&app, unique_id, 0).await,
        Press::Folder => files::show_any_in_folder(&app, unique_id).await,
    };
    if let Err(trouble) = done {
        tracing::warn!(trouble.text, "a notification was not obeyed");
        // The list says why.
        window::show(&app);
    }
}

/// Leaves, with every byte durable. Nothing is asked, since nothing is lost.
fn quit(app: &AppHandle) {
    if app.state::<Leaving>().already.swap(true, Ordering::SeqCst) {
        return;
    }
    // Whoever starts Ashore from now on means the next one. It waits for the message bus, which a task may not.
    tokio::task::block_in_place(|| tauri_plugin_single_instance::destroy(app));
    window::destroy(app);
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        app.state::<Notifier>().close().await;
        app.state::<Door>().close().await;
        let open = app.state::<Leaving>().door.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(open) = open {
            let _ = timeout(FAREWELL, open).await;
        }
        app.exit(0);
    });
}

async fn quit_on_signal(app: AppHandle) {
    match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            quit(&app);
        }
        (Err(error), _) | (_, Err(error)) => tracing::warn!(%error, "signals end Ashore at once"),
    }
}

/// A file with Ashore's icon for notifications: the installed one, or one written where caches are kept.
fn icon(app: &AppHandle) -> PathBuf {
    let installed = Path::new("/usr/share/icons/hicolor/128x128/apps/ashore-desktop.png");
    if installed.is_file() {
        return installed.to_owned();
    }
    let written = app.path().app_cache_dir().map_err(io::Error::other).and_then(|folder| {
        fs::create_dir_all(&folder)?;
        let path = folder.join("ashore.png");
        fs::write(&path, include_bytes!("../icons/128x128.png"))?;
        Ok(path)
    });
    written.unwrap_or_else(|_| PathBuf::from("folder-download"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[test]
    fn the_page_may_hear_events_and_nothing_more() {
        let capability: Value = serde_json::from_str(include_str!("capabilities/main.json")).unwrap();
        assert_eq!(capability["permissions"], json!(["core:event:allow-listen", "core:event:allow-unlisten"]));
        assert_eq!(capability["windows"], json!(["main"]));
        assert_eq!(capability.get("remote"), None);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src-tauri/capabilities");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "one file says what the page may do");
    }

    #[test]
    fn the_page_may_load_only_what_came_with_it() {
        let configuration: Value = serde_json::from_str(include_str!("../tauri.conf.json")).unwrap();
        let app = &configuration["app"];
        assert_eq!(app["withGlobalTauri"], false);
        assert_eq!(app["windows"], json!([]), "windows are built where navigation is denied");
        let security = app["security"].as_object().unwrap();
        let mut keys: Vec<_> = security.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["capabilities", "csp", "freezePrototype"]);
        assert_eq!(security["capabilities"], json!(["main"]));
        let policy = security["csp"].as_object().unwrap();
        assert_eq!(policy["default-src"], "'none'");
        for (directive, sources) in policy {
            let sources = sources.as_str().unwrap();
            let known = ["'none'", "'self'", "data:", "ipc:", "http://ipc.localhost"];
            assert!(sources.split(' ').all(|source| known.contains(&source)), "{directive} {sources}");
            assert!(!sources.contains("data:") || directive == "img-src", "{directive} {sources}");
        }
    }
}
