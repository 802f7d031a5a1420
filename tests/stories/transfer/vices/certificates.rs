//! Servers that cannot prove who they are, met after a power cut: nothing is taken from them, and nothing is lost.

use ashore_tests::tls::{Authority, Shown, TlsOrigin};
use ashore_transfer::{Config, FailureKind, HttpConfig};

use super::lives::{LENGTH, body, patient, killed};

#[tokio::test]
async fn killed_and_then_sent_to_a_server_with_a_bad_certificate_it_keeps_everything() {
    for (shown, kind) in [
        (Shown::Expired, FailureKind::CertificateExpired),
        (Shown::SelfSigned, FailureKind::CertificateUntrusted),
        (Shown::Anothers, FailureKind::CertificateName),
    ] {
        let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
        let secure = TlsOrigin::start(&authority, shown).await;
        secure.file("/a.bin", body().slice(0, LENGTH));
        let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
        let mut story = killed(|file| file).await;
        story.lives.kill(Config { http, ..patient() }).await;
        story.file = story.file.redirect(301, secure.url("/a.bin").as_str());
        for _ in 0..2 {
            story.fails(kind).await;
        }
        assert_eq!(secure.asked().len(), 0, "it was asked for nothing");
        story.goes_on().await;
    }
}

#[tokio::test]
async fn killed_and_then_sent_to_a_server_that_proves_itself_it_goes_on_there() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let secure = TlsOrigin::start(&authority, Shown::Good).await;
    secure.file("/a.bin", body().slice(0, LENGTH));
    let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
    let mut story = killed(|file| file.no_validators()).await;
    story.lives.kill(Config { http, ..patient() }).await;
    story.file = story.file.redirect(308, secure.url("/a.bin").as_str());
    story.completes_with(&body()).await;
    assert!(secure.asked()[0].headers.contains_key("range"), "only for what was missing");
}
