//! Runs a PostgreSQL primary with a synchronous standby. Both use one address. After a promotion, this address leads to
//! the standby.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::{
    io::copy_bidirectional,
    net::{UnixListener, UnixStream},
};

use crate::sync_server::script::Script;

/// Creates both servers and prints `ready`. After one line of input, kills the primary and promotes the standby.
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

/// Primary and standby. Dropping this value ends both servers.
pub struct Pair {
    script: Script,
    front: tempfile::TempDir,
    is_promoted: Arc<AtomicBool>,
}

impl Pair {
    /// Creates a primary and a standby, which takes about a second. Blocks.
    ///
    /// Fails with the reason if PostgreSQL is not available.
    pub fn start() -> Result<Self, String> {
        let script = Script::start(KEEPER, &[])?;
        let front = tempfile::tempdir().map_err(|error| error.to_string())?;
        Ok(Self { script, front, is_promoted: Arc::default() })
    }

    /// Opens a socket that connects to the primary, or to the standby after its promotion.
    ///
    /// The socket behaves like a virtual IP address.
    pub fn address(&self) -> String {
        let listener = UnixListener::bind(self.front.path().join(".s.PGSQL.5432")).unwrap();
        let to = ["first", "second"].map(|name| self.script.folder().join(name).join(".s.PGSQL.5432"));
        let is_promoted = Arc::clone(&self.is_promoted);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let target = to[usize::from(is_promoted.load(Ordering::Relaxed))].clone();
                tokio::spawn(async move {
                    if let Ok(mut server) = UnixStream::connect(target).await {
                        // Ignore errors: in these tests, either end may close the connection.
                        let _ = copy_bidirectional(&mut client, &mut server).await;
                    }
                });
            }
        });
        format!("postgres://ashore@localhost/postgres?host={}", self.front.path().display())
    }

    /// Kills the primary and promotes the standby. Blocks until the address leads to the standby.
    pub fn promote(mut self) -> Self {
        self.script.run("promote", "promoted");
        self.is_promoted.store(true, Ordering::Relaxed);
        self
    }
}
