//! Removes credentials from new requests: names and passwords in links, and the headers `Authorization` and `Cookie`.

use std::mem;

use ashore_messages::message;
use ashore_transfer::{DownloadCredentials, HttpSecret, merged_cookies, read_cookies_for};
use url::Url;

use crate::{
    EngineError,
    intake::{
        userinfo::{split, split_with_hole},
        validate::{HOLE, accept_url},
    },
    model::{FollowUpRule, NewRequest, SignIn},
};

/// Removes sign-ins and cookies from the headers of `requests` and of the requests in their `next` lists.
///
/// Headers are persisted, so they must not contain secrets. Fails with `Invalid` if credentials cannot be stored, or if
/// there are two different sign-ins for one server.
pub(crate) fn taken_out(requests: &mut [NewRequest]) -> Result<TakenOut, EngineError> {
    let mut taken = TakenOut::default();
    requests.iter_mut().try_for_each(|request| taken.take(request))?;
    Ok(taken)
}

/// Same as [`taken_out`], but also removes user names and passwords from links.
pub(crate) fn taken_out_with_links(requests: &mut [NewRequest]) -> Result<TakenOut, EngineError> {
    let mut taken = TakenOut::default();
    requests.iter_mut().try_for_each(|request| taken.take_from_links(request))?;
    taken.merge(taken_out(requests)?);
    Ok(taken)
}

/// Credentials that were removed from headers and links. Each is stored with an address that belongs to its origin.
#[derive(Debug, Default)]
pub(crate) struct TakenOut {
    pub(crate) sign_ins: Vec<(Url, HttpSecret)>,
    /// Cookies in the form of a `Cookie` header, merged per origin.
    pub(crate) cookies: Vec<(Url, String)>,
}

impl TakenOut {
    /// Moves the sign-ins from the links of `request` to `self`.
    ///
    /// An `Authorization` header of the request overrides the sign-in in its link.
    fn take_from_links(&mut self, request: &mut NewRequest) -> Result<(), EngineError> {
        let has_own = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if let Some((bare, sign_in)) = split(&request.url) {
            request.url = bare;
            if !has_own {
                self.take_secret(&request.url, sign_in)?;
            }
        }
        for mirror in &mut request.mirrors {
            if let Some((bare, sign_in)) = split(mirror) {
                *mirror = bare;
                self.take_secret(mirror, sign_in)?;
            }
        }
        match &mut request.next {
            Some(FollowUpRule::List(list)) => list.iter_mut().try_for_each(|request| self.take_from_links(request))?,
            Some(FollowUpRule::Series(series)) => {
                if let Some((bare, sign_in)) = split_with_hole(&series.url, HOLE) {
                    series.url = bare;
                    if !has_own {
                        self.take_secret(&series.url.replacen(HOLE, "1", 1), sign_in)?;
                    }
                }
            }
            Some(FollowUpRule::Parts { .. }) | None => {}
        }
        Ok(())
    }

    /// Returns the credentials of one download, by origin.
    pub(crate) fn into_own(self) -> DownloadCredentials {
        let mut own = DownloadCredentials::default();
        for (url, secret) in self.sign_ins {
            own.for_origin(&url.origin().ascii_serialization()).secret = Some(secret);
        }
        for (url, cookies) in self.cookies {
            own.for_origin(&url.origin().ascii_serialization()).cookies = Some(cookies);
        }
        own
    }

    fn take_secret(&mut self, url: &str, sign_in: SignIn) -> Result<(), EngineError> {
        let secret = accept(sign_in)?;
        // Ignore an invalid address here: `accept_request` reports it.
        match accept_url(url) {
            Ok(url) => self.add(&url, secret),
            Err(_) => Ok(()),
        }
    }

    /// Adds `other`. The sign-ins in `other` replace existing ones for the same server, because a header overrides a
    /// link.
    fn merge(&mut self, other: Self) {
        self.sign_ins.retain(|(url, _)| other.sign_ins.iter().all(|(said, _)| said.origin() != url.origin()));
        self.sign_ins.extend(other.sign_ins);
        self.cookies.extend(other.cookies);
    }

    fn take(&mut self, request: &mut NewRequest) -> Result<(), EngineError> {
        // Ignore an invalid address here: `accept_request` reports it.
        let url = accept_url(&request.url).ok();
        let mut others = Vec::new();
        for (name, value) in mem::take(&mut request.headers) {
            match name.to_ascii_lowercase().as_str() {
                "authorization" => self.take_sign_in(url.as_ref(), &value)?,
                "cookie" => self.take_cookies(url.as_ref(), &value)?,
                _ => others.push((name, value)),
            }
        }
        request.headers = others;
        match &mut request.next {
            Some(FollowUpRule::List(list)) => list.iter_mut().try_for_each(|request| self.take(request)),
            Some(FollowUpRule::Series(_) | FollowUpRule::Parts { .. }) | None => Ok(()),
        }
    }

    fn take_sign_in(&mut self, url: Option<&Url>, value: &str) -> Result<(), EngineError> {
        let Some(sign_in) = SignIn::of_header(value) else {
            return Err(EngineError::Invalid(message!("invalid.authorization")));
        };
        let secret = accept(sign_in)?;
        let Some(url) = url else { return Ok(()) };
        self.add(url, secret)
    }

    fn add(&mut self, url: &Url, secret: HttpSecret) -> Result<(), EngineError> {
        match self.sign_ins.iter().find(|(other, _)| other.origin() == url.origin()) {
            Some((_, other)) if *other != secret => return Err(EngineError::Invalid(message!("invalid.sign-ins"))),
            Some(_) => {}
            None => self.sign_ins.push((url.clone(), secret)),
        }
        Ok(())
    }

    fn take_cookies(&mut self, url: Option<&Url>, value: &str) -> Result<(), EngineError> {
        let Some(url) = url else { return Ok(()) };
        let cookies = accept_cookies(value, url)?;
        match self.cookies.iter_mut().find(|(other, _)| other.origin() == url.origin()) {
            // Of two cookies with the same name, the later one is used.
            Some((_, before)) => *before = merged_cookies(&cookies, before),
            None => self.cookies.push((url.clone(), cookies)),
        }
        Ok(())
    }
}

/// Checks a sign-in (RFC 7617, section 2, and RFC 6750, section 2.1).
///
/// Errors never quote the sign-in.
pub(crate) fn accept(sign_in: SignIn) -> Result<HttpSecret, EngineError> {
    let is_sayable = |text: &str| !text.chars().any(char::is_control);
    match sign_in {
        SignIn::Basic { user, .. } if user.is_empty() || user.contains(':') || !is_sayable(&user) => {
            Err(EngineError::Invalid(message!("invalid.user")))
        }
        SignIn::Basic { password, .. } if !is_sayable(&password) => Err(EngineError::Invalid(message!("invalid.password"))),
        SignIn::Basic { user, password } => Ok(HttpSecret::Basic { user, password }),
        SignIn::Bearer { token } => {
            let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"-._~+/=:".contains(&letter);
            if token.is_empty() || !token.bytes().all(is_letter) {
                return Err(EngineError::Invalid(message!("invalid.token")));
            }
            Ok(HttpSecret::Bearer(token))
        }
        SignIn::Other { value } if value.is_empty() || !is_sayable(&value) => {
            Err(EngineError::Invalid(message!("invalid.authorization-value")))
        }
        SignIn::Other { value } => Ok(HttpSecret::Other(value)),
    }
}

/// Returns the cookies from `text` for requests to `url`. Errors never quote `text`.
pub(crate) fn accept_cookies(text: &str, url: &Url) -> Result<String, EngineError> {
    read_cookies_for(text, url).ok_or_else(|| {
        let host = url.host_str().unwrap_or_default();
        EngineError::Invalid(message!("invalid.cookies", host = host))
    })
}
