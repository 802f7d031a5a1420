//! Machine on which the results were measured.

use std::fs;

/// Describes the processors, memory and kernel of this machine.
pub fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or_else(|| "unknown".to_owned(), |line| line.1.trim().to_owned())
    };
    let kib: u64 = field(&read("/proc/meminfo"), "MemTotal").trim_end_matches(" kB").parse().unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    let name = field(&read("/proc/cpuinfo"), "model name");
    format!("{processors} x {name}, {} MiB of memory, Linux {}", kib >> 10, read("/proc/sys/kernel/osrelease").trim())
}
