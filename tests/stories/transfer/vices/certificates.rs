//! Tests TLS servers that present bad certificates after a power cut. No response is accepted, and no bytes are lost.

use ashore_testkit::{
    origin::Origin,
    tls::{Authority, Shown, TlsOrigin},
};
use ashore_transfer::{FailureKind, HttpConfig, TransferConfig, TransferSpec};

use super::{
    super::desk::assert_kind,
    lives::{LENGTH, Lives, OVERLAP, STOP, body, killed, patient},
};

/// TLS origin with `/a.bin`, and a test bench that trusts it.
struct Secure {
    authority: Authority,
    origin: TlsOrigin,
    folder: tempfile::TempDir,
    lives: Lives,
    spec: TransferSpec,
    /// Number of durable bytes of the transfer.
    durable: u64,
}

impl Secure {
    async fn new() -> Self {
        let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
        let origin = TlsOrigin::start(&authority, Shown::Good).await;
        let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
        let lives = Lives::new(TransferConfig { http, ..patient() });
        let spec = lives.spec(origin.url("/a.bin"));
        Self { authority, origin, folder, lives, spec, durable: 0 }
    }

    /// Returns a transfer that was killed in the middle.
    async fn killed() -> Self {
        let mut story = Self::new().await;
        let stop = usize::try_from(STOP).unwrap();
        story.origin.holds("/a.bin", body().slice(0, LENGTH), stop);
        story.lives.begin(&story.spec, STOP).await;
        story.kill().await;
        story.durable = story.lives.durable();
        assert!(story.durable > OVERLAP, "{}", story.durable);
        story
    }

    async fn kill(&mut self) {
        let http = HttpConfig { ca_certificate: Some(self.authority.file(self.folder.path())), ..HttpConfig::default() };
        self.lives.kill(TransferConfig { http, ..patient() }).await;
    }

    /// Checks that two tries, with a kill between them, fail with this kind of failure, and that all bytes are kept.
    async fn fails(&mut self, kind: FailureKind) {
        for _ in 0..2 {
            let (failure, bytes) = self.lives.failed(&self.spec).await;
            assert_kind(&failure, kind);
            assert_eq!((bytes, self.lives.durable()), (self.durable, self.durable));
            assert!(!failure.is_transient() && !self.lives.path("a.bin").exists(), "{failure:?}");
            self.kill().await;
        }
    }

    /// Checks that the transfer completes when the server behaves correctly, and that only the missing bytes are
    /// requested.
    async fn resumes_and_completes(mut self) {
        self.origin.file("/a.bin", body().slice(0, LENGTH));
        let asked = self.origin.asked().len();
        self.lives.completed_with(&self.spec, &body()).await;
        let from = self.durable.checked_sub(OVERLAP).map(|from| format!("bytes={from}-"));
        let range = self.origin.asked()[asked].headers.get("range").map(|range| range.to_str().unwrap().to_owned());
        assert_eq!(range, from);
        ashore_testkit::forget(&self.lives.transfers, self.spec.guid, self.lives.folder.path()).await;
        assert_eq!(self.lives.names(), ["a.bin"]);
    }
}

#[tokio::test]
async fn killed_tls_transfer_waits_for_a_valid_certificate() {
    for (shown, kind) in [
        (Shown::Expired, FailureKind::CertificateExpired),
        (Shown::SelfSigned, FailureKind::CertificateUntrusted),
        (Shown::Anothers, FailureKind::CertificateName),
    ] {
        let mut story = Secure::killed().await;
        let asked = story.origin.asked().len();
        story.origin.shows(&story.authority, shown);
        story.fails(kind).await;
        assert_eq!(story.origin.asked().len(), asked, "{shown:?}: the server got no request");
        story.origin.shows(&story.authority, Shown::Good);
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn redirect_to_http_is_refused_before_and_after_kill() {
    for is_killed in [false, true] {
        let (plain, mut story) = (Origin::start().await, if is_killed { Secure::killed().await } else { Secure::new().await });
        plain.file("/a.bin", body());
        story.origin.redirects("/a.bin", plain.url("/a.bin").as_str());
        story.fails(FailureKind::RefusedRedirect).await;
        assert_eq!(plain.requests().len(), 0, "no unencrypted request was sent");
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn bytes_survive_kill_and_redirect_to_bad_certificate() {
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
        story.lives.kill(TransferConfig { http, ..patient() }).await;
        story.file = story.file.redirect(301, secure.url("/a.bin").as_str());
        for _ in 0..2 {
            story.fails(kind).await;
        }
        assert_eq!(secure.asked().len(), 0, "the server got no request");
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn download_resumes_at_trusted_https_redirect_after_kill() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let secure = TlsOrigin::start(&authority, Shown::Good).await;
    secure.file("/a.bin", body().slice(0, LENGTH));
    let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
    let mut story = killed(|file| file.no_validators()).await;
    story.lives.kill(TransferConfig { http, ..patient() }).await;
    story.file = story.file.redirect(308, secure.url("/a.bin").as_str());
    story.completes_with(&body()).await;
    assert!(secure.asked()[0].headers.contains_key("range"), "only the missing bytes were requested");
}
