//! Sync of one engine: the operations for users, and the task that runs the cycles.

mod background;
mod calls;
mod change_listener;
mod clearing;
mod copies;
mod cycles;
mod enrolment;
mod kept_keys;
mod messages;
mod past_downloads;
mod qr_picture;
mod rejoining;
pub(crate) mod remote;
mod remote_changes;
mod removal;
mod sends;
mod status;
mod sync_service;
mod unlock;

pub use self::{
    calls::SyncCall,
    qr_picture::QrPicture,
    status::{
        ConflictReport, DeviceReport, JoinInvite, RecoveryWordsReport, RemoteChange, RemoteDownload, SendState, SentDownload,
        SyncCollectionReport, SyncCycleOutcome, SyncStatus, machine_name, server_of_link,
    },
    sync_service::SyncService,
};
