//! Sync account of this machine: the values that are stored in the ledger, and the names of the secrets that are stored
//! in the keychain. [pure]

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    cycle::starts::ProgramStart,
    records::{DeviceId, DeviceRecord},
};

/// Name under which the keychain stores the root key.
pub const ROOT_SECRET: &str = "root key";
/// Token with which this device signs in to the server.
pub const TOKEN_SECRET: &str = "token";
/// Earlier ids of this machine as a device, separated by spaces. The machine gets a new id each time it joins the
/// list again.
pub const FORMER_SECRET: &str = "former devices";
/// History of program starts, in the form that [`StartHistory`](crate::cycle::StartHistory) writes.
pub const STARTS_SECRET: &str = "starts";
/// Private key of this device. Other devices encrypt a renewed root key to the matching public key.
pub const DEVICE_SECRET: &str = "device key";

/// A loss of data on the server, for example after the server was restored from a backup. This machine repaired the
/// loss by sending the data again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListRestoration {
    /// Time at which this machine found the loss, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub found_ms: i64,
    /// Time of the latest change that the server still had, in milliseconds of Unix time; 0 if the server had no
    /// change.
    #[ts(type = "number")]
    pub until_ms: i64,
    /// Number of records that this machine sent again.
    #[ts(type = "number")]
    pub records: u64,
}

/// Account without its secrets, stored as JSON in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncAccount {
    /// Version of the account format.
    pub v: u32,
    /// Host and port of the server.
    pub address: String,
    /// User on the server.
    pub uid: i64,
    /// Pin of the server: the SHA-256 of its certificate in base64url, or `tls`, or `-`.
    pub pin: String,
    /// Id of this device.
    pub device: DeviceId,
    /// Name of this machine, as other devices show it.
    pub name: String,
    /// Id of the download list, from `meta/global`.
    pub sync_id: String,
    /// Generation of the root key.
    pub generation: u64,
    /// Lower bound for the numbers of program starts with this identity: each start has a higher number.
    #[serde(default)]
    pub epoch: u64,
    /// Last stored end time of a complete cycle, in milliseconds of Unix time. Not every cycle stores its end time.
    #[serde(default)]
    pub synced_ms: Option<i64>,
    /// Latest repaired data loss: the server lost data, and this machine sent its records again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<ListRestoration>,
    /// Devices that the person trusts. Downloads from these devices start here without a question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<DeviceId>,
}

impl SyncAccount {
    /// Returns the record of this device, which the other devices read. They use `public_key` to encrypt a renewed root
    /// key for this device. `start` is the latest start of the program.
    pub fn device_record(&self, public_key: [u8; 32], start: ProgramStart) -> DeviceRecord {
        DeviceRecord {
            v: 1,
            id: self.device.clone(),
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_key,
            epoch: start.epoch,
            mark: start.mark,
            unknown: serde_json::Map::new(),
        }
    }

    /// Version of the account format that this program writes.
    pub const VERSION: u32 = 1;

    /// Reads the account from the ledger. `None` if the text was written by a newer version or is damaged.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().filter(|account: &Self| account.v <= Self::VERSION)
    }

    /// Returns the account as text for the ledger.
    pub fn write(&self) -> String {
        // The conversion to JSON cannot fail, because all keys are texts.
        serde_json::to_string(self).unwrap_or_default()
    }
}
