//! The gate of a folder that is missing, or does not answer.

use crate::model::{GateCode, GateReport, status::closed_by};

/// Gate of a folder that is missing or does not answer.
pub(crate) fn folder(text: String, cause: String) -> GateReport {
    closed_by(GateCode::Folder, text, cause, None)
}
