//! Gives each engine and program of a test its own home: settings, folders and message bus.

use std::{path::Path, process::Command};

/// Settings that put files of every type into the same download folder, so that tests can choose any file name.
pub const ONE_FOLDER: &str = "\
    folder-video = \"\"\nfolder-audio = \"\"\nfolder-pictures = \"\"\n\
    folder-documents = \"\"\nfolder-archives = \"\"\nfolder-programs = \"\"\n";

/// Settings that permit downloads from this machine, where all test servers run.
pub const LOCAL: &str = "local-for-programs = true\n";

/// Address of a message bus that does not exist.
pub const NO_BUS: &str = "unix:path=/nonexistent/bus";

/// Gives a program its own home and data folder, and no system services. The caller sets the runtime folder and the
/// folder for temporary files.
pub fn live_in(command: &mut Command, home: &Path, data: &Path) {
    command.env("HOME", home).env("ASHORE_DATA_DIR", data).env("DBUS_SYSTEM_BUS_ADDRESS", NO_BUS);
}
