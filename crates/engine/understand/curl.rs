//! A command for cURL, as browsers copy it: the address, its headers, who is to sign in. [pure]
//!
//! What a command says and Ashore cannot do is named, and the command is not carried out without it.

use super::{shell, trouble};
use crate::model::{NewRequest, SignIn, Trouble};

/// What says nothing about the file, or what Ashore does anyway.
const ANYWAY: [&str; 22] = [
    "-L", "--location", "-s", "--silent", "-S", "--show-error", "-f", "--fail", "-O", "--remote-name", "-J",
    "--remote-header-name", "-v", "--verbose", "-#", "--progress-bar", "--compressed", "-g", "--globoff", "-N",
    "--no-buffer", "--location-trusted",
];
/// The same with a value.
const ANYWAY_WITH_VALUE: [&str; 7] =
    ["-C", "--continue-at", "--retry", "--retry-delay", "--retry-max-time", "--connect-timeout", "--max-redirs"];
/// Short options that take a value, which may follow at once: `-HName: value`.
const SHORT_WITH_VALUE: &str = "HAebuoXC";

/// What a command asks for.
type Asked = (Vec<NewRequest>, Option<SignIn>);

/// Whether `line` is one.
pub(super) fn begins(line: &str) -> bool {
    line.strip_prefix("curl").is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// What it asks for. Refused with what stands in the way.
pub(super) fn read(command: &str) -> Result<Asked, Trouble> {
    let words = shell::words(command).ok_or_else(|| refused("A quote in this command has no end."))?;
    let mut request = NewRequest::default();
    let mut urls: Vec<String> = Vec::new();
    let (mut sign_in, mut unknown) = (None, Vec::new());
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            urls.push(word);
            continue;
        }
        let (option, at_once) = apart(&word);
        if ANYWAY.contains(&option.as_str()) {
            continue;
        }
        let mut value = || {
            at_once.clone().or_else(|| words.next()).ok_or_else(|| refused(&format!("{option} of this command lacks its value.")))
        };
        match option.as_str() {
            "-H" | "--header" => header(&value()?, &mut request, &mut sign_in)?,
            "-A" | "--user-agent" => request.headers.push(("User-Agent".to_owned(), value()?)),
            "-e" | "--referer" => request.headers.push(("Referer".to_owned(), value()?)),
            "-b" | "--cookie" => {
                let cookie = value()?;
                if !cookie.contains('=') {
                    return Err(refused("This command reads cookies from a file. Give it to Ashore with ashore get --cookies."));
                }
                request.headers.push(("Cookie".to_owned(), cookie));
            }
            "-u" | "--user" => sign_in = Some(basic(&value()?)),
            "-o" | "--output" => {
                let path = value()?;
                request.name = path.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
            }
            "-X" | "--request" => {
                let method = value()?;
                if !method.eq_ignore_ascii_case("get") {
                    return Err(refused(&format!("This command sends a {method}. Ashore fetches what a GET answers.")));
                }
            }
            "--url" => urls.push(value()?),
            option if ANYWAY_WITH_VALUE.contains(&option) => drop(value()?),
            "-d" | "--data" | "--data-raw" | "--data-binary" | "--data-urlencode" | "-F" | "--form" | "--json" => {
                return Err(refused("This command sends a form, and what it answers is no file to fetch. Copy the link of the file itself."));
            }
            "-x" | "--proxy" => return Err(refused("This command names a proxy. Set it in Settings, and leave it out here.")),
            "-k" | "--insecure" => {
                return Err(refused("This command accepts any certificate. Name yours in Settings, and leave it out here."));
            }
            _ => unknown.push(option),
        }
    }
    if !unknown.is_empty() {
        let named = unknown.join(", ");
        return Err(refused(&format!("Ashore does not know {named} of this command. Leave it out if it does not matter.")));
    }
    if urls.is_empty() {
        return Err(refused("This command names no link."));
    }
    if urls.len() > 1 {
        request.name = None;
    }
    let links = urls.into_iter().map(|url| {
        // cURL takes an address without a scheme for http.
        let url = if url.contains("://") { url } else { format!("http://{url}") };
        NewRequest { url, ..request.clone() }
    });
    Ok((links.collect(), sign_in))
}

/// An option and the value that is written at once with it.
fn apart(word: &str) -> (String, Option<String>) {
    if word.starts_with("--") {
        return match word.split_once('=') {
            Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
            None => (word.to_owned(), None),
        };
    }
    let takes_value = word.chars().nth(1).is_some_and(|letter| SHORT_WITH_VALUE.contains(letter));
    match word.char_indices().nth(2) {
        Some((end, _)) if takes_value => (word[..end].to_owned(), Some(word[end..].to_owned())),
        // Several in one word, such as -sSL, are the same as each alone where none of them matters.
        Some(_) if word.chars().skip(1).all(|letter| ANYWAY.contains(&format!("-{letter}").as_str())) => ("-s".to_owned(), None),
        _ => (word.to_owned(), None),
    }
}

fn header(line: &str, request: &mut NewRequest, sign_in: &mut Option<SignIn>) -> Result<(), Trouble> {
    let Some((name, value)) = line.split_once(':') else {
        return Err(refused(&format!("\"{line}\" in this command is no header.")));
    };
    let (name, value) = (name.trim(), value.trim());
    match name.to_ascii_lowercase().as_str() {
        // Ashore's own business: what it resumes and how it is encoded.
        "range" | "if-range" | "accept-encoding" | "host" | "connection" | "content-length" => {}
        "authorization" => match SignIn::of_header(value) {
            Some(said) => *sign_in = Some(said),
            None => return Err(refused("This command signs in with something else than a token. Use ashore sign-in for its server.")),
        },
        _ => request.headers.push((name.to_owned(), value.to_owned())),
    }
    Ok(())
}

fn basic(text: &str) -> SignIn {
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    SignIn::Basic { user: user.to_owned(), password: password.to_owned() }
}

fn refused(text: &str) -> Trouble {
    trouble("command", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(command: &str) -> String {
        read(command).unwrap_err().text
    }

    #[test]
    fn what_a_browser_copies_is_understood() {
        let command = "curl 'https://a.example/f.zip?x=1&y=2' -H 'accept: */*' -H 'Accept-Encoding: gzip' -b 'id=7; taste=plain' \
                       -H $'x-odd: a\\u0021' -A Browser -e https://a.example/ --compressed -sSL -o 'over/here.zip'";
        let (requests, sign_in) = read(command).unwrap();
        assert_eq!((requests.len(), sign_in), (1, None));
        assert_eq!(requests[0].url, "https://a.example/f.zip?x=1&y=2");
        assert_eq!(requests[0].name.as_deref(), Some("here.zip"));
        let headers: Vec<String> = requests[0].headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let expected = ["accept: */*", "Cookie: id=7; taste=plain", "x-odd: a!", "User-Agent: Browser", "Referer: https://a.example/"];
        assert_eq!(headers, expected);
    }

    #[test]
    fn what_signs_in_is_no_header() {
        let (requests, sign_in) = read("curl -u ann:can:ary a.example/x --url=http://b.example").unwrap();
        assert_eq!(sign_in, Some(SignIn::Basic { user: "ann".to_owned(), password: "can:ary".to_owned() }));
        assert_eq!(requests.iter().map(|one| one.url.as_str()).collect::<Vec<_>>(), ["http://a.example/x", "http://b.example"]);
        let (requests, sign_in) = read("curl https://a.example -H'Authorization: Bearer canary'").unwrap();
        assert_eq!(sign_in, Some(SignIn::Bearer { token: "canary".to_owned() }));
        assert!(requests[0].headers.is_empty());
        assert!(said("curl https://a.example -H 'Authorization: Digest x'").contains("ashore sign-in"));
    }

    #[test]
    fn what_cannot_be_done_is_named_and_not_left_out() {
        assert_eq!(
            said("curl https://a.example --cert --frobnicate"),
            "Ashore does not know --cert, --frobnicate of this command. Leave it out if it does not matter."
        );
        assert!(said("curl https://a.example -d x=1").contains("sends a form"));
        assert!(said("curl -X POST https://a.example").contains("sends a POST"));
        assert!(said("curl -k https://a.example").contains("any certificate"));
        assert!(said("curl -x p:1 https://a.example").contains("proxy"));
        assert!(said("curl 'https://a.example").contains("no end"));
        assert!(said("curl https://a.example -H").contains("-H of this command lacks"));
        assert!(said("curl https://a.example -b jar.txt").contains("--cookies"));
        assert!(said("curl -L").contains("names no link"));
        assert!(!begins("curly braces") && begins("curl\thttps://a.example"));
    }
}
