//! Record of the collection `dl-prefs`: one setting. [pure]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{
    RecordFault, StampedValue, SyncRecord,
    judge::{LONGEST_TITLE, check_name},
};

/// Choice of a user for a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingChoice {
    /// The user chose this value.
    Value(Value),
    /// The user restored the default, which may differ between versions.
    Default,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingRecord {
    /// Format version of the record.
    pub v: u32,
    /// Name of the setting.
    pub name: String,
    /// Choice of the user, with the stamp of the edit.
    pub choice: StampedValue<SettingChoice>,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl SyncRecord for SettingRecord {
    const COLLECTION: &'static str = "dl-prefs";

    fn clamp_own(&mut self, server_ms: i64, base: Option<&Self>, there: Option<&Self>) {
        self.choice.clamp_own(server_ms, base.map(|base| &base.choice), there.map(|there| &there.choice));
    }

    /// The engine validates the value when it applies the setting.
    fn judged(mut self, modified_ms: i64) -> Result<Self, RecordFault> {
        check_name("name", &self.name)?;
        if let SettingChoice::Value(value) = &self.choice.value
            && serde_json::to_string(value).map_err(|_| RecordFault::Shape)?.len() > LONGEST_TITLE
        {
            return Err(RecordFault::TooLong("choice"));
        }
        self.choice.clamp(modified_ms);
        Ok(self)
    }
}
