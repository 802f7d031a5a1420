//! Reads a Wget command: addresses, headers and sign-in. [pure]
//!
//! A command with an unsupported part is refused with an error that names the part.

use ashore_messages::UserMessage;

use crate::{
    intake::parse::{
        request_parts::{ParsedFields, accept_method, cookie_file, form, header, named_by, requests, without_value},
        shell_words::ShellWords,
    },
    model::{NewRequest, SignIn},
};

/// Ignored options: they do not change the file, or match the default behaviour of Ashore.
const ANYWAY: &[&str] = &[
    "-c",
    "--continue",
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "-nv",
    "--no-verbose",
    "-nc",
    "--no-clobber",
    "-N",
    "--timestamping",
    "-S",
    "--server-response",
    "-nd",
    "--no-directories",
    "-4",
    "--inet4-only",
    "-6",
    "--inet6-only",
    "--no-check-certificate",
    "--content-disposition",
    "--trust-server-names",
    "--show-progress",
    "--no-cookies",
    "--keep-session-cookies",
    "--https-only",
    "--no-hsts",
    "--no-proxy",
    "--no-netrc",
    "--auth-no-challenge",
    "--no-cache",
    "--retry-connrefused",
    "--no-config",
    "-b",
    "--background",
    "--no-http-keep-alive",
    "--no-dns-cache",
    "-nH",
    "--no-host-directories",
];
/// Ignored options with a value. They are ignored for the reasons given at [`ANYWAY`].
const ANYWAY_WITH_VALUE: &[&str] = &[
    "-P",
    "--directory-prefix",
    "-t",
    "--tries",
    "-T",
    "--timeout",
    "-w",
    "--wait",
    "--waitretry",
    "--progress",
    "--secure-protocol",
    "--max-redirect",
    "-e",
    "--execute",
    "-o",
    "--output-file",
    "-a",
    "--append-output",
    "--connect-timeout",
    "--read-timeout",
    "--dns-timeout",
    "--save-cookies",
    "--restrict-file-names",
    "--compression",
    "--retry-on-http-error",
];
/// Short options with a value, which may follow without a space.
const SHORT_WITH_VALUE: &str = "OPtTweoaUiQ";

/// Returns the requests of the command with these `words`.
///
/// Fails with a message about the first unsupported part.
pub(super) fn read(ShellWords { words, .. }: ShellWords) -> Result<ParsedFields, UserMessage> {
    let mut request = NewRequest::default();
    let (mut urls, mut unknown, mut sign_in) = (Vec::new(), Vec::new(), None);
    let (mut user, mut password) = (None, None);
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            urls.push(word);
            continue;
        }
        for (option, at_once) in apart(&word) {
            if ANYWAY.contains(&option.as_str()) {
                continue;
            }
            let mut value = || at_once.clone().or_else(|| words.next()).ok_or_else(|| without_value(&option));
            match option.as_str() {
                "--header" => header(&value()?, &mut request, &mut sign_in)?,
                "-U" | "--user-agent" => request.headers.push(("User-Agent".to_owned(), value()?)),
                "--referer" => request.headers.push(("Referer".to_owned(), value()?)),
                "-O" | "--output-document" => request.name = named_by(&value()?),
                "--user" | "--http-user" => user = Some(value()?),
                "--password" | "--http-password" | "--http-passwd" => password = Some(value()?),
                "--method" => accept_method(&value()?)?,
                "--load-cookies" => return Err(cookie_file()),
                "--post-data" | "--post-file" | "--body-data" | "--body-file" => return Err(form()),
                option if ANYWAY_WITH_VALUE.contains(&option) => drop(value()?),
                _ => unknown.push(option.clone()),
            }
        }
    }
    if let Some(user) = user {
        sign_in = Some(SignIn::Basic { user, password: password.unwrap_or_default() });
    }
    Ok((requests(&request, urls, &unknown)?, sign_in))
}

/// Returns the options in a single word, such as `--option=value`, `-qO` or `-nc`.
fn apart(word: &str) -> Vec<(String, Option<String>)> {
    if word.starts_with("--") {
        return vec![match word.split_once('=') {
            Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
            None => (word.to_owned(), None),
        }];
    }
    if ANYWAY.contains(&word) {
        return vec![(word.to_owned(), None)];
    }
    let mut options = Vec::new();
    for (at, letter) in word.char_indices().skip(1) {
        let value = SHORT_WITH_VALUE.contains(letter).then(|| word[at + letter.len_utf8()..].to_owned());
        let is_last = value.is_some();
        options.push((format!("-{letter}"), value.filter(|value| !value.is_empty())));
        if is_last {
            break;
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::parse::command;

    #[test]
    fn usual_wget_commands_are_understood() {
        for command in [
            "wget --header='X-Key: k-1' --header 'Cookie: s=1' 'http://a.example/x?a=1&b=2'",
            "wget -c -nc --tries=3 -T 20 --no-check-certificate --header='X-Key: k-1' --header='Cookie: s=1' -qO out.zip 'http://a.example/x?a=1&b=2'",
            "wget.exe -P folder --header \"X-Key: k-1\" --header \"Cookie: s=1\" \"http://a.example/x?a=1&b=2\"",
            "$ wget -q --show-progress 'http://a.example/x?a=1&b=2' --header=X-Key:k-1 --header=Cookie:s=1",
        ] {
            let (requests, _) = command::read(command).unwrap();
            assert_eq!(requests[0].url, "http://a.example/x?a=1&b=2", "{command}");
            assert_eq!(
                requests[0].headers,
                [("X-Key".to_owned(), "k-1".to_owned()), ("Cookie".to_owned(), "s=1".to_owned())],
                "{command}"
            );
        }
        let (requests, sign_in) = command::read("wget --user=ann --password=canary -Oout.zip a.example/x").unwrap();
        assert_eq!((requests[0].url.as_str(), requests[0].name.as_deref()), ("http://a.example/x", Some("out.zip")));
        assert_eq!(sign_in, Some(SignIn::Basic { user: "ann".to_owned(), password: "canary".to_owned() }));
        assert_eq!(command::read("wget -qO- http://a.example/x | sh").unwrap().0[0].name, None);
    }

    #[test]
    fn unsupported_parts_of_wget_command_are_named() {
        let said = |command: &str| command::read(command).unwrap_err().text;
        assert!(said("wget -r -np http://a.example").contains("-r"));
        assert!(said("wget --post-data=a http://a.example").contains("form"));
        assert!(said("wget --load-cookies jar http://a.example").contains("--cookies"));
        assert!(said("wget -i list.txt").contains("-i"));
        assert!(said("wget -c").contains("no link"));
    }
}
