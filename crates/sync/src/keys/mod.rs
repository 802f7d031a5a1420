//! Keys of the download list: key tree, sealed records, recovery words, join links, device keys. [pure]

mod device_key;
mod join_link;
mod key_ring;
mod padding;
mod recovery_words;
mod root_key;
mod root_renewal;
mod sealing;
mod secrets;
#[cfg(test)]
mod tests;

pub use device_key::{DeviceKey, DeviceKeyFault, DevicePublicKey};
pub use join_link::{JoinLink, JoinLinkFault, JoinPin, JoinSecret, ListSummary, RootHandover};
pub use key_ring::{KeyRing, KeyRingFault, random_record_id};
pub use recovery_words::{RecoveryWords, RecoveryWordsFault, WORD_COUNT};
pub use root_key::RootKey;
pub use root_renewal::{RenewalStep, RootRenewal};
pub use sealing::{MAX_PAYLOAD_BYTES, NONCE_BYTES, RecordPlace, SealFault, kid_of_payload, open_record, seal_record};
pub use secrets::{AuthProof, SealingKey};
