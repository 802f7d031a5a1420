//! Decides which action a device takes for a download after its home device has changed. [pure]

use crate::records::{DeviceId, DownloadRecord, DownloadState};

/// Action that a device must take for a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomeDuty {
    /// This device is the home device and acts on the requested state.
    Fetch,
    /// Another device is the home device, but has not started the download. This device pauses the download and keeps
    /// its own partial files, because the move may be reverted.
    KeepPaused,
    /// Another device is the home device, and has started the download. This device deletes its own partial files, but
    /// not complete files.
    DropPartial,
}

/// Returns the action that `device` must take for the download of this record.
pub fn home_duty(record: &DownloadRecord, device: &DeviceId) -> HomeDuty {
    if record.home.value == *device {
        return HomeDuty::Fetch;
    }
    match record.home_facts().map(|facts| facts.state) {
        Some(DownloadState::Running | DownloadState::Done | DownloadState::Removed) => HomeDuty::DropPartial,
        Some(DownloadState::Queued | DownloadState::Paused | DownloadState::Failed) | None => HomeDuty::KeepPaused,
    }
}
