//! Account of this machine in sync: what the ledger stores, and the names of its secrets in the keychain. [pure]

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    cycle::starts::ProgramStart,
    records::{DeviceId, DeviceRecord},
};

/// Names of the secrets in the keychain.
pub const ROOT_SECRET: &str = "root key";
/// Token with which this device signs in to the server.
pub const TOKEN_SECRET: &str = "token";
/// Ids of the devices that this machine was before it joined again, separated by spaces.
pub const FORMER_SECRET: &str = "former devices";
/// Starts of the program, as [`StartHistory`](crate::cycle::StartHistory) writes them.
pub const STARTS_SECRET: &str = "starts";
/// Private key to which other devices seal a renewed root key.
pub const DEVICE_SECRET: &str = "device key";

/// Event that the server had lost data, for example because it was restored from a backup, and got it from this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListRestoration {
    /// Time of the loss, as this machine found it, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub found_ms: i64,
    /// Time of the latest change that the server still had, in milliseconds of Unix time; 0 if it had none.
    #[ts(type = "number")]
    pub until_ms: i64,
    /// Number of records that this machine sent again.
    #[ts(type = "number")]
    pub records: u64,
}

/// Account without its secrets, stored as JSON in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncAccount {
    /// Version of this format.
    pub v: u32,
    /// Host and port of the server.
    pub address: String,
    /// User on the server.
    pub uid: i64,
    /// How the server proves its identity: SHA-256 of its certificate in base64url, `tls` or `-`.
    pub pin: String,
    /// This device.
    pub device: DeviceId,
    /// Name of this machine, as other devices show it.
    pub name: String,
    /// Id of the download list, from `meta/global`.
    pub sync_id: String,
    /// Generation of the root key.
    pub generation: u64,
    /// Number below that of every start of the program with this identity.
    #[serde(default)]
    pub epoch: u64,
    /// End of the latest complete cycle that was noted, in milliseconds of Unix time.
    #[serde(default)]
    pub synced_ms: Option<i64>,
    /// Latest time that the server had lost data, which this machine sent again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<ListRestoration>,
    /// Devices that may start downloads here without being asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<DeviceId>,
}

impl SyncAccount {
    /// Returns the record by which the other devices know this one. `public_key` is the key to which they seal a renewed root
    /// key, and `start` is the latest start of the program.
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

    /// Version that this program writes.
    pub const VERSION: u32 = 1;

    /// Reads the account from the ledger. `None` if the text was written by a newer version or is damaged.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().filter(|account: &Self| account.v <= Self::VERSION)
    }

    /// Returns the text for the ledger.
    pub fn write(&self) -> String {
        // Cannot fail: all keys are texts.
        serde_json::to_string(self).unwrap_or_default()
    }
}
