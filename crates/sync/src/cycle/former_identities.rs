//! Devices that this machine was before it left the list and joined it again. [pure]

use crate::{merge::PairCandidate, records::DeviceId};

/// Earlier identities of this machine, and their downloads that no download of this machine continues yet.
#[derive(Clone, Debug, Default)]
pub struct FormerIdentities {
    /// Earlier devices.
    pub devices: Vec<DeviceId>,
    /// Their downloads; `None` before the list was read.
    pub downloads: Option<Vec<PairCandidate>>,
}
