//! What comes after the last download: nothing, as usual, or the machine sleeps or goes off. It is chosen for once and lives in
//! memory alone: written down, it would switch off a machine next week, before somebody who has long forgotten it. It is counted
//! down before everybody's eyes, in window, tray and notification, and each of them can stop it.

mod logind;
mod plan;

use std::time::Duration;

use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};

use ashore_engine::UserMessage;

use crate::{
    context::AppContext,
    engine::event_router,
    i18n::catalogue::say,
    notifications::{content, service},
    system::incoming_links,
};
use plan::PowerActionPlan;
pub use plan::{PowerAction, PowerActionStatus};

/// How long somebody has to say no.
const COUNTDOWN: Duration = Duration::from_secs(60);

/// A notification that changed every second would be no calm one.
const STEP: u64 = 10;

/// The way to what comes afterwards.
#[derive(Debug)]
pub struct PowerActionWatch(mpsc::UnboundedSender<PowerAction>);

impl PowerActionWatch {
    /// Nothing is chosen; what is chosen is received by [`follow`].
    pub fn new() -> (Self, mpsc::UnboundedReceiver<PowerAction>) {
        let (choose, chosen) = mpsc::unbounded_channel();
        (Self(choose), chosen)
    }

    /// From now on it is this. Refused where the system would not do it.
    pub async fn choose(&self, then: PowerAction) -> Result<(), UserMessage> {
        logind::can(then).await?;
        // Nobody listens any more: Ashore ends.
        let _ = self.0.send(then);
        Ok(())
    }
}

/// Waits for the end of all, counts down, and does what was chosen.
pub async fn follow(shell: AppContext, mut chosen: mpsc::UnboundedReceiver<PowerAction>) {
    let mut known = shell.glance.follow();
    let mut plan = PowerActionPlan::default();
    let mut told = PowerActionStatus::default();
    loop {
        let next = plan.next(Instant::now());
        tokio::select! {
            then = chosen.recv() => match then {
                Some(then) => plan.choose(then, &known.borrow()),
                None => return,
            },
            changed = known.changed() => if changed.is_err() { return },
            () = async { sleep_until(next.unwrap_or_else(Instant::now)).await }, if next.is_some() => {}
        }
        let may_begin = plan.is_about_to_begin(&known.borrow_and_update());
        // What was paused a moment ago may be said after the sum that it has changed.
        if may_begin && !event_router::read_glance(&shell).await {
            continue;
        }
        plan.look(&known.borrow_and_update(), Instant::now(), countdown());
        let due = plan.take_due(Instant::now());
        say_so(&shell, &mut told, plan.status(Instant::now())).await;
        if let Some(then) = due
            && let Err(trouble) = logind::send(then).await
        {
            tracing::warn!(trouble.text, "the machine stays on");
            incoming_links::say_why(&shell, trouble);
        }
    }
}

/// What it comes to, in words; none where nothing is counted down.
pub fn in_words(told: PowerActionStatus) -> Option<String> {
    let time = say("span-seconds", &[("seconds", told.seconds?.into())]);
    let id = match told.then {
        PowerAction::Nothing => return None,
        PowerAction::Sleep => "afterwards-sleeps",
        PowerAction::ShutDown => "afterwards-shuts-down",
    };
    Some(say(id, &[("time", time.into())]))
}

/// Whoever can be seen says it.
async fn say_so(shell: &AppContext, told: &mut PowerActionStatus, now: PowerActionStatus) {
    if *told == now {
        return;
    }
    let begins = told.seconds.is_none() && now.seconds.is_some();
    *told = now;
    shell.glance.afterwards(now);
    shell.window.word("afterwards", &now);
    let shown = PowerActionStatus { seconds: now.seconds.map(|seconds| seconds.div_ceil(STEP) * STEP), ..now };
    shell.notifier.countdown(in_words(shown).map(content::countdown));
    if begins && !service::is_available().await {
        // Nobody else would say it.
        shell.window.show();
    }
}

#[cfg(debug_assertions)]
fn countdown() -> Duration {
    // A story that wants to see the end of it does not wait for a minute.
    let seconds = std::env::var("ASHORE_COUNTDOWN").ok().and_then(|seconds| seconds.parse().ok());
    seconds.map_or(COUNTDOWN, Duration::from_secs)
}

#[cfg(not(debug_assertions))]
fn countdown() -> Duration {
    COUNTDOWN
}
