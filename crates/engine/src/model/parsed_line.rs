//! Results of parsing pasted text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{NewRequest, SignIn, UserMessage};

/// Line with content, or all lines of one command.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UnderstoodLine {
    /// Number of the first line, from 1.
    pub number: u32,
    /// Number of lines.
    pub lines: u32,
    /// Text of the line. A long text is shortened.
    pub text: String,
    /// Requests in order; empty if the line is not understood.
    pub requests: Vec<NewRequest>,
    /// Sign-in for the requests. It is separate, because requests are persisted and must not contain secrets.
    pub sign_in: Option<SignIn>,
    /// Reason why the line is not understood.
    ///
    /// Codes: `not-a-link`, `other-scheme`, `credentials`, `bad-port`, `twice`, `pattern`, `command`, `metalink` or
    /// `too-many`.
    pub trouble: Option<UserMessage>,
}
