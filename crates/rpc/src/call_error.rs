//! Error of a call to an engine in this process or in another program.

use std::io;

use ashore_engine::{EngineError, UserMessage};
use ashore_messages::message;

/// Reason why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// The engine refused the call with this reason. Nothing was changed.
    #[error("{0}")]
    Refused(UserMessage),
    /// No engine is available: this process could not open one. If another program holds the folder, that program does
    /// not answer.
    #[error("{0}")]
    Closed(UserMessage),
    /// The program that held the folder has ended, or uses another protocol. The call may or may not have been carried
    /// out.
    #[error("{}", unreachable(.0))]
    Unreachable(#[source] io::Error),
}

impl CallFailure {
    /// Returns the message of the error, which is also the form that is sent to other programs.
    pub fn message(&self) -> UserMessage {
        match self {
            Self::Refused(message) | Self::Closed(message) => message.clone(),
            Self::Unreachable(error) => unreachable(error),
        }
    }

    /// Whether the same call on a new connection may succeed.
    pub fn lost(&self) -> bool {
        match self {
            Self::Refused(message) => message.code == EngineError::Closed.code(),
            Self::Closed(_) => false,
            Self::Unreachable(_) => true,
        }
    }

    pub(crate) fn misshapen(error: &serde_json::Error) -> Self {
        let why = message!("fault-peer.answer", why = error.to_string());
        Self::Unreachable(io::Error::new(io::ErrorKind::InvalidData, why))
    }
}

impl From<EngineError> for CallFailure {
    fn from(error: EngineError) -> Self {
        Self::Refused(error.message())
    }
}

fn unreachable(error: &io::Error) -> UserMessage {
    message!("unreachable", why = error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_for_unreachable_engine_includes_cause_of_connection_failure() {
        let text = |error| CallFailure::Unreachable(error).message().text;
        let closed = io::Error::new(io::ErrorKind::UnexpectedEof, message!("fault-peer.closed"));
        assert!(text(closed).contains("(it closed the connection)"));
        assert!(text(io::ErrorKind::ConnectionRefused.into()).contains("(the connection was refused)"));
    }
}
