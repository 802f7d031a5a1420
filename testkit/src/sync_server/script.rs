//! Runs a shell script that [`start_kept`] starts, step by step.
//!
//! The script prints a word after each step, and waits for a line before the next step.

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader, Lines, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout},
};

use crate::sync_server::keeper::start_kept;

/// Running script. Dropping it closes the script's standard input. The script then stops its servers and removes its
/// folder.
pub struct Script {
    commands: ChildStdin,
    replies: Lines<BufReader<ChildStdout>>,
    folder: PathBuf,
    _child: Child,
}

impl Script {
    /// Starts a script and waits until it has printed `ready`. Blocks.
    ///
    /// Fails with the reason if PostgreSQL is not available.
    ///
    /// # Panics
    ///
    /// Panics if the script ends, or prints another word.
    pub fn start(script: &str, more: &[&OsStr]) -> Result<Self, String> {
        let (folder, mut child) = start_kept(script, more)?;
        let piped = "the input and output of the script are piped";
        let (commands, replies) = (child.stdin.take().ok_or(piped)?, child.stdout.take().ok_or(piped)?);
        let mut script = Self { commands, replies: BufReader::new(replies).lines(), folder, _child: child };
        script.expect("ready");
        Ok(script)
    }

    /// Returns the folder of the script's sockets and log.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sends a command and waits until the script prints `reply`. Blocks.
    ///
    /// # Panics
    ///
    /// Panics if the script ends, or prints another word.
    pub fn run(&mut self, command: &str, reply: &str) {
        let sent = writeln!(self.commands, "{command}");
        assert!(sent.is_ok(), "the script has ended: {}", self.log());
        self.expect(reply);
    }

    fn expect(&mut self, reply: &str) {
        let next = self.replies.next().and_then(Result::ok);
        assert_eq!(next.as_deref(), Some(reply), "{}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}
