//! Decides what a device does with a download after its home device has changed. [pure]

use crate::records::{DeviceId, DownloadRecord, DownloadState};

/// Duty of a device for a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomeDuty {
    /// This device is the home device and acts on the requested state.
    Fetch,
    /// Another device is the home device and has not started. Pause, and keep partial files: the move may be reverted.
    KeepPaused,
    /// Another device has started. Drop partial files; complete files stay.
    DropPartial,
}

/// Returns the duty of `device`.
pub fn home_duty(record: &DownloadRecord, device: &DeviceId) -> HomeDuty {
    if record.home.value == *device {
        return HomeDuty::Fetch;
    }
    match record.home_facts().map(|facts| facts.state) {
        Some(DownloadState::Running | DownloadState::Done | DownloadState::Removed) => HomeDuty::DropPartial,
        Some(DownloadState::Queued | DownloadState::Paused | DownloadState::Failed) | None => HomeDuty::KeepPaused,
    }
}
