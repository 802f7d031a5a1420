//! Title, text and buttons of each notification, in the user's language. `live_notification.rs` shows them. [pure, except
//! for the language]

use std::path::PathBuf;

use ashore_engine::{FailureReason, Registration, RegistrationResult, RegistrationState};
use ashore_messages::{current, text};
use url::Url;

use crate::i18n::plain_text::plain;

/// Button of a notification, or a click on the notification itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotificationAction {
    /// Click on the notification: bring the window forward and select the registration.
    Window,
    /// Bring the window forward and show all details of the registration.
    Details,
    /// Pause the registration.
    Pause,
    /// Resume the registration.
    Resume,
    /// Abort the registration.
    Cancel,
    /// Open the file.
    Open,
    /// Show the file in its folder.
    Folder,
    /// Retry the failed files.
    Retry,
    /// Cancel the power action.
    StayOn,
}

impl NotificationAction {
    const BUTTONS: [(Self, &str, &str); 9] = [
        (Self::Window, "default", "note-show"),
        (Self::Details, "details", "note-details"),
        (Self::Pause, "pause", "action-pause"),
        (Self::Resume, "resume", "action-resume"),
        (Self::Cancel, "cancel", "action-cancel"),
        (Self::Open, "open", "action-open"),
        (Self::Folder, "folder", "action-show-in-folder"),
        (Self::Retry, "retry", "action-retry"),
        (Self::StayOn, "stay-on", "afterwards-stay"),
    ];

    /// Returns the key and the label of the action.
    pub fn action(self) -> (&'static str, String) {
        let found = Self::BUTTONS.iter().find(|(press, ..)| *press == self);
        let (key, label) = found.map_or(("default", "note-show"), |(_, key, label)| (key, label));
        (key, text!(label))
    }

    /// Returns the action that has this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::BUTTONS.iter().find(|(_, known, _)| *known == key).map(|(press, ..)| *press)
    }
}

/// Kind of a notification. A dismissed notification reappears only if its kind changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotificationKind {
    /// Registration that transfers bytes.
    Running,
    /// Registration that waits and continues by itself.
    Waiting,
    /// Registration that continues only after the user resumes it.
    Paused,
    /// Registration that succeeded. Optional files may be missing.
    Done,
    /// Registration that failed.
    Failed,
    /// Notice about Ashore itself, or about several registrations.
    News,
    /// Result of several registrations, shown when the last of them has ended.
    AllDone,
    /// Countdown until the machine sleeps or shuts down.
    Countdown,
}

impl NotificationKind {
    /// Returns whether the registration is not settled yet.
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::Running | Self::Waiting | Self::Paused)
    }

    /// Returns whether the text becomes wrong when Ashore exits. If so, the notification must close at that time.
    pub fn goes_with_ashore(self) -> bool {
        self.is_under_way() || self == Self::Countdown
    }

    /// Returns the category that the Desktop Notifications Specification defines for this kind.
    pub fn category(self) -> &'static str {
        match self {
            Self::Running | Self::Waiting | Self::Paused | Self::News => "transfer",
            Self::Done => "transfer.complete",
            Self::Failed => "transfer.error",
            Self::AllDone => "x-ashore.all-done",
            Self::Countdown => "x-ashore.countdown",
        }
    }
}

/// Content of a notification, independent of the desktop. All text is plain: no markup, no invisible characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationText {
    /// Kind of subject.
    pub kind: NotificationKind,
    /// Name by which the desktop groups notifications. Each owner has its own group.
    pub group: String,
    /// The title.
    pub summary: String,
    /// Text below the title.
    pub body: String,
    /// Icon of the registration; `None` for the icon of Ashore.
    pub icon: Option<PathBuf>,
    /// Progress in percent.
    pub value: Option<u8>,
    /// Buttons from left to right.
    pub buttons: Vec<NotificationAction>,
}

/// Returns the notification text for an unsettled registration. `speed_now` is in bytes per second.
pub fn under_way(registration: &Registration, speed_now: u64) -> NotificationText {
    let uploads = registration.uploaded < registration.upload_total;
    let (there, whole) = amounts(registration);
    let amount = match whole {
        0 => current().size(there),
        whole => current().part(there, whole),
    };
    let (kind, buttons) = match registration.state {
        RegistrationState::Paused => (NotificationKind::Paused, vec![NotificationAction::Resume, NotificationAction::Cancel]),
        RegistrationState::Waiting => (NotificationKind::Waiting, vec![NotificationAction::Pause, NotificationAction::Cancel]),
        RegistrationState::Running | RegistrationState::Settled => {
            (NotificationKind::Running, vec![NotificationAction::Pause, NotificationAction::Cancel])
        }
    };
    let mut parts = Vec::new();
    match kind {
        NotificationKind::Paused => parts.push(text!("row-paused")),
        NotificationKind::Waiting => {
            let why = registration.waiting_for.as_ref().map(|message| plain(&message.localized()));
            let why = why.unwrap_or_else(|| text!("row-waits"));
            parts.push(why.trim_end_matches(['.', '。', '।']).to_owned());
        }
        _ => {}
    }
    if registration.requests > 1 {
        parts.push(text!("files-of", done = registration.succeeded, count = registration.requests));
    }
    parts.push(if uploads { text!("note-sent", amount = amount) } else { amount });
    if kind == NotificationKind::Running && speed_now > 0 {
        parts.push(current().speed(speed_now));
        parts.extend(current().time_left(whole.saturating_sub(there), speed_now).filter(|_| whole > 0));
    }
    parts.extend(origin(registration));
    NotificationText { kind, body: parts.join(" · "), value: percent(there, whole), buttons, ..about(registration) }
}

/// Returns the notification text for a settled registration.
///
/// Returns `None` if the user aborted the registration, because that result is already known.
pub fn settled(registration: &Registration) -> Option<NotificationText> {
    if registration.failure_reason == FailureReason::Aborted {
        return None;
    }
    let single = registration.requests == 1;
    if registration.result == RegistrationResult::Failure {
        let why = registration.failure.as_ref().map(|message| plain(&message.localized()));
        let why = why.unwrap_or_else(|| text!("note-failed"));
        let several = |why: String| text!("note-files-failed", count = registration.failed, why = why);
        let body = if single { why } else { several(why) };
        let buttons = vec![NotificationAction::Retry, NotificationAction::Details];
        return Some(NotificationText { kind: NotificationKind::Failed, body, buttons, ..about(registration) });
    }
    let mut parts = vec![text!("note-done")];
    parts.extend((!single).then(|| text!("n-files", count = registration.succeeded)));
    parts.push(current().size(registration.downloaded));
    parts.extend((registration.failed > 0).then(|| text!("note-files-left-out", count = registration.failed)));
    parts.extend(origin(registration));
    // A button that opens the file exists only for a single file.
    let buttons =
        if single { vec![NotificationAction::Open, NotificationAction::Folder] } else { vec![NotificationAction::Folder] };
    Some(NotificationText { kind: NotificationKind::Done, body: parts.join(" · "), buttons, ..about(registration) })
}

/// Counters for one notification about several settled registrations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndTally {
    done: usize,
    failed: usize,
    /// Titles of the three succeeded registrations that were added first.
    titles: Vec<String>,
    /// Titles of the three failed registrations that were added first.
    failed_titles: Vec<String>,
}

impl EndTally {
    /// Adds a registration.
    pub fn add(&mut self, registration: &Registration) {
        let (count, titles) = match registration.result {
            RegistrationResult::Failure => (&mut self.failed, &mut self.failed_titles),
            _ => (&mut self.done, &mut self.titles),
        };
        *count += 1;
        if titles.len() < 3 {
            titles.push(plain(&registration.title));
        }
    }

    pub fn count(&self) -> usize {
        self.done + self.failed
    }
}

/// Returns the text of one notification for several settled registrations. Names the failed ones if there are any.
pub fn digest(tally: &EndTally) -> NotificationText {
    let EndTally { done, failed, titles, failed_titles } = tally;
    let finished = || text!("note-many-finished", count = *done);
    match (done, failed) {
        (_, 0) => news(finished(), named(titles, *done)),
        (0, _) => news(text!("note-many-failed", count = *failed), named(failed_titles, *failed)),
        _ => news(text!("note-many-failed", count = *failed), [named(failed_titles, *failed), finished()].join(" · ")),
    }
}

/// Returns the first titles of `count` registrations, and the number of the others.
fn named(titles: &[String], count: usize) -> String {
    let others = count - titles.len();
    let more = (others > 0).then(|| text!("note-and-more", count = others));
    titles.iter().cloned().chain(more).collect::<Vec<_>>().join(", ")
}

/// Returns the text of one notification for several running registrations. `speed_now` is their total speed in bytes per
/// second.
pub fn several_under_way(registrations: &[&Registration], speed_now: u64) -> NotificationText {
    let (mut there, mut whole, mut is_known) = (0_u64, 0_u64, true);
    for registration in registrations {
        let (of_it, whole_of_it) = amounts(registration);
        there = there.saturating_add(of_it);
        // A server may claim any size.
        whole = whole.saturating_add(whole_of_it);
        is_known &= whole_of_it > 0;
    }
    let mut parts = vec![if is_known { current().part(there, whole) } else { current().size(there) }];
    if speed_now > 0 {
        parts.push(current().speed(speed_now));
        parts.extend(current().time_left(whole.saturating_sub(there), speed_now).filter(|_| is_known));
    }
    let value = percent(there, whole).filter(|_| is_known);
    let summary = text!("note-many-running", count = registrations.len());
    NotificationText { kind: NotificationKind::Running, value, ..news(summary, parts.join(" · ")) }
}

/// Returns the number of transferred bytes, and the total number of bytes. The total is 0 if it is unknown.
fn amounts(registration: &Registration) -> (u64, u64) {
    match registration.uploaded < registration.upload_total {
        true => (registration.uploaded, registration.upload_total),
        false => (registration.downloaded, registration.expected_total.max(registration.download_total)),
    }
}

/// Returns the notification text for the end of several registrations.
pub fn all_done(done: usize, failed: usize) -> NotificationText {
    let (summary, body) = match failed {
        0 => (text!("note-all-done"), text!("note-all-done.body", count = done)),
        _ => (text!("note-all-ended"), text!("note-all-ended.body", count = done, failed = failed)),
    };
    NotificationText { kind: NotificationKind::AllDone, ..news(summary, body) }
}

/// Returns the notification text of a countdown. `what` is the title.
pub fn countdown(what: String) -> NotificationText {
    let note = news(what, text!("afterwards-why"));
    NotificationText { kind: NotificationKind::Countdown, buttons: vec![NotificationAction::StayOn], ..note }
}

/// Returns the text of the notification that appears when the user closes the window for the first time.
pub fn goes_on_in_tray() -> NotificationText {
    news(text!("note-in-tray"), text!("note-in-tray.body"))
}

fn news(summary: String, body: String) -> NotificationText {
    let group = group_of("window");
    NotificationText { kind: NotificationKind::News, group, summary, body, icon: None, value: None, buttons: Vec::new() }
}

fn about(registration: &Registration) -> NotificationText {
    // Accept only a local path, because the desktop would download a web address.
    let icon = registration.icon.clone().filter(|path| path.is_absolute());
    let group = group_of(&registration.owner);
    let title = plain(&registration.title);
    NotificationText {
        kind: NotificationKind::Running,
        // If the title has no visible characters, use the owner instead.
        summary: if title.is_empty() { group.clone() } else { title },
        group,
        body: String::new(),
        icon,
        value: None,
        buttons: Vec::new(),
    }
}

/// Returns the host of the web page that caused a download. A notification shows the host because the page chose the title,
/// which may be misleading.
///
/// Letters outside of ASCII are encoded (RFC 3492), so that none of them can look like an ASCII letter.
fn origin(registration: &Registration) -> Option<String> {
    Url::parse(registration.page.as_deref()?).ok()?.host_str().map(str::to_owned)
}

fn group_of(owner: &str) -> String {
    match owner {
        "window" => "Ashore".to_owned(),
        "command-line" => text!("note-group-command-line"),
        other => text!("note-group", owner = plain(other)),
    }
}

fn percent(there: u64, whole: u64) -> Option<u8> {
    let percent = u128::from(there) * 100 / u128::from(whole).max(1);
    (whole > 0).then(|| u8::try_from(percent.min(100)).unwrap_or(100))
}

#[cfg(test)]
pub mod tests {
    use ashore_engine::{FileCategory, GateCode, GateReport, GateState, RequestSource, UniqueId, UserMessage};
    use ashore_messages::message;

    use super::*;

    /// Returns a running registration.
    pub fn registration() -> Registration {
        Registration {
            unique_id: "6a2ab1c0-1111-4222-8333-444455556666".parse::<UniqueId>().unwrap(),
            developer_id: "d".to_owned(),
            owner: "window".to_owned(),
            title: "Debian 13\n<b>set</b>".to_owned(),
            description: String::new(),
            icon: None,
            icons: Vec::new(),
            state: RegistrationState::Running,
            result: RegistrationResult::None,
            failure_reason: FailureReason::None,
            failure: None,
            downloaded: 3_100_000_000,
            download_total: 0,
            expected_total: 4_200_000_000,
            uploaded: 0,
            upload_total: 0,
            records_available: true,
            event_number: 0,
            requests: 4,
            has_more: false,
            unmeasured: false,
            succeeded: 3,
            failed: 0,
            active: 1,
            urgent: false,
            rank: 0,
            next_try: None,
            waiting_for: None,
            path: None,
            folder: "/home/a/Downloads".into(),
            category: FileCategory::Program,
            source: RequestSource::Window,
            page: None,
            awaited_link: None,
            created: 0,
            first_enqueued: 0,
            last_updated: 0,
            settled: None,
            expires: None,
        }
    }

    /// Returns a gate that is closed for the reason in `message`.
    pub fn closed_gate(code: GateCode, message: UserMessage) -> GateReport {
        let UserMessage { variant, args, text, .. } = message;
        GateReport { code, state: GateState::Closed, variant, args, text, cause: String::new(), cause_message: None, until: None }
    }

    #[test]
    fn running_notification_has_progress_and_two_buttons() {
        let note = under_way(&registration(), 11_400_000);
        assert_eq!(note.summary, "Debian 13 <b>set</b>");
        assert_eq!(note.body, "3 of 4 files · 3.1 of 4.2 GB · 11.4 MB/s · 2 min left");
        assert_eq!((note.kind, note.value), (NotificationKind::Running, Some(73)));
        assert_eq!(note.buttons, [NotificationAction::Pause, NotificationAction::Cancel]);
        let unknown = Registration { expected_total: 0, requests: 1, ..registration() };
        let note = under_way(&unknown, 0);
        assert_eq!((note.body.as_str(), note.value), ("3.1 GB", None));
    }

    #[test]
    fn upload_notification_shows_number_of_sent_bytes() {
        let upload = Registration { uploaded: 5, upload_total: 10, downloaded: 0, requests: 1, ..registration() };
        let note = under_way(&upload, 0);
        assert_eq!((note.body.as_str(), note.value), ("5 of 10 B sent", Some(50)));
    }

    #[test]
    fn notification_of_unsettled_registration_shows_reason_or_offers_resume() {
        let note = under_way(&Registration { state: RegistrationState::Paused, requests: 1, ..registration() }, 5);
        assert_eq!(note.body, "Paused · 3.1 of 4.2 GB");
        assert_eq!(note.buttons, [NotificationAction::Resume, NotificationAction::Cancel]);
        let why = Some(message!("timeout"));
        let waiting = Registration { state: RegistrationState::Waiting, waiting_for: why, requests: 1, ..registration() };
        assert_eq!(under_way(&waiting, 5).body, "The server stopped answering. Try again later · 3.1 of 4.2 GB");
    }

    #[test]
    fn notification_of_settled_registration_shows_result_and_has_matching_buttons() {
        let over = Registration { state: RegistrationState::Settled, result: RegistrationResult::Success, ..registration() };
        let one = settled(&Registration { requests: 1, succeeded: 1, ..over.clone() }).unwrap();
        assert_eq!((one.body.as_str(), one.kind), ("Download complete · 3.1 GB", NotificationKind::Done));
        assert_eq!(one.buttons, [NotificationAction::Open, NotificationAction::Folder]);
        let many = settled(&Registration { succeeded: 3, failed: 1, ..over.clone() }).unwrap();
        assert_eq!(many.body, "Download complete · 3 files · 3.1 GB · 1 file left out");
        assert_eq!(many.buttons, [NotificationAction::Folder]);
        let bad = Registration {
            result: RegistrationResult::Failure,
            failure_reason: FailureReason::BadStatus,
            failure: Some(message!("bad-status.gone")),
            failed: 2,
            ..over
        };
        let failed = settled(&bad).unwrap();
        assert_eq!(failed.body, "2 files failed: File not found on the server. Try a new link.");
        assert_eq!(
            (failed.kind, failed.buttons),
            (NotificationKind::Failed, vec![NotificationAction::Retry, NotificationAction::Details])
        );
    }

    #[test]
    fn aborted_registration_has_no_notification() {
        let aborted =
            Registration { result: RegistrationResult::Failure, failure_reason: FailureReason::Aborted, ..registration() };
        assert_eq!(settled(&aborted), None);
    }

    #[test]
    fn summary_shows_number_of_successes_and_failures() {
        let done = Registration { result: RegistrationResult::Success, title: "a".to_owned(), ..registration() };
        let failed = Registration { result: RegistrationResult::Failure, ..done.clone() };
        let told = |registrations: &[&Registration]| {
            let mut tally = EndTally::default();
            registrations.iter().for_each(|one| tally.add(one));
            digest(&tally)
        };
        assert_eq!(told(&[&done, &done]).summary, "2 downloads finished");
        assert_eq!(told(&[&failed, &failed]).summary, "2 downloads failed");
        assert_eq!(told(&[&done, &done, &done, &done]).body, "a, a, a, and 1 more");
        let failed = Registration { title: "gone".to_owned(), ..failed };
        let note = told(&[&done, &done, &done, &done, &failed]);
        assert_eq!((note.summary.as_str(), note.body.as_str()), ("1 download failed", "gone · 4 downloads finished"));
    }

    #[test]
    fn summary_of_running_downloads_shows_their_total() {
        let one = Registration { downloaded: 1_000_000, expected_total: 2_000_000, ..registration() };
        let note = several_under_way(&[&one, &one, &one], 500_000);
        assert_eq!((note.summary.as_str(), note.value), ("3 downloads running", Some(50)));
        assert_eq!(note.body, "3.0 of 6 MB · 500 kB/s · 6 s left");
        let unknown = Registration { expected_total: 0, ..one.clone() };
        let note = several_under_way(&[&one, &unknown], 0);
        assert_eq!((note.body.as_str(), note.value), ("2 MB", None));
    }

    #[test]
    fn all_done_notification_has_its_own_category() {
        let note = all_done(30, 0);
        assert_eq!((note.summary.as_str(), note.kind.category()), ("All downloads complete", "x-ashore.all-done"));
        assert_eq!(all_done(29, 1).body, "29 finished, 1 failed. The list shows the reasons.");
    }

    #[test]
    fn notification_is_grouped_by_owner_and_shows_no_remote_icon() {
        let owned = |owner: &str| under_way(&Registration { owner: owner.to_owned(), ..registration() }, 0).group;
        assert_eq!(["window", "command-line", "feeds\n"].map(owned), ["Ashore", "Ashore - command line", "Ashore - feeds"]);
        let remote = Registration { icon: Some("https://a.example/i.png".into()), ..registration() };
        assert_eq!(under_way(&remote, 0).icon, None);
    }

    #[test]
    fn notification_of_browser_download_shows_host_of_page_in_ascii() {
        // The first letter of the host is Cyrillic.
        let page = Some("https://user@\u{430}pple.com/\u{202e}list".to_owned());
        let registration = Registration { page, ..registration() };
        assert!(under_way(&registration, 0).body.ends_with(" · xn--pple-43d.com"));
        let done = Registration { state: RegistrationState::Settled, result: RegistrationResult::Success, ..registration };
        assert!(settled(&done).unwrap().body.ends_with(" · xn--pple-43d.com"));
    }

    #[test]
    fn every_notification_button_is_found_by_its_key() {
        for (press, key, _) in NotificationAction::BUTTONS {
            assert_eq!((press.action().0, NotificationAction::from_key(key)), (key, Some(press)));
        }
        assert_eq!(NotificationAction::from_key("rm -rf"), None);
    }
}
