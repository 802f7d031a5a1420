//! Tests input that is refused: the exit code is correct, and nothing is written.

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn invalid_input_is_refused_with_exit_code_and_explanation() {
    let person = Person::new();
    let wrong_sum = ["http://127.0.0.1/a", "--checksum", "crc=1"];
    let wrong_method = ["http://127.0.0.1/a", "--method", "BREW"];
    let missing_upload = ["http://127.0.0.1/a", "--upload-file", "nowhere.pdf"];
    let cases: &[(&[&str], &str)] = &[
        (&["no link"], "bad-url"),
        (&["ftp://127.0.0.1/a"], "bad-scheme"),
        (&["file:///etc/passwd"], "bad-scheme"),
        (&["http://me:secret@127.0.0.1:587/a"], "bad-port"),
        (&["ftp://me:secret@127.0.0.1/a"], "bad-scheme"),
        (&["http://me:%0Asecret@127.0.0.1/a"], "invalid"),
        (&["http://127.0.0.1:587/a"], "bad-port"),
        (&["http://127.0.0.1/a", "-d", "nowhere"], "target"),
        (&["-i", "/dev/null"], "empty"),
        (&wrong_sum, "invalid"),
        (&wrong_method, "invalid"),
        (&missing_upload, "upload-source"),
        (&["http://127.0.0.1/a", "no link"], "bad-url"),
    ];
    for (arguments, code) in cases {
        for verb in ["add", "get"] {
            let ran = person.run([&[verb, "--json"], *arguments].concat()).await;
            assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), *code), "{verb} {arguments:?}: {ran:?}");
            assert!(ran.stderr.starts_with("ashore: ") && ran.stderr.ends_with(".\n"), "{ran:?}");
            assert!(!ran.stderr.contains("secret"), "{ran:?}");
        }
    }
    assert_eq!(person.list().await, Vec::<serde_json::Value>::new());
    assert_eq!(person.files(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_arguments_cause_a_usage_error() {
    let person = Person::new();
    let cases: &[&[&str]] = &[
        &[],
        &["fetch"],
        &["get"],
        &["get", "http://127.0.0.1/a", "http://127.0.0.1/b", "-o", "one"],
        &["get", "-i", "nowhere.txt"],
        &["abort"],
        &["list", "--active", "--settled"],
        &["get", "http://127.0.0.1/a", "-H", "nonsense"],
    ];
    for arguments in cases {
        let ran = person.run(*arguments).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {ran:?}");
        assert!(!ran.stderr.is_empty());
    }
    assert!(!person.home().join("data").exists(), "nothing was opened for it");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_download_ids_are_refused() {
    let person = Person::new();
    let whole = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
    for verb in ["show", "pause", "resume", "abort", "retry", "remove", "first", "get"] {
        for id in [whole, "1b9d"] {
            let ran = person.run([verb, id, "--json"]).await;
            assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), "unknown"), "{verb} {id}: {ran:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_command_fails_as_unreachable_if_no_engine_runs() {
    let ran = Person::new().run(["events", "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(3), "unreachable"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ledger_of_newer_version_is_refused_and_left_unchanged() {
    let person = Person::new();
    let saved = person.home().join("saved.jsonl");
    assert_eq!(person.run(["export", saved.to_str().unwrap()]).await.code, Some(0));
    let ledger = person.data().join("ledger.sqlite");
    let mut bytes = std::fs::read(&ledger).unwrap();
    // In SQLite's file format, the user version is the big-endian number at byte 60.
    bytes[63] += 1;
    std::fs::write(&ledger, &bytes).unwrap();
    let verbs: [&[&str]; 6] =
        [&["doctor"], &["doctor", "--repair"], &["adopt"], &["import", saved.to_str().unwrap()], &["list"], &["serve"]];
    for verb in verbs {
        let ran = person.run(verb).await;
        assert_ne!(ran.code, Some(0), "{verb:?}: {ran:?}");
        assert!(
            ran.stderr.contains("was written by a newer Ashore") && ran.stderr.contains("Update Ashore"),
            "{verb:?}: {ran:?}"
        );
        assert!(std::fs::read(&ledger).unwrap() == bytes, "{verb:?}: it is untouched");
    }
    let names = std::fs::read_dir(person.data()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.contains("damaged") || name == "recovery.json"));
}
