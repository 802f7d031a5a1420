//! Hides secrets on the command line, because every user can read command lines in the list of processes.
//!
//! Called by `main` first. If the arguments contain secrets, the program executes itself again in the same process. The
//! new arguments contain no secrets. The original arguments are in a memory file that only this process can read.
//!
//! - As with curl, the secrets are readable for a short time, until the program has hidden them.
//! - Options that read from a file, the environment or a terminal never expose secrets.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    os::{
        fd::{AsRawFd as _, OwnedFd},
        unix::{
            ffi::{OsStrExt as _, OsStringExt as _},
            process::CommandExt as _,
        },
    },
    path::Path,
    process::{self, Command},
};

use ashore_engine::link_without_sign_in;
use rustix::{
    fs::{MemfdFlags, memfd_create},
    io::{FdFlags, fcntl_setfd},
};

/// Environment variable with the location of the original arguments, as `PID:DESCRIPTOR`.
const VARIABLE: &str = "ASHORE_ARGUMENTS_IN";
/// Text that replaces a secret.
const HIDDEN: &str = "***";

/// Returns the arguments of this program.
///
/// If the arguments contain secrets that can be hidden, executes the program again and does not return.
pub fn arguments() -> Vec<OsString> {
    if let Some(arguments) = waiting() {
        return arguments;
    }
    let arguments: Vec<OsString> = env::args_os().collect();
    if let Some(hidden) = without_secrets(&arguments) {
        // If the secrets cannot be hidden, continue with the visible arguments.
        let _ = start_again(&arguments, &hidden);
    }
    arguments
}

/// Returns the original arguments, if an earlier start of this process stored them.
fn waiting() -> Option<Vec<OsString>> {
    let said = env::var(VARIABLE).ok()?;
    let (pid, descriptor) = said.split_once(':')?;
    // Child processes inherit the variable, so check that it belongs to this process.
    if pid.parse() != Ok(process::id()) {
        return None;
    }
    let mut file = File::open(format!("/proc/self/fd/{}", descriptor.parse::<u32>().ok()?)).ok()?;
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_to_end(&mut text).ok()?;
    let arguments: Vec<_> = text.split(|byte| *byte == 0).map(|text| OsString::from_vec(text.to_vec())).collect();
    (!arguments.is_empty()).then_some(arguments)
}

/// Executes the program again with `hidden` as its arguments. Returns only after a failure.
fn start_again(arguments: &[OsString], hidden: &[OsString]) -> std::io::Result<()> {
    let memory: OwnedFd = memfd_create("arguments", MemfdFlags::empty())?;
    let mut file = File::from(memory);
    file.write_all(&arguments.join(OsStr::from_bytes(b"\0")).into_vec())?;
    fcntl_setfd(&file, FdFlags::empty())?;
    let [name, others @ ..] = hidden else { return Ok(()) };
    // Try the path first, because it keeps the name of the process. `/proc/self/exe` works even after the file was
    // replaced.
    let programs = [env::current_exe()?, Path::new("/proc/self/exe").to_owned()];
    let mut failed = Ok(());
    for program in programs {
        let mut command = Command::new(program);
        command.arg0(name).args(others).env(VARIABLE, format!("{}:{}", process::id(), file.as_raw_fd()));
        failed = Err(command.exec());
    }
    failed
}

/// Returns the arguments without their secrets, or `None` if there are no secrets.
fn without_secrets(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let mut hides_next = false;
    let mut is_over = false;
    let is_of_settings = arguments.iter().any(|argument| argument == "settings");
    let mut hidden = Vec::with_capacity(arguments.len());
    for (place, argument) in arguments.iter().enumerate() {
        let is_value = std::mem::take(&mut hides_next);
        let shown = match argument.to_str() {
            _ if is_value => HIDDEN.to_owned(),
            None => {
                hidden.push(argument.clone());
                continue;
            }
            Some(text) if is_over || !text.starts_with('-') => {
                // In `ashore settings proxy VALUE`, the next argument is the value.
                hides_next = is_of_settings && matches!(text, "proxy") && place > 0;
                link(text)
            }
            Some("--") => {
                is_over = true;
                "--".to_owned()
            }
            Some(text) => {
                let (shown, is_open) = option(text);
                hides_next = is_open;
                shown
            }
        };
        hidden.push(shown.into());
    }
    (hidden != arguments).then_some(hidden)
}

/// Returns the option without the secret, and whether the next argument is a secret.
fn option(text: &str) -> (String, bool) {
    const LONG: [&str; 5] = ["--user", "--header", "--proxy", "--curl", "--password"];
    const SHORT: [char; 2] = ['u', 'H'];
    /// Short options without a value. An option with a value may follow in the same argument.
    const FLAGS: [char; 2] = ['q', 'v'];
    if text.starts_with("--") {
        return match text.split_once('=') {
            Some((name, _)) if LONG.contains(&name) => (format!("{name}={HIDDEN}"), false),
            Some((name, value)) => (format!("{name}={}", link(value)), false),
            None => (text.to_owned(), LONG.contains(&text)),
        };
    }
    let letters = text.char_indices().skip(1);
    match letters.into_iter().find(|(_, letter)| !FLAGS.contains(letter)) {
        Some((at, letter)) if SHORT.contains(&letter) => {
            let (name, value) = text.split_at(at + 1);
            if value.is_empty() { (text.to_owned(), true) } else { (format!("{name}{HIDDEN}"), false) }
        }
        _ => (text.to_owned(), false),
    }
}

/// Returns a link without its user name and password. The link may be part of a longer text.
fn link(text: &str) -> String {
    let bare = link_without_sign_in(text);
    if bare != text {
        return bare.replacen("://", &format!("://{HIDDEN}@"), 1);
    }
    // Text that does not parse as a link, such as a pattern, may also contain a sign-in.
    let Some(begin) = text.find("://").map(|at| at + 3) else { return text.to_owned() };
    let end = text[begin..].find(['/', '?', '#']).map_or(text.len(), |at| begin + at);
    match text[begin..end].rfind('@') {
        Some(at) => format!("{}{HIDDEN}{}", &text[..begin], &text[begin + at..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arguments: &str) -> Option<String> {
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        Some(without_secrets(&arguments)?.join(OsStr::new(" ")).into_string().unwrap())
    }

    #[test]
    fn secrets_are_replaced_in_every_option_and_link() {
        for (arguments, expected) in [
            ("ashore get -u ann:canary http://a.test/", "ashore get -u *** http://a.test/"),
            ("ashore get -uann:canary http://a.test/", "ashore get -u*** http://a.test/"),
            ("ashore get -qu ann:canary http://a.test/", "ashore get -qu *** http://a.test/"),
            ("ashore get --user=ann:canary -H X:canary", "ashore get --user=*** -H ***"),
            ("ashore add --header Cookie:canary --header=canary -HX:canary", "ashore add --header *** --header=*** -H***"),
            ("ashore serve --proxy http://ann:canary@p:1", "ashore serve --proxy ***"),
            ("ashore get --proxy=http://ann:canary@p:1 u", "ashore get --proxy=*** u"),
            ("ashore get http://ann:canary@a.test/x?y", "ashore get http://***@a.test/x?y"),
            ("ashore get --mirror=http://ann:canary@a.test/x", "ashore get --mirror=http://***@a.test/x"),
            ("ashore get --mirror http://canary@a.test/x", "ashore get --mirror http://***@a.test/x"),
            ("ashore get http://ann:canary@a.test/[1:9]", "ashore get http://***@a.test/[1:9]"),
            ("ashore add -- -H http://ann:canary@a.test/x", "ashore add -- -H http://***@a.test/x"),
            ("ashore get --curl canary", "ashore get --curl ***"),
            ("ashore settings proxy http://ann:canary@p:1", "ashore settings proxy ***"),
        ] {
            assert_eq!(shown(arguments).as_deref(), Some(expected), "{arguments}");
        }
    }

    #[test]
    fn command_without_secrets_is_unchanged() {
        for none in [
            "ashore",
            "ashore get http://a.test/x@y -d /tmp -o u",
            "ashore list --json -v",
            "ashore get --url --checksum sha-256=aa",
        ] {
            assert_eq!(shown(none), None, "{none}");
        }
    }
}
