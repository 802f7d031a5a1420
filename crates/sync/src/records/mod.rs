//! Record types of the synced collections, and the hybrid logical clock of their stamps. [pure]

mod device_id;
mod device_record;
mod download_facts;
mod download_record;
mod history_record;
mod hybrid_clock;
mod judge;
mod metadata_record;
mod part_record;
mod read_record;
#[cfg(test)]
mod record_tests;
mod send_record;
mod setting_record;
mod stamped_value;

pub(crate) use self::judge::{clean_text, clean_title};
pub use self::{
    device_id::{DeviceId, InvalidDeviceId},
    device_record::DeviceRecord,
    download_facts::{DownloadFacts, DownloadState, ReportedFailure, ReportedResult},
    download_record::{DownloadRecord, DownloadRequest, PartList, RequestedState, TOMBSTONE_MS},
    history_record::{ClearedRecord, HistoryRecord, PastDownload},
    hybrid_clock::{HybridClock, HybridStamp, InvalidStamp, MOST_AHEAD_MS, clamped},
    judge::{
        LONGEST_REQUESTS, LONGEST_TITLE, MOST_LINKS, RecordFault, count_links, judge_requests, judge_requests_up_to,
        plain_address,
    },
    metadata_record::{MetadataRecord, STORAGE_VERSION},
    part_record::{PartRecord, split_requests},
    read_record::{ReadRecord, SyncRecord, read_record, write_record},
    send_record::{SendAnswer, SendRecord},
    setting_record::{SettingChoice, SettingRecord},
    stamped_value::StampedValue,
};
