//! Tests `ashore settings`.
//!
//! Settings are shown, explained, changed and reset, with and without a running engine.

use serde_json::json;

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn settings_can_be_shown_and_changed_whether_engine_runs_or_not() {
    let person = Person::new();
    let mut serving = None;
    for is_alone in [true, false] {
        let ran = person.run(["settings"]).await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.lines().any(|line| line == "parallel = 4"), "{ran:?}");
        let ran = person.run(["settings", "parallel"]).await;
        assert_eq!(ran.stdout, "# How many files are fetched at once, 1 to 64.\nparallel = 4\n");
        let ran = person.run(["settings", "parallel", "8"]).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "parallel = 8   # not the default\n"));
        let ran = person.run(["settings", "hours", "mon-fri 08:00-18:00 slow", "sat 00:00-24:00 off", "--json"]).await;
        let lines = ["mon-fri 08:00-18:00 slow", "sat 00:00-24:00 off"];
        assert_eq!(ran.objects(), [json!({ "key": "hours", "value": lines, "default": [] })]);
        let ran = person.run(["settings", "folder", "films"]).await;
        let films = format!("folder = {:?}   # not the default\n", person.downloads().join("films"));
        assert_eq!((ran.code, ran.stdout), (Some(0), films), "from where it was typed");
        for name in ["parallel", "hours", "folder"] {
            assert_eq!(person.run(["settings", name, "--default"]).await.code, Some(0));
        }
        if is_alone {
            serving = Some(person.serve().await);
        }
    }
    drop(serving);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_setting_and_invalid_value_are_reported() {
    let person = Person::new();
    for (arguments, code, said) in [
        (vec!["settings", "colour"], 2, "There is no setting colour"),
        (vec!["settings", "paralel"], 2, "Did you mean parallel?"),
        (vec!["settings", "parallel", "8", "--default"], 2, "cannot be used together"),
        (vec!["settings", "parallel", "0"], 4, "must be from 1 to 64"),
        (vec!["settings", "cookies", "perhaps"], 4, "either true or false"),
    ] {
        let ran = person.run(&arguments).await;
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(said), "{ran:?}");
    }
    std::fs::write(person.data().join("ashore.toml"), "paralel = 9\n").unwrap();
    let ran = person.run(["settings", "attempts"]).await;
    assert!(ran.stderr.contains("Did you mean parallel?"), "{ran:?}");
    let ran = person.run(["doctor"]).await;
    assert!(ran.stdout.contains("setting   paralel is not a setting."), "{ran:?}");
}
