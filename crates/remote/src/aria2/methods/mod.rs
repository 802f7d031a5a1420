//! Carries out the methods of the aria2 interface.
//!
//! - `add` adds downloads, `tell` describes them, `control` pauses and removes them, and `change` reads and changes options.
//! - `queue` moves downloads, `addresses` changes their addresses, and `session` writes them to a session file.
//! - `downloads` finds downloads by GID, `kept_cache` keeps their values in memory, and `folder` checks folders.
//! - `read_count` counts the registrations that calls read.
//! - `gid_reservations` keeps two new downloads from getting the same GID.
//! - `caller` checks the secrets of a request, and limits the number of its calls.
//! - A token is needed for every method except those that only list names. The calls in a `system.multicall` have tokens of
//!   their own.

mod add;
mod addresses;
mod caller;
mod change;
mod control;
mod downloads;
mod folder;
mod gid_reservations;
mod kept_cache;
mod queue;
mod read_count;
mod session;
mod tell;

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ashore_engine::{Engine, EngineError};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::sleep};

use crate::{
    aria2::{
        methods::{gid_reservations::GidReservations, kept_cache::KeptCache, read_count::ReadCount},
        notify::NOTIFICATIONS,
        options::values::OptionMap,
        params::{CallParams, take_list, take_token},
        wire::{Aria2Call, Aria2Failure, inner_call},
    },
    token_scope::TokenScope,
};

pub(crate) use caller::{Aria2Caller, SecretCheck};

/// Configuration of the interface.
pub(crate) struct Aria2Config {
    /// Engine of the downloads.
    pub engine: Engine,
    /// Data folder of the engine, in which `saveSession` writes its file.
    pub data_dir: PathBuf,
    /// Folders in which clients may write, besides the download folders of the settings.
    pub roots: Vec<PathBuf>,
    /// Whether clients also see, pause and continue the downloads of all other owners.
    pub shows_all: bool,
    /// Returns the scope of a secret.
    pub scope_of: SecretCheck,
    /// Notified when a client ends this program; `None` if clients must not end this program.
    pub stop: Option<Arc<Notify>>,
    /// Source of random numbers for GIDs.
    pub random: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl fmt::Debug for Aria2Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aria2Config").field("roots", &self.roots).finish_non_exhaustive()
    }
}

/// Interface with its state.
#[derive(Debug)]
pub(crate) struct Aria2Methods {
    config: Aria2Config,
    /// Global options that clients have set since this program started.
    global: Mutex<OptionMap>,
    reserved_gids: GidReservations,
    kept: KeptCache,
    /// Held while the addresses of a download are read and replaced.
    changing_addresses: tokio::sync::Mutex<()>,
    read_count: ReadCount,
    /// Random id of this run of the program, in hexadecimal digits.
    session_id: String,
}

/// Methods with the scope that they require, in the order of aria2.
const METHODS: [(&str, TokenScope); 33] = [
    ("aria2.addUri", TokenScope::Add),
    ("aria2.addTorrent", TokenScope::Add),
    ("aria2.getPeers", TokenScope::Read),
    ("aria2.addMetalink", TokenScope::Add),
    ("aria2.remove", TokenScope::Control),
    ("aria2.pause", TokenScope::Control),
    ("aria2.forcePause", TokenScope::Control),
    ("aria2.pauseAll", TokenScope::Control),
    ("aria2.forcePauseAll", TokenScope::Control),
    ("aria2.unpause", TokenScope::Control),
    ("aria2.unpauseAll", TokenScope::Control),
    ("aria2.forceRemove", TokenScope::Control),
    ("aria2.changePosition", TokenScope::Control),
    ("aria2.tellStatus", TokenScope::Read),
    ("aria2.getUris", TokenScope::Read),
    ("aria2.getFiles", TokenScope::Read),
    ("aria2.getServers", TokenScope::Read),
    ("aria2.tellActive", TokenScope::Read),
    ("aria2.tellWaiting", TokenScope::Read),
    ("aria2.tellStopped", TokenScope::Read),
    ("aria2.getOption", TokenScope::Read),
    ("aria2.changeUri", TokenScope::Control),
    ("aria2.changeOption", TokenScope::Control),
    ("aria2.getGlobalOption", TokenScope::Read),
    ("aria2.changeGlobalOption", TokenScope::Control),
    ("aria2.purgeDownloadResult", TokenScope::Control),
    ("aria2.removeDownloadResult", TokenScope::Control),
    ("aria2.getVersion", TokenScope::Read),
    ("aria2.getSessionInfo", TokenScope::Read),
    ("aria2.shutdown", TokenScope::Control),
    ("aria2.forceShutdown", TokenScope::Control),
    ("aria2.getGlobalStat", TokenScope::Read),
    ("aria2.saveSession", TokenScope::Control),
];

/// Number of hexadecimal digits of a session id, as in aria2.
const SESSION_DIGITS: usize = 40;
/// Delay between the call `shutdown` and the end of this program, in which the answer is sent. aria2 waits three seconds.
const STOP_AFTER: Duration = Duration::from_secs(1);

/// Methods without a token.
const SYSTEM_METHODS: [&str; 3] = ["system.multicall", "system.listMethods", "system.listNotifications"];

impl Aria2Methods {
    pub(crate) fn new(config: Aria2Config) -> Self {
        let numbers = std::iter::repeat_with(|| (config.random)());
        let session_id = numbers.take(3).map(|number| format!("{number:016x}")).collect::<String>()[..SESSION_DIGITS].to_owned();
        Self {
            config,
            global: Mutex::default(),
            reserved_gids: GidReservations::default(),
            kept: KeptCache::default(),
            changing_addresses: tokio::sync::Mutex::default(),
            read_count: ReadCount::default(),
            session_id,
        }
    }

    /// Checks the latest secret of `caller` again.
    pub(crate) async fn check_again(&self, caller: &mut Aria2Caller) {
        caller.check_again(&self.config.scope_of).await;
    }

    /// Carries out a call of `caller`.
    pub(crate) async fn call(&self, call: Aria2Call, caller: &mut Aria2Caller) -> Result<Value, Aria2Failure> {
        if call.method != "system.multicall" {
            caller.count_calls(1)?;
            return self.call_one(&call.method, call.params, caller).await;
        }
        let calls = take_list(call.params)?;
        // Count every entry, because each entry gets an answer, even if it is not a valid call.
        caller.count_calls(calls.len())?;
        let mut answers = Vec::with_capacity(calls.len());
        for inner in calls {
            answers.push(match inner_call(inner) {
                Ok(inner) => match self.call_one(&inner.method, inner.params, caller).await {
                    Ok(value) => json!([value]),
                    Err(failure) => failure.into_value(),
                },
                Err(failure) => failure.into_value(),
            });
        }
        Ok(Value::Array(answers))
    }

    async fn call_one(&self, method: &str, params: Vec<Value>, caller: &mut Aria2Caller) -> Result<Value, Aria2Failure> {
        // Refuse the call before it has an effect.
        caller.check_answer_length()?;
        let answer = self.call_admitted(method, params, caller).await?;
        caller.count_answer(&answer);
        Ok(answer)
    }

    async fn call_admitted(&self, method: &str, mut params: Vec<Value>, caller: &mut Aria2Caller) -> Result<Value, Aria2Failure> {
        match method {
            "system.listMethods" => {
                let names = METHODS.iter().map(|(name, _)| *name).chain(SYSTEM_METHODS);
                return Ok(names.collect());
            }
            "system.listNotifications" => return Ok(json!(NOTIFICATIONS)),
            _ => {}
        }
        let secret = take_token(&mut params);
        let unauthorized = || Aria2Failure::new("Unauthorized");
        let scope = caller.scope(&self.config.scope_of, secret).await.ok_or_else(unauthorized)?;
        let Some((_, needed)) = METHODS.iter().find(|(name, _)| *name == method) else {
            return Err(Aria2Failure::new(format!("No such method: {method}")));
        };
        if !scope.includes(*needed) {
            return Err(unauthorized());
        }
        self.dispatch(method, CallParams(&params)).await
    }

    async fn dispatch(&self, method: &str, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        match method {
            "aria2.addUri" => self.add_uri(params).await,
            "aria2.addMetalink" => self.add_metalink(params).await,
            "aria2.addTorrent" => params.bytes(0).and_then(|_| Err(no_torrents())),
            "aria2.changePosition" => self.change_position(params).await,
            "aria2.changeUri" => self.change_uri(params).await,
            "aria2.remove" | "aria2.forceRemove" => self.remove(params).await,
            "aria2.pause" | "aria2.forcePause" => self.pause(params).await,
            "aria2.pauseAll" | "aria2.forcePauseAll" => self.pause_all().await,
            "aria2.unpause" => self.unpause(params).await,
            "aria2.unpauseAll" => self.unpause_all().await,
            "aria2.tellStatus" => self.tell_status(params).await,
            "aria2.getUris" => self.get_uris(params).await,
            "aria2.getFiles" => self.get_files(params).await,
            "aria2.getServers" => self.get_servers(params).await,
            "aria2.tellActive" => self.tell_active(params).await,
            "aria2.tellWaiting" => self.tell_waiting(params).await,
            "aria2.tellStopped" => self.tell_stopped(params).await,
            "aria2.getOption" => self.get_option(params).await,
            "aria2.changeOption" => self.change_option(params).await,
            "aria2.getGlobalOption" => self.get_global_option().await,
            "aria2.changeGlobalOption" => self.change_global_option(params).await,
            "aria2.purgeDownloadResult" => self.purge_download_result().await,
            "aria2.removeDownloadResult" => self.remove_download_result(params).await,
            "aria2.getVersion" => Ok(version()),
            "aria2.getGlobalStat" => self.get_global_stat().await,
            // A download over HTTP has no peers.
            "aria2.getPeers" => self.find(&params.gid(0)?).await.map(|_| json!([])),
            "aria2.getSessionInfo" => Ok(json!({ "sessionId": self.session_id })),
            "aria2.saveSession" => self.save_session().await,
            "aria2.shutdown" | "aria2.forceShutdown" => self.shut_down(),
            other => Err(Aria2Failure::new(format!("No such method: {other}"))),
        }
    }

    /// Schedules the end of this program after a short delay, so that the client first receives the answer.
    fn shut_down(&self) -> Result<Value, Aria2Failure> {
        let remedy = "Clients may not stop Ashore. Start `ashore serve` with --aria2-may-stop to permit it.";
        let stop = Arc::clone(self.config.stop.as_ref().ok_or_else(|| Aria2Failure::new(remedy))?);
        tokio::spawn(async move {
            sleep(STOP_AFTER).await;
            stop.notify_one();
        });
        Ok(json!("OK"))
    }

    /// Returns the engine of the downloads.
    pub(crate) fn engine(&self) -> &Engine {
        &self.config.engine
    }

    fn global(&self) -> MutexGuard<'_, OptionMap> {
        self.global.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the version of aria2 that this interface imitates. Programs compare this version.
fn version() -> Value {
    json!({ "enabledFeatures": ["Async DNS", "HTTPS", "Message Digest", "Metalink", "XML-RPC"], "version": "1.36.0" })
}

/// Returns the failure of a call about a torrent. 26 is aria2's code for a torrent that cannot be read.
fn no_torrents() -> Aria2Failure {
    Aria2Failure::new("errorCode=26 Torrents are not supported.")
}

/// Returns the failure of a call that the engine refused.
fn refusal(error: EngineError) -> Aria2Failure {
    Aria2Failure::new(error.message().text)
}
