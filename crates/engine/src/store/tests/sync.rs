//! Tests which changes make a registration due for sync. Also tests conditional writes of records.

use std::collections::BTreeSet;

use crate::{
    model::{NotificationIcon, SyncRecordRow},
    store::{
        sync::{records::NewRecord, registrations::RegistrationWish},
        tests::*,
    },
};

fn new(record: &SyncRecordRow, seen: i64, is_edit: bool) -> NewRecord<'_> {
    NewRecord { record, seen, is_edit }
}

impl Ledger {
    pub(super) async fn begin_sync(&self) {
        let mut writing = self.store.begin().await.unwrap();
        writing.begin_sync("{}").await.unwrap();
        writing.commit().await.unwrap();
    }

    /// Finds the registrations that are due for sync, marks them as sent, and returns their titles.
    async fn sent(&self) -> Vec<String> {
        let due = self.store.due_synced_registrations(100).await.unwrap();
        let mut writing = self.store.begin().await.unwrap();
        for synced in &due {
            let new_id = format!("sync-{}", synced.title);
            if writing.assign_sync_ids(&[(synced.unique_id, &new_id)]).await.unwrap() {
                let record = SyncRecordRow { collection: "dl-items".to_owned(), id: new_id.clone(), ..SyncRecordRow::default() };
                assert!(writing.put_sync_records(&[new(&record, 0, false)]).await.unwrap());
            }
            let sync_id = synced.sync_id.as_deref().unwrap_or(&new_id);
            writing.mark_synced(&[(sync_id, synced.change)]).await.unwrap();
        }
        writing.commit().await.unwrap();
        due.into_iter().map(|synced| synced.title).collect()
    }
}

#[tokio::test]
async fn registrations_are_marked_for_sending_only_while_sync_is_on() {
    let ledger = Ledger::new().await;
    let before = asked("before", &["https://example.org/a"]);
    ledger.create(&before).await.unwrap();
    assert_eq!(ledger.count("sync_mark").await, 0);
    ledger.begin_sync().await;
    assert_eq!(ledger.sent().await, ["Title of before"]);
    ledger.create(&asked("later", &["https://example.org/b"])).await.unwrap();
    assert_eq!(ledger.sent().await, ["Title of later"]);
    assert_eq!(ledger.sent().await, [""; 0]);

    let mut writing = ledger.store.begin().await.unwrap();
    writing.end_sync().await.unwrap();
    writing.commit().await.unwrap();
    ledger.store.stop_marking();
    ledger.create(&asked("off", &["https://example.org/c"])).await.unwrap();
    assert_eq!((ledger.count("sync_mark").await, ledger.count("sync_record").await), (0, 0));
    assert_eq!(ledger.count("registration").await, 3);
}

#[tokio::test]
async fn uploads_and_program_downloads_are_not_synced() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let of = |owner: &str| AcceptedRegistration { owner: owner.to_owned(), ..asked(owner, &["https://example.org/a"]) };
    for owner in ["window", "command-line", "feed", "browser", "device-abc", "a program", "devices", "window2"] {
        ledger.create(&of(owner)).await.unwrap();
    }
    let mut upload = asked("upload", &["https://example.org/b"]);
    upload.requests[0].body = Some(("/tmp/body".into(), 5));
    ledger.create(&upload).await.unwrap();
    let synced: BTreeSet<String> = ledger.sent().await.into_iter().collect();
    let expected = ["browser", "command-line", "device-abc", "feed", "window"].map(|owner| format!("Title of {owner}"));
    assert_eq!(synced, expected.into());
}

#[tokio::test]
async fn registration_is_due_for_sync_only_after_synced_value_changes() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let new = asked("a", &["https://example.org/a"]);
    ledger.create(&new).await.unwrap();
    assert_eq!(ledger.sent().await.len(), 1);
    let id = new.unique_id;

    let guid = ledger.take().await.unwrap().guid;
    let mut writing = ledger.store.begin().await.unwrap();
    writing.move_to(id, QueuePlace::Top).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(ledger.sent().await.len(), 0, "the dispatch and a place in the queue are not synced");

    let mut writing = ledger.store.begin().await.unwrap();
    writing.set_paused(Some(id), true, 77_000_000).await.unwrap();
    writing.commit().await.unwrap();
    let due = ledger.store.due_synced_registrations(9).await.unwrap();
    assert_eq!((due[0].is_paused, due[0].requested_ms, due[0].title_ms), (true, 77_000, 1000));
    assert_eq!(ledger.sent().await.len(), 1);

    let mut writing = ledger.store.begin().await.unwrap();
    let title = NotificationIcon { title: Some("New title".to_owned()), ..NotificationIcon::default() };
    writing.update_ui(id, &title, 88_000_000).await.unwrap();
    writing.commit().await.unwrap();
    let due = ledger.store.due_synced_registrations(9).await.unwrap();
    assert_eq!((due[0].title.as_str(), due[0].title_ms, due[0].requested_ms), ("New title", 88_000, 77_000));
    assert_eq!(due[0].requests.len(), 1);
    assert_eq!(ledger.sent().await.len(), 1);

    ledger.complete(guid).await.unwrap();
    let due = ledger.store.due_synced_registrations(9).await.unwrap();
    assert_eq!((due[0].result, due[0].settled_ms), (crate::model::RegistrationResult::Success, Some(5000)));
    assert_eq!(ledger.sent().await.len(), 1);

    let mut writing = ledger.store.begin().await.unwrap();
    writing.mark_for_removal(id, false).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(ledger.count("sync_mark").await, 0);
    let due = ledger.store.due_sync_records("dl-items", 9).await.unwrap();
    assert_eq!((due.len(), due[0].id.as_str(), due[0].is_gone), (1, "sync-Title of a", true));
}

#[tokio::test]
async fn registration_is_due_for_sync_at_first_response_and_when_total_is_known() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    ledger.create(&asked("a", &["https://example.org/a", "https://example.org/b"])).await.unwrap();
    let due = ledger.store.due_synced_registrations(9).await.unwrap();
    assert_eq!((due[0].is_started, due[0].size), (false, None));
    ledger.sent().await;

    let (first, second) = (ledger.take().await.unwrap().guid, ledger.take().await.unwrap().guid);
    let respond = async |guid, status| {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.write_active_download_metadata(guid, &head(status, Some(10))).await.unwrap();
        writing.commit().await.unwrap();
    };
    respond(first, 503).await;
    assert_eq!(ledger.sent().await.len(), 0, "an unsuccessful response is not synced");
    respond(first, 200).await;
    let due = ledger.store.due_synced_registrations(9).await.unwrap();
    assert_eq!((due.len(), due[0].is_started, due[0].size), (1, true, None));
    ledger.sent().await;
    respond(first, 206).await;
    assert_eq!(ledger.sent().await.len(), 0, "further responses are not synced");
    respond(second, 200).await;
    let due = ledger.store.due_synced_registrations(9).await.unwrap();
    assert_eq!((due.len(), due[0].is_started, due[0].size), (1, true, Some(20)));
    ledger.sent().await;
    respond(second, 206).await;
    assert_eq!(ledger.sent().await.len(), 0);
}

#[tokio::test]
async fn registration_that_was_moved_or_reopened_is_not_started_until_its_next_response() {
    let ledger = Ledger::new().await;
    let running = asked("before", &["https://example.org/a"]);
    ledger.create(&running).await.unwrap();
    let guid = ledger.take().await.unwrap().guid;
    let respond = async |guid| {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
        writing.commit().await.unwrap();
    };
    let is_started = async |id| ledger.store.synced_view(id).await.unwrap().unwrap().is_started;
    respond(guid).await;
    ledger.begin_sync().await;
    ledger.sent().await;
    assert!(is_started(running.unique_id).await, "it was running when sync was turned on");

    let seen = ledger.store.synced_registration("sync-Title of before").await.unwrap().unwrap().change;
    let wish = RegistrationWish { is_restarted: true, ..RegistrationWish::default() };
    let mut writing = ledger.store.begin().await.unwrap();
    writing.apply_wish(("sync-Title of before", seen), &wish, 9).await.unwrap().unwrap();
    writing.commit().await.unwrap();
    assert!(!is_started(running.unique_id).await);
    assert_eq!(ledger.sent().await.len(), 1);
    respond(guid).await;
    assert!(is_started(running.unique_id).await);

    ledger.fail(guid, &failed(FailureReason::BadStatus, "bad-status")).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.retry(running.unique_id).await.unwrap(), 1);
    writing.commit().await.unwrap();
    assert!(!is_started(running.unique_id).await);
    respond(ledger.take().await.unwrap().guid).await;
    assert!(is_started(running.unique_id).await);
}

#[tokio::test]
async fn response_of_optional_request_does_not_start_registration() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let mut new = asked("a", &["https://example.org/a", "https://example.org/b"]);
    new.requests[0].optional = true;
    ledger.create(&new).await.unwrap();
    for is_started in [false, true] {
        let guid = ledger.take().await.unwrap().guid;
        let mut writing = ledger.store.begin().await.unwrap();
        writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
        writing.commit().await.unwrap();
        assert_eq!(ledger.store.due_synced_registrations(9).await.unwrap()[0].is_started, is_started);
    }
}

#[tokio::test]
async fn rolled_back_registration_is_not_synced() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let mut writing = ledger.store.begin().await.unwrap();
    writing.create_registration(&asked("a", &["https://example.org/a"]), 1).await.unwrap();
    drop(writing);
    assert_eq!(ledger.sent().await.len(), 0);
}

#[tokio::test]
async fn sync_record_is_not_overwritten_if_changed_since_it_was_read() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let record = |local: &str| SyncRecordRow {
        collection: "dl-prefs".to_owned(),
        id: "x".to_owned(),
        local: Some(local.to_owned()),
        ..SyncRecordRow::default()
    };
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.put_sync_records(&[new(&record("one"), 0, true)]).await.unwrap());
    writing.commit().await.unwrap();
    let seen = ledger.store.sync_records("dl-prefs", &["x"]).await.unwrap()[0].change;
    // Not even the first record is written if the second has changed.
    let other = SyncRecordRow { id: "y".to_owned(), ..record("other") };
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(!writing.put_sync_records(&[new(&other, 0, true), new(&record("stale"), seen - 1, true)]).await.unwrap());
    assert!(writing.put_sync_records(&[new(&record("two"), seen, true)]).await.unwrap());
    assert!(!writing.delete_sync_record("dl-prefs", "x", seen).await.unwrap());
    writing.commit().await.unwrap();
    let found = ledger.store.sync_records("dl-prefs", &["x", "y"]).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].local.as_deref(), Some("two"));
    assert_eq!(ledger.store.due_sync_records("dl-prefs", 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn latest_sync_record_is_found_within_its_collection() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let mut writing = ledger.store.begin().await.unwrap();
    for (collection, id, modified_ms) in
        [("dl-prefs", "a", 10), ("dl-prefs", "b", 30), ("dl-prefs", "c", 0), ("dl-items", "d", 50)]
    {
        let (collection, id) = (collection.to_owned(), id.to_owned());
        let record = SyncRecordRow { collection, id, modified_ms, ..SyncRecordRow::default() };
        assert!(writing.put_sync_records(&[new(&record, 0, false)]).await.unwrap());
    }
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.latest_sync_record("dl-prefs", i64::MAX).await.unwrap().unwrap().id, "b");
    assert_eq!(ledger.store.latest_sync_record("dl-prefs", 29).await.unwrap().unwrap().id, "a");
    assert_eq!(ledger.store.latest_sync_record("dl-prefs", 9).await.unwrap(), None, "the server never had c");
    assert_eq!(ledger.store.latest_sync_record("dl-sends", i64::MAX).await.unwrap(), None);
}

#[tokio::test]
async fn sync_records_that_were_set_aside_are_found_by_collection_and_code() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let mut writing = ledger.store.begin().await.unwrap();
    for (collection, id, code) in [
        ("dl-prefs", "a", Some("newer")),
        ("dl-prefs", "b", None),
        ("dl-items", "c", Some("newer")),
        ("dl-prefs", "d", Some("tampered")),
    ] {
        let (collection, id, held_code) = (collection.to_owned(), id.to_owned(), code.map(str::to_owned));
        let record = SyncRecordRow { collection, id, held_code, ..SyncRecordRow::default() };
        assert!(writing.put_sync_records(&[new(&record, 0, false)]).await.unwrap());
    }
    writing.commit().await.unwrap();
    let held = ledger.store.held_sync_records("dl-prefs").await.unwrap();
    assert_eq!(held.into_iter().map(|row| row.id).collect::<Vec<_>>(), ["a", "d"]);
}

#[tokio::test]
async fn change_by_other_machine_is_applied_only_if_registration_is_unchanged() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let new = asked("a", &["https://example.org/a"]);
    ledger.create(&new).await.unwrap();
    ledger.sent().await;
    let seen = ledger.store.synced_registration("sync-Title of a").await.unwrap().unwrap().change;
    let guid = ledger.take().await.unwrap().guid;
    let wish = RegistrationWish { title: Some("Renamed"), is_paused: Some(true), is_restarted: false, is_removed: false };
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.apply_wish(("sync-Title of a", seen + 1), &wish, 9).await.unwrap().is_none());
    let applied = writing.apply_wish(("sync-Title of a", seen), &wish, 9).await.unwrap().unwrap();
    writing.commit().await.unwrap();
    assert_eq!((applied.id, applied.guids), (new.unique_id, vec![guid]));
    let synced = ledger.store.synced_view(new.unique_id).await.unwrap().unwrap();
    assert_eq!((synced.title.as_str(), synced.is_paused), ("Renamed", true));
    assert!(synced.change > seen);
}

#[tokio::test]
async fn history_entry_is_found_by_link_regardless_of_query() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    let record = SyncRecordRow {
        collection: "dl-history".to_owned(),
        id: "h".to_owned(),
        address: Some("https://example.org/a".to_owned()),
        ..SyncRecordRow::default()
    };
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.put_sync_records(&[new(&record, 0, false)]).await.unwrap());
    writing.commit().await.unwrap();
    let find = async |link: &str| ledger.store.sync_history(&[link.to_owned()], 9).await.unwrap().len();
    assert_eq!((find("https://example.org/a?token=1").await, find("https://example.org/b").await), (1, 0));
}
