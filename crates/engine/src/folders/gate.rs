//! The gate of a folder that is missing, or does not answer.

use crate::model::{Gate, GateCode, status::closed_by};

/// The gate before a folder that is not there, or does not answer.
pub(crate) fn folder(text: String, cause: String) -> Gate {
    closed_by(GateCode::Folder, text, cause, None)
}
