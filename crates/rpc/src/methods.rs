//! All calls across a process boundary, as one tagged union.
//!
//! Socket, window and command line send a [`MethodCall`] and receive a value or a [`UserMessage`]. Nothing is decided here.

use std::path::PathBuf;

use ashore_engine::{
    EngineError, Guid, ImageResource, LimitScope, ListQuery, MatchOptions, NewRegistration, NewRequest, NotificationIcon,
    QueuePlace, QuotaScope, RequestSource, SettingKey, SettingValue, SignIn, UniqueId,
};
use ashore_sync::service::{SyncCall, SyncService};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::answers::{answer, icons_of, known, unacknowledged_events, understand};

/// Call to the engine with its parameters; serialised as `{"method": "...", "params": {...}}`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "method", content = "params", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum MethodCall {
    /// Returns a `Registration`.
    Create(NewRegistration),
    /// Returns an `AddOutcome`.
    Add(NewRegistration),
    /// Returns a list of `developer_id`s.
    Ids {
        /// Owner.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
    },
    /// Returns a `Registration` or null.
    Find {
        /// Owner.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
        /// Name that the owner gave to the registration.
        developer_id: String,
    },
    /// Returns a `Registration`.
    Show {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns a list of `Registration`s.
    List(ListQuery),
    /// Returns the ids of all registrations that contain a text, newest first; at most 10,000.
    ///
    /// The search covers the title, the addresses and the file names. This method is meant for clients that already
    /// have the list.
    Search {
        /// Text to search for.
        text: String,
    },
    /// Returns a list of `ResponseRecord`s.
    Records {
        /// Id of the registration.
        unique_id: UniqueId,
        /// First index.
        from: u32,
        /// Maximum number of records; 0 means 1,000.
        limit: u32,
    },
    /// Returns `Details`.
    Details {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Index of the file.
        index: u32,
    },
    /// Returns the path of a finished file, if the file has not changed since it was placed.
    File {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Index of the file.
        index: u32,
    },
    /// Returns a list of `Segments`.
    Segments {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns the first `ResponseRecord` that matches, or null.
    Match {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Address to look for.
        url: String,
        /// Rules of the comparison.
        #[serde(default)]
        #[ts(as = "Option<MatchOptions>", optional)]
        options: MatchOptions,
    },
    /// Returns a list of `ResponseRecord`s.
    MatchAll {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Address to look for.
        url: String,
        /// Rules of the comparison.
        #[serde(default)]
        #[ts(as = "Option<MatchOptions>", optional)]
        options: MatchOptions,
    },
    /// Returns a `Registration`, and holds it for this connection.
    ///
    /// A held registration stays readable until it is released or the connection ends, even after its removal.
    Hold {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns whether this connection was holding the registration.
    Release {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns true if this call aborts the registration; false if the registration was already settled.
    Abort {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns null.
    Pause {
        /// Id of the registration; null for everything.
        unique_id: Option<UniqueId>,
    },
    /// Returns null.
    Resume {
        /// Id of the registration; null for everything.
        unique_id: Option<UniqueId>,
    },
    /// Returns null.
    UpdateUi {
        /// Id of the registration.
        unique_id: UniqueId,
        /// New title.
        title: Option<String>,
        /// New description.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        description: Option<String>,
        /// New image file, if there is only one.
        #[serde(default, with = "ashore_engine::path_text::option")]
        #[ts(as = "Option<PathBuf>")]
        icon: Option<PathBuf>,
        /// All new image files; an empty list removes the icons.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        icons: Option<Vec<ImageResource>>,
    },
    /// Emits a click event to the clients of the registration's owner. Called when the user clicks the registration.
    /// Returns null.
    Click {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns null.
    Move {
        /// Id of the registration.
        unique_id: UniqueId,
        /// New place in the queue.
        place: QueuePlace,
    },
    /// Returns the number of requests that are retried.
    Retry {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns null.
    Remove {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Whether to remove the downloaded files too.
        files: bool,
    },
    /// Removes the latest registration with this name. Also refuses every call of `create` or `add` with this name that
    /// still runs, or that begins within ten minutes. Returns whether a registration was removed.
    Withdraw {
        /// Owner.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
        /// Name that the owner chose.
        developer_id: String,
        /// Whether to remove the downloaded files too.
        files: bool,
    },
    /// Returns null.
    RemoveOwner {
        /// Owner.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
    },
    /// Removes all registrations of an owner from the list. Returns the number of removed registrations.
    Clear {
        /// Owner.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
        /// Whether to remove the downloaded files too.
        #[serde(default)]
        #[ts(as = "Option<bool>", optional)]
        files: bool,
    },
    /// Aborts all active registrations of an owner. Returns the number of aborted registrations.
    Reset {
        /// Owner.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
    },
    /// Returns `QueueStats`.
    QueueStats {
        /// Owner; null for all owners.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        owner: Option<String>,
    },
    /// Claims the task of notifying the user that a registration has ended. Returns true for exactly one caller.
    Claim {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns a list of settled `Registration`s whose end was not yet acknowledged, or not yet shown to the user.
    ///
    /// With an owner, these are registrations whose end event no client of the owner has acknowledged. Without an
    /// owner, these are registrations whose end the user has not been notified of.
    Owed {
        /// Owner; null for the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        owner: Option<String>,
    },
    /// Returns true if this call acknowledges a pending end event; false if no such event was pending.
    Acknowledge {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Number of the end event.
        event_number: u32,
    },
    /// Returns `Totals`.
    Totals,
    /// Returns `Statistics`.
    Statistics {
        /// Number of days to list separately; 0 means 28.
        days: u32,
    },
    /// Returns a `ProbeReport` that is derived from the head of the server's answer.
    Probe(NewRequest),
    /// Discards the waiting answer of a probe. Returns null.
    LetGo {
        /// Id of the probe, from `ProbeReport`.
        #[ts(type = "string")]
        probe: Guid,
    },
    /// Returns an `ExistingLinks`: the files in the list that come from these links, and the downloads of these links
    /// on other machines.
    Known {
        /// Addresses to look for.
        links: Vec<String>,
        /// Folder in which to look for `name`; null for the folder of the settings.
        #[serde(default, with = "ashore_engine::path_text::option")]
        #[ts(as = "Option<PathBuf>")]
        folder: Option<PathBuf>,
        /// Name of a file, to check whether the folder has it already.
        name: Option<String>,
    },
    /// Sets another address for a file that is not complete. Returns null.
    Relink {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Index of the file.
        index: u32,
        /// New address.
        url: String,
        /// Headers for the new address; null to keep the headers of the old address.
        headers: Option<Vec<(String, String)>>,
    },
    /// Makes a download of the browser wait for a new link. For 15 minutes, a click on the download's file continues
    /// the download. Returns the address of the page with the link.
    AwaitLink {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Gives the link of a new registration to the unfinished download of the same file. Returns a `Registration`. If
    /// there is no such download, returns null and changes nothing.
    TakeLink(NewRegistration),
    /// Moves the files to another folder, also while they are being fetched. Returns null after the last file has moved.
    PutInto {
        /// Id of the registration.
        unique_id: UniqueId,
        /// Folder to which the files move.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        folder: PathBuf,
    },
    /// Makes the registration continue even if gates are closed, as far as the user may overrule these gates.
    ///
    /// Returns whether the call has an effect.
    GoAnyway {
        /// Id of the registration.
        unique_id: UniqueId,
    },
    /// Returns a list of `UnderstoodLine`s.
    Understand {
        /// Pasted text.
        text: String,
    },
    /// Returns the Fluent source of all messages in a language.
    Sentences {
        /// Tag of the language, such as `pt-BR`; English for an unknown tag.
        language: String,
    },
    /// Returns a `SettingsReport`.
    Settings,
    /// Changes a setting. Returns null.
    Set {
        /// Key of the setting.
        key: SettingKey,
        /// New value; null for the default.
        value: Option<SettingValue>,
    },
    /// Returns the `KeptFile`s: files of removed downloads that could not be moved to the trash.
    KeptFiles,
    /// Returns an `EngineReport`.
    Doctor,
    /// Recomputes the counters that `doctor` reports. Returns the `CounterMismatch`es that were found.
    Repair,
    /// Returns a `Recovery` or null.
    Recovery,
    /// Returns null.
    AcknowledgeRecovery,
    /// Returns a list of `OrphanPartial`s.
    Orphans,
    /// Returns a list of `Registration`s.
    Adopt {
        /// Partial files to continue; an empty list means all partial files that can be continued.
        #[serde(with = "ashore_engine::path_text::list")]
        #[ts(as = "Vec<PathBuf>")]
        partials: Vec<PathBuf>,
    },
    /// Returns an `ExportSummary`.
    Export {
        /// File to write: an absolute path.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
        /// Whether to replace an existing file.
        replace: bool,
    },
    /// Returns an `ImportSummary`.
    Import {
        /// Exported list: an absolute path.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
        /// Whether to accept a file that was changed after the export.
        unchecked: bool,
    },
    /// Returns null.
    Limit {
        /// Scope of the limit.
        scope: LimitScope,
        /// Speed, 1,024 to 10,737,418,240; null or 0 for no limit.
        #[ts(type = "number | null")]
        bytes_per_second: Option<u64>,
    },
    /// Returns a list of `SpeedLimit`s.
    Limits,
    /// Returns null.
    SetQuota {
        /// Scope of the quota.
        scope: QuotaScope,
        /// Maximum number of bytes, 1 to 2^53.
        ///
        /// Null keeps the current value; null for both bytes and files removes the quota.
        #[ts(type = "number | null")]
        bytes: Option<u64>,
        /// Maximum number of files, 1 to 2^53. Null has the same meaning as for bytes.
        #[ts(type = "number | null")]
        files: Option<u64>,
    },
    /// Returns a list of `OwnerQuota`s.
    Quotas,
    /// Returns a `KeptSignIn`.
    SignIn {
        /// Any address of the server.
        url: String,
        /// Credentials.
        sign_in: SignIn,
        /// Whether to keep the credentials beyond this run of the engine.
        lasting: bool,
    },
    /// Returns false if no sign-in was stored for the server.
    SignOut {
        /// Any address of the server.
        url: String,
    },
    /// Returns a list of `KeptSignIn`s.
    SignIns,
    /// Returns a `KeptSignIn`.
    GiveCookies {
        /// Address that the cookies are for; this address also determines the server.
        url: String,
        /// Cookies as `name=value`, separated by semicolons, or the lines of a `cookies.txt`.
        cookies: String,
        /// Whether to keep the cookies beyond this run of the engine.
        lasting: bool,
    },
    /// Returns the number of cookies that can be used.
    AddCookies {
        /// Path of a `cookies.txt`.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
    },
    /// Returns null.
    ReadNetrc {
        /// Path of a netrc file.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
    },
    /// Carries out a sync operation. The operation determines the type of the result.
    Sync(SyncCall),
}

impl MethodCall {
    /// Names of all methods as they are serialised.
    pub const METHODS: &[&str] = &[
        "create",
        "add",
        "ids",
        "find",
        "show",
        "list",
        "search",
        "records",
        "details",
        "file",
        "segments",
        "match",
        "match_all",
        "hold",
        "release",
        "abort",
        "pause",
        "resume",
        "update_ui",
        "click",
        "move",
        "retry",
        "remove",
        "withdraw",
        "remove_owner",
        "clear",
        "reset",
        "queue_stats",
        "claim",
        "owed",
        "acknowledge",
        "totals",
        "statistics",
        "probe",
        "let_go",
        "known",
        "relink",
        "await_link",
        "take_link",
        "put_into",
        "go_anyway",
        "understand",
        "sentences",
        "settings",
        "set",
        "kept_files",
        "doctor",
        "repair",
        "recovery",
        "acknowledge_recovery",
        "orphans",
        "adopt",
        "export",
        "import",
        "limit",
        "limits",
        "set_quota",
        "quotas",
        "sign_in",
        "sign_out",
        "sign_ins",
        "give_cookies",
        "add_cookies",
        "read_netrc",
        "sync",
    ];
}

/// Carries out `call`, which comes from `source`, without checking the owner. Returns the result as JSON.
pub(crate) async fn dispatch(sync: &SyncService, source: RequestSource, call: MethodCall) -> Result<Value, EngineError> {
    let engine = sync.engine();
    match call {
        MethodCall::Sync(call) => sync.call(call).await.map_err(EngineError::Sync),
        MethodCall::Create(new) => answer(engine.create(new).await?),
        MethodCall::Add(new) => answer(engine.add(new).await?),
        MethodCall::Ids { owner } => answer(engine.ids(&owner).await?),
        MethodCall::Find { owner, developer_id } => answer(engine.find(&owner, &developer_id).await?),
        MethodCall::Show { unique_id } => answer(engine.show(unique_id).await?),
        MethodCall::List(query) => answer(engine.list(query).await?),
        MethodCall::Search { text } => answer(engine.search(&text).await?),
        MethodCall::Records { unique_id, from, limit } => answer(engine.records(unique_id, from, limit).await?),
        MethodCall::Details { unique_id, index } => answer(engine.details(unique_id, index).await?),
        MethodCall::File { unique_id, index } => answer(engine.file(unique_id, index).await?),
        MethodCall::Segments { unique_id } => answer(engine.segments(unique_id).await?),
        MethodCall::Match { unique_id, url, options } => {
            answer(engine.match_all(unique_id, &url, options).await?.into_iter().next())
        }
        MethodCall::MatchAll { unique_id, url, options } => answer(engine.match_all(unique_id, &url, options).await?),
        MethodCall::Abort { unique_id } => answer(engine.abort(unique_id).await?),
        MethodCall::Pause { unique_id } => answer(engine.pause(unique_id).await?),
        MethodCall::Resume { unique_id } => answer(engine.resume(unique_id).await?),
        MethodCall::Click { unique_id } => answer(engine.click(unique_id).await?),
        MethodCall::UpdateUi { unique_id, title, description, icon, icons } => {
            let icons = icons_of(icon, icons)?;
            answer(engine.update_ui(unique_id, NotificationIcon { title, description, icons }).await?)
        }
        MethodCall::Move { unique_id, place } => answer(engine.move_to(unique_id, place).await?),
        MethodCall::Retry { unique_id } => answer(engine.retry(unique_id).await?),
        MethodCall::Remove { unique_id, files } => answer(engine.remove(unique_id, files).await?),
        MethodCall::Withdraw { owner, developer_id, files } => answer(engine.withdraw(&owner, &developer_id, files).await?),
        MethodCall::RemoveOwner { owner } => answer(engine.remove_owner(&owner).await?),
        MethodCall::Claim { unique_id } => answer(engine.claim(unique_id).await?),
        MethodCall::Clear { owner, files } => answer(engine.clear(&owner, files).await?),
        MethodCall::Reset { owner } => answer(engine.reset(&owner).await?),
        MethodCall::QueueStats { owner } => answer(engine.queue_stats(owner.as_deref()).await?),
        MethodCall::Owed { owner } => unacknowledged_events(engine, owner.as_deref()).await,
        MethodCall::Acknowledge { unique_id, event_number } => answer(engine.acknowledge(unique_id, event_number).await?),
        // Only a connection can hold a registration, so `ClientSession` carries these calls out.
        MethodCall::Hold { unique_id } => answer(engine.show(unique_id).await?),
        MethodCall::Release { .. } => answer(false),
        MethodCall::Totals => answer(engine.totals().await?),
        MethodCall::Statistics { days } => answer(engine.statistics(days).await?),
        MethodCall::Probe(request) => answer(engine.probe(source, request).await?),
        MethodCall::LetGo { probe } => {
            engine.release_probe(probe);
            Ok(Value::Null)
        }
        MethodCall::Known { links, folder, name } => known(sync, &links, folder, name).await,
        MethodCall::Relink { unique_id, index, url, headers } => answer(engine.relink(unique_id, index, &url, headers).await?),
        MethodCall::AwaitLink { unique_id } => answer(engine.await_link(unique_id).await?),
        MethodCall::TakeLink(new) => answer(engine.take_link(new).await?),
        MethodCall::PutInto { unique_id, folder } => answer(engine.put_into(unique_id, folder).await?),
        MethodCall::GoAnyway { unique_id } => answer(engine.go_anyway(unique_id).await?),
        MethodCall::Understand { text } => understand(text).await,
        MethodCall::Sentences { language } => answer(ashore_messages::sentences(&language)),
        MethodCall::Settings => answer(engine.settings()),
        MethodCall::Set { key, value } => answer(engine.set(key, value).await?),
        MethodCall::KeptFiles => answer(engine.kept_files().await?),
        MethodCall::Doctor => answer(engine.doctor().await?),
        MethodCall::Repair => answer(engine.repair().await?),
        MethodCall::Recovery => answer(engine.recovery()),
        MethodCall::AcknowledgeRecovery => answer(engine.acknowledge_recovery()?),
        MethodCall::Orphans => answer(engine.orphans().await?),
        MethodCall::Adopt { partials } => answer(engine.adopt(partials).await?),
        MethodCall::Export { file, replace } => answer(engine.export(file, replace).await?),
        MethodCall::Import { file, unchecked } => answer(engine.import(file, unchecked, source).await?),
        MethodCall::Limit { scope, bytes_per_second } => answer(engine.limit(scope, bytes_per_second).await?),
        MethodCall::Limits => answer(engine.limits().await?),
        MethodCall::SetQuota { scope, bytes, files } => answer(engine.set_quota(scope, bytes, files).await?),
        MethodCall::Quotas => answer(engine.quotas().await?),
        MethodCall::SignIn { url, sign_in, lasting } => answer(engine.sign_in(&url, sign_in, lasting).await?),
        MethodCall::SignOut { url } => answer(engine.sign_out(&url).await?),
        MethodCall::SignIns => answer(engine.sign_ins()),
        MethodCall::GiveCookies { url, cookies, lasting } => answer(engine.give_cookies(&url, &cookies, lasting).await?),
        MethodCall::AddCookies { file } => answer(engine.add_cookies(&file).await?),
        MethodCall::ReadNetrc { file } => answer(engine.read_netrc(&file).await?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_of_method_names_contains_exactly_the_methods_that_can_be_called() {
        let error = serde_json::from_str::<MethodCall>(r#"{"method":"?"}"#).unwrap_err().to_string();
        // Serde lists every variant it knows: "unknown variant `?`, expected one of `create`, `ids`, ...".
        let (_, known) = error.split_once("one of ").unwrap();
        let known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
        assert_eq!(known, MethodCall::METHODS);
    }
}
