//! Starts a program that ends together with its creator, the process that started it. The program ends however the
//! creator ends, and even if a signal has stopped (suspended) the program at that time.
//!
//! Without this, a stopped FUSE program could outlive its test and block every later `sync` of the machine forever.

use std::{
    ffi::OsStr,
    io::{BufRead as _, BufReader},
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};

/// Starts the program, prints its process id, and kills it when its creator closes the pipe.
const KEEPER: &str = "\"$@\" </dev/null >/dev/null 2>&1 & echo $!; cat; kill -KILL $! 2>/dev/null; wait";

/// Running program. Dropping this value kills the program.
#[derive(Debug)]
pub struct KeptProgram {
    keeper: Child,
    program: Pid,
}

impl KeptProgram {
    /// Starts a program: `words` is its command line.
    pub fn start(words: &[&OsStr]) -> Result<Self> {
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER, "sh"]).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // The keeper has its own process group. Otherwise, a signal to its creator's group could end the keeper before
        // it has killed the program.
        let mut keeper = keeper.process_group(0).spawn().context("sh")?;
        let mut line = String::new();
        BufReader::new(keeper.stdout.take().context("the keeper has no stdout")?).read_line(&mut line)?;
        let program = Pid::from_raw(line.trim().parse()?).context("the keeper printed no process id")?;
        Ok(Self { keeper, program })
    }

    /// Sends `signal` to the program.
    pub fn send(&self, signal: Signal) -> Result<()> {
        Ok(kill_process(self.program, signal)?)
    }

    /// Kills the program and waits for its end.
    pub fn kill(&mut self) -> Result<()> {
        drop(self.keeper.stdin.take());
        self.keeper.wait()?;
        Ok(())
    }
}

impl Drop for KeptProgram {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suspended_child_program_can_be_killed() {
        let mut kept = KeptProgram::start(&["sleep", "600"].map(OsStr::new)).unwrap();
        kept.send(Signal::STOP).unwrap();
        assert!(rustix::process::test_kill_process(kept.program).is_ok());
        kept.kill().unwrap();
        assert!(rustix::process::test_kill_process(kept.program).is_err());
    }
}
