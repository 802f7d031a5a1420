//! Texts for users about a registration or a record, in their language. [pure]

use std::time::Duration;

use ashore_engine::{
    BootstrapState, BootstrapStatus, BootstrapStep, CounterMismatch, FailureReason, GateCode, GateReport, GateState,
    MiscountKind, RecordOutcome, RecordState, RecordedMissingGuarantee, RecordedRestart, RecordedRestartReason,
    RecordedVerification, Registration, RegistrationResult, RegistrationState, RequestAttempt, ResponseRecord, UserMessage,
};
use ashore_messages::{MessageArgument, current};
use ashore_terminal::clean;
use jiff::{Timestamp, tz::TimeZone};

use crate::output::words::{left, sentence, width, words};

/// Text between two parts of a line.
pub const BETWEEN: &str = " - ";

/// State of a registration or a record; users see one word for each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownState {
    Pending,
    Running,
    Waiting,
    Paused,
    Done,
    Aborted,
    Failed,
}

impl ShownState {
    const ALL: [Self; 7] = [Self::Pending, Self::Running, Self::Waiting, Self::Paused, Self::Done, Self::Aborted, Self::Failed];

    /// Returns the word for the state.
    pub fn word(self) -> String {
        words!(match self {
            Self::Pending => "cli-state.pending",
            Self::Running => "cli-state.running",
            Self::Waiting => "cli-state.waiting",
            Self::Paused => "cli-state.paused",
            Self::Done => "cli-state.done",
            Self::Aborted => "cli-state.aborted",
            Self::Failed => "cli-state.failed",
        })
    }

    /// Returns the word, padded to the column width.
    pub fn column(self, head: &str) -> String {
        left(&self.word(), Self::width(head))
    }

    /// Returns the width of a column that fits every state and `head`.
    pub fn width(head: &str) -> usize {
        let all = Self::ALL.map(Self::word);
        width(all.iter().map(String::as_str).chain([head]), 8)
    }
}

/// Returns the state of a registration.
pub fn state(registration: &Registration) -> ShownState {
    match (registration.state, registration.result) {
        (RegistrationState::Running, _) => ShownState::Running,
        (RegistrationState::Waiting, _) => ShownState::Waiting,
        (RegistrationState::Paused, _) => ShownState::Paused,
        (RegistrationState::Settled, RegistrationResult::Success) => ShownState::Done,
        (RegistrationState::Settled, _) if registration.failure_reason == FailureReason::Aborted => ShownState::Aborted,
        (RegistrationState::Settled, _) => ShownState::Failed,
    }
}

/// Returns the total size of all response bodies in bytes, if it is known.
pub fn total(registration: &Registration) -> Option<u64> {
    let known = registration.expected_total.max(registration.download_total);
    (known > 0).then_some(known)
}

/// Returns the progress in percent, as in `41 %`.
///
/// The percentage counts bytes, or files if the sizes are not known.
pub fn share(registration: &Registration) -> String {
    let is_over = registration.state == RegistrationState::Settled;
    let (part, whole) = match total(registration) {
        Some(total) if !is_over || keeps_partial_file(registration) => (registration.downloaded, total),
        // Count files, because the length of a failed file may be unknown.
        _ => (u64::from(registration.succeeded), u64::from(registration.requests)),
    };
    let percent = if registration.result == RegistrationResult::Success {
        100
    } else if whole == 0 {
        0
    } else {
        // Round down, so that 100 % is shown only for a complete download.
        u64::try_from(u128::from(part) * 100 / u128::from(whole)).unwrap_or(99).min(99)
    };
    words!("percent", percent = percent)
}

/// Returns whether a failed download of one file keeps a partial file that a retry continues.
///
/// A complete file with a wrong checksum is not kept, and an abort deletes the partial file.
pub fn keeps_partial_file(registration: &Registration) -> bool {
    let is_incomplete = total(registration).is_none_or(|total| registration.downloaded < total);
    state(registration) == ShownState::Failed && registration.requests == 1 && registration.downloaded > 0 && is_incomplete
}

/// Formats a number of bytes with a unit.
pub fn size(bytes: u64) -> String {
    clean(&current().size(bytes))
}

/// Formats a part of a number of bytes, such as "3.1 of 4.2 GB".
pub fn part(bytes: u64, whole: u64) -> String {
    clean(&current().part(bytes, whole))
}

/// Returns the progress in one line: files, bytes, speed, time left, or the reason why the download waits.
pub fn progress(registration: &Registration, speed: u64, is_all_paused: bool) -> String {
    progress_parts(registration, speed, is_all_paused).join(BETWEEN)
}

/// Returns the parts of [`progress`]. Each part is short, except the reason why the download waits.
pub fn progress_parts(registration: &Registration, speed: u64, is_all_paused: bool) -> Vec<String> {
    let mut parts = Vec::new();
    if registration.requests > 1 {
        parts.push(words!("files-of", done = registration.succeeded, count = registration.requests));
    }
    if registration.failed > 0 && registration.requests > 1 {
        parts.push(words!("row-failed-files", count = registration.failed));
    }
    match total(registration) {
        Some(total) => parts.push(part(registration.downloaded, total)),
        // Omit the amount of a download of unknown size that has not received a byte and is not running.
        None if registration.downloaded == 0 && registration.state != RegistrationState::Running => {}
        None => parts.push(size(registration.downloaded)),
    }
    match registration.state {
        RegistrationState::Running => {
            if registration.upload_total > 0 && registration.uploaded < registration.upload_total {
                parts.push(words!("note-sent", amount = part(registration.uploaded, registration.upload_total)));
            }
            if speed > 0 {
                parts.push(clean(&current().speed(speed)));
                let left = total(registration).map_or(0, |total| total.saturating_sub(registration.downloaded));
                parts.extend((left > 0).then(|| current().time_left(left, speed)).flatten());
            }
        }
        RegistrationState::Waiting if is_all_paused => parts.push(words!("cli-everything-paused")),
        RegistrationState::Waiting => parts.push(match (&registration.waiting_for, registration.next_try) {
            (Some(message), Some(due)) => words!("cli-next-try", why = with_cure(message), time = clock(due)),
            (Some(message), None) => with_cure(message),
            (None, _) => words!("cli-queued"),
        }),
        RegistrationState::Paused | RegistrationState::Settled => parts.push(state(registration).word()),
    }
    parts
}

/// Returns a sentence of the engine, followed by the command or setting that solves the problem.
pub fn with_cure(message: &UserMessage) -> String {
    let text = sentence(message);
    let how = match (message.code.as_str(), message.variant.as_deref()) {
        ("bad-status", Some("sign-in")) => "`ashore sign-in`",
        ("paused", _) => "`ashore resume`",
        ("quota" | "quota-reached", _) => "`ashore quota`",
        ("metered", _) => "metered = \"go\"",
        ("in-use", _) => "in-use = \"go\"",
        ("certificate-untrusted", _) => "ca-certificate",
        ("total-timeout", _) => "total-timeout-seconds",
        ("private-address", _) => "local-for-programs",
        _ => return text,
    };
    format!("{text} ({how})")
}

/// Returns one line for each gate (condition that can hold back downloads), with its state and cause.
///
/// If a gate is closed, its line names the cure too.
pub fn gates(gates: &[GateReport]) -> Vec<String> {
    let columns: Vec<_> = gates.iter().map(|gate| (gate_name(gate.code), gate_state(gate.state))).collect();
    let names = width(columns.iter().map(|(name, _)| name.as_str()), 14);
    let states = width(columns.iter().map(|(_, state)| state.as_str()), 7);
    let line = |(gate, (name, state)): (&GateReport, &(String, String))| {
        let text = if gate.text.is_empty() { String::new() } else { format!(" - {}", with_cure(&gate.message())) };
        format!("{} {} ({}){text}", left(name, names), left(state, states), sentence(&gate.cause()))
    };
    gates.iter().zip(&columns).map(line).collect()
}

fn gate_name(code: GateCode) -> String {
    words!(match code {
        GateCode::Bootstrap => "cli-gate.bootstrap",
        GateCode::Paused => "cli-gate.paused",
        GateCode::Asleep => "cli-gate.asleep",
        GateCode::Hours => "cli-gate.hours",
        GateCode::Offline => "cli-gate.offline",
        GateCode::CaptivePortal => "cli-gate.captive-portal",
        GateCode::Metered => "cli-gate.metered",
        GateCode::Battery => "cli-gate.battery",
        GateCode::InUse => "cli-gate.in-use",
        GateCode::Disk => "cli-gate.disk",
        GateCode::Folder => "cli-gate.folder",
        GateCode::Quota => "cli-gate.quota",
    })
}

fn gate_state(state: GateState) -> String {
    words!(match state {
        GateState::Open => "cli-gate-state.open",
        GateState::Closed => "cli-gate-state.closed",
        GateState::Unknown => "cli-gate-state.unknown",
    })
}

/// Returns the word for the state of a record.
pub fn record_state(record: &ResponseRecord) -> ShownState {
    match (record.state, record.outcome) {
        (_, Some(RecordOutcome::Success)) => ShownState::Done,
        (_, Some(RecordOutcome::Aborted)) | (RecordState::Aborted, _) => ShownState::Aborted,
        (_, Some(RecordOutcome::Failure)) | (RecordState::Dead | RecordState::Completed, _) => ShownState::Failed,
        (RecordState::Pending, None) => ShownState::Pending,
        (RecordState::Active, None) => ShownState::Running,
        (RecordState::Waiting, None) => ShownState::Waiting,
    }
}

/// Returns the words that describe how a finished file was checked.
pub fn checked(record: &ResponseRecord) -> String {
    match (record.verified, &record.digest) {
        (Some(RecordedVerification::ByDigest), Some(digest)) => {
            words!("cli-checked.digest", kind = digest.split_once('=').map_or(digest.as_str(), |(name, _)| name))
        }
        (Some(RecordedVerification::ByDigest), None) => words!("cli-checked.digest-of-unknown-kind"),
        (Some(RecordedVerification::OnResume), _) => words!("cli-checked.on-resume"),
        (Some(RecordedVerification::SizeUnknown), _) => words!("cli-checked.size-unknown"),
        (Some(RecordedVerification::No), _) => words!("cli-checked.unverified"),
        (None, _) => words!("cli-checked.none"),
    }
}

/// Returns one line about a finished file.
///
/// If the file system of the file cannot give a guarantee, the line says so.
pub fn finished(record: &ResponseRecord) -> String {
    let place = record.path.as_ref().map_or_else(|| words!("cli-no-file"), |path| clean(&path.display().to_string()));
    let missing: String = record.missing_guarantees.iter().map(|guarantee| format!(" {}", not_promised(*guarantee))).collect();
    format!("{place}  ({}, {}){missing}", size(record.size.unwrap_or(record.downloaded)), checked(record))
}

/// Returns a sentence about a guarantee that the file system lacks.
fn not_promised(guarantee: RecordedMissingGuarantee) -> String {
    words!(match guarantee {
        RecordedMissingGuarantee::Permissions => "about-missing-permissions",
        RecordedMissingGuarantee::Sync => "about-missing-sync",
        RecordedMissingGuarantee::FolderSync => "about-missing-folder-sync",
        RecordedMissingGuarantee::ExclusiveName => "about-missing-exclusive-name",
        RecordedMissingGuarantee::AtOnce => "about-missing-at-once",
    })
}

/// Returns one line for each step of the first start.
pub fn bootstrap(steps: &[BootstrapStatus]) -> Vec<String> {
    let names: Vec<_> = steps.iter().map(|status| step_name(status.step)).collect();
    let width = width(names.iter().map(String::as_str), 16);
    steps.iter().zip(&names).map(|(status, name)| format!("{}  {}", left(name, width), step_state(status))).collect()
}

fn step_name(step: BootstrapStep) -> String {
    words!(match step {
        BootstrapStep::DataFolder => "cli-step.data-folder",
        BootstrapStep::Ledger => "cli-step.ledger",
        BootstrapStep::Defaults => "cli-step.defaults",
        BootstrapStep::DownloadFolder => "cli-step.download-folder",
        BootstrapStep::Keychain => "cli-step.keychain",
        BootstrapStep::Notifications => "cli-step.notifications",
    })
}

fn step_state(status: &BootstrapStatus) -> String {
    let why = status.reason();
    match status.state {
        BootstrapState::Done => words!("cli-step-state.done"),
        BootstrapState::NotAvailable => words!("cli-step-state.not-available", why = why),
        BootstrapState::Failed => words!("cli-step-state.failed", why = why),
        BootstrapState::Due => words!("cli-step-state.due"),
    }
}

/// Returns one line about a counter that contradicts the downloads.
pub fn miscount(one: &CounterMismatch) -> String {
    let name = one.unique_id.map_or_else(|| one.name.clone(), |id| format!("{} ({id})", one.name));
    let id = match one.kind {
        MiscountKind::Counters => "cli-miscount.counters",
        MiscountKind::Lanes => "cli-miscount.lanes",
        MiscountKind::Usage => "cli-miscount.usage",
        MiscountKind::Name => "cli-miscount.name",
        MiscountKind::Unsettled => "cli-miscount.unsettled",
        MiscountKind::Digest => "cli-miscount.digest",
        MiscountKind::Response => "cli-miscount.response",
    };
    words!(id, name = name)
}

/// Returns one sentence about a failed file.
pub fn failed(record: &ResponseRecord) -> String {
    let text = record.message().map_or_else(|| words!("note-failed"), |message| with_cure(&message));
    let optional = if record.optional { format!(" ({})", words!("cli-optional")) } else { String::new() };
    format!("{}{optional}: {text}", clean(&record.url))
}

/// Returns one line about an attempt: start, duration, bytes received, and the reason why the attempt ended.
pub fn attempt(attempt: &RequestAttempt) -> String {
    let when =
        attempt.started.or(attempt.ended).map_or_else(String::new, |at| format!("  {}", formatted(at, "%Y-%m-%d %H:%M:%S")));
    let mut parts = Vec::new();
    if let (Some(started), Some(ended)) = (attempt.started, attempt.ended) {
        parts.push(took(ended.saturating_sub(started)));
    }
    if let Some(brought) = attempt.brought {
        parts.push(words!("attempt-brought", amount = MessageArgument::size(brought)));
    }
    if let Some(status) = attempt.status {
        parts.push(words!("attempt-status", status = status));
    }
    if let [.., last] = &attempt.url_chain[..] {
        parts.push(words!("cli-redirected", url = last));
    }
    if let Some(restart) = &attempt.restart {
        parts.push(begun_anew(restart));
    }
    parts.push(match (&attempt.trouble, attempt.ended) {
        (Some(message), _) => sentence(message),
        (None, Some(_)) => ShownState::Done.word(),
        (None, None) => words!("cli-under-way"),
    });
    format!("{}{when}  {}", words!("attempt-number", number = attempt.number), parts.join(" - "))
}

/// Returns the reason why the file was restarted, and the number of discarded bytes.
fn begun_anew(RecordedRestart { why, bytes }: &RecordedRestart) -> String {
    let id = match why {
        RecordedRestartReason::Changed => "attempt-anew-changed",
        RecordedRestartReason::NoRanges => "attempt-anew-no-ranges",
        RecordedRestartReason::Differs => "attempt-anew-differs",
        RecordedRestartReason::Gone => "attempt-anew-gone",
    };
    words!(id, amount = MessageArgument::size(*bytes))
}

fn took(milliseconds: i64) -> String {
    let time = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    match u64::from(time.subsec_millis()) {
        count if time < Duration::from_secs(1) => words!("cli-milliseconds", count = count),
        _ => clean(&current().span(time.as_secs_f64())),
    }
}

/// Formats a time in the local time zone, to the minute.
pub fn moment(milliseconds: i64) -> String {
    formatted(milliseconds, "%Y-%m-%d %H:%M")
}

fn clock(milliseconds: i64) -> String {
    formatted(milliseconds, "%H:%M:%S")
}

fn formatted(milliseconds: i64, format: &str) -> String {
    match Timestamp::from_millisecond(milliseconds) {
        Ok(time) => time.to_zoned(TimeZone::system()).strftime(format).to_string(),
        Err(_) => words!("cli-unknown-time"),
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::BTreeMap;

    use ashore_engine::{FileCategory, RequestSource, UniqueId};
    use ashore_messages::{message, text};

    use super::*;

    /// Returns a newly created registration.
    pub fn registration() -> Registration {
        Registration {
            unique_id: UniqueId("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed".parse().unwrap()),
            developer_id: "d".to_owned(),
            owner: "command-line".to_owned(),
            title: "debian.iso".to_owned(),
            description: String::new(),
            icon: None,
            icons: Vec::new(),
            state: RegistrationState::Waiting,
            result: RegistrationResult::None,
            failure_reason: FailureReason::None,
            failure: None,
            downloaded: 0,
            download_total: 0,
            expected_total: 0,
            uploaded: 0,
            upload_total: 0,
            records_available: true,
            event_number: 0,
            requests: 1,
            has_more: false,
            unmeasured: false,
            succeeded: 0,
            failed: 0,
            active: 0,
            urgent: false,
            rank: 0,
            next_try: None,
            waiting_for: None,
            path: None,
            folder: "/downloads".into(),
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

    #[test]
    fn progress_of_running_registration_fits_on_one_line() {
        let set = Registration {
            state: RegistrationState::Running,
            requests: 4,
            succeeded: 3,
            downloaded: 3_100_000_000,
            expected_total: 4_200_000_000,
            ..registration()
        };
        assert_eq!(progress(&set, 11_400_000, false), "3 of 4 files - 3.1 of 4.2 GB - 11.4 MB/s - 2 min left");
        assert_eq!(share(&set), "73 %");
    }

    #[test]
    fn failed_single_file_keeps_its_percentage() {
        let failed = Registration {
            state: RegistrationState::Settled,
            result: RegistrationResult::Failure,
            failure_reason: FailureReason::FetchError,
            failed: 1,
            downloaded: 10_190_000,
            expected_total: 21_000_000,
            ..registration()
        };
        assert_eq!((share(&failed).as_str(), keeps_partial_file(&failed)), ("48 %", true));
        let aborted = Registration { failure_reason: FailureReason::Aborted, ..failed.clone() };
        assert_eq!((share(&aborted).as_str(), keeps_partial_file(&aborted)), ("0 %", false));
        assert!(!keeps_partial_file(&Registration { downloaded: 21_000_000, ..failed.clone() }), "the checksum is wrong");
        assert!(!keeps_partial_file(&Registration { requests: 2, ..failed }));
    }

    #[test]
    fn waiting_registration_is_shown_with_reason_for_waiting() {
        let queued = registration();
        assert_eq!(progress(&queued, 0, false), "waiting in the queue");
        assert!(progress(&queued, 0, true).contains("`ashore resume`"));
        let later = Registration { waiting_for: Some(message!("dns")), next_try: Some(1_000), ..registration() };
        let text = format!("{} Next try at ", message!("dns"));
        assert!(progress(&later, 0, false).contains(&text));
    }

    #[test]
    fn line_about_attempt_shows_bytes_and_duration_and_failure_reason() {
        let cut = RequestAttempt {
            number: 2,
            started: Some(0),
            ended: Some(65_000),
            status: None,
            brought: Some(300_000),
            bytes: 500_000,
            url_chain: Vec::new(),
            trouble: Some(message!("reset")),
            is_final: false,
            restart: None,
        };
        let line = attempt(&cut);
        assert!(line.ends_with("  1 min - 300 kB received - The connection was cut. Try again later."), "{line}");
        let old = RequestAttempt { started: None, brought: None, status: Some(503), ..cut.clone() };
        let line = attempt(&old);
        assert!(line.ends_with(":05  the server answered 503 - The connection was cut. Try again later."), "{line}");
        let sent_on = RequestAttempt { url_chain: ["http://a/", "http://b/\u{1b}"].map(str::to_owned).to_vec(), ..cut.clone() };
        assert!(
            attempt(&sent_on).ends_with(" received - redirected to http://b/\u{fffd} - The connection was cut. Try again later."),
            "{}",
            attempt(&sent_on)
        );
        let anew = |why| attempt(&RequestAttempt { restart: Some(RecordedRestart { why, bytes: 900_000 }), ..cut.clone() });
        for (why, text) in [
            (RecordedRestartReason::Changed, text!("attempt-anew-changed", amount = "900 kB")),
            (RecordedRestartReason::NoRanges, text!("attempt-anew-no-ranges", amount = "900 kB")),
            (RecordedRestartReason::Differs, text!("attempt-anew-differs", amount = "900 kB")),
            (RecordedRestartReason::Gone, text!("attempt-anew-gone", amount = "900 kB")),
        ] {
            let end = format!(" received - {text} - The connection was cut. Try again later.");
            assert!(anew(why).ends_with(&end), "{}", anew(why));
        }
        assert!(
            attempt(&RequestAttempt { ended: None, trouble: None, ..cut.clone() }).ends_with("300 kB received - in progress")
        );
        assert!(attempt(&RequestAttempt { ended: Some(40), trouble: None, ..cut }).ends_with("  40 ms - 300 kB received - done"));
    }

    #[test]
    fn condition_for_downloads_is_shown_with_its_cause_and_explained_if_it_blocks_them() {
        let code = GateCode::Metered;
        let open = GateReport {
            code,
            state: GateState::Unknown,
            variant: None,
            args: BTreeMap::new(),
            text: String::new(),
            cause: "no bus".to_owned(),
            cause_message: None,
            until: None,
        };
        assert_eq!(gates(std::slice::from_ref(&open)), ["metered        unknown (no bus)"]);
        let closed = GateReport { state: GateState::Closed, text: message!("metered").text, ..open };
        assert_eq!(gates(&[closed]), [format!("metered        closed  (no bus) - {} (metered = \"go\")", message!("metered"))]);
    }

    #[test]
    fn progress_share_reaches_100_percent_only_when_done() {
        let running = Registration { state: RegistrationState::Running, ..registration() };
        let nearly = Registration { downloaded: 9_999, expected_total: 10_000, ..running };
        assert_eq!(share(&nearly), "99 %");
        let early = Registration { downloaded: 10_000, ..nearly };
        assert_eq!(share(&early), "99 %");
        let done = Registration { state: RegistrationState::Settled, result: RegistrationResult::Success, ..early };
        assert_eq!(share(&done), "100 %");
        assert_eq!(share(&registration()), "0 %");
        let partly = Registration {
            state: RegistrationState::Settled,
            result: RegistrationResult::Failure,
            requests: 4,
            succeeded: 2,
            failed: 2,
            downloaded: 8,
            expected_total: 8,
            ..registration()
        };
        assert_eq!(share(&partly), "50 %");
    }

    #[test]
    fn settled_registration_is_shown_as_failed_or_aborted_or_done() {
        let settled = Registration { state: RegistrationState::Settled, result: RegistrationResult::Failure, ..registration() };
        assert_eq!(state(&settled), ShownState::Failed);
        assert_eq!(state(&Registration { failure_reason: FailureReason::Aborted, ..settled.clone() }), ShownState::Aborted);
        assert_eq!(state(&Registration { result: RegistrationResult::Success, ..settled }), ShownState::Done);
    }
}
