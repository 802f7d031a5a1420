//! The scope that each call of the page needs. [pure]
//!
//! Every method is listed here: a new method without a scope does not compile. `ashore_rpc::permissions` decides in addition
//! which calls a page may make at all.

use ashore_engine::{NewRegistration, NewRequest, RequestSource, SettingKey};
use ashore_rpc::MethodCall;
use ashore_sync::service::SyncCall;
use serde_json::Value;
use url::Url;

use crate::token_scope::TokenScope;

/// Returns the scope that `call` needs.
pub(crate) fn needed(call: &MethodCall) -> TokenScope {
    match call {
        MethodCall::Ids { .. }
        | MethodCall::Find { .. }
        | MethodCall::Show { .. }
        | MethodCall::List(_)
        | MethodCall::Search { .. }
        | MethodCall::Records { .. }
        | MethodCall::Details { .. }
        | MethodCall::File { .. }
        | MethodCall::Segments { .. }
        | MethodCall::Match { .. }
        | MethodCall::MatchAll { .. }
        | MethodCall::QueueStats { .. }
        | MethodCall::Totals
        | MethodCall::Statistics { .. }
        | MethodCall::Known { .. }
        | MethodCall::Understand { .. }
        | MethodCall::Sentences { .. }
        | MethodCall::Settings
        | MethodCall::KeptFiles
        | MethodCall::Recovery
        | MethodCall::Orphans
        | MethodCall::Limits
        | MethodCall::Quotas => TokenScope::Read,
        MethodCall::Create(_)
        | MethodCall::Add(_)
        | MethodCall::Probe(_)
        | MethodCall::LetGo { .. }
        | MethodCall::TakeLink(_)
        | MethodCall::AwaitLink { .. } => TokenScope::Add,
        MethodCall::Sync(call) => needed_by_sync(call),
        MethodCall::Hold { .. }
        | MethodCall::Release { .. }
        | MethodCall::Abort { .. }
        | MethodCall::Pause { .. }
        | MethodCall::Resume { .. }
        | MethodCall::UpdateUi { .. }
        | MethodCall::Click { .. }
        | MethodCall::Move { .. }
        | MethodCall::Retry { .. }
        | MethodCall::Remove { .. }
        | MethodCall::Withdraw { .. }
        | MethodCall::RemoveOwner { .. }
        | MethodCall::Clear { .. }
        | MethodCall::Reset { .. }
        | MethodCall::Claim { .. }
        | MethodCall::Owed { .. }
        | MethodCall::Acknowledge { .. }
        | MethodCall::Relink { .. }
        | MethodCall::PutInto { .. }
        | MethodCall::GoAnyway { .. }
        | MethodCall::Set { .. }
        | MethodCall::Doctor
        | MethodCall::Repair
        | MethodCall::AcknowledgeRecovery
        | MethodCall::Adopt { .. }
        | MethodCall::Export { .. }
        | MethodCall::Import { .. }
        | MethodCall::Limit { .. }
        | MethodCall::SetQuota { .. }
        | MethodCall::SignIn { .. }
        | MethodCall::SignOut { .. }
        | MethodCall::SignIns
        | MethodCall::GiveCookies { .. }
        | MethodCall::AddCookies { .. }
        | MethodCall::ReadNetrc { .. } => TokenScope::Control,
    }
}

fn needed_by_sync(call: &SyncCall) -> TokenScope {
    match call {
        SyncCall::Status | SyncCall::Devices | SyncCall::Conflicts | SyncCall::Others | SyncCall::Sends => TokenScope::Read,
        _ => TokenScope::Control,
    }
}

/// Restricts what a device with `scope` may add. Without the scope for control, the device counts as a program, so its
/// downloads reach only public addresses.
pub(super) fn restrict(call: &mut MethodCall, scope: TokenScope) {
    if scope == TokenScope::Control {
        return;
    }
    if let MethodCall::Add(NewRegistration { source, .. }) = call {
        *source = RequestSource::Program;
    }
}

/// Whether `call` changes which networks the downloads of programs can reach.
pub(crate) fn opens_network(call: &MethodCall) -> bool {
    use SettingKey::{LocalForPrograms, NoProxy, Proxy, ProxyLoopback};
    matches!(call, MethodCall::Set { key: LocalForPrograms | NoProxy | Proxy | ProxyLoopback, .. })
}

/// Whether `call` contains a sign-in or cookies, which Ashore would store and use for the server's other downloads.
pub(super) fn has_credentials(call: &MethodCall) -> bool {
    match call {
        MethodCall::Add(new) => new.requests.iter().any(is_with_credentials),
        MethodCall::Probe(request) => is_with_credentials(request),
        _ => false,
    }
}

fn is_with_credentials(request: &NewRequest) -> bool {
    let has_sign_in = |url: &String| Url::parse(url).is_ok_and(|url| !url.username().is_empty() || url.password().is_some());
    request.headers.iter().any(|(name, _)| is_secret_header(name))
        || std::iter::once(&request.url).chain(&request.mirrors).any(has_sign_in)
        // A follow-up rule describes further requests, which can have headers and addresses of their own.
        || request.next.is_some()
}

/// Whether the values of this header field are secrets.
pub(crate) fn is_secret_header(name: &str) -> bool {
    SECRET_HEADERS.iter().any(|secret| name.trim().eq_ignore_ascii_case(secret))
}

/// Removes the proxy from an answer to `settings`, because its address may contain a password.
pub(crate) fn without_proxy(mut report: Value) -> Value {
    let settings = report.get_mut("settings").and_then(Value::as_array_mut);
    for setting in settings.into_iter().flatten().filter(|setting| setting["key"] == "proxy") {
        setting["value"] = Value::from("");
    }
    report
}

/// Header fields that contain secrets.
const SECRET_HEADERS: [&str; 3] = ["authorization", "proxy-authorization", "cookie"];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "018f3a54-7b5e-7c1d-9a39-1d2f0c9be001";

    fn call(method: &str, params: Value) -> MethodCall {
        let call = if params.is_null() { json!({ "method": method }) } else { json!({ "method": method, "params": params }) };
        serde_json::from_value(call).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    #[test]
    fn every_method_requires_the_scope_that_matches_its_effect() {
        use TokenScope::{Add, Control, Read};
        let one = json!({ "unique_id": ID });
        let file = json!({ "unique_id": ID, "index": 0 });
        let new = json!({ "requests": [{ "url": "https://a.example/a" }] });
        let found = json!({ "unique_id": ID, "url": "https://a.example/a", "options": {} });
        let (owner, path) = (json!({ "owner": "feed" }), json!({ "file": "/home/robin/a" }));
        let list = json!({ "file": "/home/robin/list", "replace": false });
        let url = json!({ "url": "https://a.example/" });
        let calls = [
            ("create", new.clone(), Add),
            ("add", new.clone(), Add),
            ("ids", owner.clone(), Read),
            ("find", json!({ "owner": "feed", "developer_id": "a" }), Read),
            ("show", one.clone(), Read),
            ("list", json!({}), Read),
            ("search", json!({ "text": "a" }), Read),
            ("records", json!({ "unique_id": ID, "from": 0, "limit": 0 }), Read),
            ("details", file.clone(), Read),
            ("file", file, Read),
            ("segments", one.clone(), Read),
            ("match", found.clone(), Read),
            ("match_all", found, Read),
            ("hold", one.clone(), Control),
            ("release", one.clone(), Control),
            ("abort", one.clone(), Control),
            ("pause", one.clone(), Control),
            ("resume", one.clone(), Control),
            ("update_ui", json!({ "unique_id": ID, "title": "a" }), Control),
            ("click", one.clone(), Control),
            ("move", json!({ "unique_id": ID, "place": "top" }), Control),
            ("retry", one.clone(), Control),
            ("remove", json!({ "unique_id": ID, "files": true }), Control),
            ("withdraw", json!({ "owner": "feed", "developer_id": "a", "files": true }), Control),
            ("remove_owner", owner.clone(), Control),
            ("clear", owner.clone(), Control),
            ("reset", owner.clone(), Control),
            ("queue_stats", owner.clone(), Read),
            ("claim", one.clone(), Control),
            ("owed", json!({}), Control),
            ("acknowledge", json!({ "unique_id": ID, "event_number": 1 }), Control),
            ("totals", Value::Null, Read),
            ("statistics", json!({ "days": 28 }), Read),
            ("probe", json!({ "url": "https://a.example/a" }), Add),
            ("let_go", json!({ "probe": ID }), Add),
            ("known", json!({ "links": [], "folder": null, "name": "a" }), Read),
            ("relink", json!({ "unique_id": ID, "index": 0, "url": "https://a.example/b" }), Control),
            ("await_link", one.clone(), Add),
            ("take_link", new, Add),
            ("put_into", json!({ "unique_id": ID, "folder": "/home/robin" }), Control),
            ("go_anyway", one, Control),
            ("understand", json!({ "text": "a" }), Read),
            ("sentences", json!({ "language": "de" }), Read),
            ("settings", Value::Null, Read),
            ("set", json!({ "key": "proxy", "value": "" }), Control),
            ("kept_files", Value::Null, Read),
            ("doctor", Value::Null, Control),
            ("repair", Value::Null, Control),
            ("recovery", Value::Null, Read),
            ("acknowledge_recovery", Value::Null, Control),
            ("orphans", Value::Null, Read),
            ("adopt", json!({ "partials": [] }), Control),
            ("export", list, Control),
            ("import", json!({ "file": "/home/robin/list", "unchecked": false }), Control),
            ("limit", json!({ "scope": { "type": "all" }, "bytes_per_second": 4096 }), Control),
            ("limits", Value::Null, Read),
            ("set_quota", json!({ "scope": { "owner": "feed" }, "bytes": 1, "files": null }), Control),
            ("quotas", Value::Null, Read),
            (
                "sign_in",
                json!({ "url": "https://a.example/", "sign_in": { "scheme": "bearer", "token": "t" }, "lasting": false }),
                Control,
            ),
            ("sign_out", url, Control),
            ("sign_ins", Value::Null, Control),
            ("give_cookies", json!({ "url": "https://a.example/", "cookies": "a=b", "lasting": false }), Control),
            ("add_cookies", path.clone(), Control),
            ("read_netrc", path, Control),
            ("sync", json!({ "verb": "words" }), Control),
        ];
        assert_scopes(&calls);
    }

    fn assert_scopes(calls: &[(&str, Value, TokenScope)]) {
        assert_eq!(calls.iter().map(|(method, ..)| *method).collect::<Vec<_>>(), MethodCall::METHODS);
        for (method, params, scope) in calls {
            assert_eq!(needed(&call(method, params.clone())), *scope, "{method}");
        }
        assert_eq!(needed(&call("sync", json!({ "verb": "status" }))), TokenScope::Read);
    }

    #[test]
    fn hiding_the_proxy_setting_keeps_all_other_values() {
        let report = json!({ "settings": [
            { "key": "folder", "value": "/home/robin" },
            { "key": "proxy", "value": "http://robin:secret@proxy.example" },
        ] });
        let expected = json!({ "settings": [{ "key": "folder", "value": "/home/robin" }, { "key": "proxy", "value": "" }] });
        assert_eq!(without_proxy(report), expected);
    }

    #[test]
    fn sign_in_and_cookies_in_request_are_recognised() {
        let added = |request: Value| call("add", json!({ "requests": [request] }));
        let url = "https://a.example/a";
        assert!(!has_credentials(&added(json!({ "url": url, "headers": [["Referer", url]] }))));
        for request in [
            json!({ "url": "https://robin:secret@a.example/a" }),
            json!({ "url": "https://token@a.example/a" }),
            json!({ "url": url, "mirrors": ["https://robin:secret@b.example/a"] }),
            json!({ "url": url, "headers": [["cookie", "a=b"]] }),
            json!({ "url": url, "headers": [["Authorization", "Bearer t"]] }),
        ] {
            assert!(has_credentials(&added(request.clone())), "{request}");
            assert!(has_credentials(&call("probe", request)));
        }
    }

    #[test]
    fn download_from_device_without_control_scope_counts_as_added_by_program() {
        let mut added = call("add", json!({ "source": "window", "requests": [] }));
        let mut browser = call("add", json!({ "source": "browser", "requests": [] }));
        restrict(&mut added, TokenScope::Control);
        let source = |call: &MethodCall| match call {
            MethodCall::Add(new) => new.source,
            _ => panic!("not an addition"),
        };
        assert_eq!(source(&added), RequestSource::Window);
        restrict(&mut added, TokenScope::Add);
        restrict(&mut browser, TokenScope::Add);
        assert_eq!((source(&added), source(&browser)), (RequestSource::Program, RequestSource::Program));
    }
}
