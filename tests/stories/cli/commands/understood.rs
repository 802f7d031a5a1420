//! Tests input that expands to several requests: numbered links, and commands for cURL.

use ashore_testkit::origin::{Body, Origin};

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn numbered_links_become_one_registration_unless_literal_option_is_given() {
    let (origin, person) = (Origin::start().await, Person::new());
    for name in ["page-08.jpg", "page-09.jpg", "page-10.jpg", "a.txt", "b.txt"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let root = origin.url("/");
    let ran = person.run(["get", &format!("{root}page-[08:10].jpg"), &format!("{root}{{a,b}}.txt")]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.files(), ["a.txt", "b.txt", "page-08.jpg", "page-09.jpg", "page-10.jpg"]);
    assert_eq!(person.list().await[0]["requests"], 5);

    let literal = person.run(["add", "--literal", &format!("{root}{{a,b}}.txt")]).await;
    assert_eq!(person.show(literal.stdout.trim()).await["records"].as_array().unwrap().len(), 1);
    let backwards = person.run(["add", "--json", &format!("{root}[9:1]")]).await;
    assert_eq!((backwards.code, backwards.error_code().as_str()), (Some(4), "pattern"), "{backwards:?}");
    assert_eq!(person.list().await.len(), 2, "nothing was added for it");
}

#[tokio::test(flavor = "multi_thread")]
async fn curl_command_is_carried_out_and_unknown_option_is_reported() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/report", Body::bytes("report"));
    let link = origin.url("/report");
    let command = format!("curl '{link}' \\\n  -H 'X-Taste: plain' -u 'ann:canary' -o over/there.pdf --compressed");
    let ran = person.run(["get", "--curl", &command]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.file("there.pdf"), b"report");
    let seen = route.requests().pop().unwrap();
    assert_eq!((seen.header("x-taste"), seen.header("authorization")), (Some("plain"), Some("Basic YW5uOmNhbmFyeQ==")));
    assert!(!person.run(["list", "--json"]).await.stdout.contains("canary"), "the credentials are not in the list");

    let piped = person.run_with_input(["get", "--curl", "-", "-o", "piped.pdf"], &format!("curl {link} -A Browser\n")).await;
    assert_eq!((piped.code, person.file("piped.pdf").as_slice()), (Some(0), &b"report"[..]), "{piped:?}");
    let unknown = person.run(["add", "--json", "--curl", &format!("curl {link} --cert mine.pem")]).await;
    assert_eq!((unknown.code, unknown.error_code().as_str()), (Some(4), "command"), "{unknown:?}");
    assert!(unknown.stderr.contains("does not support --cert"), "{unknown:?}");
    let none = person.run(["add", "--curl", &format!("scp {link}")]).await;
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""), "{none:?}");
    assert_eq!(person.list().await.len(), 2);
}
