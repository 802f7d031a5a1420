//! Data types as callers see them: plain serialisable values without I/O or rules.
//!
//! The same values appear on the socket, in the window and in `--json`. Names from the Background Fetch specification
//! (`unique_id`, `failureReason`, ...) are kept.

pub(crate) mod accepted;
mod counter_mismatch;
mod details;
pub(crate) mod error;
mod first_run;
mod icon;
mod list_file;
pub(crate) mod messages;
mod new_registration;
pub(crate) mod owner;
mod parsed_line;
mod probe;
mod query;
pub(crate) mod quota;
mod record;
mod recovery;
mod registration;
mod segments;
mod setting;
mod sign_in;
pub(crate) mod state;
mod statistics;
pub(crate) mod status;
mod sync;
pub(crate) mod values;

use std::{fmt, str::FromStr};

pub use ashore_messages::{MessageArgument, UserMessage};
pub use counter_mismatch::*;
pub use details::*;
pub use first_run::*;
pub use icon::*;
pub use list_file::*;
pub use new_registration::*;
pub use owner::*;
pub use parsed_line::*;
pub use probe::*;
pub use query::*;
pub use quota::*;
pub use record::*;
pub use recovery::*;
pub use registration::*;
pub use segments::*;
use serde::{Deserialize, Serialize};
pub use setting::*;
pub use sign_in::*;
pub use statistics::*;
pub use status::*;
pub use sync::*;
use ts_rs::TS;
use uuid::Uuid;

/// Permanent key of a registration: a version 4 GUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(export, type = "string")]
pub struct UniqueId(pub Uuid);

impl fmt::Display for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for UniqueId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        text.parse().map(Self)
    }
}
