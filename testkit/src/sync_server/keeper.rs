//! Starts the shell scripts that run PostgreSQL servers.
//!
//! The scripts end when the program that started them ends.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// Starts a shell script as a user who is not root. Returns the script's new folder and its process.
///
/// The arguments of the script are its folder, the folder of PostgreSQL's programs, and `more`. The standard input of
/// the script is closed when this program ends.
pub fn start_kept(script: &str, more: &[&OsStr]) -> Result<(PathBuf, Child), String> {
    let bin = newest().ok_or("PostgreSQL is not installed; scripts/setup test installs it")?;
    let folder = tempfile::Builder::new().prefix("ashore-pg-").tempdir().map_err(|error| error.to_string())?.keep();
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let mut command = match is_root {
        false => Command::new("sh"),
        true => {
            let given = Command::new("chown").arg("postgres").arg(&folder).status();
            if !given.is_ok_and(|status| status.success()) {
                return Err("there is no user postgres, and PostgreSQL does not run as root".to_owned());
            }
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh"]);
            command
        }
    };
    command
        .args(["-c", script, "keeper"])
        .arg(&folder)
        .arg(bin)
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .current_dir("/");
    let keeper = command.spawn().map_err(|error| format!("PostgreSQL could not be started: {error}"))?;
    Ok((folder, keeper))
}

/// Returns the folder with the programs of the newest installed version of PostgreSQL.
fn newest() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path());
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let found = versions.filter(|path| path.join("bin/initdb").exists()).max_by_key(|path| version(path));
    Some(found?.join("bin"))
}
