//! Maximum time that a caller waits for a disk.

use std::time::Duration;

/// Maximum time for the target folder to answer when a download is added.
pub(crate) const FOLDER_WAITS: Duration = Duration::from_secs(2);
