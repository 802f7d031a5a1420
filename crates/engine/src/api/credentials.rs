//! Engine methods for sign-ins and cookies that Ashore sends to servers.
//!
//! Secrets never reach the ledger, the log or an error.

use ashore_messages::message;
use std::{fmt, path::Path};

use ashore_transfer::{HttpSecret, disk, merged_cookies};
use url::Url;

use crate::{
    Engine, EngineError,
    intake::{
        link_credentials::{TakenOut, accept, accept_cookies},
        validate::accept_url,
    },
    model::{KeptIn, KeptSignIn, SignIn, UniqueId},
    platform::atomic_file,
    settings::transfer_config,
};

impl Engine {
    /// Stores `sign_in` and sends it with every request to the origin of `url`.
    ///
    /// If `lasting`, the sign-in is stored permanently, otherwise until this engine closes. Fails with `BadUrl`,
    /// `BadScheme`, `Credentials` or `BadPort`; with `Invalid` if a header cannot contain the name or token, or if the
    /// keychain refuses the sign-in; and with `Io`.
    pub async fn sign_in(&self, url: &str, sign_in: SignIn, lasting: bool) -> Result<KeptSignIn, EngineError> {
        self.keep_sign_in(&accept_url(url)?, accept(sign_in)?, lasting).await
    }

    /// Stores the cookies in `text` and sends them with every request to the origin of `url`.
    ///
    /// The cookies are merged with earlier cookies for that origin. If `lasting`, they are stored permanently,
    /// otherwise until this engine closes. `text` contains either `name=value` pairs separated by semicolons, or the
    /// lines of a `cookies.txt`. From a `cookies.txt`, only the lines for `url` are used.
    ///
    /// Fails with `BadUrl`, `BadScheme`, `Credentials` or `BadPort`; with `Invalid` if `text` has no cookie for `url`,
    /// or if the keychain refuses the cookies; and with `Io`.
    pub async fn give_cookies(&self, url: &str, text: &str, lasting: bool) -> Result<KeptSignIn, EngineError> {
        let url = accept_url(url)?;
        let cookies = accept_cookies(text, &url)?;
        self.keep_cookies(&url, &cookies, lasting).await
    }

    async fn keep_cookies(&self, url: &Url, cookies: &str, lasting: bool) -> Result<KeptSignIn, EngineError> {
        let cookies = match self.shared.credentials.cookies_of(url).await {
            Some(before) => merged_cookies(cookies, &before),
            None => cookies.to_owned(),
        };
        let origin = origin(url);
        let kept = match lasting {
            true => self.shared.keychain.keep_cookies(&origin, cookies.clone()).await?,
            false => KeptIn::Memory,
        };
        self.shared.credentials.give_cookies(url, cookies);
        Ok(KeptSignIn { origin, kept })
    }

    /// Stores credentials that were removed from requests, each for the origin of its server.
    pub(crate) async fn store_credentials(&self, taken: TakenOut, lasting: bool) -> Result<(), EngineError> {
        for (url, secret) in taken.sign_ins {
            self.keep_sign_in(&url, secret, lasting).await?;
        }
        for (url, cookies) in taken.cookies {
            self.keep_cookies(&url, &cookies, lasting).await?;
        }
        Ok(())
    }

    /// Stores credentials that were removed from the requests of a registration. Only this registration uses them,
    /// until it ends.
    pub(crate) async fn store_for_download(&self, id: UniqueId, taken: TakenOut) -> Result<(), EngineError> {
        let own = taken.into_own();
        if !own.is_empty() {
            self.shared.keychain.keep_for_download(id.0, &own).await?;
            self.shared.credentials.give_to_download(id.0, own);
        }
        Ok(())
    }

    async fn keep_sign_in(&self, url: &Url, secret: HttpSecret, lasting: bool) -> Result<KeptSignIn, EngineError> {
        let origin = origin(url);
        let kept = match lasting {
            true => self.shared.keychain.store_secret(&origin, &secret).await?,
            false => KeptIn::Memory,
        };
        self.shared.credentials.sign_in(url, secret);
        Ok(KeptSignIn { origin, kept })
    }

    /// Forgets the sign-in and the cookies for the origin of `url`.
    ///
    /// Returns false if neither was stored.
    pub async fn sign_out(&self, url: &str) -> Result<bool, EngineError> {
        let url = accept_url(url)?;
        self.shared.credentials.sign_out(&url);
        self.shared.keychain.forget(&origin(&url)).await
    }

    /// Returns the origins with a stored sign-in or stored cookies, sorted. Does not return the secrets.
    pub fn sign_ins(&self) -> Vec<KeptSignIn> {
        self.shared.keychain.origins()
    }

    /// Uses the passwords of a netrc file for servers that require one.
    ///
    /// They stay in use until this engine closes. Fails with `Io`.
    pub async fn read_netrc(&self, file: &Path) -> Result<(), EngineError> {
        let file = file.to_owned();
        match disk::spawn(move || transfer_config::read_netrc(&file)).await {
            Ok(read) => {
                self.shared.credentials.add_netrc(read?);
                Ok(())
            }
            Err(_) => Err(EngineError::Closed),
        }
    }

    /// Stores the cookies of a `cookies.txt` in the data folder. Returns the number of usable cookies.
    ///
    /// Each cookie is sent only to the servers to which it belongs, also by engines that are opened later. Fails with
    /// `Io`, and with `Invalid` if the file is not a `cookies.txt`.
    pub async fn add_cookies(&self, file: &Path) -> Result<u32, EngineError> {
        let (file, shared) = (file.to_owned(), self.shared.clone());
        let added = disk::spawn(move || {
            let new = transfer_config::read_cookies(&file)?;
            let mut all = transfer_config::given_cookies(&shared.data_dir)?;
            all.retain(|old| !new.iter().any(|new| new.is_same(old)));
            all.extend(new.iter().cloned());
            let lines = all.iter().map(|cookie| cookie.line() + "\n");
            let text: String = ["# Netscape HTTP Cookie File\n".to_owned()].into_iter().chain(lines).collect();
            atomic_file::replace(&shared.data_dir.join(transfer_config::COOKIES), text.as_bytes())
                .map_err(|source| EngineError::io(message!("disk.cookies", why = &source), source))?;
            Ok(shared.cookies.add(&new))
        });
        match added.await {
            Ok(added) => added.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
            Err(_) => Err(EngineError::Closed),
        }
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
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
    use crate::intake::link_credentials::taken_out;
    use crate::model::{FollowUpRule, NewRequest};

    #[test]
    fn error_for_invalid_sign_in_does_not_quote_the_sign_in() {
        let basic = |user: &str, password: &str| accept(SignIn::Basic { user: user.to_owned(), password: password.to_owned() });
        let bearer = |token: &str| accept(SignIn::Bearer { token: token.to_owned() });
        assert!(basic("ann", "two words: \u{fc}").is_ok() && basic("ann", "").is_ok() && bearer("ghp_aZ-1~+/==").is_ok());
        let other = |value: &str| accept(SignIn::Other { value: value.to_owned() });
        assert!(other("token x, y=1").is_ok() && other("").is_err());
        for refused in [
            other("a canary\n"),
            basic("", "canary"),
            basic("a:b", "canary"),
            basic("ann", "canary\r\nX: y"),
            bearer(""),
            bearer("Bearer canary"),
        ] {
            assert!(!refused.unwrap_err().to_string().contains("canary"));
        }
    }

    fn request(url: &str, headers: &[(&str, &str)]) -> NewRequest {
        let headers = headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        NewRequest { url: url.to_owned(), headers, ..NewRequest::default() }
    }

    #[test]
    fn authorization_header_is_removed_from_requests() {
        let bearer = ("aUTHORIZATION", "Bearer canary");
        let mut requests = [
            request("https://a.test/1", &[bearer, ("X-A", "1")]),
            request("https://a.test/2", &[bearer]),
            request("https://b.test/", &[("Authorization", "token canary")]),
            request("no address", &[bearer]),
        ];
        let found = taken_out(&mut requests).unwrap();
        let found: Vec<_> = found.sign_ins.iter().map(|(url, secret)| (url.as_str(), secret.clone())).collect();
        let expected = [
            ("https://a.test/1", HttpSecret::Bearer("canary".to_owned())),
            ("https://b.test/", HttpSecret::Other("token canary".to_owned())),
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

    #[test]
    fn cookie_headers_become_one_cookie_list_per_origin() {
        let later =
            NewRequest { headers: vec![("Cookie".to_owned(), "later=canary".to_owned())], ..request("https://c.test/", &[]) };
        let mut requests = [
            NewRequest {
                next: Some(FollowUpRule::List(vec![later])),
                ..request("https://a.test/1", &[("cOOKIE", "id=canary; taste=1"), ("X-A", "1")])
            },
            request("https://a.test/2", &[("Cookie", "taste=2")]),
            request("http://a.test/", &[("Cookie", "id=canary")]),
            request("no address", &[("Cookie", "id=canary")]),
        ];
        let found = taken_out(&mut requests).unwrap().cookies;
        let found: Vec<_> = found.iter().map(|(url, cookies)| (url.as_str(), cookies.as_str())).collect();
        let expected =
            [("https://a.test/1", "taste=2; id=canary"), ("https://c.test/", "later=canary"), ("http://a.test/", "id=canary")];
        assert_eq!(found, expected);
        assert!(!format!("{requests:?}").contains("canary") && requests[0].headers.len() == 1);
        for refused in ["canary", "", "a=canary\r\nX: y"] {
            let error = taken_out(&mut [request("https://a.test/", &[("Cookie", refused)])]).unwrap_err();
            assert!(error.code() == "invalid" && !error.to_string().contains("canary"), "{error}");
        }
    }
}
