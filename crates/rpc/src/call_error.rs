//! Error of a call, for both kinds of connection.

use std::io;

use ashore_engine::{EngineError, UserMessage};

/// Reason why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// The engine refused the call with this reason. Nothing was changed.
    #[error("{}", .0.text)]
    Refused(UserMessage),
    /// No engine can be asked: it could not be opened, and no holder of the folder answers.
    #[error("{}", .0.text)]
    Closed(UserMessage),
    /// The program that holds the folder went away or uses another protocol. Whether the call was carried out is not
    /// known.
    #[error("The Ashore that works on this folder does not answer ({0}). Try again.")]
    Unreachable(#[source] io::Error),
}

impl CallFailure {
    /// Returns the error in the form that is sent to other programs.
    pub fn trouble(&self) -> UserMessage {
        match self {
            Self::Refused(trouble) | Self::Closed(trouble) => trouble.clone(),
            Self::Unreachable(_) => UserMessage { code: "unreachable".to_owned(), text: self.to_string() },
        }
    }

    /// Whether the same call on a new connection may succeed.
    pub fn lost(&self) -> bool {
        match self {
            Self::Refused(trouble) => trouble.code == EngineError::Closed.code(),
            Self::Closed(_) => false,
            Self::Unreachable(_) => true,
        }
    }

    pub(crate) fn misshapen(error: &serde_json::Error) -> Self {
        Self::Unreachable(io::Error::new(io::ErrorKind::InvalidData, format!("its answer makes no sense: {error}")))
    }
}

impl From<EngineError> for CallFailure {
    fn from(error: EngineError) -> Self {
        Self::Refused(error.trouble())
    }
}
