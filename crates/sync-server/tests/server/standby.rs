//! A primary with a synchronous standby, which is promoted while clients write: no acknowledged write is lost.

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use tokio::{
    io::copy_bidirectional,
    net::{UnixListener, UnixStream},
    sync::mpsc,
};

use crate::support::{Home, Setup, postgres::keep};

/// Makes both, says `ready`, and at the next line ends the primary at once and promotes the standby.
const KEEPER: &str = r#"
dir=$1 bin=$2
trap : INT TERM HUP
mkdir "$dir/first" "$dir/second"
"$bin/initdb" -D "$dir/one" -A trust --no-sync --locale=C -E UTF8 -U ashore >"$dir/log" 2>&1 || exit 1
"$bin/postgres" -D "$dir/one" -k "$dir/first" -c listen_addresses= -c fsync=off -c synchronous_standby_names='*' \
  >>"$dir/log" 2>&1 </dev/null &
one=$!
until "$bin/pg_isready" -q -h "$dir/first"; do sleep 0.05; done
"$bin/pg_basebackup" -h "$dir/first" -U ashore -D "$dir/two" -R -c fast --no-sync >>"$dir/log" 2>&1 || exit 1
"$bin/postgres" -D "$dir/two" -k "$dir/second" -c listen_addresses= -c fsync=off -c synchronous_standby_names= \
  >>"$dir/log" 2>&1 </dev/null &
two=$!
until "$bin/pg_isready" -q -h "$dir/second"; do sleep 0.05; done
echo ready
read -r _
kill -QUIT $one
wait $one
"$bin/pg_ctl" -D "$dir/two" -w promote >>"$dir/log" 2>&1
echo promoted
read -r _
kill -QUIT $two
wait $two
rm -rf "$dir"
"#;

/// A socket that leads to the primary, and to the standby once that is promoted: what a virtual address does.
fn front(folder: PathBuf, to: [PathBuf; 2], is_promoted: Arc<AtomicBool>) {
    let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let target = to[usize::from(is_promoted.load(Ordering::Relaxed))].clone();
            tokio::spawn(async move {
                if let Ok(mut server) = UnixStream::connect(target).await {
                    // Either end may break off: that is what is tried.
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                }
            });
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn promotion_of_the_standby_loses_no_acknowledged_write() {
    let (folder, mut keeper) = match keep(KEEPER) {
        Ok(kept) => kept,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    let (mut orders, mut words) = (keeper.stdin.take().unwrap(), BufReader::new(keeper.stdout.take().unwrap()).lines());
    let mut word = move || words.next().unwrap_or_else(|| panic!("PostgreSQL ended")).unwrap();
    assert_eq!(word(), "ready");
    let (front_folder, is_promoted) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let sockets = ["first", "second"].map(|name| folder.join(name).join(".s.PGSQL.5432"));
    front(front_folder.path().to_owned(), sockets, Arc::clone(&is_promoted));
    let address = format!("postgres://ashore@localhost/postgres?host={}", front_folder.path().display());
    let home = Home::on_address(Setup::default(), address).await;

    let (sender, mut acknowledged) = mpsc::unbounded_channel();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let (home, sender) = (home.clone(), sender.clone());
            tokio::spawn(async move {
                for number in 0.. {
                    let id = format!("{writer}-{number}");
                    let reply = home.put(&format!("/storage/tabs/{id}"), json!({ "payload": "x" })).await;
                    assert!(matches!(reply.status, 200 | 503), "{reply:?}");
                    if reply.status == 503 {
                        assert_eq!(reply.header("retry-after"), "5");
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    } else if sender.send(id).is_err() {
                        // The receiver is closed: counting has ended.
                        return;
                    }
                }
            })
        })
        .collect();
    drop(sender);
    let mut told = BTreeSet::new();
    while told.len() < 100 {
        told.insert(acknowledged.recv().await.unwrap());
    }
    let promoting = tokio::task::spawn_blocking(move || {
        orders.write_all(b"promote\n").unwrap();
        assert_eq!(word(), "promoted");
        orders
    });
    let _orders = promoting.await.unwrap();
    is_promoted.store(true, Ordering::Relaxed);
    let before = told.len();
    while told.len() < before + 100 {
        told.insert(acknowledged.recv().await.unwrap());
    }
    while let Ok(id) = acknowledged.try_recv() {
        told.insert(id);
    }
    acknowledged.close();
    while let Some(id) = acknowledged.recv().await {
        told.insert(id);
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let there: BTreeSet<String> = home.ids("/storage/tabs").await.into_iter().collect();
    let lost: Vec<_> = told.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    home.recount().await;
}
