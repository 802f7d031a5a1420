//! The program against generated servers: every kind of server with a single oddity, and a random sample.
//!
//! `make test-long` draws 20,000.

use ashore_testkit::{
    generated::{Kind, Way, fetched_by_curl_alone, trials},
    tools::is_installed,
};
use rand::{SeedableRng, rngs::SmallRng};

const SEED: u64 = 20_261_126;

fn single() -> Vec<(u64, Kind)> {
    (0..).zip(Kind::single()).collect()
}

async fn assert_no_findings(kinds: &[(u64, Kind)], way: Way, connections: u32) {
    let findings = trials(SEED, kinds, way, connections).await;
    assert!(findings.is_empty(), "{} of {}:\n{}", findings.len(), kinds.len(), findings.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn new_download_keeps_every_guarantee_if_the_server_misbehaves_in_one_way() {
    assert_no_findings(&single(), Way::Fresh, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn resumed_download_keeps_every_guarantee_if_the_server_misbehaves_in_one_way() {
    assert_no_findings(&single(), Way::Resumed, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_download_keeps_every_guarantee_if_the_server_misbehaves_in_one_way() {
    assert_no_findings(&single(), Way::Killed, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_from_randomly_drawn_servers_keep_every_guarantee() {
    let mut random = SmallRng::seed_from_u64(SEED);
    let kinds: Vec<_> = (1000..1120).map(|number| (number, Kind::draw(&mut random))).collect();
    assert_no_findings(&kinds, Way::Fresh, 1).await;
}

/// After two restarts, a single plain request fetches the bytes of one version.
#[tokio::test(flavor = "multi_thread")]
async fn changed_file_completes_despite_unusable_ranges() {
    let kinds: Vec<_> = (2000..).zip(Kind::changed_behind_ranges()).collect();
    for connections in [1, 16] {
        assert_no_findings(&kinds, Way::Resumed, connections).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resized_file_completes_although_server_refuses_ranges() {
    let kinds: Vec<_> = (3000..).zip(Kind::resized_behind_refused_ranges()).collect();
    assert_no_findings(&kinds, Way::Killed, 1).await;
}

/// Tries several numbers, because each number results in a different file size. Only a file smaller than the overlap of
/// 64 KiB is requested again from its first byte.
#[tokio::test(flavor = "multi_thread")]
async fn file_completes_although_server_sends_shorter_ranges_than_requested() {
    let kinds: Vec<_> = (4000..4040).zip(Kind::short_ranges_in_order().into_iter().cycle()).collect();
    assert_no_findings(&kinds, Way::Killed, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn model_requires_ashore_to_fetch_every_file_that_curl_fetches() {
    if !is_installed("curl") {
        return ashore_testkit::left_out("It needs curl, which is not installed.");
    }
    let mut random = SmallRng::seed_from_u64(SEED);
    let drawn = (1000..1200).map(|number| (number, Kind::draw(&mut random)));
    let kinds: Vec<_> = single().into_iter().chain(drawn).collect();
    let findings = fetched_by_curl_alone(SEED, &kinds).await;
    assert!(findings.is_empty(), "{} of {}:\n{}", findings.len(), kinds.len(), findings.join("\n"));
}
