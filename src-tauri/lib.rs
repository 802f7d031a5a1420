//! The window as a separate program: a web view with the page, and everything that needs a window.
//!
//! This program makes no decisions. Ashore starts this program, sends orders through a pipe, and answers the requests
//! of the page.
//!
//! - `ashore` is this end of the pipe, `orders` carries out Ashore's orders, and `window` is the window.
//! - `commands` contains the page's commands, `questions` answers Ashore's questions.
//! - `carried` drags files out of the window.

mod ashore;
mod carried;
mod commands;
mod orders;
mod questions;
mod window;

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use tauri::Manager;
use tracing_subscriber::EnvFilter;

use crate::{ashore::DesktopPipe, carried::DragPayload, window::LastWord};

/// Defines the list of commands that the page may send.
macro_rules! sent_by_the_page {
    ($($command:ident),* $(,)?) => {
        fn commands() -> impl Fn(tauri::ipc::Invoke) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$(commands::$command),*]
        }

        #[cfg(test)]
        const COMMANDS: &[&str] = &[$(stringify!($command)),*];
    };
}

sent_by_the_page![
    call,
    open_file,
    open_page,
    show_in_folder,
    choose_folder,
    choose_file,
    save_list,
    take_in_list,
    carry,
    own_server,
    keep_server,
    start_server,
    stop_server,
    browsers,
    connect_browser,
    browser_channel,
    pair_browser,
    unpair_browser,
    remote_access,
    allow_devices,
    link_device,
    sign_out_device,
    lacking,
    afterwards,
    choose_afterwards,
    take_links,
    take_look,
    take_copied,
    take_troubles,
    ready,
    close_window,
    quit,
    gone,
];

/// Shows the window until Ashore ends this program. If the user asks to close the window, Ashore decides whether it
/// closes.
pub fn run() -> ExitCode {
    let filter = EnvFilter::try_from_env("ASHORE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).log_internal_errors(false).init();
    if io::stdin().is_terminal() {
        eprintln!("This is Ashore's window, which Ashore itself opens. Start `ashore-desktop` instead.");
        return ExitCode::FAILURE;
    }
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The window cannot be opened: {error}. `ashore serve` downloads without one.");
            ExitCode::FAILURE
        }
    }
}

fn start() -> tauri::Result<()> {
    let (ashore, orders) = DesktopPipe::take()?;
    tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(ashore)
        .manage(LastWord::default())
        .manage(DragPayload::default())
        .invoke_handler(commands())
        .on_window_event(|window, event| window::happened(window.app_handle(), event))
        .setup(move |app| {
            orders.run(app.handle().clone());
            Ok(())
        })
        .build(tauri::generate_context!())?
        .run(|_, _| {});
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::COMMANDS;

    #[test]
    fn page_is_allowed_only_to_listen_for_events() {
        let capability: Value = serde_json::from_str(include_str!("capabilities/main.json")).unwrap();
        assert_eq!(capability["permissions"], json!(["core:event:allow-listen", "core:event:allow-unlisten"]));
        assert_eq!(capability["windows"], json!(["main"]));
        assert_eq!(capability.get("remote"), None);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src-tauri/capabilities");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "a single file grants permissions to the page");
    }

    #[test]
    fn commands_of_page_match_reviewed_list() {
        let links = ["take_links", "take_look", "take_copied", "take_troubles"];
        let people = ["choose_folder", "choose_file", "save_list", "take_in_list"];
        let files = ["open_file", "open_page", "show_in_folder", "carry"];
        let machine = ["afterwards", "choose_afterwards", "own_server", "keep_server", "start_server", "stop_server"];
        // With these commands, a page can only connect known browsers with the host of Ashore. A pairing code is useful
        // only on this computer.
        let browsers = ["browsers", "connect_browser", "browser_channel", "pair_browser", "unpair_browser"];
        // The desktop asks the user before other devices can connect, and before a page gets a link for a device.
        let devices = ["remote_access", "allow_devices", "link_device", "sign_out_device"];
        let window = ["ready", "close_window", "quit", "gone"];
        let mut known = [&["call", "lacking"][..], &window, &links, &people, &files, &machine, &browsers, &devices].concat();
        let mut commands = COMMANDS.to_vec();
        known.sort_unstable();
        commands.sort_unstable();
        assert_eq!(
            commands, known,
            "every command was reviewed: it takes ids, asks the user in a dialog, or can be cancelled for a minute"
        );
    }

    #[test]
    fn page_loads_only_bundled_content() {
        let configuration: Value = serde_json::from_str(include_str!("../tauri.conf.json")).unwrap();
        let app = &configuration["app"];
        assert_eq!(app["withGlobalTauri"], false);
        assert_eq!(app["windows"], json!([]), "windows are built where navigation is denied");
        let security = app["security"].as_object().unwrap();
        let mut keys: Vec<_> = security.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["capabilities", "csp", "freezePrototype"]);
        assert_eq!(security["capabilities"], json!(["main"]));
        let policy = json!({
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self' data:",
            "font-src": "'self'",
            "connect-src": "ipc: http://ipc.localhost",
            // Directives that `default-src` does not cover.
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
        });
        assert_eq!(security["csp"], policy, "each source was weighed, and so was each that is not there");
    }
}
