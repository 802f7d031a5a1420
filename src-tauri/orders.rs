//! Carries out the orders that Ashore sends through the pipe. `lib.rs` starts this when the window starts.
//!
//! - The window ends when the pipe is closed.

use std::{io::BufRead, thread};

use ashore_pipe::{WindowCommand, WindowMessage, message};
use serde_json::value::RawValue;
use tauri::{AppHandle, Emitter};

use crate::{
    ashore::{DesktopPipe, WindowCommands},
    questions, window,
};

impl WindowCommands {
    /// Carries out the orders one after another until Ashore closes the pipe.
    pub fn run(self, app: AppHandle) {
        self.ashore.send(&WindowMessage::Version(env!("CARGO_PKG_VERSION").to_owned()));
        thread::spawn(move || {
            for line in self.lines.lines().map_while(Result::ok) {
                match message(&line) {
                    Ok(order) => handle_command(&app, &self.ashore, order),
                    Err(error) => tracing::error!(%error, "message from the main process is not valid; ignored"),
                }
            }
            // End this program: without Ashore's orders, the page can no longer be updated.
            app.exit(0);
        });
    }
}

fn handle_command(app: &AppHandle, ashore: &DesktopPipe, order: WindowCommand) {
    match order {
        WindowCommand::Open { place, is_maximised, in_front } => window::open(app, place, is_maximised, in_front),
        WindowCommand::Show => window::show(app),
        WindowCommand::Minimise => window::minimise(app),
        WindowCommand::Leave => window::leave(app),
        WindowCommand::Tell { event, payload } => emit_event(app, &event, &payload),
        WindowCommand::Answer { id, answer } => ashore.answered(id, answer),
        WindowCommand::Ask { id, question } => questions::answer(app, ashore, id, question),
    }
}

fn emit_event(app: &AppHandle, event: &str, payload: &RawValue) {
    if let Err(error) = app.emit_to(window::LABEL, event, payload) {
        tracing::debug!(%error, "event could not be emitted to the page");
    }
}
