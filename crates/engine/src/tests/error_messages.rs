//! Checks that every message for users has a translation in the catalogues of the window. Tests only: the engine itself
//! uses English.

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

/// Fails to compile where a variant is missing; returns whether the lists above contain both.
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

/// English sentences of the catalogue for a code.
fn sentences(code: &str) -> Vec<String> {
    let begins = format!("trouble-{code} = ");
    let mut lines = ENGLISH.lines().skip_while(|line| !line.starts_with(&begins));
    let value = lines.next().into_iter();
    let attributes = lines.take_while(|line| line.starts_with("    ."));
    let texts = value.chain(attributes).filter_map(|line| line.split_once(" = "));
    texts.map(|(_, text)| text.replace("{ -ashore }", "Ashore")).collect()
}

/// Whether the trouble matches a sentence of the catalogue, with any values in its gaps.
pub(crate) fn is_said(trouble: &UserMessage) -> bool {
    sentences(&trouble.code).iter().any(|sentence| {
        let pieces = sentence.split("{ $").enumerate();
        let mut pieces =
            pieces.map(|(place, piece)| if place == 0 { piece } else { piece.split_once(" }").unwrap_or(("", piece)).1 });
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
            let trouble = messages::trouble(&TransferFailure { status, ..TransferFailure::new(kind, "") });
            assert!(is_said(&trouble), "{}: {}", trouble.code, trouble.text);
        }
    }
    for fault in [FailureCause::NotTls, FailureCause::OldTls, FailureCause::Handshake, FailureCause::ClientCertificate] {
        let trouble = messages::trouble(&TransferFailure { fault: Some(fault), ..TransferFailure::new(Kind::TlsHandshake, "") });
        assert!(is_said(&trouble), "{}", trouble.text);
    }
    assert!(is_said(&messages::trouble(&TransferFailure {
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
        let trouble = messages::trouble(&TransferFailure { fault: Some(fault), ..TransferFailure::new(Kind::Protocol, "") });
        assert!(is_said(&trouble), "{}", trouble.text);
    }
    assert!(is_said(&messages::aborted()));
    assert!(!is_said(&messages::named("aborted", "It was cancelled. Or was it?")));
}

#[test]
fn gates_are_in_catalogue() {
    for gate in GATES {
        assert!(!sentences(gate.word()).is_empty(), "{}", gate.word());
    }
}

/// Codes below a headline. The window's mock engine shows exactly these.
fn under(headline: &str) -> Vec<&str> {
    let part = ENGLISH.lines().skip_while(|line| *line != headline).skip(1).take_while(|line| !line.starts_with("# "));
    part.filter_map(|line| line.strip_prefix("trouble-")?.split_once(" = ")).map(|(code, _)| code).collect()
}

#[test]
fn failures_and_gates_are_listed_under_their_headlines() {
    let mut failures = under("# Transfers.");
    // Outcomes of registrations, not of transfers.
    failures.retain(|code| !["aborted", "bad-manifest", "checksum-file"].contains(code));
    let mut kinds: Vec<_> = KINDS.iter().map(|kind| kind.code()).collect();
    failures.sort_unstable();
    kinds.sort_unstable();
    assert_eq!(failures, kinds);

    let mut waits = under("# What is waited for.");
    // Waiting for disk space uses the sentence of a full disk.
    waits.push(Gate::Disk.word());
    let mut gates: Vec<_> =
        GATES.iter().map(|gate| gate.word()).chain(["host-busy", "host-failing", "host-unreachable"]).collect();
    waits.sort_unstable();
    gates.sort_unstable();
    assert_eq!(waits, gates);
}

#[test]
fn errors_in_window_are_in_catalogue() {
    let (path, text) = (|| "/a".into(), || "b".to_owned());
    let refusals = [
        EngineError::Empty,
        EngineError::BadUrl { url: text(), why: text() },
        EngineError::BadScheme(text()),
        EngineError::Credentials(text()),
        EngineError::BadPort { host: text(), port: 25 },
        EngineError::Target { path: path(), why: text() },
        EngineError::UploadSource { path: path(), why: text() },
        EngineError::QuotaExceeded { needed: 2, free: 1, path: path() },
        EngineError::OverQuota { needed: text(), whose: text(), limit: text() },
        EngineError::IdTaken(text()),
        EngineError::Icon { path: path(), why: text() },
        EngineError::Ignored,
        EngineError::Unknown(UniqueId(uuid::Uuid::nil())),
        EngineError::BadSpeed(RateLimit::new(1).unwrap_err()),
        EngineError::FileThere(path()),
        EngineError::NotSaved { path: path() },
        EngineError::SavedNewer { path: path(), found: 2, known: 1 },
        EngineError::SavedCut { path: path() },
        EngineError::SavedChanged { path: path() },
        EngineError::SavedLine { path: path(), line: 2, why: text() },
        EngineError::Held { path: path(), holder: text() },
        EngineError::LedgerNewer { path: path(), found: 2, known: 1 },
        EngineError::LedgerDamaged { path: path(), why: text() },
        EngineError::LedgerLocked { path: path() },
        EngineError::Ledger(sqlx::Error::PoolClosed),
        EngineError::Closed,
    ];
    for refusal in refusals {
        assert!(is_said(&refusal.trouble()), "{refusal}");
    }
}

#[tokio::test]
async fn full_disk_of_ledger_is_in_catalogue() {
    let mut small = <sqlx::SqliteConnection as sqlx::Connection>::connect("sqlite::memory:").await.unwrap();
    let filled = sqlx::raw_sql("PRAGMA max_page_count = 1; CREATE TABLE a (b)").execute(&mut small).await;
    is_refused(
        &EngineError::Ledger(filled.unwrap_err()),
        "ledger",
        "The list could not be written: its disk is full. Free some space and try again.",
    );
}

/// Asserts that `error` has this code and sentence, and that the catalogue has it.
fn is_refused(error: &EngineError, code: &str, sentence: &str) {
    assert_eq!(error.trouble(), UserMessage { code: code.to_owned(), text: sentence.to_owned() });
    assert!(is_said(&error.trouble()), "{sentence}");
}

#[test]
fn invalid_settings_errors_are_in_catalogue() {
    let set = |key, value| EngineError::Invalid(SettingsFile::read("").unwrap().with(key, Some(&value)).unwrap_err());
    let text = |text: &str| SettingValue::Text(text.to_owned());
    let cases = [
        (Key::Parallel, text("99"), "parallel is 99, and must be from 1 to 64."),
        (Key::Parallel, text("2.5"), "parallel is 2.5, and must be a whole number from 1 to 64."),
        (Key::StallSeconds, text("long"), "stall-seconds is a number, and \"long\" is none."),
        (Key::Http2, text("maybe"), "http2 is either true or false."),
        (Key::Metered, text("stop"), "metered is \"stop\", and must be one of wait, go."),
        (Key::Folder, text("films"), "folder is \"films\", and must be a whole path, such as /home/me/Downloads."),
        (Key::SlowSpeed, text("fast"), "\"fast\" is not an amount of bytes. Write it as \"512K\", \"20M\" or \"1.5G\"."),
        (Key::ForgetFinishedAfter, text("soon"), "\"soon\" is no time. Write it as \"90s\", \"30m\", \"12h\", \"7d\" or \"4w\"."),
        (
            Key::ForgetFinishedAfter,
            text("0s"),
            "A download is kept for at least a second and at most a hundred years. To keep it for good, say nothing.",
        ),
        (
            Key::QuietHours,
            text("00:00-24:00"),
            "quiet-hours is the whole day, so nobody would ever be told anything. For that, choose \"none\" in notifications.",
        ),
    ];
    for (key, value, sentence) in cases {
        is_refused(&set(key, value), "invalid", sentence);
    }
    assert!(is_said(&set(Key::QuietHours, text("evening")).trouble()));

    // A hand-written file can contain values that the window does not accept.
    let written = [
        ("stall-seconds = \"long\"", "stall-seconds is \"long\", and must be a number from 1 to 3600."),
        ("http2 = \"maybe\"", "http2 is \"maybe\", and must be true or false."),
        ("user-agent = true", "user-agent is true, and must be text in quotes."),
        ("theme = 1", "theme is no setting. Remove the line, or look for its name with `ashore settings`."),
        ("paralel = 1", "paralel is no setting. Did you mean parallel?"),
    ];
    for (line, sentence) in written {
        let troubles = SettingsFile::read(line).unwrap().troubles;
        is_refused(&EngineError::Invalid(troubles[0].text.clone()), "invalid", sentence);
    }
}

#[test]
fn invalid_request_errors_are_in_catalogue() {
    let link = || NewRequest { url: "http://a.test/".to_owned(), ..NewRequest::default() };
    let header = |name: &str, value: &str| NewRequest { headers: vec![(name.to_owned(), value.to_owned())], ..link() };
    let checksums = |all: &[&str]| NewRequest { checksums: all.iter().map(|&one| one.to_owned()).collect(), ..link() };
    let (one, other) = (format!("md5={}", "a".repeat(32)), format!("md5={}", "b".repeat(32)));
    let cases = [
        (header("a b", "c"), "\"a b\" is not the name of a header. Write it as Name: value."),
        (header("A", "b\u{7}"), "The value of the header A contains a control character. Remove it."),
        (header("Range", "b"), "The header Range is set by Ashore itself. Leave it out."),
        (checksums(&["crc=1"]), "\"crc=1\" is not a checksum. Write it as sha-256=HEX (or sha-512, sha-1, md5)."),
        (checksums(&[&one, &other]), "There are two different md5 checksums for one file. Leave out the wrong one."),
    ];
    for (request, sentence) in cases {
        is_refused(&validate::accept_request(request).unwrap_err(), "invalid", sentence);
    }
    let basic = |user: &str, password: &str| SignIn::Basic { user: user.to_owned(), password: password.to_owned() };
    let cases = [
        (basic("a:b", ""), "A user's name is not empty and has no colon in it."),
        (basic("a", "\u{7}"), "A password has no control characters in it."),
        (
            SignIn::Bearer { token: "Bearer x".to_owned() },
            "A token consists of letters, digits and -._~+/= alone. Leave out the word before it.",
        ),
    ];
    for (sign_in, sentence) in cases {
        is_refused(&link_credentials::accept(sign_in).unwrap_err(), "invalid", sentence);
    }
    let basic = |value: &str| header("Authorization", value);
    let cases = [
        (
            vec![basic("Basic YTpi"), basic("Basic YTpj")],
            "Two of these requests sign in to the same server in different ways. Leave one of them out.",
        ),
        (
            vec![basic("Digest username=\"a\"")],
            "This Authorization answers one question of its server and helps with no other. Use `ashore sign-in` for it.",
        ),
        (vec![basic("")], "An Authorization is not empty and has no control characters in it."),
        (
            vec![header("Cookie", "nothing")],
            "There are no cookies for a.test in this. Write them as name=value; other=value, or paste the lines of a cookies.txt.",
        ),
    ];
    for (mut requests, sentence) in cases {
        is_refused(&link_credentials::taken_out(&mut requests).unwrap_err(), "invalid", sentence);
    }
}

#[test]
fn invalid_metalink_errors_are_in_catalogue() {
    let link = || NewRequest { url: "http://a.test/".to_owned(), ..NewRequest::default() };
    let mirrors = (0..200).map(|number| format!("http://{number}.test/")).collect();
    let pieces = |length, digests| Some(NewPieces { algorithm: "sha-1".to_owned(), length, digests });
    let cases = [
        (NewRequest { mirrors, ..link() }, "A file has at most 64 mirrors. Leave some out."),
        (
            NewRequest { pieces: pieces(0, vec![String::new()]), ..link() },
            "The checksums of the file's pieces make no sense: a piece has no length.",
        ),
    ];
    for (request, sentence) in cases {
        is_refused(&validate::accept_request(request).unwrap_err(), "invalid", sentence);
    }
}
