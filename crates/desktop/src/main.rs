//! The program `ashore-desktop`. All code is in its library.

/// Allocator jemalloc, chosen because the engine's buffers move between threads.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    ashore_desktop::run()
}
