//! What a run finds on disk of an earlier one, and what of it can be trusted.

use std::path::Path;

use crate::{
    follow::Follower,
    held::Held,
    journal::Journal,
    outcome::{Completed, Failure, FailureKind, Verified, is_out_of_descriptors},
    part::{self, Part},
    service::Shared,
    spec::Spec,
};

/// What a run finds.
pub(crate) enum OnDisk {
    /// Nothing, or nothing that anybody vouches for.
    Nothing,
    /// Bytes to go on from.
    Partial(Box<Held>),
    /// The finished file, of which only its caller does not know.
    Placed(Completed),
}

/// Looks for `spec`'s transfer. Fails when its folder is none that can be used. Blocks.
pub(crate) fn on_disk(shared: &Shared, spec: &Spec) -> Result<OnDisk, Failure> {
    match std::fs::metadata(&spec.folder) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(Failure::new(FailureKind::Target, "the target is no folder")),
        Err(error) => return Err(Failure::of_target(&error, "looking at the folder")),
    }
    let found = shared.index.find(spec.guid, &spec.folder);
    let Some((found, record)) = found.map_err(|error| Failure::of_target(&error, "reading the folder"))? else {
        return Ok(OnDisk::Nothing);
    };
    if let Some(path) = found.placed {
        // It was placed, and only its caller does not know: digest, head and length were right then.
        part::sync_folder(&spec.folder).map_err(|error| Failure::of_disk(&error, "making the file's name durable"))?;
        let metadata = std::fs::symlink_metadata(&path);
        let size = metadata.map_err(|error| Failure::of_disk(&error, "looking at the file"))?.len();
        let expected = match &record {
            Some(record) => spec.expected_of(&record.head),
            None => spec.expected.clone(),
        };
        let verified = match record {
            _ if expected.says_all() => Verified::ByDigest,
            Some(record) => record.verified(),
            _ => Verified::No,
        };
        let digest = expected.strongest().cloned();
        // Nobody wrote down what was computed on the way, and what asks for it may have come since.
        let computed = match expected.compute {
            Some(algorithm) => {
                let read = || {
                    let mut follower = Follower::new(&[algorithm], None);
                    follower.catch_up(&Part::open(path.clone())?, size, || true)?;
                    Ok(follower.finish().0.pop())
                };
                read().map_err(|error: std::io::Error| Failure::of_disk(&error, "reading the file"))?
            }
            None => None,
        };
        return Ok(OnDisk::Placed(Completed { path: Some(path), size, verified, digest, computed }));
    }
    let journal = Journal::open(&part::journal_of(&found.part));
    let journal = journal.map_err(|error| Failure::of_disk(&error, "reading the journal"))?;
    if let Some((journal, record)) = journal.filter(|(_, record)| record.may_resume && record.guid == spec.guid)
        && let follower = spec.follower(&record.head)
        && let Some(part) = opened(&found.part)?
        && let Ok(held) = Held::reopened(part, journal, record, follower)
        && held.have.count() > 0
    {
        return Ok(OnDisk::Partial(Box::new(held)));
    }
    // Nothing vouches for these bytes: size and existence are no evidence. What was set aside for them stays until the file
    // is there.
    part::remove_begun(&found.part).map_err(|error| Failure::of_target(&error, "tidying up"))?;
    Ok(OnDisk::Nothing)
}

/// The partial at `path`; none where it is none. Fails where that cannot be known for now: what cannot be looked at is not
/// worthless for that.
fn opened(path: &Path) -> Result<Option<Part>, Failure> {
    match Part::open(path.to_owned()) {
        Err(error) if is_out_of_descriptors(&error) => Err(Failure::of_disk(&error, "opening the partial")),
        opened => Ok(opened.ok()),
    }
}
