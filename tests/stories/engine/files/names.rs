//! Tests file names from servers: the file must stay in its folder.

use ashore_engine::{NewRequest, RegistrationResult};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin},
};

#[tokio::test]
async fn file_name_from_server_cannot_leave_the_folder() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let evil = [
        "attachment; filename=\"../../evil\"",
        "attachment; filename=\"/etc/evil\"",
        "attachment; filename=\"..\\\\..\\\\evil\"",
        "attachment; filename=\"..\"",
        "attachment; filename=\".\"",
        "attachment; filename*=UTF-8''..%2F..%2Fevil",
        "attachment; filename*=UTF-8''%00evil",
        "attachment; filename=\".bashrc\"",
        "attachment; filename=\"CON\"",
        "attachment; filename=\"evil\u{202e}gpj.exe\"",
        "attachment; filename=\"-rf\"",
    ];
    let mut addresses = Vec::new();
    for (index, header) in evil.iter().enumerate() {
        let path = format!("/{index}");
        origin.file(&path, Body::bytes(index.to_string())).header("Content-Disposition", header);
        addresses.push(origin.url(&path));
    }
    let before = outside(&home);
    let id = home.fetch(addresses).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    for (index, record) in home.records(id, 0, 0).await.unwrap().into_iter().enumerate() {
        let path = record.path.unwrap();
        assert_eq!(path.parent().unwrap(), home.downloads(), "{path:?} is not where it belongs");
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(!name.starts_with(['.', '-']) && !name.eq_ignore_ascii_case("con"), "{name:?} is no safe name");
        assert!(!name.chars().any(|letter| letter.is_control() || letter == '\u{202e}' || letter == '\\'), "{name:?}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), index.to_string());
    }
    assert_eq!(outside(&home), before, "something was written elsewhere");
}

#[tokio::test]
async fn requested_file_name_cannot_leave_the_folder() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let before = outside(&home);
    for name in ["../evil", "/tmp/evil", "a/../../evil", ""] {
        let request = NewRequest { name: Some(name.to_owned()), ..get(origin.url("/a")) };
        // Ashore may refuse the name or change it, but the file must be in the download folder.
        if let Ok(made) = home.create(Home::ask_for([request])).await {
            assert_eq!(home.settled(made.unique_id).await.result, RegistrationResult::Success);
            let path = home.records(made.unique_id, 0, 0).await.unwrap()[0].path.clone().unwrap();
            assert_eq!(path.parent().unwrap(), home.downloads());
        }
        assert_eq!(outside(&home), before, "{name:?} was written elsewhere");
    }
}

#[tokio::test]
async fn existing_file_is_never_overwritten() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    std::fs::write(home.downloads().join("a.txt"), "mine").unwrap();
    origin.file("/a.txt", Body::bytes("theirs"));
    let id = home.fetch([origin.url("/a.txt")]).await;
    let settled = home.settled(id).await;
    assert_eq!(home.bytes("a.txt"), b"mine");
    assert_eq!(std::fs::read(settled.path.unwrap()).unwrap(), b"theirs");
    home.until_names(&["a (1).txt", "a.txt"]).await;
}

/// Returns the entries of the folder that contains the data folder and the download folder.
///
/// No download may create an entry in this folder.
fn outside(home: &Home) -> Vec<String> {
    let entries = std::fs::read_dir(home.downloads().parent().unwrap()).unwrap();
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
