//! `ashore-sync-server serve`

use std::{env, io, os::unix::net::UnixDatagram, sync::Arc, time::Duration};

use ashore_sync_server::{
    auth::enrol::{Link, NO_PIN},
    clock::Clock,
    http::{
        App, Listener, Settings, follow_other_nodes, serve_metrics, set_up_invite,
        tls::{self, Certificate},
    },
    protocol::Limits,
    store::{Database, Store},
};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::{
    arguments::{Common, Serving},
    print::Out,
    problem::{Ending, Problem},
};

/// Time between two purges.
const PURGE: Duration = Duration::from_secs(600);

/// Serves until a signal arrives, then answers pending requests.
pub async fn serve(common: &Common, serving: &Serving, out: Out) -> Result<Ending, Problem> {
    let mut signals = Signals::new().map_err(|error| Problem::failed("not-started", format!("Signals cannot be heard: {error}.")))?;
    let (clock, folder, database) = (Clock::system(), common.folder()?, common.place()?);
    let limits = Limits { quota: Some(serving.quota), ..Limits::default() };
    let store = tokio::select! {
        store = Store::open(&database, limits, "ashore-sync-server serve", clock.now()) => store?,
        () = signals.next() => return Ok(Ending::Done),
    };
    std::fs::create_dir_all(&folder)
        .map_err(|error| Problem::failed("file", format!("The folder {} cannot be made: {error}.", folder.display())))?;
    let secret = match &serving.secret {
        Some(path) => super::secret(path, false)?,
        None => super::secret(&folder.join("secret"), true)?,
    };
    let settings = Settings {
        allows_new_users: serving.allow_new_users,
        public_url: serving.public_url.as_ref().map(|url| url.trim_end_matches('/').to_owned()),
        proxies: serving.proxy.clone(),
        ..Settings::default()
    };
    let app = App::new(store, secret, clock.clone(), settings);
    let has_users = app.store.has_users().await?;

    let mut tasks = tokio::task::JoinSet::new();
    let (mut addresses, mut certificate) = (Vec::new(), None);
    for address in &serving.listen {
        let is_secure = !serving.plain && (!address.ip().is_loopback() || serving.certificate.is_some());
        let listener = Listener::bind(*address, is_secure, &app).await?;
        if is_secure && certificate.is_none() {
            certificate = Some(read_certificate(serving, &folder, clock.now())?);
        }
        let scheme = if is_secure { "https" } else { "http" };
        addresses.push(format!("{scheme}://{}", listener.address()));
        let acceptor = certificate.as_ref().filter(|_| is_secure).map(|certificate| certificate.acceptor.clone());
        tasks.spawn(listener.serve(Arc::clone(&app), acceptor));
    }
    if let Some(address) = serving.metrics {
        let listener = Listener::bind_for_metrics(address).await?;
        tasks.spawn(serve_metrics(listener, Arc::clone(&app)));
    }
    tasks.spawn(purge_now_and_then(Arc::clone(&app)));
    if matches!(database, Database::Postgres(_)) {
        tasks.spawn(follow_other_nodes(Arc::clone(&app)));
    }
    let invite = match has_users || serving.allow_new_users {
        true => None,
        false => {
            let pin = certificate.as_ref().map_or(NO_PIN, |certificate| &certificate.pin);
            let address = addresses.first().and_then(|address| address.split_once("://")).map_or("", |(_, address)| address);
            let (id, secret) = set_up_invite(&app.store, clock.now()).await?;
            Some(Link { address: reachable(address), uid: 0, id, secret, pin: pin.to_owned() }.write())
        }
    };
    let printed = match out.json {
        true => out.object(&serde_json::json!({ "ready": true, "addresses": addresses, "database": app.store.kind(), "invite": invite })),
        false => out.line(format_args!("The sync server is ready: {}. Ctrl-C stops it.", addresses.join(", "))),
    };
    if let (Ok(()), false, Some(link)) = (printed, out.json, &invite) {
        out.say(format_args!("For the first machine, within ten minutes and once:\n{link}"));
    }
    if let Err(error) = notify("READY=1") {
        tracing::warn!(%error, "systemd could not be told that the server is ready");
    }
    signals.next().await;
    let _ = notify("STOPPING=1");
    signals.leave_at_the_next();
    app.close();
    while tasks.join_next().await.is_some() {}
    app.store.close().await;
    out.say("Stopped; everything is kept.");
    Ok(Ending::Done)
}

fn read_certificate(serving: &Serving, folder: &std::path::Path, now: i64) -> Result<Certificate, Problem> {
    let own = serving.certificate.clone().zip(serving.key.clone());
    let (certificate, key) = match own {
        Some(own) => own,
        None => tls::make(folder, &["localhost".to_owned()])?,
    };
    Ok(tls::read(&certificate, &key, now)?)
}

/// Address for another machine, which cannot reach "every address": it needs the name of this one.
fn reachable(address: &str) -> String {
    let Some((host, port)) = address.rsplit_once(':') else { return address.to_owned() };
    let is_every = matches!(host, "0.0.0.0" | "[::]");
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        name if is_every && !name.is_empty() => format!("{name}:{port}"),
        _ => address.to_owned(),
    }
}

async fn purge_now_and_then(app: Arc<App>) {
    loop {
        match app.store.purge(app.clock.now()).await {
            Ok(purged) => tracing::debug!(?purged, "purged"),
            Err(error) => tracing::warn!(%error, "what has expired cannot be deleted for now"),
        }
        tokio::select! {
            () = app.closed() => return,
            () = tokio::time::sleep(PURGE) => {}
        }
    }
}

/// Notifies systemd, where it started this program with `Type=notify`.
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

    /// Makes the next signal end the program at once. Durable data stays durable.
    fn leave_at_the_next(mut self) {
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }
}
