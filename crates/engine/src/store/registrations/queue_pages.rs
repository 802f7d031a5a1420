//! Reads unfinished registrations in the order of the queue: the running ones, or a page of the others. Called by
//! `api/list`.
//!
//! The order of a page is found in narrow rows. All values are read only for the registrations of the page.

use crate::{
    EngineError,
    model::{QueueCounts, QueueWindow, Registration},
    store::{
        columns::unsigned,
        ledger::LedgerStore,
        registrations::list::{RegistrationRow, registrations},
        statement::statements,
    },
};

/// Condition that the registration `r` belongs to the owner `?1`, or that `?1` is null.
macro_rules! is_owned {
    () => {
        "(?1 IS NULL OR r.owner_id = (SELECT owner_id FROM owner WHERE name = ?1))"
    };
}

/// Condition that the registration `r` runs. It equals the rule of `model::state`.
macro_rules! runs {
    () => {
        "(r.n_active > 0 AND r.paused = 0 AND (SELECT paused FROM wish WHERE one = 1) = 0)"
    };
}

/// Selects a page of the registrations that do not run, in this order.
macro_rules! page {
    ($order:literal) => {
        registrations!(
            concat!(
                "(SELECT r.reg_id AS reg_id FROM registration r INDEXED BY reg_rank
                  WHERE r.active = 1 AND r.doomed = 0 AND NOT ",
                runs!(),
                " AND ",
                is_owned!(),
                " ORDER BY ",
                $order,
                " LIMIT ?2 OFFSET ?3) p CROSS JOIN registration r ON r.reg_id = p.reg_id"
            ),
            ""
        )
    };
}

statements! {
    RUNNING: Walk = registrations!(
        "registration r INDEXED BY reg_running",
        concat!("WHERE r.active = 1 AND r.n_active > 0 AND r.doomed = 0 AND ", runs!(), " AND ", is_owned!(), " ORDER BY r.reg_id")
    );
    WAITING: Listing = page!("r.priority >= 1 DESC, r.lane_rank, r.reg_id");
    WAITING_FROM_END: Listing = page!("r.priority >= 1, r.lane_rank DESC, r.reg_id DESC");
    COUNTS: Listing = concat!(
        "SELECT count(*), coalesce(sum(", runs!(), "), 0) FROM registration r INDEXED BY reg_active
         WHERE r.active = 1 AND r.doomed = 0 AND ", is_owned!()
    );
}

impl LedgerStore {
    /// Returns the running registrations of `owner`, as stored, in the order of the queue; `None` stands for all owners.
    pub async fn running(&self, owner: Option<&str>) -> Result<Vec<Registration>, EngineError> {
        let rows: Vec<RegistrationRow> = sqlx::query_as(RUNNING).bind(owner).fetch_all(self.readers()).await?;
        in_queue_order(rows)
    }

    /// Returns a page of the registrations of `owner` that wait or are paused, as stored.
    pub async fn queue_page(&self, owner: Option<&str>, window: QueueWindow) -> Result<Vec<Registration>, EngineError> {
        let statement = if window.from_end { WAITING_FROM_END } else { WAITING };
        let page = sqlx::query_as(statement).bind(owner).bind(window.limit).bind(window.offset);
        let mut page = in_queue_order(page.fetch_all(self.readers()).await?)?;
        if window.from_end {
            page.reverse();
        }
        Ok(page)
    }

    /// Returns the numbers of unfinished registrations of `owner`; `None` stands for all owners.
    pub async fn queue_counts(&self, owner: Option<&str>) -> Result<QueueCounts, EngineError> {
        let (all, running): (i64, i64) = sqlx::query_as(COUNTS).bind(owner).fetch_one(self.readers()).await?;
        Ok(QueueCounts { running: unsigned(running), waiting: unsigned(all - running) })
    }
}

fn in_queue_order(mut rows: Vec<RegistrationRow>) -> Result<Vec<Registration>, EngineError> {
    rows.sort_by_key(RegistrationRow::queue_order);
    rows.into_iter().map(RegistrationRow::into_registration).collect()
}
