//! Tests link lists that are too long for a single download.
//!
//! The links are very long, so that a few of them reach the limit.

use ashore_testkit::origin::{Body, Origin};

use crate::cli::program::{Person, Ran};

/// Maximum number of these long links in one download.
const A_SET: usize = 10;

fn link(number: usize) -> String {
    format!("http://127.0.0.1/{number}?{}", "x".repeat(1_000_000))
}

fn list(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| link(number) + "\n").collect()
}

/// Returns the number of links in each download. The oldest download is first.
async fn sizes(person: &Person) -> Vec<u64> {
    let mut sizes: Vec<u64> = person.list().await.iter().map(|one| one["requests"].as_u64().unwrap()).collect();
    sizes.reverse();
    sizes
}

fn ids(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn long_link_list_is_split_into_several_downloads() {
    let person = Person::new();
    let arguments = ["add", "http://127.0.0.1/typed", "-i", "-", "--title", "Long"];
    let ran = person.run_with_input(arguments, &list(0..13)).await;
    assert_eq!((ran.code, ids(&ran).len()), (Some(0), 2), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("14 links are in the list, as 2 downloads.\n"), "{}", ran.stderr);
    assert_eq!(sizes(&person).await, [11, 3]);
    let titles: Vec<_> = person.list().await.iter().map(|one| one["title"].clone()).collect();
    assert_eq!(titles, ["Long (2)", "Long"]);
    let first = person.show(ids(&ran)[0]).await;
    let urls: Vec<_> = first["records"].as_array().unwrap().iter().map(|record| record["url"].clone()).collect();
    let expected: Vec<_> = ["http://127.0.0.1/typed".to_owned()].into_iter().chain((0..10).map(link)).collect();
    assert_eq!(urls, expected);

    // Add the same list again, with a running engine. No link is added twice.
    let (serving, _) = person.serve().await;
    person.run(["pause"]).await;
    let again = person.run_with_input([&arguments[..], &["--json"]].concat(), &list(0..13)).await;
    assert_eq!((again.code, sizes(&person).await), (Some(0), vec![11, 3]), "{}", again.stderr);
    let moved: Vec<_> = again.objects().iter().map(|one| one["unique_id"].clone()).collect();
    assert_eq!(moved, ids(&ran), "{}", again.stdout.chars().take(500).collect::<String>());
    assert!(again.stderr.contains("already in the list"), "{}", again.stderr);
    serving.signal(rustix::process::Signal::TERM);
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_line_of_link_list_is_reported_and_valid_links_are_added() {
    let person = Person::new();
    let broken = [list(0..11), "ftp://127.0.0.1/\n".to_owned(), list(12..14), "no link\n".to_owned()].concat();
    let ran = person.run_with_input(["add", "-i", "-"], &broken).await;
    assert_eq!((ran.code, ids(&ran).len()), (Some(0), 2), "{}", ran.stderr);
    for part in ["Line 12 of stdin is not a valid link. ", " Line 15 is not valid either.", "are skipped"] {
        assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
    }
    assert_eq!(sizes(&person).await, [10, 3]);
    let none = person.run_with_input(["add", "--json", "-i", "-"], "ftp://127.0.0.1/\nno link\n").await;
    assert_eq!((none.code, none.error_code().as_str()), (Some(4), "other-scheme"), "{}", none.stderr);
    assert_eq!(sizes(&person).await, [10, 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn link_list_formats_of_other_programs_are_accepted() {
    let (origin, person) = (Origin::start().await, Person::new());
    for name in ["a.bin", "b.bin", "c.bin"] {
        origin.file(&format!("/{name}"), Body::bytes("same"));
    }
    let (a, b, c) = (origin.url("/a.bin"), origin.url("/b.bin"), origin.url("/c.bin"));
    for (text, files) in [
        (format!("{a}\r{b}\r"), vec!["a.bin", "b.bin"]),
        (format!("\u{feff}<{a}>\r\n- [c]({c}).\r\n"), vec!["a.bin", "c.bin"]),
        (format!("{a}\t{b}\n  out=mine.bin\n  dir=/tmp\n; old\n"), vec!["mine.bin"]),
        (format!("{a}\n{a}\nnot a link at all\nmagnet:?xt=urn:btih:aa\n"), vec!["a.bin"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let ran = person.run_with_input(["get", "-d", folder.path().to_str().unwrap(), "-i", "-"], &text).await;
        let mut found: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        found.sort();
        assert_eq!((ran.code, found), (Some(0), files.into_iter().map(str::to_owned).collect()), "{text:?}: {}", ran.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn link_list_that_cannot_be_split_is_refused() {
    let person = Person::new();
    let links = person.home().join("links.txt");
    for (text, code) in [("http://127.0.0.1:587/\n", "bad-port"), ("\n# nothing\n", "empty")] {
        std::fs::write(&links, text).unwrap();
        for verb in ["add", "get"] {
            let ran = person.run([verb, "--json", "-i", links.to_str().unwrap()]).await;
            assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), code), "{ran:?}");
            assert!(!ran.stderr.contains("were added"), "{ran:?}");
        }
    }
    let ran = person.run_with_input(["add", "-i", "-", "--id", "mine"], &list(0..A_SET + 1)).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    let two_servers = [list(0..A_SET + 1), "http://127.0.0.2/\n".to_owned()].concat();
    let ran = person.run_with_input(["add", "-i", "-", "--user", "ann:x"], &two_servers).await;
    assert_eq!((ran.code, sizes(&person).await), (Some(2), vec![10]), "{}", ran.stderr);
    assert!(ran.stderr.contains("The lines of stdin before line 11 were added"), "{}", ran.stderr);
}
