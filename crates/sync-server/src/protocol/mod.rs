//! Implements the formats of Sync Storage 1.5, one in each file. Uses no clock and no I/O.

pub mod bso;
pub mod headers;
pub mod limits;
pub mod offset;
pub mod query;
pub mod refusal;
pub mod render;
pub mod timestamp;

pub use self::{
    bso::{BsoTtl, IncomingBso, IncomingBsos, is_collection_name, is_id},
    limits::ProtocolLimits,
    offset::SortOrder,
    query::BsoQuery,
    refusal::ProtocolRefusal,
    timestamp::Timestamp,
};
