//! Defines the results of subcommands and their exit codes. The program `ashore` has the same exit codes.

use std::io;

use ashore_sync_server::{
    http::{ListenError, tls::TlsError},
    store::{CopyError, OpenError, StoreError},
};

/// Result of a subcommand that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerExit {
    /// Success.
    Done,
    /// The subcommand ran and found a problem.
    Failed,
}

impl ServerExit {
    /// Returns the exit code for the shell.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
        }
    }
}

/// Reason why a subcommand was not run.
#[derive(Debug)]
pub enum ServerProblem {
    /// The arguments are not valid.
    Usage(String),
    /// The database cannot be used.
    NoDatabase(&'static str, String),
    /// The program refuses to run the subcommand.
    Refused(&'static str, String),
    /// Any other failure.
    Failed(&'static str, String),
    /// Stdout is closed or cannot be written.
    Output(io::Error),
}

impl ServerProblem {
    /// Creates a refusal with a code for programs and a message.
    pub fn refused(code: &'static str, text: impl Into<String>) -> Self {
        Self::Refused(code, text.into())
    }

    /// Creates a failure of the system with a code and a message.
    pub fn failed(code: &'static str, text: impl Into<String>) -> Self {
        Self::Failed(code, text.into())
    }

    /// Returns code and message; `None` if stdout was closed by its reader.
    pub fn trouble(&self) -> Option<(&str, String)> {
        match self {
            Self::Usage(text) => Some(("usage", text.clone())),
            Self::NoDatabase(code, text) | Self::Refused(code, text) | Self::Failed(code, text) => Some((code, text.clone())),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            Self::Output(error) => Some(("output", format!("The output cannot be written: {error}."))),
        }
    }

    /// Returns the exit code for the shell.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::NoDatabase(..) => 3,
            Self::Refused(..) => 4,
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Failed(..) | Self::Output(_) => 1,
        }
    }
}

impl From<io::Error> for ServerProblem {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<OpenError> for ServerProblem {
    fn from(error: OpenError) -> Self {
        let text = error.to_string();
        match error {
            OpenError::Held { .. } => Self::NoDatabase("held", text),
            OpenError::Newer { .. } => Self::NoDatabase("newer", text),
            OpenError::Older { .. } => Self::NoDatabase("older", text),
            OpenError::Foreign => Self::NoDatabase("foreign", text),
            OpenError::Address(_) => Self::Usage(text),
            OpenError::Database(_) | OpenError::Io { .. } => Self::NoDatabase("database", text),
        }
    }
}

impl From<StoreError> for ServerProblem {
    fn from(error: StoreError) -> Self {
        Self::NoDatabase("database", format!("The database failed: {error}. Nothing was changed; try again."))
    }
}

impl From<CopyError> for ServerProblem {
    fn from(error: CopyError) -> Self {
        let text = error.to_string();
        match error {
            CopyError::NotEmpty => Self::Refused("not-empty", text),
            CopyError::Line { .. } => Self::Refused("bad-backup", text),
            CopyError::File(_) => Self::Failed("file", text),
            CopyError::Store(_) => Self::NoDatabase("database", text),
        }
    }
}

impl From<TlsError> for ServerProblem {
    fn from(error: TlsError) -> Self {
        Self::Refused("certificate", error.to_string())
    }
}

impl From<ListenError> for ServerProblem {
    fn from(error: ListenError) -> Self {
        let text = error.to_string();
        match error {
            ListenError::Plain(_) => Self::Usage(text),
            ListenError::Taken { .. } => Self::Failed("listen", text),
        }
    }
}
