//! Commands that fetch, as browsers and manuals give them: which text is one, how many lines it takes, and for which shell it
//! was written. `curl`, `wget`, `powershell` and `page` read what each says. [pure]

use crate::intake::parse::{
    curl, fetch_call, powershell,
    shell_words::{self, Shell},
    trouble, wget,
};
use crate::model::{NewRequest, SignIn, Trouble};

/// Requests of a command.
pub(super) type Asked = (Vec<NewRequest>, Option<SignIn>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    Curl,
    Wget,
    PowerShell,
    /// `fetch(…)` of a page's own language.
    Page,
}

/// Lines that one command may take.
const MOST_LINES: u32 = 1000;

/// Whether a command begins with `line`.
pub(super) fn begins(line: &str) -> bool {
    program(without_prompt(line)).is_some()
}

/// The whole command that begins with `first`, from the `lines` after it, and how many lines it takes.
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

/// The request that `command` states. Fails with the part of it that Ashore cannot carry out.
pub(super) fn read(command: &str) -> Result<Asked, Trouble> {
    let command = without_prompt(command);
    let program = program(command);
    match program {
        Some(Program::PowerShell) => return powershell::read(command),
        Some(Program::Page) => return fetch_call::read(command),
        _ => {}
    }
    let words = shell_words::words(command, shell_of(command)).ok_or_else(|| refused("A quote in this command has no end."))?;
    if program == Some(Program::Wget) { wget::read(words) } else { curl::read(words) }
}

/// `line` without the prompt that a terminal prints before a command, and without programs such as `sudo` that run another.
fn without_prompt(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let after = ["$ ", "% ", "> ", "& ", "sudo ", "time ", "! "].iter().find_map(|prompt| rest.strip_prefix(prompt));
        let after = after.or_else(|| {
            // `PS C:\Users\kim> `, `C:\>`, `kim@host:~$ `
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
        // PowerShell has them as names of its own command.
        "curl" | "wget" if !is_alone && powershell::has_options(line) => Some(Program::PowerShell),
        "curl" if !is_alone => Some(Program::Curl),
        "wget" | "wget2" if !is_alone => Some(Program::Wget),
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" if !is_alone => Some(Program::PowerShell),
        _ if powershell::is_preparation(line) => Some(Program::PowerShell),
        _ if fetch_call::begins(line) => Some(Program::Page),
        _ => None,
    }
}

fn shell_of(command: &str) -> Shell {
    let ends_in = |end: char| command.lines().any(|line| line.trim_end().ends_with(end));
    if command.contains("^\"") || ends_in('^') {
        Shell::Cmd
    } else if ends_in('`') {
        Shell::PowerShell
    } else {
        Shell::Posix
    }
}

/// Adds a header's line to `request`, but for what is Ashore's own business; what signs in goes to `sign_in`.
pub(super) fn header(line: &str, request: &mut NewRequest, sign_in: &mut Option<SignIn>) -> Result<(), Trouble> {
    // `Name;` sends it empty.
    let bare = line.trim().strip_suffix(';').filter(|name| !name.contains(':')).map(|name| (name, ""));
    let Some((name, value)) = line.trim().strip_prefix(':').map(|_| ("", "")).or(bare).or_else(|| line.split_once(':')) else {
        return Err(refused(&format!("\"{line}\" in this command is no header.")));
    };
    let (name, value) = (name.trim(), value.trim());
    match name.to_ascii_lowercase().as_str() {
        // Ashore chooses ranges and codings itself. HTTP/2 sends the others as pseudo-header fields (RFC 9113, section 8.3.1).
        "range" | "if-range" | "accept-encoding" | "host" | "connection" | "content-length" | "authority" | "" => {}
        // An empty one takes it out of those that cURL sends by itself.
        _ if value.is_empty() => {}
        "authorization" => match SignIn::of_header(value) {
            Some(said) => *sign_in = Some(said),
            None => {
                return Err(refused(
                    "This command signs in with something else than a token. Use ashore sign-in for its server.",
                ));
            }
        },
        _ => request.headers.push((name.to_owned(), value.to_owned())),
    }
    Ok(())
}

/// `user:password`.
pub(super) fn basic(text: &str) -> SignIn {
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    SignIn::Basic { user: user.to_owned(), password: password.to_owned() }
}

/// The file's name in the path of an output; none for standard output and for a folder.
pub(super) fn named_by(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Some(name).filter(|name| !matches!(*name, "" | "-" | "." | ".." | "null" | "NUL")).map(str::to_owned)
}

/// Fails where `method` is not GET.
pub(super) fn accept_method(method: &str) -> Result<(), Trouble> {
    match method.eq_ignore_ascii_case("get") {
        true => Ok(()),
        false => Err(refused(&format!("This command sends a {method}. Ashore fetches what a GET answers."))),
    }
}

/// A request for each of `urls`, otherwise like `request`. Several take no name from it. Fails where some options are `unknown`,
/// and where there is no address.
pub(super) fn requests(request: &NewRequest, urls: Vec<String>, unknown: &[String]) -> Result<Vec<NewRequest>, Trouble> {
    if !unknown.is_empty() {
        let named = unknown.join(", ");
        return Err(refused(&format!("Ashore does not know {named} of this command. Leave it out if it does not matter.")));
    }
    if urls.is_empty() {
        return Err(refused("This command names no link."));
    }
    let name = request.name.clone().filter(|_| urls.len() == 1);
    Ok(urls.into_iter().map(|url| NewRequest { url: with_scheme(url), name: name.clone(), ..request.clone() }).collect())
}

pub(super) fn without_value(option: &str) -> Trouble {
    refused(&format!("{option} of this command lacks its value."))
}

pub(super) fn form() -> Trouble {
    refused("This command sends a form, and what it answers is no file to fetch. Copy the link of the file itself.")
}

pub(super) fn cookie_file() -> Trouble {
    refused("This command reads cookies from a file. Give it to Ashore with ashore get --cookies.")
}

pub(super) fn proxy() -> Trouble {
    refused("This command names a proxy. Set it in Settings, and leave it out here.")
}

/// Commands take an address without a scheme for http.
fn with_scheme(url: String) -> String {
    if url.contains("://") { url } else { format!("http://{url}") }
}

pub(super) fn refused(text: &str) -> Trouble {
    trouble("command", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_is_known_by_its_program_behind_any_prompt() {
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
    fn command_of_each_shell_takes_its_lines_and_no_more() {
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
    fn command_of_windows_keeps_what_its_carets_hide() {
        let text =
            "curl ^\"http://a.example/x?a=1^&b=two^%^20x^\" ^\n  -H ^\"X-Key: k^\\^\"1^\" ^\n  -H ^\"Cookie: s=1^\" --compressed";
        let (requests, _) = read(text).unwrap();
        assert_eq!(requests[0].url, "http://a.example/x?a=1&b=two%20x");
        assert_eq!(requests[0].headers, [("X-Key".to_owned(), "k\"1".to_owned()), ("Cookie".to_owned(), "s=1".to_owned())]);
        let old = read("curl \"http://a.example/x?a=1&b=2\" ^\n -H \"X-Key: k-1\"").unwrap();
        assert_eq!((old.0[0].url.as_str(), old.0[0].headers.len()), ("http://a.example/x?a=1&b=2", 1));
    }
}
