//! Checks which message each error has, and that the lists of the window's simulated engine are complete.

use ashore_messages::{Catalogue, MessageArgument, message};
use ashore_transfer::{FailureCause, FailureKind as Kind, RateLimit, TransferFailure};

use crate::{
    EngineError,
    intake::{link_credentials, validate},
    model::{GateCode as Gate, NewPieces, NewRequest, SettingKey as Key, SettingValue, SignIn, UniqueId, UserMessage, messages},
    settings::SettingsFile,
};

const ENGLISH: &str = include_str!("../../../../locales/en/messages.ftl");

const KINDS: &[Kind] = &[
    Kind::Dns,
    Kind::NameServer,
    Kind::Connect,
    Kind::ConnectTimeout,
    Kind::Proxy,
    Kind::ProxySignIn,
    Kind::TlsHandshake,
    Kind::Certificate,
    Kind::CertificateExpired,
    Kind::CertificateUntrusted,
    Kind::CertificateName,
    Kind::Timeout,
    Kind::TotalTimeout,
    Kind::Reset,
    Kind::Truncated,
    Kind::Protocol,
    Kind::BadStatus,
    Kind::TooManyRedirects,
    Kind::RefusedRedirect,
    Kind::ChangedOnServer,
    Kind::PrivateAddress,
    Kind::WebPage,
    Kind::LinkExpired,
    Kind::WrongSize,
    Kind::UntrueLength,
    Kind::DigestMismatch,
    Kind::DiskFull,
    Kind::DiskQuota,
    Kind::FileTooLarge,
    Kind::DiskAway,
    Kind::Target,
    Kind::PartialChanged,
    Kind::Disk,
    Kind::TooManyOpen,
    Kind::DownloadTotalExceeded,
    Kind::QuotaReached,
    Kind::UploadInterrupted,
    Kind::UploadSource,
    Kind::Internal,
];

const GATES: &[Gate] = &[
    Gate::Bootstrap,
    Gate::Paused,
    Gate::Asleep,
    Gate::Hours,
    Gate::Offline,
    Gate::CaptivePortal,
    Gate::Metered,
    Gate::Battery,
    Gate::InUse,
    Gate::Disk,
    Gate::Folder,
    Gate::Quota,
];

/// Returns whether the list of kinds contains `kind` and the list of gates contains `gate`.
///
/// If a variant is missing here, this function does not compile.
fn is_listed(kind: Kind, gate: Gate) -> bool {
    match kind {
        Kind::Dns
        | Kind::NameServer
        | Kind::Connect
        | Kind::ConnectTimeout
        | Kind::Proxy
        | Kind::ProxySignIn
        | Kind::TlsHandshake
        | Kind::Certificate
        | Kind::CertificateExpired
        | Kind::CertificateUntrusted
        | Kind::CertificateName
        | Kind::Timeout
        | Kind::TotalTimeout
        | Kind::Reset
        | Kind::Truncated
        | Kind::Protocol
        | Kind::BadStatus
        | Kind::TooManyRedirects
        | Kind::RefusedRedirect
        | Kind::PrivateAddress
        | Kind::ChangedOnServer
        | Kind::WebPage
        | Kind::LinkExpired
        | Kind::WrongSize
        | Kind::UntrueLength
        | Kind::DigestMismatch
        | Kind::DiskFull
        | Kind::DiskQuota
        | Kind::FileTooLarge
        | Kind::DiskAway
        | Kind::Target
        | Kind::PartialChanged
        | Kind::Disk
        | Kind::TooManyOpen
        | Kind::DownloadTotalExceeded
        | Kind::QuotaReached
        | Kind::UploadInterrupted
        | Kind::UploadSource
        | Kind::Internal => {}
    }
    match gate {
        Gate::Bootstrap
        | Gate::Paused
        | Gate::Asleep
        | Gate::Hours
        | Gate::Offline
        | Gate::CaptivePortal
        | Gate::Metered
        | Gate::Battery
        | Gate::InUse
        | Gate::Disk
        | Gate::Folder
        | Gate::Quota => {}
    }
    KINDS.contains(&kind) && GATES.contains(&gate)
}

/// Whether the English catalogue has a sentence for `id`, which is `code` or `code.variant`.
fn has_sentence(id: &str) -> bool {
    Catalogue::new("en").has(&format!("message-{id}"))
}

/// Whether the English catalogue has the sentence of the message.
pub(crate) fn has_message(message: &UserMessage) -> bool {
    Catalogue::new("en").has(&message.id())
}

#[test]
fn failure_messages_are_in_catalogue_for_any_status() {
    for kind in KINDS.iter().copied().filter(|kind| is_listed(*kind, Gate::Paused)) {
        let statuses = [
            None,
            Some(202),
            Some(204),
            Some(207),
            Some(302),
            Some(401),
            Some(403),
            Some(404),
            Some(407),
            Some(418),
            Some(429),
            Some(451),
            Some(500),
            Some(503),
        ];
        for status in statuses {
            let trouble = messages::of_failure(&TransferFailure { status, ..TransferFailure::new(kind, "") });
            assert!(has_message(&trouble), "{}: {}", trouble.code, trouble.text);
        }
    }
    for fault in [FailureCause::NotTls, FailureCause::OldTls, FailureCause::Handshake, FailureCause::ClientCertificate] {
        let trouble =
            messages::of_failure(&TransferFailure { fault: Some(fault), ..TransferFailure::new(Kind::TlsHandshake, "") });
        assert!(has_message(&trouble), "{}", trouble.text);
    }
    assert!(has_message(&messages::of_failure(&TransferFailure {
        fault: Some(FailureCause::NotValidYet),
        ..TransferFailure::new(Kind::CertificateExpired, "")
    })));
    for fault in [
        FailureCause::NotHttp,
        FailureCause::Head,
        FailureCause::LargeHead,
        FailureCause::Chunks,
        FailureCause::Part,
        FailureCause::NeedsTls,
    ] {
        let trouble = messages::of_failure(&TransferFailure { fault: Some(fault), ..TransferFailure::new(Kind::Protocol, "") });
        assert!(has_message(&trouble), "{}", trouble.text);
    }
    assert!(has_message(&messages::aborted()));
}

#[test]
fn message_catalogue_contains_a_sentence_for_each_condition_that_blocks_downloads() {
    for gate in GATES {
        assert!(has_sentence(gate.word()), "{}", gate.word());
    }
}

/// Returns the codes under a headline of the English catalogue. The window's mock engine shows exactly these codes.
fn under(headline: &str) -> Vec<&str> {
    let part = ENGLISH.lines().skip_while(|line| *line != headline).skip(1).take_while(|line| !line.starts_with("# "));
    part.filter_map(|line| line.strip_prefix("message-")?.split_once(" = ")).map(|(code, _)| code).collect()
}

#[test]
fn catalogue_lists_transfer_failures_and_reasons_to_wait_under_separate_headlines() {
    let mut failures = under("# Transfers.");
    // These codes are outcomes of registrations, not of transfers.
    failures.retain(|code| !["aborted", "bad-manifest", "checksum-file"].contains(code));
    let mut kinds: Vec<_> = KINDS.iter().map(|kind| kind.code()).collect();
    failures.sort_unstable();
    kinds.sort_unstable();
    assert_eq!(failures, kinds);

    let mut waits = under("# Reasons to wait.");
    // A request that waits for disk space shows the sentence of a full disk, so the disk gate has no sentence of its
    // own.
    waits.push(Gate::Disk.word());
    let mut gates: Vec<_> =
        GATES.iter().map(|gate| gate.word()).chain(["host-busy", "host-failing", "host-unreachable", "moving"]).collect();
    waits.sort_unstable();
    gates.sort_unstable();
    assert_eq!(waits, gates);
}

#[test]
fn error_messages_shown_in_window_are_in_catalogue() {
    let (path, text) = (|| "/a".into(), || "b".to_owned());
    let why = || MessageArgument::from("b");
    let refusals = [
        EngineError::Empty,
        EngineError::BadUrl { url: text(), why: why() },
        EngineError::BadScheme(text()),
        EngineError::Credentials(text()),
        EngineError::BadPort { host: text(), port: 25 },
        EngineError::Target { path: path(), why: why() },
        EngineError::UploadSource { path: path(), why: why() },
        EngineError::QuotaExceeded { needed: 2, free: 1, path: path() },
        EngineError::BelowFloor { needed: 2, free: 3, floor: 2, path: path() },
        EngineError::OverQuota(message!("quota-exceeded.quota", needed = why(), whose = why(), limit = why())),
        EngineError::IdTaken(text()),
        EngineError::Withdrawn(text()),
        EngineError::TooManyRunning(20),
        EngineError::Icon { path: path(), why: why() },
        EngineError::Ignored,
        EngineError::Unknown(UniqueId(uuid::Uuid::nil())),
        EngineError::BadSpeed(RateLimit::new(1).unwrap_err()),
        EngineError::FileThere(path()),
        EngineError::NotSaved { path: path() },
        EngineError::SavedNewer { path: path(), found: 2, known: 1 },
        EngineError::SavedCut { path: path() },
        EngineError::SavedChanged { path: path() },
        EngineError::SavedLine { path: path(), line: 2, why: why() },
        EngineError::Held { path: path(), holder: text() },
        EngineError::LedgerNewer { path: path(), found: 2, known: 1 },
        EngineError::LedgerOlder { path: path(), found: 1, oldest: 2 },
        EngineError::LedgerDamaged { path: path(), why: why() },
        EngineError::LedgerLocked { path: path() },
        EngineError::Ledger(sqlx::Error::PoolClosed),
        EngineError::Closed,
    ];
    for refusal in refusals {
        assert!(has_message(&refusal.message()), "{refusal}");
    }
}

#[tokio::test]
async fn message_for_full_ledger_disk_is_in_catalogue() {
    let mut small = <sqlx::SqliteConnection as sqlx::Connection>::connect("sqlite::memory:").await.unwrap();
    let filled = sqlx::raw_sql("PRAGMA max_page_count = 1; CREATE TABLE a (b)").execute(&mut small).await;
    is_refused(&EngineError::Ledger(filled.unwrap_err()), "ledger.full");
}

/// Asserts that `error` has the message with this `id`.
fn is_refused(error: &EngineError, id: &str) {
    assert_eq!(error.message().id(), format!("message-{id}"), "{error}");
}

#[test]
fn invalid_settings_errors_are_in_catalogue() {
    let set = |key, value| EngineError::Invalid(SettingsFile::read("").unwrap().with(key, Some(&value)).unwrap_err());
    let text = |text: &str| SettingValue::Text(text.to_owned());
    let cases = [
        (Key::Parallel, text("99"), "invalid"),
        (Key::Parallel, text("2.5"), "invalid.whole"),
        (Key::StallSeconds, text("long"), "invalid.none"),
        (Key::Http2, text("maybe"), "invalid.either"),
        (Key::Metered, text("stop"), "invalid.choice"),
        (Key::Folder, text("films"), "invalid.whole-path"),
        (Key::SlowSpeed, text("fast"), "invalid.amount"),
        (Key::ForgetFinishedAfter, text("soon"), "invalid.time"),
        (Key::ForgetFinishedAfter, text("0s"), "invalid.kept"),
        (Key::QuietHours, text("00:00-24:00"), "invalid.whole-day"),
    ];
    for (key, value, id) in cases {
        is_refused(&set(key, value), id);
    }
    assert!(has_message(&set(Key::QuietHours, text("evening")).message()));

    // A hand-written file can contain values that the window does not accept.
    let written = [
        ("stall-seconds = \"long\"", "invalid.number"),
        ("http2 = \"maybe\"", "invalid.flag"),
        ("user-agent = true", "invalid.text"),
        ("theme = 1", "invalid.foreign"),
        ("paralel = 1", "invalid.unknown"),
    ];
    for (line, id) in written {
        let troubles = SettingsFile::read(line).unwrap().troubles;
        is_refused(&EngineError::Invalid(troubles[0].message.clone()), id);
    }
}

#[test]
fn invalid_request_errors_are_in_catalogue() {
    let link = || NewRequest { url: "http://a.test/".to_owned(), ..NewRequest::default() };
    let header = |name: &str, value: &str| NewRequest { headers: vec![(name.to_owned(), value.to_owned())], ..link() };
    let checksums = |all: &[&str]| NewRequest { checksums: all.iter().map(|&one| one.to_owned()).collect(), ..link() };
    let (one, other) = (format!("md5={}", "a".repeat(32)), format!("md5={}", "b".repeat(32)));
    let cases = [
        (header("a b", "c"), "invalid.header"),
        (header("A", "b\u{7}"), "invalid.header-value"),
        (header("Range", "b"), "invalid.header-own"),
        (checksums(&["crc=1"]), "invalid.checksum"),
        (checksums(&[&one, &other]), "invalid.checksums"),
    ];
    for (request, id) in cases {
        is_refused(&validate::accept_request(request).unwrap_err(), id);
    }
    let basic = |user: &str, password: &str| SignIn::Basic { user: user.to_owned(), password: password.to_owned() };
    let cases = [
        (basic("a:b", ""), "invalid.user"),
        (basic("a", "\u{7}"), "invalid.password"),
        (SignIn::Bearer { token: "Bearer x".to_owned() }, "invalid.token"),
    ];
    for (sign_in, id) in cases {
        is_refused(&link_credentials::accept(sign_in).unwrap_err(), id);
    }
    let basic = |value: &str| header("Authorization", value);
    let cases = [
        (vec![basic("Basic YTpi"), basic("Basic YTpj")], "invalid.sign-ins"),
        (vec![basic("Digest username=\"a\"")], "invalid.authorization"),
        (vec![basic("")], "invalid.authorization-value"),
        (vec![header("Cookie", "nothing")], "invalid.cookies"),
    ];
    for (mut requests, id) in cases {
        is_refused(&link_credentials::taken_out(&mut requests).unwrap_err(), id);
    }
}

#[test]
fn invalid_metalink_errors_are_in_catalogue() {
    let link = || NewRequest { url: "http://a.test/".to_owned(), ..NewRequest::default() };
    let mirrors = (0..200).map(|number| format!("http://{number}.test/")).collect();
    let pieces = |length, digests| Some(NewPieces { algorithm: "sha-1".to_owned(), length, digests });
    let cases = [
        (NewRequest { mirrors, ..link() }, "invalid.mirrors"),
        (NewRequest { pieces: pieces(0, vec![String::new()]), ..link() }, "invalid.pieces"),
    ];
    for (request, id) in cases {
        is_refused(&validate::accept_request(request).unwrap_err(), id);
    }
}
