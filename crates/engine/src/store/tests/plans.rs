//! Tests that every statement keeps its plan on a fresh ledger, without `ANALYZE`.

use sqlx::{AssertSqlSafe, Row};

use crate::store::{
    database::{backup, open, schema},
    first_run,
    list_file::{export, import},
    registrations::{
        adoption, create, delivery, details, duplicates, expiry, lifecycle, link_origin, links, list, of_owner, owner_data,
        published_files, queue_order, queue_pages, records, relocation, removal,
    },
    requests::{attempts, checksum_links, expectations, follow_up, outcomes, queue, state},
    statement::QueryPlan,
    sync,
    tests::Ledger,
    totals::{audit, speed_limits, statistics, usage},
};

type Statements = &'static [(&'static str, QueryPlan, &'static str)];

const ALL: &[(&str, Statements)] = &[
    ("ledger", crate::store::ledger::STATEMENTS),
    ("adoption", adoption::STATEMENTS),
    ("duplicates", duplicates::STATEMENTS),
    ("attempts", attempts::STATEMENTS),
    ("audit", audit::STATEMENTS),
    ("first_run", first_run::STATEMENTS),
    ("backup", backup::STATEMENTS),
    ("checks", crate::store::database::checks::STATEMENTS),
    ("create", create::STATEMENTS),
    ("end_badly", crate::store::requests::end_badly::STATEMENTS),
    ("insert", crate::store::requests::insert::STATEMENTS),
    ("tally", crate::store::totals::tally::STATEMENTS),
    ("delivery", delivery::STATEMENTS),
    ("details", details::STATEMENTS),
    ("expectations", expectations::STATEMENTS),
    ("expiry", expiry::STATEMENTS),
    ("export", export::STATEMENTS),
    ("state", state::STATEMENTS),
    ("follow_up", follow_up::STATEMENTS),
    ("import", import::STATEMENTS),
    ("link_origin", link_origin::STATEMENTS),
    ("links", links::STATEMENTS),
    ("open", open::STATEMENTS),
    ("queue_order", queue_order::STATEMENTS),
    ("queue_pages", queue_pages::STATEMENTS),
    ("of_owner", of_owner::STATEMENTS),
    ("owner_data", owner_data::STATEMENTS),
    ("published_files", published_files::STATEMENTS),
    ("queue", queue::STATEMENTS),
    ("records", records::STATEMENTS),
    ("lifecycle", lifecycle::STATEMENTS),
    ("relocation", relocation::STATEMENTS),
    ("removal", removal::STATEMENTS),
    ("outcomes", outcomes::STATEMENTS),
    ("schema", schema::STATEMENTS),
    ("counts", crate::store::totals::counts::STATEMENTS),
    ("speed_limits", speed_limits::STATEMENTS),
    ("statistics", statistics::STATEMENTS),
    ("usage", usage::STATEMENTS),
    ("list", list::STATEMENTS),
    ("checksum_links", checksum_links::STATEMENTS),
    ("sync::conflicts", sync::conflicts::STATEMENTS),
    ("sync::marks", sync::marks::STATEMENTS),
    ("sync::records", sync::records::STATEMENTS),
    ("sync::registrations", sync::registrations::STATEMENTS),
    ("sync::state", sync::state::STATEMENTS),
];

#[tokio::test]
async fn every_sql_statement_keeps_its_query_plan() {
    let ledger = Ledger::new().await;
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (room, statements) in ALL {
        for (name, plan, sql) in *statements {
            if ["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "VACUUM"].iter().any(|word| sql.starts_with(word)) {
                continue;
            }
            seen += 1;
            let explained = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")))
                .fetch_all(ledger.store.readers())
                .await
                .unwrap_or_else(|error| panic!("{room}::{name}: {error}"));
            let steps: Vec<String> = explained.iter().map(|row| row.get("detail")).collect();
            if steps.iter().any(|step| !is_allowed(*plan, step)) {
                wrong.push(format!("{room}::{name} ({plan:?}):\n  {}", steps.join("\n  ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 60, "only {seen} statements were looked at");
}

/// Every dispatch waits for the `PICK` statement, so this test lists every step of the plan.
#[tokio::test]
async fn statement_that_picks_requests_reads_only_registrations_and_hosts_that_are_ready() {
    let ledger = Ledger::new().await;
    let (_, _, sql) = queue::STATEMENTS.iter().find(|(name, ..)| *name == "PICK").unwrap();
    let explained =
        sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(ledger.store.readers()).await.unwrap();
    let steps: Vec<String> = explained.iter().map(|row| row.get("detail")).collect();
    let tables: Vec<&str> =
        steps.iter().map(String::as_str).filter(|step| step.starts_with("SCAN") || step.starts_with("SEARCH")).collect();
    assert_eq!(
        tables,
        [
            "SEARCH r USING INDEX reg_runnable (priority=? AND owner_id=?)",
            "SEARCH wish USING INTEGER PRIMARY KEY (rowid=?)",
            "SCAN json_each VIRTUAL TABLE INDEX 1:",
            "SEARCH g USING INTEGER PRIMARY KEY (rowid=?)",
            "SCAN json_each VIRTUAL TABLE INDEX 1:",
            "SEARCH l USING INDEX lane_ready (reg_id=?)",
            "SCAN json_each VIRTUAL TABLE INDEX 1:",
            "SCAN q VIRTUAL TABLE INDEX 1:",
            "SEARCH s USING PRIMARY KEY (reg_id=? AND idx=?)",
        ]
    );
}

/// Every sync cycle looks up this record if another machine has written. The look-up must be fast even if there are
/// 100,000 downloads.
#[tokio::test]
async fn latest_sync_record_is_found_in_index_without_reading_collection() {
    let ledger = Ledger::new().await;
    let (_, _, sql) = sync::records::STATEMENTS.iter().find(|(name, ..)| *name == "LATEST").unwrap();
    let explained =
        sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(ledger.store.readers()).await.unwrap();
    let steps: Vec<String> = explained.iter().map(|row| row.get("detail")).collect();
    assert_eq!(steps, ["SEARCH r USING INDEX sync_record_modified (collection=? AND modified>? AND modified<?)"]);
}

fn is_allowed(plan: QueryPlan, step: &str) -> bool {
    // SQLite reports a scan for a JSON argument. This scan is allowed, because it reads no table of the ledger.
    if plan == QueryPlan::Listing || step.contains("VIRTUAL TABLE") || step == "SCAN CONSTANT ROW" {
        return true;
    }
    let is_walk = step.starts_with("SCAN");
    // A WITHOUT ROWID table is itself an index by its key. The plan step for reading such a table in order therefore
    // names no index.
    let is_index = step.contains(" INDEX ") || step == "SCAN file_gc";
    !step.contains("TEMP B-TREE") && (!is_walk || plan == QueryPlan::Walk && is_index)
}
