//! A system call fails once, or a write is cut short: no panic, no hang, right words, nothing lost. Each fault is one start of
//! the engine in a world that goes on; it may refuse to start, with a sentence, and it may fail downloads, with the right
//! words. Without the fault everything comes in the end.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use ashore_tests::{
    fault::{self, Shim},
    machine::Machine,
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use crate::{
    goal::{Ask, Verdict},
    tally::{Tally, lanes},
    trace::{Becomes, has_happened, words},
    world::{Load, World},
};

/// Worlds at the same time: most of a life is waiting.
const AT_ONCE: usize = 6;
/// Lives in one world.
const LIVES: u64 = 12;
/// So long a life asks for more. It goes on until nothing moves any more.
const MOMENT: Duration = Duration::from_millis(300);

/// Calls of files with what they may fail with, and how often one thread of a life makes it at most. Those that are made of
/// more than files (`read`, `write`) are not among them: no clock and no waking of a thread ever fails with EIO. They, and reads at
/// a place, go wrong in the whole process once: SQLite has a thread for each connection, and a list that none of them can read is
/// another one than that which one of them could not.
const OF_FILES: &[(&str, &[&str], u32)] = &[
    ("openat", &["EIO", "ENOSPC", "EMFILE", "EACCES"], 100),
    ("pwrite64", &["EIO", "ENOSPC"], 60),
    ("pwrite64", &["EIO", "ENOSPC"], 12),
    ("fdatasync", &["EIO", "ENOSPC"], 4),
    ("fsync", &["EIO", "ENOSPC"], 16),
    ("syncfs", &["EIO", "ENOSPC"], 4),
    ("linkat", &["EIO", "ENOSPC", "EDQUOT"], 6),
    ("unlink", &["EIO", "EROFS"], 6),
    ("unlinkat", &["EIO"], 3),
    ("renameat", &["EIO", "ENOSPC"], 1),
    ("ftruncate", &["EIO", "ENOSPC"], 3),
    ("fallocate", &["EIO", "ENOSPC", "EOPNOTSUPP"], 1),
    ("fchmod", &["EIO", "EPERM"], 2),
    ("mkdir", &["ENOSPC", "EACCES"], 1),
    ("getdents64", &["EIO"], 40),
    ("statx", &["EIO"], 80),
    ("newfstatat", &["EIO"], 20),
    ("fstatfs", &["EIO"], 2),
    ("flock", &["EIO"], 1),
];
/// The same of the network and the machine.
const OF_OTHERS: &[(&str, &[&str], u32)] = &[
    ("socket", &["EMFILE", "ENOBUFS"], 10),
    ("connect", &["ENETUNREACH", "ECONNREFUSED"], 10),
    ("recvfrom", &["ECONNRESET", "EIO"], 60),
    ("sendto", &["EPIPE", "ENOBUFS"], 20),
    ("writev", &["EPIPE"], 10),
    ("clone3", &["EAGAIN"], 12),
];

/// Makes as many faults as asked for.
pub fn prove(ask: &Ask) -> Result<Verdict> {
    let tally = Tally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    Ok(tally.verdict(Vec::new()))
}

async fn turn(turn: u64, tally: Arc<Tally>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let machine = Machine::new();
    let place = machine.disk().to_owned();
    let shim = Shim::make(&place)?;
    let mut world = World::new(random.random(), Load::Light, machine).await.forgiving();
    let mut met = Vec::new();
    for life in 0..LIVES {
        if !tally.wants_more() {
            break;
        }
        let fault = Fault::draw(&mut random, &place.join(format!("fault-{life}")));
        world.start_under(fault.words(&shim));
        let what = format!("{} in life {life}", fault.what);
        let is_up = world.may_start().await.with_context(|| what.clone())?;
        if is_up {
            world.look_at_ledger().await.with_context(|| what.clone())?;
            world.live(MOMENT).await;
            world.rest().await.with_context(|| what.clone())?;
            ensure!(!world.has_died(), "{what}: the engine died of it: {}", world.log());
        }
        world.kill().await;
        ensure!(!world.log().contains("panicked"), "{what}: {}", world.log());
        world.look_at_disk().with_context(|| what.clone())?;
        if fault.has_happened() {
            met.push(what);
            tally.count(&format!("faults of {}", fault.call), 1);
            tally.count("starts were refused, with a sentence", u64::from(!is_up));
            tally.done(1);
        } else {
            tally.count("lives did not come to the call that was to fail", 1);
        }
    }
    world.start_under(Vec::<String>::new());
    world.finish().await.with_context(|| format!("after {}", met.join(", ")))?;
    for (code, count) in world.troubles() {
        tally.count(&format!("downloads failed or waited with {code}, and came in the end"), count);
    }
    Ok(())
}

/// One fault.
#[derive(Debug)]
struct Fault {
    call: &'static str,
    what: String,
    when: u32,
    kind: Kind,
    log: PathBuf,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Of a system call, in each thread that makes so many of them.
    Call(&'static str),
    /// Of the process.
    Once(fault::Fault),
}

impl Fault {
    fn draw(random: &mut StdRng, log: &Path) -> Self {
        let number = |random: &mut StdRng, most: u32| -> u32 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawn from 1 to a few hundred")]
            let drawn = random.random_range(0.0..f64::from(most).ln() + 0.01).exp().round() as u32;
            drawn
        };
        let log = log.to_owned();
        if random.random_bool(0.2) {
            let how = *["short", "EIO", "ENOSPC"].choose(random).unwrap_or(&"short");
            let when = number(random, 200);
            let kind = Kind::Once(fault::Fault::Write(how));
            return Self { call: "writes", what: format!("write {when}: {how}"), when, kind, log };
        }
        if random.random_bool(0.05) {
            let when = number(random, 120);
            return Self { call: "reads", what: format!("read {when}: EIO"), when, kind: Kind::Once(fault::Fault::Read), log };
        }
        let calls = if random.random_bool(0.85) { OF_FILES } else { OF_OTHERS };
        let (call, errors, most) = calls.choose(random).copied().unwrap_or(("write", &["EIO"], 1));
        let how = errors.choose(random).copied().unwrap_or("EIO");
        let when = number(random, most);
        Self { call, what: format!("{call} {when} fails with {how}"), when, kind: Kind::Call(how), log }
    }

    fn words(&self, shim: &Shim) -> Vec<String> {
        match self.kind {
            Kind::Call(how) => words(self.call, self.when, Becomes::Error(how), &self.log),
            Kind::Once(fault) => shim.words(fault, self.when, &self.log),
        }
    }

    fn has_happened(&self) -> bool {
        match self.kind {
            Kind::Call(_) => has_happened(&self.log),
            Kind::Once(_) => self.log.exists(),
        }
    }
}
