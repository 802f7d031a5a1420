//! State of one connection: its version, its owner, and the registrations that it holds.
//!
//! Called by `conversation` for other programs, and by `connection` for a shell with an engine of its own.
//!
//! - The owner is set once; a later greeting with another owner is refused.
//! - Held registrations are released when the session ends.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use ashore_engine::{EngineError, MessageArgument, ReadHold, RequestSource, UniqueId};
use ashore_messages::message;
use ashore_sync::service::SyncService;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    answers::answer,
    event_feed::EventFeed,
    methods::{MethodCall, dispatch},
    owner_scope::{self, OwnerScope},
};

/// Version of the protocol that `docs/socket.md` describes. New methods, fields and events do not change the version.
pub(crate) const VERSION: u32 = 1;
/// Oldest supported version.
const OLDEST: u32 = 1;

/// Version and owner that a client states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerGreeting {
    /// Newest version that the client supports; 1 if the greeting states no version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Owner that the connection acts for from now on; the user if the greeting states no owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// Answer to a [`ServerGreeting`].
#[derive(Serialize)]
struct Greeted<'a> {
    /// Version that both sides support.
    version: u32,
    /// Version of the program.
    program: &'static str,
    /// Owner that the connection acts for; null for the user.
    owner: Option<&'a str>,
}

/// Owner whose events a client subscribes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EventSubscription {
    /// Owner; null for all events, on a connection that acts for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// State of one connection. Cheap to clone; all clones share it.
#[derive(Clone, Debug)]
pub(crate) struct ClientSession(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sync: SyncService,
    /// Source of everything that this connection requests; `None` to derive it from the owner.
    source: Option<RequestSource>,
    acts_for: OnceLock<String>,
    held: Mutex<HashMap<UniqueId, Arc<ReadHold>>>,
}

impl ClientSession {
    /// Returns a session that acts for the user until it is greeted with an owner.
    pub(crate) fn new(sync: SyncService) -> Self {
        Self::of_source(sync, None)
    }

    /// Returns a session like [`ClientSession::new`]. Requests come from `source` if it is given.
    pub(crate) fn of_source(sync: SyncService, source: Option<RequestSource>) -> Self {
        Self(Arc::new(Inner { sync, source, acts_for: OnceLock::new(), held: Mutex::default() }))
    }

    /// Returns the service that carries out the calls.
    pub(crate) fn service(&self) -> SyncService {
        self.0.sync.clone()
    }

    /// Answers a greeting.
    ///
    /// Fails with `Invalid` if the client supports only older versions, or if the owner's name is not valid. Fails with
    /// the code of `NotYours` if the connection already acts for another owner.
    pub(crate) fn greet(&self, greeting: ServerGreeting) -> Result<Value, EngineError> {
        let version = greeting.version.unwrap_or(OLDEST);
        if version < OLDEST {
            let [least, most, version] = [OLDEST, VERSION, version].map(MessageArgument::display);
            return Err(EngineError::Invalid(message!("invalid.protocol", least = least, most = most, value = version)));
        }
        if let Some(owner) = greeting.owner {
            ashore_engine::check_owner(&owner)?;
            let acts_for = self.0.acts_for.get_or_init(|| owner.clone());
            owner_scope::same(&owner, acts_for)?;
        }
        let program = env!("CARGO_PKG_VERSION");
        answer(Greeted { version: version.min(VERSION), program, owner: self.acts_for() })
    }

    /// Carries out `call`, if this connection may make it.
    pub(crate) async fn call(&self, mut call: MethodCall) -> Result<Value, EngineError> {
        if let Some(acts_for) = self.acts_for()
            && let OwnerScope::Owns(id) = owner_scope::admit(&mut call, acts_for)?
            && self.0.sync.engine().owner_of(id).await?.is_some_and(|owner| owner != acts_for)
        {
            return Err(EngineError::NotYours(id));
        }
        owner_scope::is_complete(&call)?;
        match call {
            MethodCall::Hold { unique_id } => self.hold(unique_id).await,
            MethodCall::Release { unique_id } => answer(self.held().remove(&unique_id).is_some()),
            call => match self.read_held(call).await? {
                Ok(value) => Ok(value),
                Err(call) => {
                    let source = self.0.source.unwrap_or_else(|| RequestSource::of_caller(self.acts_for()));
                    dispatch(&self.0.sync, source, call).await
                }
            },
        }
    }

    /// Subscribes to the events of the connection's owner, or of the owner in `subscription`.
    ///
    /// The pending end events of this owner come first. Without an owner, subscribes to all events for the user.
    pub(crate) async fn subscribe(&self, subscription: EventSubscription) -> Result<EventFeed, EngineError> {
        let owner = match (self.acts_for(), subscription.owner) {
            (Some(acts_for), None) => Some(acts_for.to_owned()),
            (Some(acts_for), Some(owner)) => {
                owner_scope::same(&owner, acts_for)?;
                Some(owner)
            }
            (None, owner) => owner,
        };
        EventFeed::open(self.0.sync.engine(), owner).await
    }

    fn acts_for(&self) -> Option<&str> {
        self.0.acts_for.get().map(String::as_str)
    }

    async fn hold(&self, id: UniqueId) -> Result<Value, EngineError> {
        let held = self.held().get(&id).cloned();
        let hold = match held {
            Some(hold) => hold,
            None => Arc::new(self.0.sync.engine().hold(id).await?),
        };
        let registration = hold.show().await?;
        self.held().insert(id, hold);
        answer(registration)
    }

    /// Carries out a call that reads a registration, if this connection holds the registration. Returns any other call
    /// unchanged.
    async fn read_held(&self, call: MethodCall) -> Result<Result<Value, MethodCall>, EngineError> {
        let id = match &call {
            MethodCall::Show { unique_id }
            | MethodCall::Records { unique_id, .. }
            | MethodCall::Details { unique_id, .. }
            | MethodCall::File { unique_id, .. }
            | MethodCall::Match { unique_id, .. }
            | MethodCall::MatchAll { unique_id, .. } => *unique_id,
            _ => return Ok(Err(call)),
        };
        let Some(hold) = self.held().get(&id).cloned() else { return Ok(Err(call)) };
        let value = match call {
            MethodCall::Show { .. } => answer(hold.show().await?),
            MethodCall::Records { from, limit, .. } => answer(hold.records(from, limit).await?),
            MethodCall::Details { index, .. } => answer(hold.details(index).await?),
            MethodCall::File { index, .. } => answer(hold.file(index).await?),
            MethodCall::Match { url, options, .. } => answer(hold.match_all(&url, options).await?.into_iter().next()),
            MethodCall::MatchAll { url, options, .. } => answer(hold.match_all(&url, options).await?),
            other => return Ok(Err(other)),
        };
        value.map(Ok)
    }

    fn held(&self) -> MutexGuard<'_, HashMap<UniqueId, Arc<ReadHold>>> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
