//! Results of a subcommand and their exit codes. Scripts depend on the codes, so they do not change.

use std::io;

use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_rpc::CallFailure;
use ashore_terminal::TerminalOutput;
use serde_json::json;

use crate::output::words::sentence;

/// Result of a subcommand that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Everything succeeded.
    Done,
    /// Some of the work failed.
    Failed,
    /// Ctrl-C was pressed. All received bytes stay on disk.
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

/// Reason why a subcommand was not executed.
#[derive(Debug)]
pub enum CliProblem {
    /// The arguments of the command line are not valid.
    Usage(UserMessage),
    /// The engine refused the call or could not be reached.
    Failure(CallFailure),
    /// An address for other devices cannot be used.
    NotListening(UserMessage),
    /// The list was refused, because it contains no link.
    NoLinks {
        /// Reason why the first line is not a link. JSON output contains the code of this message.
        first: UserMessage,
        /// Message about all lines that are not links.
        lines: Box<UserMessage>,
    },
    /// The reader of the output has closed it, or the output cannot be written.
    Output(io::Error),
    /// The runtime could not be started, for lack of system resources.
    NotStarted(io::Error),
}

impl CliProblem {
    /// Whether the connection to the engine was lost. If true, a new connection may succeed.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Failure(failure) if failure.lost())
    }

    /// Returns the message for programs; `None` if the output has no reader.
    pub fn message(&self) -> Option<UserMessage> {
        match self {
            Self::Usage(message) | Self::NotListening(message) => Some(message.clone()),
            Self::Failure(failure) => Some(failure.message()),
            Self::NoLinks { first, lines } => Some(UserMessage { text: lines.text.clone(), ..first.clone() }),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            Self::Output(error) => Some(message!("output", why = error)),
            Self::NotStarted(error) => Some(message!("not-started", why = error)),
        }
    }

    /// Prints the sentence in the user's language. With `--json`, also prints the message as JSON.
    pub fn print(&self, out: TerminalOutput) {
        let Some(message) = self.message() else { return };
        let shown = match self {
            Self::NoLinks { lines, .. } => sentence(lines),
            _ => sentence(&message),
        };
        out.complain(format_args!("{}: {shown}", out.program));
        if out.json {
            // Ignore the error: without a reader of stdout, only the exit code reports the failure.
            let _ = out.object(&json!({ "error": message }));
        }
    }

    /// Returns the exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failure(failure) if failure.lost() => 3,
            Self::Failure(CallFailure::Refused(_)) | Self::NoLinks { .. } => 4,
            Self::Failure(_) => 3,
            // The reader of the output closed the pipe after it had read enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Output(_) | Self::NotStarted(_) | Self::NotListening(_) => 1,
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

    #[test]
    fn every_result_has_its_exit_code() {
        assert_eq!([ExitStatus::Done, ExitStatus::Failed, ExitStatus::Interrupted].map(ExitStatus::code), [0, 1, 130]);
        let code = |problem: CliProblem| problem.code();
        assert_eq!(code(CliProblem::Usage(message!("sign-in"))), 2);
        assert_eq!(code(CliProblem::NotListening(message!("sign-in"))), 1);
        assert_eq!(code(CallFailure::Closed(message!("held", path = "/a", holder = "test")).into()), 3);
        assert_eq!(code(CallFailure::Unreachable(io::ErrorKind::NotFound.into()).into()), 3);
        assert_eq!(code(CallFailure::Refused(message!("closed")).into()), 3);
        assert_eq!(code(CallFailure::Refused(message!("empty")).into()), 4);
        assert_eq!(code(io::Error::from(io::ErrorKind::BrokenPipe).into()), 0);
    }

    #[test]
    fn error_for_list_without_links_has_error_code_of_its_first_line() {
        let first = message!("not-a-link");
        let lines = message!("bad-list.line", line = "3", list = "stdin", why = first.clone());
        let problem = CliProblem::NoLinks { first: first.clone(), lines: Box::new(lines.clone()) };
        assert_eq!(problem.message(), Some(UserMessage { text: lines.text, ..first }));
        assert_eq!(problem.code(), 4);
    }
}
