//! File names chosen by servers and callers.

use ashore_testkit::origin::{Body, Origin};

use crate::transfer::desk::TransferBench;

#[tokio::test]
async fn server_file_name_stays_in_folder_and_overwrites_no_file() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(1, 100);
    std::fs::write(desk.path("taken.bin"), "mine").unwrap();
    let evil = [
        ("attachment; filename=\"../../evil\"", "evil"),
        ("attachment; filename=\".bashrc\"", "bashrc"),
        ("attachment; filename=\"a\u{202e}gpj.exe\"", "agpj.exe"),
        ("attachment; filename*=UTF-8''%00%2e%2e%2fnul", "_nul"),
        ("attachment; filename=\"taken.bin\"", "taken (1).bin"),
        ("attachment; filename=\"taken.bin\"", "taken (2).bin"),
        ("attachment; filename=\"x.0123abcd.part\"", "x.0123abcd.part_"),
    ];
    for (number, (disposition, name)) in evil.into_iter().enumerate() {
        let path = format!("/{number}");
        origin.file(&path, body.clone()).header("Content-Disposition", disposition);
        let spec = desk.spec(origin.url(&path));
        let completed = desk.completed_with(&spec, &body).await;
        assert_eq!(completed.path, Some(desk.path(name)), "{disposition}");
        ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    }
    assert_eq!(std::fs::read(desk.path("taken.bin")).unwrap(), b"mine");
    assert_eq!(desk.names().len(), evil.len() + 1);
}

#[tokio::test]
async fn name_of_maximum_length_leaves_room_for_suffixes() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(crate::transfer::desk::eager()));
    let body = Body::seeded(1, 1 << 20);
    let long = format!("{}.tar.gz", "é".repeat(400));
    let file = origin.file("/a", body.clone()).gate_at(500_000);
    let mut spec = desk.spec(origin.url("/a"));
    spec.name = Some(long);
    desk.stopped_at(&spec, 500_000).await;
    file.release();
    let completed = desk.completed_with(&spec, &body).await;
    let name = completed.path.unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.ends_with("é.tar.gz") && name.len() <= 240 && name.len() > 236, "{name}");
}

#[tokio::test]
async fn file_name_from_caller_is_sanitised() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(1, 100);
    origin.file("/a", body.clone()).header("Content-Disposition", "attachment; filename=other");
    let mut spec = desk.spec(origin.url("/a"));
    spec.name = Some("../up/and away.txt".to_owned());
    let completed = desk.completed_with(&spec, &body).await;
    assert_eq!(completed.path, Some(desk.path("_up_and away.txt")));
}
