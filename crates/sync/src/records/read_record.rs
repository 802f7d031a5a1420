//! Reads and writes the cleartext of records. [pure]
//!
//! - Fields that this version does not know are stored and written back.
//! - A record with a higher version is not interpreted, because the fields that this version knows may have another
//!   meaning.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::records::RecordFault;

/// Record type of one collection.
pub trait SyncRecord: Clone + Serialize + DeserializeOwned {
    /// Name of the collection on the server.
    const COLLECTION: &'static str;
    /// Highest version that this program understands.
    const VERSION: u32 = 1;

    /// Returns the record with sanitised texts and clamped times.
    ///
    /// `modified_ms` is the time at which the server stored the record. Fails with the first fault of a field.
    fn judged(self, modified_ms: i64) -> Result<Self, RecordFault>;

    /// Clamps the stamps of this device's version that are far later than `server_ms`, so that all devices see the same
    /// stamps.
    ///
    /// A device calls this method before it merges and uploads its version. Each edit stays later than the value that
    /// it replaces: see [`StampedValue::clamp_own`](crate::records::StampedValue::clamp_own).
    fn clamp_own(&mut self, _server_ms: i64, _base: Option<&Self>, _there: Option<&Self>) {}
}

/// Record that was read from its cleartext.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadRecord<T> {
    /// Record of a known version, with sanitised texts and clamped times.
    Known(T),
    /// Record of a newer version. It is stored unread until this program is updated.
    Newer {
        /// Format version of the record.
        version: u32,
        /// All fields of the record.
        fields: Map<String, Value>,
    },
}

/// Reads the cleartext of an object that the server stored at `modified_ms`.
///
/// Fails with `Shape`, `Version`, or the fault of a field.
pub fn read_record<T: SyncRecord>(cleartext: &[u8], modified_ms: i64) -> Result<ReadRecord<T>, RecordFault> {
    let fields: Map<String, Value> = serde_json::from_slice(cleartext).map_err(|_| RecordFault::Shape)?;
    let version = fields.get("v").and_then(Value::as_u64).and_then(|version| u32::try_from(version).ok());
    match version {
        None | Some(0) => Err(RecordFault::Version),
        Some(version) if version > T::VERSION => Ok(ReadRecord::Newer { version, fields }),
        Some(_) => {
            let record: T = serde_json::from_value(Value::Object(fields)).map_err(|_| RecordFault::Shape)?;
            record.judged(modified_ms).map(ReadRecord::Known)
        }
    }
}

/// Returns the cleartext of a record. Sanitises its texts in the same way as the devices that read it.
///
/// Fails if [`read_record`] would fail on other devices, so that no unreadable record is uploaded.
pub fn write_record<T: SyncRecord>(record: &T) -> Result<Vec<u8>, RecordFault> {
    let judged = record.clone().judged(i64::MAX)?;
    serde_json::to_vec(&judged).map_err(|_| RecordFault::Shape)
}
