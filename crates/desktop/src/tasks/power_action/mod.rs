//! Power action after the last download: nothing by default, suspend, or shut down.
//!
//! - A choice applies once and is stored only in memory, because a forgotten choice could shut down the machine days
//!   later.
//! - A countdown precedes the action. The window, the tray and a notification show it, and each of them can cancel it.

mod plan;

use std::time::Duration;

use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};

use ashore_messages::text;

use crate::{
    context::AppContext,
    notifications::{content, service},
    system::power_action::{
        logind,
        state::{PowerAction, PowerActionStatus},
    },
    tasks::{event_router, incoming_links},
};
use plan::PowerActionPlan;

/// Length of the countdown. The user can cancel the action until the countdown ends.
const COUNTDOWN: Duration = Duration::from_secs(60);

/// Interval in seconds between two updates of the countdown in the notification.
const STEP: u64 = 10;

/// Waits until all downloads have ended, counts down, and performs the chosen action.
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
        let would_change = plan.would_change(&known.borrow_and_update());
        // Read the status again before the countdown starts or stops. Events and totals may arrive in the wrong order,
        // which could start a countdown by mistake. If the status cannot be read, cancel a running countdown.
        if would_change && !event_router::read_glance(&shell).await && !plan.is_counting_down() {
            continue;
        }
        plan.look(&known.borrow_and_update(), Instant::now(), countdown());
        let due = plan.take_due(Instant::now());
        say_so(&shell, &mut told, plan.status(Instant::now())).await;
        if let Some(then) = due
            && let Err(trouble) = logind::send(then).await
        {
            tracing::warn!(trouble.text, "power action failed; the machine stays on");
            incoming_links::say_why(&shell, trouble);
        }
    }
}

/// Returns the text of the countdown; `None` if no countdown is running.
pub fn in_words(told: PowerActionStatus) -> Option<String> {
    let time = text!("span-seconds", seconds = told.seconds?);
    let id = match told.then {
        PowerAction::Nothing => return None,
        PowerAction::Sleep => "afterwards-sleeps",
        PowerAction::ShutDown => "afterwards-shuts-down",
    };
    Some(text!(id, time = time))
}

/// Reports a changed state to the window, the tray and the notification.
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
        // Show the window, because no notification service can show the countdown.
        shell.window.show();
    }
}

#[cfg(debug_assertions)]
fn countdown() -> Duration {
    // Tests can shorten the countdown with the variable `ASHORE_COUNTDOWN`.
    let seconds = std::env::var("ASHORE_COUNTDOWN").ok().and_then(|seconds| seconds.parse().ok());
    seconds.map_or(COUNTDOWN, Duration::from_secs)
}

#[cfg(not(debug_assertions))]
fn countdown() -> Duration {
    COUNTDOWN
}
