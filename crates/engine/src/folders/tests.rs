use std::sync::mpsc;

use uuid::Uuid;

use crate::{folders::*, tests::error_messages::has_message};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(20);

fn id(number: u128) -> UniqueId {
    UniqueId(Uuid::from_u128(number))
}

/// Returns the known folders. Folders below `/silent` do not answer until the sender is dropped.
fn folders(data: &Path) -> (Arc<KnownFolders>, mpsc::Sender<()>) {
    let (free, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let ask = move |folder: &Path, _: Option<VolumeState>| {
        if folder.starts_with("/silent") {
            let _ = held.lock().unwrap_or_else(PoisonError::into_inner).recv();
        }
        FolderAnswer {
            standing: FolderStanding::Same(VolumeState { device: 1, inode: 1, born: None, kind: None }),
            free: Some(7),
        }
    };
    (Arc::new(KnownFolders::asking(FolderMemory::open(data), Arc::new(ask), false)), free)
}

#[tokio::test]
async fn unresponsive_folder_does_not_delay_other_folders() {
    let data = tempfile::tempdir().unwrap();
    let (folders, free) = folders(data.path());
    let (silent, other) = (Path::new("/silent/a"), Path::new("/other"));
    assert_eq!(folders.look(silent), FolderProbe::Asked);
    let said = folders.ask_within(&[silent.to_owned(), other.to_owned()], SHORT).await;
    assert!(said.contains_key(other) && !said.contains_key(silent));
    assert!(!folders.is_ready(id(1), silent, None), "the state is not known yet");
    assert_eq!(folders.skip_unanswered(), [silent.to_owned()]);
    assert!(folders.is_waited_for());
    assert!(!folders.refresh(), "nothing has answered");
    drop(free);
    let said = folders.ask_within(&[silent.to_owned()], LONG).await;
    assert!(folders.refresh() && !folders.refresh(), "the change is reported once");
    assert_eq!(said[silent].free, Some(7));
    assert!(folders.is_ready(id(1), silent, None) && folders.skip_unanswered().is_empty() && !folders.is_waited_for());
}

#[tokio::test]
async fn search_that_skipped_unresponsive_folder_is_repeated_when_folder_answers() {
    let searches: [fn(&KnownFolders, &Path) -> bool; 3] = [
        |folders, folder| folders.skip_unanswered() == [folder.to_owned()],
        |folders, folder| folders.look(folder) == FolderProbe::Asked,
        |folders, folder| !folders.is_ready(id(1), folder, None),
    ];
    for skips in searches {
        let data = tempfile::tempdir().unwrap();
        let (folders, free) = folders(data.path());
        let silent = PathBuf::from("/silent/a");
        // Another caller has already asked for the state of this folder.
        folders.ask(&silent);
        assert!(!folders.refresh(), "no search has skipped the folder");
        assert!(skips(&folders, &silent));
        assert!(!folders.refresh(), "the folder has not answered");
        drop(free);
        assert_eq!(folders.ask_within(&[silent], LONG).await.len(), 1);
        assert!(folders.refresh(), "the skipped requests may start now");
        assert!(!folders.refresh(), "the answer is reported once");
    }
}

#[test]
fn message_catalogue_contains_every_reason_to_wait_for_a_folder() {
    let folder = Path::new("/media/x");
    let volume = VolumeState { device: 1, inode: 1, born: None, kind: None };
    let mut waits = FolderWaits::default();
    let standings = [
        FolderStanding::Missing,
        FolderStanding::NotAFolder,
        FolderStanding::Other { volume, tags: Default::default(), is_alike: false },
    ];
    for (number, standing) in (1..).zip(standings) {
        waits.add(id(number), folder, standing);
    }
    let gates = (1..=3).filter_map(|number| waits.closed(id(number))).chain([silent(folder)]);
    for gate in gates {
        let text = &gate.text;
        assert!(text.contains(" /media/x ") && text.contains("The download continues automatically when"), "{text}");
        assert!(has_message(&gate.message()), "{}", gate.text);
    }
}

#[tokio::test]
async fn unresponsive_folder_is_reported_until_it_answers() {
    let data = tempfile::tempdir().unwrap();
    let (folders, free) = folders(data.path());
    let silent = Path::new("/silent/a");
    folders.ask(silent);
    assert_eq!(folders.closed(id(1), silent), None, "not before its time");
    tokio::time::sleep(PATIENCE).await;
    let gate = folders.closed(id(1), silent).unwrap();
    assert!(gate.text.contains("/silent/a") && gate.text.contains("does not answer"), "{}", gate.text);
    assert_eq!(folders.gates(), [gate]);
    let unanswered = folders.ask_within(&[silent.to_owned()], Duration::ZERO).await;
    assert_eq!(KnownFolders::troubles(vec![silent.to_owned()], &unanswered)[0].message.id(), "message-folder-fault.silent");
    drop(free);
    folders.answered().await;
    assert_eq!((folders.closed(id(1), silent), folders.gates()), (None, Vec::new()));
}

#[test]
fn missing_and_unresponsive_folders_are_reported_and_usable_folder_is_not() {
    let standing = |standing| FolderAnswer { standing, free: None };
    let there = FolderStanding::Same(VolumeState { device: 1, inode: 1, born: None, kind: None });
    let [used, missing, silent] = ["/used", "/missing", "/silent"].map(PathBuf::from);
    let answers = HashMap::from([(used.clone(), standing(there)), (missing.clone(), standing(FolderStanding::Missing))]);
    let troubles = KnownFolders::troubles(vec![used, missing.clone(), silent.clone()], &answers);
    let expected = [(missing, "folder-fault.missing"), (silent, "folder-fault.silent")];
    assert!(
        troubles
            .into_iter()
            .map(|one| (one.path, one.message.id()))
            .eq(expected.map(|(path, id)| (path, format!("message-{id}"))))
    );
}

#[tokio::test]
async fn unresponsive_folders_occupy_at_most_the_allowed_threads() {
    let data = tempfile::tempdir().unwrap();
    let (folders, free) = folders(data.path());
    let all: Vec<PathBuf> = (0..MOST + 9).map(|number| PathBuf::from(format!("/silent/{number}"))).collect();
    for folder in all.iter().chain(&all) {
        folders.ask(folder);
    }
    let put_off = folders.seen.folders().values().filter(|known| known.is_put_off).count();
    assert_eq!((put_off, folders.skip_unanswered().len()), (9, MOST + 9), "nothing starts in any of them");
    drop(free);
    assert_eq!(folders.ask_within(&all, LONG).await.len(), MOST + 9);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a disk disappears and comes back, and nothing is at the target of the rename")]
fn download_waits_until_disk_returns_or_user_retries() {
    let data = tempfile::tempdir().unwrap();
    let place = tempfile::tempdir().unwrap();
    let (disk, away) = (place.path().join("disk"), place.path().join("away"));
    std::fs::create_dir(&disk).unwrap();
    let folders = KnownFolders::new(FolderMemory::open(data.path()), |_| Some(1));
    let begun = PendingProbe { tag: "0000000a".to_owned(), has_bytes: true };
    let starts = |folders: &KnownFolders, number| folders.is_ready(id(number), &disk, Some(&begun));
    assert!(starts(&folders, 1));
    std::fs::rename(&disk, &away).unwrap();
    for is_bare in [false, true] {
        if is_bare {
            std::fs::create_dir(&disk).unwrap();
        }
        folders.refresh();
        assert!(!starts(&folders, 1) && !starts(&folders, 2), "bare: {is_bare}");
        assert!(folders.closed(id(1), &disk).unwrap().text.contains(disk.to_str().unwrap()));
        assert_eq!(folders.gates().len(), 1, "one for the folder");
        assert!(!folders.refresh(), "nothing has changed");
    }
    // Only one of the two registrations was allowed to start.
    folders.let_through(id(2), Some(&disk));
    assert!(starts(&folders, 2) && !starts(&folders, 1));
    std::fs::remove_dir(&disk).unwrap();
    std::fs::rename(&away, &disk).unwrap();
    assert!(folders.refresh() && starts(&folders, 1) && starts(&folders, 2));
    assert!(!folders.is_waited_for());
}
