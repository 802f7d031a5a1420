//! What runs next: first come, first served, by index, within the limits; and to the top where somebody says so.

use ashore_tests::{
    home::Home,
    origin::{Body, Origin, Route},
};

/// So many files that wait at their first byte.
fn gated(origin: &Origin, prefix: &str, count: usize) -> Vec<Route> {
    (0..count).map(|index| origin.file(&format!("/{prefix}{index}"), Body::bytes("x")).gate_at(0)).collect()
}

fn paths(origin: &Origin) -> Vec<String> {
    origin.requests().into_iter().map(|request| request.path).collect()
}

#[tokio::test]
async fn no_more_than_the_limit_for_all_run_at_once() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 3\nparallel-per-host = 10\n").await;
    let files = gated(&origin, "", 8);
    let id = home.fetch((0..8).map(|index| origin.url(&format!("/{index}")))).await;
    for released in 0..8 {
        // Exactly three are there, or as many as are left; each that ends lets the next one in.
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
async fn no_more_than_the_limit_for_one_server_run_at_once_and_others_pass_by() {
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
async fn first_come_first_served_by_number_and_not_by_text() {
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
async fn what_is_put_first_is_next_and_the_order_survives_a_restart() {
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
    home.first(b).await.unwrap();
    home.first(c).await.unwrap();
    home.close().await;
    gate.release();
    home.reopen().await;
    for id in [a, b, c] {
        home.settled(id).await;
    }
    // What ran when it was closed is behind those that were put before it, and in its place before the others.
    assert_eq!(paths(&origin), ["/gate", "/c", "/b", "/gate", "/a"]);
}

#[tokio::test]
async fn a_hundred_files_in_one_registration_all_arrive_once() {
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
async fn in_a_flow_of_small_files_the_limit_holds_and_a_pause_ends_those_that_wait_for_their_turn() {
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
    assert_eq!(origin.requests().len(), 400 + LIMIT, "what had not begun was not begun to be ended");
    large.iter().for_each(Route::release);
    home.resume(None).await.unwrap();
    assert_eq!(home.settled(id).await.succeeded, 440);
    assert_eq!(origin.requests().len(), 400 + LIMIT + 40);
}

#[tokio::test]
async fn more_than_the_limit_that_ran_when_it_was_killed_go_on_within_it() {
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
async fn those_of_a_busy_server_go_back_into_the_list_and_others_pass_by() {
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
    assert!(busy.requests().len() <= 400 + 16, "what was not under way is not asked for");
}
