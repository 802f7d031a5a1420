//! Tests `ashore quota`: quotas are set, shown and removed, both with and without a running engine.

use ashore_testkit::origin::{Body, Origin};
use serde_json::json;

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn quota_applies_and_can_be_set_and_shown_with_or_without_engine() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.pdf", Body::seeded(1, 3000));
    origin.file("/b.pdf", Body::seeded(2, 3000));
    let ran = person.run(["quota", "command-line", "4K", "--files", "7"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("The list can hold at most 4.1 kB and 7 files of command-line."), "{ran:?}");
    assert_eq!(person.run(["get", origin.url("/a.pdf").as_str()]).await.code, Some(0));

    let (_serving, _) = person.serve().await;
    let downloads = person.downloads();
    let ran = person.run(["add", "-d", downloads.to_str().unwrap(), origin.url("/b.pdf").as_str()]).await;
    let id = ran.stdout.trim().to_owned();
    person.shows(&id, |shown| shown["waiting_for"]["code"] == "quota").await;
    let ran = person.run(["list"]).await;
    assert!(ran.stdout.contains("The quota of \"command-line\" is reached"), "{ran:?}");
    let ran = person.run(["quota", "command-line"]).await;
    let lines: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["3", "kB", "4.1", "kB", "1", "7", "command-line"]);
    assert_eq!(lines[2], ["3", "kB", "-", "1", "-", "command-line:", "document"]);
    let ran = person.run(["quota", "all", "1G", "--category", "videos", "--json"]).await;
    assert_eq!(ran.objects(), [json!({ "scope": { "owner": null, "category": "video" }, "bytes": 1 << 30, "files": null })]);
    assert_eq!(person.run(["quota", "command-line", "none"]).await.code, Some(0));
    person.shows(&id, |shown| shown["result"] == "success").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_quota_is_refused_and_changes_nothing() {
    let person = Person::new();
    for (arguments, code) in [
        (vec!["quota", "window", "much"], 2),
        (vec!["quota", "window", "1G", "--category", "cats"], 2),
        (vec!["quota", "window", "none", "--files", "3"], 2),
        (vec!["quota", "window", "0"], 4),
        (vec!["quota", "window", "--files", "0"], 4),
        (vec!["quota", "window", "--files", "9223372036854775808"], 4),
        (vec!["quota", "nobody", "1G"], 4),
    ] {
        let ran = person.run(&arguments).await;
        assert_eq!(ran.code, Some(code), "{ran:?}");
    }
    let ran = person.run(["quota", "nobody", "1G", "--json"]).await;
    assert_eq!(ran.error_code(), "unknown-owner");
    let ran = person.run(["quota"]).await;
    assert!(ran.stdout.is_empty() && ran.stderr.contains("No quota is set"), "{ran:?}");
}
