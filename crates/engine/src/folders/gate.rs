//! The gate of a folder that is missing or does not answer.

use crate::model::{GateCode, GateReport, UserMessage, status::closed_by};

/// Returns the gate of a folder that is missing or does not answer.
pub(crate) fn folder(message: UserMessage, cause: UserMessage) -> GateReport {
    closed_by(message, GateCode::Folder, cause, None)
}
