//! Owner of a connection, and the calls that the owner may make. Called by `session` before every call. [pure]
//!
//! - A connection without an owner acts for the user, who may do everything.
//! - A connection with an owner acts for that owner only: it can see and change the owner's registrations and read
//!   shared data, but nothing else.
//! - Every method is listed here: a new method without a rule does not compile.

use ashore_engine::{EngineError, LimitScope, UniqueId};
use ashore_messages::message;

use crate::methods::MethodCall;

/// Condition for a call on behalf of an owner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OwnerScope {
    /// No condition.
    Nothing,
    /// The registration belongs to the owner.
    Owns(UniqueId),
}

/// Checks that an owner may make `call`, and fills in a missing owner.
///
/// Fails with the code of `NotYours` if the call names another owner, or concerns all owners.
pub(crate) fn admit(call: &mut MethodCall, acts_for: &str) -> Result<OwnerScope, EngineError> {
    match call {
        MethodCall::Create(new) | MethodCall::Add(new) | MethodCall::TakeLink(new) => {
            fill(&mut new.owner, acts_for)?;
            new.source = new.source.limited_to(Some(acts_for));
        }
        MethodCall::Ids { owner }
        | MethodCall::Find { owner, .. }
        | MethodCall::Withdraw { owner, .. }
        | MethodCall::RemoveOwner { owner }
        | MethodCall::Clear { owner, .. }
        | MethodCall::Reset { owner } => fill(owner, acts_for)?,
        MethodCall::List(query) => fill_option(&mut query.owner, acts_for)?,
        MethodCall::QueueStats { owner } | MethodCall::Owed { owner } => fill_option(owner, acts_for)?,
        MethodCall::Show { unique_id }
        | MethodCall::Records { unique_id, .. }
        | MethodCall::Details { unique_id, .. }
        | MethodCall::File { unique_id, .. }
        | MethodCall::Segments { unique_id }
        | MethodCall::Match { unique_id, .. }
        | MethodCall::MatchAll { unique_id, .. }
        | MethodCall::Hold { unique_id }
        | MethodCall::Release { unique_id }
        | MethodCall::Abort { unique_id }
        | MethodCall::Pause { unique_id: Some(unique_id) }
        | MethodCall::Resume { unique_id: Some(unique_id) }
        | MethodCall::UpdateUi { unique_id, .. }
        | MethodCall::Move { unique_id, .. }
        | MethodCall::Retry { unique_id }
        | MethodCall::Remove { unique_id, .. }
        | MethodCall::Claim { unique_id }
        | MethodCall::Acknowledge { unique_id, .. }
        | MethodCall::Relink { unique_id, .. }
        | MethodCall::AwaitLink { unique_id }
        | MethodCall::PutInto { unique_id, .. }
        | MethodCall::GoAnyway { unique_id }
        | MethodCall::Limit { scope: LimitScope::Registration { unique_id }, .. } => return Ok(OwnerScope::Owns(*unique_id)),
        MethodCall::Totals
        | MethodCall::Statistics { .. }
        | MethodCall::Probe(_)
        | MethodCall::LetGo { .. }
        | MethodCall::Understand { .. }
        | MethodCall::Sentences { .. }
        | MethodCall::Settings
        | MethodCall::Recovery
        | MethodCall::Limits
        | MethodCall::Quotas => {}
        MethodCall::Search { .. }
        | MethodCall::Click { .. }
        | MethodCall::Pause { unique_id: None }
        | MethodCall::Resume { unique_id: None }
        | MethodCall::Known { .. }
        | MethodCall::Set { .. }
        | MethodCall::KeptFiles
        | MethodCall::Doctor
        | MethodCall::Repair
        | MethodCall::AcknowledgeRecovery
        | MethodCall::Orphans
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
        | MethodCall::ReadNetrc { .. }
        | MethodCall::Sync(_) => return Err(EngineError::OnlyThePerson(acts_for.to_owned())),
    }
    Ok(OwnerScope::Nothing)
}

/// Fails with `Invalid` if the call needs an owner, but neither the call nor the connection names one.
pub(crate) fn is_complete(call: &MethodCall) -> Result<(), EngineError> {
    match call {
        MethodCall::Ids { owner }
        | MethodCall::Find { owner, .. }
        | MethodCall::Withdraw { owner, .. }
        | MethodCall::RemoveOwner { owner }
        | MethodCall::Clear { owner, .. }
        | MethodCall::Reset { owner }
            if owner.is_empty() =>
        {
            Err(EngineError::Invalid(message!("invalid.owner-missing")))
        }
        _ => Ok(()),
    }
}

fn fill(owner: &mut String, acts_for: &str) -> Result<(), EngineError> {
    if owner.is_empty() {
        acts_for.clone_into(owner);
    }
    same(owner, acts_for)
}

fn fill_option(owner: &mut Option<String>, acts_for: &str) -> Result<(), EngineError> {
    same(owner.get_or_insert_with(|| acts_for.to_owned()), acts_for)
}

pub(crate) fn same(owner: &str, acts_for: &str) -> Result<(), EngineError> {
    if owner == acts_for { Ok(()) } else { Err(EngineError::OnlyThePerson(acts_for.to_owned())) }
}

#[cfg(test)]
mod tests {
    use ashore_engine::{ListQuery, NewRegistration, RequestSource};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn call_without_owner_gets_owner_of_connection() {
        let mut create = MethodCall::Create(NewRegistration::default());
        assert_eq!(admit(&mut create, "feeds").unwrap(), OwnerScope::Nothing);
        assert!(matches!(create, MethodCall::Create(new) if new.owner == "feeds"));
        let mut list = MethodCall::List(ListQuery::default());
        admit(&mut list, "feeds").unwrap();
        assert!(matches!(list, MethodCall::List(query) if query.owner.as_deref() == Some("feeds")));
        let mut owed = MethodCall::Owed { owner: None };
        admit(&mut owed, "feeds").unwrap();
        assert!(matches!(owed, MethodCall::Owed { owner: Some(owner) } if owner == "feeds"));
    }

    #[test]
    fn program_cannot_claim_that_a_person_made_its_request() {
        let declared = |source, acts_for: &str| {
            let mut create = MethodCall::Create(NewRegistration { source, ..NewRegistration::default() });
            admit(&mut create, acts_for).unwrap();
            let MethodCall::Create(new) = create else { unreachable!("a call keeps its verb") };
            new.source
        };
        for wide in [RequestSource::Window, RequestSource::CommandLine, RequestSource::Clipboard] {
            assert_eq!(declared(wide, "feeds"), RequestSource::Program);
            assert_eq!(declared(wide, "browser"), RequestSource::Browser);
            assert_eq!(declared(wide, "window"), wide);
        }
        assert_eq!(declared(RequestSource::Feed, "feeds"), RequestSource::Feed);
        assert_eq!(declared(RequestSource::Program, "browser"), RequestSource::Browser);
    }

    #[test]
    fn every_call_that_names_another_owner_is_refused() {
        let other = || "window".to_owned();
        let calls = [
            MethodCall::Add(NewRegistration { owner: other(), ..NewRegistration::default() }),
            MethodCall::TakeLink(NewRegistration { owner: other(), ..NewRegistration::default() }),
            MethodCall::Ids { owner: other() },
            MethodCall::Find { owner: other(), developer_id: "a".to_owned() },
            MethodCall::List(ListQuery { owner: Some(other()), ..ListQuery::default() }),
            MethodCall::RemoveOwner { owner: other() },
            MethodCall::Clear { owner: other(), files: false },
            MethodCall::Reset { owner: other() },
            MethodCall::QueueStats { owner: Some(other()) },
            MethodCall::Owed { owner: Some(other()) },
        ];
        for mut call in calls {
            assert_eq!(admit(&mut call, "feeds").unwrap_err().code(), "not-yours", "{call:?}");
        }
    }

    #[test]
    fn call_about_registration_requires_its_owner() {
        let unique_id = UniqueId(Uuid::nil());
        let calls = [
            MethodCall::Abort { unique_id },
            MethodCall::Remove { unique_id, files: true },
            MethodCall::Pause { unique_id: Some(unique_id) },
            MethodCall::Retry { unique_id },
            MethodCall::UpdateUi { unique_id, title: None, description: None, icon: None, icons: None },
            MethodCall::Move { unique_id, place: ashore_engine::QueuePlace::Top },
            MethodCall::Acknowledge { unique_id, event_number: 1 },
            MethodCall::Limit { scope: LimitScope::Registration { unique_id }, bytes_per_second: None },
        ];
        for mut call in calls {
            assert_eq!(admit(&mut call, "feeds").unwrap(), OwnerScope::Owns(unique_id), "{call:?}");
        }
    }

    #[test]
    fn call_about_all_owners_is_refused() {
        let calls = [
            MethodCall::Pause { unique_id: None },
            MethodCall::Resume { unique_id: None },
            MethodCall::Limit { scope: LimitScope::All, bytes_per_second: None },
            MethodCall::Adopt { partials: Vec::new() },
            MethodCall::SignIns,
        ];
        for mut call in calls {
            assert_eq!(admit(&mut call, "feeds").unwrap_err().code(), "not-yours", "{call:?}");
        }
    }

    #[test]
    fn call_that_requires_owner_is_invalid_without_owner() {
        assert_eq!(is_complete(&MethodCall::Reset { owner: String::new() }).unwrap_err().code(), "invalid");
        is_complete(&MethodCall::Reset { owner: "feeds".to_owned() }).unwrap();
    }
}
