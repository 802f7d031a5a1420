//! Tests `ashore doctor`.
//!
//! Counters that disagree with the counted rows are reported by name, and recomputed on request.

use ashore_testkit::origin::{Body, Origin};
use serde_json::Value;
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

use crate::cli::program::{Person, Ran};

/// SQL statements that damage counters. With each statement are the kinds of counters that the report must name.
const DAMAGES: &[(&str, &[&str])] = &[
    ("UPDATE registration SET expected = expected + 7, downloaded = 3", &["counters"]),
    ("UPDATE registration SET n_succeeded = n_succeeded - 1, n_failed = n_failed + 1 WHERE n_succeeded > 0", &["counters"]),
    ("UPDATE lane SET n_pending = 0", &["lanes"]),
    ("UPDATE lane SET first_idx = first_idx + 1", &["lanes"]),
    ("DELETE FROM lane", &["lanes"]),
    ("UPDATE usage SET kept = kept + 1", &["usage"]),
    ("DELETE FROM usage", &["usage"]),
    ("DELETE FROM active_name", &["name"]),
];

async fn damage(person: &Person, sql: &'static str) {
    let ledger = SqliteConnectOptions::new().filename(person.data().join("ledger.sqlite"));
    let mut ledger = ledger.connect().await.unwrap();
    let changed = sqlx::query(sql).execute(&mut ledger).await.unwrap().rows_affected();
    assert!(changed > 0, "{sql}: nothing was damaged");
    ledger.close().await.unwrap();
}

/// Creates a list with a finished download and a waiting download.
async fn person_with_downloads(origin: &Origin) -> Person {
    let person = Person::new();
    origin.file("/done", Body::bytes("done"));
    let got = person.run(["get", origin.url("/done").as_str()]).await;
    assert_eq!(got.code, Some(0), "{got:?}");
    let added = person.run(["add", origin.url("/a").as_str(), origin.url("/b").as_str()]).await;
    assert_eq!(added.code, Some(0), "{added:?}");
    person
}

fn kinds(report: &Value, field: &str) -> Vec<String> {
    let mut kinds: Vec<String> =
        report[field].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap().to_owned()).collect();
    kinds.dedup();
    kinds
}

fn assert_clean(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(kinds(&ran.objects()[0], "miscounts"), [""; 0], "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_counters_are_reported_and_repaired_by_doctor_while_engine_is_off() {
    let origin = Origin::start().await;
    let person = person_with_downloads(&origin).await;
    assert_clean(&person.run(["doctor", "--json"]).await);
    for (sql, expected) in DAMAGES {
        damage(&person, sql).await;
        let ran = person.run(["doctor", "--json"]).await;
        assert_eq!(ran.code, Some(1), "{sql}: {ran:?}");
        assert_eq!(kinds(&ran.objects()[0], "miscounts"), *expected, "{sql}");
        let ran = person.run(["doctor"]).await;
        assert!(ran.stdout.contains("counter   ") && ran.stderr.contains("ashore doctor --repair"), "{sql}: {ran:?}");

        let ran = person.run(["doctor", "--repair", "--json"]).await;
        assert_eq!(ran.code, Some(0), "{sql}: {ran:?}");
        assert_eq!(kinds(&ran.objects()[0], "repaired"), *expected, "{sql}");
        assert_clean(&person.run(["doctor", "--json"]).await);
    }
    let ran = person.run(["doctor", "--repair"]).await;
    assert!(ran.code == Some(0) && !ran.stdout.contains("repaired"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn running_engine_starts_requests_that_wrong_counters_hid_after_counters_are_repaired() {
    let origin = Origin::start().await;
    let person = Person::new();
    person.settings("parallel = 1\n");
    origin.file("/first", Body::seeded(1, 200_000)).gate_at(100_000);
    origin.file("/hidden", Body::bytes("hidden"));
    let (_serving, _) = person.serve().await;
    let first = person.run(["add", origin.url("/first").as_str()]).await.stdout.trim().to_owned();
    person.shows(&first, |shown| shown["active"] == 1).await;
    let hidden = person.run(["add", origin.url("/hidden").as_str()]).await.stdout.trim().to_owned();
    damage(&person, "UPDATE lane SET n_pending = 0 WHERE n_pending = 1").await;
    let ran = person.run(["doctor", "--json"]).await;
    assert_eq!((ran.code, kinds(&ran.objects()[0], "miscounts")), (Some(1), vec!["lanes".to_owned()]), "{ran:?}");
    person.run(["abort", &first]).await;

    let ran = person.run(["doctor", "--repair", "--json"]).await;
    assert_eq!((ran.code, kinds(&ran.objects()[0], "repaired")), (Some(0), vec!["lanes".to_owned()]), "{ran:?}");
    person.shows(&hidden, |shown| shown["result"] == "success").await;
    assert_clean(&person.run(["doctor", "--json"]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_start_recomputes_counters_that_are_too_low() {
    let origin = Origin::start().await;
    let person = Person::new();
    for path in ["/a", "/b"] {
        origin.file(path, Body::bytes("hidden"));
    }
    let added = person.run(["add", origin.url("/a").as_str(), origin.url("/b").as_str()]).await;
    let id = added.stdout.trim();
    damage(&person, "UPDATE registration SET n_failed = n_failed + n_pending, n_pending = 0").await;
    let (_serving, _) = person.serve().await;
    person.shows(id, |shown| shown["result"] == "success" && shown["succeeded"] == 2).await;
    assert_clean(&person.run(["doctor", "--json"]).await);
}
