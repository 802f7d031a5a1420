//! Carries out the methods of the aria2 interface.
//!
//! - `add` adds downloads, `tell` describes them, `control` pauses and removes them, and `change` reads and changes options.
//! - `downloads` finds downloads by GID, `kept_cache` keeps their values in memory, and `folder` checks folders.
//! - `caller` checks the secrets of a request, and limits the number of its calls.
//! - A token is needed for every method except those that only list names. The calls in a `system.multicall` have tokens of
//!   their own.

mod add;
mod caller;
mod change;
mod control;
mod downloads;
mod folder;
mod kept_cache;
mod tell;

use std::{
    fmt,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_engine::{Engine, EngineError};
use serde_json::{Value, json};

use crate::{
    aria2::{
        methods::kept_cache::KeptCache,
        notify::NOTIFICATIONS,
        options::values::OptionMap,
        params::{CallParams, take_token},
        wire::{Aria2Call, Aria2Failure, inner_call},
    },
    token_scope::TokenScope,
};

pub(crate) use caller::{Aria2Caller, SecretCheck};

/// Configuration of the interface.
pub(crate) struct Aria2Config {
    /// Engine of the downloads.
    pub engine: Engine,
    /// Folders in which clients may write, besides the download folders of the settings.
    pub roots: Vec<PathBuf>,
    /// Whether clients also see, pause and continue the downloads of all other owners.
    pub shows_all: bool,
    /// Returns the scope of a secret.
    pub scope_of: SecretCheck,
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
    /// Locked while a download is added, so that two downloads never get the same GID.
    adding: tokio::sync::Mutex<()>,
    kept: KeptCache,
}

/// Methods with the scope that they require, in the order of aria2.
const METHODS: [(&str, TokenScope); 25] = [
    ("aria2.addUri", TokenScope::Add),
    ("aria2.getPeers", TokenScope::Read),
    ("aria2.remove", TokenScope::Control),
    ("aria2.pause", TokenScope::Control),
    ("aria2.forcePause", TokenScope::Control),
    ("aria2.pauseAll", TokenScope::Control),
    ("aria2.forcePauseAll", TokenScope::Control),
    ("aria2.unpause", TokenScope::Control),
    ("aria2.unpauseAll", TokenScope::Control),
    ("aria2.forceRemove", TokenScope::Control),
    ("aria2.tellStatus", TokenScope::Read),
    ("aria2.getUris", TokenScope::Read),
    ("aria2.getFiles", TokenScope::Read),
    ("aria2.getServers", TokenScope::Read),
    ("aria2.tellActive", TokenScope::Read),
    ("aria2.tellWaiting", TokenScope::Read),
    ("aria2.tellStopped", TokenScope::Read),
    ("aria2.getOption", TokenScope::Read),
    ("aria2.changeOption", TokenScope::Control),
    ("aria2.getGlobalOption", TokenScope::Read),
    ("aria2.changeGlobalOption", TokenScope::Control),
    ("aria2.purgeDownloadResult", TokenScope::Control),
    ("aria2.removeDownloadResult", TokenScope::Control),
    ("aria2.getVersion", TokenScope::Read),
    ("aria2.getGlobalStat", TokenScope::Read),
];

/// Methods without a token.
const SYSTEM_METHODS: [&str; 3] = ["system.multicall", "system.listMethods", "system.listNotifications"];

impl Aria2Methods {
    pub(crate) fn new(config: Aria2Config) -> Self {
        Self { config, global: Mutex::default(), adding: tokio::sync::Mutex::default(), kept: KeptCache::default() }
    }

    /// Carries out a call of `caller`.
    pub(crate) async fn call(&self, call: Aria2Call, caller: &mut Aria2Caller) -> Result<Value, Aria2Failure> {
        if call.method != "system.multicall" {
            return self.call_one(&call.method, call.params, caller).await;
        }
        let mut answers = Vec::new();
        for inner in CallParams(&call.params).list(0)?.to_vec() {
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

    async fn call_one(&self, method: &str, mut params: Vec<Value>, caller: &mut Aria2Caller) -> Result<Value, Aria2Failure> {
        caller.count_call()?;
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
            "aria2.getPeers" => params.gid(0).map(|_| json!([])),
            other => Err(Aria2Failure::new(format!("No such method: {other}"))),
        }
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
    json!({ "enabledFeatures": ["Async DNS", "HTTPS", "Message Digest"], "version": "1.36.0" })
}

/// Returns the failure of a call that the engine refused.
fn refusal(error: EngineError) -> Aria2Failure {
    Aria2Failure::new(error.message().text)
}
