//! Earlier identities of this machine. The machine gets a new identity when it leaves the list and joins it again.
//! [pure]

use crate::{merge::PairCandidate, records::DeviceId};

/// Earlier identities of this machine. Also lists their downloads that are not yet paired with a download that this
/// machine has now.
#[derive(Clone, Debug, Default)]
pub struct FormerIdentities {
    /// Ids of the earlier devices.
    pub devices: Vec<DeviceId>,
    /// Downloads of the earlier devices; `None` before the list was read.
    pub downloads: Option<Vec<PairCandidate>>,
}
