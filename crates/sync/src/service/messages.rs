//! Messages of all sync faults. [pure]

use ashore_messages::{MessageArgument, UserMessage, message};

use crate::{
    cycle::SyncFault,
    keys::RecoveryWordsFault,
    merge::SendRefusal,
    records::RecordFault,
    server::{ServerFault, UnreachableCause},
};

/// Returns the message for the user: the cause and the next step.
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
        SyncFault::LinkJoins => message!("sync-link.joins"),
        SyncFault::LinkSetsUp => message!("sync-link.sets-up"),
        SyncFault::OtherWords => message!("sync-words.other"),
        SyncFault::Words(fault) => of_words(fault),
        SyncFault::Send(SendRefusal::TooManyLinks { count }) => message!("sync-send.links", count = *count),
        SyncFault::Send(SendRefusal::TooManySends) => message!("sync-send.often"),
        SyncFault::Send(SendRefusal::Fault(RecordFault::TooLong(_))) => message!("sync-send.long"),
        SyncFault::Send(_) => message!("sync-send"),
        SyncFault::Name => message!("sync-name"),
        SyncFault::Unknown => message!("sync-unknown"),
        SyncFault::Incomplete => message!("sync-incomplete"),
        SyncFault::PartsUnreadable => message!("sync-incomplete.parts"),
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

#[cfg(test)]
mod tests {
    use ashore_engine::EngineError;

    use super::*;
    use crate::{
        keys::{DeviceKeyFault, JoinLinkFault, KeyRingFault},
        server::UnexpectedAnswer,
    };

    const TRY_AGAIN: &str = "Try again in a minute; Ashore also tries again by itself.";
    const JOIN_AGAIN: &str = "turn sync off and join again.";

    /// Faults, at least one of each variant.
    fn faults() -> Vec<SyncFault> {
        let word = |suggestion: Option<&str>| RecoveryWordsFault::Unknown {
            position: 7,
            word: "hamstr".to_owned(),
            suggestion: suggestion.map(str::to_owned),
        };
        let words = [RecoveryWordsFault::Count(23), word(Some("hamster")), word(None), RecoveryWordsFault::Checksum];
        let fault = RecordFault::Shape;
        let refusals = [
            SendRefusal::Fault(fault),
            SendRefusal::Fault(RecordFault::TooLong("requests")),
            SendRefusal::NoLinks,
            SendRefusal::TooManyLinks { count: 1001 },
            SendRefusal::TooManySends,
        ];
        let servers = [
            ServerFault::Unreachable(UnreachableCause::NameNotFound),
            ServerFault::Unreachable(UnreachableCause::CertificateNotTrusted),
            ServerFault::Unreachable(UnreachableCause::ConnectionRefused),
            ServerFault::CertificateChanged,
            ServerFault::TimedOut,
            ServerFault::Unauthorized,
            ServerFault::Conflict,
            ServerFault::Full,
            ServerFault::TooLarge,
            ServerFault::Busy { retry_after_s: Some(30) },
            ServerFault::NotSyncServer(UnexpectedAnswer::Redirect),
            ServerFault::Refused { status: 400, code: None },
        ];
        let mut faults = vec![
            SyncFault::Off,
            SyncFault::On,
            SyncFault::Engine(EngineError::Empty),
            SyncFault::SecretMissing("root"),
            SyncFault::Keys(KeyRingFault::NotAKeyRing),
            SyncFault::Renewal(DeviceKeyFault::NotARenewal),
            SyncFault::OtherList,
            SyncFault::Newer,
            SyncFault::Contended,
            SyncFault::Copied,
            SyncFault::Reset,
            SyncFault::Link(JoinLinkFault::NotALink),
            SyncFault::LinkUsed,
            SyncFault::LinkJoins,
            SyncFault::LinkSetsUp,
            SyncFault::OtherWords,
            SyncFault::Name,
            SyncFault::Unknown,
            SyncFault::Incomplete,
            SyncFault::PartsUnreadable,
            SyncFault::Damaged,
        ];
        faults.extend(servers.map(SyncFault::from));
        faults.extend(words.map(SyncFault::Words));
        faults.extend(refusals.map(SyncFault::Send));
        faults
    }

    /// Expected end of the message: the next step. A new fault variant does not compile without an entry here.
    fn next_step(fault: &SyncFault) -> &'static str {
        match fault {
            SyncFault::Off => "Set up a list, or join one.",
            SyncFault::On => "Turn sync off first.",
            SyncFault::Server(failure) => step_of_server(failure.fault),
            // The messages of engine faults come from the engine. Their ends are not checked here.
            SyncFault::Engine(_) => "",
            SyncFault::SecretMissing(_) => "Unlock the keychain, or turn sync off and join again.",
            SyncFault::Keys(_) | SyncFault::OtherList => JOIN_AGAIN,
            SyncFault::Renewal(_) => "Turn sync off, and join again with a link from another machine.",
            SyncFault::Newer => "Update Ashore on this machine.",
            SyncFault::Contended => TRY_AGAIN,
            SyncFault::Copied => "Turn sync off on one of the two, and join the list again there.",
            SyncFault::Reset => "Turn sync off, and set the list up again.",
            SyncFault::Link(_) => "Copy the whole link again.",
            SyncFault::LinkUsed => "Create a new link on the other machine.",
            SyncFault::LinkJoins => "Use it to join that list.",
            SyncFault::LinkSetsUp => "Use it to set up a list.",
            SyncFault::OtherWords => "Compare them, the address and the number with your notes.",
            SyncFault::Words(RecoveryWordsFault::Count(_)) => "Enter all words in their order.",
            SyncFault::Words(RecoveryWordsFault::Unknown { suggestion: Some(_), .. }) => "Did you mean \"hamster\"?",
            SyncFault::Words(RecoveryWordsFault::Unknown { suggestion: None, .. }) => "Compare it with your notes.",
            SyncFault::Words(RecoveryWordsFault::Checksum) => "Compare them with your notes.",
            SyncFault::Send(SendRefusal::TooManyLinks { .. } | SendRefusal::Fault(RecordFault::TooLong(_))) => {
                "Send fewer links at once."
            }
            SyncFault::Send(SendRefusal::TooManySends) => "Try again later.",
            SyncFault::Send(SendRefusal::Fault(_) | SendRefusal::NoLinks) => "Only http and https links can be sent.",
            SyncFault::Name => "Choose another name.",
            SyncFault::Unknown => "Check the name or the id.",
            SyncFault::Incomplete => "Fetch the download on its own machine.",
            SyncFault::PartsUnreadable => "Try again later, or fetch the download on its own machine.",
            SyncFault::Damaged => "Turn sync off and join again; downloads and files stay.",
        }
    }

    fn step_of_server(fault: ServerFault) -> &'static str {
        match fault {
            ServerFault::Unreachable(UnreachableCause::NameNotFound) => {
                "Check the network connection, or the address of the server."
            }
            ServerFault::Unreachable(UnreachableCause::CertificateNotTrusted) => {
                "Check the address, and the clock of this machine."
            }
            // No action is needed, and the message states this.
            ServerFault::Unreachable(_) | ServerFault::TimedOut => {
                "Everything on this machine continues, and the changes are sent later."
            }
            ServerFault::CertificateChanged => "If the server is a new one, turn sync off and join again.",
            ServerFault::Unauthorized => "Turn sync off to hide this message.",
            ServerFault::Full | ServerFault::TooLarge => "Ask its owner for a larger quota, or clear old history.",
            ServerFault::Conflict | ServerFault::Busy { .. } => TRY_AGAIN,
            ServerFault::NotSyncServer(_) => "Check the address.",
            ServerFault::Refused { .. } => "Update Ashore on both sides.",
        }
    }

    #[test]
    fn each_fault_has_sentence_with_cause_and_next_step() {
        let kinds: std::collections::HashSet<_> = faults().iter().map(std::mem::discriminant).collect();
        assert_eq!(kinds.len(), 24, "one fault of each variant");
        for fault in faults() {
            let UserMessage { code, text, .. } = message_of(&fault);
            let cause = text.strip_suffix(next_step(&fault)).unwrap_or_else(|| panic!("{code}: {text}"));
            assert!(cause.trim_end().len() > 10 && cause.trim_end().ends_with(['.', ';']), "{code}: {text}");
        }
    }
}
