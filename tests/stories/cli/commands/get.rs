//! Tests `ashore get` without a running engine: a link becomes a file, and the output is correct.

use ashore_testkit::origin::{Body, Origin, content};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn get_command_creates_file_and_prints_its_path() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/disk.iso", Body::seeded(1, 300_000));
    let ran = person.run(["get", origin.url("/disk.iso").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.file("disk.iso"), content(1, 300_000));
    let path = person.downloads().canonicalize().unwrap().join("disk.iso");
    assert_eq!(ran.stdout.lines().count(), 1);
    assert!(ran.stdout.starts_with(&format!("{}  (300 kB, length correct", path.display())), "{ran:?}");
    let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
    assert_eq!(person.show(&id).await["result"], "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn checksum_option_accepts_matching_and_rejects_mismatching_file() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/disk.iso", Body::seeded(1, 50_000));
    let url = origin.url("/disk.iso");
    let right = format!("sha-256={}", hex::encode(Sha256::digest(content(1, 50_000))));
    let ran = person.run(["get", url.as_str(), "--checksum", &right]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("checksum correct (sha-256)"), "{ran:?}");

    let wrong = format!("sha-256={}", "0".repeat(64));
    let ran = person.run(["get", url.as_str(), "--checksum", &wrong, "-o", "other.iso"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.stderr.contains(url.as_str()), "{ran:?}");
    assert!(!person.files().contains(&"other.iso".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_keeps_other_files_but_fails_if_a_link_fails() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    origin.file("/b.txt", Body::bytes("b"));
    origin.refuses("/gone.txt", 404);
    let urls = ["/a.txt", "/gone.txt", "/b.txt"].map(|path| origin.url(path).to_string());
    let ran = person.run(["get", &urls[0], &urls[1], &urls[2]]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(person.files(), ["a.txt", "b.txt"]);
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    assert!(ran.stderr.lines().any(|line| line.starts_with(&urls[1])), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_fetches_numbered_pages_and_playlist_parts() {
    let (origin, person) = (Origin::start().await, Person::new());
    for page in 8..=11 {
        origin.file(&format!("/p-{page:03}.jpg"), Body::bytes(page.to_string()));
    }
    let ran = person.run(["get", origin.url("/p-008.jpg").as_str(), "--until", "11"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.files(), ["p-008.jpg", "p-009.jpg", "p-010.jpg", "p-011.jpg"]);
    assert_eq!(ran.stdout.lines().count(), 4, "{ran:?}");

    origin.file("/list.m3u8", Body::bytes("#EXTM3U\na.ts\nb.ts\n"));
    origin.file("/a.ts", Body::bytes("a"));
    origin.refuses("/b.ts", 404);
    let ran = person.run(["get", origin.url("/list.m3u8").as_str(), "--parts", "--optional"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(person.files().contains(&"a.ts".to_owned()) && !person.files().contains(&"b.ts".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn existing_pages_are_not_fetched_with_skip_existing_option() {
    let (origin, person) = (Origin::start().await, Person::new());
    for page in 1..=4 {
        origin.file(&format!("/p-{page}.jpg"), Body::bytes(page.to_string()));
    }
    let book = origin.url("/p-1.jpg").to_string();
    let ran = person.run(["get", &book, "--until", "4"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let asked = origin.requests().len();
    let ran = person.run(["get", "--skip-existing", &book, "--until", "4"]).await;
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 4), "{ran:?}");
    // Fetch the same pages again, this time with one numbered link for all of them.
    let counted = origin.url("/p-").to_string() + "[1:4].jpg";
    let ran = person.run(["get", "--skip-existing", &counted]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(origin.requests().len(), asked);
    assert_eq!(person.files(), ["p-1.jpg", "p-2.jpg", "p-3.jpg", "p-4.jpg"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_succeeds_although_optional_link_fails() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    origin.refuses("/gone.txt", 404);
    let (there, gone) = (origin.url("/a.txt"), origin.url("/gone.txt"));
    let ran = person.run(["get", there.as_str(), "--optional", gone.as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = person.run(["get", gone.as_str(), "--optional", there.as_str()]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_from_file_or_stdin_become_one_download() {
    let (origin, person) = (Origin::start().await, Person::new());
    for name in ["a", "b", "c"] {
        origin.file(&format!("/{name}.txt"), Body::bytes(name));
    }
    let (a, b, c) = (origin.url("/a.txt"), origin.url("/b.txt"), origin.url("/c.txt"));
    let text = format!("# my links\n\n{b}\n  {c}\r\n");
    let ran = person.run_with_input(["get", a.as_str(), "-i", "-", "--title", "Letters"], &text).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.files(), ["a.txt", "b.txt", "c.txt"]);
    let list = person.list().await;
    assert_eq!((list.len(), &list[0]["title"]), (1, &"Letters".into()));

    let links = person.home().join("links.txt");
    std::fs::write(&links, text).unwrap();
    let ran = person.run(["get", "-i", links.to_str().unwrap()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.files(), ["a.txt", "b (1).txt", "b.txt", "c (1).txt", "c.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_files_of_one_server_are_fetched_simultaneously_with_parallel_option() {
    let (origin, person) = (Origin::start().await, Person::new());
    let routes: Vec<_> = (0..5).map(|n| origin.file(&format!("/{n}"), Body::seeded(n, 2000)).gate_at(1000)).collect();
    let urls = (0..5).map(|number| origin.url(&format!("/{number}")).to_string());
    let arguments = ["get", "--parallel", "5"].map(str::to_owned).into_iter().chain(urls);
    let getting = person.start(arguments);
    // Release the answers only when all five requests are running.
    for route in &routes {
        route.held().await;
    }
    for route in &routes {
        route.release();
    }
    let ran = getting.end().await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, "", "{ran:?}");
    assert_eq!(person.files().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn upload_sends_headers_and_saves_answer_under_requested_name() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/answer", Body::bytes("thank you"));
    std::fs::write(person.home().join("report.pdf"), "a report").unwrap();
    std::fs::create_dir(person.downloads().join("sub")).unwrap();
    let url = origin.url("/answer");
    let arguments = [
        "get",
        url.as_str(),
        "-o",
        "sub/answer.txt",
        "-H",
        "X-One: 1",
        "-H",
        "X-Two:2",
        "--method",
        "POST",
        "--upload-file",
        "../report.pdf",
    ];
    let ran = person.run(arguments).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.file("sub/answer.txt"), b"thank you");
    let requests = route.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!((requests[0].method.as_str(), requests[0].body.as_slice()), ("POST", &b"a report"[..]));
    assert_eq!((requests[0].header("x-one"), requests[0].header("x-two")), (Some("1"), Some("2")));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_option_prints_every_event_and_then_the_registration() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    origin.refuses("/gone.txt", 404);
    let (there, gone) = (origin.url("/a.txt"), origin.url("/gone.txt"));
    let ran = person.run(["get", "--json", there.as_str(), gone.as_str()]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let objects = ran.objects();
    let (last, events) = objects.split_last().unwrap();
    assert!(events.iter().all(|event| event["type"].is_string()), "{events:?}");
    assert_eq!(events[0]["type"], "changed");
    let id = last["unique_id"].as_str().unwrap();
    // When `get` prints the end of the download, it acknowledges this end.
    let mut shown = person.show(id).await;
    assert_eq!((&last["recordsAvailable"], &shown["recordsAvailable"]), (&json!(true), &json!(false)));
    shown["recordsAvailable"] = json!(true);
    assert_eq!(*last, shown);
    let ends: Vec<_> = last["records"].as_array().unwrap().iter().map(|record| &record["outcome"]).collect();
    assert_eq!(ends, ["success", "failure"]);
    assert!(ran.stderr.is_empty(), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_option_prints_nothing_on_success() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let ran = person.run(["get", "-q", origin.url("/a.txt").as_str()]).await;
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn metalink_becomes_one_download_whose_files_are_verified() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/pool/1", Body::seeded(1, 70_000));
    origin.file("/pool/2", Body::seeded(2, 80_000));
    let file = |name: &str, seed: u64, size: u64| {
        let digest = hex::encode(Sha256::digest(content(seed, size)));
        let url = origin.url(&format!("/pool/{seed}"));
        format!(
            "<file name=\"{name}\"><identity>Things</identity><size>{size}</size><hash type=\"sha-256\">{digest}</hash>
             <url priority=\"1\">{url}</url></file>"
        )
    };
    let text = [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">".to_owned(),
        file("one.bin", 1, 70_000),
        file("../two.bin", 2, 80_000),
        "</metalink>\n".to_owned(),
    ]
    .concat();
    std::fs::write(person.home().join("things.meta4"), &text).unwrap();
    let ran = person.run(["get", "../things.meta4"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.matches("checksum correct (sha-256)").count(), 2, "{ran:?}");
    assert_eq!(person.files(), ["one.bin", "two.bin"]);
    assert!(person.file("one.bin") == content(1, 70_000) && person.file("two.bin") == content(2, 80_000));
    let list = person.list().await;
    assert_eq!((list.len(), &list[0]["title"]), (1, &"Things".into()));

    let wrong = text.replace("<hash type=\"sha-256\">", "<hash type=\"md5\">00000000000000000000000000000000</hash><x>");
    let wrong = wrong.replace("</hash>\n", "</x>\n");
    let ran = person.run_with_input(["get", "--metalink", "-"], &wrong).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(person.files(), ["one.bin", "two.bin"]);

    let ran = person.run_with_input(["get", "--metalink", "-"], "<html></html>").await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("not a Metalink"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_verified_with_checksum_file_from_same_server_folder() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/disk.iso", Body::seeded(1, 50_000));
    let digest = hex::encode(Sha256::digest(content(1, 50_000)));
    origin.file("/SHA256SUMS", Body::bytes(format!("{digest} *disk.iso\n")));
    let urls = ["/disk.iso", "/SHA256SUMS"].map(|path| origin.url(path).to_string());
    let ran = person.run(["get", &urls[0], &urls[1]]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.matches("checksum correct (sha-256)").count(), 1, "{ran:?}");

    origin.file("/disk.iso.md5", Body::bytes("00000000000000000000000000000000\n"));
    let (sums, elsewhere) = (origin.url("/disk.iso.md5"), person.home().to_str().unwrap().to_owned());
    let ran = person.run(["get", &urls[0], sums.as_str(), "-d", &elsewhere]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("checksum"), "{ran:?}");
    assert!(!person.home().join("disk.iso").exists() && person.home().join("disk.iso.md5").exists());
}
