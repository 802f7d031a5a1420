//! Defines the sync operations as messages between programs, and carries them out.

use ashore_engine::{NewRequest, UniqueId};
use ashore_messages::UserMessage;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{
    cycle::SyncFault,
    service::{enrolment::EnrolmentPlace, messages::message_of, status::RemoteChange, sync_service::SyncService},
};

/// Sync operation with its parameters. Serialised as `{"verb": "...", ...}`.
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(tag = "verb", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum SyncCall {
    /// Returns a `SyncStatus`.
    Status,
    /// Creates a list with a set-up link. Returns a `RecoveryWordsReport`.
    SetUp {
        /// Link that the server printed.
        link: String,
        /// Name of this machine.
        name: String,
    },
    /// Joins the list of another machine. Returns null.
    Join {
        /// Link of the other machine.
        link: String,
        /// Name of this machine.
        name: String,
    },
    /// Joins a list with its recovery words. Returns null.
    Recover {
        /// Host and port of the server. The pin of its certificate follows after `#`, if there is one.
        address: String,
        /// User on the server.
        #[ts(type = "number")]
        uid: i64,
        /// The 24 words.
        words: String,
        /// Name of this machine.
        name: String,
    },
    /// Returns a `RecoveryWordsReport`.
    Words,
    /// Returns a `JoinInvite`.
    Invite,
    /// Returns a list of `DeviceReport`s.
    Devices,
    /// Removes a machine from the list, and changes the keys. Returns a `RecoveryWordsReport` with the new words.
    RemoveDevice {
        /// Id or name of the device.
        device: String,
    },
    /// Allows or forbids a machine to start downloads here without confirmation. Returns null.
    Trust {
        /// Id or name of the device.
        device: String,
        /// Whether the machine is allowed to start downloads.
        is_trusted: bool,
    },
    /// Renames this machine. Returns null.
    Rename {
        /// New name. If another machine has this name, a number is appended.
        name: String,
    },
    /// Removes past downloads from the history of all machines if they ended before a given time. Returns null.
    ClearHistory {
        /// Time in milliseconds of Unix time. Past downloads that ended before this time are removed.
        #[ts(type = "number")]
        before_ms: i64,
    },
    /// Runs a cycle. Returns a `SyncCycleOutcome`.
    Now,
    /// Turns sync off on this machine. Returns null.
    Leave,
    /// Returns a list of `ConflictReport`s.
    Conflicts,
    /// Resolves a conflict: applies the losing value, or keeps the winning value. Returns null.
    Resolve {
        /// Number of the conflict.
        #[ts(type = "number")]
        number: i64,
        /// Whether to apply the losing value.
        takes_losing: bool,
    },
    /// Returns a list of `RemoteDownload`s.
    Others,
    /// Requests a change to a download of another machine. Returns null.
    ChangeOther {
        /// Id of the download.
        id: String,
        /// Requested change.
        change: RemoteChange,
    },
    /// Sends a download of this machine to another machine. Returns the id of the send.
    Send {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Id or name of the device.
        device: String,
    },
    /// Sends a new download to another machine. Returns the id of the send.
    SendNew {
        /// Title of the download, or null to use the name of its first file.
        title: Option<String>,
        /// Requests of the download. Credentials and possibly secret headers are left out.
        requests: Vec<NewRequest>,
        /// Id or name of the device.
        device: String,
    },
    /// Returns a list of `SentDownload`s, latest first. Contains the sends of this machine, and the sends that this
    /// machine missed.
    Sends,
}

impl std::fmt::Debug for SyncCall {
    /// Omits links and words, which are secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = serde_json::to_value(self).ok().and_then(|value| value["verb"].as_str().map(str::to_owned));
        write!(f, "SyncCall({})", verb.unwrap_or_default())
    }
}

impl SyncCall {
    /// Returns whether this operation can change the result of other operations. [pure]
    fn changes(&self) -> bool {
        match self {
            Self::Status | Self::Words | Self::Invite | Self::Devices | Self::Conflicts | Self::Others | Self::Sends => false,
            // A cycle announces its own outcome.
            Self::Now => false,
            Self::SetUp { .. }
            | Self::Join { .. }
            | Self::Recover { .. }
            | Self::RemoveDevice { .. }
            | Self::Trust { .. }
            | Self::Rename { .. }
            | Self::ClearHistory { .. }
            | Self::Leave
            | Self::Resolve { .. }
            | Self::ChangeOther { .. }
            | Self::Send { .. }
            | Self::SendNew { .. } => true,
        }
    }
}

impl SyncService {
    /// Runs an operation. Returns its answer as JSON, or the message of the failure.
    pub async fn call(&self, call: SyncCall) -> Result<Value, UserMessage> {
        let changes = call.changes();
        let answer = self.carry_out(call).await.map_err(|fault| message_of(&fault));
        if changes {
            self.0.engine.announce_sync();
        }
        answer
    }

    async fn carry_out(&self, call: SyncCall) -> Result<Value, SyncFault> {
        match call {
            SyncCall::Status => answer(self.status().await?),
            SyncCall::SetUp { link, name } => answer(self.set_up(&link, &name).await?),
            SyncCall::Join { link, name } => answer(self.join(&link, &name).await?),
            SyncCall::Recover { address, uid, words, name } => {
                let (address, pin) = address.split_once('#').unwrap_or((&address, "tls"));
                answer(self.recover(&EnrolmentPlace { address, pin, name: &name }, uid, &words).await?)
            }
            SyncCall::Words => answer(self.words().await?),
            SyncCall::Invite => answer(self.invite().await?),
            SyncCall::Devices => answer(self.devices().await?),
            SyncCall::RemoveDevice { device } => answer(self.remove_device(&device).await?),
            SyncCall::Trust { device, is_trusted } => answer(self.trust(&device, is_trusted).await?),
            SyncCall::Rename { name } => answer(self.rename(&name).await?),
            SyncCall::ClearHistory { before_ms } => answer(self.clear_history(before_ms).await?),
            SyncCall::Now => answer(self.now().await?),
            SyncCall::Leave => answer(self.leave().await?),
            SyncCall::Conflicts => answer(self.conflicts().await?),
            SyncCall::Resolve { number, takes_losing } => answer(self.resolve(number, takes_losing).await?),
            SyncCall::Others => answer(self.remote_downloads().await?),
            SyncCall::ChangeOther { id, change } => answer(self.change_remote(&id, change).await?),
            SyncCall::Send { unique_id, device } => answer(self.send(unique_id, &device).await?),
            SyncCall::SendNew { title, requests, device } => answer(self.send_new(title, &requests, &device).await?),
            SyncCall::Sends => answer(self.sends().await?),
        }
    }
}

fn answer(value: impl Serialize) -> Result<Value, SyncFault> {
    serde_json::to_value(value).map_err(|_| SyncFault::Damaged)
}
