//! Converts errors of the HTTP client to failures, by their chain of causes.

use std::{error::Error, io};

use hyper_util::client::legacy;
use rustls::{AlertDescription, CertificateError, PeerIncompatible};
use url::Url;

use crate::{
    http::{
        dns::{LookupFailed, LookupRefused},
        http1::framing::FramingNotes,
        proxy,
    },
    model::{
        failure::{TransferFailure, is_out_of_descriptors},
        failure_kind::{FailureCause, FailureKind},
    },
};

/// Text of the tunnel error after a 407 from the proxy. Needed because the type of the error is private.
const PROXY_ASKS: &str = "tunnel error: proxy authorization required";

/// Reason why a request got no response.
#[derive(Debug)]
pub(crate) enum NoResponse {
    /// A request through a reqwest client failed.
    Client(reqwest::Error),
    /// A request over a connection of `direct` failed.
    Direct {
        /// Error from the client for `direct` connections.
        error: legacy::Error,
        /// Whether the exchange used TLS, or would have used it.
        is_secure: bool,
    },
    /// The URL cannot be expressed as a request target.
    BadAddress,
}

impl NoResponse {
    /// Returns the failure for the error.
    pub fn failure(&self) -> TransferFailure {
        match self {
            Self::Client(error) => failure_of(error),
            Self::Direct { error, is_secure } => {
                let place = Place { is_connect: error.is_connect(), is_secure: *is_secure };
                let failure = failure(error, place, FailureKind::Protocol);
                let fault = if is_refused(error) { Some(FailureCause::NotHttp) } else { failure.fault };
                TransferFailure { fault, ..failure }
            }
            Self::BadAddress => TransferFailure::new(FailureKind::Internal, "the address is none that can be sent"),
        }
    }

    /// Returns whether the server may have closed a reused connection just before the request.
    ///
    /// Such an error has nothing to do with the file, and a GET may be sent twice (RFC 9110, section 9.2.2). For a
    /// reqwest client, every connection reset counts, because the client does not report whether it reused the
    /// connection.
    pub fn may_be_stale(&self) -> bool {
        match self {
            Self::Client(error) => failure_of(error).kind == FailureKind::Reset,
            Self::Direct { error, .. } => was_reused(error) && self.failure().kind == FailureKind::Reset,
            Self::BadAddress => false,
        }
    }

    /// Returns whether the server ended the handshake because it supports none of the offered protocols (RFC 7301,
    /// section 3.2).
    pub fn speaks_another_protocol(&self) -> bool {
        let no_protocol = rustls::Error::AlertReceived(AlertDescription::NoApplicationProtocol);
        self.any(|cause| cause.downcast_ref::<rustls::Error>() == Some(&no_protocol))
    }

    /// Returns whether an exchange over HTTP/2 broke.
    ///
    /// A graceful end of the connection and a refused stream are not breaks (RFC 9113, sections 6.8 and 8.7).
    pub fn broke_http2(&self) -> bool {
        let in_order = [Some(h2::Reason::NO_ERROR), Some(h2::Reason::REFUSED_STREAM)];
        self.any(|cause| cause.downcast_ref::<h2::Error>().is_some_and(|error| !in_order.contains(&error.reason())))
    }

    fn any(&self, is: impl Fn(&(dyn Error + 'static)) -> bool) -> bool {
        match self {
            Self::Client(error) => causes(error).any(is),
            Self::Direct { error, .. } => causes(error).any(is),
            Self::BadAddress => false,
        }
    }
}

/// Returns the failure for an error of a reqwest client, by its chain of causes.
pub(crate) fn failure_of(error: &reqwest::Error) -> TransferFailure {
    let is_secure = error.url().is_some_and(|url| url.scheme() == "https");
    let place = Place { is_connect: error.is_connect(), is_secure };
    let otherwise = match error {
        _ if error.is_timeout() => FailureKind::Timeout,
        _ if error.is_connect() => FailureKind::Connect,
        _ if error.is_builder() => FailureKind::Internal,
        _ => FailureKind::Protocol,
    };
    let failure = failure(error, place, otherwise);
    match failure.kind {
        FailureKind::Connect | FailureKind::Timeout if error.is_timeout() && error.is_connect() => {
            TransferFailure { kind: FailureKind::ConnectTimeout, ..failure }
        }
        _ => failure,
    }
}

/// Stage of the connection at the time of an error, and whether the connection was secure.
#[derive(Clone, Copy, Debug)]
struct Place {
    is_connect: bool,
    is_secure: bool,
}

fn failure(error: &(dyn Error + 'static), place: Place, otherwise: FailureKind) -> TransferFailure {
    let (mut kind, mut fault) = (None, None);
    let mut words = Vec::new();
    for cause in causes(error) {
        kind = kind_of(cause, place).or(kind);
        fault = fault_of(cause).or(fault);
        // Omit the text of reqwest: it contains the URL, which may contain a token.
        if !cause.is::<reqwest::Error>() {
            words.push(cause.to_string());
        }
    }
    words.dedup();
    TransferFailure { fault, ..TransferFailure::new(kind.unwrap_or(otherwise), words.join(": ")) }
}

/// Returns the fault that `cause` describes: a fault of the response or of the handshake.
///
/// `cause` is a single error of the chain.
fn fault_of(cause: &(dyn Error + 'static)) -> Option<FailureCause> {
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return fault_of_tls(error);
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return match error {
            // hyper identifies this error only by its text.
            _ if error.is_parse() && error.to_string().contains("too large") => Some(FailureCause::LargeHead),
            _ if error.is_parse() => Some(FailureCause::Head),
            _ => None,
        };
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // hyper uses these kinds only for chunks, and offers no type to check.
    let is_bad = matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData);
    (is_bad && error.to_string().to_ascii_lowercase().contains("chunk")).then_some(FailureCause::Chunks)
}

/// Adapts `failure` to a request that went through `proxy`.
///
/// If the connection failed, the proxy or the server behind it is unreachable.
pub(crate) fn by_proxy(failure: TransferFailure, proxy: &Url) -> TransferFailure {
    let kind = match failure.kind {
        FailureKind::Connect | FailureKind::ConnectTimeout | FailureKind::Dns | FailureKind::NameServer => FailureKind::Proxy,
        other => other,
    };
    TransferFailure { kind, detail: format!("through {}: {}", proxy::shown(proxy), failure.detail), ..failure }
}

/// Returns the error, its cause, and so on down to the root cause.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&cause| {
        // `source` of an io::Error skips the error that the io::Error wraps, so use `get_ref`.
        match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => cause.source(),
        }
    })
}

/// Returns the failure kind that `cause` describes, if any.
///
/// `cause` is a single error of the chain. Deeper causes take precedence.
fn kind_of(cause: &(dyn Error + 'static), place: Place) -> Option<FailureKind> {
    let Place { is_connect, is_secure } = place;
    if let Some(failed) = cause.downcast_ref::<LookupFailed>() {
        return Some(failed.kind);
    }
    if cause.is::<ConnectTimedOut>() {
        return Some(FailureKind::ConnectTimeout);
    }
    if cause.is::<LookupRefused>() {
        return Some(FailureKind::PrivateAddress);
    }
    if is_connect && cause.to_string() == PROXY_ASKS {
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
        // A reset stream and a graceful end of the connection count as ordinary interruptions. All other errors are
        // protocol violations of the server. The next error of the chain is the underlying cause.
        return match error {
            _ if error.is_io() => Some(FailureKind::Reset),
            _ if error.is_remote() && (error.is_reset() || error.is_go_away()) => Some(FailureKind::Reset),
            _ => Some(FailureKind::Protocol),
        };
    }
    let error = cause.downcast_ref::<io::Error>()?;
    match error.kind() {
        _ if is_out_of_descriptors(error) => Some(FailureKind::TooManyOpen),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset if is_connect && is_secure => {
            Some(FailureKind::TlsHandshake)
        }
        io::ErrorKind::TimedOut if is_connect => Some(FailureKind::ConnectTimeout),
        _ if is_connect => Some(FailureKind::Connect),
        io::ErrorKind::UnexpectedEof => Some(FailureKind::Truncated),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => Some(FailureKind::Reset),
        io::ErrorKind::TimedOut => Some(FailureKind::Timeout),
        // Other system errors, for example an unavailable network, do not come from the server.
        _ if error.raw_os_error().is_some() => Some(FailureKind::Reset),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Some(FailureKind::Protocol),
        _ => None,
    }
}

/// Returns the fault of a failed handshake if the user can act on it.
///
/// The alerts are defined in RFC 8446, section 6.2.
fn fault_of_tls(error: &rustls::Error) -> Option<FailureCause> {
    use AlertDescription as Alert;
    match error {
        rustls::Error::AlertReceived(alert) => match alert {
            Alert::ProtocolVersion => Some(FailureCause::OldTls),
            Alert::HandshakeFailure | Alert::InsufficientSecurity => Some(FailureCause::Handshake),
            // Ashore sends no client certificate, so these alerts mean that the server requires one.
            Alert::CertificateRequired
            | Alert::NoCertificate
            | Alert::BadCertificate
            | Alert::UnsupportedCertificate
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::AccessDenied => Some(FailureCause::ClientCertificate),
            _ => None,
        },
        rustls::Error::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13 | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => Some(FailureCause::OldTls),
        rustls::Error::PeerIncompatible(_) => Some(FailureCause::Handshake),
        // The response does not begin with a TLS record.
        rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType) => Some(FailureCause::NotTls),
        rustls::Error::InvalidCertificate(CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }) => {
            Some(FailureCause::NotValidYet)
        }
        _ => None,
    }
}

/// Returns the failure kind of a certificate error.
///
/// The kinds have different remedies: correct the clock (expired), trust the certificate (untrusted), or correct the
/// link (wrong name).
fn certificate(why: &CertificateError) -> FailureKind {
    match why {
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => FailureKind::CertificateExpired,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => FailureKind::CertificateName,
        CertificateError::UnknownIssuer | CertificateError::BadSignature => FailureKind::CertificateUntrusted,
        // Self-signed certificate that is marked as a certificate authority.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => FailureKind::CertificateUntrusted,
        _ => FailureKind::Certificate,
    }
}

/// Returns whether the failed request reused a connection.
pub(crate) fn was_reused(error: &legacy::Error) -> bool {
    notes(error).is_some_and(|notes| notes.requests() > 1)
}

/// Returns whether the response had no readable head.
pub(crate) fn is_refused(error: &legacy::Error) -> bool {
    notes(error).is_some_and(|notes| notes.is_refused(notes.requests()))
}

pub(crate) fn notes(error: &legacy::Error) -> Option<FramingNotes> {
    let mut extensions = http::Extensions::new();
    error.connect_info()?.get_extras(&mut extensions);
    extensions.remove()
}

/// Error for a server that did not accept the connection or finish the handshake in time.
#[derive(Debug, thiserror::Error)]
#[error("the connection took too long")]
pub(crate) struct ConnectTimedOut;

#[cfg(test)]
mod tests {
    use rustix::io::Errno;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    #[test]
    fn certificate_errors_with_same_remedy_have_same_kind() {
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
    fn handshake_errors_become_specific_faults() {
        use AlertDescription as Alert;
        for (error, fault) in [
            (rustls::Error::AlertReceived(Alert::ProtocolVersion), Some(FailureCause::OldTls)),
            (PeerIncompatible::ServerDoesNotSupportTls12Or13.into(), Some(FailureCause::OldTls)),
            (rustls::Error::AlertReceived(Alert::HandshakeFailure), Some(FailureCause::Handshake)),
            (PeerIncompatible::NoCipherSuitesInCommon.into(), Some(FailureCause::Handshake)),
            (rustls::Error::AlertReceived(Alert::CertificateRequired), Some(FailureCause::ClientCertificate)),
            (rustls::Error::AlertReceived(Alert::BadCertificate), Some(FailureCause::ClientCertificate)),
            (rustls::InvalidMessage::InvalidContentType.into(), Some(FailureCause::NotTls)),
            (CertificateError::NotValidYet.into(), Some(FailureCause::NotValidYet)),
            (CertificateError::Expired.into(), None),
            (rustls::Error::AlertReceived(Alert::InternalError), None),
        ] {
            assert_eq!(fault_of(&error), fault, "{error:?}");
            let failure = TransferFailure { fault, ..TransferFailure::new(FailureKind::TlsHandshake, "") };
            assert_eq!(failure.is_transient(), matches!(fault, None | Some(FailureCause::NotValidYet)), "{error:?}");
        }
    }

    /// Returns the failure of a request to a server that sends `says` once and then closes the connection. Uses HTTP/2
    /// if `is_http2`.
    async fn asked(says: &'static [u8], is_http2: bool) -> TransferFailure {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let server = tokio::spawn(async move {
            let (mut peer, _) = listener.accept().await.unwrap();
            let mut heard = [0; 4096];
            assert!(peer.read(&mut heard).await.unwrap() > 0);
            peer.write_all(says).await.unwrap();
            if is_http2 {
                // Read everything from the client first. Otherwise the close would reset the connection before the
                // client reads the response.
                while peer.read(&mut heard).await.is_ok_and(|count| count > 0) {}
            }
        });
        let client = reqwest::Client::builder().no_proxy();
        let client = if is_http2 { client.http2_prior_knowledge() } else { client }.build().unwrap();
        let asked = async { client.get(url).send().await?.bytes().await };
        let failure = failure_of(&asked.await.unwrap_err());
        drop(client);
        server.await.unwrap();
        failure
    }

    #[tokio::test]
    async fn truncated_response_and_non_http_response_fail_differently() {
        for (says, kind) in [
            (&b""[..], FailureKind::Reset),
            (b"HTTP/1.1 200 OK\r\ncontent-le", FailureKind::Reset),
            (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfive", FailureKind::Truncated),
            (b"220 mail.test ESMTP\r\n", FailureKind::Protocol),
        ] {
            assert_eq!(asked(says, false).await.kind, kind, "{}", String::from_utf8_lossy(says));
        }
    }

    #[tokio::test]
    async fn http2_reset_is_interruption_but_invalid_data_is_protocol_error() {
        const SETTINGS: &[u8] = b"\0\0\0\x04\0\0\0\0\0";
        const RESET: &[u8] = b"\0\0\0\x04\0\0\0\0\0\0\0\x04\x03\0\0\0\0\x01\0\0\0\x02";
        const GO_AWAY: &[u8] = b"\0\0\0\x04\0\0\0\0\0\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x02";
        const DATA_ON_NO_STREAM: &[u8] = b"\0\0\0\x04\0\0\0\0\0\0\0\x01\0\0\0\0\0\0x";
        for says in [RESET, GO_AWAY] {
            assert!(says.starts_with(SETTINGS));
            assert_eq!(asked(says, true).await.kind, FailureKind::Reset, "{says:?}");
        }
        assert_eq!(asked(DATA_ON_NO_STREAM, true).await.kind, FailureKind::Protocol);
    }

    #[test]
    fn system_errors_of_connection_are_not_server_errors() {
        let whole = Place { is_connect: false, is_secure: false };
        for error in [Errno::NETDOWN, Errno::HOSTUNREACH, Errno::NETUNREACH, Errno::IO, Errno::CONNRESET] {
            assert_eq!(kind_of(&io::Error::from(error), whole), Some(FailureKind::Reset), "{error}");
        }
        assert_eq!(kind_of(&io::Error::from(Errno::TIMEDOUT), whole), Some(FailureKind::Timeout));
        assert_eq!(kind_of(&io::Error::from(Errno::MFILE), whole), Some(FailureKind::TooManyOpen));
    }

    #[tokio::test]
    async fn slow_server_times_out_but_unreachable_server_fails_to_connect() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let client = reqwest::Client::builder().no_proxy().timeout(std::time::Duration::from_millis(20)).build().unwrap();
        assert_eq!(failure_of(&client.get(&url).send().await.unwrap_err()).kind, FailureKind::Timeout);
        drop(listener);
        assert_eq!(failure_of(&client.get(&url).send().await.unwrap_err()).kind, FailureKind::Connect);
        assert_eq!(failure_of(&client.get("http://").send().await.unwrap_err()).kind, FailureKind::Internal);
    }

    #[test]
    fn failure_to_connect_to_proxy_shows_address_without_password() {
        let proxy = Url::parse("http://user:canary@p.test:3128").unwrap();
        let failure = by_proxy(TransferFailure::new(FailureKind::Connect, "refused"), &proxy);
        assert_eq!((failure.kind, failure.detail.as_str()), (FailureKind::Proxy, "through http://p.test:3128: refused"));
        assert_eq!(by_proxy(TransferFailure::new(FailureKind::Reset, ""), &proxy).kind, FailureKind::Reset);
    }
}
