//! Names the points of this crate at which a test may kill the process. Release builds ignore these points.

/// All failpoints of this crate: first the steps of the start in order, then API calls, then the loop.
///
/// `ashore_transfer` has its own list.
pub const POINTS: &[&str] = &[
    "engine.locked",
    "engine.damaged-set-aside",
    "engine.copy-restored",
    "engine.ledger-opened",
    "engine.brought-up-to-date",
    "engine.disk-surveyed",
    "engine.mended",
    "engine.deletions-finished",
    "engine.start-settled",
    "engine.create-bodies-copied",
    "engine.create-before-commit",
    "engine.created",
    "engine.abort-before-commit",
    "engine.aborted",
    "engine.pause-before-commit",
    "engine.pause-written",
    "engine.limit-before-commit",
    "engine.limit-written",
    "engine.quota-before-commit",
    "engine.quota-written",
    "engine.retry-before-commit",
    "engine.forget-before-commit",
    "engine.forgotten",
    "engine.remove-before-commit",
    "engine.removed",
    "engine.remove-owner-before-commit",
    "engine.delete-partials-gone",
    "engine.delete-chunk-gone",
    "engine.file-gone",
    "engine.move-begun",
    "engine.move-partials-moved",
    "engine.move-folder-written",
    "engine.move-announced",
    "engine.move-named",
    "engine.move-written",
    "engine.claim-before-commit",
    "engine.claimed",
    "engine.export-written",
    "engine.import-amid",
    "engine.import-before-commit",
    "engine.imported",
    "engine.activated-before-commit",
    "engine.activated",
    "engine.started",
    "engine.head-before-write",
    "engine.completed-before-write",
    "engine.failed-before-write",
    "engine.back-before-write",
    "engine.news-before-commit",
    "engine.news-written",
    "engine.wrong-written",
    "engine.settled",
    "engine.owed-told",
    "engine.woken-before-commit",
    "engine.copy-written",
    "engine.copy-named",
];

/// Failpoints that are reached only on a machine with sync. The tests of sync kill the process at each of them.
pub const SYNC_POINTS: &[&str] = &[
    "sync.written-before-commit",
    "sync.written",
    "sync.command-before-commit",
    "sync.command-taken",
    "sync.parts-sent",
    "sync.commit-unseen",
    "sync.sent-written",
];

/// Kills the process if a test has selected this failpoint.
pub fn hit(name: &str) {
    debug_assert!(POINTS.contains(&name) || SYNC_POINTS.contains(&name), "{name} is not in the list of points");
    ashore_transfer::failpoint::hit(name);
}
