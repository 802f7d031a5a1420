//! Faults of sync, as data. Their texts are in the message catalogues.

use ashore_engine::EngineError;

use crate::{
    keys::{DeviceKeyFault, JoinLinkFault, KeyRingFault, RecoveryWordsFault},
    merge::SendRefusal,
    server::{ServerFailure, ServerFault},
};

/// Reason why a sync cycle or a sync command failed.
#[derive(Debug, thiserror::Error)]
pub enum SyncFault {
    /// Sync is off on this machine.
    #[error("sync is off")]
    Off,
    /// Sync is already on.
    #[error("sync is already on")]
    On,
    /// The request to the server failed.
    #[error("sync server: {:?}", .0.fault)]
    Server(ServerFailure),
    /// The ledger or the keychain failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The keychain did not return the secret with this name.
    #[error("secret of sync is missing: {0}")]
    SecretMissing(&'static str),
    /// The keys on the server cannot be decrypted with the key of this machine.
    #[error("key ring: {0:?}")]
    Keys(KeyRingFault),
    /// A renewed root key cannot be decrypted with the key of this device.
    #[error("renewed root key: {0:?}")]
    Renewal(DeviceKeyFault),
    /// The server holds another download list under this account.
    #[error("another download list is on the server")]
    OtherList,
    /// The list on the server was written by a newer version.
    #[error("list of a newer version")]
    Newer,
    /// The server or the ledger changed again and again while this machine tried to write.
    #[error("other devices kept writing")]
    Contended,
    /// Another machine uses a copy of this identity.
    #[error("identity is in use on another machine")]
    Copied,
    /// The server has lost the list: it was reset, or its data was deleted.
    #[error("the server has no list")]
    Reset,
    /// A link is not valid.
    #[error("link: {0:?}")]
    Link(JoinLinkFault),
    /// The link was used already, or is too old.
    #[error("used link")]
    LinkUsed,
    /// The link is for joining a list, but the person wanted to set up a list.
    #[error("link joins a list")]
    LinkJoins,
    /// The link is for setting up a list, but the person wanted to join a list.
    #[error("link sets up a list")]
    LinkSetsUp,
    /// The recovery words are those of another list.
    #[error("recovery words of another list")]
    OtherWords,
    /// A recovery word is not valid.
    #[error("recovery words: {0:?}")]
    Words(RecoveryWordsFault),
    /// Sending the download is not allowed.
    #[error(transparent)]
    Send(SendRefusal),
    /// The name of a machine is empty or too long.
    #[error("name of a machine")]
    Name,
    /// There is no such download, device or conflict.
    #[error("unknown record of sync")]
    Unknown,
    /// The requests of a download are not in its record.
    #[error("incomplete record of sync")]
    Incomplete,
    /// The parts of the requests could not be read. The server does not answer, a part is missing, or a part is not the
    /// part that the record names.
    #[error("parts of a download could not be read")]
    PartsUnreadable,
    /// A value of the ledger could not be read.
    #[error("damaged record of sync")]
    Damaged,
}

impl SyncFault {
    /// Stable identifier for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Off => "sync-off",
            Self::On => "sync-on",
            Self::Server(failure) => server_code(failure.fault),
            Self::Engine(error) => error.code(),
            Self::SecretMissing(_) => "sync-secret-missing",
            Self::Keys(_) => "sync-wrong-key",
            Self::Renewal(_) => "sync-removed",
            Self::OtherList => "sync-other-list",
            Self::Newer => "sync-newer",
            Self::Contended => "sync-contended",
            Self::Copied => "sync-copied",
            Self::Reset => "sync-reset",
            Self::Link(_) | Self::LinkUsed | Self::LinkJoins | Self::LinkSetsUp => "sync-link",
            Self::Words(_) | Self::OtherWords => "sync-words",
            Self::Send(_) => "sync-send",
            Self::Name => "sync-name",
            Self::Unknown => "sync-unknown",
            Self::Incomplete | Self::PartsUnreadable => "sync-incomplete",
            Self::Damaged => "sync-damaged",
        }
    }
}

impl SyncFault {
    /// Whether the fault means that another device has written to the server since this device read it.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Server(ServerFailure { fault: ServerFault::Conflict, .. }))
    }
}

fn server_code(fault: ServerFault) -> &'static str {
    match fault {
        ServerFault::Unreachable(_) => "sync-unreachable",
        ServerFault::CertificateChanged => "sync-certificate",
        ServerFault::TimedOut => "sync-timed-out",
        ServerFault::Unauthorized => "sync-unauthorized",
        ServerFault::Conflict => "sync-contended",
        ServerFault::Full => "sync-full",
        ServerFault::TooLarge => "sync-too-large",
        ServerFault::Busy { .. } => "sync-busy",
        ServerFault::NotSyncServer(_) => "sync-not-a-server",
        ServerFault::Refused { .. } => "sync-refused",
    }
}

impl From<ServerFailure> for SyncFault {
    fn from(failure: ServerFailure) -> Self {
        Self::Server(failure)
    }
}

impl From<ServerFault> for SyncFault {
    fn from(fault: ServerFault) -> Self {
        Self::Server(ServerFailure::without_answer(fault))
    }
}

impl From<KeyRingFault> for SyncFault {
    fn from(fault: KeyRingFault) -> Self {
        Self::Keys(fault)
    }
}
