//! Programs that run beside a test and end with it.

use std::{
    io::{BufRead as _, BufReader, ErrorKind},
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::waits::{blocking, until};

/// Pause before another attempt to start a program whose file is still open for writing. `BUSY_TRIES` is the maximum
/// number of attempts.
const BUSY: Duration = Duration::from_millis(20);
const BUSY_TRIES: u32 = 200;

/// Program in a process group of its own. Dropping it kills the program with its descendants.
#[derive(Debug)]
pub struct RunningProgram(Child);

impl RunningProgram {
    /// Starts a program.
    pub fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.process_group(0);
        let mut started = command.spawn();
        // The test has just written this program, and another thread may have forked at that time. The forked process
        // then keeps the file open for writing until it runs its own program.
        for _ in 0..BUSY_TRIES {
            if !started.as_ref().is_err_and(|error| error.kind() == ErrorKind::ExecutableFileBusy) {
                break;
            }
            blocking::pause(BUSY);
            started = command.spawn();
        }
        started.map(Self).with_context(|| format!("{name} cannot be started; scripts/setup installs it"))
    }

    /// Starts a program without input and discards its error output. Returns the first line of its output, such as its
    /// address.
    pub fn start_and_hear(mut command: Command) -> Result<(Self, String)> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Self::start(command)?;
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().context("it has no stdout")?).read_line(&mut line)?;
        ensure!(!line.trim().is_empty(), "{name} ended before it said where it is");
        Ok((running, line.trim().to_owned()))
    }

    /// Returns the process id.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    /// Returns the process id as a number.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Returns whether the program is still running.
    pub fn is_running(&mut self) -> bool {
        !self.0.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Waits until the program ends and returns whether it succeeded.
    pub async fn ended(&mut self) -> bool {
        let status = until("a program ends", async || self.0.try_wait().ok().flatten()).await;
        status.success()
    }

    /// Terminates the program and waits for its end. Blocks.
    pub fn stop(mut self) -> Result<()> {
        kill_process(self.pid(), Signal::TERM)?;
        blocking::until("the program ends", || self.0.try_wait().ok().flatten())?;
        Ok(())
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        let _ = kill_process_group(self.pid(), Signal::KILL);
        let _ = self.0.wait();
    }
}
