//! The verbs about who Ashore is to a server: sign-ins and cookies. What is secret passes through here and nowhere near the
//! ledger, the log or an error.

use std::{fmt, mem, path::Path};

use ashore_transfer::Secret;
use url::Url;

use crate::{
    Engine, Error,
    accept::accept_url,
    model::{KeptIn, KeptSignIn, NewRequest, SignIn},
    network, whole,
};

impl Engine {
    /// From now on, `sign_in` goes with every request to the origin of `url`: as long as this engine is open, and where it
    /// is `lasting` beyond that.
    ///
    /// Fails with `BadUrl`, `BadScheme`, `Credentials`, `BadPort`; `Invalid` for a name or token that no header can carry
    /// or a keychain that does not take it; `Io`.
    pub async fn sign_in(&self, url: &str, sign_in: SignIn, lasting: bool) -> Result<KeptSignIn, Error> {
        self.keep_sign_in(&accept_url(url)?, accept(sign_in)?, lasting).await
    }

    pub(crate) async fn keep_sign_in(&self, url: &Url, secret: Secret, lasting: bool) -> Result<KeptSignIn, Error> {
        let origin = url.origin().ascii_serialization();
        let kept = match lasting {
            true => self.shared.keychain.keep(&origin, &secret).await?,
            false => KeptIn::Memory,
        };
        self.shared.credentials.sign_in(url, secret);
        Ok(KeptSignIn { origin, kept })
    }

    /// Forgets what signs in to the origin of `url`. False where nothing was kept.
    pub async fn sign_out(&self, url: &str) -> Result<bool, Error> {
        let url = accept_url(url)?;
        self.shared.credentials.sign_out(&url);
        self.shared.keychain.forget(&origin(&url)).await
    }

    /// Every origin that something is kept for, in order. Never what.
    pub fn sign_ins(&self) -> Vec<KeptSignIn> {
        self.shared.keychain.origins()
    }

    /// Gives the passwords of a netrc file to servers that ask for one, as long as this engine is open. Fails with `Io`.
    pub async fn read_netrc(&self, file: &Path) -> Result<(), Error> {
        let file = file.to_owned();
        match tokio::task::spawn_blocking(move || network::read_netrc(&file)).await {
            Ok(read) => {
                self.shared.credentials.add_netrc(read?);
                Ok(())
            }
            Err(_) => Err(Error::Closed),
        }
    }

    /// Takes the cookies of a `cookies.txt` and keeps them in the data folder; each is sent where it belongs. Answers how
    /// many of them can be used. They are sent by engines opened from now on as well.
    ///
    /// Fails with `Io`, and `Invalid` where the file is none.
    pub async fn add_cookies(&self, file: &Path) -> Result<u32, Error> {
        let (file, shared) = (file.to_owned(), self.shared.clone());
        let added = tokio::task::spawn_blocking(move || {
            let new = network::read_cookies(&file)?;
            let mut all = network::given_cookies(&shared.data_dir)?;
            all.retain(|old| !new.iter().any(|new| new.is_same(old)));
            all.extend(new.iter().cloned());
            let lines = all.iter().map(|cookie| cookie.line() + "\n");
            let text: String = ["# Netscape HTTP Cookie File\n".to_owned()].into_iter().chain(lines).collect();
            whole::replace(&shared.data_dir.join(network::COOKIES), text.as_bytes())
                .map_err(|source| Error::Io { what: "Could not keep the cookies".to_owned(), source })?;
            Ok(shared.cookies.add(&new))
        });
        match added.await {
            Ok(added) => added.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
            Err(_) => Err(Error::Closed),
        }
    }
}

/// Takes what signs in out of the headers of `requests`, since those are written down: where to, and what.
///
/// Refuses with `Invalid` what cannot be kept, and two ways to sign in at one server.
pub(crate) fn taken_out(requests: &mut [NewRequest]) -> Result<Vec<(Url, Secret)>, Error> {
    let mut found: Vec<(Url, Secret)> = Vec::new();
    for request in requests {
        let (named, others) = mem::take(&mut request.headers).into_iter().partition(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        request.headers = others;
        let named: Vec<(String, String)> = named;
        for (_, value) in named {
            let Some(sign_in) = SignIn::of_header(&value) else {
                let text = "This Authorization answers one question of its server and helps with no other. Use `ashore sign-in` for it.";
                return Err(Error::Invalid(text.to_owned()));
            };
            let secret = accept(sign_in)?;
            // What is wrong with an address is said by who looks at all of the request.
            let Ok(url) = accept_url(&request.url) else { continue };
            match found.iter().find(|(other, _)| other.origin() == url.origin()) {
                Some((_, other)) if *other != secret => {
                    let text = "Two of these requests sign in to the same server in different ways. Leave one of them out.";
                    return Err(Error::Invalid(text.to_owned()));
                }
                Some(_) => {}
                None => found.push((url, secret)),
            }
        }
    }
    Ok(found)
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// RFC 7617, section 2, and RFC 6750, section 2.1. Never repeats what it refuses.
pub(crate) fn accept(sign_in: SignIn) -> Result<Secret, Error> {
    let is_sayable = |text: &str| !text.chars().any(char::is_control);
    match sign_in {
        SignIn::Basic { user, .. } if user.is_empty() || user.contains(':') || !is_sayable(&user) => {
            Err(Error::Invalid("A user's name is not empty and has no colon in it.".to_owned()))
        }
        SignIn::Basic { password, .. } if !is_sayable(&password) => {
            Err(Error::Invalid("A password has no control characters in it.".to_owned()))
        }
        SignIn::Basic { user, password } => Ok(Secret::Basic { user, password }),
        SignIn::Bearer { token } => {
            let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"-._~+/=:".contains(&letter);
            if token.is_empty() || !token.bytes().all(is_letter) {
                let text = "A token consists of letters, digits and -._~+/= alone. Leave out the word before it.";
                return Err(Error::Invalid(text.to_owned()));
            }
            Ok(Secret::Bearer(token))
        }
        SignIn::Other { value } if value.is_empty() || !is_sayable(&value) => {
            Err(Error::Invalid("An Authorization is not empty and has no control characters in it.".to_owned()))
        }
        SignIn::Other { value } => Ok(Secret::Other(value)),
    }
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Basic { .. } => "Basic(..)",
            Self::Bearer { .. } => "Bearer(..)",
            Self::Other { .. } => "Other(..)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_header_can_carry_is_refused_and_not_repeated() {
        let basic = |user: &str, password: &str| {
            accept(SignIn::Basic { user: user.to_owned(), password: password.to_owned() })
        };
        let bearer = |token: &str| accept(SignIn::Bearer { token: token.to_owned() });
        assert!(basic("ann", "two words: \u{fc}").is_ok() && basic("ann", "").is_ok() && bearer("ghp_aZ-1~+/==").is_ok());
        let other = |value: &str| accept(SignIn::Other { value: value.to_owned() });
        assert!(other("token x, y=1").is_ok() && other("").is_err());
        for refused in [other("a canary\n"), basic("", "canary"), basic("a:b", "canary"), basic("ann", "canary\r\nX: y"), bearer(""), bearer("Bearer canary")] {
            assert!(!refused.unwrap_err().to_string().contains("canary"));
        }
    }

    fn request(url: &str, headers: &[(&str, &str)]) -> NewRequest {
        let headers = headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        NewRequest { url: url.to_owned(), headers, ..NewRequest::default() }
    }

    #[test]
    fn what_signs_in_is_no_header_that_is_written_down() {
        let bearer = ("aUTHORIZATION", "Bearer canary");
        let mut requests = [
            request("https://a.test/1", &[bearer, ("X-A", "1")]),
            request("https://a.test/2", &[bearer]),
            request("https://b.test/", &[("Authorization", "token canary")]),
            request("no address", &[bearer]),
        ];
        let found = taken_out(&mut requests).unwrap();
        let found: Vec<_> = found.iter().map(|(url, secret)| (url.as_str(), secret.clone())).collect();
        let expected = [
            ("https://a.test/1", Secret::Bearer("canary".to_owned())),
            ("https://b.test/", Secret::Other("token canary".to_owned())),
        ];
        assert_eq!(found, expected);
        assert!(!format!("{requests:?}").contains("canary") && requests[0].headers.len() == 1);
        let digest = ("Authorization", "Digest canary");
        for mut refused in [
            vec![request("https://a.test/", &[digest])],
            vec![request("https://a.test/", &[bearer]), request("https://a.test/", &[("Authorization", "Bearer other")])],
            vec![request("https://a.test/", &[("Authorization", "Bearer two words")])],
        ] {
            let error = taken_out(&mut refused).unwrap_err();
            assert!(error.code() == "invalid" && !error.to_string().contains("canary"), "{error}");
        }
    }
}
