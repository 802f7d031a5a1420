//! What the engine says, to those in the shell who listen: the page while there is one, the tray, the notifications.

use ashore_engine::{Event, State, Totals};
use ashore_rpc::Call;
use tauri::{AppHandle, Emitter, Manager};

use crate::{
    door::{Door, News},
    login,
    notifier::{Notifier, needs_attention},
    tray::Tray,
    window,
    wishes::{Wished, Wishes},
};

/// Whose turn it is to read what is wanted.
#[derive(Debug, Default)]
pub struct Reading(tokio::sync::Mutex<()>);

/// Something came through the door.
pub fn heard(app: &AppHandle, news: News) {
    match news {
        News::Opened => {
            app.state::<Notifier>().opened();
            // The page reads the list again; what it had may be another engine's.
            tell_page(app, &Event::Lagged);
            follow_wishes(app);
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
                Event::Changed { registration }
                    if registration.state == State::Settled && needs_attention(registration) && !window::has_focus(app) =>
                {
                    app.state::<Tray>().failed();
                }
                Event::Settings => follow_wishes(app),
                _ => {}
            }
            tell_page(app, &event);
            app.state::<Notifier>().event(event);
        }
    }
}

/// Reads what is wanted of the desktop, for the window and for the next login. The notifier reads it in its own turn.
fn follow_wishes(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        // One after the other, so that the last that was read is the last that was wanted.
        let reading = app.state::<Reading>();
        let _one_at_a_time = reading.0.lock().await;
        let wishes = match Wishes::read(&app.state::<Door>()).await {
            Ok(wishes) => wishes,
            Err(trouble) => return tracing::warn!(trouble.text, "the settings were not read"),
        };
        app.state::<Wished>().are(wishes.clone());
        login::follow(&app, wishes.start_at_login).await;
    });
}

fn tell_page(app: &AppHandle, event: &Event) {
    if window::is_open(app)
        && let Err(error) = app.emit_to(window::LABEL, "engine", event)
    {
        tracing::debug!(%error, "an event did not reach the page");
    }
}
