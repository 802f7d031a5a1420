//! Kills processes or injects errors at system calls, with strace. strace runs as a detached tracer, so the started
//! process itself becomes the engine.
//!
//! Calls are counted per thread. Every thread that reaches the number gets the fault.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

/// Effect of a fault on a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedFate {
    /// The process is killed when it makes the call.
    Death,
    /// The call is skipped and fails with this error.
    Error(&'static str),
}

/// File system feature that is made unavailable, as on small devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceGap {
    /// The file system has all features.
    Nothing,
    /// The file system has no hard links.
    Links,
}

/// Returns the command prefix that applies the effect `becomes` to call number `when`.
///
/// Traced calls are written to `log`.
pub fn words(call: &str, when: u32, becomes: TracedFate, lacks: TraceGap, log: &Path) -> Vec<String> {
    let inject = match becomes {
        TracedFate::Death => "signal=KILL".to_owned(),
        TracedFate::Error(error) => format!("error={error}"),
    };
    let mut words = following(log);
    // With seccomp, the process stops only at traced calls and runs faster. But the kernel then delivers no signal to
    // it, so this works only for errors.
    if matches!(becomes, TracedFate::Error(_)) {
        words.push("--seccomp-bpf".to_owned());
    }
    // The question mark makes the call optional: some calls do not exist on every processor.
    words.extend(["-e".to_owned(), format!("trace=?{call}{}", lacks.traced())]);
    words.extend(["-e".to_owned(), format!("inject=?{call}:{inject}:when={when}")]);
    words.extend(lacks.words());
    words
}

impl TraceGap {
    /// Returns the command prefix that makes this feature unavailable and injects no fault.
    pub fn words_alone(self, log: &Path) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Links => [following(log), vec!["--seccomp-bpf".to_owned()], self.words()].concat(),
        }
    }

    /// Returns further calls that must be traced to make this feature unavailable.
    fn traced(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Links => ",linkat",
        }
    }

    fn words(self) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Links => ["-e", "inject=linkat:error=EPERM"].map(str::to_owned).into(),
        }
    }
}

/// Returns the command prefix that makes the `when`-th write to this file fail.
///
/// The write fails with `error`. This is for programs that write through the streams of the C library, because a
/// preloaded library cannot intercept these writes.
pub fn failing_write(file: &Path, when: u32, error: &str, log: &Path) -> Vec<String> {
    let writes = "write,pwrite64,writev";
    let mut words = following(log);
    words.extend(["-P".to_owned(), file.display().to_string(), "-e".to_owned(), format!("trace={writes}")]);
    words.extend(["-e".to_owned(), format!("inject={writes}:error={error}:when={when}")]);
    words
}

/// Returns the command prefix that logs every system call except `others`, and injects no faults.
pub fn watching_all_but(others: &[&str], lacks: TraceGap, log: &Path) -> Vec<String> {
    let mut words = following(log);
    // The question mark makes a call optional: some calls do not exist on every processor.
    let others: Vec<String> = others.iter().map(|call| format!("?{call}")).collect();
    words.extend(["--seccomp-bpf".to_owned(), "-e".to_owned(), format!("trace=!{}", others.join(","))]);
    words.extend(lacks.words());
    words
}

fn following(log: &Path) -> Vec<String> {
    let mut words: Vec<String> = ["strace", "-D", "-f", "-qqq", "-s", "0", "-o"].map(str::to_owned).into();
    words.push(log.display().to_string());
    words
}

/// Returns all logged calls. The number with each call is the maximum number of times that a single thread made it.
pub fn made(log: &str) -> BTreeMap<String, u32> {
    let mut counts: HashMap<(&str, &str), u32> = HashMap::new();
    for line in log.lines() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let Some((call, _)) = rest.trim_start().split_once('(') else { continue };
        let is_name = !call.is_empty() && call.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name && !is_misread(call) {
            *counts.entry((thread, call)).or_default() += 1;
        }
    }
    let mut most = BTreeMap::new();
    for ((_, call), count) in counts {
        let known: &mut u32 = most.entry(call.to_owned()).or_default();
        *known = count.max(*known);
    }
    most
}

/// Returns whether strace misread the number of the call, which is printed as `syscall_0x...`. If a thread is killed
/// while strace reads its registers, strace prints an arbitrary number. Real system call numbers are below 1,000 on
/// every architecture of Ashore.
fn is_misread(call: &str) -> bool {
    let number = call.strip_prefix("syscall_0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    number.is_some_and(|number| number >= 1000)
}

/// Returns whether the effect was applied to this call.
pub fn has_happened(log: &Path, call: &str) -> bool {
    let begins = [format!("{call}("), format!("<... {call} resumed")];
    has_injected(log, |line| begins.iter().any(|begin| line.contains(begin)))
}

/// Returns whether the effect was applied to any call.
pub fn has_any_happened(log: &Path) -> bool {
    has_injected(log, |_| true)
}

fn has_injected(log: &Path, is_meant: impl Fn(&str) -> bool) -> bool {
    let is_it = |line: &str| line.ends_with("(INJECTED)") && is_meant(line);
    std::fs::read_to_string(log).is_ok_and(|text| text.lines().any(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_of_a_system_call_is_that_of_the_thread_with_the_most_calls() {
        let log = "7 rename(\"\"..., \"\"...) = 0\n\
                   7     fsync(5 <unfinished ...>\n\
                   8 rename(\"\"..., \"\"...) = 0\n\
                   7 <... fsync resumed>) = 0\n\
                   8 rename(\"\"..., \"\"...) = 0\n\
                   7 +++ exited with 0 +++\n";
        let counted = [("fsync".to_owned(), 1), ("rename".to_owned(), 2)];
        assert_eq!(made(log), BTreeMap::from(counted));
    }

    #[test]
    fn impossible_system_call_numbers_are_ignored() {
        let log = "7 syscall_0x1000(0, 0, 0, 0, 0, 0 <unfinished ...>\n7 syscall_0x1c4(0, 0, 0, 0, 0, 0) = 0\n";
        assert_eq!(made(log), BTreeMap::from([("syscall_0x1c4".to_owned(), 1)]));
    }
}
