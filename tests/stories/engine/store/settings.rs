//! Tests settings.
//!
//! A change is saved before it takes effect, and applies immediately to waiting and new transfers. Invalid lines of the
//! file are reported.

use std::{fs, path::PathBuf, time::SystemTime};

use ashore_engine::{EngineError, EngineEvent, GateCode, SettingKey, SettingValue, WeekSetting};
use ashore_testkit::{
    home::{EventListener, Home},
    origin::{Body, Origin},
};

fn text(value: &str) -> Option<SettingValue> {
    Some(SettingValue::Text(value.to_owned()))
}

fn value(home: &Home, key: SettingKey) -> SettingValue {
    home.settings().settings.into_iter().find(|setting| setting.key == key).expect("every setting is in the report").value
}

fn file(home: &Home) -> PathBuf {
    home.data().join("ashore.toml")
}

#[tokio::test]
async fn changed_setting_applies_immediately_and_survives_restart() {
    let origin = Origin::start().await;
    let mut home = Home::open_with("# mine\nparallel = 1\nparallel-per-host = 9\n").await;
    let files = ["/a", "/b", "/c"].map(|path| origin.file(path, Body::bytes(path)).gate_at(0));
    let id = home.fetch(["/a", "/b", "/c"].map(|path| origin.url(path))).await;
    files[0].held().await;
    let mut ear = EventListener::to(&home);
    home.set(SettingKey::Parallel, Some(SettingValue::Number(3.0))).await.unwrap();
    for file in &files {
        file.held().await;
        file.release();
    }
    ear.hear_until(|event| *event == EngineEvent::Settings).await;
    assert_eq!(home.settled(id).await.succeeded, 3);
    let written = fs::read_to_string(file(&home)).unwrap();
    assert!(written.contains("# mine\nparallel = 3\n") && written.contains("parallel-per-host = 9"), "{written}");

    home.close().await;
    home.reopen().await;
    assert_eq!(value(&home, SettingKey::Parallel), SettingValue::Number(3.0));
    home.set(SettingKey::ParallelPerHost, None).await.unwrap();
    assert_eq!(value(&home, SettingKey::ParallelPerHost), SettingValue::Number(2.0));
    assert!(!fs::read_to_string(file(&home)).unwrap().contains("per-host"));
}

#[tokio::test]
async fn network_settings_apply_to_new_transfers_only() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let running = origin.file("/running", Body::bytes("there")).gate_at(2);
    origin.file("/next", Body::bytes("x")).header("Set-Cookie", "taste=plain");
    let first = home.fetch([origin.url("/running")]).await;
    running.held().await;
    home.set(SettingKey::UserAgent, text("Somebody/1")).await.unwrap();
    home.set(SettingKey::Cookies, Some(SettingValue::Flag(true))).await.unwrap();
    for _ in 0..2 {
        let id = home.fetch([origin.url("/next")]).await;
        home.settled(id).await;
    }
    home.set(SettingKey::Cookies, text("false")).await.unwrap();
    let id = home.fetch([origin.url("/next")]).await;
    home.settled(id).await;
    running.release();
    assert_eq!(home.settled(first).await.succeeded, 1);
    let seen: Vec<_> = origin
        .requests()
        .into_iter()
        .map(|request| {
            (request.path.clone(), request.header("user-agent").map(str::to_owned), request.header("cookie").map(str::to_owned))
        })
        .collect();
    assert_eq!(seen.len(), 4, "the running file was not requested again");
    assert!(seen[0].1.as_deref().is_some_and(|agent| agent.starts_with("Ashore/")));
    assert!(seen[1..].iter().all(|(_, agent, _)| agent.as_deref() == Some("Somebody/1")));
    let cookies: Vec<_> = seen[1..].iter().map(|(.., cookie)| cookie.as_deref()).collect();
    assert_eq!(cookies, [None, Some("taste=plain"), None]);
}

#[tokio::test]
async fn downloads_stop_or_resume_immediately_when_week_grid_changes() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let gate = origin.file("/a", Body::bytes("there")).gate_at(2);
    let id = home.fetch([origin.url("/a")]).await;
    gate.held().await;
    // Block all hours of the week except half an hour, which is days away in every time zone. The weekday is computed
    // from 1 January 1970, which was a Thursday.
    let today = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() / 86_400 + 3;
    let mut days: [String; 7] = std::array::from_fn(|_| "o".repeat(48));
    days[usize::try_from((today + 3) % 7).unwrap()].replace_range(0..1, "f");
    home.set(SettingKey::Hours, Some(SettingValue::Week(WeekSetting { days: days.clone(), is_exact: true }))).await.unwrap();
    home.until_seen("it waits for its hours", async |home| {
        let gate = home.totals().await.unwrap().gate?;
        (gate.code == GateCode::Hours).then_some(())
    })
    .await;
    gate.left().await;
    let week = home.settings().settings.into_iter().find_map(|setting| setting.week).unwrap();
    assert_eq!(week.days, days);
    gate.release();
    home.set(SettingKey::Hours, None).await.unwrap();
    assert_eq!(home.settled(id).await.succeeded, 1);
    assert_eq!(home.bytes("a"), b"there");
}

#[tokio::test]
async fn invalid_setting_is_refused_and_changes_nothing() {
    let home = Home::open().await;
    let before = (fs::read(file(&home)).unwrap(), home.settings());
    let nowhere = home.data().join("nowhere").to_string_lossy().into_owned();
    for (key, value, said) in [
        (SettingKey::Parallel, "65", "parallel is 65, and must be from 1 to 64."),
        (SettingKey::Parallel, "many", "parallel must be a number, and \"many\" is not a number."),
        (SettingKey::Proxy, "ftp://a.example", "proxy is not"),
        (SettingKey::SlowSpeed, "fast", "is not a number of bytes"),
        (SettingKey::Hours, "daily 00:00-24:00 off", "is \"off\" at all times"),
        (SettingKey::Netrc, nowhere.as_str(), "could not be read"),
        (SettingKey::CaCertificate, nowhere.as_str(), "could not be prepared"),
    ] {
        let error = home.set(key, text(value)).await.unwrap_err();
        assert!(error.to_string().contains(said), "{key:?}: {error}");
    }
    assert_eq!((fs::read(file(&home)).unwrap(), home.settings()), before);
}

#[tokio::test]
async fn mistake_in_settings_file_is_reported_and_other_lines_apply() {
    let home = Home::open_with("paralel = 9\nattempts = 3\norder = \"random\"\n").await;
    assert_eq!(value(&home, SettingKey::Attempts), SettingValue::Number(3.0));
    assert_eq!(value(&home, SettingKey::Parallel), SettingValue::Number(4.0));
    let said: Vec<_> = home.settings().troubles.into_iter().map(|trouble| trouble.message.text).collect();
    assert_eq!(
        said,
        ["paralel is not a setting. Did you mean parallel?", "order is \"random\", and must be one of first-come, newest-first."]
    );
    assert_eq!(home.doctor().await.unwrap().settings, home.settings().troubles);
    // When Ashore changes the file, the user's other lines stay. A corrected line is no longer reported.
    home.set(SettingKey::Order, text("newest-first")).await.unwrap();
    assert_eq!(home.settings().troubles.len(), 1);
    assert!(fs::read_to_string(file(&home)).unwrap().contains("paralel = 9"));
}

#[tokio::test]
async fn start_is_refused_if_mistake_in_settings_could_expose_traffic() {
    for line in ["proxi = \"socks5h://127.0.0.1:1\"", "hours = [\"mon 8-18 off\"]", "parallel = "] {
        let mut home = Home::closed(line);
        let error = home.try_open().await.unwrap_err();
        assert!(
            matches!(&error, EngineError::Invalid(message) if message.text.contains(file(&home).to_str().unwrap())),
            "{error}"
        );
        assert!(!home.data().join("ledger.sqlite").exists());
    }
}
