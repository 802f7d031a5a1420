//! Performs one step of a first start. `bootstrap` calls it in the order of its plan.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use ashore_transfer::disk;
use rustix::fs::Access;

use super::services;
use crate::{keychain::Keeping, model::BootstrapStep, shared::Shared, startup, store};

/// The keychain of the session: the Secret Service.
const KEYCHAIN: &str = "org.freedesktop.secrets";
/// The service that shows notifications (Desktop Notifications Specification 1.2, section 9).
const NOTIFICATIONS: &str = "org.freedesktop.Notifications";

/// Performs `step`. The error is the rest of a sentence; for a step that holds no gate, why it is not available here.
pub(super) async fn perform(shared: &Shared, step: BootstrapStep) -> Result<(), String> {
    match step {
        BootstrapStep::DataFolder => on_disk(shared.data_dir.clone(), keep_private).await,
        BootstrapStep::Ledger => ledger(shared).await,
        BootstrapStep::Defaults => startup::keep_as_set(shared)
            .await
            .map_err(|error| format!("the defaults could not be written into the list ({error})")),
        BootstrapStep::DownloadFolder => on_disk(shared.settings().download_folder(), make_usable).await,
        BootstrapStep::Keychain => match shared.settings().keychain {
            // Nothing asks the system's keychain then.
            Keeping::File | Keeping::None => Ok(()),
            Keeping::Auto | Keeping::System => services::offered((shared.env.session_bus)(), KEYCHAIN).await,
        },
        BootstrapStep::Notifications => services::offered((shared.env.session_bus)(), NOTIFICATIONS).await,
    }
}

/// Opening it has migrated it: a ledger of another version never gets here, whatever the reason.
async fn ledger(shared: &Shared) -> Result<(), String> {
    match shared.store.version().await {
        Ok(version) if i64::from(version) == store::known_version() => Ok(()),
        Ok(version) => Err(format!("the list is of version {version}, and this Ashore makes {}", store::known_version())),
        Err(error) => Err(format!("the version of the list cannot be read ({error})")),
    }
}

async fn on_disk(folder: PathBuf, work: fn(&Path) -> Result<(), String>) -> Result<(), String> {
    disk::spawn(move || work(&folder)).await.map_err(|error| error.to_string())?
}

/// The list says what somebody downloads: nobody else on the machine has to know.
fn keep_private(folder: &Path) -> Result<(), String> {
    fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(|error| failed("cannot be made private", folder, &error))
}

/// A fresh account has no download folder yet.
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
    fn failed_step_names_its_obstacle() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("Downloads");
        fs::write(&file, "").unwrap();
        assert!(make_usable(&file).unwrap_err().starts_with(&format!("{} is no folder", file.display())));
    }
}
