//! Why a call was not answered with a value, for both bodies of a connection alike.

use std::io;

use ashore_engine::{EngineError, UserMessage};

/// What a call answers instead of its value.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// The engine refused, and says why. Nothing was changed.
    #[error("{}", .0.text)]
    Refused(UserMessage),
    /// There is no engine to ask: it could not be opened, and nobody who holds the folder answers.
    #[error("{}", .0.text)]
    Closed(UserMessage),
    /// The program that holds the folder went away or speaks another language. Whether the call was carried out is not
    /// known.
    #[error("The Ashore that works on this folder does not answer ({0}). Try again.")]
    Unreachable(#[source] io::Error),
}

impl CallFailure {
    /// As it crosses a border.
    pub fn trouble(&self) -> UserMessage {
        match self {
            Self::Refused(trouble) | Self::Closed(trouble) => trouble.clone(),
            Self::Unreachable(_) => UserMessage { code: "unreachable".to_owned(), text: self.to_string() },
        }
    }

    /// Whether asking again through a new connection may help.
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
