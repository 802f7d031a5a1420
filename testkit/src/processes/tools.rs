//! Finds external programs, and compiles small C programs.
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
};

use anyhow::{Context, Result, ensure};

/// Returns whether a program of this name is installed.
pub fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Returns the path of an installed service. Its folder may be missing from a user's PATH.
pub fn service(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Returns the path of a program of this workspace. The program is searched for in the build folder of the running
/// program. Fails if it is not built.
pub fn built(program: &str) -> Result<PathBuf> {
    let own = env::current_exe()?;
    let folder = own.parent().context("a program is in a folder")?;
    // A test binary is one folder below the built programs, in target/<profile>/deps.
    let folder = if folder.ends_with("deps") { folder.parent().unwrap_or(folder) } else { folder };
    let path = folder.join(program);
    let package = if program == "ashore" { "ashore-cli" } else { program };
    ensure!(path.is_file(), "{} is not there. Build it first: cargo build -p {package}", path.display());
    Ok(path)
}

/// Compiles `source` to `folder/name`, with the given additional compiler arguments.
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

/// Prints that a test cannot run on this machine, and why. Writes to stderr directly, because the test runner hides the
/// output of `eprintln!` in successful tests.
pub fn left_out(why: impl Display) {
    let test = thread::current();
    let _ = writeln!(io::stderr(), "LEFT OUT: {}: {why}", test.name().unwrap_or("a test"));
}
