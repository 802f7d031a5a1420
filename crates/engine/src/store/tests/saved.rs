//! Tests that a saved list is the same after an import into another ledger, and that a second import changes nothing.

use std::{collections::HashMap, path::Path};

use futures_util::TryStreamExt as _;
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    Engine, EngineEnv, EngineOptions, SettingOverrides,
    model::{
        BROWSER, FailureReason, FollowUpRule, FollowUpSeries, LimitScope, NewRegistration, NewRequest, QueuePlace, QuotaScope,
        RequestSource, UniqueId,
    },
    store::{
        CompletedResponse, ReleaseOutcome, StartableRequest,
        list_file::export::asked_of,
        tests::{FailedResponse, RecordedVerification, ResponseHeadRow, RunRow, audit, failed, fresh, head, trouble},
    },
};

/// Outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SavedOutcome {
    Runs,
    Comes,
    Fails,
    Waits,
}

#[derive(Clone, Debug)]
struct SavedRequest {
    new: NewRegistration,
    fates: Vec<SavedOutcome>,
    is_limited: bool,
    is_first: bool,
    is_aborted: bool,
}

fn request() -> impl Strategy<Value = NewRequest> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (0..6_u8, flags, proptest::option::of("[a-z\u{e4}\u{202e}]{1,8}\\.(mkv|pdf|iso)"), 0..3_u8).prop_map(
        |(number, (is_secret, is_known, is_optional, has_mirror, has_next), name, page)| {
            let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let mut headers = vec![header("Accept", "text/*"), header("Referer", "https://a.test/page")];
            if is_secret {
                headers.extend([header("Cookie", "canary=1"), header("X-Key", "canary"), header("Authorization", "canary")]);
            }
            let series = FollowUpSeries {
                url: "https://c.test/{}.jpg".to_owned(),
                number: 2,
                until: 3,
                width: 1,
                ..FollowUpSeries::default()
            };
            let list = NewRequest { url: "https://c.test/x".to_owned(), headers: headers.clone(), ..NewRequest::default() };
            let next = if page == 0 { FollowUpRule::Series(series) } else { FollowUpRule::List(vec![list]) };
            NewRequest {
                url: format!("https://host{}.test/{number}.zip?token={number}", number % 3),
                headers,
                name,
                checksum: is_known.then(|| format!("sha-256={}", "ab".repeat(32))),
                checksums: if is_known { vec![format!("md5={}", "cd".repeat(16))] } else { Vec::new() },
                size: is_known.then_some(77),
                mirrors: if has_mirror { vec!["https://mirror.test/a".to_owned()] } else { Vec::new() },
                optional: is_optional,
                next: has_next.then_some(next),
                ..NewRequest::default()
            }
        },
    )
}

fn wanted() -> impl Strategy<Value = SavedRequest> {
    let fate =
        prop_oneof![Just(SavedOutcome::Runs), Just(SavedOutcome::Comes), Just(SavedOutcome::Fails), Just(SavedOutcome::Waits)];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (vec((request(), fate), 1..5), 0..3_usize, flags, proptest::option::of(1..9_u32)).prop_map(
        |(requests, owner, (is_named, is_limited, is_first, is_aborted), parallel)| {
            let (requests, fates) = requests.into_iter().unzip();
            let new = NewRegistration {
                owner: ["window", "command-line", "robot"][owner].to_owned(),
                source: [RequestSource::Window, RequestSource::CommandLine, RequestSource::Program][owner],
                title: is_named.then(|| "A \"title\"\nof two lines".to_owned()),
                keep_for_seconds: is_limited.then_some(86_400),
                takes_files: is_named,
                download_total: u64::from(is_limited) * 500,
                parallel,
                requests,
                ..NewRegistration::default()
            };
            SavedRequest { new, fates, is_limited, is_first, is_aborted }
        },
    )
}

async fn open(folder: &Path) -> Engine {
    let options = EngineOptions {
        data_dir: folder.join("data"),
        holder: "a test".to_owned(),
        fetch: false,
        overrides: SettingOverrides::default(),
        env: EngineEnv::default(),
    };
    Engine::open(options).await.unwrap()
}

async fn make(engine: &Engine, folder: &Path, all: Vec<SavedRequest>) {
    let mut fates: HashMap<(UniqueId, u32), SavedOutcome> = HashMap::new();
    let mut aborted = Vec::new();
    for (number, wanted) in all.into_iter().enumerate() {
        let developer_id = wanted.new.title.is_some().then(|| format!("own {number}"));
        let new = NewRegistration { folder: Some(folder.to_owned()), developer_id, ..wanted.new };
        let id = engine.create(new).await.unwrap().unique_id;
        fates.extend((0..).zip(wanted.fates).map(|(index, fate)| ((id, index), fate)));
        if wanted.is_limited {
            engine.limit(LimitScope::Registration { unique_id: id }, Some(4096)).await.unwrap();
        }
        if wanted.is_first {
            engine.move_to(id, QueuePlace::Top).await.unwrap();
        }
        aborted.extend(wanted.is_aborted.then_some(id));
    }
    let store = &engine.shared.store;
    loop {
        let mut writing = store.begin().await.unwrap();
        let taken = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap();
        writing.commit().await.unwrap();
        let Some(taken) = taken else { break };
        let fate = fates.get(&(taken.unique_id, taken.index)).copied().unwrap_or(SavedOutcome::Comes);
        end(engine, folder, &taken, fate).await;
    }
    for id in aborted {
        engine.abort(id).await.unwrap();
    }
}

async fn end(engine: &Engine, folder: &Path, taken: &StartableRequest, fate: SavedOutcome) {
    let mut writing = engine.shared.store.begin().await.unwrap();
    let mut told = head(200, Some(10));
    told.headers.push(("set-cookie".to_owned(), "canary".to_owned()));
    told.url_chain = vec!["https://me:canary@a.test/x".to_owned()];
    match fate {
        SavedOutcome::Runs => drop(writing.write_active_download_metadata(taken.guid, &told).await.unwrap()),
        SavedOutcome::Comes => {
            writing.write_active_download_metadata(taken.guid, &told).await.unwrap();
            let path = Some(folder.join(format!("file {}", taken.index)));
            let verified = if taken.digest.is_some() { RecordedVerification::ByDigest } else { RecordedVerification::No };
            let run = RunRow { started_us: Some(3_000_000), brought: Some(10), url_chain: Vec::new() };
            let digest = taken.digest.as_ref().map(|text| text.parse().unwrap());
            let done =
                CompletedResponse { path, size: 10, digest, verified, missing: Vec::new(), is_upload: false, uploaded: 0, run };
            writing.write_answers(&[ResponseHeadRow::Completed(taken.guid, &done, None, None)], 9_000_000).await.unwrap();
        }
        SavedOutcome::Fails => {
            let url_chain = vec!["https://me:canary@b.test/".to_owned()];
            let response = FailedResponse {
                status: Some(404),
                run: RunRow { url_chain, ..RunRow::default() },
                ..failed(FailureReason::BadStatus, "bad-status")
            };
            writing.write_failed_download_response(taken.guid, &response, None, 8_000_000).await.unwrap();
        }
        SavedOutcome::Waits => {
            let back = ReleaseOutcome::Waiting {
                not_before_us: i64::MAX,
                trouble: trouble("dns"),
                status: None,
                progressed: false,
                run: RunRow::default(),
            };
            writing.put_back(taken.guid, 3, &back, 7_000_000).await.unwrap();
        }
    }
    writing.commit().await.unwrap();
}

/// Returns every line except the first and the last.
async fn saved(engine: &Engine, folder: &Path) -> Vec<Value> {
    let file = folder.join("saved.ndjson");
    engine.export(file.clone(), true).await.unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!text.contains("canary"), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[1..lines.len() - 1].to_vec()
}

/// Removes expected differences: the import pauses registrations, and changes ranks but not their order.
fn comparable(mut lines: Vec<Value>) -> Vec<Value> {
    let mut ranks: Vec<(i64, usize)> =
        (0..).zip(&lines).filter_map(|(place, line)| Some((line["registration"]["rank"].as_i64()?, place))).collect();
    let active = |line: &Value| line["registration"]["result"] == "";
    ranks.retain(|(_, place)| active(&lines[*place]));
    ranks.sort_unstable();
    for (order, (_, place)) in ranks.into_iter().enumerate() {
        lines[place]["registration"]["rank"] = json!(order);
        lines[place]["registration"]["paused"] = json!(true);
    }
    for line in &mut lines {
        forget_left_out(line);
    }
    lines
}

fn forget_left_out(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("headers_left_out");
            fields.values_mut().for_each(forget_left_out);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_left_out),
        _ => {}
    }
}

async fn round_trip(all: Vec<SavedRequest>) {
    let count = all.len() as u64;
    let (here, there) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (one, other) = (open(here.path()).await, open(there.path()).await);
    make(&one, here.path(), all).await;
    one.limit(LimitScope::All, Some(8192)).await.unwrap();
    one.limit(LimitScope::Host { host: "a.test".to_owned() }, Some(4096)).await.unwrap();
    one.set_quota(QuotaScope { owner: Some("window".to_owned()), category: None }, Some(1 << 30), None).await.unwrap();
    assert_eq!(audit(&one.shared.store).await, Vec::<String>::new());

    let before = saved(&one, here.path()).await;
    let file = here.path().join("saved.ndjson");
    let imported = other.import(file.clone(), false, RequestSource::Window).await.unwrap();
    assert_eq!((imported.registrations, imported.known, imported.elsewhere), (count, 0, 0));
    assert_eq!(audit(&other.shared.store).await, Vec::<String>::new());
    let after = saved(&other, there.path()).await;
    assert_eq!(comparable(after.clone()), comparable(before.clone()));
    let (statistics, others) = (one.statistics(1).await.unwrap(), other.statistics(1).await.unwrap());
    assert_eq!(statistics.total, others.total);

    for (engine, folder, lines) in [(&one, &here, before), (&other, &there, after)] {
        let again = engine.import(file.clone(), false, RequestSource::Window).await.unwrap();
        assert_eq!((again.registrations, again.requests, again.known), (0, 0, count));
        let lines_now = saved(engine, folder.path()).await;
        assert_eq!(comparable(lines_now), comparable(lines));
    }
    one.close().await;
    other.close().await;
}

#[tokio::test]
async fn export_and_sync_reduce_referrer_of_browser_download_to_its_origin() {
    let folder = TempDir::new().unwrap();
    let engine = open(folder.path()).await;
    let page = "https://page.test/list?of=7";
    let headers = vec![("Referer".to_owned(), page.to_owned())];
    let mut ids = Vec::new();
    for owner in [BROWSER, "window"] {
        let source = RequestSource::of_caller(Some(owner));
        let request = NewRequest { url: "https://a.test/a.iso".to_owned(), headers: headers.clone(), ..NewRequest::default() };
        let new = NewRegistration { owner: owner.to_owned(), source, requests: vec![request], ..NewRegistration::default() };
        let new = NewRegistration { folder: Some(folder.path().to_owned()), ..new };
        ids.push(engine.create(new).await.unwrap().unique_id);
    }
    let exported: Vec<_> = engine.shared.store.saved().map_ok(|(_, request)| request.asked).try_collect().await.unwrap();
    let synced = asked_of(engine.shared.store.readers(), &ids).unwrap();
    let mut synced: Vec<_> = synced.try_collect().await.unwrap();
    synced.sort_by_key(|(id, _, _)| ids.iter().position(|known| known == id));
    for asked in [exported, synced.into_iter().map(|(_, _, asked)| asked).collect()] {
        let sent: Vec<_> = asked.iter().map(|asked| asked.headers[0].1.as_str()).collect();
        assert_eq!(sent, ["https://page.test/", page]);
    }
    engine.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn saved_list_is_unchanged_by_importing_it_once_or_twice(all in vec(wanted(), 0..6)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(round_trip(all));
    }
}
