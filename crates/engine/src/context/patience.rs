//! Time that a caller waits for a disk.

use std::time::Duration;

/// Time that a request to add something waits for its folder.
pub(crate) const FOLDER_WAITS: Duration = Duration::from_secs(2);
