//! The sync cycle: reads, merges and sends the collections of the list.

mod account;
mod devices;
mod downloads;
mod fault;
mod history;
mod local_list;
mod pull;
mod push;
mod render;
mod run;
mod sends;
mod session;
mod settings;
mod starts;
mod versions;

pub use self::{
    account::{DEVICE_SECRET, ROOT_SECRET, STARTS_SECRET, SyncAccount, TOKEN_SECRET},
    downloads::known_version,
    fault::SyncFault,
    local_list::{ListFuture, LocalList},
    render::later_stamp,
    run::{COLLECTIONS, CycleReport, run_cycle},
    sends::{ArrivedSend, PERSON_HERE, known_send},
    session::{SyncEnv, SyncSession, held, to_text as row_text},
    starts::{ProgramStart, StartHistory},
};
