//! Permissions of the page. The page may make only calls for which it has controls. [pure]
//!
//! Code that is injected into the page cannot make Ashore read an arbitrary file. It also cannot make Ashore save a
//! file in a folder where files take effect automatically, such as an autostart folder. Hidden folders, and files to
//! send, read or trust, are chosen by the user in a dialog of the desktop. The page in a browser has no such dialog, so
//! its calls of this kind are refused.
//!
//! Called by the desktop program for its window, and by the HTTP server for the page in a browser.

use std::path::{Component, Path};

use ashore_engine::{FollowUpRule, LimitScope, MessageArgument, NewRegistration, NewRequest, SettingValue, UserMessage};
use ashore_messages::message;
use ashore_sync::service::SyncCall;

use crate::methods::MethodCall;

/// Fails with `invalid` if the page may not use `call`. [pure]
///
/// This function does not check the partial files and the folder in `call`; the caller must check them.
pub fn may(call: &MethodCall) -> Result<(), UserMessage> {
    match call {
        MethodCall::List(_)
        | MethodCall::Search { .. }
        | MethodCall::Show { .. }
        | MethodCall::Records { .. }
        | MethodCall::Details { .. }
        | MethodCall::Segments { .. }
        | MethodCall::Abort { .. }
        | MethodCall::Pause { .. }
        | MethodCall::Resume { .. }
        | MethodCall::Move { .. }
        | MethodCall::Retry { .. }
        | MethodCall::GoAnyway { .. }
        | MethodCall::Remove { .. }
        | MethodCall::Totals
        | MethodCall::Statistics { .. }
        | MethodCall::LetGo { .. }
        | MethodCall::Known { .. }
        | MethodCall::Relink { .. }
        | MethodCall::PutInto { .. }
        | MethodCall::Understand { .. }
        | MethodCall::Sentences { .. }
        | MethodCall::Settings
        | MethodCall::Recovery
        | MethodCall::AcknowledgeRecovery
        | MethodCall::Orphans
        | MethodCall::KeptFiles
        | MethodCall::Adopt { .. }
        | MethodCall::SignIn { .. }
        | MethodCall::GiveCookies { .. }
        | MethodCall::UpdateUi { icon: None, icons: None, .. }
        | MethodCall::Limit { scope: LimitScope::All | LimitScope::Registration { .. }, .. }
        | MethodCall::Limits => Ok(()),
        MethodCall::Add(new) if !adds_a_file(new) && !new.requests.iter().any(changes_something) => Ok(()),
        MethodCall::Sync(SyncCall::SendNew { requests, .. }) if requests.iter().any(sends_a_file) => {
            Err(not_understood(message!("fault-call.file")))
        }
        MethodCall::Sync(SyncCall::SendNew { requests, .. }) if requests.iter().any(changes_something) => {
            Err(not_understood(message!("fault-call.changes")))
        }
        // Allow the call here. If the call discloses something, the caller of this function asks the user first.
        MethodCall::Sync(_) => Ok(()),
        MethodCall::Probe(request) if !sends_a_file(request) => Ok(()),
        MethodCall::Set { key, value } if !key.is_file() || is_nothing(value.as_ref()) => Ok(()),
        MethodCall::Add(new) if !adds_a_file(new) => Err(not_understood(message!("fault-call.changes"))),
        MethodCall::Add(_)
        | MethodCall::Probe(_)
        | MethodCall::Set { .. }
        | MethodCall::UpdateUi { .. }
        | MethodCall::Export { .. }
        | MethodCall::Import { .. }
        | MethodCall::AddCookies { .. }
        | MethodCall::ReadNetrc { .. } => Err(not_understood(message!("fault-call.file"))),
        MethodCall::Create(_)
        | MethodCall::TakeLink(_)
        | MethodCall::AwaitLink { .. }
        | MethodCall::Ids { .. }
        | MethodCall::Find { .. }
        | MethodCall::File { .. }
        | MethodCall::Match { .. }
        | MethodCall::MatchAll { .. }
        | MethodCall::Hold { .. }
        | MethodCall::Release { .. }
        | MethodCall::Withdraw { .. }
        | MethodCall::RemoveOwner { .. }
        | MethodCall::Clear { .. }
        | MethodCall::Click { .. }
        | MethodCall::Reset { .. }
        | MethodCall::QueueStats { .. }
        | MethodCall::Claim { .. }
        | MethodCall::Owed { .. }
        | MethodCall::Acknowledge { .. }
        | MethodCall::Doctor
        | MethodCall::Repair
        | MethodCall::Limit { .. }
        | MethodCall::SetQuota { .. }
        | MethodCall::Quotas
        | MethodCall::SignOut { .. }
        | MethodCall::SignIns => Err(not_understood(message!("fault-call.unused"))),
    }
}

/// Returns the download folder that `call` would set, if any. [pure]
pub fn folder(call: &MethodCall) -> Option<&Path> {
    match call {
        MethodCall::Add(new) => new.folder.as_deref(),
        MethodCall::PutInto { folder, .. } => Some(folder),
        MethodCall::Set { key, value: Some(SettingValue::Text(folder)) } if key.is_folder() => Some(Path::new(folder)),
        _ => None,
    }
}

/// Whether `folder` is hidden. Folders with autostart files are always hidden. [pure]
///
/// Only the path below `home` counts, because `home` itself may be in a hidden folder.
pub fn is_hidden(folder: &Path, home: Option<&Path>) -> bool {
    let inside = home.and_then(|home| folder.strip_prefix(home).ok()).unwrap_or(folder);
    inside.components().any(|part| matches!(part, Component::Normal(name) if name.as_encoded_bytes().starts_with(b".")))
}

/// Whether `call` discloses something: the recovery words, access to the list, or the list of this machine. [pure]
///
/// Such a call needs the consent of a person at this machine.
pub fn discloses(call: &SyncCall) -> bool {
    match call {
        SyncCall::SetUp { .. }
        | SyncCall::Join { .. }
        | SyncCall::Recover { .. }
        | SyncCall::Words
        | SyncCall::Invite
        | SyncCall::RemoveDevice { .. }
        | SyncCall::Trust { is_trusted: true, .. } => true,
        SyncCall::Trust { is_trusted: false, .. }
        | SyncCall::Status
        | SyncCall::Devices
        | SyncCall::Rename { .. }
        | SyncCall::ClearHistory { .. }
        | SyncCall::Now
        | SyncCall::Leave
        | SyncCall::Conflicts
        | SyncCall::Resolve { .. }
        | SyncCall::Others
        | SyncCall::ChangeOther { .. }
        | SyncCall::Send { .. }
        | SyncCall::SendNew { .. }
        | SyncCall::Sends => false,
    }
}

/// Returns the refusal of an invalid message from the page. `why` is the reason.
pub fn not_understood(why: impl Into<MessageArgument>) -> UserMessage {
    let why: MessageArgument = why.into();
    message!("invalid.message", why = why)
}

/// Returns the refusal of a folder that only the user may choose, in a dialog of the desktop.
pub fn hidden(folder: &Path) -> UserMessage {
    message!("target.hidden", path = folder)
}

fn adds_a_file(new: &NewRegistration) -> bool {
    new.icon.is_some() || !new.icons.is_empty() || new.requests.iter().any(sends_a_file)
}

fn sends_a_file(request: &NewRequest) -> bool {
    let then = match &request.next {
        Some(FollowUpRule::List(requests)) => requests.iter().any(sends_a_file),
        Some(FollowUpRule::Series(_) | FollowUpRule::Parts { .. }) | None => false,
    };
    request.upload_file.is_some() || then
}

/// Whether the request could use the stored sign-in to change data on a server.
///
/// The page has no control for such a request.
fn changes_something(request: &NewRequest) -> bool {
    let then = match &request.next {
        Some(FollowUpRule::List(requests)) => requests.iter().any(changes_something),
        Some(FollowUpRule::Series(_) | FollowUpRule::Parts { .. }) | None => false,
    };
    request.method.as_deref().is_some_and(|method| !method.eq_ignore_ascii_case("GET")) || then
}

fn is_nothing(value: Option<&SettingValue>) -> bool {
    value.is_none_or(|value| matches!(value, SettingValue::Text(text) if text.is_empty()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ID: &str = "018f3a54-7b5e-7c1d-9a39-1d2f0c9be001";

    fn is_refused(call: &Value) -> bool {
        let call = serde_json::from_value(call.clone()).unwrap_or_else(|error| panic!("{call}: {error}"));
        may(&call).is_err()
    }

    #[test]
    fn page_may_make_only_calls_that_its_controls_need() {
        let one = json!({ "unique_id": ID });
        let file = json!({ "unique_id": ID, "index": 0 });
        let request = json!({ "url": "https://a.example/a", "name": "a" });
        let new = json!({ "owner": "window", "folder": "/home/robin/a", "requests": [request] });
        let speed = json!({ "scope": { "type": "all" }, "bytes_per_second": 4096 });
        let bound = json!({ "scope": { "owner": "feed" }, "bytes": 1, "files": null });
        let sign_in = json!({ "url": "https://a.example/", "sign_in": { "scheme": "bearer", "token": "t" }, "lasting": false });
        let calls = [
            ("create", new.clone(), false),
            ("add", new.clone(), true),
            ("ids", json!({ "owner": "window" }), false),
            ("find", json!({ "owner": "window", "developer_id": "a" }), false),
            ("show", one.clone(), true),
            ("list", json!({}), true),
            ("search", json!({ "text": "a" }), true),
            ("records", json!({ "unique_id": ID, "from": 0, "limit": 0 }), true),
            ("details", file.clone(), true),
            ("file", file, false),
            ("segments", one.clone(), true),
            ("match", json!({ "unique_id": ID, "url": "https://a.example/a", "options": {} }), false),
            ("match_all", json!({ "unique_id": ID, "url": "https://a.example/a", "options": {} }), false),
            ("hold", one.clone(), false),
            ("release", one.clone(), false),
            ("abort", one.clone(), true),
            ("pause", one.clone(), true),
            ("resume", json!({ "unique_id": null }), true),
            ("update_ui", json!({ "unique_id": ID, "title": "a", "icon": null }), true),
            ("click", one.clone(), false),
            ("move", json!({ "unique_id": ID, "place": "top" }), true),
            ("retry", one.clone(), true),
            ("remove", json!({ "unique_id": ID, "files": true }), true),
            ("withdraw", json!({ "owner": "feed", "developer_id": "a", "files": true }), false),
            ("remove_owner", json!({ "owner": "feed" }), false),
            ("clear", json!({ "owner": "feed", "files": false }), false),
            ("reset", json!({ "owner": "feed" }), false),
            ("queue_stats", json!({ "owner": "feed" }), false),
            ("claim", one.clone(), false),
            ("owed", json!({}), false),
            ("acknowledge", json!({ "unique_id": ID, "event_number": 1 }), false),
            ("totals", Value::Null, true),
            ("statistics", json!({ "days": 28 }), true),
            ("probe", request, true),
            ("let_go", json!({ "probe": ID }), true),
            ("known", json!({ "links": ["https://a.example/a"], "folder": null, "name": "a" }), true),
            ("relink", json!({ "unique_id": ID, "index": 0, "url": "https://a.example/b" }), true),
            ("await_link", one.clone(), false),
            ("take_link", new.clone(), false),
            ("put_into", json!({ "unique_id": ID, "folder": "/home/robin" }), true),
            ("go_anyway", one, true),
            ("understand", json!({ "text": "https://a.example/a" }), true),
            ("sentences", json!({ "language": "de" }), true),
            ("settings", Value::Null, true),
            ("set", json!({ "key": "proxy", "value": "http://127.0.0.1:3128" }), true),
            ("kept_files", Value::Null, true),
            ("doctor", Value::Null, false),
            ("repair", Value::Null, false),
            ("recovery", Value::Null, true),
            ("acknowledge_recovery", Value::Null, true),
            ("orphans", Value::Null, true),
            ("adopt", json!({ "partials": ["/home/robin/a.00000007.part"] }), true),
            ("export", json!({ "file": "/home/robin/list", "replace": false }), false),
            ("import", json!({ "file": "/home/robin/list", "unchecked": false }), false),
            ("limit", speed, true),
            ("limits", Value::Null, true),
            ("set_quota", bound, false),
            ("quotas", Value::Null, false),
            ("sign_in", sign_in, true),
            ("sign_out", json!({ "url": "https://a.example/" }), false),
            ("sign_ins", Value::Null, false),
            ("give_cookies", json!({ "url": "https://a.example/", "cookies": "id=1", "lasting": false }), true),
            ("add_cookies", json!({ "file": "/home/robin/cookies.txt" }), false),
            ("read_netrc", json!({ "file": "/home/robin/netrc" }), false),
            ("sync", json!({ "verb": "words" }), true),
        ];
        assert_eq!(calls.iter().map(|(method, ..)| *method).collect::<Vec<_>>(), MethodCall::METHODS);
        for (method, params, may_be) in calls {
            let call = if params.is_null() { json!({ "method": method }) } else { json!({ "method": method, "params": params }) };
            assert_eq!(!is_refused(&call), may_be, "{call}");
        }
    }

    #[test]
    fn page_call_that_refers_to_a_local_file_is_refused() {
        let sent = json!({ "url": "https://a.example/", "upload_file": "/home/robin/diary" });
        let later = json!({ "url": "https://a.example/", "next": { "list": [{ "url": "https://a.example/", "next": { "list": [sent] } }] } });
        let calls = [
            json!({ "method": "add", "params": { "requests": [sent] } }),
            json!({ "method": "add", "params": { "requests": [{ "url": "https://a.example/" }, later] } }),
            json!({ "method": "add", "params": { "requests": [{ "url": "https://a.example/" }], "icon": "/home/robin/face.png" } }),
            json!({ "method": "add", "params": { "requests": [{ "url": "https://a.example/" }], "icons": [{ "src": "/home/robin/face.png" }] } }),
            json!({ "method": "update_ui", "params": { "unique_id": ID, "title": null, "icons": [{ "src": "/home/robin/face.png" }] } }),
            json!({ "method": "probe", "params": sent }),
            json!({ "method": "update_ui", "params": { "unique_id": ID, "title": null, "icon": "/home/robin/face.png" } }),
            json!({ "method": "set", "params": { "key": "netrc", "value": "/home/robin/.netrc" } }),
            json!({ "method": "set", "params": { "key": "ca-certificate", "value": "/home/robin/Downloads/ca.pem" } }),
            json!({ "method": "limit", "params": { "scope": { "type": "host", "host": "a.example" }, "bytes_per_second": null } }),
        ];
        for call in calls {
            assert!(is_refused(&call), "{call}");
        }
        for nothing in [json!(null), json!("")] {
            assert!(!is_refused(&json!({ "method": "set", "params": { "key": "netrc", "value": nothing } })));
        }
    }

    #[test]
    fn page_call_with_unsafe_http_method_is_refused() {
        let add = |method: &str| json!({ "method": "add", "params": { "requests": [{ "url": "https://a.example/", "method": method }] } });
        let deletes = json!({ "url": "https://a.example/", "method": "delete" });
        let later = json!({ "method": "add", "params": { "requests": [{ "url": "https://a.example/", "next": { "list": [deletes] } }] } });
        let sent =
            json!({ "method": "sync", "params": { "verb": "send_new", "title": null, "requests": [deletes], "device": "a" } });
        for call in [add("POST"), add("delete"), later, sent] {
            assert!(is_refused(&call), "{call}");
        }
        assert!(!is_refused(&add("get")));
    }

    #[test]
    fn hidden_folder_is_detected_relative_to_home() {
        let home = Some(Path::new("/srv/.homes/robin"));
        for seen in ["/srv/.homes/robin", "/srv/.homes/robin/Downloads/a.b", "/media/disk", "/srv/.homes/robin/a/../b"] {
            assert!(!is_hidden(Path::new(seen), home), "{seen}");
        }
        for unseen in [
            "/srv/.homes/robin/.config/autostart",
            "/srv/.homes/robin/a/.b",
            "/srv/.homes/mika",
            "/srv/.homes/robin/../robin/.ssh",
        ] {
            assert!(is_hidden(Path::new(unseen), home), "{unseen}");
        }
        assert!(is_hidden(Path::new("/home/robin/.ssh"), None));
    }

    #[test]
    fn folder_is_found_in_every_call_that_names_a_folder() {
        let calls = [
            json!({ "method": "add", "params": { "requests": [], "folder": "/a" } }),
            json!({ "method": "put_into", "params": { "unique_id": ID, "folder": "/a" } }),
            json!({ "method": "set", "params": { "key": "folder", "value": "/a" } }),
            json!({ "method": "set", "params": { "key": "folder-programs", "value": "/a" } }),
        ];
        for call in calls {
            assert_eq!(folder(&serde_json::from_value(call).unwrap()), Some(Path::new("/a")));
        }
    }
}
