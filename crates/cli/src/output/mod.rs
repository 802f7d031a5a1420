//! Text for users: progress, results, and the sentence and exit code of a failure.

pub(crate) mod list_table;
pub(crate) mod problem;
pub(crate) mod progress;
pub(crate) mod qr_code;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod watched;
pub(crate) mod words;
