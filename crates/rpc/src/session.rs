//! One connection's conversation: the version and owner that it greeted with, and the registrations that it holds. Called by
//! `endpoint` for programs, and by `connection` for the shell that has an engine of its own.
//!
//! - The owner is named once: another one later is refused.
//! - What is held is released when the session ends.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use ashore_engine::{Engine, EngineError, ReadHold, UniqueId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    event_feed::EventFeed,
    methods::{MethodCall, answer, dispatch},
    owner_scope::{self, OwnerScope},
};

/// The version of the protocol: what `docs/socket.md` describes. Verbs, fields and events may be added without a new one.
pub(crate) const VERSION: u32 = 1;
/// The oldest version that is spoken.
const OLDEST: u32 = 1;

/// The version and the owner that a client states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerGreeting {
    /// The newest version that it speaks; 1 where it says none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The owner that the connection acts for from now on; the person where it says none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// The answer to a [`Greeting`].
#[derive(Serialize)]
struct Greeted<'a> {
    /// The version that both speak.
    version: u32,
    /// The version of the program.
    program: &'static str,
    /// The owner that the connection acts for; null for the person.
    owner: Option<&'a str>,
}

/// The owner that a client wants the events of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EventSubscription {
    /// The owner; null for everybody's, where the connection acts for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// One connection's conversation. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub(crate) struct ClientSession(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    engine: Engine,
    acts_for: OnceLock<String>,
    held: Mutex<HashMap<UniqueId, Arc<ReadHold>>>,
}

impl ClientSession {
    /// A conversation that acts for the person until it greets with an owner.
    pub(crate) fn new(engine: Engine) -> Self {
        Self(Arc::new(Inner { engine, acts_for: OnceLock::new(), held: Mutex::default() }))
    }

    /// Answers a greeting.
    ///
    /// `Invalid` where the client speaks only versions that are not spoken here, or names another owner than before.
    pub(crate) fn greet(&self, greeting: ServerGreeting) -> Result<Value, EngineError> {
        let version = greeting.version.unwrap_or(OLDEST);
        if version < OLDEST {
            let text = format!(
                "Versions {OLDEST} to {VERSION} of the protocol are spoken here, and not {version}. Update the program that asks."
            );
            return Err(EngineError::Invalid(text));
        }
        if let Some(owner) = greeting.owner {
            ashore_engine::check_owner(&owner)?;
            let acts_for = self.0.acts_for.get_or_init(|| owner.clone());
            owner_scope::same(&owner, acts_for)?;
        }
        let program = env!("CARGO_PKG_VERSION");
        answer(Greeted { version: version.min(VERSION), program, owner: self.acts_for() })
    }

    /// Carries out `call`, where this connection may ask for it.
    pub(crate) async fn call(&self, mut call: MethodCall) -> Result<Value, EngineError> {
        if let Some(acts_for) = self.acts_for()
            && let OwnerScope::Owns(id) = owner_scope::admit(&mut call, acts_for)?
            && self.0.engine.owner_of(id).await?.is_some_and(|owner| owner != acts_for)
        {
            return Err(EngineError::NotYours(id));
        }
        owner_scope::is_complete(&call)?;
        let engine = &self.0.engine;
        match call {
            MethodCall::Hold { unique_id } => self.hold(unique_id).await,
            MethodCall::Release { unique_id } => answer(self.held().remove(&unique_id).is_some()),
            call => match self.read_held(call).await? {
                Ok(value) => Ok(value),
                Err(call) => dispatch(engine, call).await,
            },
        }
    }

    /// Events from now on: of the owner that the connection acts for, or that `subscription` names, and first what that owner
    /// is owed; else everybody's.
    pub(crate) async fn subscribe(&self, subscription: EventSubscription) -> Result<EventFeed, EngineError> {
        let owner = match (self.acts_for(), subscription.owner) {
            (Some(acts_for), None) => Some(acts_for.to_owned()),
            (Some(acts_for), Some(owner)) => {
                owner_scope::same(&owner, acts_for)?;
                Some(owner)
            }
            (None, owner) => owner,
        };
        EventFeed::open(&self.0.engine, owner).await
    }

    fn acts_for(&self) -> Option<&str> {
        self.0.acts_for.get().map(String::as_str)
    }

    async fn hold(&self, id: UniqueId) -> Result<Value, EngineError> {
        let held = self.held().get(&id).cloned();
        let hold = match held {
            Some(hold) => hold,
            None => Arc::new(self.0.engine.hold(id).await?),
        };
        let registration = hold.show().await?;
        self.held().insert(id, hold);
        answer(registration)
    }

    /// Reads what this connection holds; any other call comes back.
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
