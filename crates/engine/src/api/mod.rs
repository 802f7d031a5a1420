//! Public operations of the engine. Every front end calls these operations.

pub(crate) mod adopt;
pub(crate) mod credentials;
pub(crate) mod declared_size;
pub(crate) mod details;
pub(crate) mod doctor;
pub(crate) mod engine;
pub(crate) mod halt;
pub(crate) mod link_refresh;
pub(crate) mod links;
pub(crate) mod list;
pub(crate) mod network;
pub(crate) mod owner_data;
pub(crate) mod owners;
pub(crate) mod presentation;
pub(crate) mod probe;
pub(crate) mod quotas;
pub(crate) mod read_hold;
pub(crate) mod relocation;
pub(crate) mod settings;
pub(crate) mod speed_limits;
pub(crate) mod statistics;
pub(crate) mod sync;
