//! Recognises download commands as browsers and manuals write them. [pure]
//!
//! Detects the program, the number of lines and the shell of a command. `curl`, `wget`, `powershell` and `fetch_call`
//! then parse the command.

use ashore_messages::{UserMessage, message};

use crate::intake::parse::{
    curl, fetch_call, powershell,
    request_parts::ParsedFields,
    shell_words::{self, ShellKind},
    wget,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    Curl,
    Wget,
    PowerShell,
    /// Call of `fetch(...)` in JavaScript.
    Page,
}

/// Maximum number of lines of one command.
const MOST_LINES: u32 = 1000;

/// Whether `line` is the beginning of a command.
pub(super) fn begins(line: &str) -> bool {
    program(without_prompt(line)).is_some()
}

/// Collects the command that begins with `first` and continues in `lines`. Returns the command and its number of lines.
pub(super) fn gather<'a>(first: &str, lines: &mut (impl Iterator<Item = &'a str> + Clone)) -> (String, u32) {
    let mut whole = first.trim_end().to_owned();
    let mut count = 1;
    let program = program(without_prompt(first));
    while count < MOST_LINES {
        let Some(next) = lines.clone().next() else { break };
        let is_joined = whole.ends_with(['\\', '^', '`']);
        let goes_on = match program {
            Some(Program::PowerShell) => {
                is_joined || powershell::is_open(&whole) || !powershell::has_call(&whole) && powershell::is_part(next)
            }
            Some(Program::Page) => fetch_call::is_open(&whole),
            _ => is_joined,
        };
        if !goes_on {
            break;
        }
        lines.next();
        whole.push('\n');
        whole.push_str(next.trim_end());
        count += 1;
    }
    (whole, count)
}

/// Returns the requests of `command`. Fails with a message about the first unsupported part.
pub(super) fn read(command: &str) -> Result<ParsedFields, UserMessage> {
    let command = without_prompt(command);
    let program = program(command);
    match program {
        Some(Program::PowerShell) => return powershell::read(command),
        Some(Program::Page) => return fetch_call::read(command),
        _ => {}
    }
    let words = shell_words::words(command, shell_of(command)).ok_or_else(|| message!("command"))?;
    if program == Some(Program::Wget) { wget::read(words) } else { curl::read(words) }
}

/// Returns `line` without the terminal prompts and wrappers at its beginning.
///
/// Wrappers are programs such as `sudo` that run another program.
fn without_prompt(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let after = ["$ ", "% ", "> ", "& ", "sudo ", "time ", "! "].iter().find_map(|prompt| rest.strip_prefix(prompt));
        let after = after.or_else(|| {
            // Prompts such as `PS C:\Users\kim> `, `C:\>`, `kim@host:~$ `.
            let end = rest
                .find("> ")
                .map(|at| at + 2)
                .or_else(|| rest.find("$ ").map(|at| at + 2))
                .or_else(|| rest.find('>').map(|at| at + 1))?;
            let (prompt, after) = rest.split_at(end);
            let is_path = prompt.starts_with("PS ") || prompt.get(1..3) == Some(":\\");
            let is_host = prompt.ends_with("$ ") && !prompt.trim_end().contains(' ') && prompt.contains('@');
            (is_path || is_host).then_some(after)
        });
        match after {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

fn program(line: &str) -> Option<Program> {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let word = line[..end].trim_matches('"').to_ascii_lowercase();
    let name = word.rsplit(['/', '\\']).next().unwrap_or(&word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let is_alone = end == line.len() || word.contains("://");
    match name {
        // In PowerShell, `curl` and `wget` are aliases.
        "curl" | "wget" if !is_alone && powershell::has_options(line) => Some(Program::PowerShell),
        "curl" if !is_alone => Some(Program::Curl),
        "wget" | "wget2" if !is_alone => Some(Program::Wget),
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" if !is_alone => Some(Program::PowerShell),
        _ if powershell::is_preparation(line) => Some(Program::PowerShell),
        _ if fetch_call::begins(line) => Some(Program::Page),
        _ => None,
    }
}

fn shell_of(command: &str) -> ShellKind {
    let ends_in = |end: char| command.lines().any(|line| line.trim_end().ends_with(end));
    if command.contains("^\"") || ends_in('^') {
        ShellKind::Cmd
    } else if ends_in('`') {
        ShellKind::PowerShell
    } else {
        ShellKind::Posix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_is_recognised_by_program_name_after_shell_prompt() {
        for line in [
            "curl http://a.example",
            "curl\thttp://a.example",
            "curl.exe 'http://a.example'",
            "$ curl http://a.example",
            "sudo curl http://a.example",
            "PS C:\\Users\\kim> curl.exe http://a.example",
            "C:\\>curl http://a.example",
            "kim@host:~$ wget http://a.example",
            "/usr/bin/curl -O http://a.example",
            "wget -c http://a.example",
            "Invoke-WebRequest -Uri http://a.example",
            "iwr http://a.example",
            "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession",
            "fetch(\"http://a.example\")",
            "await fetch(\"http://a.example\", {",
            "& curl.exe http://a.example",
            "curl\u{a0}'http://a.example'",
        ] {
            assert!(begins(line), "{line}");
        }
        for line in [
            "curly braces",
            "wgets",
            "curl",
            "fetching",
            "http://a.example/curl x",
            "> quoted",
            "$5 for it",
            "we use curl http://a.example",
        ] {
            assert!(!begins(line), "{line}");
        }
    }

    #[test]
    fn lines_of_command_are_joined_by_rules_of_its_shell() {
        for (text, expected) in [
            ("curl 'http://a.example' \\\n -H 'a: b'\nhttp://b.example", 2),
            ("curl ^\"http://a.example^\" ^\n -H ^\"a: b^\"\nhttp://b.example", 2),
            ("curl.exe http://a.example `\n -H 'a: b'\nhttp://b.example", 2),
            ("Invoke-WebRequest -Uri \"http://a.example\" `\n-Headers @{\n\"a\"=\"b\"\n}\nhttp://b.example", 4),
            (
                "$session = New-Object X\n$session.UserAgent = \"y\"\nInvoke-WebRequest -Uri \"http://a.example\"\nhttp://b.example",
                3,
            ),
            ("fetch(\"http://a.example\", {\n \"headers\": {}\n});\nhttp://b.example", 3),
        ] {
            let mut lines = text.split('\n');
            let first = lines.next().unwrap();
            let (whole, count) = gather(first, &mut lines);
            assert_eq!((count, lines.next()), (expected, Some("http://b.example")), "{whole}");
            assert!(read(&whole).is_ok(), "{whole}");
        }
    }

    #[test]
    fn windows_command_keeps_characters_escaped_by_carets() {
        let text =
            "curl ^\"http://a.example/x?a=1^&b=two^%^20x^\" ^\n  -H ^\"X-Key: k^\\^\"1^\" ^\n  -H ^\"Cookie: s=1^\" --compressed";
        let (requests, _) = read(text).unwrap();
        assert_eq!(requests[0].url, "http://a.example/x?a=1&b=two%20x");
        assert_eq!(requests[0].headers, [("X-Key".to_owned(), "k\"1".to_owned()), ("Cookie".to_owned(), "s=1".to_owned())]);
        let old = read("curl \"http://a.example/x?a=1&b=2\" ^\n -H \"X-Key: k-1\"").unwrap();
        assert_eq!((old.0[0].url.as_str(), old.0[0].headers.len()), ("http://a.example/x?a=1&b=2", 1));
    }
}
