//! Tests notifications: their content, and the effect of each button.

use std::time::Duration;

use ashore_engine::{EngineEvent, Registration, RegistrationResult, RegistrationState, UniqueId};
use ashore_rpc::{ClientEvents, MethodCall};
use ashore_testkit::{
    origin::{Body, Origin, Route},
    waits::until,
};
use tokio::sync::watch;

use crate::{
    notifications::Shown,
    page::WindowPage,
    stage::{Stage, kill},
};

const MIB: u64 = 1 << 20;

fn about(title: &str) -> impl Fn(&Shown) -> bool + '_ {
    move |shown| shown.summary == title
}

/// Adds a file of 4 MiB whose server pauses after the first MiB. Returns the route, the registration and the progress
/// notification.
async fn held_with_progress(stage: &Stage, origin: &Origin, path: &str, title: &str) -> (Route, Registration, Shown) {
    let route = origin.file(path, Body::seeded(5, 4 * MIB)).gate_at(MIB);
    let made = stage.add(origin.url(path), title).await;
    route.held().await;
    // Wait until all sent bytes have been received. If the download were paused earlier, it would not keep these bytes.
    stage.registration(&made, "every byte before the gate has come", |now| now.downloaded == MIB).await;
    let shown = stage.notifications.wait("progress is shown", about(title)).await;
    (route, made, shown)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_notification_shows_download_from_start_to_completion() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    let title = "<b>film</b> & more";
    let (route, made, first) = held_with_progress(&stage, &origin, "/film.mkv", title).await;
    assert!(first.is_progress(), "{first:?}");
    assert_eq!((first.replaces, first.group.as_str()), (0, "Ashore"));
    assert!(first.has_button("pause") && first.has_button("cancel") && first.has_button("default"));
    assert!(std::path::Path::new(&first.icon).is_file(), "{first:?}");

    stage.press(first.id, "pause", async || stage.is(&made, |now| now.state == RegistrationState::Paused).await).await;
    let paused = stage.notifications.wait("it is shown as paused", |shown| shown.has_button("resume")).await;
    assert_eq!((paused.id, paused.replaces), (first.id, first.id));
    assert!(paused.body.contains("Paused") && paused.body.contains("1.0 of 4.2 MB"), "{paused:?}");
    assert_eq!(paused.value, Some(25));

    let route = route.gate_at(3 * MIB);
    stage.press(first.id, "resume", async || stage.is(&made, |now| now.downloaded == 3 * MIB).await).await;
    route.held().await;
    stage.notifications.wait("it goes on", |shown| about(title)(shown) && shown.value == Some(75)).await;
    route.release();
    let done = stage.notifications.wait("it is done", |shown| shown.category == "transfer.complete").await;
    assert_eq!((done.id, done.replaces, done.summary.as_str()), (first.id, first.id, title));
    assert!(done.has_button("open") && done.has_button("folder") && !done.has_button("pause"), "{done:?}");
    assert!(done.body.starts_with("Download complete"), "{done:?}");

    let shown: Vec<_> = stage.notifications.shown().into_iter().filter(about(title)).collect();
    assert!(shown[1..].iter().all(|next| next.replaces == first.id), "one notification: {shown:#?}");
    assert_eq!(shown.iter().filter(|shown| shown.category == "transfer.complete").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_notification_is_updated_at_most_once_a_second() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let body = Body::seeded(5, 64 * 1024);
    let route = origin.file("/slow.bin", body).trickle(1024, Duration::from_millis(60));
    let _ashore = stage.ashore_in_tray().await;
    stage.add(origin.url("/slow.bin"), "slow").await;
    stage.notifications.wait("it is done", |shown| shown.category == "transfer.complete").await;
    let progress: Vec<_> = stage.notifications.shown().into_iter().filter(Shown::is_progress).collect();
    assert!(progress.len() >= 2, "it was updated: {progress:#?}");
    for pair in progress.windows(2) {
        // Compare with 700 ms instead of a second, because a busy machine may delay each notification differently.
        assert!(pair[1].at - pair[0].at > Duration::from_millis(700), "{pair:#?}");
        assert!(pair[1].value >= pair[0].value, "{pair:#?}");
    }
    drop(route);
}

#[tokio::test(flavor = "multi_thread")]
async fn dismissed_progress_notification_stays_hidden_until_state_changes() {
    /// Number of bytes that the server sends in about three seconds. This time is long enough for several updates.
    const MORE: u64 = 150 << 10;
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _route = origin.file("/slow.bin", Body::seeded(5, 32 * MIB)).trickle(1024, Duration::from_millis(20));
    let page = WindowPage::open(&stage).await;
    stage.look_back().await;
    let made = stage.add(origin.url("/slow.bin"), "slow").await;
    stage.registration(&made, "it comes", |now| now.downloaded > 0).await;
    let more = async || {
        let now = stage.registration(&made, "there is some", |_| true).await.downloaded;
        stage.registration(&made, "more comes", |after| after.downloaded >= now + MORE).await;
    };
    stage.look_away().await;
    let first = stage.notifications.wait("progress is shown", about("slow")).await;
    // The notification appears slightly before the program listens for its buttons.
    let before = until("more progress is nothing new", async || {
        stage.notifications.dismiss(first.id).await;
        more().await;
        let before = stage.notifications.shown().len();
        more().await;
        (stage.notifications.shown().len() == before).then_some(before)
    })
    .await;
    stage.look_back().await;
    more().await;
    stage.look_away().await;
    more().await;
    assert_eq!(stage.notifications.shown().len(), before, "neither is a look at the window");

    let unique_id = Some(made.unique_id);
    stage.client().await.call::<()>(&MethodCall::Pause { unique_id }).await.unwrap();
    stage.notifications.wait("it is shown as paused", |shown| shown.has_button("resume")).await;
    drop(page);
}

#[tokio::test(flavor = "multi_thread")]
async fn notification_shows_new_name_during_and_after_download() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/film.mkv", Body::seeded(5, 4 * MIB)).gate_at(MIB);
    let _ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/film.mkv"), "film").await;
    route.held().await;
    let is_at_the_gate = |shown: &Shown| shown.summary == "film" && shown.value == Some(25);
    let first = stage.notifications.wait("all that came is shown", is_at_the_gate).await;
    let rename = async |title: &str| {
        let call = MethodCall::UpdateUi {
            unique_id: made.unique_id,
            title: Some(title.to_owned()),
            description: None,
            icon: None,
            icons: None,
        };
        stage.client().await.call::<()>(&call).await.unwrap();
    };
    // The server sends no bytes at this point, so only the title changes.
    rename("holidays").await;
    let renamed = stage.notifications.wait("its new title is shown", about("holidays")).await;
    assert_eq!((renamed.replaces, renamed.value), (first.id, Some(25)));
    route.release();
    stage.notifications.wait("it is done", |shown| shown.category == "transfer.complete" && shown.summary == "holidays").await;
    rename("summer").await;
    let last = stage.notifications.wait("its last title is shown", about("summer")).await;
    assert_eq!((last.replaces, last.category.as_str()), (first.id, "transfer.complete"));
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_notification_shows_reason_and_has_working_retry_button() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/gone.pdf", Body::seeded(5, MIB)).status(404);
    let _ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/gone.pdf"), "gone").await;
    let failed = stage.notifications.wait("the failure is reported", |shown| shown.category == "transfer.error").await;
    assert!(failed.has_button("retry") && !failed.has_button("open"), "{failed:?}");
    assert!(!failed.body.is_empty() && failed.summary == "gone");

    drop(route.honest());
    let is_mended = async || stage.is(&made, |now| now.result == RegistrationResult::Success).await;
    stage.press(failed.id, "retry", is_mended).await;
    stage.notifications.wait("the new end is reported", |shown| shown.category == "transfer.complete").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_download_sends_no_notification() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    let (_route, made, first) = held_with_progress(&stage, &origin, "/c.bin", "c").await;
    stage.press(first.id, "cancel", async || stage.is(&made, |now| now.state == RegistrationState::Settled).await).await;
    stage.notifications.closed(first.id).await;
    assert!(stage.notifications.shown().iter().all(Shown::is_progress));
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_notification_is_sent_once_after_restart() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/d.bin", Body::seeded(5, MIB));
    // Without a notification service, the notification stays pending.
    stage.notifications.leave().await;
    let ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/d.bin"), "d").await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    kill(ashore.pid());
    drop(ashore);

    stage.notifications.come_back().await;
    let mut ashore = stage.ashore_in_tray().await;
    let told = stage.notifications.wait("the pending notification is shown", |shown| shown.category == "transfer.complete").await;
    assert_eq!((told.summary.as_str(), told.replaces), ("d", 0));
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await);

    // Start the program a third time. It sends only the new notification.
    origin.file("/e.bin", Body::seeded(6, MIB));
    let _ashore = stage.ashore_in_tray().await;
    stage.add(origin.url("/e.bin"), "e").await;
    stage
        .notifications
        .wait("the new end is reported", |shown| shown.category == "transfer.complete" && shown.summary == "e")
        .await;
    let of_d = stage.notifications.shown().into_iter().filter(about("d")).count();
    assert_eq!(of_d, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn notification_that_was_claimed_but_not_yet_shown_is_not_repeated_after_kill() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/d.bin", Body::seeded(5, 1000));
    let ashore = stage.ashore_in_tray().await;
    // Replace the service with one that accepts calls but never answers.
    stage.notifications.leave().await;
    let silent = stage.claim_name("org.freedesktop.Notifications").await;
    let made = stage.add(origin.url("/d.bin"), "d").await;
    let client = stage.client().await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    until("a client has claimed the notification", async || {
        let owed: Vec<Registration> = client.call(&MethodCall::Owed { owner: None }).await.ok()?;
        owed.is_empty().then_some(())
    })
    .await;
    let silent = silent.asked().await;
    kill(ashore.pid());
    drop((ashore, silent));

    stage.notifications.come_back().await;
    origin.file("/e.bin", Body::seeded(6, 1000));
    let _ashore = stage.ashore_in_tray().await;
    stage.add(origin.url("/e.bin"), "e").await;
    stage
        .notifications
        .wait("the new end is reported", |shown| shown.category == "transfer.complete" && shown.summary == "e")
        .await;
    assert_eq!(stage.notifications.shown().into_iter().filter(about("d")).count(), 0, "a notification is shown only once");
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_to_open_file_from_notification_is_explained_in_window() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/letter.pdf", Body::bytes("a letter"));
    let page = WindowPage::open(&stage).await;
    stage.look_back().await;
    stage.look_away().await;
    stage.add(origin.url("/letter.pdf"), "letter.pdf").await;
    let done = stage.notifications.wait("it is done", |shown| shown.category == "transfer.complete").await;
    let letter = stage.downloads().join("letter.pdf");
    std::fs::remove_file(&letter).unwrap();
    stage.press(done.id, "open", async || (stage.windows() == 1).then_some(())).await;
    let why = format!("{} no longer exists. The file was moved or deleted.", letter.display());
    page.text_of("[data-testid='notice'][role='alert'] p", "why it is not opened", |text| text == why).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_pending_notifications_are_sent_as_one() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    stage.notifications.leave().await;
    let ashore = stage.ashore_in_tray().await;
    for (path, title) in [("/f.bin", "f"), ("/g.bin", "g"), ("/h.bin", "<b>h</b> & more.bin")] {
        origin.file(path, Body::seeded(5, 1000));
        let made = stage.add(origin.url(path), title).await;
        stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    }
    kill(ashore.pid());
    drop(ashore);
    stage.notifications.come_back().await;
    let _ashore = stage.ashore_in_tray().await;
    let told = stage.notifications.wait("all ends are reported together", |shown| shown.summary == "3 downloads finished").await;
    assert_eq!(stage.notifications.shown().len(), 1, "{told:?}");
    assert!(told.body.contains("&lt;b&gt;h&lt;/b&gt; &amp; more.bin"), "what would be markup is shown as it is: {told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn notification_button_retries_download_after_restart_of_ashore() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/gone.pdf", Body::seeded(5, MIB)).status(404);
    let ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/gone.pdf"), "gone").await;
    let failed = stage.notifications.wait("the failure is reported", |shown| shown.category == "transfer.error").await;
    let (held, _, progress) = held_with_progress(&stage, &origin, "/held.bin", "held").await;
    // The id of the notification is stored slightly after the notification appears.
    until("it is remembered", async || {
        let text = std::fs::read_to_string(stage.data().join("notifications.json")).ok()?;
        text.contains(&format!("\"{}\"", progress.id)).then_some(())
    })
    .await;
    kill(ashore.pid());
    drop((ashore, route.honest()));

    let _ashore = stage.ashore_in_tray().await;
    stage.notifications.closed(progress.id).await;
    let is_mended = async || stage.is(&made, |now| now.result == RegistrationResult::Success).await;
    stage.press(failed.id, "retry", is_mended).await;
    let told = stage.notifications.wait("the new end is reported", |shown| shown.category == "transfer.complete").await;
    assert_eq!(told.summary, "gone");
    held.release();
}

/// Background Fetch dispatches `backgroundfetchclick` to the program that owns the registration of the notification.
#[tokio::test(flavor = "multi_thread")]
async fn notification_click_is_dispatched_to_clients_of_the_owner() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    let client = stage.client().await;
    let (own, foreign) = (client.acting_for("window").unwrap(), client.acting_for("feeds").unwrap());
    let (own, foreign) = (clicks(own.events().await.unwrap()), clicks(foreign.events().await.unwrap()));
    let (route, made, progress) = held_with_progress(&stage, &origin, "/film.mkv", "film").await;
    let is_told_often = async |least: usize| (own.borrow().len() >= least).then_some(());
    let is_told_and_open = async || is_told_often(1).await.filter(|()| stage.windows() == 1);
    stage.press(progress.id, "default", is_told_and_open).await;
    // The click has opened the window. Notifications are suppressed while the window has the focus, so remove the
    // focus.
    stage.look_away().await;
    route.release();
    let done = stage.notifications.wait("it is done", |shown| shown.category == "transfer.complete").await;
    let before = own.borrow().len();
    stage.press(done.id, "default", async || is_told_often(before + 1).await).await;
    assert!(own.borrow().iter().all(|id| *id == made.unique_id));
    assert!(foreign.borrow().is_empty(), "a client of another owner gets no event");
}

/// Collects the ids of the registrations in click events.
fn clicks(mut events: ClientEvents) -> watch::Receiver<Vec<UniqueId>> {
    let (told, clicked) = watch::channel(Vec::new());
    tokio::spawn(async move {
        while let Some(event) = events.next().await {
            if let EngineEvent::Clicked { registration } = event {
                told.send_modify(|all| all.push(registration.unique_id));
            }
        }
    });
    clicked
}

/// Any program on the session bus can guess a notification id and forge a signal with it. The forged signal can be sent
/// to one connection or to all.
#[tokio::test(flavor = "multi_thread")]
async fn notification_action_from_another_peer_is_ignored() {
    const PATH: &str = "/org/freedesktop/Notifications";
    const NAME: &str = "org.freedesktop.Notifications";
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    let (route, made, shown) = held_with_progress(&stage, &origin, "/film.mkv", "film").await;

    let intruder = stage.bus().await;
    let daemon = zbus::fdo::DBusProxy::new(&intruder).await.unwrap();
    let names = daemon.list_names().await.unwrap();
    let unique = names.iter().filter(|name| name.starts_with(':')).map(|name| Some(name.as_str()));
    for recipient in unique.chain([None]) {
        for id in 0..shown.id + 10 {
            intruder.emit_signal(recipient, PATH, NAME, "ActionInvoked", &(id, "cancel")).await.unwrap();
            intruder.emit_signal(recipient, PATH, NAME, "NotificationClosed", &(id, 2_u32)).await.unwrap();
        }
    }
    // Messages on this connection keep their order. So when the real service's signal arrives, all forged signals have
    // arrived before it.
    stage.press(shown.id, "pause", async || stage.is(&made, |now| now.state == RegistrationState::Paused).await).await;
    let now = stage.registration(&made, "it is still there", |now| now.state == RegistrationState::Paused).await;
    assert_eq!(now.result, RegistrationResult::None);
    route.release();
}

/// All notifications share one bus connection.
#[tokio::test(flavor = "multi_thread")]
async fn number_of_open_files_does_not_grow_with_notifications() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let ashore = stage.ashore_in_tray().await;
    let (held, ..) = held_with_progress(&stage, &origin, "/held.bin", "held").await;
    let sockets = || {
        let folder = std::fs::read_dir(format!("/proc/{}/fd", ashore.pid())).unwrap();
        let links = folder.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
        links.filter(|link| link.to_string_lossy().starts_with("socket:")).count()
    };
    let mut counts = Vec::new();
    for number in 0..12 {
        let (path, title) = (format!("/gone{number}.bin"), format!("gone {number}"));
        origin.file(&path, Body::seeded(5, 1000)).status(404);
        stage.add(origin.url(&path), &title).await;
        // From the fifth failure on, one summary replaces the separate notifications.
        let digest = format!("{} downloads failed", number + 1);
        stage.notifications.wait("the failure is reported", |shown| shown.summary == title || shown.summary == digest).await;
        counts.push(sockets());
    }
    // The number of connections to servers and clients varies slightly.
    assert!(counts[11] < counts[0] + 6, "sockets after each notification: {counts:?}");
    held.release();
}
