//! Compares the ledger with the disk at start and repairs every disagreement according to one table of rules. [pure]
//!
//! `Engine::open` starts the engine in this order:
//!
//! 1. take the folder's lock;
//! 2. open, check and migrate the ledger; rename a damaged ledger, restore a copy and bring the copy up to date from
//!    the partial files;
//! 3. send every active request through [`repair`], and remove partial files that are no longer needed;
//! 4. finish interrupted deletions, only after step 3 because removed rows cannot identify the owner of a partial file;
//! 5. settle registrations that were complete but not settled;
//! 6. let the scheduler continue the running requests, and emit the pending notifications.

/// Ledger state of an active request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedRequest {
    /// Whether the registration of the request is still active.
    pub is_wanted: bool,
    /// Whether the request's registration, or everything, is paused.
    pub is_paused: bool,
    /// Whether the request may change something at the server. Such a request must not be sent twice.
    pub is_upload: bool,
}

/// State of a request's transfer, as found on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialOnDisk {
    /// No partial file exists that is confirmed by a journal.
    Nothing,
    /// A partial file exists, with this many durable bytes.
    Partial(u64),
    /// The file already has its final name.
    Placed,
    /// Unknown: the disk is missing or does not answer. Holds the number of bytes recorded in the ledger.
    Away(u64),
}

/// Action that makes ledger and disk agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LedgerRepair {
    /// Start the transfer again under the same GUID. The transfer resumes from its partial file, or finds its complete
    /// file.
    Start,
    /// Make the request pending again and record that this many bytes are on disk. The request is paused, or its disk
    /// is missing.
    SetAside(u64),
    /// Fail the request. Bytes may have been sent and the response is unknown, so it is never sent again automatically.
    Interrupted,
    /// Abort the request and remove its partial file, because the registration is no longer active.
    Abort,
}

/// Returns the repair for a ledger state and a disk state. A test covers every combination.
pub(crate) fn repair(saved: SavedRequest, disk: PartialOnDisk) -> LedgerRepair {
    match (saved, disk) {
        // The file got its final name before the ledger recorded the completion. Complete the request even after an
        // abort or a pause, since the bytes are in the folder.
        (_, PartialOnDisk::Placed) => LedgerRepair::Start,
        // The abort was recorded in the ledger but did not reach the transfer.
        (SavedRequest { is_wanted: false, .. }, _) => LedgerRepair::Abort,
        // The body may have arrived; only the user can decide whether it may arrive twice.
        (SavedRequest { is_upload: true, .. }, _) => LedgerRepair::Interrupted,
        // The pause was recorded in the ledger but did not reach the transfer.
        (SavedRequest { is_paused: true, .. }, PartialOnDisk::Partial(bytes)) => LedgerRepair::SetAside(bytes),
        (SavedRequest { is_paused: true, .. }, PartialOnDisk::Nothing) => LedgerRepair::SetAside(0),
        // The request waits for its disk. When the disk is available again, the disk is compared with the ledger.
        (_, PartialOnDisk::Away(bytes)) => LedgerRepair::SetAside(bytes),
        // The request was running, so it continues.
        (_, PartialOnDisk::Partial(_) | PartialOnDisk::Nothing) => LedgerRepair::Start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn startup_repair_is_correct_for_every_ledger_and_disk_state() {
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
