//! Everything that people are told has its words in the catalogues of the window, so that nobody who reads another language
//! is told it in English. Tests alone: the engine itself speaks English.

use ashore_transfer::{Failure, FailureKind as Kind};

use crate::{
    Error, failure,
    model::{GateCode as Gate, Trouble, UniqueId},
};

const ENGLISH: &str = include_str!("../../locales/en/troubles.ftl");

const KINDS: &[Kind] = &[
    Kind::Dns, Kind::Connect, Kind::ConnectTimeout, Kind::Proxy, Kind::ProxySignIn, Kind::TlsHandshake, Kind::Certificate,
    Kind::CertificateExpired, Kind::CertificateUntrusted, Kind::CertificateName, Kind::Timeout, Kind::TotalTimeout, Kind::Reset,
    Kind::Truncated, Kind::Protocol, Kind::BadStatus, Kind::TooManyRedirects, Kind::RefusedRedirect, Kind::ChangedOnServer,
    Kind::WebPage, Kind::LinkExpired, Kind::WrongSize, Kind::DigestMismatch, Kind::DiskFull, Kind::Target, Kind::Disk,
    Kind::DownloadTotalExceeded, Kind::QuotaReached, Kind::UploadInterrupted, Kind::UploadSource, Kind::Internal,
];

const GATES: &[Gate] = &[
    Gate::Bootstrap, Gate::Paused, Gate::Asleep, Gate::Hours, Gate::Offline, Gate::CaptivePortal, Gate::Metered, Gate::Battery,
    Gate::InUse, Gate::Disk, Gate::Quota,
];

/// One that is missing above does not compile here.
fn is_listed(kind: Kind, gate: Gate) -> bool {
    match kind {
        Kind::Dns | Kind::Connect | Kind::ConnectTimeout | Kind::Proxy | Kind::ProxySignIn | Kind::TlsHandshake
        | Kind::Certificate | Kind::CertificateExpired | Kind::CertificateUntrusted | Kind::CertificateName | Kind::Timeout
        | Kind::TotalTimeout | Kind::Reset | Kind::Truncated | Kind::Protocol | Kind::BadStatus | Kind::TooManyRedirects
        | Kind::RefusedRedirect | Kind::ChangedOnServer | Kind::WebPage | Kind::LinkExpired | Kind::WrongSize
        | Kind::DigestMismatch | Kind::DiskFull | Kind::Target | Kind::Disk | Kind::DownloadTotalExceeded
        | Kind::QuotaReached | Kind::UploadInterrupted | Kind::UploadSource | Kind::Internal => {}
    }
    match gate {
        Gate::Bootstrap | Gate::Paused | Gate::Asleep | Gate::Hours | Gate::Offline | Gate::CaptivePortal | Gate::Metered
        | Gate::Battery | Gate::InUse | Gate::Disk | Gate::Quota => {}
    }
    KINDS.contains(&kind) && GATES.contains(&gate)
}

/// What the catalogue has for a code, in English.
fn sentences(code: &str) -> Vec<String> {
    let begins = format!("trouble-{code} = ");
    let mut lines = ENGLISH.lines().skip_while(|line| !line.starts_with(&begins));
    let value = lines.next().into_iter();
    let attributes = lines.take_while(|line| line.starts_with("    ."));
    let texts = value.chain(attributes).filter_map(|line| line.split_once(" = "));
    texts.map(|(_, text)| text.replace("{ -ashore }", "Ashore")).collect()
}

/// Whether it is one of them, whatever stands in its gaps.
fn is_said(trouble: &Trouble) -> bool {
    sentences(&trouble.code).iter().any(|sentence| {
        let pieces = sentence.split("{ $").enumerate();
        let mut pieces = pieces.map(|(place, piece)| if place == 0 { piece } else { piece.split_once(" }").unwrap_or(("", piece)).1 });
        let Some(mut left) = trouble.text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
        for piece in pieces {
            let found = if piece.is_empty() { Some(left.len()) } else { left.find(piece) };
            let Some(at) = found else { return false };
            left = left.get(at + piece.len()..).unwrap_or_default();
        }
        left.is_empty()
    })
}

#[test]
fn every_failure_has_its_words_whatever_the_server_said() {
    for kind in KINDS.iter().copied().filter(|kind| is_listed(*kind, Gate::Paused)) {
        let statuses = [None, Some(401), Some(403), Some(404), Some(407), Some(418), Some(429), Some(451), Some(500), Some(503)];
        for status in statuses {
            let trouble = failure::trouble(&Failure { status, ..Failure::new(kind, "") });
            assert!(is_said(&trouble), "{}: {}", trouble.code, trouble.text);
        }
    }
    assert!(is_said(&failure::aborted()));
    assert!(!is_said(&failure::named("aborted", "It was cancelled. Or was it?")));
}

#[test]
fn every_gate_has_its_words() {
    for gate in GATES {
        assert!(!sentences(gate.word()).is_empty(), "{}", gate.word());
    }
}

#[test]
fn every_refusal_that_the_window_can_meet_has_its_words() {
    let (path, text) = (|| "/a".into(), || "b".to_owned());
    let refusals = [
        Error::Empty,
        Error::BadUrl { url: text(), why: text() },
        Error::BadScheme(text()),
        Error::Credentials(text()),
        Error::BadPort { host: text(), port: 25 },
        Error::Target { path: path(), why: text() },
        Error::UploadSource { path: path(), why: text() },
        Error::QuotaExceeded { needed: 2, free: 1, path: path() },
        Error::OverQuota { needed: text(), whose: text(), limit: text() },
        Error::IdTaken(text()),
        Error::Unknown(UniqueId(uuid::Uuid::nil())),
        Error::Held { path: path(), holder: text() },
        Error::LedgerNewer { path: path(), found: 2, known: 1 },
        Error::LedgerDamaged { path: path(), why: text() },
        Error::LedgerLocked { path: path() },
        Error::Ledger(sqlx::Error::PoolClosed),
        Error::Closed,
    ];
    for refusal in refusals {
        assert!(is_said(&refusal.trouble()), "{refusal}");
    }
}
