//! Settings and message bus of the engines and programs of tests.

/// Settings that put files of every type into the same download folder. Tests may then name files freely.
pub const ONE_FOLDER: &str = "\
    folder-video = \"\"\nfolder-audio = \"\"\nfolder-pictures = \"\"\n\
    folder-documents = \"\"\nfolder-archives = \"\"\nfolder-programs = \"\"\n";

/// Settings that allow programs to fetch from this machine, where all test servers are.
pub const LOCAL: &str = "local-for-programs = true\n";

/// Address of a message bus that does not exist.
pub const NO_BUS: &str = "unix:path=/nonexistent/bus";
