//! Tests `ashore limit`: limits are set, shown and removed, both with and without a running engine.

use ashore_testkit::origin::{Body, Origin, content};
use serde_json::{Value, json};

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn speed_limits_can_be_set_and_shown_whether_engine_runs_or_not() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let added = person.run(["add", origin.url("/a.txt").as_str(), "--title", "A file", "--paused"]).await;
    let id = added.stdout.trim().to_owned();
    let ran = person.run(["limit"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("No speed limit is set"), "{ran:?}");

    let mut serving = None;
    for is_alone in [true, false] {
        for arguments in
            [vec!["limit", "2M"], vec!["limit", "500k", "--host", "Example.org"], vec!["limit", "1.5M", "--id", &id[..6]]]
        {
            let ran = person.run(&arguments).await;
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
            assert!(ran.stderr.contains("limited to "), "{ran:?}");
        }
        let ran = person.run(["limit"]).await;
        let shown = format!("    2M  all downloads\n  500K  from example.org\n 1536K  {}  A file\n", &id[..8]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), shown.as_str(), ""));
        let ran = person.run(["limit", "--json"]).await;
        let expected: [Value; 3] = [
            json!({ "scope": { "type": "all" }, "bytes_per_second": 2 << 20 }),
            json!({ "scope": { "type": "host", "host": "example.org" }, "bytes_per_second": 500 << 10 }),
            json!({ "scope": { "type": "registration", "unique_id": id }, "bytes_per_second": 3 << 19 }),
        ];
        assert_eq!(ran.objects(), expected);
        let ran = person.run(["limit", "none", "--host", "example.org", "--json"]).await;
        assert_eq!(ran.objects(), [json!({ "scope": { "type": "host", "host": "example.org" }, "bytes_per_second": null })]);
        assert_eq!(person.run(["limit", "--json"]).await.objects().len(), 2);
        if is_alone {
            serving = Some(person.serve().await);
        }
    }
    drop(serving);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_speed_is_refused_and_changes_nothing() {
    let person = Person::new();
    assert_eq!(person.run(["limit", "1M"]).await.code, Some(0));
    for (arguments, code) in [
        (vec!["limit", "fast"], 2),
        (vec!["limit", "--host", "a.test"], 2),
        (vec!["limit", "1M", "--host", "a.test", "--id", "1b9d"], 2),
        (vec!["limit", "1000"], 4),
        (vec!["limit", "11G"], 4),
        (vec!["limit", "1M", "--host", "https://a.test/"], 4),
        (vec!["limit", "1M", "--id", "1b9d"], 4),
    ] {
        let ran = person.run(&arguments).await;
        assert_eq!(ran.code, Some(code), "{ran:?}");
    }
    for text in ["0.1", "0.5", "1 Mbit"] {
        assert_eq!(person.run(["limit", text]).await.code, Some(2), "{text}");
    }
    let ran = person.run(["limit", "1000", "--json"]).await;
    assert_eq!(ran.error_code(), "bad-speed");
    assert_eq!(person.run(["limit"]).await.stdout, "    1M  all downloads\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn speed_limit_accepts_common_units() {
    let person = Person::new();
    for (words, bytes) in
        [(&["5MB"][..], 5_000_000), (&["5", "MiB"], 5 << 20), (&["500 k"], 500 << 10), (&["1.5 gb"], 1_500_000_000)]
    {
        let ran = person.run([&["limit", "--json"], words].concat()).await;
        assert_eq!((ran.code, &ran.objects()[0]["bytes_per_second"]), (Some(0), &bytes.into()), "{words:?}: {ran:?}");
    }
    let ran = person.run(["limit", "5 MB"]).await;
    assert_eq!(ran.stderr, "All downloads together are limited to 5 MB/s.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn running_engine_applies_speed_limit_that_another_process_sets() {
    let (origin, person) = (Origin::start().await, Person::new());
    let large = 8 << 20;
    origin.file("/a.bin", Body::seeded(1, large));
    assert_eq!(person.run(["limit", "4K"]).await.code, Some(0));
    let (_serving, _) = person.serve().await;
    let downloads = person.downloads();
    let ran = person.run(["add", "-d", downloads.to_str().unwrap(), origin.url("/a.bin").as_str()]).await;
    let id = ran.stdout.trim().to_owned();
    // The limit was set while no engine was running. Check that it applies: without it, more bytes would have arrived
    // by now.
    let slow = person.shows(&id, |shown| shown["downloaded"].as_u64() > Some(0)).await;
    assert!(slow["downloaded"].as_u64() < Some(large / 2), "{slow}");
    assert_eq!(person.run(["limit", "none"]).await.code, Some(0));
    person.shows(&id, |shown| shown["result"] == "success").await;
    assert_eq!(person.file("a.bin"), content(1, large));
}
