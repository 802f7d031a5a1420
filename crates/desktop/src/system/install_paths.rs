//! Paths of Ashore's programs. They are in one folder, and an update may replace them while they run.

use std::{
    env, fs, io,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

/// File name of this program.
pub const OWN: &str = "ashore-desktop";

/// Returns the path of another program in the folder of this program.
pub fn named(name: &str) -> io::Result<PathBuf> {
    // Use only the folder: after an update, the system reports a wrong file name but the correct folder.
    env::current_exe().map(|own| own.with_file_name(name))
}

/// Whether the file at the path of this program has been replaced.
pub fn is_replaced() -> bool {
    let file = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    match (file(Path::new("/proc/self/exe")), named(OWN).and_then(|own| file(&own))) {
        (Ok(running), Ok(lying)) => running != lying,
        (Ok(_), Err(_)) | (Err(_), _) => false,
    }
}

/// Replaces this process by the current file of this program, and opens the window.
///
/// Returns only if this fails.
pub fn start_anew(data_dir: &Path) -> io::Error {
    match named(OWN) {
        Ok(program) => Command::new(program).arg("--data-dir").arg(data_dir).exec(),
        Err(error) => error,
    }
}
