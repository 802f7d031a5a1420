//! Tests bad input: each error has a code and a sentence, and nothing is written.

use std::{os::unix::fs::PermissionsExt, path::Path};

use ashore_engine::{NewRegistration, NewRequest, NotificationIcon, QueuePlace, RecordOutcome, RegistrationResult};
use ashore_testkit::{
    apart::Apart,
    home::{Home, get, upload},
    origin::{Body, Origin},
    tools::run,
};

use crate::conformance::assert_refused;

const GOOD: &str = "http://127.0.0.1:8080/a";

#[tokio::test]
async fn invalid_address_is_refused_with_matching_error_code() {
    let home = Home::open().await;
    let long = format!("http://[{}", "x".repeat(10_000));
    for (address, code) in [
        ("", "bad-url"),
        ("not a link", "bad-url"),
        ("http://", "bad-url"),
        ("http://[::1/a", "bad-url"),
        ("http://a:99999/", "bad-url"),
        ("//127.0.0.1/a", "bad-url"),
        (&long, "bad-url"),
        ("ftp://127.0.0.1/a", "bad-scheme"),
        ("javascript:alert(1)", "bad-scheme"),
        ("http://me:secret@127.0.0.1/a", "credentials"),
        ("http://127.0.0.1:6667/a", "bad-port"),
    ] {
        let error = assert_refused(&home, home.create(Home::ask([GOOD, address])).await, code).await;
        assert!(error.to_string().len() < 400, "a sentence, not the whole of the input");
        assert_eq!(error.message().code, code);
        assert_eq!(error.message().text, error.to_string());
    }
    assert_refused(&home, home.create(Home::ask_for([])).await, "empty").await;
}

#[tokio::test]
async fn unusable_folder_is_refused() {
    let home = Home::open().await;
    let file = home.source("a file", b"");
    let locked = home.data().with_file_name("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o500)).unwrap();
    let mut folders = vec![home.data().join("not there"), file.clone(), file.join("below a file"), "relative".into()];
    // Skip this folder for users who may write to every folder, such as root.
    if std::fs::write(locked.join("probe"), "").is_err() {
        folders.push(locked);
    }
    for folder in folders {
        let ask = NewRegistration { folder: Some(folder.clone()), ..Home::ask([GOOD]) };
        let error = assert_refused(&home, home.create(ask).await, "target").await;
        assert!(error.to_string().contains(folder.to_str().unwrap()), "{error}");
        assert!(error.to_string().contains("Choose another folder"), "{error}");
    }
}

#[tokio::test]
async fn folder_on_read_only_disk_is_refused() {
    let Some(apart) = Apart::for_a_story() else { return };
    let home = Home::open().await;
    let locked = home.data().with_file_name("locked");
    std::fs::create_dir(&locked).unwrap();
    run(apart.command("mount").args(["-t", "tmpfs", "-o", "ro", "tmpfs"]).arg(&locked)).unwrap();
    let ask = NewRegistration { folder: Some(apart.seen(&locked)), ..Home::ask([GOOD]) };
    let error = assert_refused(&home, home.create(ask).await, "target").await;
    assert!(error.to_string().contains("the disk is read-only. Choose another folder"), "{error}");
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let home = Home::open().await;
    let source = home.source("body", b"body");
    let invalid = [
        NewRequest { method: Some("TRACE".to_owned()), ..get(GOOD) },
        NewRequest { method: Some("CONNECT".to_owned()), ..get(GOOD) },
        upload("GET", GOOD, &source),
        NewRequest { headers: vec![("X-Good".to_owned(), "a\r\nX-Evil: b".to_owned())], ..get(GOOD) },
        NewRequest { headers: vec![("Range".to_owned(), "bytes=5-".to_owned())], ..get(GOOD) },
        NewRequest { checksum: Some("sha-256=abc".to_owned()), ..get(GOOD) },
        NewRequest { checksum: Some("crc32=00000000".to_owned()), ..get(GOOD) },
    ];
    for request in invalid {
        assert_refused(&home, home.create(Home::ask_for([get(GOOD), request])).await, "invalid").await;
    }
    let unnamed = NewRegistration { developer_id: Some(String::new()), ..Home::ask([GOOD]) };
    assert_refused(&home, home.create(unnamed).await, "invalid").await;
    let much = NewRegistration { developer_id: Some("x".repeat((1 << 20) + 1)), ..Home::ask([GOOD]) };
    assert_refused(&home, home.create(much).await, "invalid").await;
    let nobody = NewRegistration { owner: String::new(), ..Home::ask([GOOD]) };
    assert_refused(&home, home.create(nobody).await, "invalid").await;
    // This developer id has the maximum valid length.
    let ask = NewRegistration { developer_id: Some("x".repeat(1 << 20)), paused: true, ..Home::ask([GOOD]) };
    assert_eq!(home.create(ask).await.unwrap().developer_id.len(), 1 << 20);
}

#[tokio::test]
async fn unreadable_upload_file_is_refused_and_leaves_no_copy() {
    let home = Home::open().await;
    let good = home.source("good", b"good");
    for bad in [home.data().join("not there"), home.downloads()] {
        let ask = Home::ask_for([upload("PUT", GOOD, &good), upload("PUT", GOOD, &bad)]);
        assert_refused(&home, home.create(ask).await, "upload-source").await;
    }
    // If a registration is refused because its developer id is already in use, the copy of its upload is removed.
    let named = |requests: Vec<NewRequest>| NewRegistration {
        developer_id: Some("mine".to_owned()),
        paused: true,
        ..Home::ask_for(requests)
    };
    home.create(named(vec![get(GOOD)])).await.unwrap();
    let taken = home.create(named(vec![upload("PUT", GOOD, &good)])).await.unwrap_err();
    assert_eq!(taken.code(), "id-taken");
    assert!(taken.to_string().contains("mine"));
    assert_eq!(std::fs::read_dir(home.data().join("bodies")).unwrap().count(), 0);
}

#[tokio::test]
async fn declared_total_larger_than_disk_is_refused() {
    let home = Home::open().await;
    for total in [u64::MAX, 1 << 60] {
        let ask = NewRegistration { download_total: total, ..Home::ask([GOOD]) };
        assert_refused(&home, home.create(ask).await, "quota-exceeded").await;
    }
    let ask = NewRegistration { download_total: 1, paused: true, ..Home::ask([GOOD]) };
    assert_eq!(home.create(ask).await.unwrap().download_total, 1);
}

#[tokio::test]
async fn file_with_false_length_fails_without_reserving_space_or_affecting_other_files() {
    let (origin, home) = (Origin::start().await, Home::open_with("attempts = 1\n").await);
    origin.file("/huge", Body::seeded(1, 1000)).claim_length(1 << 60);
    origin.file("/good", Body::bytes("good"));
    let id = home.fetch([origin.url("/huge"), origin.url("/good")]).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Failure, 1, 1));
    assert_eq!(home.bytes("good"), b"good");
    let record = &home.records(id, 0, 1).await.unwrap()[0];
    assert_eq!(record.outcome, Some(RecordOutcome::Failure));
    let held: u64 = home.names().iter().map(|name| size_on_disk(&home.downloads().join(name))).sum();
    assert!(held < 1 << 20, "{held} bytes are held");
}

fn size_on_disk(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(&std::fs::metadata(path).unwrap()) * 512
}

#[tokio::test]
async fn refusals_by_server_are_recorded_and_other_requests_continue() {
    let (origin, home) = (Origin::start().await, Home::open_with("attempts = 1\n").await);
    let statuses = [400, 401, 403, 404, 410, 429, 451, 500, 503];
    let mut addresses = Vec::new();
    for status in statuses {
        origin.refuses(&format!("/{status}"), status);
        addresses.push(origin.url(&format!("/{status}")));
    }
    origin.file("/good", Body::bytes("good"));
    addresses.push(origin.url("/good"));
    let id = home.fetch(addresses).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.succeeded, settled.failed), (1, 9));
    for (record, status) in home.records(id, 0, 0).await.unwrap().iter().zip(statuses) {
        assert_eq!((record.status, record.outcome), (Some(status), Some(RecordOutcome::Failure)));
        assert_eq!(record.code.as_deref(), Some("bad-status"));
        let text = record.text.as_ref().unwrap();
        assert!(text.ends_with('.') && text.contains(". "), "the message has a cause and a cure: {text}");
    }
    home.until_names(&["good"]).await;
}

#[tokio::test]
async fn calls_with_unknown_ids_fail_with_code_unknown() {
    let home = Home::open().await;
    let id = "00000000-0000-4000-8000-000000000000".parse().unwrap();
    let codes = [
        home.show(id).await.map(drop),
        home.pause(Some(id)).await,
        home.resume(Some(id)).await,
        home.update_ui(id, NotificationIcon { title: Some("x".to_owned()), ..NotificationIcon::default() }).await,
        home.move_to(id, QueuePlace::Top).await,
        home.retry(id).await.map(drop),
        home.remove(id, true).await,
        home.records(id, 0, 0).await.map(drop),
        home.details(id, 0).await.map(drop),
    ];
    for answer in codes {
        let error = answer.unwrap_err();
        assert_eq!(error.code(), "unknown");
        assert!(error.to_string().contains("00000000-0000-4000-8000-000000000000"));
    }
    assert!(!home.abort(id).await.unwrap(), "as with an old handle");
    assert!(!home.claim(id).await.unwrap());
    home.remove_owner("nobody").await.unwrap();
}
