//! Tests `ashore statistics`.
//!
//! The running totals are shown to users and programs, with and without a running engine.

use ashore_testkit::origin::{Body, Origin};
use serde_json::json;

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn statistics_include_every_result_and_stay_unchanged_after_removal() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::seeded(1, 3000));
    let ran = person.run(["statistics"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("No download has been added yet"), "{ran:?}");

    let ran = person.run(["get", origin.url("/a.txt").as_str(), origin.url("/gone.txt").as_str()]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for id in person.run(["list", "--json"]).await.objects() {
        assert_eq!(person.run(["remove", id["unique_id"].as_str().unwrap()]).await.code, Some(0));
    }
    assert_eq!(person.run(["list", "--json"]).await.objects().len(), 0);
    let counted = json!({ "added": 2, "succeeded": 1, "failed": 1, "retried": 0, "downloaded": 3000, "uploaded": 0 });
    let (_serving, _) = person.serve().await;
    let told = person.object(&["statistics", "--json"]).await;
    assert_eq!(told["total"], counted);
    assert_eq!((told["sources"].as_array().unwrap().len(), &told["sources"][0]["source"]), (1, &json!("command-line")));
    assert_eq!((told["days"].as_array().unwrap().len(), &told["days"][0]["downloaded"]), (1, &json!(3000)));
    let ran = person.run(["statistics", "--days", "7"]).await;
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{ran:?}");
    assert!(lines[0].starts_with("FILES") && lines[1].starts_with("command line ") && lines[2].starts_with("in all "));
    let numbers: Vec<&str> = lines[2].split_whitespace().collect();
    assert_eq!(numbers, ["in", "all", "2", "1", "1", "0", "3", "kB"]);
}
