//! Message of each fault of sync. [pure]

use ashore_messages::{MessageArgument, UserMessage, message};

use crate::{
    cycle::SyncFault,
    keys::RecoveryWordsFault,
    merge::SendRefusal,
    server::{ServerFault, UnreachableCause},
};

/// Returns the message for people: the cause, and the next step.
pub fn message_of(fault: &SyncFault) -> UserMessage {
    match fault {
        SyncFault::Off => message!("sync-off"),
        SyncFault::On => message!("wrong-state.syncing"),
        SyncFault::Server(failure) => of_server(failure.fault),
        SyncFault::Engine(error) => error.message(),
        SyncFault::SecretMissing(_) => message!("sync-secret-missing"),
        SyncFault::Keys(_) => message!("sync-wrong-key"),
        SyncFault::Renewal(_) => message!("sync-removed"),
        SyncFault::OtherList => message!("sync-other-list"),
        SyncFault::Newer => message!("sync-newer"),
        SyncFault::Contended => message!("sync-busy.contended"),
        SyncFault::Copied => message!("sync-copied"),
        SyncFault::Reset => message!("sync-reset"),
        SyncFault::Link(_) => message!("sync-link"),
        SyncFault::LinkUsed => message!("sync-link.used"),
        SyncFault::OtherWords => message!("sync-words.other"),
        SyncFault::Words(fault) => of_words(fault),
        SyncFault::Send(SendRefusal::TooManyLinks { count }) => message!("sync-send.links", count = *count),
        SyncFault::Send(SendRefusal::TooManySends) => message!("sync-send.often"),
        SyncFault::Send(_) => message!("sync-send"),
        SyncFault::Name => message!("sync-name"),
        SyncFault::Unknown => message!("sync-unknown"),
        SyncFault::Incomplete => message!("sync-incomplete"),
        SyncFault::Damaged => message!("sync-damaged"),
    }
}

fn of_server(fault: ServerFault) -> UserMessage {
    match fault {
        ServerFault::Unreachable(UnreachableCause::NameNotFound) => message!("sync-unreachable.name"),
        ServerFault::Unreachable(UnreachableCause::CertificateNotTrusted) => message!("sync-certificate.not-trusted"),
        ServerFault::Unreachable(_) | ServerFault::TimedOut => message!("sync-unreachable"),
        ServerFault::CertificateChanged => message!("sync-certificate"),
        ServerFault::Unauthorized => message!("sync-removed.device"),
        ServerFault::Full | ServerFault::TooLarge => message!("sync-full"),
        ServerFault::Busy { .. } | ServerFault::Conflict => message!("sync-busy"),
        ServerFault::NotSyncServer(_) => message!("sync-not-a-server"),
        ServerFault::Refused { status, .. } => message!("sync-refused", status = MessageArgument::display(status)),
    }
}

fn of_words(fault: &RecoveryWordsFault) -> UserMessage {
    match fault {
        RecoveryWordsFault::Count(count) => message!("sync-words.count", count = MessageArgument::display(count)),
        RecoveryWordsFault::Unknown { position, word, suggestion: Some(suggestion) } => message!(
            "sync-words.meant",
            position = MessageArgument::display(position),
            word = word.as_str(),
            meant = suggestion.as_str()
        ),
        RecoveryWordsFault::Unknown { position, word, suggestion: None } => {
            message!("sync-words.word", position = MessageArgument::display(position), word = word.as_str())
        }
        RecoveryWordsFault::Checksum => message!("sync-words"),
    }
}
