//! Performs one step of a first start. Called by `first_run` in the order of its plan.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use ashore_messages::{UserMessage, message};
use ashore_transfer::{disk, is_ours};
use rustix::{fs::Access, io::Errno};

use crate::{
    EngineError,
    context::shared::EngineContext,
    first_run::{
        plan::FirstRunObstacle::{self, HoldsGate, Missing},
        services,
    },
    keychain::SecretStorage,
    model::BootstrapStep,
    store,
};

/// Bus name of the keychain of the session, which is the Secret Service.
const KEYCHAIN: &str = "org.freedesktop.secrets";
/// Bus name of the notification service (Desktop Notifications Specification 1.2, section 9).
const NOTIFICATIONS: &str = "org.freedesktop.Notifications";

/// Performs `step`.
pub(super) async fn perform(shared: &EngineContext, step: BootstrapStep) -> Result<(), FirstRunObstacle> {
    match step {
        BootstrapStep::DataFolder => on_disk(shared.data_dir.clone(), keep_private).await,
        BootstrapStep::Ledger => ledger(shared).await.map_err(HoldsGate),
        BootstrapStep::Defaults => {
            keep_as_set(shared).await.map_err(|error| HoldsGate(message!("fault-start.defaults", why = error.message())))
        }
        BootstrapStep::DownloadFolder => {
            on_disk(shared.settings().download_folder(), |folder| make_usable(folder).map_err(HoldsGate)).await
        }
        BootstrapStep::Keychain => match shared.settings().keychain {
            // These settings need no keychain.
            SecretStorage::File | SecretStorage::None => Ok(()),
            SecretStorage::Auto | SecretStorage::System => {
                services::offered((shared.env.session_bus)(), KEYCHAIN).await.map_err(Missing)
            }
        },
        BootstrapStep::Notifications => services::offered((shared.env.session_bus)(), NOTIFICATIONS).await.map_err(Missing),
    }
}

/// Checks the version of the ledger.
///
/// Opening the ledger has migrated it, so any other version is an error.
async fn ledger(shared: &EngineContext) -> Result<(), UserMessage> {
    match shared.store.version().await {
        Ok(version) if i64::from(version) == store::known_version() => Ok(()),
        Ok(version) => {
            let known = store::known_version().to_string();
            Err(message!("fault-start.version", found = version.to_string(), known = known))
        }
        Err(error) => Err(message!("fault-start.no-version", why = error.message())),
    }
}

async fn on_disk(folder: PathBuf, work: fn(&Path) -> Result<(), FirstRunObstacle>) -> Result<(), FirstRunObstacle> {
    disk::spawn(move || work(&folder)).await.map_err(|_| HoldsGate(message!("internal")))?
}

/// Makes the data folder private, because the list in the folder names every download.
///
/// On a file system without modes, a folder of this user is accepted. A folder of another user keeps the gate closed,
/// which stops all downloads.
fn keep_private(folder: &Path) -> Result<(), FirstRunObstacle> {
    keep_private_by(folder, |folder| fs::set_permissions(folder, Permissions::from_mode(0o700)))
}

/// Same as [`keep_private`], with `change_mode` in place of the system call.
fn keep_private_by(folder: &Path, change_mode: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), FirstRunObstacle> {
    let why = |error: io::Error| message!("fault-start.private", path = folder, why = &error);
    let found = fs::metadata(folder).map_err(|error| HoldsGate(why(error)))?;
    match change_mode(folder) {
        Ok(()) => Ok(()),
        Err(error) if has_no_modes(&error) && is_ours(&found, folder) => Err(Missing(why(error))),
        Err(error) => Err(HoldsGate(why(error))),
    }
}

/// Whether `error` means that the file system has no modes. Any other error may be temporary.
fn has_no_modes(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::PERM | Errno::NOTSUP | Errno::NOSYS))
}

/// Creates the download folder, which a new account lacks, and checks that it is writable.
fn make_usable(folder: &Path) -> Result<(), UserMessage> {
    fs::create_dir_all(folder).map_err(|error| message!("fault-start.folder", path = folder, why = &error))?;
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| message!("fault-start.unwritable", path = folder, why = &io::Error::from(error)))
}

/// Writes the retention setting into the ledger.
///
/// If the clock was set back, the retention of ended registrations starts again now. Without this, they would be kept
/// too long.
pub(crate) async fn keep_as_set(shared: &EngineContext) -> Result<(), EngineError> {
    let forgetting = shared.settings().forget_finished_after.microseconds();
    let now = shared.env.now();
    let is_set_back = shared.store.last_beat().await?.is_some_and(|(_, beat)| beat > now);
    let is_new = shared.store.forgetting().await? != forgetting;
    if !is_set_back && !is_new {
        return Ok(());
    }
    let mut ledger = shared.store.begin().await?;
    if is_new {
        ledger.forget_after(forgetting).await?;
    }
    // Correct the expiry times too: `forget_after` has just computed them from end times in the future.
    ledger.count_from(now).await?;
    ledger.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_run_steps_for_folders_can_be_repeated() {
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
    fn missing_support_for_file_permissions_is_recorded_but_blocks_no_downloads() {
        let place = tempfile::tempdir().unwrap();
        let refused = |errno: Errno| keep_private_by(place.path(), |_| Err(errno.into()));
        for errno in [Errno::PERM, Errno::NOTSUP, Errno::NOSYS] {
            let Err(Missing(why)) = refused(errno) else { panic!("{errno:?}") };
            assert!(why.text.starts_with(&format!("{} cannot be made private", place.path().display())), "{why}");
        }
        for errno in [Errno::IO, Errno::ROFS, Errno::STALE] {
            assert!(matches!(refused(errno), Err(HoldsGate(_))), "{errno:?}");
        }
        let gone = place.path().join("gone");
        assert!(matches!(keep_private(&gone), Err(HoldsGate(_))));
        if !rustix::process::geteuid().is_root() {
            return drop(io::Write::write_all(&mut io::stderr(), b"LEFT OUT: only root may give a folder away.\n"));
        }
        let foreign = place.path().join("foreign");
        fs::create_dir(&foreign).unwrap();
        std::os::unix::fs::chown(&foreign, Some(65_534), None).unwrap();
        assert!(matches!(keep_private_by(&foreign, |_| Err(Errno::PERM.into())), Err(HoldsGate(_))));
    }

    #[test]
    fn failed_first_run_step_reports_reason() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("Downloads");
        fs::write(&file, "").unwrap();
        assert!(make_usable(&file).unwrap_err().text.starts_with(&format!("{} is not a folder", file.display())));
    }
}
