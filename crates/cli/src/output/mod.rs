//! Text for users: progress, results, and the sentence and exit code of a failure.

pub(crate) mod problem;
pub(crate) mod progress;
pub(crate) mod qr_code;
pub(crate) mod text;
pub(crate) mod words;
