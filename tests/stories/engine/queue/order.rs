//! Tests the order of requests.
//!
//! Within the limits, registrations start in the order of their addition, and the requests of one registration start in
//! the order of their index. A download may be moved to the top.

use ashore_engine::{EngineEvent, NewRegistration, NewRequest, QueuePlace};
use ashore_testkit::{
    home::{EventListener, Home},
    origin::{Body, Origin, Route},
};
use url::Url;

/// Creates `count` files whose routes send no byte until the test releases them.
fn gated(origin: &Origin, prefix: &str, count: usize) -> Vec<Route> {
    (0..count).map(|index| origin.file(&format!("/{prefix}{index}"), Body::bytes("x")).gate_at(0)).collect()
}

fn paths(origin: &Origin) -> Vec<String> {
    origin.requests().into_iter().map(|request| request.path).collect()
}

#[tokio::test]
async fn total_limit_of_parallel_transfers_is_never_exceeded() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 3\nparallel-per-host = 10\n").await;
    let files = gated(&origin, "", 8);
    let id = home.fetch((0..8).map(|index| origin.url(&format!("/{index}")))).await;
    for released in 0..8 {
        // Three requests are running, or fewer at the end. When one of them completes, another one starts.
        let running = 3.min(8 - released);
        for file in &files[released..released + running] {
            file.held().await;
        }
        assert_eq!(origin.requests().len(), released + running);
        files[released].release();
    }
    assert_eq!(home.settled(id).await.succeeded, 8);
}

#[tokio::test]
async fn parallel_limit_of_one_host_is_respected_while_other_hosts_proceed() {
    let (one, other) = (Origin::start().await, Origin::start().await);
    let home = Home::open_with("parallel = 4\nparallel-per-host = 2\n").await;
    let (ones, others) = (gated(&one, "", 5), gated(&other, "", 1));
    let mut addresses: Vec<_> = (0..5).map(|index| one.url(&format!("/{index}"))).collect();
    addresses.push(other.url("/0"));
    let id = home.fetch(addresses).await;
    others[0].held().await;
    for released in 0..5 {
        let running = 2.min(5 - released);
        for file in &ones[released..released + running] {
            file.held().await;
        }
        assert_eq!(one.requests().len(), released + running);
        ones[released].release();
    }
    home.until(id, |now| now.succeeded == 5).await;
    others[0].release();
    assert_eq!(home.settled(id).await.succeeded, 6);
}

#[tokio::test]
async fn requests_are_ordered_by_numeric_index_not_as_text() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel-per-host = 1\n").await;
    let gate = origin.file("/gate", Body::bytes("x")).gate_at(0);
    let mut expected = vec!["/gate".to_owned()];
    let before = home.fetch([origin.url("/gate")]).await;
    let mut last = before;
    for registration in 0..3 {
        let paths: Vec<String> = (0..12).map(|index| format!("/{registration}/{index}")).collect();
        for path in &paths {
            origin.file(path, Body::bytes("x"));
        }
        last = home.fetch(paths.iter().map(|path| origin.url(path))).await;
        expected.extend(paths);
    }
    gate.release();
    assert_eq!(home.settled(last).await.succeeded, 12);
    assert_eq!(paths(&origin), expected);
}

#[tokio::test]
async fn requests_that_are_moved_to_top_run_first_even_after_restart() {
    let origin = Origin::start().await;
    let mut home = Home::open_with("parallel = 1\n").await;
    let gate = origin.file("/gate", Body::bytes("x")).gate_at(0);
    for path in ["/a", "/b", "/c"] {
        origin.file(path, Body::bytes("x"));
    }
    home.fetch([origin.url("/gate")]).await;
    gate.held().await;
    let a = home.fetch([origin.url("/a")]).await;
    let b = home.fetch([origin.url("/b")]).await;
    let c = home.fetch([origin.url("/c")]).await;
    home.move_to(b, QueuePlace::Top).await.unwrap();
    home.move_to(c, QueuePlace::Top).await.unwrap();
    home.close().await;
    gate.release();
    home.reopen().await;
    for id in [a, b, c] {
        home.settled(id).await;
    }
    // The request that was running during the shutdown starts after the moved requests, but before all others.
    assert_eq!(paths(&origin), ["/gate", "/c", "/b", "/gate", "/a"]);
}

#[tokio::test]
async fn renumbering_of_ranks_tells_clients_to_reload_the_list() {
    let home = Home::open_without_fetching().await;
    let mut ids = Vec::new();
    for name in ["a", "b", "last"] {
        ids.push(home.fetch([format!("http://a.example/{name}")]).await);
    }
    let rank = async |id| home.show(id).await.unwrap().rank;
    let (mut one, mut other, last) = (ids[0], ids[1], ids[2]);
    let before = rank(last).await;
    let mut ear = EventListener::to(&home);
    // Move the two downloads alternately to the place before the last one. Each move halves the gap between the ranks.
    for _ in 0..60 {
        home.move_to(one, QueuePlace::Before(last)).await.unwrap();
        (one, other) = (other, one);
    }
    ear.hear_until(|event| *event == EngineEvent::Lagged).await;
    let ranks = [rank(one).await, rank(other).await, rank(last).await];
    assert!(ranks.is_sorted() && ranks[2] != before, "{ranks:?}, and {before} before");
}

/// Returns one registration for each of these addresses.
fn each(owner: &str, addresses: impl IntoIterator<Item = Url>) -> Vec<NewRegistration> {
    let request = |url: Url| NewRequest { url: url.into(), ..NewRequest::default() };
    let new = |url| NewRegistration { owner: owner.to_owned(), requests: vec![request(url)], ..NewRegistration::default() };
    addresses.into_iter().map(new).collect()
}

#[tokio::test]
async fn urgent_request_preempts_last_transfer_and_keeps_its_bytes() {
    const SIZE: u64 = 4 << 20;
    let origin = Origin::start().await;
    let mut home = Home::open_with("parallel = 2\nconnections = 1\ncheckpoint-seconds = 0.05\n").await;
    let gates: Vec<_> = ["/a", "/b"].iter().map(|path| origin.file(path, Body::seeded(1, SIZE)).gate_at(SIZE / 2)).collect();
    let (a, b) = (home.fetch([origin.url("/a")]).await, home.fetch([origin.url("/b")]).await);
    for (gate, id) in gates.iter().zip([a, b]) {
        gate.held().await;
        home.until(id, |now| now.downloaded > SIZE / 4).await;
    }
    let waiting = home.fetch([origin.url("/a")]).await;
    let urgent = origin.file("/urgent", Body::bytes("x")).gate_at(0);
    let [mut new] = each("window", [origin.url("/urgent")]).try_into().unwrap();
    new.place = Some(QueuePlace::Now);
    let now = home.create(new).await.unwrap().unique_id;
    urgent.held().await;
    home.until(b, |now| now.active == 0 && now.downloaded > SIZE / 4).await;
    assert_eq!(home.show(a).await.unwrap().active, 1, "only as many as are needed make room");
    assert_eq!(home.show(waiting).await.unwrap().active, 0);
    gates.iter().for_each(Route::release);
    urgent.release();
    for id in [now, a, b, waiting] {
        assert_eq!(home.settled(id).await.succeeded, 1);
    }
    let again = origin.requests().into_iter().rfind(|request| request.path == "/b").unwrap();
    assert!(again.range_start().is_some_and(|start| start > 0), "the received bytes were kept");
    home.close().await;
}

#[tokio::test]
async fn owner_with_few_downloads_and_owner_with_many_downloads_take_turns() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 1\n").await;
    let gate = origin.file("/gate", Body::bytes("x")).gate_at(0);
    for number in 0..4 {
        origin.file(&format!("/feed{number}"), Body::bytes("x"));
        origin.file(&format!("/click{number}"), Body::bytes("x"));
    }
    let addresses = |name: &str, count| (0..count).map(|number| origin.url(&format!("/{name}{number}"))).collect::<Vec<_>>();
    home.fetch([origin.url("/gate")]).await;
    gate.held().await;
    let mut last = Vec::new();
    for new in each("feed", addresses("feed", 4)).into_iter().chain(each("window", addresses("click", 2))) {
        last.push(home.create(new).await.unwrap().unique_id);
    }
    gate.release();
    for id in last {
        home.settled(id).await;
    }
    assert_eq!(paths(&origin), ["/gate", "/feed0", "/click0", "/feed1", "/click1", "/feed2", "/feed3"]);
}

#[tokio::test]
async fn newest_download_starts_first_with_newest_first_setting() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 1\norder = \"newest-first\"\n").await;
    let gate = origin.file("/gate", Body::bytes("x")).gate_at(0);
    for path in ["/a", "/b", "/c", "/last"] {
        origin.file(path, Body::bytes("x"));
    }
    home.fetch([origin.url("/gate")]).await;
    gate.held().await;
    let [mut new] = each("story", [origin.url("/last")]).try_into().unwrap();
    new.place = Some(QueuePlace::Bottom);
    let mut ids = vec![home.create(new).await.unwrap().unique_id];
    for path in ["/a", "/b", "/c"] {
        ids.push(home.fetch([origin.url(path)]).await);
    }
    home.move_to(ids[1], QueuePlace::Before(ids[2])).await.unwrap();
    gate.release();
    for id in ids {
        home.settled(id).await;
    }
    assert_eq!(paths(&origin), ["/gate", "/c", "/a", "/b", "/last"]);
}

#[tokio::test]
async fn registration_with_parallel_limit_of_one_is_fetched_in_order() {
    let (one, other) = (Origin::start().await, Origin::start().await);
    let home = Home::open_with("parallel = 8\nparallel-per-host = 8\n").await;
    let gates: Vec<_> = (0..6)
        .map(|number| if number % 2 == 0 { &one } else { &other })
        .zip(0..6)
        .map(|(origin, number)| {
            let path = format!("/{number}");
            (origin.file(&path, Body::bytes("x")).gate_at(0), origin.url(&path))
        })
        .collect();
    let requests = gates.iter().map(|(_, url)| NewRequest { url: url.to_string(), ..NewRequest::default() }).collect();
    let new = NewRegistration { owner: "test".to_owned(), parallel: Some(1), requests, ..NewRegistration::default() };
    let id = home.create(new).await.unwrap().unique_id;
    for (number, (gate, _)) in gates.iter().enumerate() {
        gate.held().await;
        assert_eq!(one.requests().len() + other.requests().len(), number + 1);
        gate.release();
    }
    assert_eq!(home.settled(id).await.succeeded, 6);
}

#[tokio::test]
async fn each_of_100_files_in_a_registration_is_fetched_once() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 8\nparallel-per-host = 8\n").await;
    for index in 0..100 {
        origin.file(&format!("/{index}"), Body::seeded(index, 100 + index));
    }
    let id = home.fetch((0..100).map(|index| origin.url(&format!("/{index}")))).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.succeeded, settled.downloaded, settled.expected_total), (100, 14_950, 14_950));
    assert_eq!(origin.requests().len(), 100);
    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records.iter().map(|record| record.index).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    assert_eq!(home.records(id, 98, 5).await.unwrap().len(), 2);
}

#[tokio::test]
async fn queued_large_files_obey_parallel_limit_and_pause() {
    const LIMIT: usize = 16;
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 16\nparallel-per-host = 16\n").await;
    for index in 0..400 {
        origin.file(&format!("/{index}"), Body::bytes("x"));
    }
    let large = gated(&origin, "large", 40);
    let small = (0..400).map(|index| origin.url(&format!("/{index}")));
    let id = home.fetch(small.chain((0..40).map(|index| origin.url(&format!("/large{index}"))))).await;
    for file in &large[..LIMIT] {
        file.held().await;
    }
    home.until(id, |now| now.succeeded == 400).await;
    assert_eq!(origin.requests().len(), 400 + LIMIT);
    home.pause(None).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    assert_eq!(origin.requests().len(), 400 + LIMIT, "requests that had not begun were not sent");
    large.iter().for_each(Route::release);
    home.resume(None).await.unwrap();
    assert_eq!(home.settled(id).await.succeeded, 440);
    assert_eq!(origin.requests().len(), 400 + LIMIT + 40);
}

#[tokio::test]
async fn lowered_parallel_limit_applies_to_transfers_resumed_after_kill() {
    let origin = Origin::start().await;
    let mut home = Home::open_with("parallel = 4\nparallel-per-host = 4\n").await;
    let files = gated(&origin, "", 4);
    let id = home.fetch((0..4).map(|index| origin.url(&format!("/{index}")))).await;
    for file in &files {
        file.held().await;
    }
    home.crash().await;
    let path = home.data().join("ashore.toml");
    let settings = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, settings.replace("parallel = 4", "parallel = 2")).unwrap();
    let before = origin.requests().len();
    home.reopen().await;
    for (released, file) in files.iter().enumerate() {
        let asked = (before + released + 2).min(before + 4);
        home.until_seen("the next request", async |_| (origin.requests().len() >= asked).then_some(())).await;
        assert_eq!(origin.requests().len(), asked);
        file.release();
        home.until(id, |now| now.succeeded as usize == released + 1).await;
    }
    assert_eq!(home.settled(id).await.succeeded, 4);
}

#[tokio::test]
async fn queued_requests_of_busy_host_do_not_block_other_hosts() {
    let (busy, other) = (Origin::start().await, Origin::start().await);
    let home = Home::open_with("parallel = 16\nparallel-per-host = 16\nretry-after-seconds = 600\n").await;
    for index in 0..400 {
        busy.file(&format!("/{index}"), Body::bytes("x"));
    }
    for index in 400..480 {
        busy.file(&format!("/{index}"), Body::bytes("x")).status_until(503, "600");
    }
    for index in 0..20 {
        other.file(&format!("/{index}"), Body::bytes("x"));
    }
    let addresses = (0..480).map(|index| busy.url(&format!("/{index}")));
    let id = home.fetch(addresses.chain((0..20).map(|index| other.url(&format!("/{index}"))))).await;
    home.until(id, |now| now.succeeded == 420).await;
    home.until(id, |now| now.active == 0).await;
    assert!(busy.requests().len() <= 400 + 16, "only running requests were sent");
}
