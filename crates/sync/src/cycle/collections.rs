//! Collections that a cycle reads and sends. [pure]

use crate::records::{DeviceRecord, DownloadRecord, HistoryRecord, SendRecord, SettingRecord, SyncRecord as _};

/// Collections in the order in which they are read and sent: devices first, because other records name them.
pub const COLLECTIONS: [&str; 5] = [
    DeviceRecord::COLLECTION,
    SettingRecord::COLLECTION,
    DownloadRecord::COLLECTION,
    HistoryRecord::COLLECTION,
    SendRecord::COLLECTION,
];
