//! The program `ashore-window`. All code is in its library.

fn main() -> std::process::ExitCode {
    ashore_window::run()
}
