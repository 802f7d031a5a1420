//! The sync cycle: reads, merges and sends the collections of the list.

mod account;
mod account_edit;
mod collections;
mod devices;
mod downloads;
mod fault;
mod former_identities;
mod held_records;
mod history;
mod local_list;
mod loss;
mod part_upkeep;
mod parts;
mod pull;
mod push;
mod rejoin;
mod render;
mod run;
mod sends;
mod session;
mod settings;
mod starts;
#[cfg(test)]
mod tests;
mod versions;

pub use self::{
    account::{DEVICE_SECRET, FORMER_SECRET, ListRestoration, ROOT_SECRET, STARTS_SECRET, SyncAccount, TOKEN_SECRET},
    account_edit::{edit_account, read_account},
    collections::COLLECTIONS,
    devices::{absent_device, free_name, given_name},
    downloads::known_version,
    fault::SyncFault,
    former_identities::FormerIdentities,
    history::{clear_before, clearing_id},
    local_list::{ListFuture, LocalList, all_rows, chosen_rows},
    loss::{begin_restoration, rolled_back_to},
    parts::ReadParts,
    render::{later_stamp, wish},
    run::{CycleReport, run_cycle},
    sends::{ArrivedSend, PERSON_HERE, known_send},
    session::{SyncEnv, SyncSession, held, to_text as row_text},
    starts::{ProgramStart, StartHistory},
};
