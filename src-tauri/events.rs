//! What the engine says, to those in the shell who listen: the page while there is one, the tray, the notifications.

use ashore_engine::{Event, ListQuery, Registration, State, Totals};
use ashore_rpc::Call;
use tauri::{AppHandle, Emitter, Manager};

use crate::{
    catalogue,
    door::{Door, News},
    glance::Glance,
    login,
    notifier::Notifier,
    window,
    wishes::{Wished, Wishes},
};

/// So many of what is not settled are looked at for those that run.
const ACTIVE: u32 = 500;

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
            read_glance(app);
        }
        News::Shut => {
            app.state::<Glance>().shut();
            tell_page(app, &Event::Lagged);
            // The page says why, and a person who started it hidden should know.
            window::show(app);
        }
        News::Event(event) => {
            let is_end = matches!(&event, Event::Changed { registration } if registration.state == State::Settled);
            // Asked of the main thread, so only where it matters.
            app.state::<Glance>().heard(&event, is_end && window::has_focus(app));
            match &event {
                Event::Settings => follow_wishes(app),
                Event::Lagged => read_glance(app),
                _ => {}
            }
            tell_page(app, &event);
            app.state::<Notifier>().event(event);
        }
    }
}

/// Reads what can be seen without the window.
fn read_glance(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let (door, glance) = (app.state::<Door>(), app.state::<Glance>());
        let query = ListQuery { active: Some(true), limit: ACTIVE, ..ListQuery::default() };
        if let Ok(active) = door.ask::<Vec<Registration>>(Call::List(query)).await {
            let is_all = active.len() < ACTIVE as usize;
            glance.read(&active, is_all);
        }
        if let Ok(totals) = door.ask::<Totals>(Call::Totals).await {
            glance.totals(totals);
        }
    });
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
        if catalogue::speak(&wishes.language) {
            app.state::<Glance>().touched();
        }
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
