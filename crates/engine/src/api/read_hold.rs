//! Engine methods to read a registration that a client keeps readable.

use std::path::PathBuf;

use crate::{
    Engine, EngineError,
    model::{MatchOptions, Registration, RegistrationDetails, ResponseRecord, UniqueId},
    scheduler::command::SchedulerCommand,
};

/// Handle that keeps a registration readable until the handle is dropped.
#[derive(Debug)]
pub struct ReadHold {
    engine: Engine,
    id: UniqueId,
}

impl ReadHold {
    /// Same as [`Engine::show`], but also works for a removed registration.
    pub async fn show(&self) -> Result<Registration, EngineError> {
        self.engine.shared.seen(self.id, true).await?.ok_or(EngineError::Unknown(self.id))
    }

    /// Same as [`Engine::records`], but also works for a removed registration.
    pub async fn records(&self, from: u32, limit: u32) -> Result<Vec<ResponseRecord>, EngineError> {
        self.engine.read_records(self.id, from, limit, true).await
    }

    /// Same as [`Engine::match_all`], but also works for a removed registration.
    pub async fn match_all(&self, url: &str, options: MatchOptions) -> Result<Vec<ResponseRecord>, EngineError> {
        self.engine.read_matching(self.id, url, options, true).await
    }

    /// Same as [`Engine::details`], but also works for a removed registration.
    pub async fn details(&self, index: u32) -> Result<RegistrationDetails, EngineError> {
        self.engine.read_details(self.id, index).await
    }

    /// Same as [`Engine::file`], but also works for a removed registration.
    pub async fn file(&self, index: u32) -> Result<PathBuf, EngineError> {
        self.engine.read_file(self.id, index).await
    }
}

impl Drop for ReadHold {
    fn drop(&mut self) {
        if self.engine.shared.references.release(self.id) {
            self.engine.order(SchedulerCommand::Released(self.id));
        }
    }
}

impl Engine {
    /// Returns a [`ReadHold`], which keeps a registration readable after its removal.
    ///
    /// Fails with `Unknown` if the registration is not in the list. Accepts a removed registration while its end event
    /// is pending.
    pub async fn hold(&self, id: UniqueId) -> Result<ReadHold, EngineError> {
        if !self.shared.references.take(id) {
            return Err(EngineError::Unknown(id));
        }
        let hold = ReadHold { engine: self.clone(), id };
        let shared = &self.shared;
        match shared.seen(id, false).await?.is_some() || shared.store.is_owed(id, true).await? {
            true => Ok(hold),
            false => Err(EngineError::Unknown(id)),
        }
    }
}
