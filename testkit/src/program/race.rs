//! Starts twenty programs at the same moment on one data folder.

use std::{
    fs,
    io::pipe,
    os::unix::fs::DirBuilderExt as _,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    task::JoinSet,
    time::timeout,
};

use crate::{own_home::live_in, program::machine::program};

const PROGRAMS: usize = 20;
/// Time limit for a race on a busy machine. Only a failed race takes this long.
const SOON: Duration = Duration::from_secs(60);

/// Data folder that all programs try to open.
#[derive(Debug)]
pub struct Race {
    home: TempDir,
}

/// Result of a program that took part in the race.
enum Fared {
    /// The program has locked the folder.
    Holds(Box<Child>),
    /// The program was refused because another program has locked the folder.
    Refused(ExitStatus, Value),
}

impl Race {
    /// Creates a folder that no program has opened yet.
    ///
    /// Panics if this fails.
    #[expect(clippy::new_without_default, reason = "the function creates a folder")]
    pub fn new() -> Self {
        let home = tempfile::tempdir().expect("a temporary folder can be made");
        fs::DirBuilder::new().mode(0o700).create(home.path().join("run")).expect("a folder can be made");
        Self { home }
    }

    /// Starts all programs at the same moment. Sends the signal `end` to the program that locked the folder, and waits
    /// until that program ends.
    ///
    /// Panics unless exactly one program locks the folder and all others report that it is locked.
    pub async fn run(&self, end: Signal) {
        let (gate, starter) = pipe().expect("a pipe can be made");
        let mut started = JoinSet::new();
        for _ in 0..PROGRAMS {
            let gate = gate.try_clone().expect("a pipe can be shared");
            let mut command = Command::new("sh");
            command
                // Closing the pipe starts all programs at the same moment.
                .args(["-c", "cat; exec \"$0\" serve --json </dev/null"])
                .arg(program())
                .env("XDG_RUNTIME_DIR", self.home.path().join("run"))
                .stdin(Stdio::from(gate))
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .kill_on_drop(true);
            live_in(command.as_std_mut(), self.home.path(), &self.home.path().join("data"));
            started.spawn(fare(command.spawn().expect("a shell can be started")));
        }
        drop(gate);
        drop(starter);
        let fared = timeout(SOON, started.join_all()).await.expect("all of them say how they fared");
        let mut holders = Vec::new();
        for one in fared {
            match one {
                Fared::Holds(child) => holders.push(child),
                Fared::Refused(status, said) => {
                    assert_eq!((status.code(), &said["error"]["code"]), (Some(3), &"held".into()), "{said}");
                }
            }
        }
        assert_eq!(holders.len(), 1, "programs work on one folder");
        for mut holder in holders {
            let id = holder.id().and_then(|id| Pid::from_raw(id.cast_signed())).expect("it still runs");
            kill_process(id, end).expect("the process accepts the signal");
            timeout(SOON, holder.wait()).await.expect("it ends").expect("it can be waited for");
        }
    }
}

async fn fare(mut child: Child) -> Fared {
    let mut lines = BufReader::new(child.stdout.take().expect("the output is piped")).lines();
    let line = lines.next_line().await.expect("it can be read").unwrap_or_default();
    let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    if said["ready"] == true {
        return Fared::Holds(Box::new(child));
    }
    Fared::Refused(child.wait().await.expect("it can be waited for"), said)
}
