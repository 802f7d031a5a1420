//! Tests that the client accepts or refuses a server by the pin of its certificate, before it sends anything.

use ashore_sync::server::{CertificatePin, HttpServer, ServerAddress, ServerFault, SyncServer, UnreachableCause};
use rcgen::KeyPair;

use crate::support::{CountingListener, RealServer, TestCertificate, token};

async fn fault(server: &HttpServer) -> ServerFault {
    server.info_collections(None).await.map(|_| ()).expect_err("the listener refuses every request").fault
}

#[tokio::test]
async fn pinned_certificate_is_accepted_despite_name_and_dates() {
    let certificate = TestCertificate::expired();
    let listener = CountingListener::start(&certificate.der, &certificate.key).await;
    let server = listener.client(&CertificatePin::of_certificate(&certificate.der).text());
    assert_eq!(fault(&server).await, ServerFault::Busy { retry_after_s: Some(7) });
    assert!(listener.bytes() > 0);
}

#[tokio::test]
async fn server_with_wrong_certificate_receives_no_byte() {
    let certificate = TestCertificate::expired();
    let listener = CountingListener::start(&certificate.der, &certificate.key).await;
    let server = listener.client(&CertificatePin::of_certificate(b"another certificate").text());
    for _ in 0..3 {
        assert_eq!(fault(&server).await, ServerFault::CertificateChanged);
    }
    assert_eq!(server.events().await.map(|_| ()).unwrap_err().fault, ServerFault::CertificateChanged);
    assert_eq!((listener.connections(), listener.bytes()), (4, 0));
}

#[tokio::test]
async fn server_without_key_of_pinned_certificate_receives_no_byte() {
    let certificate = TestCertificate::expired();
    let listener = CountingListener::start(&certificate.der, &KeyPair::generate().unwrap()).await;
    let server = listener.client(&CertificatePin::of_certificate(&certificate.der).text());
    assert_eq!(fault(&server).await, ServerFault::CertificateChanged);
    assert_eq!((listener.connections(), listener.bytes()), (1, 0));
}

#[tokio::test]
async fn unpinned_connection_rejects_untrusted_certificate() {
    let certificate = TestCertificate::expired();
    let listener = CountingListener::start(&certificate.der, &certificate.key).await;
    let server = listener.client("tls");
    assert_eq!(fault(&server).await, ServerFault::Unreachable(UnreachableCause::CertificateNotTrusted));
    assert_eq!((listener.connections(), listener.bytes()), (1, 0));
}

#[tokio::test]
async fn link_of_real_server_has_pin_of_its_certificate() {
    let certificate = TestCertificate::valid();
    let server = RealServer::start(Some(&certificate)).await;
    let pin = CertificatePin::of_certificate(&certificate.der).text();
    assert!(server.link.ends_with(&format!(".{pin}")), "{}", server.link);
    let other = CertificatePin::of_certificate(b"another certificate").text();
    let address = ServerAddress::from_link(&server.address, &other).unwrap();
    let wrong = HttpServer::new(address).unwrap();
    assert_eq!(wrong.enrol(&server.set_up()).await.map(|_| ()).unwrap_err().fault, ServerFault::CertificateChanged);
    let enrolled = server.client().enrol(&server.set_up()).await.expect("the invite was not used").value;
    assert!(enrolled.token.uid() > 0);
}

#[tokio::test]
async fn connecting_over_tls_to_plain_server_reports_handshake_failure() {
    let server = RealServer::start(None).await;
    let address = ServerAddress::from_link(&server.address, "tls").unwrap();
    let secure = HttpServer::new(address).unwrap().with_token(token());
    assert_eq!(fault(&secure).await, ServerFault::Unreachable(UnreachableCause::TlsFailed));
}
