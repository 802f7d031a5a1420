//! Tests writes that wait for a lock, and a database without free space.
//!
//! The tests concern the time of a delayed write, the writes of other users, and deadlocks.

use std::{
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use ashore_sync_server::{
    auth,
    http::set_up_invite,
    protocol::ProtocolLimits,
    store::{DatabasePool, EnrolledDevice, InviteRow, RetryJitter, SyncStore},
};
use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use serde_json::json;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};

use crate::support::{Home, Reply, Setup, on_both, wait_for_waiting};

/// Statement that sets the time after which a waiting session checks for a deadlock.
///
/// New sessions check after three seconds, and the session that runs this statement checks much later.
const DEADLOCK_TIMEOUTS: &str = "DO $$ BEGIN \
     EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = 3000', current_database()); END $$; \
     SET deadlock_timeout = 300000";

/// Starts a server with user 1 on PostgreSQL; also returns a connection of another program.
///
/// Returns `None` if PostgreSQL is not installed.
async fn with_other_program() -> Option<(Home, PgConnection)> {
    let home = Home::on_postgres(Setup::default()).await.inspect_err(|reason| eprintln!("Left out, because {reason}.")).ok()?;
    home.write("/storage/one/a", json!({ "payload": "x" })).await.expect(200);
    let DatabasePool::Postgres(address) = &home.database else { panic!("not PostgreSQL") };
    let other = PgConnectOptions::from_str(address).unwrap().connect().await.unwrap();
    Some((home, other))
}

async fn run(connection: &mut PgConnection, text: &'static str) {
    sqlx::raw_sql(text).execute(connection).await.unwrap();
}

fn start_write(home: &Home, user: i64, path: String) -> tokio::task::JoinHandle<Reply> {
    let home = home.clone();
    tokio::spawn(async move { home.ask_as(user, "PUT", &path, &[], "{}").await })
}

#[tokio::test]
async fn write_is_timestamped_when_last_byte_of_its_slow_body_arrives() {
    on_both(async |home| {
        let slow = home.clone();
        let (end, is_ended) = tokio::sync::oneshot::channel::<()>();
        let body = Body::from_stream(stream::once(async move {
            is_ended.await.unwrap();
            Ok::<_, std::convert::Infallible>(Bytes::from_static(b"{\"ttl\":60}"))
        }));
        let writing = tokio::spawn(async move { slow.ask_as(1, "PUT", "/storage/one/slow", &[], body).await });
        tokio::task::yield_now().await;
        home.advance_clock(5000);
        end.send(()).unwrap();
        let written = writing.await.unwrap().expect(200);
        assert_eq!((written.modified(), written.header("x-weave-timestamp")), (home.now(), written.text.as_str()));
        home.advance_clock(59_000);
        assert_eq!(home.ids("/storage/one").await, ["slow"], "its lifetime begins at its end");
    })
    .await;
}

#[tokio::test]
async fn waiting_write_is_timestamped_when_it_acquires_the_lock() {
    let Some((home, mut other)) = with_other_program().await else { return };
    run(&mut other, "BEGIN; SELECT * FROM users FOR UPDATE").await;
    let waiting = start_write(&home, 1, "/storage/one/a".to_owned());
    wait_for_waiting(&mut other, 1).await;
    home.advance_clock(3000);
    run(&mut other, "COMMIT").await;
    assert_eq!(waiting.await.unwrap().expect(200).modified(), home.now());
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_writes_of_one_user_do_not_starve_other_users() {
    let Some((home, mut other)) = with_other_program().await else { return };
    run(&mut other, "BEGIN; SELECT * FROM users WHERE user_id = 1 FOR UPDATE").await;
    let waiting: Vec<_> = (0..100).map(|number| start_write(&home, 1, format!("/storage/one/{number}"))).collect();
    wait_for_waiting(&mut other, 1).await;
    let quick = tokio::time::timeout(Duration::from_secs(5), home.ask_as(2, "PUT", "/storage/one/a", &[], "{}")).await;
    quick.expect("another user waits for nothing").expect(200);
    home.get("/storage/one/a").await.expect(200);
    run(&mut other, "COMMIT").await;
    let mut written = 0;
    for reply in waiting {
        let reply = reply.await.unwrap();
        match reply.status {
            200 => written += 1,
            _ => {
                assert_eq!(reply.header("retry-after"), "5");
                reply.refused(503, 0);
            }
        }
    }
    assert_eq!(written, 64, "the queue of one user is bounded");
    home.write("/storage/one/a", json!({})).await.expect(200);
    home.recount().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deletion_of_user_is_retried_after_deadlock() {
    let Some((home, mut other)) = with_other_program().await else { return };
    let rolls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&rolls);
    let dice = RetryJitter::new(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        0.0
    });
    // PostgreSQL checks for a deadlock once, a fixed time after a session starts to wait. These settings make the
    // session of the store detect the deadlock, and not the session of the other program.
    run(&mut other, DEADLOCK_TIMEOUTS).await;
    let store = SyncStore::open(&home.database, ProtocolLimits::default(), "a test", home.now()).await.unwrap().with_dice(dice);
    store
        .make_invite(&InviteRow { user: 1, id: "i", secret_hash: &"0".repeat(64), expiry: i64::MAX, wrapped: None })
        .await
        .unwrap();
    run(&mut other, "BEGIN; SELECT * FROM users WHERE user_id = 1 FOR UPDATE").await;
    // The task deletes the invites, then waits for the user. The other program locks the user first, then the invites.
    let deleting = tokio::spawn(async move { store.delete_user(1).await });
    wait_for_waiting(&mut other, 1).await;
    run(&mut other, "SELECT * FROM invites WHERE user_id = 1 FOR UPDATE; COMMIT").await;
    assert!(deleting.await.unwrap().unwrap(), "deleted by the second attempt");
    assert_eq!(rolls.load(Ordering::Relaxed), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_is_retried_after_deadlock() {
    let Some((home, mut other)) = with_other_program().await else { return };
    let mut backup = Vec::new();
    home.app.store.backup(&mut backup, home.now()).await.unwrap();
    // The collection `other` has no number yet.
    let backup = String::from_utf8(backup).unwrap().replace("\"one\"", "\"other\"");
    assert!(home.app.store.delete_user(1).await.unwrap());
    run(&mut other, DEADLOCK_TIMEOUTS).await;
    let (rolls, openings) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let store = SyncStore::open(&home.database, ProtocolLimits::default(), "a test", home.now()).await.unwrap().with_dice(
        RetryJitter::new({
            let rolls = Arc::clone(&rolls);
            move || {
                rolls.fetch_add(1, Ordering::Relaxed);
                0.0
            }
        }),
    );
    run(&mut other, "BEGIN; INSERT INTO collections (collection_id, name) VALUES (900, 'other')").await;
    // The task adds the user first, and then waits for the name of the collection. The other program adds this name
    // first, and then the user.
    let opened = Arc::clone(&openings);
    let restoring = tokio::spawn(async move {
        let open = || {
            opened.fetch_add(1, Ordering::Relaxed);
            Ok(backup.as_bytes())
        };
        store.restore(open).await
    });
    wait_for_waiting(&mut other, 1).await;
    run(&mut other, "INSERT INTO users (user_id, created) VALUES (1, 0); ROLLBACK").await;
    let copied = restoring.await.unwrap().unwrap();
    assert_eq!((copied.users, copied.collections, copied.objects), (1, 1, 1));
    assert_eq!((rolls.load(Ordering::Relaxed), openings.load(Ordering::Relaxed)), (1, 2), "restored by the second attempt");
    assert_eq!(home.ids("/storage/other").await, ["a"]);
    home.recount().await;
}

#[tokio::test]
async fn write_to_full_postgres_disk_gets_503_and_changes_nothing() {
    let Some((home, mut other)) = with_other_program().await else { return };
    run(
        &mut other,
        "CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$ \
         LANGUAGE plpgsql; CREATE TRIGGER full_disk BEFORE UPDATE ON user_collections FOR EACH ROW EXECUTE FUNCTION full_disk()",
    )
    .await;
    let refused = home.post("/storage/one", json!([{ "id": "b", "payload": "x" }, { "id": "a", "payload": "y" }])).await;
    assert_eq!(refused.header("retry-after"), "5");
    refused.refused(503, 0);
    assert_eq!(home.ids("/storage/one").await, ["a"]);
    assert_eq!(home.get("/storage/one/a").await.json()["payload"], "x");
    run(&mut other, "DROP TRIGGER full_disk ON user_collections").await;
    home.post("/storage/one", json!([{ "id": "b", "payload": "x" }])).await.expect(200);
    home.recount().await;
    other.close().await.unwrap();
}

#[tokio::test]
async fn last_seen_day_is_recorded_only_after_secret_is_verified() {
    on_both(async |home| {
        let (id, _) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        let device = EnrolledDevice { id: "d", name: "Laptop", secret_hash: &auth::hash("right") };
        home.app.store.use_invite((0, &id), |_| true, 7, &device, home.now()).await.unwrap().unwrap();
        let seen = async || home.app.store.devices(7).await.unwrap()[0].last_seen;
        let ask = async |secret: &str| {
            let bearer = format!("Bearer 7.d.{secret}");
            home.send(Default::default(), "GET", "/1.5/7/info/collections", &[("authorization", &bearer)], "").await.status
        };
        let first = seen().await;
        home.advance_clock(2 * 86_400_000);
        assert_eq!((ask("wrong").await, seen().await), (401, first));
        assert_eq!(ask("right").await, 200);
        let day = seen().await;
        assert!(day > first && day % 86_400_000 == 0);
        home.advance_clock(3_600_000);
        assert_eq!((ask("right").await, seen().await), (200, day));
    })
    .await;
}
