//! `ashore-sync-server serve`: runs the server.

use std::{
    env, fs,
    io::{self, IsTerminal as _},
    net::SocketAddr,
    os::unix::{fs::MetadataExt as _, net::UnixDatagram},
    path::Path,
    sync::Arc,
    time::Duration,
};

use ashore_sync_server::{
    clock::ServerClock,
    http::{
        HttpListener, HttpSettings, SyncApp, follow_other_nodes, serve_metrics, set_up_invite,
        tls::{self, ServerCertificate},
    },
    protocol::ProtocolLimits,
    store::{DatabasePool, SyncStore},
};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::reach::{KnownAddress, LocalMachine, ReachableServer};
use crate::{
    arguments::{CommonArguments, ServeArguments},
    print::TerminalOutput,
    problem::{ServerExit, ServerProblem},
};

/// Interval between two purges.
const PURGE: Duration = Duration::from_secs(600);

/// Serves until a signal arrives, then answers pending requests.
pub async fn serve(common: &CommonArguments, serving: &ServeArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let mut signals =
        Signals::new().map_err(|error| ServerProblem::failed("not-started", format!("Signals cannot be heard: {error}.")))?;
    let (clock, folder, database) = (ServerClock::system(), super::folder(common)?, common.place()?);
    let limits = ProtocolLimits { quota: Some(serving.quota), ..ProtocolLimits::default() };
    let store = tokio::select! {
        store = SyncStore::open(&database, limits, "ashore-sync-server serve", clock.now()) => store?,
        () = signals.next() => return Ok(ServerExit::Done),
    };
    let secret = match &serving.secret {
        Some(path) => super::secret(path, false)?,
        None => super::secret(&folder.join("secret"), true)?,
    };
    let settings = HttpSettings {
        allows_new_users: serving.allow_new_users,
        public_url: serving.public_url.clone(),
        proxies: serving.proxy.clone(),
        ..HttpSettings::default()
    };
    let app = SyncApp::new(store, secret, clock.clone(), settings);
    let has_users = app.store.has_users().await?;

    let mut tasks = tokio::task::JoinSet::new();
    let (mut listening, mut certificate) = (Vec::new(), None);
    for address in &serving.listen {
        let is_secure = !serving.plain && (!address.ip().is_loopback() || serving.certificate.is_some());
        let listener = HttpListener::bind(*address, is_secure, &app).await?;
        if is_secure && certificate.is_none() {
            certificate = Some(read_certificate(serving, &folder, clock.now())?);
        }
        listening.push((listener.address(), is_secure));
        let acceptor = certificate.as_ref().filter(|_| is_secure).map(|certificate| certificate.acceptor.clone());
        tasks.spawn(listener.serve(Arc::clone(&app), acceptor));
    }
    if let Some(address) = serving.metrics {
        let listener = HttpListener::bind_for_metrics(address).await?;
        tasks.spawn(serve_metrics(listener, Arc::clone(&app)));
    }
    tasks.spawn(purge_now_and_then(Arc::clone(&app)));
    if matches!(database, DatabasePool::Postgres(_)) {
        tasks.spawn(follow_other_nodes(Arc::clone(&app)));
    }
    let pin = certificate.as_ref().map(|certificate| certificate.pin.as_str());
    let reach = ReachableServer::for_arguments(
        serving.public_url.as_deref(),
        !serving.proxy.is_empty(),
        &listening,
        pin,
        &LocalMachine::this(),
    );
    let known = KnownAddress { database: app.store.kind().to_owned(), reach };
    known.write(&folder)?;
    let needs_user = !has_users && !serving.allow_new_users;
    let is_unknown = known.reach.is_none();
    let invite = match known.reach {
        Some(reach) if needs_user => {
            let (id, secret) = set_up_invite(&app.store, clock.now()).await?;
            Some(reach.link(id, secret))
        }
        _ => None,
    };
    report(&app, &folder, &listening, invite, out)?;
    if needs_user && is_unknown {
        out.print_line(
            "There is no user yet, and the address of the proxy is not known. Start again with --public-url to get a link.",
        );
    }
    if let Err(error) = notify("READY=1") {
        tracing::warn!(%error, "systemd readiness notification failed");
    }
    signals.next_or_end_of_stdin(serving.until_stdin_ends).await;
    let _ = notify("STOPPING=1");
    signals.leave_at_the_next();
    app.close();
    while tasks.join_next().await.is_some() {}
    app.store.close().await;
    out.print_line("Stopped; everything is kept.");
    Ok(ServerExit::Done)
}

fn read_certificate(serving: &ServeArguments, folder: &Path, now: i64) -> Result<ServerCertificate, ServerProblem> {
    let own = serving.certificate.clone().zip(serving.key.clone());
    let (certificate, key) = match own {
        Some(own) => own,
        None => tls::make(folder, &["localhost".to_owned()])?,
    };
    Ok(tls::read(&certificate, &key, now)?)
}

/// Reports that the server is ready, and outputs the set-up link.
///
/// The link creates a user, so it must not remain in a log. If the output may be a log, the link is written to a file
/// instead.
fn report(
    app: &SyncApp,
    folder: &Path,
    listening: &[(SocketAddr, bool)],
    invite: Option<String>,
    out: TerminalOutput,
) -> Result<(), ServerProblem> {
    let path = folder.join("invite");
    let is_kept = if out.json { is_journal() } else { out.quiet || !io::stderr().is_terminal() };
    // Remove the link of an earlier start, because it is no longer valid.
    let _ = fs::remove_file(&path);
    if let (Some(link), true) = (&invite, is_kept) {
        tls::write(&path, format!("{link}\n").as_bytes(), 0o600)?;
    }
    let addresses: Vec<String> = listening
        .iter()
        .map(|(address, is_secure)| match is_secure {
            true => format!("https://{address}"),
            false => format!("http://{address}"),
        })
        .collect();
    if out.json {
        let (link, file) = if is_kept { (None, invite.map(|_| path)) } else { (invite, None) };
        let kind = app.store.kind();
        // A closed stdout must not end the server.
        let _ = out.object(&serde_json::json!({
            "ready": true, "addresses": addresses, "database": kind, "invite": link, "invite_file": file,
        }));
        return Ok(());
    }
    let _ = out.line(format_args!("The sync server is ready: {}. Ctrl-C stops it.", addresses.join(", ")));
    match invite {
        None => {}
        Some(_) if is_kept => out.print_line(format_args!(
            "A link for the first machine, for ten minutes and once, is in {}, so that no log keeps it.",
            path.display()
        )),
        Some(link) => out.print_line(format_args!("For the first machine, within ten minutes and once:\n{link}")),
    }
    Ok(())
}

/// Whether stdout is the journal of systemd.
///
/// systemd puts the device and the inode of the journal into `JOURNAL_STREAM`.
fn is_journal() -> bool {
    let Some(named) = env::var_os("JOURNAL_STREAM") else { return false };
    let own = fs::metadata("/proc/self/fd/1").map(|own| format!("{}:{}", own.dev(), own.ino()));
    own.is_ok_and(|own| named == *own)
}

async fn purge_now_and_then(app: Arc<SyncApp>) {
    loop {
        match app.store.purge(app.clock.now()).await {
            Ok(purged) => tracing::debug!(?purged, "expired data purged"),
            Err(error) => tracing::warn!(%error, "expired data could not be purged; will retry"),
        }
        tokio::select! {
            () = app.closed() => return,
            () = tokio::time::sleep(PURGE) => {}
        }
    }
}

/// Notifies systemd if it started this program with `Type=notify`.
fn notify(state: &str) -> io::Result<()> {
    use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};
    let Some(name) = env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    let name = name.into_encoded_bytes();
    let address = match name.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(&name))?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address).map(|_| ())
}

/// Waits until stdin is closed. This happens when the program that writes to stdin ends, even if that program is
/// killed.
async fn stdin_ends() {
    let (ended, notified) = tokio::sync::oneshot::channel();
    // Use a separate thread: a blocking thread of tokio would keep this process alive after a signal.
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = ended.send(());
    });
    let _ = notified.await;
}

/// Signals that end the server: Ctrl-C and SIGTERM.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for a signal. If `reads_stdin` is true, the end of stdin also ends the wait.
    async fn next_or_end_of_stdin(&mut self, reads_stdin: bool) {
        tokio::select! {
            () = self.next() => {}
            () = stdin_ends(), if reads_stdin => {}
        }
    }

    /// Makes the next signal end the program immediately. Committed data is not lost.
    fn leave_at_the_next(mut self) {
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }
}
