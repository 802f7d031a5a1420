//! What the engine says, to those in the shell who listen: the page while there is one, the tray, the notifications.

use ashore_engine::{Event, SettingsReport, State, Totals};
use ashore_rpc::Call;
use tauri::{AppHandle, Emitter, Manager};

use crate::{
    catalogue,
    door::{Door, News},
    notifier::{Notifier, needs_attention},
    tray::Tray,
    window,
};

/// Something came through the door.
pub fn heard(app: &AppHandle, news: News) {
    match news {
        News::Opened => {
            app.state::<Notifier>().opened();
            // The page reads the list again; what it had may be another engine's.
            tell_page(app, &Event::Lagged);
            speak(app);
            let app = app.clone();
            tauri::async_runtime::spawn(async move {
                if let Ok(totals) = app.state::<Door>().ask::<Totals>(Call::Totals).await {
                    app.state::<Tray>().totals(totals);
                }
            });
        }
        News::Shut => {
            app.state::<Tray>().shut();
            tell_page(app, &Event::Lagged);
            // The page says why, and a person who started it hidden should know.
            window::show(app);
        }
        News::Event(event) => {
            match &event {
                Event::Totals { totals } => app.state::<Tray>().totals(totals.clone()),
                Event::Settings => speak(app),
                Event::Changed { registration }
                    if registration.state == State::Settled && needs_attention(registration) && !window::has_focus(app) =>
                {
                    app.state::<Tray>().failed();
                }
                _ => {}
            }
            tell_page(app, &event);
            app.state::<Notifier>().event(event);
        }
    }
}

/// The shell speaks what the settings say.
fn speak(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Ok(report) = app.state::<Door>().ask::<SettingsReport>(Call::Settings).await
            && catalogue::speak(catalogue::setting(&report))
        {
            app.state::<Tray>().speak();
        }
    });
}

fn tell_page(app: &AppHandle, event: &Event) {
    if window::is_open(app)
        && let Err(error) = app.emit_to(window::LABEL, "engine", event)
    {
        tracing::debug!(%error, "an event did not reach the page");
    }
}
