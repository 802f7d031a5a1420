//! What the engine says, to those in the shell who listen: the page while there is one, the tray, the notifications.

use ashore_engine::{EngineEvent, ListQuery, ProgressTotals, Registration};
use ashore_rpc::MethodCall;

use crate::{
    context::AppContext,
    engine::{client::ClientNews, desktop_settings::DesktopSettings},
    i18n::catalogue,
    system::autostart,
};

/// So many of what is not settled are looked at for those that run.
const ACTIVE: u32 = 500;

/// So often it is read at most.
const READINGS: u32 = 20;

/// Whose turn it is to read what is wanted.
#[derive(Debug, Default)]
pub struct RouterState(tokio::sync::Mutex<()>);

/// Something came through the door.
pub fn on_client_news(shell: &AppContext, news: ClientNews) {
    match news {
        ClientNews::Opened => {
            shell.notifier.opened();
            // The page reads the list again; what it had may be another engine's.
            shell.window.event(&EngineEvent::Lagged);
            tokio::spawn(follow_wishes(shell.clone()));
            refresh(shell);
        }
        ClientNews::Shut => {
            shell.glance.shut();
            shell.window.event(&EngineEvent::Lagged);
            // The page says why, and a person who started it hidden should know.
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

/// Reads what can be seen without the window: again, where something happens meanwhile. Where something always does, what
/// happens next says it, and this is false.
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

/// Reads what is wanted of the desktop, for the window and for the next login. The notifier reads it in its own turn.
async fn follow_wishes(shell: AppContext) {
    // One after the other, so that the last that was read is the last that was wanted.
    let _one_at_a_time = shell.reading.0.lock().await;
    let wishes = match DesktopSettings::read(&shell.door).await {
        Ok(wishes) => wishes,
        Err(trouble) => return tracing::warn!(trouble.text, "the settings were not read"),
    };
    if catalogue::speak(&wishes.language) {
        shell.glance.touched();
    }
    shell.wished.are(wishes.clone());
    autostart::follow(&shell, wishes.start_at_login).await;
}
