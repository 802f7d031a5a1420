//! For whom a connection acts, and what that lets it ask for [pure]. Called by `session` before every call.
//!
//! - A connection that names no owner acts for the person, who may do everything.
//! - One that names an owner acts for that owner alone: it sees and changes that owner's registrations, reads what is nobody's in
//!   particular, and nothing else.
//! - Every verb says here which of these it is: a new one does not compile without.

use ashore_engine::{Error, LimitScope, UniqueId};

use crate::methods::Call;

/// The condition that a call must meet before it is carried out for an owner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing.
    Nothing,
    /// This registration is the owner's.
    Owns(UniqueId),
}

/// Makes `call` one of the owner's: an owner that it leaves out is filled in.
///
/// Refused with `NotYours`' code where it names another owner, or concerns everybody.
pub(crate) fn admit(call: &mut Call, acts_for: &str) -> Result<Need, Error> {
    match call {
        Call::Create(new) | Call::Add(new) => fill(&mut new.owner, acts_for)?,
        Call::Ids { owner }
        | Call::Find { owner, .. }
        | Call::RemoveOwner { owner }
        | Call::Clear { owner, .. }
        | Call::Reset { owner } => fill(owner, acts_for)?,
        Call::List(query) => fill_option(&mut query.owner, acts_for)?,
        Call::QueueStats { owner } | Call::Owed { owner } => fill_option(owner, acts_for)?,
        Call::Show { unique_id }
        | Call::Records { unique_id, .. }
        | Call::Details { unique_id, .. }
        | Call::File { unique_id, .. }
        | Call::Segments { unique_id }
        | Call::Match { unique_id, .. }
        | Call::MatchAll { unique_id, .. }
        | Call::Hold { unique_id }
        | Call::Release { unique_id }
        | Call::Abort { unique_id }
        | Call::Pause { unique_id: Some(unique_id) }
        | Call::Resume { unique_id: Some(unique_id) }
        | Call::UpdateUi { unique_id, .. }
        | Call::Move { unique_id, .. }
        | Call::Retry { unique_id }
        | Call::Remove { unique_id, .. }
        | Call::Claim { unique_id }
        | Call::Acknowledge { unique_id, .. }
        | Call::Relink { unique_id, .. }
        | Call::PutInto { unique_id, .. }
        | Call::GoAnyway { unique_id }
        | Call::Limit { scope: LimitScope::Registration { unique_id }, .. } => return Ok(Need::Owns(*unique_id)),
        Call::Totals
        | Call::Statistics { .. }
        | Call::Probe(_)
        | Call::LetGo { .. }
        | Call::Understand { .. }
        | Call::Settings
        | Call::Recovery
        | Call::Limits
        | Call::Quotas => {}
        Call::Search { .. }
        | Call::Click { .. }
        | Call::Pause { unique_id: None }
        | Call::Resume { unique_id: None }
        | Call::Known { .. }
        | Call::Set { .. }
        | Call::KeptFiles
        | Call::Doctor
        | Call::Repair
        | Call::AcknowledgeRecovery
        | Call::Orphans
        | Call::Adopt { .. }
        | Call::Export { .. }
        | Call::Import { .. }
        | Call::Limit { .. }
        | Call::SetQuota { .. }
        | Call::SignIn { .. }
        | Call::SignOut { .. }
        | Call::SignIns
        | Call::GiveCookies { .. }
        | Call::AddCookies { .. }
        | Call::ReadNetrc { .. } => return Err(Error::OnlyThePerson(acts_for.to_owned())),
    }
    Ok(Need::Nothing)
}

/// Refuses a verb about an owner that names none, where nobody else says which. `Invalid`.
pub(crate) fn is_complete(call: &Call) -> Result<(), Error> {
    match call {
        Call::Ids { owner }
        | Call::Find { owner, .. }
        | Call::RemoveOwner { owner }
        | Call::Clear { owner, .. }
        | Call::Reset { owner }
            if owner.is_empty() =>
        {
            Err(Error::Invalid("Say which owner is meant, here or in the greeting.".to_owned()))
        }
        _ => Ok(()),
    }
}

fn fill(owner: &mut String, acts_for: &str) -> Result<(), Error> {
    if owner.is_empty() {
        acts_for.clone_into(owner);
    }
    same(owner, acts_for)
}

fn fill_option(owner: &mut Option<String>, acts_for: &str) -> Result<(), Error> {
    same(owner.get_or_insert_with(|| acts_for.to_owned()), acts_for)
}

pub(crate) fn same(owner: &str, acts_for: &str) -> Result<(), Error> {
    if owner == acts_for { Ok(()) } else { Err(Error::OnlyThePerson(acts_for.to_owned())) }
}

#[cfg(test)]
mod tests {
    use ashore_engine::{ListQuery, NewRegistration};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn owner_left_out_is_filled_in() {
        let mut create = Call::Create(NewRegistration::default());
        assert_eq!(admit(&mut create, "feeds").unwrap(), Need::Nothing);
        assert!(matches!(create, Call::Create(new) if new.owner == "feeds"));
        let mut list = Call::List(ListQuery::default());
        admit(&mut list, "feeds").unwrap();
        assert!(matches!(list, Call::List(query) if query.owner.as_deref() == Some("feeds")));
        let mut owed = Call::Owed { owner: None };
        admit(&mut owed, "feeds").unwrap();
        assert!(matches!(owed, Call::Owed { owner: Some(owner) } if owner == "feeds"));
    }

    #[test]
    fn another_owner_is_refused_wherever_one_is_named() {
        let other = || "window".to_owned();
        let calls = [
            Call::Add(NewRegistration { owner: other(), ..NewRegistration::default() }),
            Call::Ids { owner: other() },
            Call::Find { owner: other(), developer_id: "a".to_owned() },
            Call::List(ListQuery { owner: Some(other()), ..ListQuery::default() }),
            Call::RemoveOwner { owner: other() },
            Call::Clear { owner: other(), files: false },
            Call::Reset { owner: other() },
            Call::QueueStats { owner: Some(other()) },
            Call::Owed { owner: Some(other()) },
        ];
        for mut call in calls {
            assert_eq!(admit(&mut call, "feeds").unwrap_err().code(), "not-yours", "{call:?}");
        }
    }

    #[test]
    fn change_of_one_registration_needs_its_ownership() {
        let unique_id = UniqueId(Uuid::nil());
        let calls = [
            Call::Abort { unique_id },
            Call::Remove { unique_id, files: true },
            Call::Pause { unique_id: Some(unique_id) },
            Call::Retry { unique_id },
            Call::UpdateUi { unique_id, title: None, description: None, icon: None, icons: None },
            Call::Move { unique_id, place: ashore_engine::Place::Top },
            Call::Acknowledge { unique_id, event_number: 1 },
            Call::Limit { scope: LimitScope::Registration { unique_id }, bytes_per_second: None },
        ];
        for mut call in calls {
            assert_eq!(admit(&mut call, "feeds").unwrap(), Need::Owns(unique_id), "{call:?}");
        }
    }

    #[test]
    fn what_concerns_everybody_is_refused() {
        let calls = [
            Call::Pause { unique_id: None },
            Call::Resume { unique_id: None },
            Call::Limit { scope: LimitScope::All, bytes_per_second: None },
            Call::Adopt { partials: Vec::new() },
            Call::SignIns,
        ];
        for mut call in calls {
            assert_eq!(admit(&mut call, "feeds").unwrap_err().code(), "not-yours", "{call:?}");
        }
    }

    #[test]
    fn verb_about_an_owner_names_one() {
        assert_eq!(is_complete(&Call::Reset { owner: String::new() }).unwrap_err().code(), "invalid");
        is_complete(&Call::Reset { owner: "feeds".to_owned() }).unwrap();
    }
}
