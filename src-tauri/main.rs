//! The program `ashore-window`. Everything is in the library beside it.

fn main() -> std::process::ExitCode {
    ashore_window::run()
}
