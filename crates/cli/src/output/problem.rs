//! Results of a verb and their exit codes. Scripts depend on the codes, so they do not change.

use std::io;

use ashore_engine::UserMessage;
use ashore_rpc::CallFailure;

/// Result of a verb that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Everything succeeded.
    Done,
    /// Some of the work failed.
    Failed,
    /// Ctrl-C was pressed. All received bytes are kept.
    Interrupted,
}

impl ExitStatus {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Interrupted => 130,
        }
    }
}

/// Reason why a verb was not carried out.
#[derive(Debug)]
pub enum CliProblem {
    /// The arguments are not valid.
    Usage(UserMessage),
    /// The engine refused the call or could not be reached.
    Failure(CallFailure),
    /// The output has no reader any more, or cannot be written.
    Output(io::Error),
    /// The runtime could not be started, for lack of system resources.
    NotStarted(io::Error),
}

impl CliProblem {
    /// Returns a problem for a mistake in the arguments, with its sentence.
    pub fn usage(code: &str, text: impl Into<String>) -> Self {
        Self::Usage(UserMessage { code: code.to_owned(), text: text.into() })
    }

    /// Whether the engine went away, so that another connection may succeed.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Failure(failure) if failure.lost())
    }

    /// Returns the problem to report; `None` if the output has no reader.
    pub fn trouble(&self) -> Option<UserMessage> {
        match self {
            Self::Usage(trouble) => Some(trouble.clone()),
            Self::Failure(failure) => Some(failure.trouble()),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            Self::Output(error) => {
                Some(UserMessage { code: "output".to_owned(), text: format!("The output cannot be written: {error}.") })
            }
            Self::NotStarted(error) => {
                let text = format!("Ashore cannot be started: {error}. Close other programs and try again.");
                Some(UserMessage { code: "not-started".to_owned(), text })
            }
        }
    }

    /// Returns the exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failure(failure) if failure.lost() => 3,
            Self::Failure(CallFailure::Refused(_)) => 4,
            Self::Failure(_) => 3,
            // The reader closed the pipe because it had read enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Output(_) | Self::NotStarted(_) => 1,
        }
    }
}

impl From<CallFailure> for CliProblem {
    fn from(failure: CallFailure) -> Self {
        Self::Failure(failure)
    }
}

impl From<io::Error> for CliProblem {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for CliProblem {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trouble(code: &str) -> UserMessage {
        UserMessage { code: code.to_owned(), text: "Sentence.".to_owned() }
    }

    #[test]
    fn every_result_has_its_exit_code() {
        assert_eq!([ExitStatus::Done, ExitStatus::Failed, ExitStatus::Interrupted].map(ExitStatus::code), [0, 1, 130]);
        let code = |problem: CliProblem| problem.code();
        assert_eq!(code(CliProblem::usage("input", "No.")), 2);
        assert_eq!(code(CallFailure::Closed(trouble("held")).into()), 3);
        assert_eq!(code(CallFailure::Unreachable(io::ErrorKind::NotFound.into()).into()), 3);
        assert_eq!(code(CallFailure::Refused(trouble("closed")).into()), 3);
        assert_eq!(code(CallFailure::Refused(trouble("bad-url")).into()), 4);
        assert_eq!(code(io::Error::from(io::ErrorKind::BrokenPipe).into()), 0);
    }
}
