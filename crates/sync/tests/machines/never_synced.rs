//! Tests that secrets, paths and local settings never leave their machine, not even encrypted.
//!
//! Every text that must stay on the machine contains "canary". The tests search for this word in all decrypted records
//! of the server, and in all requests of the machines.

use std::{collections::BTreeSet, fs};

use ashore_engine::{
    LimitScope, NewRegistration, NewRequest, QuotaScope, Setting, SettingKey, SettingKind, SettingValue, SignIn,
};
use ashore_sync::{cycle::COLLECTIONS, service::RemoteChange};
use ashore_testkit::{
    home::{get, upload},
    origin::{Body, Origin},
};

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine},
};

/// Canary text, which must not be on the server.
const CANARY: &str = "canary";
/// Setting for the folder of one type of file. It is shared only if the folder is a relative path.
const TYPE_FOLDER: SettingKey = SettingKey::FolderVideo;

#[tokio::test(flavor = "multi_thread")]
async fn secrets_and_paths_and_local_settings_never_leave_machine() {
    let household = Household::new().await;
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    let local = local_settings(&laptop);
    keep_sign_ins(&laptop).await;
    add_downloads(&laptop).await;
    keep_limits(&laptop).await;
    change_settings(&laptop, &local).await;

    laptop.cycle().await;
    desktop.cycle().await;
    // Requests leave a machine in two ways: a download is sent to another machine, or it is moved there.
    send_secret_download(&laptop).await;
    let secret = desktop.service.remote_downloads().await.unwrap().into_iter().find(|one| one.title == "Secret").unwrap();
    desktop.service.change_remote(&secret.id, RemoteChange::MoveHere).await.unwrap();
    laptop.cycle().await;
    let with_sends = opened(&laptop).await;
    for machine in [&desktop, &laptop, &desktop] {
        machine.cycle().await;
    }
    assert_eq!(desktop.titles().await, ["Secret", "Secret", "Sent"]);

    for records in [&with_sends, &opened(&laptop).await] {
        for (collection, text) in records {
            assert!(!text.to_lowercase().contains(CANARY), "{collection}: {text}");
        }
        let names: BTreeSet<String> = records.iter().filter_map(|(_, text)| name_of_setting(text)).collect();
        assert!(names.contains("user-agent") && names.is_disjoint(&local_names(&local)), "{names:?}");
    }
    let requests = household.relay.requests();
    assert!(!requests.iter().any(|request| contains(request, CANARY)), "a request contains it");
    search_finds_shared_texts(&with_sends, &requests, &laptop.token().await);
}

/// Proves that the search works: it finds a shared text in each collection, and the token in a request.
fn search_finds_shared_texts(records: &[(String, String)], requests: &[Vec<u8>], token: &str) {
    let shared = ["Desktop", "shared agent", "Shared", "shared.bin", "Sent"];
    for (collection, text) in COLLECTIONS.iter().zip(shared) {
        let is_there = records.iter().any(|(of, record)| of == collection && record.contains(text));
        assert!(is_there, "{text} is not in {collection}");
    }
    assert!(requests.iter().any(|request| contains(request, token)), "the token is in no request");
    let written = requests.iter().filter(|request| request.starts_with(b"POST") && contains(request, "/storage/dl-items"));
    assert_ne!(written.count(), 0, "no request writes downloads");
}

/// Returns all objects on the server as pairs of collection and text. Records are decrypted.
async fn opened(machine: &ServiceMachine) -> Vec<(String, String)> {
    let records = machine.records().await;
    let stored = machine.stored().await.into_iter();
    stored.map(|(key, object)| (key.0.clone(), records.get(&key).cloned().unwrap_or(object.payload))).collect()
}

fn contains(request: &[u8], text: &str) -> bool {
    let lower = request.to_ascii_lowercase();
    lower.windows(text.len()).any(|part| part == text.to_ascii_lowercase().as_bytes())
}

fn name_of_setting(record: &str) -> Option<String> {
    let record: serde_json::Value = serde_json::from_str(record).ok()?;
    record.get("choice")?;
    Some(record["name"].as_str()?.to_owned())
}

/// Returns the local settings: all settings that the engine does not share.
fn local_settings(machine: &ServiceMachine) -> Vec<Setting> {
    let shared: BTreeSet<String> = machine.home.synced_settings().into_iter().map(|(name, _)| name).collect();
    let all = machine.home.settings().settings;
    let local: Vec<Setting> = all.into_iter().filter(|setting| !shared.contains(&name_of(setting.key))).collect();
    assert!(local.iter().any(|setting| setting.key == SettingKey::Proxy));
    local
}

fn local_names(local: &[Setting]) -> BTreeSet<String> {
    local.iter().map(|setting| name_of(setting.key)).collect()
}

fn name_of(key: SettingKey) -> String {
    serde_json::to_value(key).unwrap().as_str().unwrap().to_owned()
}

/// Sets each local setting to a value other than its default. Texts contain the canary. Also changes shared settings.
async fn change_settings(machine: &ServiceMachine, local: &[Setting]) {
    for setting in local.iter().filter(|setting| setting.value == setting.default) {
        let value = other_value(machine, setting);
        machine.home.set(setting.key, Some(value.clone())).await.unwrap_or_else(|error| panic!("{setting:?} {value:?}: {error}"));
    }
    let folder = machine.home.downloads().join("canary-videos").to_str().unwrap().to_owned();
    for (key, text) in [(TYPE_FOLDER, folder.as_str()), (SettingKey::UserAgent, "shared agent")] {
        machine.home.set(key, Some(SettingValue::Text(text.to_owned()))).await.unwrap();
    }
    let changed = machine.home.settings().settings;
    let is_local = |setting: &&Setting| local.iter().any(|one| one.key == setting.key);
    let unchanged: Vec<_> = changed.iter().filter(is_local).filter(|setting| setting.value == setting.default).collect();
    assert!(unchanged.is_empty(), "{unchanged:?}");
}

fn other_value(machine: &ServiceMachine, setting: &Setting) -> SettingValue {
    let text = |text: &str| SettingValue::Text(text.to_owned());
    match (&setting.kind, &setting.value) {
        (SettingKind::Flag, SettingValue::Flag(is_set)) => SettingValue::Flag(!is_set),
        (SettingKind::Number { least, most, .. }, SettingValue::Number(number)) => {
            SettingValue::Number(if number == least { *most } else { *least })
        }
        (SettingKind::Text, _) if setting.key == SettingKey::NoProxy => text("canary.test"),
        (SettingKind::Text, _) if setting.key == SettingKey::Referrer => text("https://canary.test/"),
        (SettingKind::Text, _) => text("http://canary.test:1"),
        (SettingKind::File, _) if setting.key == SettingKey::CaCertificate => {
            let certificate = rcgen::generate_simple_self_signed(["canary.test".to_owned()]).unwrap().cert.pem();
            text(machine.home.source("canary.pem", certificate.as_bytes()).to_str().unwrap())
        }
        (SettingKind::File, _) => {
            let netrc = "machine canary.test login canary-user password canary-password\n";
            text(machine.home.source("canary.netrc", netrc.as_bytes()).to_str().unwrap())
        }
        (SettingKind::Folder, _) => text(machine.home.downloads().join("canary").to_str().unwrap()),
        (SettingKind::Amount { .. }, _) => text("7M"),
        (kind, value) => panic!("{kind:?} with {value:?}: give this setting another value here"),
    }
}

async fn keep_sign_ins(machine: &ServiceMachine) {
    let home = &machine.home;
    let basic = SignIn::Basic { user: "canary-user".to_owned(), password: "canary-password".to_owned() };
    home.sign_in("https://files.test/", basic, true).await.unwrap();
    home.sign_in("https://other.test/", SignIn::Bearer { token: "canary-token".to_owned() }, true).await.unwrap();
    home.give_cookies("https://files.test/", "session=canary-cookie", true).await.unwrap();
}

async fn keep_limits(machine: &ServiceMachine) {
    let home = &machine.home;
    home.limit(LimitScope::Host { host: "canary.test".to_owned() }, Some(1_000_000)).await.unwrap();
    let scope = QuotaScope { owner: Some("canary-program".to_owned()), category: None };
    home.set_quota(scope, Some(1_000_000), None).await.unwrap();
}

/// Adds four downloads: a finished one, one with every kind of secret in its request, an upload, and one that another
/// program owns.
async fn add_downloads(machine: &ServiceMachine) {
    let home = &machine.home;
    let origin = Origin::start().await;
    origin.file("/shared.bin", Body::bytes("shared"));
    let folder = home.downloads().join("canary-folder");
    fs::create_dir(&folder).unwrap();
    let new = |owner: &str, title: &str, request: NewRequest| NewRegistration {
        owner: owner.to_owned(),
        title: Some(title.to_owned()),
        folder: Some(folder.clone()),
        paused: true,
        requests: vec![request],
        ..NewRegistration::default()
    };
    let fetched = NewRegistration { paused: false, ..new("window", "Shared", get(origin.url("/shared.bin"))) };
    let fetched = home.create(fetched).await.unwrap();
    home.settled(fetched.unique_id).await;

    home.add(new("window", "Secret", secret_request())).await.unwrap();
    let body = home.source("canary-upload", b"body");
    let sent = upload("PUT", "https://files.test/canary-upload", &body);
    home.create(new("window", "canary upload", sent)).await.unwrap();
    home.create(new("canary-program", "canary download", get("https://files.test/canary.bin"))).await.unwrap();
}

/// Returns a request with a secret in every possible place.
///
/// If the value of a header may be a secret, only the name of the header is shared.
fn secret_request() -> NewRequest {
    let header = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let headers = [
        ("Authorization", "Bearer canary"),
        ("Cookie", "session=canary"),
        ("X-Secret", "canary"),
        ("X-Api-Key", "canary"),
        ("Referer", "https://canary:canary@files.test/page"),
        ("Accept-Language", "de"),
    ];
    NewRequest { headers: headers.map(header).into(), ..get("https://canary-name:canary-password@files.test/secret.pdf") }
}

/// Sends the download with every kind of secret, and a new one with the same request.
async fn send_secret_download(machine: &ServiceMachine) {
    machine.service.send(machine.key("Secret").await, "Desktop").await.unwrap();
    machine.service.send_new(Some("Sent".to_owned()), &[secret_request()], "Desktop").await.unwrap();
}
