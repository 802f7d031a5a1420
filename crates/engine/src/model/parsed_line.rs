//! What was understood of text that somebody pasted.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{NewRequest, SignIn, UserMessage};

/// A line that says something, or the lines of one command.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UnderstoodLine {
    /// The number of the first line, from 1, as an editor counts.
    pub number: u32,
    /// How many lines it takes.
    pub lines: u32,
    /// What stands there, shortened where it is long.
    pub text: String,
    /// What it asks for, in order; none where it is not understood.
    pub requests: Vec<NewRequest>,
    /// Who the server is to think it is; kept out of the requests, because those are written down.
    pub sign_in: Option<SignIn>,
    /// Why it is not understood: `not-a-link`, `other-scheme`, `credentials`, `bad-port`, `twice`, `pattern`, `command`,
    /// `metalink` or `too-many`.
    pub trouble: Option<UserMessage>,
}
