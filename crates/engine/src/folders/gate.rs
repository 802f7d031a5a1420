//! The gate that stops downloads into a folder that is missing or does not answer.

use crate::model::{GateCode, GateReport, UserMessage, status::closed_by};

/// Returns the report of the gate that is closed because a folder is missing or does not answer.
pub(crate) fn folder(message: UserMessage, cause: UserMessage) -> GateReport {
    closed_by(message, GateCode::Folder, cause, None)
}
