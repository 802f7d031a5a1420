//! Copies the open ledger.

use std::path::Path;

use sqlx::{ConnectOptions as _, Connection as _};

use crate::{
    EngineError,
    store::{
        database::{backup::copy, checks},
        ledger::LedgerStore,
    },
};

impl LedgerStore {
    /// Copies the ledger in its present state to `target`. Fails with `Io` if the disk is full or the copy is not
    /// sound. No copy remains after a failure.
    pub async fn copy_to(&self, target: &Path) -> Result<(), EngineError> {
        // A change from this moment on belongs to the next copy.
        self.forget_changes();
        let mut source = checks::options(&self.0.path).read_only(true).connect().await?;
        let copied = copy(&mut source, target).await;
        // The connection has only read the ledger, so an error on closing changes nothing.
        let _ = source.close().await;
        if copied.is_err() {
            self.note_change();
        }
        copied
    }
}
