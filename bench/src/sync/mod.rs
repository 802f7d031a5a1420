//! Benchmarks of sync.
//!
//! The server is measured on both databases: without planner statistics, during a long read, with a long collection,
//! against plain SQL statements, with a large batch, and with ten thousand users. The client is measured with a list of
//! 100,000 downloads.
//!
//! - `node` runs a server with its database and a client.
//! - `operations` measures one user, and `users` measures ten thousand users.
//! - `client` measures the machines of one user.
//! - Both databases sync every commit to disk. SQLite is in the bench folder on disk. PostgreSQL is in the folder for
//!   temporary files, because the system user of PostgreSQL can enter this folder.
//! - A ratio compares the medians of two operations that alternate in one round. The result is the median over all
//!   rounds.

mod client;
mod node;
mod operations;
mod users;

use std::future::Future;

use anyhow::Result;

use crate::{
    figure::BenchFigure,
    queue::ledger,
    rounds::{BenchSetup, clear},
    window::SeenFrames,
};
use node::choose;
use operations::OperationStage;

/// Notes on the results of the measurements with one user.
pub const NOTES: &str = "\
Every request goes over HTTP to the shipped program, and every commit is synced to the disk. Objects have 772 random letters, \
like the objects of a download. A fresh database is one in which no table was ever analysed. An analysed database has the \
same content after ANALYZE; both servers were restarted afterwards. The bare statements are the transaction of a POST, which \
the bench runs through the store of the server, on the same database at the same time. The ratio therefore contains the cost \
of HTTP, JSON, authentication and a second process. curl makes the long read at full speed, from the collection that is \
written to, on the same processors. The bound of a commit on a fresh database applies to PostgreSQL.";

/// Notes on the results of the measurements with many users.
pub const USERS_NOTES: &str = "\
Every user has 10 objects, and a device that was enrolled with an invite. In each round, 64 users at a time send two polls \
each, and every fifth user sends 10 objects, over 64 persistent connections. The bench and the database use the same \
processors as the node. A request fails if its status is not 200.";

/// Notes on the results of the measurements of the client.
pub const CLIENT_NOTES: &str = "\
Adding and completing is measured inside the ledger, on a memory file system, with 20 downloads per transaction; a ledger that \
syncs also stores which downloads have changed. For the first sync, one machine sends all its downloads to the server, then a \
second machine joins and reads them. The times include the set-up and the encryption, and the peak memory is that of the whole \
engine with its list. At rest, the list does not change, and the event stream of the server is open.";

/// Maximum number of rounds of the first sync. Each round takes minutes.
const FIRST_SYNCS: u32 = 3;

/// Measures the client: at most [`FIRST_SYNCS`] rounds of the first sync, then an idle machine once.
pub fn hold_client(runs: u32, ground: &BenchSetup) -> Result<SeenFrames> {
    let mut figures = ledger::changes_for_sync()?;
    let (place, list) = (ground.memory.join("sync-client"), ground.memory.join("sync-list"));
    eprintln!("  creating a list with 100,000 downloads");
    clear(&list)?;
    client::create_list(&list)?;
    let rounds = runs.min(FIRST_SYNCS);
    run(async {
        for round in 0..rounds {
            eprintln!("  round {} of {rounds}", round + 1);
            clear(&place)?;
            join(&mut figures, client::round(&place, &list, round + 1 == rounds).await?);
        }
        clear(&place)?;
        clear(&list)?;
        Ok((in_order(figures), "SQLite".to_owned()))
    })
}

/// Measures operations of one user, for `runs` rounds on each database.
pub fn hold(runs: u32, ground: &BenchSetup) -> Result<SeenFrames> {
    run(async {
        let (kinds, about) = choose().await?;
        let mut stages = Vec::new();
        for kind in kinds {
            eprintln!("  {}: collections of 100,000 and of 100 rows, and one of 40 MB", kind.name());
            stages.push(OperationStage::prepare(kind, &ground.disk).await?);
        }
        let mut figures = Vec::new();
        for round in 0..runs {
            eprintln!("  round {} of {runs}", round + 1);
            for stage in &mut stages {
                join(&mut figures, stage.round(round).await?);
            }
        }
        for stage in stages {
            stage.end().await?;
        }
        Ok((in_order(figures), about))
    })
}

/// Measures many users, for `runs` rounds on each database.
pub fn hold_users(runs: u32, ground: &BenchSetup) -> Result<SeenFrames> {
    run(async {
        let (kinds, about) = choose().await?;
        let mut figures = Vec::new();
        for kind in kinds {
            eprintln!("  {}: creating the users", kind.name());
            let crowd = users::UserLoad::gather(kind, &ground.disk).await?;
            for round in 0..runs {
                eprintln!("  {}: round {} of {runs}", kind.name(), round + 1);
                join(&mut figures, crowd.round().await?);
            }
            figures.extend(crowd.end().await?);
        }
        Ok((in_order(figures), about))
    })
}

/// Runs `contest` on two threads, so that a concurrent read does not distort the time of a write.
fn run<T>(contest: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(contest)
}

/// Appends the samples of another round to those of earlier rounds.
fn join(figures: &mut Vec<BenchFigure>, more: Vec<BenchFigure>) {
    for figure in more {
        match figures.iter_mut().find(|known| known.is_same_as(&figure)) {
            Some(known) => known.join(figure),
            None => figures.push(figure),
        }
    }
}

/// Moves values that have a bound to the front. Apart from this, the values stay in the order of their measurement.
fn in_order(mut figures: Vec<BenchFigure>) -> Vec<BenchFigure> {
    figures.sort_by_key(|figure| !figure.is_bound());
    figures
}
