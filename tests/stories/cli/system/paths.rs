//! Tests folders with unusual names: names that are not UTF-8, and paths too long for a socket address.

use std::{
    ffi::OsString,
    fs,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use ashore_testkit::origin::{Body, Origin};

use crate::cli::program::Person;

/// Returns a name in Latin-1, such as "Gerät".
fn latin(name: &str) -> OsString {
    OsString::from_vec(name.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect())
}

/// Returns the names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn arguments<'a>(words: impl IntoIterator<Item = &'a str>, folder: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    all.push(folder.into());
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn folder_with_non_utf_8_name_is_supported() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.bin", Body::bytes("a"));
    origin.file("/b.bin", Body::bytes("b"));
    for name in ["Ger\u{e4}t", "\u{ff}\u{fe}", "50% \u{e9}"] {
        let folder = person.home().join(latin(name));
        fs::create_dir(&folder).unwrap();
        let got = person.run(arguments(["get", origin.url("/a.bin").as_str(), "-d"], &folder)).await;
        assert_eq!((got.code, files(&folder)), (Some(0), vec!["a.bin".to_owned()]), "{got:?}");
        assert!(person.run(["list"]).await.stdout.contains("a.bin"));

        let list = person.list().await;
        let id = list.last().unwrap()["unique_id"].as_str().unwrap().to_owned();
        let path = person.show(&id).await["records"][0]["path"].as_str().unwrap().to_owned();
        assert!(path.starts_with("file:///") && path.ends_with("/a.bin"), "{path}");
        let removed = person.run(["remove", "--files", &id]).await;
        assert_eq!((removed.code, files(&folder)), (Some(0), Vec::new()), "{removed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn folder_setting_accepts_non_utf_8_name() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.bin", Body::bytes("a"));
    let folder = person.home().join(latin("Ger\u{e4}t"));
    fs::create_dir(&folder).unwrap();
    let set = person.run(arguments(["settings", "folder"], &folder)).await;
    assert_eq!(set.code, Some(0), "{set:?}");
    let shown = person.run(["settings", "folder", "--json"]).await.stdout;
    assert!(shown.contains("Ger%E4t"), "{shown}");
    // The displayed value can be entered again unchanged.
    let value = serde_json::from_str::<serde_json::Value>(shown.trim()).unwrap()["value"].as_str().unwrap().to_owned();
    assert_eq!(person.run(["settings", "folder", &value]).await.code, Some(0));
    assert_eq!(person.run(["settings", "folder", "--json"]).await.stdout, shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn path_of_data_folder_may_have_any_characters_and_length() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.bin", Body::bytes("a"));
    let long: PathBuf = ["x".repeat(100), "y".repeat(100), "z".repeat(60)].iter().collect();
    for name in [PathBuf::from(latin("Ger\u{e4}t")), long] {
        let data = person.home().join(&name);
        let typed = |words: &[&str]| -> Vec<OsString> {
            [OsString::from("--data-dir"), data.clone().into()].into_iter().chain(words.iter().map(OsString::from)).collect()
        };
        let downloads = person.downloads();
        let got = person.run(typed(&["get", origin.url("/a.bin").as_str(), "-d", downloads.to_str().unwrap()])).await;
        assert_eq!(got.code, Some(0), "{:?}: {got:?}", data.as_os_str().as_bytes());
        let mut serving = person.start(typed(&["serve"]));
        serving.line().await;
        let listed = person.run(typed(&["list", "--json"])).await;
        assert!(listed.code == Some(0) && listed.stdout.contains("a.bin"), "{listed:?}");
        let doctor = person.run(typed(&["doctor"])).await;
        assert_eq!(doctor.code, Some(0), "{doctor:?}");
        let added = person.run(typed(&["add", "--paused", origin.url("/b.bin").as_str()])).await;
        assert_eq!(added.code, Some(0), "{added:?}");
    }
}
