//! The program `ashore-desktop`. Everything is in the library beside it.

/// The engine's buffers go from thread to thread.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    ashore_desktop::run()
}
