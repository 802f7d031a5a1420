//! Everything that crosses a border, as one tagged union: the socket, the window and the command line all send a
//! [`Call`] and get back a value or a [`Trouble`]. Nothing is decided here.

use std::path::PathBuf;

use ashore_engine::{
    Engine, EngineError, Guid, ImageResource, LimitScope, ListQuery, MatchOptions, NewRegistration, NewRequest, NotificationIcon,
    QueuePlace, QuotaScope, SettingKey, SettingValue, SignIn, UniqueId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// A verb of the engine with its parameters; on the wire `{"method": "...", "params": {...}}`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "method", content = "params", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum MethodCall {
    /// Answers a `Registration`.
    Create(NewRegistration),
    /// Answers an `Added`.
    Add(NewRegistration),
    /// Answers a list of `developer_id`s.
    Ids {
        /// Whose.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
    },
    /// Answers a `Registration` or null.
    Find {
        /// Whose.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
        /// The owner's name for it.
        developer_id: String,
    },
    /// Answers a `Registration`.
    Show {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers a list of `Registration`s.
    List(ListQuery),
    /// Answers the ids of all registrations with these words in their title, or in an address or a name of theirs, newest first;
    /// at most 10,000. For who has the list.
    Search {
        /// What they contain.
        text: String,
    },
    /// Answers a list of `Record`s.
    Records {
        /// Whose.
        unique_id: UniqueId,
        /// The first index.
        from: u32,
        /// At most so many; 0 means 1,000.
        limit: u32,
    },
    /// Answers `Details`.
    Details {
        /// Whose.
        unique_id: UniqueId,
        /// Which of its files.
        index: u32,
    },
    /// Answers the path of a finished file that still is the one that was placed.
    File {
        /// Whose.
        unique_id: UniqueId,
        /// Which of its files.
        index: u32,
    },
    /// Answers a list of `Segments`.
    Segments {
        /// Whose.
        unique_id: UniqueId,
    },
    /// Answers the first `Record` that matches, or null.
    Match {
        /// Whose.
        unique_id: UniqueId,
        /// The address to look for.
        url: String,
        /// How to compare.
        #[serde(default)]
        #[ts(as = "Option<MatchOptions>", optional)]
        options: MatchOptions,
    },
    /// Answers a list of `Record`s.
    MatchAll {
        /// Whose.
        unique_id: UniqueId,
        /// The address to look for.
        url: String,
        /// How to compare.
        #[serde(default)]
        #[ts(as = "Option<MatchOptions>", optional)]
        options: MatchOptions,
    },
    /// Answers a `Registration`, which can be read on this connection until it is released or the connection ends, also when it
    /// is removed meanwhile.
    Hold {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers whether this connection held it.
    Release {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers true where this very registration was active until now; false for an old handle.
    Abort {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers null.
    Pause {
        /// Which; null for everything.
        unique_id: Option<UniqueId>,
    },
    /// Answers null.
    Resume {
        /// Which; null for everything.
        unique_id: Option<UniqueId>,
    },
    /// Answers null.
    UpdateUi {
        /// Which.
        unique_id: UniqueId,
        /// The new title.
        title: Option<String>,
        /// The new description.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        description: Option<String>,
        /// The new image file, where it is the only one.
        #[serde(default, with = "ashore_engine::path_text::option")]
        #[ts(as = "Option<PathBuf>")]
        icon: Option<PathBuf>,
        /// All new image files; an empty list takes the icons away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        icons: Option<Vec<ImageResource>>,
    },
    /// A person clicked on it, and clients of its owner are to hear so. Answers null.
    Click {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers null.
    Move {
        /// Which.
        unique_id: UniqueId,
        /// Where to.
        place: QueuePlace,
    },
    /// Answers how many requests are tried again.
    Retry {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers null.
    Remove {
        /// Which.
        unique_id: UniqueId,
        /// Also what it downloaded.
        files: bool,
    },
    /// Answers null.
    RemoveOwner {
        /// Whose.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
    },
    /// Takes everything of an owner off the list. Answers how many registrations that were.
    Clear {
        /// Whose.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
        /// Also what they downloaded.
        #[serde(default)]
        #[ts(as = "Option<bool>", optional)]
        files: bool,
    },
    /// Ends an owner's running work and empties its queue. Answers how many registrations that were.
    Reset {
        /// Whose.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
    },
    /// Answers `QueueStats`.
    QueueStats {
        /// Whose; null for everybody's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        owner: Option<String>,
    },
    /// Takes the person's notification on itself. Answers true for exactly one caller.
    Claim {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers a list of `Registration`s: whose end event no client of the owner has acknowledged, or those that the person is
    /// to be told of.
    Owed {
        /// Whose; null for the person's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        owner: Option<String>,
    },
    /// Answers true where this end event was owed until now.
    Acknowledge {
        /// Which.
        unique_id: UniqueId,
        /// That of the registration.
        event_number: u32,
    },
    /// Answers `Totals`.
    Totals,
    /// Answers `Statistics`.
    Statistics {
        /// By day as far back; 0 means 28.
        days: u32,
    },
    /// Answers a `Probed`.
    Probe(NewRequest),
    /// Answers null.
    LetGo {
        /// What a `Probed` was called.
        #[ts(type = "string")]
        probe: Guid,
    },
    /// Answers a `Known`.
    Known {
        /// Addresses.
        links: Vec<String>,
        /// Where something may have the name; null for the folder of the settings.
        #[serde(default, with = "ashore_engine::path_text::option")]
        #[ts(as = "Option<PathBuf>")]
        folder: Option<PathBuf>,
        /// A file's name, to see whether the folder has it.
        name: Option<String>,
    },
    /// Answers null.
    Relink {
        /// Whose.
        unique_id: UniqueId,
        /// Which of its files.
        index: u32,
        /// Its new address.
        url: String,
        /// What goes along with it; null for what went along with the old one.
        headers: Option<Vec<(String, String)>>,
    },
    /// Answers null.
    PutInto {
        /// Whose.
        unique_id: UniqueId,
        /// Where what is not there yet of it goes.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        folder: PathBuf,
    },
    /// Answers whether that opens a way: it goes on although a gate is closed that a person may overrule.
    GoAnyway {
        /// Which.
        unique_id: UniqueId,
    },
    /// Answers a list of `UnderstoodLine`s.
    Understand {
        /// What was pasted.
        text: String,
    },
    /// Answers a `SettingsReport`.
    Settings,
    /// Answers null.
    Set {
        /// Which.
        key: SettingKey,
        /// What it is to be; null for what it is when nobody says.
        value: Option<SettingValue>,
    },
    /// Answers the `KeptFile`s: files of removed downloads that could not be moved to the trash.
    KeptFiles,
    /// Answers a `Report`.
    Doctor,
    /// Recomputes the counters that `doctor` reports. Answers the `Miscount`s that there were.
    Repair,
    /// Answers a `Recovery` or null.
    Recovery,
    /// Answers null.
    AcknowledgeRecovery,
    /// Answers a list of `Orphan`s.
    Orphans,
    /// Answers a list of `Registration`s.
    Adopt {
        /// Partial files; none for every one that can be gone on with.
        #[serde(with = "ashore_engine::path_text::list")]
        #[ts(as = "Vec<PathBuf>")]
        partials: Vec<PathBuf>,
    },
    /// Answers an `Exported`.
    Export {
        /// Where the list is saved: a whole path.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
        /// What is there is replaced.
        replace: bool,
    },
    /// Answers an `Imported`.
    Import {
        /// A saved list: a whole path.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
        /// It may have been changed since it was saved.
        unchecked: bool,
    },
    /// Answers null.
    Limit {
        /// For what.
        scope: LimitScope,
        /// How fast it may be, 1,024 to 10,737,418,240; null or 0 for as fast as it goes.
        #[ts(type = "number | null")]
        bytes_per_second: Option<u64>,
    },
    /// Answers a list of `SpeedLimit`s.
    Limits,
    /// Answers null.
    SetQuota {
        /// For what.
        scope: QuotaScope,
        /// So many bytes at most, 1 to 2^53; null leaves that as it is, and both null take the quota away.
        #[ts(type = "number | null")]
        bytes: Option<u64>,
        /// So many files at most, 1 to 2^53; null as for bytes.
        #[ts(type = "number | null")]
        files: Option<u64>,
    },
    /// Answers a list of `Quota`s.
    Quotas,
    /// Answers a `KeptSignIn`.
    SignIn {
        /// Any address of the server.
        url: String,
        /// What signs in.
        sign_in: SignIn,
        /// Keep it beyond this run of the engine.
        lasting: bool,
    },
    /// Answers true or false.
    SignOut {
        /// Any address of the server.
        url: String,
    },
    /// Answers a list of `KeptSignIn`s.
    SignIns,
    /// Answers a `KeptSignIn`.
    GiveCookies {
        /// The address that they are for, which says the server as well.
        url: String,
        /// As `name=value`, with semicolons between them, or the lines of a `cookies.txt`.
        cookies: String,
        /// Keep them beyond this run of the engine.
        lasting: bool,
    },
    /// Answers how many cookies can be used.
    AddCookies {
        /// A `cookies.txt`.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
    },
    /// Answers null.
    ReadNetrc {
        /// A netrc file.
        #[serde(with = "ashore_engine::path_text")]
        #[ts(as = "PathBuf")]
        file: PathBuf,
    },
}

impl MethodCall {
    /// Every method by its name on the wire.
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
        "put_into",
        "go_anyway",
        "understand",
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
    ];
}

/// Carries out `call` without asking for whom; the answer is the JSON of what the verb returns.
pub(crate) async fn dispatch(engine: &Engine, call: MethodCall) -> Result<Value, EngineError> {
    match call {
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
        MethodCall::UpdateUi { icon: Some(_), icons: Some(_), .. } => {
            Err(EngineError::Invalid("Give either one icon or a list of icons, and not both.".to_owned()))
        }
        MethodCall::UpdateUi { unique_id, title, description, icon, icons } => {
            let icons = icons.or_else(|| icon.map(|icon| vec![ImageResource::from_source(icon)]));
            answer(engine.update_ui(unique_id, NotificationIcon { title, description, icons }).await?)
        }
        MethodCall::Move { unique_id, place } => answer(engine.move_to(unique_id, place).await?),
        MethodCall::Retry { unique_id } => answer(engine.retry(unique_id).await?),
        MethodCall::Remove { unique_id, files } => answer(engine.remove(unique_id, files).await?),
        MethodCall::RemoveOwner { owner } => answer(engine.remove_owner(&owner).await?),
        MethodCall::Claim { unique_id } => answer(engine.claim(unique_id).await?),
        MethodCall::Clear { owner, files } => answer(engine.clear(&owner, files).await?),
        MethodCall::Reset { owner } => answer(engine.reset(&owner).await?),
        MethodCall::QueueStats { owner } => answer(engine.queue_stats(owner.as_deref()).await?),
        MethodCall::Owed { owner: None } => answer(engine.pending_notifications().await?),
        MethodCall::Owed { owner: Some(owner) } => {
            engine.register(&owner).await?;
            answer(engine.owed_to(&owner).await?)
        }
        MethodCall::Acknowledge { unique_id, event_number } => answer(engine.acknowledge(unique_id, event_number).await?),
        // Holds belong to a connection: `Session` carries these calls out.
        MethodCall::Hold { unique_id } => answer(engine.show(unique_id).await?),
        MethodCall::Release { .. } => answer(false),
        MethodCall::Totals => answer(engine.totals().await?),
        MethodCall::Statistics { days } => answer(engine.statistics(days).await?),
        MethodCall::Probe(request) => answer(engine.probe(request).await?),
        MethodCall::LetGo { probe } => {
            engine.release_probe(probe);
            Ok(Value::Null)
        }
        MethodCall::Known { links, folder, name } => answer(engine.known(&links, folder, name).await?),
        MethodCall::Relink { unique_id, index, url, headers } => answer(engine.relink(unique_id, index, &url, headers).await?),
        MethodCall::PutInto { unique_id, folder } => answer(engine.put_into(unique_id, folder).await?),
        MethodCall::GoAnyway { unique_id } => answer(engine.go_anyway(unique_id).await?),
        MethodCall::Understand { text } => {
            // A hundred thousand links take a while, and whoever runs this carries everybody's bytes.
            let understood = tokio::task::spawn_blocking(move || ashore_engine::understand(&text)).await;
            answer(understood.map_err(|_| EngineError::Closed)?)
        }
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
        MethodCall::Import { file, unchecked } => answer(engine.import(file, unchecked).await?),
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

pub(crate) fn answer(value: impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(value).map_err(|error| EngineError::Invalid(format!("The answer cannot be written as JSON: {error}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_on_the_wire_are_those_of_the_variants() {
        let error = serde_json::from_str::<MethodCall>(r#"{"method":"?"}"#).unwrap_err().to_string();
        // Serde lists every variant it knows: "unknown variant `?`, expected one of `create`, `ids`, ...".
        let (_, known) = error.split_once("one of ").unwrap();
        let known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
        assert_eq!(known, MethodCall::METHODS);
    }
}
