//! What a broken exchange means: the errors of the HTTP client, walked to their root, in Ashore's words.

use std::{error::Error, io};

use rustls::{AlertDescription, CertificateError};
use url::Url;

use super::{lookup::LookupFailed, proxy};
use crate::outcome::{Failure, FailureKind};

/// What a tunnel says when the proxy answers 407; its type cannot be named.
const PROXY_ASKS: &str = "tunnel error: proxy authorization required";

/// What an error of the HTTP client means, by walking to its root.
pub(crate) fn failure_of(error: &reqwest::Error) -> Failure {
    let mut kind = None;
    let mut words = Vec::new();
    for cause in causes(error) {
        kind = kind_of(cause, error).or(kind);
        // Without the address: it may carry a token.
        if !cause.is::<reqwest::Error>() {
            words.push(cause.to_string());
        }
    }
    words.dedup();
    let kind = match kind {
        Some(FailureKind::Connect) | None if error.is_timeout() && error.is_connect() => FailureKind::ConnectTimeout,
        Some(kind) => kind,
        None if error.is_timeout() => FailureKind::Timeout,
        None if error.is_connect() => FailureKind::Connect,
        None if error.is_builder() => FailureKind::Internal,
        None => FailureKind::Protocol,
    };
    Failure::new(kind, words.join(": "))
}

/// Whether the server ended the handshake because it speaks no protocol that it was offered (RFC 7301, section 3.2).
pub(crate) fn speaks_another_protocol(error: &reqwest::Error) -> bool {
    let no_protocol = rustls::Error::AlertReceived(AlertDescription::NoApplicationProtocol);
    causes(error).any(|cause| cause.downcast_ref::<rustls::Error>() == Some(&no_protocol))
}

/// The same of a request that went through `proxy`: what could not be reached then is the proxy, or what it was to reach.
pub(crate) fn by_proxy(failure: Failure, proxy: &Url) -> Failure {
    let kind = match failure.kind {
        FailureKind::Connect | FailureKind::ConnectTimeout | FailureKind::Dns => FailureKind::Proxy,
        other => other,
    };
    Failure { kind, detail: format!("through {}: {}", proxy::shown(proxy), failure.detail), ..failure }
}

/// The error and what is behind it, down to the root.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |&cause| {
        // An io::Error that wraps another error hides it from `source`.
        match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => cause.source(),
        }
    })
}

/// The kind that one link of the chain says, if it says one. Deeper links know better.
fn kind_of(cause: &(dyn Error + 'static), whole: &reqwest::Error) -> Option<FailureKind> {
    if cause.is::<LookupFailed>() {
        return Some(FailureKind::Dns);
    }
    if whole.is_connect() && cause.to_string() == PROXY_ASKS {
        return Some(FailureKind::ProxySignIn);
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some(match error {
            rustls::Error::InvalidCertificate(why) => certificate(why),
            rustls::Error::NoCertificatesPresented => FailureKind::Certificate,
            _ => FailureKind::TlsHandshake,
        });
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return match error {
            _ if error.is_incomplete_message() || error.is_closed() || error.is_canceled() => Some(FailureKind::Reset),
            _ if error.is_parse() => Some(FailureKind::Protocol),
            _ => None,
        };
    }
    if let Some(error) = cause.downcast_ref::<h2::Error>() {
        // A stream that was reset or a connection that was ended in order is a cut like any other; the rest is a server
        // that does not speak the protocol. What broke underneath is the next link.
        return match error {
            _ if error.is_io() => Some(FailureKind::Reset),
            _ if error.is_remote() && (error.is_reset() || error.is_go_away()) => Some(FailureKind::Reset),
            _ => Some(FailureKind::Protocol),
        };
    }
    let error = cause.downcast_ref::<io::Error>()?;
    let is_secure = whole.url().is_some_and(|url| url.scheme() == "https");
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset if whole.is_connect() && is_secure => {
            Some(FailureKind::TlsHandshake)
        }
        io::ErrorKind::TimedOut if whole.is_connect() => Some(FailureKind::ConnectTimeout),
        _ if whole.is_connect() => Some(FailureKind::Connect),
        io::ErrorKind::UnexpectedEof => Some(FailureKind::Truncated),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            Some(FailureKind::Reset)
        }
        io::ErrorKind::TimedOut => Some(FailureKind::Timeout),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Some(FailureKind::Protocol),
        _ => None,
    }
}

/// People can do different things about these: set the clock, trust it by name, or use the right link.
fn certificate(why: &CertificateError) -> FailureKind {
    match why {
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => FailureKind::CertificateExpired,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            FailureKind::CertificateName
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => FailureKind::CertificateUntrusted,
        // A certificate that signs itself and says that it may sign others.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            FailureKind::CertificateUntrusted
        }
        _ => FailureKind::Certificate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_told_apart_by_what_a_person_can_do() {
        for (why, kind) in [
            (CertificateError::Expired, FailureKind::CertificateExpired),
            (CertificateError::NotValidYet, FailureKind::CertificateExpired),
            (CertificateError::UnknownIssuer, FailureKind::CertificateUntrusted),
            (CertificateError::NotValidForName, FailureKind::CertificateName),
            (CertificateError::Revoked, FailureKind::Certificate),
        ] {
            assert_eq!(certificate(&why), kind, "{why:?}");
        }
    }

    #[test]
    fn what_the_proxy_could_not_do_is_the_proxy_s_and_says_which_one() {
        let proxy = Url::parse("http://user:canary@p.test:3128").unwrap();
        let failure = by_proxy(Failure::new(FailureKind::Connect, "refused"), &proxy);
        assert_eq!((failure.kind, failure.detail.as_str()), (FailureKind::Proxy, "through http://p.test:3128: refused"));
        assert_eq!(by_proxy(Failure::new(FailureKind::Reset, ""), &proxy).kind, FailureKind::Reset);
    }
}
