//! Collections that a cycle reads and sends. [pure]

use crate::records::{DeviceRecord, DownloadRecord, HistoryRecord, SendRecord, SettingRecord, SyncRecord as _};

/// Collections in the order in which they are read and sent. Devices come first, because other records contain their
/// ids.
pub const COLLECTIONS: [&str; 5] = [
    DeviceRecord::COLLECTION,
    SettingRecord::COLLECTION,
    DownloadRecord::COLLECTION,
    HistoryRecord::COLLECTION,
    SendRecord::COLLECTION,
];
