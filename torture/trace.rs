//! System calls that kill, or fail: the words by which the engine is started under strace, which becomes the tracer and leaves
//! the process to the engine. A call is counted in each of the engine's threads for itself; whichever comes first to the number
//! has it, and in the others it may happen as well.

use std::path::Path;

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// The process is killed where it would be made.
    Death,
    /// It is not made, and fails with this.
    Error(&'static str),
}

/// The words to start the engine under, so that call number `when` of this name becomes that. What was traced is written to
/// `log`.
pub fn words(call: &str, when: u32, becomes: Becomes, log: &Path) -> Vec<String> {
    let inject = match becomes {
        Becomes::Death => "signal=KILL".to_owned(),
        Becomes::Error(error) => format!("error={error}"),
    };
    let fixed = ["strace", "-D", "-f", "-qqq", "-s", "0", "-o"];
    let mut words: Vec<String> = fixed.map(str::to_owned).into();
    words.push(log.display().to_string());
    // Stopping at no other call is quicker, but the system gives no signal to what was stopped so.
    if matches!(becomes, Becomes::Error(_)) {
        words.push("--seccomp-bpf".to_owned());
    }
    // Not every processor has every call.
    words.extend(["-e".to_owned(), format!("trace=?{call}")]);
    words.extend(["-e".to_owned(), format!("inject=?{call}:{inject}:when={when}")]);
    words
}

/// Whether a call has become what it was to become.
pub fn has_happened(log: &Path) -> bool {
    std::fs::read_to_string(log).is_ok_and(|text| text.contains("(INJECTED)"))
}
