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
    /// A copy of the ledger as it is now. `Io` where there is no room for it, or it is not right; then there is none.
    pub async fn copy_to(&self, target: &Path) -> Result<(), EngineError> {
        // Changes from here on are in the next copy.
        self.forget_changes();
        let mut source = checks::options(&self.0.path).read_only(true).connect().await?;
        let copied = copy(&mut source, target).await;
        // It has only read: what it says on closing changes nothing.
        let _ = source.close().await;
        if copied.is_err() {
            self.note_change();
        }
        copied
    }
}
