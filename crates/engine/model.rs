//! The nouns, as everybody outside sees them: plain serialisable values, the same on the socket, in the window and in
//! `--json`. No I/O, no rules.
//!
//! Names are the Background Fetch specification's where it has one (`unique_id`, `failureReason`, ...).

mod asked;
mod bootstrap;
mod details;
mod icon;
mod miscount;
mod owner;
mod probed;
mod query;
mod quota;
mod record;
mod recovery;
mod registration;
mod saved;
mod segments;
mod setting;
mod sign_in;
mod statistics;
mod status;
mod understood;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

pub use self::{
    asked::*, bootstrap::*, details::*, icon::*, miscount::*, owner::*, probed::*, query::*, quota::*, record::*, recovery::*,
    registration::*, saved::*, segments::*, setting::*, sign_in::*, statistics::*, status::*, understood::*,
};

/// The only key of a registration that anything may hold on to: a version 4 GUID.
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

/// Something that went wrong: a stable word for programs, a sentence with the cure for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Trouble {
    /// Such as `dns` or `changed-on-server`.
    pub code: String,
    /// Such as "The server no longer has this file."
    pub text: String,
}
