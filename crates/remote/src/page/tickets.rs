//! Tickets that permit one download each. They are necessary because a browser does not send the page's headers when it
//! downloads a file. [pure]
//!
//! - A ticket is used once, and ends after a minute. It also ends when its device is signed out.
//! - Tickets live in memory only, and only as hashes.

use std::collections::HashMap;

use ashore_engine::UniqueId;
use rand::Rng;

use crate::{secret_hash::hash, sessions::new_secret};

/// Seconds for which a ticket is valid.
const VALID_FOR: u64 = 60;
/// Maximum number of unused tickets.
const MOST_TICKETS: usize = 1000;
/// Text that makes hashes of tickets different from other hashes.
const PURPOSE: &str = "download ticket";

/// A download that a ticket permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TicketTarget {
    /// Finished file of a registration.
    File { unique_id: UniqueId, index: u32 },
    /// Export document.
    Export,
}

#[derive(Clone, Debug)]
struct PendingTicket {
    target: TicketTarget,
    /// Id of the device or program that received the ticket.
    owner: String,
    ends_at: u64,
}

/// Tickets that were not used yet.
#[derive(Debug, Default)]
pub(crate) struct TicketBook {
    /// Unused tickets by their hashes.
    tickets: HashMap<String, PendingTicket>,
}

impl TicketBook {
    /// Returns a ticket for the device or program `owner`; `None` if too many tickets are unused.
    pub(super) fn issue(&mut self, target: TicketTarget, owner: String, now: u64, random: &mut impl Rng) -> Option<String> {
        self.tickets.retain(|_, ticket| ticket.is_valid(now));
        if self.tickets.len() >= MOST_TICKETS {
            return None;
        }
        let secret = new_secret(random);
        self.tickets.insert(hash(PURPOSE, &secret), PendingTicket { target, owner, ends_at: now + VALID_FOR });
        Some(secret)
    }

    /// Uses up a ticket, and returns the id of its owner; `None` if it is not a valid ticket for `target`.
    pub(super) fn redeem(&mut self, secret: &str, target: TicketTarget, now: u64) -> Option<String> {
        let ticket = self.tickets.remove(&hash(PURPOSE, secret))?;
        (ticket.is_valid(now) && ticket.target == target).then_some(ticket.owner)
    }
}

impl PendingTicket {
    fn is_valid(&self, now: u64) -> bool {
        // A clock that was set back must not prolong a ticket.
        self.ends_at.checked_sub(now).is_some_and(|rest| (1..=VALID_FOR).contains(&rest))
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;

    const EXPORT: TicketTarget = TicketTarget::Export;

    fn issue(book: &mut TicketBook, seed: u64) -> Option<String> {
        book.issue(EXPORT, "phone".to_owned(), 100, &mut StdRng::seed_from_u64(seed))
    }

    #[test]
    fn download_ticket_can_be_used_only_once() {
        let mut book = TicketBook::default();
        let ticket = issue(&mut book, 1).unwrap();
        assert_eq!(book.redeem(&ticket[1..], EXPORT, 100), None);
        assert_eq!(book.redeem(&ticket, EXPORT, 100).as_deref(), Some("phone"));
        assert_eq!(book.redeem(&ticket, EXPORT, 100), None);
    }

    #[test]
    fn ticket_is_invalid_after_a_minute_and_for_another_file() {
        for (now, is_valid) in [(159, true), (160, false), (99, false)] {
            let mut book = TicketBook::default();
            let ticket = issue(&mut book, 1).unwrap();
            assert_eq!(book.redeem(&ticket, EXPORT, now).is_some(), is_valid, "{now}");
        }
        let mut book = TicketBook::default();
        let ticket = issue(&mut book, 1).unwrap();
        let unique_id = serde_json::from_str("\"018f3a54-7b5e-7c1d-9a39-1d2f0c9be001\"").unwrap();
        assert_eq!(book.redeem(&ticket, TicketTarget::File { unique_id, index: 0 }, 100), None);
    }

    #[test]
    fn number_of_unused_tickets_is_limited() {
        let mut book = TicketBook::default();
        for seed in 0..1000 {
            assert!(issue(&mut book, seed).is_some());
        }
        assert_eq!(issue(&mut book, 1000), None);
        assert!(book.issue(EXPORT, String::new(), 160, &mut StdRng::seed_from_u64(1)).is_some());
    }
}
