//! Tests names that some file systems treat as equal, because of case, Unicode normalisation or truncation.

use std::{collections::BTreeSet, path::Path};

use ashore_engine::{NewRegistration, NewRequest, RegistrationResult};
use ashore_testkit::{
    apart::Apart,
    home::{Home, get},
    origin::{Body, Origin},
    tools::is_installed,
    volume::Volume,
};

/// Downloads files with these names into `folder` at the same time.
///
/// Each file must get a unique name.
async fn assert_unique_names(home: &Home, folder: &Path) {
    let origin = Origin::start().await;
    let [small, large] = ["x", "X"].map(|letter| format!("{}.bin", letter.repeat(251)));
    let names = ["A.bin", "a.bin", "\u{e9}.txt", "e\u{301}.txt", "E\u{301}.TXT", small.as_str(), large.as_str()];
    // Use small and larger files in turn. Small files are kept in memory, and larger files get a partial file.
    let body = |number: usize| Body::seeded(number as u64, if number.is_multiple_of(2) { 10_000 } else { 2 << 20 });
    let requests = names.iter().enumerate().map(|(number, name)| {
        let path = format!("/{number}");
        origin.file(&path, body(number));
        NewRequest { name: Some((*name).to_owned()), ..get(origin.url(&path)) }
    });
    let ask = NewRegistration { folder: Some(folder.to_owned()), ..Home::ask_for(requests) };
    let id = home.create(ask).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let paths: Vec<_> = home.records(id, 0, 0).await.unwrap().into_iter().map(|record| record.path.unwrap()).collect();
    for (number, path) in paths.iter().enumerate() {
        assert!(std::fs::read(path).unwrap() == body(number).slice(0, u64::MAX), "{path:?} has another file in it");
    }
    assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), names.len(), "{paths:?}");
    home.until_looked("there are these and no other", async |_| std::fs::read_dir(folder).unwrap().count() == names.len()).await;
}

#[tokio::test]
async fn files_with_equivalent_names_get_unique_names_on_ordinary_disk() {
    let home = Home::open().await;
    assert_unique_names(&home, &home.downloads()).await;
}

#[tokio::test]
async fn files_with_equivalent_names_get_unique_names_on_casefolding_disk() {
    if !Path::new("/sys/fs/ext4/features/casefold").exists() {
        return eprintln!(
            "This story is not told here. The system has no file system to which a and A are one (ext4, casefold)."
        );
    }
    let Some(apart) = Apart::for_a_story() else { return };
    if !is_installed("cc") {
        return eprintln!("This story is not told here. It needs a C compiler (cc) for its disk.");
    }
    let home = Home::open().await;
    let (_volume, folder) = match Volume::make_folding_at(&home.data().with_file_name("disk"), &apart) {
        Ok(made) => made,
        Err(why) => return eprintln!("This story is not told here. No such disk can be mounted: {why:#}."),
    };
    assert_unique_names(&home, &folder).await;
}
