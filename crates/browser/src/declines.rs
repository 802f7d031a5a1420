//! Messages that say why a download stays with the browser. [pure]

use ashore_engine::{ProbeReport, UserMessage};
use ashore_messages::message;
use ashore_rpc::CallFailure;

use crate::same_file::FileDifference;

/// Codes of the messages about gates, which are conditions that temporarily hold back all downloads.
const GATES: [&str; 11] = [
    "bootstrap",
    "paused",
    "asleep",
    "hours",
    "offline",
    "captive-portal",
    "metered",
    "battery",
    "in-use",
    "quota",
    "too-many-running",
];
/// Codes of messages about a disk or a folder.
const OF_DISKS: [&str; 8] =
    ["disk", "disk-full", "disk-quota", "disk-away", "folder", "target", "quota-exceeded", "file-too-large"];
/// Error codes of an older engine that does not know a method or a parameter.
const OF_OLDER: [&str; 2] = ["unknown-method", "bad-params"];

/// Returns the reason why the download stays with the browser after a failed call to the engine.
pub(crate) fn of_failure(failure: &CallFailure) -> UserMessage {
    match failure {
        CallFailure::Refused(why) if OF_OLDER.contains(&why.code.as_str()) => message!("browser-ashore-too-old"),
        CallFailure::Refused(why) | CallFailure::Closed(why) => of_reason(why.clone()),
        CallFailure::Unreachable(_) => message!("browser-ashore-silent"),
    }
}

/// Returns the reason why the response that the engine received is not usable; `None` if it is usable.
pub(crate) fn of_probe(probed: &ProbeReport) -> Option<UserMessage> {
    match (&probed.probe, &probed.trouble) {
        (Some(_), _) => None,
        (None, Some(why)) => Some(of_reason(why.clone())),
        (None, None) => Some(message!("browser-not-same-file")),
    }
}

/// Returns the reason why the download stays with the browser if the engine gets a different response than the browser.
pub(crate) fn of_difference(difference: FileDifference) -> UserMessage {
    match difference {
        FileDifference::Page => message!("browser-not-same-file.page"),
        FileDifference::Encoded => message!("browser-not-same-file.encoded"),
        FileDifference::Unstated => message!("browser-not-same-file.unstated"),
        FileDifference::Status | FileDifference::Size | FileDifference::Validator => message!("browser-not-same-file"),
    }
}

/// Converts a reason of the engine to the reason why the download stays with the browser.
pub(crate) fn of_reason(why: UserMessage) -> UserMessage {
    match why.code.as_str() {
        "private-address" => message!("browser-local-address"),
        "closed" => message!("browser-ashore-silent"),
        code if GATES.contains(&code) => message!("browser-waiting", why = why),
        code if OF_DISKS.contains(&code) => message!("browser-disk", why = why),
        _ => message!("browser-refused", why = why),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use ashore_engine::EngineError;

    use super::*;

    #[test]
    fn engine_error_is_translated_to_matching_decline_code() {
        let refused = |why: UserMessage| of_failure(&CallFailure::Refused(why)).code;
        let cases = [
            (message!("private-address"), "browser-local-address"),
            (message!("paused"), "browser-waiting"),
            (message!("quota", whose = "all", used = "1 GB"), "browser-waiting"),
            (message!("too-many-running", count = 20_usize), "browser-waiting"),
            (message!("disk-full"), "browser-disk"),
            (message!("target"), "browser-disk"),
            (message!("unknown-method", method = "probe"), "browser-ashore-too-old"),
            (EngineError::Empty.message(), "browser-refused"),
            (message!("closed"), "browser-ashore-silent"),
        ];
        for (why, code) in cases {
            assert_eq!(refused(why.clone()), code, "{why:?}");
        }
        let lost = CallFailure::Unreachable(io::ErrorKind::ConnectionReset.into());
        assert_eq!(of_failure(&lost).code, "browser-ashore-silent");
    }
}
