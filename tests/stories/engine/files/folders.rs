//! Tests the default folders: each category has a folder, which is created only when needed.

use std::{fs, path::PathBuf};

use ashore_engine::{FileCategory, NewRegistration, NewRequest, UniqueId};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin},
};

/// Default folders for two categories. Other tests have no category folders.
const SORTED: &str = "folder-video = \"Video\"\nfolder-documents = \"Documents\"\n";

async fn placed(home: &Home, new: NewRegistration) -> PathBuf {
    let id: UniqueId = home.create(new).await.unwrap().unique_id;
    home.settled(id).await;
    let path = home.records(id, 0, 1).await.unwrap()[0].path.clone().unwrap();
    path.strip_prefix(home.downloads()).unwrap_or(&path).to_owned()
}

#[tokio::test]
async fn category_folder_is_used_unless_folder_is_chosen() {
    let (origin, home) = (Origin::start().await, Home::open_with(SORTED).await);
    for name in ["film.mkv", "thesis.pdf", "talk.mp4", "strange", "a.zip"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    assert_eq!(placed(&home, Home::ask([origin.url("/film.mkv")])).await, PathBuf::from("Video/film.mkv"));
    assert_eq!(placed(&home, Home::ask([origin.url("/strange")])).await, PathBuf::from("strange"));
    assert_eq!(placed(&home, Home::ask([origin.url("/a.zip")])).await, PathBuf::from("a.zip"), "none is set for archives");
    // The files in this registration belong to several categories. All of them go to the folder of the most frequent
    // category.
    let set = ["/thesis.pdf", "/talk.mp4", "/film.mkv"].map(|path| origin.url(path));
    assert_eq!(placed(&home, Home::ask(set)).await, PathBuf::from("Video/thesis.pdf"));
    // The folder depends on the file name in the request, not on the name in the link.
    let named = NewRequest { name: Some("notes.txt".to_owned()), ..get(origin.url("/strange")) };
    assert_eq!(placed(&home, Home::ask_for([named])).await, PathBuf::from("Documents/notes.txt"));
    let chosen = NewRegistration { folder: Some(home.data()), ..Home::ask([origin.url("/film.mkv")]) };
    assert_eq!(placed(&home, chosen).await, home.data().join("film.mkv"));
    assert!(!home.downloads().join("Audio").exists(), "none is made that is not needed");
}

#[tokio::test]
async fn category_folder_is_chosen_by_file_name_from_server() {
    let (origin, home) = (Origin::start().await, Home::open_with(SORTED).await);
    origin.file("/get", Body::bytes("x")).header("Content-Disposition", "attachment; filename=film.mkv");
    let probed = home.probe(get(origin.url("/get"))).await.unwrap();
    let links = [origin.url("/get").to_string()];
    let known = home.known(&links, None, probed.name).await.unwrap();
    assert_eq!((known.category, known.folder), (FileCategory::Video, home.downloads().join("Video")));
    let request = NewRequest { probe: probed.probe, ..get(origin.url("/get")) };
    assert_eq!(placed(&home, Home::ask_for([request])).await, PathBuf::from("Video/film.mkv"));
}

#[tokio::test]
async fn category_folder_may_be_anywhere_but_must_be_usable() {
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("films");
    let (origin, home) =
        (Origin::start().await, Home::open_with(&format!("folder-video = {path:?}\nfolder-audio = \"Audio\"\n")).await);
    origin.file("/film.mkv", Body::bytes("film"));
    assert_eq!(placed(&home, Home::ask([origin.url("/film.mkv")])).await, path.join("film.mkv"));
    fs::write(home.downloads().join("Audio"), "a file").unwrap();
    let refused = home.create(Home::ask([origin.url("/song.mp3")])).await.unwrap_err();
    assert_eq!(refused.code(), "target");
    assert!(refused.to_string().contains("Audio"), "{refused}");
}
