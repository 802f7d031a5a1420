//! Record of the collection `clients`: one device of the person. Only the device itself writes the record. [pure]

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

use crate::records::{
    DeviceId, RecordFault, SyncRecord,
    judge::{check_name, check_number, clean_text},
};

/// Maximum length of a device name in bytes.
const LONGEST_NAME: usize = 256;

/// Description of a device, for the other devices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// Format version of the record.
    pub v: u32,
    /// Id that the server assigned.
    pub id: DeviceId,
    /// Name that the person chose.
    pub name: String,
    /// Version of Ashore on the device.
    pub version: String,
    /// Public X25519 key of the device. Other devices use it to encrypt new root keys for this device.
    #[serde(serialize_with = "write_key", deserialize_with = "read_key")]
    pub public_key: [u8; 32],
    /// Number of the program start that wrote the record.
    pub epoch: u64,
    /// Random mark of the program start with the number `epoch`.
    ///
    /// A device uses the mark to detect that its data folder was copied. After a copy, the server has a different mark
    /// for the same start, or a start that this device has not made yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl SyncRecord for DeviceRecord {
    const COLLECTION: &'static str = "clients";

    fn judged(self, _: i64) -> Result<Self, RecordFault> {
        check_name("version", &self.version)?;
        check_number("epoch", self.epoch)?;
        check_name("mark", &self.mark)?;
        Ok(Self { name: clean_text(&self.name, LONGEST_NAME), ..self })
    }
}

fn write_key<S: Serializer>(key: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&URL_SAFE_NO_PAD.encode(key))
}

fn read_key<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let bytes = URL_SAFE_NO_PAD.decode(String::deserialize(from)?).map_err(D::Error::custom)?;
    bytes.try_into().map_err(|_| D::Error::custom("a public key has 32 bytes"))
}
