//! Detects servers that use https on the port of an http link, or http on the port of an https link.
//!
//! - A server is probed only after a failed exchange, or after it answers a plain http request with 400.
//! - Each server is probed once, and the result is remembered.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rustls::{ClientConfig, ClientConnection, RootCertStore, crypto::aws_lc_rs, pki_types::ServerName};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};
use url::Url;

use crate::model::{
    failure::TransferFailure,
    failure_kind::{FailureCause, FailureKind},
};

/// Maximum time for connecting and for the first bytes of a response.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of remembered servers. A full list is cleared, and the servers are probed again.
const MOST_REMEMBERED: usize = 256;
/// TLS record types in the first answer to a handshake (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;
const ALERT: u8 = 21;

/// Probed servers, by origin. The value is true if the server uses the other scheme on this port.
#[derive(Debug, Default)]
pub(super) struct WrongPorts(Mutex<HashMap<String, bool>>);

impl WrongPorts {
    /// Returns the fault if `failure` comes from the wrong scheme in `url`.
    ///
    /// The request must not have used a proxy.
    pub async fn fault(&self, failure: &TransferFailure, url: &Url) -> Option<FailureCause> {
        let (fault, is_open) = match (url.scheme(), failure.kind, failure.fault) {
            ("https", FailureKind::ConnectTimeout | FailureKind::TlsHandshake, None) => (FailureCause::NotTls, true),
            ("http", FailureKind::Reset, None) => (FailureCause::NeedsTls, false),
            ("http", FailureKind::Protocol, None | Some(FailureCause::NotHttp | FailureCause::Head)) => {
                (FailureCause::NeedsTls, false)
            }
            // Status 400 is the answer of servers that detect the wrong scheme themselves.
            ("http", FailureKind::BadStatus, None) if failure.status == Some(400) => (FailureCause::NeedsTls, false),
            _ => return None,
        };
        let origin = url.origin().ascii_serialization();
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&origin).copied();
        let is_wrong = match known {
            Some(known) => known,
            None => {
                let asked = async { if is_open { speaks_http(url).await } else { speaks_tls(url).await } };
                let is_wrong = timeout(PATIENCE, asked).await.ok().flatten().unwrap_or_default();
                let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                if all.len() >= MOST_REMEMBERED {
                    all.clear();
                }
                all.insert(origin, is_wrong);
                is_wrong
            }
        };
        is_wrong.then_some(fault)
    }
}

/// Returns whether the server answers an unencrypted request.
///
/// The request contains only the name of the server.
async fn speaks_http(url: &Url) -> Option<bool> {
    let host = url.host_str()?;
    let mut server = TcpStream::connect(address(url)?).await.ok()?;
    server.write_all(format!("HEAD / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes()).await.ok()?;
    Some(first::<5>(&mut server).await? == *b"HTTP/")
}

/// Returns whether the server answers the first message of a TLS handshake with a TLS record.
async fn speaks_tls(url: &Url) -> Option<bool> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().ok()?;
    // There is no certificate to check, because the handshake ends with the first record.
    let config = config.with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    let name = url.host_str()?.trim_start_matches('[').trim_end_matches(']');
    let name = ServerName::try_from(name.to_owned()).ok()?;
    let mut hello = Vec::new();
    ClientConnection::new(Arc::new(config), name).ok()?.write_tls(&mut hello).ok()?;
    let mut server = TcpStream::connect(address(url)?).await.ok()?;
    server.write_all(&hello).await.ok()?;
    let [kind, major, _] = first::<3>(&mut server).await?;
    Some((kind == HANDSHAKE || kind == ALERT) && major == 3)
}

async fn first<const COUNT: usize>(server: &mut TcpStream) -> Option<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    server.read_exact(&mut bytes).await.ok()?;
    Some(bytes)
}

fn address(url: &Url) -> Option<String> {
    Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// Starts a server that reads once and then sends `says`.
    ///
    /// Returns the port, and the counter of accepted connections.
    async fn server(says: &'static [u8]) -> (u16, Arc<Mutex<usize>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, count) = (listener.local_addr().unwrap().port(), Arc::new(Mutex::new(0)));
        let counted = count.clone();
        tokio::spawn(async move {
            while let Ok((mut peer, _)) = listener.accept().await {
                *counted.lock().unwrap() += 1;
                let mut heard = [0; 4096];
                let _ = peer.read(&mut heard).await;
                let _ = peer.write_all(says).await;
            }
        });
        (port, count)
    }

    #[tokio::test]
    async fn server_is_probed_for_other_scheme_only_once_per_origin() {
        let reset = TransferFailure::new(FailureKind::Reset, "");
        let silent = TransferFailure::new(FailureKind::ConnectTimeout, "");
        let refused = TransferFailure { status: Some(400), ..TransferFailure::new(FailureKind::BadStatus, "") };
        for (says, scheme, failure, fault) in [
            (&b"\x15\x03\x01\0\x02\x02\x28"[..], "http", &reset, Some(FailureCause::NeedsTls)),
            (b"\x16\x03\x03\0\x02", "http", &refused, Some(FailureCause::NeedsTls)),
            (b"HTTP/1.1 400 Bad\r\n\r\n", "http", &refused, None),
            (b"", "http", &reset, None),
            (b"HTTP/1.1 200 Fine\r\n\r\n", "https", &silent, Some(FailureCause::NotTls)),
            (b"220 mail", "https", &silent, None),
            (b"", "https", &silent, None),
        ] {
            let (port, count) = server(says).await;
            let url = Url::parse(&format!("{scheme}://127.0.0.1:{port}/")).unwrap();
            let wrong = WrongPorts::default();
            for _ in 0..3 {
                assert_eq!(wrong.fault(failure, &url).await, fault, "{scheme}: {}", String::from_utf8_lossy(says));
            }
            assert_eq!(*count.lock().unwrap(), 1);
        }
    }

    #[tokio::test]
    async fn other_scheme_is_not_probed_if_wrong_scheme_cannot_be_the_cause_of_failure() {
        let url = |scheme| Url::parse(&format!("{scheme}://127.0.0.1:1/")).unwrap();
        let wrong = WrongPorts::default();
        for (scheme, kind) in [
            ("https", FailureKind::Reset),
            ("http", FailureKind::Connect),
            ("https", FailureKind::CertificateName),
            ("http", FailureKind::BadStatus),
        ] {
            assert_eq!(wrong.fault(&TransferFailure::new(kind, ""), &url(scheme)).await, None);
        }
        assert!(wrong.0.lock().unwrap().is_empty());
    }
}
