//! The files that Ashore is made of: its programs lie in one folder, and may be replaced by newer ones while they run.

use std::{
    env, fs, io,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

/// This program's own name.
pub const OWN: &str = "ashore-desktop";

/// The program of this name, beside this one.
pub fn named(name: &str) -> io::Result<PathBuf> {
    // Of a program that was replaced the system says another name, in the right folder.
    env::current_exe().map(|own| own.with_file_name(name))
}

/// Whether another file lies now where this program was started from.
pub fn is_replaced() -> bool {
    let file = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    match (file(Path::new("/proc/self/exe")), named(OWN).and_then(|own| file(&own))) {
        (Ok(running), Ok(lying)) => running != lying,
        (Ok(_), Err(_)) | (Err(_), _) => false,
    }
}

/// Becomes the program that lies there now, with its window open; returns only why not.
pub fn start_anew(data_dir: &Path) -> io::Error {
    match named(OWN) {
        Ok(program) => Command::new(program).arg("--data-dir").arg(data_dir).exec(),
        Err(error) => error,
    }
}
