//! The program `ashore-browser`. All code is in its library.

fn main() -> std::process::ExitCode {
    ashore_browser::run()
}
