//! Implements the subcommands that store sign-ins, and the options of `get` and `add` for sign-ins, netrc and cookies.
//!
//! The engine receives passwords; they are never printed.

use std::{
    env,
    io::{self, IsTerminal},
    path::{Path, PathBuf, absolute},
};

use ashore_engine::{KeptIn, KeptSignIn, NewRegistration, SignIn, link_without_sign_in};
use ashore_messages::message;
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};
use serde_json::json;

use crate::{
    arguments::{ServerArgument, SigningIn, WantedDownload, first_line},
    output::{
        problem::{CliProblem, ExitStatus},
        words::{left, width, words},
    },
    verbs::short::with,
};

/// Environment variable with the user name, used if no option gives one.
const USER: &str = "ASHORE_USER";

/// Credentials of a download. On each new connection, they are sent before the download.
pub struct RequestCredentials {
    sign_in: Option<(String, SignIn)>,
    /// Servers of links that contain a user name and password. The engine stores these sign-ins with the links.
    linked: Vec<String>,
    netrc: Option<PathBuf>,
    cookies: Option<PathBuf>,
    is_said: bool,
}

impl RequestCredentials {
    /// Collects the credentials in `wanted`. Prompts for a missing password.
    ///
    /// Fails with a usage problem if one user name is given for links of several servers, or if `.netrc` is requested
    /// and there is no home folder.
    pub fn for_download(wanted: &WantedDownload, new: Option<&NewRegistration>) -> Result<Self, CliProblem> {
        let links = || new.iter().flat_map(|new| &new.requests).map(|request| request.url.as_str());
        let mut servers: Vec<String> = links().map(server).collect();
        servers.dedup();
        let mut linked: Vec<String> = links().filter(|&link| link_without_sign_in(link) != link).map(server).collect();
        linked.dedup();
        let user = match (&wanted.user_file, &wanted.user) {
            (Some(file), _) => Some(first_line(file)?),
            (None, Some(user)) => Some(user.clone()),
            (None, None) => env::var(USER).ok().filter(|user| !user.is_empty() && wanted.sign_in.is_none() && servers.len() == 1),
        };
        let sign_in = match (&user, &wanted.sign_in, servers.as_slice()) {
            (None, None, _) => None,
            (Some(user), _, [server]) => Some((server.clone(), basic(user, server)?)),
            (None, Some(commanded), [server]) => Some((server.clone(), commanded.clone())),
            _ => return Err(several_servers()),
        };
        let netrc = match (&wanted.netrc_file, wanted.netrc) {
            (Some(file), _) => Some(whole(file)?),
            (None, true) => Some(home()?.join(".netrc")),
            (None, false) => None,
        };
        let cookies = wanted.cookies.as_deref().map(whole).transpose()?;
        Ok(Self { sign_in, linked, netrc, cookies, is_said: false })
    }

    /// Checks that the credentials also apply to the later registration `more`.
    ///
    /// Fails with a usage problem if one user name is given for links of several servers.
    pub fn joins(&self, more: &NewRegistration) -> Result<(), CliProblem> {
        let is_elsewhere = |(own, _): &(String, SignIn)| more.requests.iter().any(|request| server(&request.url) != *own);
        if self.sign_in.as_ref().is_some_and(is_elsewhere) { Err(several_servers()) } else { Ok(()) }
    }

    /// Sends the credentials to the engine, and reports once where the engine stores them.
    pub async fn introduce(&mut self, connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
        if let Some(file) = &self.netrc {
            connection.call::<()>(MethodCall::ReadNetrc { file: file.clone() }).await?;
        }
        if let Some(file) = &self.cookies {
            let count: u32 = connection.call(MethodCall::AddCookies { file: file.clone() }).await?;
            if count == 0 && !self.is_said {
                out.print_line(words!("cli-cookies-unusable", path = file));
            }
        }
        if let Some((url, sign_in)) = &self.sign_in {
            let call = MethodCall::SignIn { url: url.clone(), sign_in: sign_in.clone(), lasting: true };
            let kept: KeptSignIn = connection.call(call).await?;
            if !self.is_said {
                say_where(&kept, out);
            }
        }
        self.is_said = true;
        Ok(())
    }

    /// Reports once, after the links were added, that their passwords are stored.
    pub fn say_kept(&mut self, out: TerminalOutput) {
        for server in self.linked.drain(..) {
            out.print_line(words!("cli-sign-in-of-link", server = server));
        }
    }
}

/// Runs `ashore sign-in`.
pub async fn sign_in(data_dir: &Path, signing_in: &SigningIn, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let Some(url) = &signing_in.url else { return list(data_dir, out).await };
    let sign_in = match &signing_in.user {
        Some(user) => basic(user, url)?,
        None if signing_in.token => SignIn::Bearer { token: secret(&words!("cli-token-for", server = server(url)))? },
        None => return Err(CliProblem::Usage(message!("sign-in"))),
    };
    with(data_dir, "ashore sign-in", async |connection| {
        let kept: KeptSignIn = connection.call(MethodCall::SignIn { url: url.clone(), sign_in, lasting: true }).await?;
        if out.json {
            out.object(&kept)?;
        } else {
            say_where(&kept, out);
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore sign-out`.
pub async fn sign_out(data_dir: &Path, from: &ServerArgument, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore sign-out", async |connection| {
        let is_forgotten: bool = connection.call(MethodCall::SignOut { url: from.url.clone() }).await?;
        if out.json {
            out.object(&json!({ "url": from.url, "forgotten": is_forgotten }))?;
        } else {
            out.print_line(words!(if is_forgotten { "cli-signed-out" } else { "cli-signed-out.unknown" }));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

async fn list(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore sign-in", async |connection| {
        let all: Vec<KeptSignIn> = connection.call(MethodCall::SignIns).await?;
        let words: Vec<_> = all.iter().map(|kept| place(kept.kept)).collect();
        let places = width(words.iter().map(String::as_str), 8);
        for kept in &all {
            if out.json {
                out.object(kept)?;
            } else {
                out.line(format_args!("{}  {}", left(&place(kept.kept), places), clean(&kept.origin)))?;
            }
        }
        if all.is_empty() && !out.json {
            out.print_line(words!("cli-no-sign-ins"));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

fn say_where(kept: &KeptSignIn, out: TerminalOutput) {
    let id = match kept.kept {
        KeptIn::System => "cli-signed-in.system",
        KeptIn::File => "cli-signed-in.file",
        KeptIn::Memory => "cli-signed-in.memory",
    };
    out.print_line(words!(id, server = &kept.origin));
}

fn place(kept: KeptIn) -> String {
    words!(match kept {
        KeptIn::System => "cli-kept-in.system",
        KeptIn::File => "cli-kept-in.file",
        KeptIn::Memory => "cli-kept-in.memory",
    })
}

fn several_servers() -> CliProblem {
    CliProblem::Usage(message!("user"))
}

/// Parses `name:password`. Prompts for the password if only a name is given.
fn basic(user: &str, url: &str) -> Result<SignIn, CliProblem> {
    let (user, password) = match user.split_once(':') {
        Some((user, password)) => (user.to_owned(), password.to_owned()),
        None => (user.to_owned(), secret(&words!("cli-password-of", user = user, server = server(url)))?),
    };
    Ok(SignIn::Basic { user, password })
}

/// Prompts for a secret on the terminal and hides the input. Without a terminal, reads the first line of stdin.
pub(crate) fn secret(prompt: &str) -> Result<String, CliProblem> {
    let read = if io::stdin().is_terminal() {
        rpassword::prompt_password(format!("{prompt} "))
    } else {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line.trim_end_matches(['\r', '\n']).to_owned())
    };
    let read = read.map_err(|error| CliProblem::Usage(message!("secret.unreadable", why = &error)))?;
    if read.is_empty() {
        return Err(CliProblem::Usage(message!("secret.empty")));
    }
    Ok(read)
}

/// Returns `scheme://host:port` of a link, without user name and password.
///
/// Returns text that is not a link unchanged; the engine refuses it later.
fn server(url: &str) -> String {
    let url = link_without_sign_in(url.trim());
    let Some(begin) = url.find("://").map(|at| at + 3) else { return url };
    let end = url[begin..].find(['/', '?', '#']).map_or(url.len(), |at| begin + at);
    url[..end].to_owned()
}

fn home() -> Result<PathBuf, CliProblem> {
    env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute()).ok_or_else(|| CliProblem::Usage(message!("netrc")))
}

fn whole(path: &Path) -> Result<PathBuf, CliProblem> {
    absolute(path).map_err(|error| CliProblem::Usage(message!("file", path = path, why = &error)))
}

#[cfg(test)]
mod tests {
    use ashore_engine::NewRequest;

    use super::*;

    fn credentials_for(user: &str, urls: &[&str]) -> Result<RequestCredentials, CliProblem> {
        let requests = urls.iter().map(|&url| NewRequest { url: url.to_owned(), ..NewRequest::default() }).collect();
        let new = NewRegistration { requests, ..NewRegistration::default() };
        RequestCredentials::for_download(&WantedDownload { user: Some(user.to_owned()), ..WantedDownload::default() }, Some(&new))
    }

    #[test]
    fn user_option_is_accepted_only_for_links_of_one_server() {
        let company_of_one = credentials_for("ann:pass:word", &["https://a.test/x", "https://a.test?y"]);
        let expected = SignIn::Basic { user: "ann".to_owned(), password: "pass:word".to_owned() };
        assert_eq!(company_of_one.ok().map(|company| company.sign_in), Some(Some(("https://a.test".to_owned(), expected))));
        for several in [&["https://a.test/", "https://b.test/"][..], &["https://a.test/", "http://a.test/"], &[]] {
            assert_eq!(credentials_for("ann:x", several).err().map(|problem| problem.code()), Some(2), "{several:?}");
        }
    }
}
