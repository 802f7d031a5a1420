//! Time that a caller waits for a disk.

use std::time::Duration;

/// Maximum time that adding a download waits for its folder.
pub(crate) const FOLDER_WAITS: Duration = Duration::from_secs(2);
