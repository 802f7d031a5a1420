//! System calls that kill, or fail: the words by which the engine is started under strace, which becomes the tracer and leaves
//! the process to the engine. A call is counted in each of the engine's threads for itself; whichever comes first to the number
//! has it, and in the others it may happen as well.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedFate {
    /// The process is killed where it would be made.
    Death,
    /// It is not made, and fails with this.
    Error(&'static str),
}

/// What of the file system is not there, as on those of small devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceGap {
    Nothing,
    /// No file has two names.
    Links,
}

/// The words to start the engine under, so that call number `when` of this name becomes that. What was traced is written to
/// `log`.
pub fn words(call: &str, when: u32, becomes: TracedFate, lacks: TraceGap, log: &Path) -> Vec<String> {
    let inject = match becomes {
        TracedFate::Death => "signal=KILL".to_owned(),
        TracedFate::Error(error) => format!("error={error}"),
    };
    let mut words = following(log);
    // Stopping at no other call is quicker, but the system gives no signal to what was stopped so.
    if matches!(becomes, TracedFate::Error(_)) {
        words.push("--seccomp-bpf".to_owned());
    }
    // Not every processor has every call.
    words.extend(["-e".to_owned(), format!("trace=?{call}{}", lacks.traced())]);
    words.extend(["-e".to_owned(), format!("inject=?{call}:{inject}:when={when}")]);
    words.extend(lacks.words());
    words
}

impl TraceGap {
    /// The words to start the engine under with this alone.
    pub fn words_alone(self, log: &Path) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Links => [following(log), vec!["--seccomp-bpf".to_owned()], self.words()].concat(),
        }
    }

    /// What else is to be looked at.
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

/// The words to start any program under, so that write number `when` to this file fails with `error`: those of other programs go
/// through the C library's streams, where no other library takes them.
pub fn failing_write(file: &Path, when: u32, error: &str, log: &Path) -> Vec<String> {
    let writes = "write,pwrite64,writev";
    let mut words = following(log);
    words.extend(["-P".to_owned(), file.display().to_string(), "-e".to_owned(), format!("trace={writes}")]);
    words.extend(["-e".to_owned(), format!("inject={writes}:error={error}:when={when}")]);
    words
}

/// The words to start the engine under, so that every call but these is written to `log`, and none becomes anything.
pub fn watching_all_but(others: &[&str], lacks: TraceGap, log: &Path) -> Vec<String> {
    let mut words = following(log);
    // Not every processor has every call.
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

/// Which calls were written to `log`, and how often the thread made each that made it most.
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

/// Whether no kernel has the call that strace prints as `syscall_0x…`. Where a thread is killed while strace reads its registers,
/// strace prints whatever number it has read. Numbers of system calls are below 1,000 on every architecture of Ashore.
fn is_misread(call: &str) -> bool {
    let number = call.strip_prefix("syscall_0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    number.is_some_and(|number| number >= 1000)
}

/// Whether this call has become what it was to become.
pub fn has_happened(log: &Path, call: &str) -> bool {
    let begins = [format!("{call}("), format!("<... {call} resumed")];
    has_injected(log, |line| begins.iter().any(|begin| line.contains(begin)))
}

/// Whether any call has.
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
    fn calls_are_counted_by_the_thread_that_makes_them_most() {
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
    fn numbers_of_no_system_call_are_left_out() {
        let log = "7 syscall_0x1000(0, 0, 0, 0, 0, 0 <unfinished ...>\n7 syscall_0x1c4(0, 0, 0, 0, 0, 0) = 0\n";
        assert_eq!(made(log), BTreeMap::from([("syscall_0x1c4".to_owned(), 1)]));
    }
}
