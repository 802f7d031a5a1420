//! External programs, and small C programs compiled where they are needed.
//!
//! The C programs make calls for which Rust has no safe interface.

use std::{
    env,
    fmt::Display,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

/// Maximum time for mounting or releasing a disk.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Returns whether a program of this name is installed.
pub fn is_there(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Compiles `source` to `folder/name` with additional arguments for the compiler.
pub fn compile(folder: &Path, name: &str, source: &str, words: &[&str]) -> Result<PathBuf> {
    let (text, made) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&text, source)?;
    let output = Command::new("cc").args(["-O1", "-Wall", "-o"]).arg(&made).args(words).arg(&text).stdin(Stdio::null()).output();
    let output = output.context("cc could not be started")?;
    ensure!(output.status.success(), "cc {name}.c: {}", String::from_utf8_lossy(&output.stderr));
    Ok(made)
}

/// Runs a program that must succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| name.clone())?;
    ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// Repeats `tried` until it succeeds; the error after [`PATIENCE`] names `what`. Blocks its thread.
#[expect(clippy::disallowed_methods, reason = "no event announces a mount or its release, and the thread of the caller may wait")]
pub fn until(what: &str, mut tried: impl FnMut() -> Result<()>) -> Result<()> {
    let begun = Instant::now();
    loop {
        match tried() {
            Ok(()) => return Ok(()),
            Err(error) if begun.elapsed() > PATIENCE => return Err(error.context(format!("not in time: {what}"))),
            Err(_) => thread::sleep(LOOK_EVERY),
        }
    }
}

/// Prints that a test cannot run on this machine, and why. Writes to stderr directly, because the test runner hides the
/// output of `eprintln!` in tests that pass.
pub fn left_out(why: impl Display) {
    let test = thread::current();
    let _ = writeln!(io::stderr(), "LEFT OUT: {}: {why}", test.name().unwrap_or("a test"));
}
