//! Compares the ledger with the disk at start and repairs every disagreement by one table. [pure]
//!
//! The start-up order; `Engine::open` follows it:
//!
//! 1. take the folder's lock;
//! 2. open, check and migrate the ledger; set a damaged one aside, restore a copy and bring it up to date from the
//!    partials;
//! 3. send every active request through [`repair`], and remove partials of no further use;
//! 4. finish deletions that were begun: only now, because removed rows cannot identify the owner of a partial;
//! 5. settle registrations that were complete but not settled;
//! 6. let the scheduler continue the running requests, and emit the notifications that are owed.

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
    /// No partial, or none that a journal vouches for.
    Nothing,
    /// A partial with this many durable bytes.
    Partial(u64),
    /// The file has its final name already.
    Placed,
    /// Unknown: the disk is missing or does not answer. Holds the bytes that the ledger has recorded.
    Away(u64),
}

/// Action that makes ledger and disk agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LedgerRepair {
    /// Start the transfer again under the same GUID; the transfer resumes from its partial, or finds that its file is complete.
    Start,
    /// Make the request pending again and keep this many bytes: it is paused, or its disk is away.
    SetAside(u64),
    /// Fail the request. Bytes may have been sent and the response is unknown, so it is never sent again automatically.
    Interrupted,
    /// Abort the request and remove its partial: the registration is no longer active.
    Abort,
}

/// Returns the repair for a saved state and a state on disk; a test covers every cell.
pub(crate) fn repair(saved: SavedRequest, disk: PartialOnDisk) -> LedgerRepair {
    match (saved, disk) {
        // The file was placed before the ledger recorded that. Complete the request even after an abort or a pause: the bytes are
        // in the folder.
        (_, PartialOnDisk::Placed) => LedgerRepair::Start,
        // An abort reached the ledger and not the transfer.
        (SavedRequest { is_wanted: false, .. }, _) => LedgerRepair::Abort,
        // The body may have arrived; only the user can decide whether it may arrive twice.
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
    fn repair_table_covers_every_cell() {
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
