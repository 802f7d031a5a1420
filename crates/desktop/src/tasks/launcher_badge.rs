//! Updates the badge of Ashore's entry in docks and taskbars.
//!
//! The badge shows the total progress, the number of running downloads, and whether the window needs attention. A
//! signal on the session bus sets the badge. Without a receiver, the signal has no effect.

use std::{collections::HashMap, time::Duration};

use tokio::{sync::watch, time::sleep};
use zbus::{Connection, zvariant::Value};

use crate::engine::status::StatusSnapshot;

/// Minimum time between two updates of the badge. More frequent updates would waste processor time.
const PACE: Duration = Duration::from_secs(1);

/// Desktop file that identifies the entry in docks and taskbars.
const ENTRY: &str = "application://Ashore.desktop";
const PATH: &str = "/org/ashore/Ashore/LauncherEntry";
const INTERFACE: &str = "com.canonical.Unity.LauncherEntry";

/// Content of the badge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Badge {
    /// Progress of all running downloads, if all their sizes are known.
    percent: Option<u8>,
    running: u32,
    is_urgent: bool,
}

/// Updates the badge after every change of the status.
pub async fn follow(mut told: watch::Receiver<StatusSnapshot>) {
    let (mut bus, mut shown) = (None, Badge::default());
    while told.changed().await.is_ok() {
        let wanted = Badge::from_status(&told.borrow_and_update());
        if wanted == shown {
            continue;
        }
        if let Err(error) = send_badge(&mut bus, wanted).await {
            tracing::debug!(%error, "launcher badge could not be updated");
            bus = None;
        }
        shown = wanted;
        sleep(PACE).await;
    }
}

async fn send_badge(bus: &mut Option<Connection>, badge: Badge) -> zbus::Result<()> {
    if bus.is_none() {
        *bus = Some(Connection::session().await?);
    }
    let Some(bus) = bus else { return Ok(()) };
    let properties: HashMap<&str, Value<'_>> = HashMap::from([
        ("progress", Value::from(f64::from(badge.percent.unwrap_or_default()) / 100.0)),
        ("progress-visible", Value::from(badge.percent.is_some())),
        ("count", Value::from(i64::from(badge.running))),
        ("count-visible", Value::from(badge.running > 0)),
        ("urgent", Value::from(badge.is_urgent)),
    ]);
    bus.emit_signal(None::<&str>, PATH, INTERFACE, "Update", &(ENTRY, properties)).await
}

impl Badge {
    fn from_status(known: &StatusSnapshot) -> Self {
        let running = u32::try_from(known.running.len()).unwrap_or(u32::MAX);
        let percent = known.sum().map(|(there, whole)| u128::from(there.min(whole)) * 100 / u128::from(whole));
        let percent = percent.and_then(|percent| u8::try_from(percent).ok());
        Self { percent, running, is_urgent: known.wants_attention() }
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::{EngineEvent, ProgressTotals, Registration, RegistrationResult, RegistrationState};

    use super::*;
    use crate::engine::status::EngineStatus;
    use crate::notifications::content::tests::registration;

    #[test]
    fn badge_shows_share_of_all_running_downloads_and_disappears_when_idle() {
        let glance = EngineStatus::new();
        let shown = || Badge::from_status(&glance.follow().borrow());
        let other = Registration {
            unique_id: "6a2ab1c0-1111-4222-8333-444455556667".parse().unwrap(),
            downloaded: 0,
            expected_total: 800_000_000,
            ..registration()
        };
        glance.has(&[registration(), other.clone()], ProgressTotals::default());
        assert_eq!(shown(), Badge { percent: Some(62), running: 2, is_urgent: false });
        let event = |registration| EngineEvent::Changed { registration: Box::new(registration) };
        glance.on_event(&event(Registration { expected_total: 0, ..other.clone() }), false);
        assert_eq!(shown(), Badge { percent: None, running: 2, is_urgent: false }, "the total size is unknown");
        let failed = Registration { state: RegistrationState::Settled, result: RegistrationResult::Failure, ..other };
        glance.on_event(&event(failed), false);
        assert_eq!(shown(), Badge { percent: Some(73), running: 1, is_urgent: true });
        glance.seen();
        glance.on_event(&EngineEvent::Removed { unique_id: registration().unique_id, owner: "window".to_owned() }, false);
        assert_eq!(shown(), Badge::default());
    }
}
