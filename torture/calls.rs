//! The engine is killed at its system calls: every kind that writes, syncs, names or removes, in a whole life with downloads
//! and uploads in it. Each death is followed by a start that is killed as well, and in the end everything comes, once, and
//! nothing that was durable comes again.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use ashore_tests::machine::Machine;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use crate::{
    goal::{Ask, Verdict},
    tally::{Tally, lanes},
    trace::{Becomes, words},
    world::{Load, World},
};

/// Worlds at the same time: most of a life is waiting.
const AT_ONCE: usize = 6;
/// Lives in one world.
const LIVES: u64 = 20;
/// So long a life waits for its death.
const MOMENT: Duration = Duration::from_secs(1);

/// The calls that change a disk, each as often as it deserves, and how often one thread of a life makes it at most.
const CALLS: &[(&str, u32)] = &[
    ("pwrite64", 40),
    ("pwrite64", 12),
    ("fdatasync", 3),
    ("fsync", 10),
    ("fsync", 4),
    ("write", 15),
    ("syncfs", 2),
    ("linkat", 6),
    ("unlink", 6),
    ("unlinkat", 1),
    ("ftruncate", 3),
    ("fallocate", 1),
    ("fchmod", 2),
    ("openat", 60),
];

/// Makes as many deaths as asked for.
pub fn prove(ask: &Ask) -> Result<Verdict> {
    let tally = Tally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    Ok(tally.verdict(Vec::new()))
}

async fn turn(turn: u64, tally: Arc<Tally>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let machine = Machine::new();
    let log = machine.disk().join("calls");
    let mut world = World::new(random.random(), Load::Light, machine).await;
    for _ in 0..LIVES {
        if !tally.wants_more() {
            break;
        }
        let (call, most) = CALLS.choose(&mut random).copied().unwrap_or(("write", 1));
        // Early ones as often as all the later ones of ten times the number.
        let when = random.random_range(0.0..f64::from(most).ln() + 0.01).exp().round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawn from 1 to a few hundred")]
        world.start_under(words(call, when as u32, Becomes::Death, &log));
        if world.may_start().await? {
            world.look_at_ledger().await?;
            world.live(MOMENT).await;
        }
        if world.has_died() {
            tally.count(&format!("deaths at {call}"), 1);
            tally.done(1);
        } else {
            tally.count(&format!("lives did not come to their deaths at {call}"), 1);
            world.kill().await;
        }
        world.look_at_disk()?;
    }
    world.start_under(Vec::<String>::new());
    world.finish().await?;
    tally.count("files came, each once, in the end", world.files());
    Ok(())
}
