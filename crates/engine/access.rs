//! The verbs about who Ashore is to a server: sign-ins and cookies. What is secret passes through here and nowhere near the
//! ledger, the log or an error.

use std::{fmt, path::Path};

use ashore_transfer::Secret;
use url::Url;

use crate::{
    Engine, Error,
    accept::accept_url,
    model::{KeptIn, KeptSignIn, SignIn},
    network, whole,
};

impl Engine {
    /// From now on, `sign_in` goes with every request to the origin of `url`: as long as this engine is open, and where it
    /// is `lasting` beyond that.
    ///
    /// Fails with `BadUrl`, `BadScheme`, `Credentials`, `BadPort`; `Invalid` for a name or token that no header can carry
    /// or a keychain that does not take it; `Io`.
    pub async fn sign_in(&self, url: &str, sign_in: SignIn, lasting: bool) -> Result<KeptSignIn, Error> {
        let (url, secret) = (accept_url(url)?, accept(sign_in)?);
        let origin = url.origin().ascii_serialization();
        let kept = match lasting {
            true => self.shared.keychain.keep(&origin, &secret).await?,
            false => KeptIn::Memory,
        };
        self.shared.credentials.sign_in(&url, secret);
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
    }
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Basic { .. } => "Basic(..)",
            Self::Bearer { .. } => "Bearer(..)",
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
        for refused in [basic("", "canary"), basic("a:b", "canary"), basic("ann", "canary\r\nX: y"), bearer(""), bearer("Bearer canary")] {
            assert!(!refused.unwrap_err().to_string().contains("canary"));
        }
    }
}
