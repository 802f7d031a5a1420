//! Crashes one user's machines and sync server at random moments, while the user adds, changes, moves and sends
//! downloads. In the end, all lists agree, and no download is lost or duplicated.
//!
//! - Each run is one crash: a kill, a kill at a failpoint of sync, or a power cut of the killed program's disk.
//! - Each turn (group of runs) has its own sync server and its own machines, which crash many times.
//! - `household` runs the programs, `person` simulates the user and records the acknowledged changes, and `judge`
//!   compares.
//! - The seed selects the actions and crashes. The timing of the machine decides which calls a crash interrupts. An
//!   interrupted call may or may not have had its effect.

mod household;
mod judge;
mod person;

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, Result};
use ashore_engine::failpoint::SYNC_POINTS;
use ashore_testkit::{tools::built, volume::PowerCut};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tokio::time::timeout;

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
};
use household::{MACHINES, SyncHousehold};
use person::SyncPerson;

/// Total number of crashes.
pub const RUNS: u64 = 1_000;
/// Number of crashes of one sync server and its machines together.
const DEATHS: u64 = 20;
/// Number of sync servers, each with its machines, that are tested in parallel. They mostly wait.
const AT_ONCE: usize = 4;
/// Maximum time from the start of the user's actions to a crash, in milliseconds.
const LOAD: u64 = 500;
/// Maximum time that the other programs continue without the crashed one, in milliseconds.
const OUTAGE: u64 = 150;
/// Time limit for a program to reach its failpoint.
const REACHED: Duration = Duration::from_secs(2);

/// Makes the requested number of crashes.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    built("ashore-sync-server")?;
    run_turns(&RunTally::new(ask), AT_ONCE, turn)
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let mut household = SyncHousehold::make(&mut random).await.context("the household was not set up")?;
    let initial_attempts = judge::attempts_of(&mut household, 0).await?;
    let mut person = SyncPerson::new(StdRng::seed_from_u64(random.random()), initial_attempts);
    for death in 0..DEATHS {
        if !tally.wants_more() {
            break;
        }
        let how = die(&mut household, &mut person, &mut random).await.with_context(|| format!("at death {death}"))?;
        tally.count(how, 1);
        tally.done(1);
    }
    judge::judge(&mut household, &person, &tally).await?;
    judge::judge_moves(&mut household, &person, &tally).await?;
    household.judge_server().await
}

/// Lets the user act until a program crashes. Then restarts that program, and returns the kind of crash.
async fn die(household: &mut SyncHousehold, person: &mut SyncPerson, random: &mut StdRng) -> Result<&'static str> {
    // The server crashes in 40 % of cases, and each of the three machines in 20 %.
    let victim = random.random_bool(0.6).then(|| random.random_range(0..MACHINES));
    let point = victim.filter(|_| random.random_bool(0.4)).map(|_| SYNC_POINTS[random.random_range(0..SYNC_POINTS.len())]);
    let cut = (point.is_none() && random.random_bool(0.5)).then(|| PowerCut::draw(random));
    let moment = Duration::from_millis(random.random_range(1..LOAD));
    let mut is_reached = false;
    if let (Some(machine), Some(point)) = (victim, point) {
        household.kill(machine).await;
        household.start_to_die_at(machine, point).await;
        let died = timeout(REACHED, person.act_until(household, |household| household.has_died(machine))).await;
        is_reached = died.is_ok();
        died.unwrap_or(Ok(()))?;
    } else {
        // The time limit may interrupt any call. This is intended.
        timeout(moment, person.act_until(household, |_| false)).await.unwrap_or(Ok(()))?;
    }
    match victim {
        Some(machine) => household.kill(machine).await,
        None => household.kill_server().await?,
    }
    if let Some(how) = cut {
        household.cut(victim, how)?;
    }
    let outage = Duration::from_millis(random.random_range(0..OUTAGE));
    timeout(outage, person.act_until(household, |_| false)).await.unwrap_or(Ok(()))?;
    match victim {
        Some(machine) => household.start(machine).await?,
        None => household.start_server(random).await?,
    }
    Ok(match (victim, cut) {
        (Some(_), Some(_)) => "power cuts of a machine",
        (None, Some(_)) => "power cuts of the server",
        (Some(_), None) if is_reached => "kills of a machine at a failpoint of sync",
        (Some(_), None) => "kills of a machine",
        (None, None) => "kills of the server",
    })
}
