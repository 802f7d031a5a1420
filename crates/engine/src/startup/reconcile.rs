//! At start: the ledger is held against what the disk knows, and every disagreement is mended by one table. [pure]
//!
//! The start-up order, written once; `Engine::open` follows it:
//!
//! 1. the folder's lock;
//! 2. the ledger opened, checked, migrated; one that is damaged set aside, a copy taken, and that brought up to date by the
//!    partials;
//! 3. every active request goes through [`repair`], and partials of no further use are removed;
//! 4. deletions that were begun are finished: only now, because rows that are gone cannot say whose a partial was;
//! 5. what was complete but not settled is settled;
//! 6. the scheduler goes on with what was running, and what is owed is announced to whoever listens.

/// An active request as the ledger has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedRequest {
    /// The registration of the request is still active.
    pub is_wanted: bool,
    /// The request's registration, or everything, is paused.
    pub is_paused: bool,
    /// The request may change something at the server, so it must not be sent twice.
    pub is_upload: bool,
}

/// The transfer of the request as the disk has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialOnDisk {
    /// Nothing, or nothing that a journal vouches for.
    Nothing,
    /// A partial with so many durable bytes.
    Partial(u64),
    /// The file has its final name already.
    Placed,
    /// Unknown: the disk is not there, or does not answer. Holds the bytes that the ledger knows of.
    Away(u64),
}

/// Action that makes ledger and disk agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LedgerRepair {
    /// Start the transfer again under the same GUID; the transfer resumes from its partial, or finds that its file is complete.
    Start,
    /// Pending again with so many bytes kept: a person paused it.
    SetAside(u64),
    /// Bytes may have left and the answer is unknown: never sent again by itself.
    Interrupted,
    /// Abort the request and remove its partial: the registration is no longer active.
    Abort,
}

/// Saved state x what is on disk; every cell is a test.
pub(crate) fn repair(saved: SavedRequest, disk: PartialOnDisk) -> LedgerRepair {
    match (saved, disk) {
        // The file was placed before the ledger recorded that. Complete the request even after an abort or a pause: the bytes are
        // in the folder.
        (_, PartialOnDisk::Placed) => LedgerRepair::Start,
        // An abort reached the ledger and not the transfer.
        (SavedRequest { is_wanted: false, .. }, _) => LedgerRepair::Abort,
        // The body may have arrived; only a person knows whether it may arrive twice.
        (SavedRequest { is_upload: true, .. }, _) => LedgerRepair::Interrupted,
        // A pause reached the ledger and not the transfer.
        (SavedRequest { is_paused: true, .. }, PartialOnDisk::Partial(bytes)) => LedgerRepair::SetAside(bytes),
        (SavedRequest { is_paused: true, .. }, PartialOnDisk::Nothing) => LedgerRepair::SetAside(0),
        // The request waits for its disk, which is compared with the ledger when it is back.
        (_, PartialOnDisk::Away(bytes)) => LedgerRepair::SetAside(bytes),
        // The request was running, so it continues.
        (_, PartialOnDisk::Partial(_) | PartialOnDisk::Nothing) => LedgerRepair::Start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell() {
        let disks = [PartialOnDisk::Nothing, PartialOnDisk::Partial(7), PartialOnDisk::Placed, PartialOnDisk::Away(5)];
        for is_upload in [false, true] {
            for is_paused in [false, true] {
                for is_wanted in [false, true] {
                    let saved = SavedRequest { is_wanted, is_paused, is_upload };
                    let expected = match (is_wanted, is_paused, is_upload) {
                        (false, _, _) => [LedgerRepair::Abort, LedgerRepair::Abort, LedgerRepair::Start, LedgerRepair::Abort],
                        (true, _, true) => {
                            [LedgerRepair::Interrupted, LedgerRepair::Interrupted, LedgerRepair::Start, LedgerRepair::Interrupted]
                        }
                        (true, true, false) => {
                            [LedgerRepair::SetAside(0), LedgerRepair::SetAside(7), LedgerRepair::Start, LedgerRepair::SetAside(5)]
                        }
                        (true, false, false) => {
                            [LedgerRepair::Start, LedgerRepair::Start, LedgerRepair::Start, LedgerRepair::SetAside(5)]
                        }
                    };
                    assert_eq!(disks.map(|disk| repair(saved, disk)), expected, "{saved:?}");
                }
            }
        }
    }
}
