//! The last steps: everything is there; it is what it should be; it gets its final name. All of them block.

use std::{ops::Range, path::PathBuf, sync::atomic::Ordering};

use tokio_util::sync::CancellationToken;

use crate::{
    crashpoint,
    digest::Digest,
    follow::Follower,
    outcome::{Failure, FailureKind},
    part,
    service::Counters,
    spec::{Expected, Pieces},
    writer::Held,
};

/// What a look at the whole file says.
#[derive(Debug)]
pub(crate) enum Checked {
    /// It is what was expected; these are its digests, of every algorithm that was wanted.
    Right(Vec<Digest>),
    /// These bytes are wrong, and no others: they are to be fetched again.
    Wrong(Vec<Range<u64>>),
    /// It has another digest than expected, and nobody can say where.
    Differs { expected: Digest, found: Digest },
    /// Pieces of different connections do not fit together, and nobody can say which of them is wrong.
    Torn,
    /// It was told to stop.
    Stopped,
}

/// Looks at the whole file: blocks that an earlier run wrote are held against their checksums, pieces and digests against
/// what is expected. Where there is a journal, it first learns that everything is there.
pub(crate) fn check(
    mut held: Held,
    expected: &Expected,
    stop: &CancellationToken,
    counters: &Counters,
) -> (Held, Result<Checked, Failure>) {
    let checked = look(&mut held, expected, stop, counters);
    (held, checked)
}

fn look(
    held: &mut Held,
    expected: &Expected,
    stop: &CancellationToken,
    counters: &Counters,
) -> Result<Checked, Failure> {
    let Some(total) = held.record.total.filter(|total| held.have.prefix() == *total && held.have.end() == *total) else {
        return Err(Failure::new(FailureKind::Truncated, "the length is not right"));
    };
    if !held.settle_seams().map_err(|error| Failure::of_disk(&error, "reading the file"))? {
        return Ok(Checked::Torn);
    }
    held.ended(total);
    if held.has_journal() {
        held.checkpoint()?;
    }
    counters.durable.store(held.durable(), Ordering::Release);
    let go_on = || !stop.is_cancelled();
    let of_disk = |error: std::io::Error| Failure::of_disk(&error, "reading the file");
    let rotten = held.rotten(go_on).map_err(of_disk)?;
    if !rotten.is_empty() {
        tracing::warn!(guid = %held.record.guid, blocks = rotten.len(), "the disk gave back other bytes than were written");
        return Ok(Checked::Wrong(rotten));
    }
    let mut follower = std::mem::take(&mut held.follower);
    if !follower.catch_up(&held.part, total, go_on).map_err(of_disk)? || !go_on() {
        return Ok(Checked::Stopped);
    }
    let (digests, wrong) = follower.finish();
    if !wrong.is_empty() {
        return Ok(Checked::Wrong(wrong));
    }
    for wanted in &expected.digests {
        if let Some(found) = digests.iter().find(|digest| digest.algorithm == wanted.algorithm)
            && found != wanted
        {
            return Ok(Checked::Differs { expected: wanted.clone(), found: found.clone() });
        }
    }
    Ok(Checked::Right(digests))
}

/// Looks for the pieces of a whole file that are wrong.
pub(crate) fn locate(held: Held, pieces: Pieces, stop: &CancellationToken) -> (Held, Result<Checked, Failure>) {
    let mut follower = Follower::new(&[], Some(pieces));
    let read = follower.catch_up(&held.part, held.have.end(), || !stop.is_cancelled());
    let located = match read {
        Ok(true) => Ok(Checked::Wrong(follower.finish().1)),
        Ok(false) => Ok(Checked::Stopped),
        Err(error) => Err(Failure::of_disk(&error, "reading the file")),
    };
    (held, located)
}

/// Makes it durable and gives it its final name; tells where it is.
pub(crate) fn place(mut held: Held) -> Result<Option<PathBuf>, Failure> {
    held.part.seal(held.have.end()).map_err(|error| Failure::of_disk(&error, "making the file durable"))?;
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
