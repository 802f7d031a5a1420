//! Removes settled registrations of `ashore serve` from a list that no window shows. Called by `serve`.
//!
//! The time-to-live period of a settled registration begins when the user is notified. Without a desktop, nothing
//! notifies the user. Therefore `serve` claims a notification (marks it as shown) if no program has claimed it within
//! one such period. After a second period, the registration leaves the list. A desktop that starts before the claim
//! still notifies the user.

use std::{collections::BTreeSet, future::pending, time::Duration};

use ashore_engine::{Engine, EngineEnv, EngineEvent, Registration, UniqueId};
use ashore_terminal::TerminalOutput;

use crate::output::words::words;

/// Maximum time between two readings of the clock, so that a clock change or a suspend is noticed.
const LOOK_AGAIN: Duration = Duration::from_secs(3600);

/// Claims overdue notifications (marks them as shown) until the engine closes.
pub async fn run_retention(engine: &Engine, out: TerminalOutput) {
    let mut events = engine.events();
    let mut owed = Owed::default();
    owed.read(engine, out).await;
    loop {
        let now = (EngineEnv::default().now_us)().div_euclid(1000);
        for id in owed.take_overdue(now) {
            if let Err(error) = engine.claim(id).await {
                out.print_line(words!("cli-serve-kept", id = id.to_string(), why = error.message()));
            }
        }
        tokio::select! {
            event = events.next() => match event {
                Some(EngineEvent::Owed { registration }) => owed.add(&registration),
                // Read all registrations again, because the time to live may have changed or an event may be missing.
                Some(EngineEvent::Settings | EngineEvent::Lagged) => owed.read(engine, out).await,
                Some(_) => {}
                None => return,
            },
            () = sleep(owed.wait(now)) => {}
        }
    }
}

/// Settled registrations whose notification no program has claimed, sorted by expiry in milliseconds of Unix time.
#[derive(Debug, Default)]
struct Owed(BTreeSet<(i64, UniqueId)>);

impl Owed {
    async fn read(&mut self, engine: &Engine, out: TerminalOutput) {
        match engine.pending_notifications().await {
            Ok(owed) => {
                self.0.clear();
                owed.iter().for_each(|one| self.add(one));
            }
            Err(error) => out.print_line(words!("cli-serve-kept.all", why = error.message())),
        }
    }

    /// Adds the expiry of `one`. Does nothing if the registration never expires.
    fn add(&mut self, one: &Registration) {
        self.0.extend(one.expires.map(|expires| (expires, one.unique_id)));
    }

    fn take_overdue(&mut self, now: i64) -> Vec<UniqueId> {
        let mut overdue = Vec::new();
        while let Some((_, id)) = self.0.first().copied().filter(|(expires, _)| *expires <= now) {
            self.0.pop_first();
            overdue.push(id);
        }
        overdue
    }

    /// Returns the time until the first notification is due, at most [`LOOK_AGAIN`]; `None` if none is pending.
    fn wait(&self, now: i64) -> Option<Duration> {
        let (first, _) = self.0.first()?;
        Some(Duration::from_millis(first.saturating_sub(now).max(0).unsigned_abs()).min(LOOK_AGAIN))
    }
}

async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_notification_is_claimed_once_when_it_becomes_overdue() {
        let id: UniqueId = serde_json::from_str("\"93ff2eaf-e41f-45ef-baba-5bbdbe112a19\"").unwrap();
        let mut owed = Owed(BTreeSet::from([(100, id), (200, id)]));
        assert_eq!((owed.take_overdue(99).len(), owed.wait(99)), (0, Some(Duration::from_millis(1))));
        assert_eq!((owed.take_overdue(100).len(), owed.take_overdue(100).len()), (1, 0));
        assert_eq!(owed.wait(1_000), Some(Duration::ZERO), "the time has passed");
        assert_eq!((owed.take_overdue(i64::MAX).len(), owed.wait(0)), (1, None));
    }
}
