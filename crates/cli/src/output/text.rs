//! Texts for users about a registration or a record. [pure]

use std::time::Duration;

use ashore_engine::{
    BootstrapState, BootstrapStatus, CounterMismatch, FailureReason, GateReport, GateState, MiscountKind, RecordOutcome,
    RecordState, RecordedMissingGuarantee, RecordedRestart, RecordedRestartReason, RecordedVerification, Registration,
    RegistrationResult, RegistrationState, RequestAttempt, ResponseRecord, UserMessage,
};
use ashore_terminal::clean;
use indicatif::{DecimalBytes, HumanDuration};
use jiff::{Timestamp, tz::TimeZone};

/// Returns the state in one word.
pub fn state(registration: &Registration) -> &'static str {
    match (registration.state, registration.result) {
        (RegistrationState::Running, _) => "running",
        (RegistrationState::Waiting, _) => "waiting",
        (RegistrationState::Paused, _) => "paused",
        (RegistrationState::Settled, RegistrationResult::Success) => "done",
        (RegistrationState::Settled, _) if registration.failure_reason == FailureReason::Aborted => "aborted",
        (RegistrationState::Settled, _) => "failed",
    }
}

/// Returns the total size of all bodies in bytes, if it is known.
pub fn total(registration: &Registration) -> Option<u64> {
    let known = registration.expected_total.max(registration.download_total);
    (known > 0).then_some(known)
}

/// Returns the progress in percent, as in `41 %`.
///
/// The percentage is of bytes, or of files if sizes are not known.
pub fn share(registration: &Registration) -> String {
    let is_over = registration.state == RegistrationState::Settled;
    let (part, whole) = match total(registration) {
        Some(total) if !is_over => (registration.downloaded, total),
        // The length of a failed file may be unknown, so files are counted.
        _ => (u64::from(registration.succeeded), u64::from(registration.requests)),
    };
    if registration.result == RegistrationResult::Success {
        "100 %".to_owned()
    } else if whole == 0 {
        "0 %".to_owned()
    } else {
        // Round down, so that 100 % is shown only at the end.
        let percent = u128::from(part) * 100 / u128::from(whole);
        format!("{} %", percent.min(99))
    }
}

/// Formats a number of bytes with a unit.
pub fn size(bytes: u64) -> String {
    DecimalBytes(bytes).to_string()
}

/// Returns the progress in one line: files, bytes, speed, time left, or the reason why the download waits.
pub fn progress(registration: &Registration, speed: u64, is_all_paused: bool) -> String {
    let mut parts = Vec::new();
    if registration.requests > 1 {
        parts.push(format!("{} of {} files", registration.succeeded, registration.requests));
    }
    if registration.failed > 0 && registration.requests > 1 {
        parts.push(format!("{} failed", registration.failed));
    }
    parts.push(match total(registration) {
        Some(total) => format!("{} of {}", size(registration.downloaded), size(total)),
        None => size(registration.downloaded),
    });
    match registration.state {
        RegistrationState::Running => {
            if registration.upload_total > 0 && registration.uploaded < registration.upload_total {
                parts.push(format!("{} of {} sent", size(registration.uploaded), size(registration.upload_total)));
            }
            if speed > 0 {
                parts.push(format!("{}/s", size(speed)));
                let left = total(registration).map(|total| total.saturating_sub(registration.downloaded));
                if let Some(left @ 1..) = left {
                    let seconds = Duration::from_secs(left.div_ceil(speed));
                    parts.push(format!("{} left", HumanDuration(seconds)));
                }
            }
        }
        RegistrationState::Waiting if is_all_paused => parts.push("everything is paused; `ashore resume` goes on".to_owned()),
        RegistrationState::Waiting => parts.push(match (&registration.waiting_for, registration.next_try) {
            (Some(message), Some(due)) => format!("{} Next try at {}", with_cure(message), clock(due)),
            (Some(message), None) => with_cure(message),
            (None, _) => "waiting for its turn".to_owned(),
        }),
        RegistrationState::Paused => parts.push("paused".to_owned()),
        RegistrationState::Settled => parts.push(state(registration).to_owned()),
    }
    parts.join(" - ")
}

/// Returns a sentence of the engine, with the command or setting that solves the problem.
pub fn with_cure(message: &UserMessage) -> String {
    let text = clean(&message.text);
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

/// Returns a gate with its state and cause, and with its cure if it is closed.
pub fn gate(gate: &GateReport) -> String {
    let state = match gate.state {
        GateState::Open => "open",
        GateState::Closed => "closed",
        GateState::Unknown => "unknown",
    };
    let text = if gate.text.is_empty() { String::new() } else { format!(" - {}", with_cure(&gate.message())) };
    format!("{:<14} {state:<7} ({}){text}", gate.code.word(), clean(&gate.cause))
}

/// Returns the state of a record in one word.
pub fn record_state(record: &ResponseRecord) -> &'static str {
    match (record.state, record.outcome) {
        (_, Some(RecordOutcome::Success)) => "done",
        (_, Some(RecordOutcome::Aborted)) | (RecordState::Aborted, _) => "aborted",
        (_, Some(RecordOutcome::Failure)) | (RecordState::Dead | RecordState::Completed, _) => "failed",
        (RecordState::Pending, None) => "pending",
        (RecordState::Active, None) => "running",
        (RecordState::Waiting, None) => "waiting",
    }
}

/// Returns how a finished file was checked.
pub fn checked(record: &ResponseRecord) -> String {
    match (record.verified, &record.digest) {
        (Some(RecordedVerification::ByDigest), Some(digest)) => {
            format!("checksum right ({})", digest.split_once('=').map_or(digest.as_str(), |(name, _)| name))
        }
        (Some(RecordedVerification::ByDigest), None) => "checksum right".to_owned(),
        (Some(RecordedVerification::OnResume), _) => "length right, compared where it was resumed".to_owned(),
        (Some(RecordedVerification::SizeUnknown), _) => "length unknown, no checksum to compare".to_owned(),
        (Some(RecordedVerification::No), _) => "length right, not verified: no checksum to compare".to_owned(),
        (None, _) => "not checked".to_owned(),
    }
}

/// Returns a finished file in one line.
pub fn finished(record: &ResponseRecord) -> String {
    let place = record.path.as_ref().map_or_else(|| "no file came back".to_owned(), |path| path.display().to_string());
    let missing: String = record.missing_guarantees.iter().map(|guarantee| format!("; {}", not_promised(*guarantee))).collect();
    format!("{}  ({}, {}{missing})", clean(&place), size(record.size.unwrap_or(record.downloaded)), checked(record))
}

/// Returns the guarantee that the file system could not give for a finished file.
fn not_promised(guarantee: RecordedMissingGuarantee) -> &'static str {
    match guarantee {
        RecordedMissingGuarantee::Permissions => "this disk keeps no permissions",
        RecordedMissingGuarantee::Sync => "this disk does not say when a file is safe from a power cut",
        RecordedMissingGuarantee::FolderSync => "this disk does not say when a name is safe from a power cut",
        RecordedMissingGuarantee::ExclusiveName => "this disk cannot keep another program from taking the name at the same time",
        RecordedMissingGuarantee::AtOnce => "this disk cannot rename a file, so it was copied",
    }
}

/// Returns a step of the first start in one line.
pub fn bootstrap(status: &BootstrapStatus) -> String {
    let (step, why) = (status.step.word(), clean(&status.text));
    match status.state {
        BootstrapState::Done => format!("{step:<16}  done"),
        BootstrapState::NotAvailable => format!("{step:<16}  not available here ({why})"),
        BootstrapState::Failed => format!("{step:<16}  failed, and is retried ({why})"),
        BootstrapState::Due => format!("{step:<16}  due at the next start"),
    }
}

/// Returns a contradiction in the ledger in one line.
pub fn miscount(one: &CounterMismatch) -> String {
    let name = clean(&one.name);
    let id = one.unique_id.map_or_else(String::new, |id| format!(" ({id})"));
    match one.kind {
        MiscountKind::Counters => format!("{name}{id}: its counters are not those of its files"),
        MiscountKind::Lanes => format!("{name}{id}: its queue is not that of its files, so it may wait without a reason"),
        MiscountKind::Usage => format!("{name}: the bytes and files that count for its quota are not those of its downloads"),
        MiscountKind::Name => format!("{name}{id}: whether its name is taken does not agree with its state"),
        MiscountKind::Unsettled => format!("{name}{id}: nothing is left to do, and it is not finished"),
        MiscountKind::Digest => format!("{name}{id}: a complete file has another checksum than its checksum file says"),
        MiscountKind::Response => format!("{name}{id}: a file is complete without a record of it, or the reverse"),
    }
}

/// Returns a failed file in one sentence.
pub fn failed(record: &ResponseRecord) -> String {
    let text = record.message().map_or_else(|| "It could not be downloaded.".to_owned(), |message| with_cure(&message));
    let optional = if record.optional { " (optional)" } else { "" };
    format!("{}{optional}: {text}", clean(&record.url))
}

/// Returns an attempt in one line: start, duration, bytes received, and the reason why it ended.
pub fn attempt(attempt: &RequestAttempt) -> String {
    let when =
        attempt.started.or(attempt.ended).map_or_else(String::new, |at| format!("  {}", formatted(at, "%Y-%m-%d %H:%M:%S")));
    let mut parts = Vec::new();
    if let (Some(started), Some(ended)) = (attempt.started, attempt.ended) {
        parts.push(took(ended.saturating_sub(started)));
    }
    if let Some(brought) = attempt.brought {
        parts.push(format!("{} came", size(brought)));
    }
    if let Some(status) = attempt.status {
        parts.push(format!("the server answered {status}"));
    }
    if let [.., last] = &attempt.url_chain[..] {
        parts.push(format!("sent on to {}", clean(last)));
    }
    if let Some(restart) = &attempt.restart {
        parts.push(begun_anew(restart));
    }
    parts.push(match (&attempt.trouble, attempt.ended) {
        (Some(message), _) => clean(&message.text),
        (None, Some(_)) => "done".to_owned(),
        (None, None) => "under way".to_owned(),
    });
    format!("try {}{when}  {}", attempt.number, parts.join(" - "))
}

/// Returns why the file was restarted, and how many bytes were discarded.
fn begun_anew(RecordedRestart { why, bytes }: &RecordedRestart) -> String {
    let why = match why {
        RecordedRestartReason::Changed => "the file on the server is another one now",
        RecordedRestartReason::NoRanges => "the server does not go on in the middle",
        RecordedRestartReason::Differs => "the server gives other bytes than those that had come",
        RecordedRestartReason::Gone => "what had come was moved or deleted",
    };
    format!("begun anew, because {why} ({} before)", size(*bytes))
}

fn took(milliseconds: i64) -> String {
    let time = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    if time < Duration::from_secs(1) { format!("{} ms", time.as_millis()) } else { HumanDuration(time).to_string() }
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
        Err(_) => "an unknown time".to_owned(),
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::BTreeMap;

    use ashore_engine::{FileCategory, RequestSource, UniqueId};
    use ashore_messages::message;

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
            created: 0,
            first_enqueued: 0,
            last_updated: 0,
            settled: None,
            expires: None,
        }
    }

    #[test]
    fn running_registration_progress_fits_one_line() {
        let set = Registration {
            state: RegistrationState::Running,
            requests: 4,
            succeeded: 3,
            downloaded: 3_100_000_000,
            expected_total: 4_200_000_000,
            ..registration()
        };
        assert_eq!(progress(&set, 11_400_000, false), "3 of 4 files - 3.10 GB of 4.20 GB - 11.40 MB/s - 2 minutes left");
        assert_eq!(share(&set), "73 %");
    }

    #[test]
    fn waiting_registration_names_its_reason() {
        let queued = registration();
        assert_eq!(progress(&queued, 0, false), "0 B - waiting for its turn");
        assert!(progress(&queued, 0, true).contains("`ashore resume`"));
        let later = Registration { waiting_for: Some(message!("dns")), next_try: Some(1_000), ..registration() };
        let text = format!("{} Next try at ", message!("dns"));
        assert!(progress(&later, 0, false).contains(&text));
    }

    #[test]
    fn attempt_line_names_duration_bytes_and_reason() {
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
        assert!(line.ends_with("  65 seconds - 300.00 kB came - The connection was cut. Try again later."), "{line}");
        let old = RequestAttempt { started: None, brought: None, status: Some(503), ..cut.clone() };
        let line = attempt(&old);
        assert!(line.ends_with(":05  the server answered 503 - The connection was cut. Try again later."), "{line}");
        let sent_on = RequestAttempt { url_chain: ["http://a/", "http://b/\u{1b}"].map(str::to_owned).to_vec(), ..cut.clone() };
        assert!(
            attempt(&sent_on).ends_with(" came - sent on to http://b/\u{fffd} - The connection was cut. Try again later."),
            "{}",
            attempt(&sent_on)
        );
        let anew = |why| attempt(&RequestAttempt { restart: Some(RecordedRestart { why, bytes: 900_000 }), ..cut.clone() });
        for (why, text) in [
            (RecordedRestartReason::Changed, "because the file on the server is another one now (900.00 kB before)"),
            (RecordedRestartReason::NoRanges, "because the server does not go on in the middle (900.00 kB before)"),
            (RecordedRestartReason::Differs, "because the server gives other bytes than those that had come (900.00 kB before)"),
            (RecordedRestartReason::Gone, "because what had come was moved or deleted (900.00 kB before)"),
        ] {
            let end = format!(" came - begun anew, {text} - The connection was cut. Try again later.");
            assert!(anew(why).ends_with(&end), "{}", anew(why));
        }
        assert!(attempt(&RequestAttempt { ended: None, trouble: None, ..cut.clone() }).ends_with("300.00 kB came - under way"));
        assert!(attempt(&RequestAttempt { ended: Some(40), trouble: None, ..cut }).ends_with("  40 ms - 300.00 kB came - done"));
    }

    #[test]
    fn gate_line_has_cause_and_sentence_if_closed() {
        let code = ashore_engine::GateCode::Metered;
        let open = GateReport {
            code,
            state: GateState::Unknown,
            variant: None,
            args: BTreeMap::new(),
            text: String::new(),
            cause: "no bus".to_owned(),
            until: None,
        };
        assert_eq!(gate(&open), "metered        unknown (no bus)");
        let closed = GateReport { state: GateState::Closed, text: "It is metered. It waits.".to_owned(), ..open };
        assert_eq!(gate(&closed), "metered        closed  (no bus) - It is metered. It waits. (metered = \"go\")");
    }

    #[test]
    fn share_reaches_100_percent_only_when_done() {
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
    fn settled_registration_has_word_for_each_result() {
        let settled = Registration { state: RegistrationState::Settled, result: RegistrationResult::Failure, ..registration() };
        assert_eq!(state(&settled), "failed");
        assert_eq!(state(&Registration { failure_reason: FailureReason::Aborted, ..settled.clone() }), "aborted");
        assert_eq!(state(&Registration { result: RegistrationResult::Success, ..settled }), "done");
    }
}
