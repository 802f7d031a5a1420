//! How long a caller waits for a disk.

use std::time::Duration;

/// How long whoever adds something waits for its folder...
pub(crate) const FOLDER_WAITS: Duration = Duration::from_secs(2);
