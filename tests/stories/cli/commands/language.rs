//! Tests the language of the output.
//!
//! Text is in the language of the environment. JSON is the same in every language.

use crate::cli::program::{Person, Ran, end};

/// Runs the program with the environment of a desktop that uses this language.
async fn run_in(person: &Person, language: &str, arguments: &[&str]) -> Ran {
    end(person.command(arguments).env("LANG", language).spawn().unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn command_output_is_in_language_of_environment() {
    let person = Person::new();
    let empty = run_in(&person, "de_DE.UTF-8", &["list"]).await;
    assert_eq!((empty.code, empty.stdout.as_str()), (Some(0), ""), "{empty:?}");
    assert!(empty.stderr.starts_with("Die Liste ist leer.") && empty.stderr.contains("`ashore add URL`"), "{empty:?}");

    person.run(["add", "http://127.0.0.1/a", "--title", "one", "--paused"]).await;
    let list = run_in(&person, "de_DE.UTF-8", &["list"]).await.stdout;
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].contains("ZUSTAND") && lines[0].ends_with("TITEL"), "{list}");
    assert!(lines[1].contains("angehalten") && lines[1].ends_with("one"), "{list}");
    let column = |line: &str, text: &str| line[..line.find(text).unwrap()].chars().count();
    assert_eq!(column(lines[0], "TITEL"), column(lines[1], "one"), "{list}");

    let report = run_in(&person, "de_DE.UTF-8", &["doctor"]).await;
    assert_eq!(report.code, Some(0), "{report:?}");
    for line in ["Liste ", "Schritt      Datenordner ", "Bedingung    Erster Start   offen "] {
        assert!(report.stdout.lines().any(|one| one.starts_with(line)), "{line}: {report:?}");
    }
    assert!(report.stdout.contains("in Ordnung") && !report.stdout.contains("held by"), "{report:?}");
    assert!(report.stdout.contains("offen     (nicht alles ist angehalten)"), "{report:?}");
    assert!(report.stdout.contains("(es gibt keinen Nachrichtenbus des Systems ("), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn json_output_is_the_same_in_every_language() {
    let person = Person::new();
    person.run(["add", "http://127.0.0.1/a", "--paused"]).await;
    for arguments in [&["list", "--json"][..], &["quota", "--json"], &["statistics", "--json"], &["settings", "--json"]] {
        let english = run_in(&person, "C", arguments).await;
        let german = run_in(&person, "de_DE.UTF-8", arguments).await;
        assert_eq!((english.code, english.stdout), (Some(0), german.stdout), "{arguments:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_are_explained_in_language_of_environment() {
    let person = Person::new();
    let ran = person.run(["lst"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("ashore: There is no command \"lst\". Did you mean list?\nUsage: ashore "), "{ran:?}");
    let ran = person.run(["limit", "fast", "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(2), "arguments"), "{ran:?}");
    let command = |arguments: &[&str]| person.command(arguments).env("LANG", "de_DE.UTF-8").spawn().unwrap();
    let ran = end(command(&["limit", "--hst", "a"])).await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    for part in ["keine Option --hst. Meinten Sie --host?", "Aufruf: ashore limit [OPTIONEN]", "`ashore limit --help`"] {
        assert!(ran.stderr.contains(part), "{part}: {ran:?}");
    }
}
