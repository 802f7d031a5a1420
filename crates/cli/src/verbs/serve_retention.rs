//! Retention of `ashore serve` for a list without a window. Called by `serve`.
//!
//! The time to live of what is over begins when a person was told of its end, and without a desktop nobody tells it. So an end
//! that nobody claimed within that whole time is claimed here, and its entry leaves the list when the time has passed once more.
//! A desktop that comes within the first of the two times still tells it.

use std::{collections::BTreeSet, future::pending, time::Duration};

use ashore_engine::{Engine, EngineEnv, EngineEvent, Registration, UniqueId};
use ashore_terminal::TerminalOutput;

/// A clock that was set, and a machine that slept, are noticed after this at the latest.
const LOOK_AGAIN: Duration = Duration::from_secs(3600);

/// Claims ends whose time has passed, until the engine closes.
pub async fn run_retention(engine: &Engine, out: TerminalOutput) {
    let mut events = engine.events();
    let mut owed = Owed::default();
    owed.read(engine, out).await;
    loop {
        let now = (EngineEnv::default().now_us)().div_euclid(1000);
        for id in owed.take_overdue(now) {
            if let Err(error) = engine.claim(id).await {
                out.print_line(format_args!("{id} stays in the list although its time has passed: {error}"));
            }
        }
        tokio::select! {
            event = events.next() => match event {
                Some(EngineEvent::Owed { registration }) => owed.add(&registration),
                // Times may be others, or something was missed.
                Some(EngineEvent::Settings | EngineEvent::Lagged) => owed.read(engine, out).await,
                Some(_) => {}
                None => return,
            },
            () = sleep(owed.wait(now)) => {}
        }
    }
}

/// Ends that are owed to a person, by when their time has passed, in milliseconds of Unix time.
#[derive(Debug, Default)]
struct Owed(BTreeSet<(i64, UniqueId)>);

impl Owed {
    async fn read(&mut self, engine: &Engine, out: TerminalOutput) {
        match engine.pending_notifications().await {
            Ok(owed) => {
                self.0.clear();
                owed.iter().for_each(|one| self.add(one));
            }
            Err(error) => out.print_line(format_args!("What has ended stays in the list for now: {error}")),
        }
    }

    /// Remembers when `one` expires. A registration that is kept for good has no such time.
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

    /// How long until the first is overdue; none where nothing is owed.
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
    fn owed_end_is_taken_once_when_its_time_has_passed() {
        let id: UniqueId = serde_json::from_str("\"93ff2eaf-e41f-45ef-baba-5bbdbe112a19\"").unwrap();
        let mut owed = Owed(BTreeSet::from([(100, id), (200, id)]));
        assert_eq!((owed.take_overdue(99).len(), owed.wait(99)), (0, Some(Duration::from_millis(1))));
        assert_eq!((owed.take_overdue(100).len(), owed.take_overdue(100).len()), (1, 0));
        assert_eq!(owed.wait(1_000), Some(Duration::ZERO), "the clock went on");
        assert_eq!((owed.take_overdue(i64::MAX).len(), owed.wait(0)), (1, None));
    }
}
