//! Scripts of steps for power-cut tests, and the points where the power is cut.

use ashore_testkit::origin::Body;
use sha2::{Digest, Sha256};

/// Developer id of the registration in every script.
pub const NAME: &str = "story";

/// File on a script's server.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// Path on the server.
    pub path: &'static str,
    /// Seed and size of the content.
    pub body: (u64, u64),
    /// Behaviour of the server for this file.
    pub kind: Kind,
}

/// Behaviour of the server for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No special behaviour.
    Plain,
    /// The server pauses at this byte until a step releases the body.
    Gated(u64),
    /// The server does not state the length.
    Chunked,
    /// The server redirects to the file.
    Elsewhere,
    /// The server names the file `named.bin`.
    Named,
    /// The server states no validators and pauses in the middle of the body.
    Unvouched,
    /// The server answers 404 until a step makes it serve the file.
    Missing,
    /// The connection is reset once, after half of the body.
    Reset,
    /// The file is a checksum file for the content with this seed and size. The server sends it only after a step
    /// releases the answer.
    Sums,
    /// The server accepts an upload, and sends the file as the body of its answer.
    Taker,
}

/// Step of a script. After a power cut, a step may be repeated, as a user or a program would.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Adds all files of the script as one registration.
    Add,
    /// Adds all files, and declares the total size of the download in bytes.
    Declare(u64),
    /// Waits until the server pauses the body of this file.
    Held(&'static str),
    /// Waits until the unfinished file has some durable bytes.
    Durable,
    /// Releases the body of this file.
    Release(&'static str),
    /// Serves new content for this file in all later answers.
    Replace(&'static str, u64),
    /// Makes the server serve this file in all later answers.
    Mend(&'static str),
    /// Waits until this number of files is complete.
    Succeeded(u64),
    Pause,
    PauseAll,
    /// Waits until the registration is paused and no request runs.
    Rests,
    Resume,
    ResumeAll,
    First,
    /// Sets the total speed limit and the speed limit of the registration.
    Limit,
    Abort,
    Retry,
    /// Removes the registration with its files.
    Remove,
    RemoveOwner,
    /// Sets the retention time of finished registrations to one second. Waits until the registration has left the list.
    Forget,
    /// Waits until the registration is settled.
    Settled,
    /// Retries an interrupted upload, which is never repeated automatically.
    SendAgain,
    /// Claims the end event of the registration.
    Claim,
    /// Cuts the power and starts again.
    Restart,
}

/// Test script.
#[derive(Clone, Debug)]
pub struct Script {
    /// Files that the server offers.
    pub shelf: Vec<Shelf>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// Partial files that remain after a failed download, for a retry.
    pub kept: &'static [&'static str],
}

impl Script {
    /// Returns the script of this name.
    pub fn named(name: &str) -> Self {
        use Kind::{Chunked, Elsewhere, Gated, Missing, Named, Plain, Reset, Sums, Taker, Unvouched};
        use Step::{
            Abort, Add, Claim, Declare, Durable, First, Forget, Held, Limit, Mend, Pause, PauseAll, Release, Remove, RemoveOwner,
            Replace, Restart, Rests, Resume, ResumeAll, Retry, SendAgain, Settled, Succeeded,
        };
        let gated = || shelf("/long.bin", 3, 2 * MIB + 17, Gated(MIB + 5));
        let quick = || shelf("/quick.bin", 4, MIB + 200_001, Plain);
        let (shelf, steps) = match name {
            "one" => (vec![shelf("/one.bin", 1, MIB + 11, Plain)], vec![Add, Settled]),
            "several" => (
                vec![
                    shelf("/empty.bin", 10, 0, Plain),
                    shelf("/chunked.bin", 11, 300_000, Chunked),
                    shelf("/elsewhere.bin", 12, MIB + 120_000, Elsewhere),
                    shelf("/disposed", 13, MIB + 90_000, Named),
                    shelf("/missing.bin", 14, 10, Missing),
                    shelf("/plain.bin", 15, MIB + 70_000, Plain),
                ],
                vec![Add, Settled],
            ),
            "small" => (SMALL.iter().map(|(path, size)| shelf(path, *size, *size, Plain)).collect(), vec![Add, Settled]),
            "long" => (vec![gated()], vec![Add, Held("/long.bin"), Durable, Release("/long.bin"), Settled]),
            "resumed" => (vec![gated()], vec![Add, Held("/long.bin"), Durable, Restart, Release("/long.bin"), Settled, Restart]),
            "unvouched" => (
                vec![shelf("/unvouched.bin", 5, 2 * MIB, Unvouched)],
                vec![Add, Held("/unvouched.bin"), Durable, Restart, Release("/unvouched.bin"), Settled],
            ),
            "changed" => (
                vec![gated()],
                vec![Add, Held("/long.bin"), Durable, Replace("/long.bin", 33), Restart, Release("/long.bin"), Settled],
            ),
            "paused" => (
                vec![gated(), quick()],
                vec![
                    Add,
                    Held("/long.bin"),
                    Durable,
                    Succeeded(1),
                    Pause,
                    Rests,
                    Restart,
                    Rests,
                    First,
                    Release("/long.bin"),
                    Resume,
                    Settled,
                ],
            ),
            "all-paused" => (
                vec![gated()],
                vec![Add, Held("/long.bin"), Durable, PauseAll, Rests, Restart, Rests, Release("/long.bin"), ResumeAll, Settled],
            ),
            "limited" => (vec![gated()], vec![Add, Held("/long.bin"), Durable, Limit, Release("/long.bin"), Settled, Restart]),
            "aborted" => (vec![gated(), quick()], vec![Add, Held("/long.bin"), Durable, Succeeded(1), Abort, Settled, Restart]),
            "retried" => (
                vec![shelf("/missing.bin", 6, 500_000, Missing), quick()],
                vec![Add, Settled, Mend("/missing.bin"), Retry, Settled],
            ),
            "again" => (vec![shelf("/reset.bin", 7, 2 * MIB, Reset)], vec![Add, Settled]),
            "removed" => (vec![gated(), quick()], vec![Add, Held("/long.bin"), Durable, Succeeded(1), Remove, Restart]),
            "owner" => (vec![gated(), quick()], vec![Add, Held("/long.bin"), Durable, Succeeded(1), RemoveOwner, Restart]),
            "claimed" => (vec![quick()], vec![Add, Settled, Claim, Restart]),
            "forgotten" => (vec![quick()], vec![Add, Settled, Claim, Forget, Restart]),
            "upload" => (vec![shelf("/taker.bin", 8, 250_000, Taker)], vec![Add, Settled, SendAgain, Restart]),
            "declared" => (
                // The server states no length, so bytes are fetched up to the declared total.
                vec![shelf("/much.bin", 9, MIB, Chunked)],
                vec![Declare(400_000), Settled, Restart],
            ),
            "vouched" | "belied" => (
                vec![
                    shelf("/vouched.bin", 40, 300_000, Plain),
                    shelf("/vouched.bin.sha256", if name == "vouched" { 40 } else { 41 }, 300_000, Sums),
                ],
                vec![Add, Succeeded(1), Release("/vouched.bin.sha256"), Settled, Restart],
            ),
            other => panic!("there is no story {other}"),
        };
        let kept: &[&str] = if name == "declared" { &["much.bin.TAG.part", "much.bin.TAG.part.ashore"] } else { &[] };
        Self { shelf, steps, kept }
    }
}

const MIB: u64 = 1 << 20;

/// Files that get their final names in one batch.
const SMALL: [(&str, u64); 7] = [
    ("/0.bin", 0),
    ("/1.bin", 1),
    ("/2.bin", 2_000),
    ("/3.bin", 30_000),
    ("/4.bin", 40_000),
    ("/5.bin", 50_000),
    ("/6.bin", 60_000),
];

fn shelf(path: &'static str, seed: u64, size: u64, kind: Kind) -> Shelf {
    Shelf { path, body: (seed, size), kind }
}

impl Shelf {
    /// Returns the content of the file.
    pub fn content(&self) -> Body {
        let body = Body::seeded(self.body.0, self.body.1);
        match self.kind {
            Kind::Sums => Body::bytes(format!("{}\n", hex::encode(Sha256::digest(body.slice(0, body.length()))))),
            _ => body,
        }
    }
}

/// Each entry has a script, the number of the first start that may be killed, and a failpoint. If a failpoint is
/// reached several times, a number after it selects one of these times.
pub const CUTS: &[(&str, u32, &str)] = &[
    // Failpoints during the first start of the engine.
    ("one", 1, "engine.locked"),
    ("one", 1, "engine.ledger-opened"),
    ("one", 1, "engine.start-settled"),
    // Failpoints while a registration is created.
    ("one", 1, "engine.create-before-commit"),
    ("long", 1, "engine.create-before-commit"),
    ("one", 1, "engine.created"),
    ("long", 1, "engine.created"),
    ("upload", 1, "engine.create-bodies-copied"),
    // Failpoints while a request is dispatched.
    ("one", 1, "engine.activated-before-commit"),
    ("one", 1, "engine.activated"),
    ("one", 1, "engine.started"),
    ("several", 1, "engine.started:3"),
    // Failpoints of a small file, from its first byte until it gets its final name.
    ("one", 1, "transfer.started"),
    ("one", 1, "transfer.request-sent"),
    ("one", 1, "transfer.head-received"),
    ("one", 1, "transfer.part-created"),
    ("one", 1, "transfer.head-told"),
    ("one", 1, "engine.head-before-write"),
    ("one", 1, "engine.news-before-commit"),
    ("one", 1, "engine.news-written"),
    ("one", 1, "transfer.first-bytes"),
    ("one", 1, "transfer.all-bytes"),
    ("one", 1, "transfer.digest-checked"),
    ("one", 1, "transfer.head-stored"),
    ("one", 1, "transfer.final-sync"),
    ("one", 1, "transfer.before-place"),
    ("one", 1, "transfer.linked"),
    ("one", 1, "transfer.placed"),
    ("one", 1, "transfer.before-done"),
    // Completion of the small file in the ledger, and the clean-up.
    ("one", 1, "engine.completed-before-write"),
    ("one", 1, "engine.news-before-commit:2"),
    ("one", 1, "engine.news-written:2"),
    ("one", 1, "engine.settled"),
    ("one", 1, "engine.owed-told"),
    ("one", 1, "transfer.before-remove"),
    ("one", 1, "transfer.journal-removed"),
    ("one", 1, "transfer.part-removed"),
    ("one", 1, "transfer.removed"),
    // Failpoints while several files are downloaded at the same time.
    ("several", 1, "transfer.part-created:2"),
    ("several", 1, "engine.head-before-write:3"),
    ("several", 1, "engine.completed-before-write:3"),
    ("several", 1, "engine.failed-before-write"),
    ("several", 1, "engine.news-written:3"),
    ("several", 1, "transfer.linked:2"),
    ("several", 1, "transfer.placed:4"),
    ("several", 1, "transfer.removed:3"),
    ("several", 1, "engine.settled"),
    // Failpoints of small files that get their final names in one batch.
    ("small", 1, "engine.activated-before-commit"),
    ("small", 1, "engine.activated-before-commit:2"),
    ("small", 1, "engine.activated:2"),
    ("small", 1, "engine.started:5"),
    ("small", 1, "transfer.head-received:2"),
    ("small", 1, "transfer.head-told:3"),
    ("small", 1, "engine.head-before-write:4"),
    ("small", 1, "transfer.head-stored:3"),
    ("small", 1, "transfer.batch-written"),
    ("small", 1, "transfer.batch-synced"),
    ("small", 1, "transfer.batch-linked"),
    ("small", 1, "transfer.batch-linked:2"),
    ("small", 1, "transfer.batch-placed"),
    ("small", 1, "transfer.batch-placed:2"),
    ("small", 1, "transfer.before-done:2"),
    ("small", 1, "engine.completed-before-write:3"),
    ("small", 1, "engine.news-before-commit:3"),
    ("small", 1, "engine.news-written:3"),
    ("small", 1, "transfer.batch-forgets"),
    ("small", 1, "transfer.batch-forgets:3"),
    ("small", 1, "transfer.removed:3"),
    ("small", 1, "engine.settled"),
    ("small", 1, "engine.owed-told"),
    // Checkpoints.
    ("long", 1, "transfer.before-data-sync"),
    ("long", 1, "transfer.after-data-sync"),
    ("long", 1, "transfer.journal-created"),
    ("long", 1, "transfer.journal-slot-written"),
    ("long", 1, "transfer.journal-synced"),
    ("long", 1, "transfer.journal-in-folder"),
    ("long", 1, "transfer.checkpointed"),
    ("long", 1, "transfer.final-sync"),
    ("long", 1, "transfer.linked"),
    ("long", 1, "transfer.placed"),
    ("long", 1, "transfer.before-done"),
    ("long", 1, "transfer.journal-removed"),
    ("long", 1, "transfer.part-removed"),
    // Failpoints during the second start of the engine, with an existing partial file.
    ("resumed", 2, "engine.locked"),
    ("resumed", 2, "engine.ledger-opened"),
    ("resumed", 2, "engine.disk-surveyed"),
    ("resumed", 2, "engine.mended"),
    ("resumed", 2, "engine.deletions-finished"),
    ("resumed", 2, "engine.start-settled"),
    ("resumed", 2, "engine.started"),
    ("resumed", 2, "transfer.resume-asked"),
    ("resumed", 2, "transfer.resume-judged"),
    ("resumed", 2, "transfer.overlap-checked"),
    ("resumed", 2, "transfer.placed"),
    ("unvouched", 2, "transfer.overlap-checked"),
    // Failpoints after the file has changed on the server.
    ("changed", 2, "transfer.set-aside"),
    ("changed", 2, "transfer.claim-dropped"),
    ("changed", 2, "transfer.part-created"),
    ("changed", 2, "transfer.head-told"),
    ("changed", 2, "transfer.final-sync"),
    ("changed", 2, "transfer.aside-removed"),
    // Pausing.
    ("paused", 1, "engine.pause-before-commit"),
    ("paused", 1, "engine.pause-written"),
    ("paused", 1, "engine.back-before-write"),
    ("paused", 2, "engine.mended"),
    ("paused", 2, "engine.pause-before-commit"),
    ("paused", 2, "engine.pause-written"),
    ("all-paused", 1, "engine.pause-written"),
    ("all-paused", 2, "engine.pause-before-commit"),
    // Failpoints while speed limits are set. The total limit is set first.
    ("limited", 1, "engine.limit-before-commit"),
    ("limited", 1, "engine.limit-before-commit:2"),
    ("limited", 1, "engine.limit-written"),
    ("limited", 1, "engine.limit-written:2"),
    ("limited", 1, "engine.quota-before-commit"),
    ("limited", 1, "engine.quota-written"),
    // Aborting.
    ("aborted", 1, "engine.abort-before-commit"),
    ("aborted", 1, "engine.aborted"),
    ("aborted", 1, "transfer.before-remove:2"),
    ("aborted", 1, "transfer.journal-removed:2"),
    ("aborted", 1, "transfer.part-removed:2"),
    // Failpoints while a request fails and is retried.
    ("retried", 1, "engine.failed-before-write"),
    ("retried", 1, "engine.retry-before-commit"),
    ("retried", 1, "engine.settled:2"),
    ("again", 1, "engine.back-before-write"),
    ("again", 1, "engine.woken-before-commit"),
    // Removing.
    ("removed", 1, "engine.remove-before-commit"),
    ("removed", 1, "engine.removed"),
    ("removed", 1, "engine.delete-partials-gone"),
    ("removed", 1, "engine.delete-chunk-gone"),
    ("removed", 1, "engine.file-gone"),
    ("owner", 1, "engine.remove-owner-before-commit"),
    ("owner", 1, "engine.delete-partials-gone"),
    // Failpoints while the end event is claimed.
    ("claimed", 1, "engine.claim-before-commit"),
    ("claimed", 1, "engine.claimed"),
    ("forgotten", 1, "engine.forget-before-commit"),
    ("forgotten", 1, "engine.forgotten"),
    // Uploading.
    ("upload", 1, "engine.started"),
    ("upload", 1, "transfer.upload-begun"),
    ("upload", 1, "transfer.upload-answered"),
    ("upload", 1, "transfer.placed"),
    ("upload", 1, "engine.completed-before-write"),
    ("upload", 1, "engine.settled"),
    // Failpoints with a checksum file that arrives after its file and matches it.
    ("vouched", 1, "transfer.batch-placed"),
    ("vouched", 1, "engine.completed-before-write:2"),
    ("vouched", 1, "engine.settled"),
    // Failpoints with a checksum file that does not match its file.
    ("belied", 1, "transfer.batch-placed"),
    ("belied", 1, "engine.completed-before-write"),
    ("belied", 1, "engine.completed-before-write:2"),
    ("belied", 1, "engine.wrong-written"),
    ("belied", 1, "engine.file-gone"),
    ("belied", 1, "engine.settled"),
    // Failpoints with a file that has more bytes than the declared total.
    ("declared", 1, "engine.failed-before-write"),
    ("declared", 1, "engine.settled"),
];
