//! The one-time work of a first start, and of the first after an update. Nothing starts before it is done and recorded; a
//! step that fails is shown, and tried again from the first, so each of them may be done twice. None needs a network.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use rustix::fs::Access;

use crate::{Error, shared::Shared};

/// What this program's work is recorded as. It grows whenever a step is added.
const VERSION: i64 = 1;

/// Does what is to do, if anything is. What fails closes the gate, and is tried again whenever this is called.
pub(crate) async fn finish(shared: &Shared) -> Result<(), Error> {
    if shared.store.bootstrap_version().await? >= VERSION {
        return Ok(());
    }
    let unfinished = work(shared).await.err();
    if let Some(why) = &unfinished {
        tracing::warn!(why, "the first start is not finished");
    }
    *shared.known.unfinished() = unfinished;
    Ok(())
}

/// An error is the rest of the sentence "It is not finished: ...".
async fn work(shared: &Shared) -> Result<(), String> {
    let (data, downloads) = (shared.data_dir.clone(), shared.settings().download_folder());
    let done = tokio::task::spawn_blocking(move || {
        keep_private(&data)?;
        make_usable(&downloads)
    });
    done.await.map_err(|error| error.to_string())??;
    let recorded = async {
        let mut ledger = shared.store.begin().await?;
        ledger.record_bootstrap_version(VERSION).await?;
        ledger.commit().await
    };
    recorded.await.map_err(|error: Error| format!("it could not be written down ({error})"))
}

/// The list says what somebody downloads: nobody else on the machine has to know.
fn keep_private(folder: &Path) -> Result<(), String> {
    fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(|error| failed("cannot be made private", folder, &error))
}

/// On a fresh account, nobody has made the download folder yet.
fn make_usable(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| failed("is no folder and cannot be made one", folder, &error))?;
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| failed("cannot be written", folder, &error.into()))
}

fn failed(what: &str, folder: &Path, error: &io::Error) -> String {
    format!("{} {what} ({error})", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_and_made_private_as_often_as_one_likes() {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
        let downloads = place.path().join("home/Downloads");
        for _ in 0..2 {
            keep_private(place.path()).unwrap();
            make_usable(&downloads).unwrap();
        }
        assert!(downloads.is_dir());
        assert_eq!(fs::metadata(place.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn what_stands_in_the_way_is_named() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("Downloads");
        fs::write(&file, "").unwrap();
        assert!(make_usable(&file).unwrap_err().starts_with(&format!("{} is no folder", file.display())));
    }
}
