//! Passes the engine's events to the page, the tray and the notifications.

use ashore_engine::{EngineEvent, ListQuery, ProgressTotals, Registration, SettingKey};
use ashore_rpc::MethodCall;

use crate::{
    context::AppContext,
    engine::{client::ClientNews, desktop_settings::DesktopSettings},
};

/// Maximum number of active registrations that are read to find the running ones.
const ACTIVE: u32 = 500;

/// Maximum number of attempts to read a consistent status.
const READINGS: u32 = 20;

/// Handles a notice from the engine connection.
pub fn on_client_news(shell: &AppContext, news: ClientNews) {
    match news {
        ClientNews::Opened => {
            shell.notifier.opened();
            // Make the page read the list again, because its data may be from another engine.
            shell.window.event(&EngineEvent::Lagged);
            tokio::spawn(follow_wishes(shell.clone()));
            refresh(shell);
        }
        ClientNews::Shut => {
            shell.glance.shut();
            shell.window.event(&EngineEvent::Lagged);
            // Open the window, because the page shows the reason and Ashore may have started hidden.
            shell.window.show();
        }
        ClientNews::Event(event) => {
            shell.glance.on_event(&event, shell.window.has_focus());
            match &event {
                EngineEvent::Settings => drop(tokio::spawn(follow_wishes(shell.clone()))),
                EngineEvent::Lagged => refresh(shell),
                _ => {}
            }
            shell.window.event(&event);
            shell.notifier.event(event);
        }
    }
}

fn refresh(shell: &AppContext) {
    let shell = shell.clone();
    tokio::spawn(async move { read_glance(&shell).await });
}

/// Reads the status for the tray and the taskbar. Reads again if an event arrives in the meantime.
///
/// Returns false after too many attempts or a failed call. The next event then updates the status.
pub async fn read_glance(shell: &AppContext) -> bool {
    for _ in 0..READINGS {
        let mark = shell.glance.mark();
        let query = ListQuery { active: Some(true), limit: ACTIVE, ..ListQuery::default() };
        let active = shell.door.ask::<Vec<Registration>>(MethodCall::List(query)).await;
        let (Ok(active), Ok(totals)) = (active, shell.door.ask::<ProgressTotals>(MethodCall::Totals).await) else { return false };
        if shell.glance.caught_up(mark, &active, active.len() < ACTIVE as usize, totals) {
            return true;
        }
    }
    false
}

/// Reads the settings, and applies the language and autostart. The notifier reads the settings itself.
async fn follow_wishes(shell: AppContext) {
    // Allow only one read at a time. Otherwise, a slow read could overwrite newer values with older ones.
    let _one_at_a_time = shell.reading.0.lock().await;
    let wishes = match DesktopSettings::read(&shell.door).await {
        Ok(wishes) => wishes,
        Err(trouble) => return tracing::warn!(trouble.text, "settings could not be read"),
    };
    if ashore_messages::set_language(&wishes.language) {
        shell.glance.touched();
    }
    shell.wished.are(wishes.clone());
    if !shell.login.apply(&shell.remembered, wishes.start_at_login) {
        let given_up = MethodCall::Set { key: SettingKey::StartAtLogin, value: None };
        if let Err(trouble) = shell.door.ask::<()>(given_up).await {
            tracing::warn!(trouble.text, "autostart setting could not be reset");
        }
    }
}
