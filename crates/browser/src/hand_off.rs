//! Takes over a download of the browser, and removes the registration again if the browser finishes the file itself.
//! Called by `host`.
//!
//! - The engine sends its own request for the file. If the response contains another file, or if the request fails,
//!   nothing is registered.
//! - Only `release_hand_off` removes a registration. After a failure the registration stays, because another host may already
//!   have promised the download to the browser. A second copy of a file is better than none.
//! - The id of an `ask` message is the `developer_id` of the registration, so a repeated `ask` finds the first
//!   registration. If the `ask` gave a new link to an unfinished download, the id of the `ask` finds that download.

use std::{io, path::PathBuf, time::Duration};

use ashore_engine::{
    BROWSER, EngineError, Guid, ListQuery, NewRegistration, NewRequest, OwnerQuota, ProbeReport, Registration,
    RegistrationResult, RegistrationState, RequestSource, UniqueId, UserMessage, link_without_sign_in,
};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall, SocketClient};
use tokio::{
    sync::watch,
    time::{Instant, timeout, timeout_at},
};

use crate::{
    declines,
    protocol::{BrowserDownload, LONGEST_ADDRESS},
    rules::BrowserRules,
    same_file, shared_rules,
    wake::{self, AppStarter},
};

/// Maximum time from an `ask` message to the decision to register the download.
const DECIDE_WITHIN: Duration = Duration::from_secs(11);
/// Maximum time from an `ask` message to its answer. The extension waits 15 seconds.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(14);
/// Maximum time for the engine to drop a response. The answer to an `ask` message is delayed until then.
const RELEASE_WITHIN: Duration = Duration::from_millis(500);
/// Number of ended registrations that are searched for an earlier `ask` message.
const LOOKED_THROUGH: u32 = 100;
/// Maximum length of the page title in the description of a download, in characters.
const LONGEST_TITLE: usize = 300;

/// Data folder of the engine, and a starter of the app.
#[derive(Clone, Debug)]
pub(crate) struct EngineAccess {
    pub data_dir: PathBuf,
    pub starter: AppStarter,
}

/// Result of an `ask` message that Ashore does not decline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HandOff {
    /// The registration is committed.
    Taken(UniqueId),
    /// An earlier message with the same id committed the registration.
    Already(UniqueId),
    /// The rules of the extension differ from those of the engine. Nothing is registered.
    OtherRules(BrowserRules),
}

impl EngineAccess {
    /// Returns a client that acts for the user. Fails if no engine runs.
    pub(crate) async fn connect(&self) -> Result<SocketClient, CallFailure> {
        SocketClient::connect(&self.data_dir).await.map_err(CallFailure::Unreachable)
    }
}

/// Takes over the download of an `ask` message. Fails with the reason why the browser keeps its download.
///
/// After the port is closed, nothing is registered. After a failure with `browser-ashore-silent`, the engine may still
/// have registered the download.
pub(crate) async fn take(
    access: &EngineAccess,
    ask: &str,
    download: &BrowserDownload,
    rules: Option<&BrowserRules>,
    closed: &watch::Receiver<bool>,
) -> Result<HandOff, UserMessage> {
    let begun = Instant::now();
    check(download)?;
    let reaching = wake::reach(&access.data_dir, &access.starter, wake::PATIENCE);
    let reached = timeout_at(begun + DECIDE_WITHIN, reaching).await;
    let user = reached.unwrap_or_else(|_| Err(message!("browser-ashore-silent")))?;
    if let Some(rules) = rules {
        match timeout_at(begun + DECIDE_WITHIN, shared_rules::read(&user)).await {
            Ok(Ok(Some(current))) if current != *rules => return Ok(HandOff::OtherRules(current)),
            // An engine without rules is an older version. In this case, the rules of the extension apply.
            Ok(_) => {}
            Err(_) => return Err(message!("browser-ashore-silent")),
        }
    }
    let browser = user.acting_for(BROWSER).map_err(|failure| declines::of_failure(&failure))?;
    let deciding = decide(&browser, ask, download);
    let wanted = match timeout_at(begun + DECIDE_WITHIN, deciding).await {
        Ok(Ok(Decision::Held(id))) => return Ok(HandOff::Already(id)),
        Ok(Ok(Decision::Add(wanted))) => *wanted,
        Ok(Err(why)) => return Err(why),
        Err(_) => return Err(message!("browser-ashore-silent.server")),
    };
    if *closed.borrow() {
        release(&browser, probe_of(&wanted)).await;
        return Err(message!("browser-ashore-silent"));
    }
    // A person chose the link in a menu of the browser. No page can do that, so the call may act for the user.
    let client = if download.was_clicked { &user } else { &browser };
    commit(client, &browser, ask, wanted, begun + ANSWER_WITHIN).await
}

/// Removes the registration of an `ask` message, because the browser has the file.
///
/// Discards the partial file, or moves the complete file to the trash. A registration that is not committed yet is
/// refused later. A missing registration is no failure. A download that existed before the `ask` is only paused, because
/// its bytes are older than the copy of the browser.
///
/// Fails if no engine runs, if the engine refuses, or if it does not answer in time.
pub(crate) async fn release_hand_off(access: &EngineAccess, ask: &str) -> Result<(), CallFailure> {
    let withdraw = MethodCall::Withdraw { owner: BROWSER.to_owned(), developer_id: ask.to_owned(), files: true };
    let withdrawing = async { access.connect().await?.acting_for(BROWSER)?.call::<bool>(&withdraw).await };
    within(ANSWER_WITHIN, withdrawing).await.map(drop)
}

/// Limits the time of calls. A suspended engine accepts a call, and may never answer it.
pub(crate) async fn within<T>(limit: Duration, calling: impl Future<Output = Result<T, CallFailure>>) -> Result<T, CallFailure> {
    let late = || CallFailure::Unreachable(io::ErrorKind::TimedOut.into());
    timeout(limit, calling).await.unwrap_or_else(|_| Err(late()))
}

/// Decision about an `ask` message.
enum Decision {
    Held(UniqueId),
    Add(Box<NewRegistration>),
}

async fn decide(browser: &SocketClient, ask: &str, download: &BrowserDownload) -> Result<Decision, UserMessage> {
    let refused = |failure: CallFailure| declines::of_failure(&failure);
    if let Some(held) = find(browser, ask).await.map_err(refused)?.filter(is_held) {
        return Ok(Decision::Held(held.unique_id));
    }
    let request = request(download);
    let (probe, size) = match download.was_clicked {
        true => (None, None),
        false => {
            let probed: ProbeReport = browser.call(&MethodCall::Probe(request.clone())).await.map_err(refused)?;
            if let Some(why) = declines::of_probe(&probed) {
                return Err(why);
            }
            if let Err(difference) = same_file::compare(download, &probed) {
                release(browser, probed.probe).await;
                return Err(declines::of_difference(difference));
            }
            // If space is lacking, a link chosen in a menu waits in the list. Any other file stays with the browser.
            if exceeds_quota(browser, probed.size).await.map_err(refused)? {
                release(browser, probed.probe).await;
                return Err(message!("browser-waiting.quota"));
            }
            (probed.probe, probed.size)
        }
    };
    let source = if download.was_clicked { RequestSource::Window } else { RequestSource::Browser };
    Ok(Decision::Add(Box::new(NewRegistration {
        owner: BROWSER.to_owned(),
        source,
        developer_id: Some(ask.to_owned()),
        description: download.title.as_ref().map(|title| title.chars().take(LONGEST_TITLE).collect()),
        deliver: Some(false),
        page: download.page.clone(),
        first_url: download.first_url.clone(),
        requests: vec![NewRequest { probe, size, ..request }],
        ..NewRegistration::default()
    })))
}

/// Gives the link to an unfinished download of the same file, or else registers a new download.
///
/// The change is durable when this function succeeds.
async fn commit(
    client: &SocketClient,
    browser: &SocketClient,
    ask: &str,
    wanted: NewRegistration,
    answer_by: Instant,
) -> Result<HandOff, UserMessage> {
    let probe = probe_of(&wanted);
    let continuing = MethodCall::TakeLink(wanted.clone());
    match timeout_at(answer_by, client.call::<Option<Registration>>(&continuing)).await {
        Ok(Ok(Some(continued))) => {
            release(browser, probe).await;
            return Ok(HandOff::Taken(continued.unique_id));
        }
        // The browser keeps its file, because a second download would need even more space.
        Ok(Err(CallFailure::Refused(why))) if why.code == "quota-exceeded" => {
            release(browser, probe).await;
            return Err(declines::of_reason(why));
        }
        // Any other refusal concerns the link. `Create` is then refused for the same reason.
        Ok(Ok(None) | Err(CallFailure::Refused(_))) => {}
        // The engine may have carried out the call.
        Ok(Err(_)) | Err(_) => return Err(message!("browser-ashore-silent")),
    }
    let call = MethodCall::Create(wanted);
    let why = match timeout_at(answer_by, client.call::<Registration>(&call)).await {
        Ok(Ok(created)) => return Ok(HandOff::Taken(created.unique_id)),
        Ok(Err(CallFailure::Refused(why))) => why,
        // The result is unknown, because the engine may have registered the download.
        Ok(Err(_)) | Err(_) => return Err(message!("browser-ashore-silent")),
    };
    release(browser, probe).await;
    if matches!(why.code.as_str(), "id-taken" | "quota-exceeded")
        && let Ok(Ok(Some(held))) = timeout_at(answer_by, find(browser, ask)).await
        && is_held(&held)
    {
        // Another host registered the same download at the same time. Its file may have taken the last free space.
        return Ok(HandOff::Already(held.unique_id));
    }
    Err(declines::of_reason(why))
}

/// Whether Ashore has the file or can still get it. [pure]
fn is_held(registration: &Registration) -> bool {
    registration.state != RegistrationState::Settled || registration.result == RegistrationResult::Success
}

fn probe_of(wanted: &NewRegistration) -> Option<Guid> {
    wanted.requests.first().and_then(|request| request.probe)
}

/// Whether a file of this size exceeds a quota.
async fn exceeds_quota(browser: &SocketClient, size: Option<u64>) -> Result<bool, CallFailure> {
    let quotas: Vec<OwnerQuota> = browser.call(&MethodCall::Quotas).await?;
    Ok(quotas.iter().any(|quota| is_exceeded(quota, size)))
}

/// Whether a file of the browser exceeds this quota. [pure]
///
/// Ignores the quotas of single categories, because only the engine knows the category of a file. A file that exceeds
/// such a quota waits in the list of Ashore.
fn is_exceeded(quota: &OwnerQuota, size: Option<u64>) -> bool {
    let concerns_owner = quota.scope.owner.as_deref().is_none_or(|owner| owner == BROWSER);
    // A file of unknown size needs at least one byte.
    let needed = quota.used_bytes.saturating_add(size.unwrap_or(1));
    let is_full = quota.bytes.is_some_and(|most| needed > most) || quota.files.is_some_and(|most| quota.used_files >= most);
    concerns_owner && quota.scope.category.is_none() && is_full
}

/// Returns the latest registration of an `ask` message, active or ended.
async fn find(browser: &SocketClient, ask: &str) -> Result<Option<Registration>, CallFailure> {
    let find = MethodCall::Find { owner: BROWSER.to_owned(), developer_id: ask.to_owned() };
    if let Some(active) = browser.call(&find).await? {
        return Ok(Some(active));
    }
    let query = ListQuery { active: Some(false), limit: LOOKED_THROUGH, ..ListQuery::default() };
    let ended: Vec<Registration> = browser.call(&MethodCall::List(query)).await?;
    Ok(ended.into_iter().find(|one| one.developer_id == ask))
}

/// Drops the unused response of a probe. If this fails, the engine drops it after two minutes.
async fn release(browser: &SocketClient, probe: Option<Guid>) {
    if let Some(probe) = probe {
        let _ = within(RELEASE_WITHIN, browser.call::<()>(&MethodCall::LetGo { probe })).await;
    }
}

/// Returns the request that the engine sends for the file of the browser. [pure]
fn request(download: &BrowserDownload) -> NewRequest {
    let known = |name: &str, value: &Option<String>| Some((name.to_owned(), value.clone().filter(|value| !value.is_empty())?));
    let headers = fields(download).into_iter().filter_map(|(name, value)| known(name, value)).collect();
    let name = download.name.clone().filter(|name| !name.is_empty());
    NewRequest { url: download.url.clone(), headers, name, ..NewRequest::default() }
}

fn fields(download: &BrowserDownload) -> [(&'static str, &Option<String>); 3] {
    [("Cookie", &download.cookies), ("Referer", &download.referrer), ("User-Agent", &download.user_agent)]
}

/// Fails if the address or another value of the download is not acceptable. [pure]
///
/// The address must not be too long, and must not contain a sign-in that no person chose. No value may contain a
/// control character, because it could add a header field.
///
/// The engine checks less: it accepts longer addresses and any sign-in, and several lines of cookies from a person.
fn check(download: &BrowserDownload) -> Result<(), UserMessage> {
    if download.url.len() > LONGEST_ADDRESS {
        return Err(message!("browser-message.address", most = LONGEST_ADDRESS));
    }
    let bare = link_without_sign_in(&download.url);
    if bare != download.url && !download.was_clicked {
        // A page must not choose the user name with which Ashore signs in to a server.
        let host = bare.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        return Err(declines::of_reason(EngineError::Credentials(host.to_owned()).message()));
    }
    let has_control = |value: &Option<String>| value.as_deref().is_some_and(|value| value.chars().any(char::is_control));
    match fields(download).into_iter().find(|(_, value)| has_control(value)) {
        Some((name, _)) => Err(declines::of_reason(message!("invalid.header-value", name = name))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::{FileCategory, QuotaScope};

    use super::*;

    #[tokio::test]
    async fn call_without_answer_fails_as_unreachable() {
        let silent = std::future::pending::<Result<(), CallFailure>>();
        assert_eq!(within(Duration::ZERO, silent).await.unwrap_err().message().code, "unreachable");
        assert_eq!(within(ANSWER_WITHIN, async { Ok(7) }).await.unwrap(), 7);
    }

    #[test]
    fn only_known_fields_are_sent_with_request() {
        let download = BrowserDownload {
            url: "https://a.example/b".to_owned(),
            cookies: Some("a=b".to_owned()),
            referrer: Some(String::new()),
            name: Some(String::new()),
            ..BrowserDownload::default()
        };
        let sent = request(&download);
        assert_eq!((sent.headers, sent.name), (vec![("Cookie".to_owned(), "a=b".to_owned())], None));
    }

    #[test]
    fn first_byte_above_quota_of_owner_exceeds_the_quota() {
        let quota = |owner: Option<&str>, category, bytes, files| OwnerQuota {
            scope: QuotaScope { owner: owner.map(str::to_owned), category },
            bytes,
            files,
            used_bytes: 90,
            used_files: 3,
        };
        let cases = [
            (quota(None, None, Some(100), None), Some(10), false),
            (quota(None, None, Some(100), None), Some(11), true),
            (quota(Some(BROWSER), None, Some(100), None), Some(11), true),
            (quota(Some("feeds"), None, Some(100), None), Some(11), false),
            (quota(None, Some(FileCategory::Video), Some(100), None), Some(11), false),
            (quota(None, None, Some(100), None), None, false),
            (quota(None, None, Some(90), None), None, true),
            (quota(None, None, Some(100), None), Some(u64::MAX), true),
            (quota(None, None, None, Some(4)), Some(u64::MAX), false),
            (quota(None, None, None, Some(3)), Some(0), true),
        ];
        for (quota, size, expected) in cases {
            assert_eq!(is_exceeded(&quota, size), expected, "{quota:?} {size:?}");
        }
    }

    #[test]
    fn value_with_line_break_is_refused() {
        let change: [fn(&mut BrowserDownload, String); 3] = [
            |download, value| download.cookies = Some(value),
            |download, value| download.referrer = Some(value),
            |download, value| download.user_agent = Some(value),
        ];
        for set in change {
            for (value, is_accepted) in [("a=b; c=d", true), ("a\r\nHost: b", false), ("a\nb", false), ("a\0", false)] {
                let mut download = BrowserDownload::default();
                set(&mut download, value.to_owned());
                assert_eq!(check(&download).is_ok(), is_accepted, "{value:?}");
            }
        }
    }
}
