//! The last steps: everything is there; its digest is right; it gets its final name. All of them block.

use std::{path::PathBuf, sync::atomic::Ordering};

use tokio_util::sync::CancellationToken;

use crate::{
    crashpoint,
    digest::{Algorithm, Digest},
    outcome::{Failure, FailureKind},
    part,
    service::Counters,
    verify,
    writer::Held,
};

/// The digest of what is held, computed on the way or by reading it once more; none when none is wanted or it was
/// stopped. Where there is a journal, it first learns that everything is there.
pub(crate) fn check(
    mut held: Held,
    algorithm: Option<Algorithm>,
    stop: &CancellationToken,
    counters: &Counters,
) -> (Held, Result<Option<Digest>, Failure>) {
    let total = held.record.total;
    if held.has_journal()
        && let Err(failure) = held.checkpoint()
    {
        return (held, Err(failure));
    }
    counters.durable.store(held.durable(), Ordering::Release);
    if total != Some(held.length) {
        return (held, Err(Failure::new(FailureKind::Truncated, "the length is not right")));
    }
    let digest = match (algorithm, held.hasher.take()) {
        (None, _) => Ok(None),
        (Some(_), Some(hasher)) => Ok(Some(hasher.finish())),
        (Some(algorithm), None) => {
            let go_on = || !stop.is_cancelled();
            verify::digest_of(held.part.file(), held.length, algorithm, go_on)
                .map_err(|error| Failure::of_disk(&error, "reading the file"))
        }
    };
    (held, digest)
}

/// Makes it durable and gives it its final name; tells where it is.
pub(crate) fn place(mut held: Held) -> Result<Option<PathBuf>, Failure> {
    held.part.seal(held.length).map_err(|error| Failure::of_disk(&error, "making the file durable"))?;
    crashpoint::hit("transfer.final-sync");
    let name = held.record.head.name.clone();
    crashpoint::hit("transfer.before-place");
    let path = held.part.path().to_owned();
    let placed = held.place(&name)?;
    // What was kept aside has done its duty; where it cannot be removed now, it is removed with the partial's name.
    let _ = part::remove_aside(&path);
    crashpoint::hit("transfer.aside-removed");
    Ok(Some(placed))
}

/// There is no body to keep: removes what was begun for it.
pub(crate) fn drop_part(held: &Held) -> Result<Option<PathBuf>, Failure> {
    part::remove(held.part.path()).map_err(|error| Failure::of_target(&error, "tidying up"))?;
    Ok(None)
}
