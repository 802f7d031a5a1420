//! One file, from the first byte to its final name, without interruption.

use ashore_tests::origin::{Body, Origin};
use ashore_transfer::Verified;

use super::desk::Desk;

#[tokio::test]
async fn a_file_arrives_under_its_name_and_leaves_nothing_behind() {
    let (origin, mut desk) = (Origin::start().await, Desk::new());
    let body = Body::seeded(1, 3 << 20);
    let file = origin.file("/d/a%20b.bin", body.clone());
    let spec = desk.spec(origin.url("/d/a%20b.bin"));
    let completed = desk.completed_with(&spec, &body).await;
    assert_eq!(completed.path, Some(desk.path("a b.bin")));
    assert_eq!(completed.verified, Verified::No);
    assert_eq!(desk.heads.len(), 1);
    assert_eq!((desk.heads[0].status, desk.heads[0].total_size), (200, Some(3 << 20)));
    assert_eq!(desk.heads[0].url_chain, [spec.url.to_string()]);
    assert_eq!(desk.survey()[0].placed, completed.path);
    desk.transfers.forget(spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["a b.bin"]);
    let requests = file.requests();
    assert_eq!(requests.len(), 1, "the first GET is the probe");
    assert_eq!(requests[0].header("accept-encoding"), Some("identity"));
    assert_eq!(requests[0].header("range"), None);
}
