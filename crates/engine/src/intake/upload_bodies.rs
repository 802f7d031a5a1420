//! Stores copies of upload bodies in the data folder until the upload is complete.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use ashore_messages::message;

use crate::{EngineError, model::accepted::AcceptedRegistration};

/// Copies the bodies into `folder`, so that later changes to the user's files do not affect the upload.
pub(crate) fn copy_bodies(mut accepted: AcceptedRegistration, folder: &Path) -> Result<AcceptedRegistration, EngineError> {
    for (index, request) in accepted.requests.iter_mut().enumerate() {
        let Some((source, size)) = &mut request.body else { continue };
        let copy = folder.join(format!("{}.{index}", accepted.unique_id));
        match copy_body(source, &copy, folder) {
            Ok(bytes) => (*source, *size) = (copy, bytes),
            Err(refused) => {
                let _ = fs::remove_file(&copy);
                drop_bodies(&accepted);
                return Err(refused);
            }
        }
    }
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(not_kept)?;
    Ok(accepted)
}

/// Removes the copied bodies of a registration. Keeps files with names that do not begin with the id of the
/// registration.
pub(crate) fn drop_bodies(accepted: &AcceptedRegistration) {
    let prefix = accepted.unique_id.to_string();
    for (path, _) in accepted.requests.iter().filter_map(|request| request.body.as_ref()) {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix)) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Copies `source` durably to `copy`, which is in `folder`. Returns the size in bytes.
///
/// The errors distinguish an unreadable source from a disk that cannot hold the copy.
fn copy_body(source: &Path, copy: &Path, folder: &Path) -> Result<u64, EngineError> {
    let mut body =
        File::open(source).map_err(|error| EngineError::UploadSource { path: source.to_owned(), why: (&error).into() })?;
    let mut written = || {
        let mut copy = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(copy)?;
        let bytes = io::copy(&mut body, &mut copy)?;
        copy.sync_all()?;
        Ok(bytes)
    };
    written().map_err(|error: io::Error| match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            let needed = fs::metadata(source).map_or(0, |metadata| metadata.len());
            let free = rustix::fs::statvfs(folder).map_or(0, |room| room.f_bavail.saturating_mul(room.f_frsize));
            EngineError::QuotaExceeded { needed, free, path: folder.to_owned() }
        }
        _ => not_kept(error),
    })
}

fn not_kept(error: io::Error) -> EngineError {
    EngineError::io(message!("disk.upload", why = &error), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copying_upload_body_distinguishes_unreadable_source_from_disk_error() {
        let folder = tempfile::tempdir().unwrap();
        let [body, copy, full] = ["body", "copy", "full"].map(|name| folder.path().join(name));
        let copied = |to| copy_body(&body, to, folder.path());
        assert!(matches!(copied(&copy), Err(EngineError::UploadSource { path, .. }) if path == body));
        fs::write(&body, "hello").unwrap();
        assert_eq!(copied(&copy).unwrap(), 5);
        assert_eq!(fs::read(&copy).unwrap(), b"hello");
        std::os::unix::fs::symlink("/dev/full", &full).unwrap();
        assert!(matches!(copied(&full), Err(EngineError::QuotaExceeded { needed: 5, path, .. }) if path == folder.path()));
        assert!(matches!(copied(folder.path()), Err(EngineError::Io { .. })));
    }
}
