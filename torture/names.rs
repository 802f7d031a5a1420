//! Names that servers, people and addresses give, made of kept ones by turning bits, cutting, mixing, and putting in what
//! attacks are made of: whatever comes of one stays in its folder, and has nothing in it that hides or deceives. The property is
//! the one that stands beside the code (`fuzz list`).

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

use anyhow::{Context, Result};
use ashore_fuzz::{Mutants, corpus, property};

use crate::{
    goal::{Ask, Verdict},
    tally::Tally,
};

/// What is tried.
const PROPERTY: &str = "names";
/// So many are made before they are counted.
const BATCH: usize = 1_000;

/// Tries as many names as asked for, on every core.
pub fn prove(ask: &Ask) -> Result<Verdict> {
    let tally = Tally::new(ask);
    let seeds = corpus(PROPERTY)?;
    let cores = if ask.turn.is_some() { 1 } else { thread::available_parallelism().map_or(1, |cores| cores.get() as u64) };
    let holds = property(PROPERTY).with_context(|| format!("{PROPERTY} is a property"))?;
    thread::scope(|scope| {
        for core in 0..cores {
            let (tally, seeds) = (tally.clone(), seeds.clone());
            let lane = ask.turn.unwrap_or(core);
            scope.spawn(move || try_all(&tally, lane, Mutants::new(seeds, tally.seed(lane)), holds));
        }
    });
    Ok(tally.verdict(Vec::new()))
}

fn try_all(tally: &Arc<Tally>, lane: u64, mut names: Mutants, holds: fn(&[u8])) {
    while tally.wants_more() {
        for name in names.by_ref().take(BATCH) {
            if catch_unwind(AssertUnwindSafe(|| holds(&name))).is_err() {
                tally.wrong(lane, &format!("it does not hold of {:?}", String::from_utf8_lossy(&name)));
            }
        }
        tally.done(BATCH as u64);
    }
}
