//! Opens the server for other devices, and closes it. `ashore serve` calls this module.
//!
//! - Each interface is a router of its own. The routers are merged here, below one base path. One check of `Origin`
//!   protects all of them.
//! - A request that changes something is carried out to its end, even if its client disconnects.
//! - While the server runs, a locked file reports its address to `ashore remote link`.

use std::{
    fs::{self, Permissions},
    io,
    net::{self, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    os::unix::{
        self,
        fs::{FileTypeExt as _, PermissionsExt as _},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, Mutex},
};

use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_rpc::OwnProcess;
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};
use rustix::io::Errno;
use tokio::{
    net::{TcpListener, UnixListener},
    sync::Notify,
};
use url::{Position, Url};

use crate::{
    aria2::{self, Aria2Access, Aria2Options},
    body_store::{self, BodyStore},
    clock, devices,
    listening_state::ListeningFile,
    metrics,
    page::{self, PageInterface},
    page_address::PageAddress,
    problem::RequestProblem,
    remote_sessions::RemoteSessions,
    rest,
    server::access_control::AcceptedHosts,
    server::trusted_proxy::ProxyNetwork,
    server::{LIMITS, RemoteListener, RemotePeer, RemoteServer},
};

/// Default port. Programs made for aria2 expect it.
const PORT: u16 = 6800;
/// Prefix of an address that is the path of a Unix socket.
const UNIX: &str = "unix:";
/// Permissions of a Unix socket: access for its user and its group. A proxy can belong to the group.
const SOCKET_MODE: u32 = 0o660;
/// Headers of every response.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Address to listen on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// Address and port.
    Tcp(SocketAddr),
    /// Path of a Unix socket.
    Unix(PathBuf),
}

impl FromStr for ListenAddress {
    type Err = UserMessage;

    /// Parses `127.0.0.1:6800`, `[::1]:6800`, an address without a port, or `unix:PATH`.
    fn from_str(text: &str) -> Result<Self, UserMessage> {
        if let Some(path) = text.strip_prefix(UNIX).filter(|path| !path.is_empty()) {
            return Ok(Self::Unix(path.into()));
        }
        let with_port = text.parse::<SocketAddr>().ok();
        let address = with_port.or_else(|| text.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, PORT)));
        address.map(Self::Tcp).ok_or_else(|| message!("remote-listen.address", address = text))
    }
}

/// Socket that systemd opened for this process.
#[derive(Debug)]
pub enum InheritedListener {
    /// Listens on an address and a port.
    Tcp(net::TcpListener),
    /// Listens on a path. systemd creates and removes the file.
    Unix(unix::net::UnixListener),
}

/// Options of the server.
#[derive(Clone, Debug, Default)]
pub struct RemoteOptions {
    /// Addresses to listen on; port 6800 of loopback if there are none.
    pub listen: Vec<ListenAddress>,
    /// Accepted values of `Host` besides the addresses and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// Accepted values of `Origin` besides our own.
    pub allowed_origins: Vec<String>,
    /// Proxies whose `X-Forwarded-For` states the address of a client.
    pub trusted_proxies: Vec<ProxyNetwork>,
    /// Public address, if the server is behind a proxy.
    pub public_url: Option<Url>,
    /// Path of the page; `/` if it is empty.
    pub base_path: String,
    /// Folders in which callers may write, besides those of the settings.
    pub roots: Vec<PathBuf>,
    /// Set of the downloads that are open to programs made for aria2.
    pub aria2: Aria2Access,
    /// Whether programs made for aria2 may end `ashore serve`.
    pub aria2_may_stop: bool,
}

impl RemoteOptions {
    /// Parses a public address. Returns `None` if the text cannot be the address of a page.
    pub fn parse_url(text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
        (matches!(url.scheme(), "http" | "https") && url.has_host() && is_plain).then_some(url)
    }
}

/// Reason why the server was not opened.
#[derive(Debug)]
pub enum RemoteStartFault {
    /// An address cannot be used.
    Listen(UserMessage),
    /// The options are not valid, or other users can read the token.
    Refused(UserMessage),
}

/// Running server for other devices.
#[derive(Debug)]
pub struct RemoteAccess {
    server: RemoteServer,
    address: PageAddress,
    sockets: Vec<PathBuf>,
    stop: Arc<Notify>,
    _file: ListeningFile<PageAddress>,
}

impl RemoteAccess {
    /// Opens the server for the engine of `own`, whose data folder is `data_dir`. Creates the token if it does not
    /// exist. `inherited` sockets are served besides the addresses of the options, and replace the usual addresses.
    ///
    /// Fails with `Refused` if other users can read the token, or with `Listen` if an address cannot be used.
    pub async fn start(
        own: &OwnProcess,
        data_dir: &Path,
        options: RemoteOptions,
        inherited: Vec<InheritedListener>,
    ) -> Result<Self, RemoteStartFault> {
        devices::ensure_token(data_dir).map_err(RemoteStartFault::Refused)?;
        let bound = bind_all(&options.listen, inherited).await;
        let (listeners, addresses, sockets) = bound.map_err(RemoteStartFault::Listen)?;
        let unreported = |error: io::Error| RemoteStartFault::Listen(message!("disk.unread", path = data_dir, why = &error));
        let mut file = ListeningFile::lock_patiently(data_dir).await.map_err(unreported)?;
        let base_path = normalized(&options.base_path);
        let address = PageAddress {
            listeners: addresses,
            public_url: options.public_url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned()),
            base_path: base_path.clone(),
        };
        file.write(&address).map_err(unreported)?;
        let hosts = accepted(&options, &address.listeners);
        let origins = Arc::new(hosts.clone());
        // No other server uses this folder, because this one has locked its file.
        body_store::remove_left_behind(data_dir);
        let sessions = Arc::new(RemoteSessions::new(data_dir, clock::now));
        let stop = Arc::new(Notify::new());
        let server = RemoteServer::start(listeners, hosts, LIMITS, |stopped| {
            let aria2 = Aria2Options {
                access: options.aria2,
                data_dir: data_dir.to_owned(),
                roots: options.roots.clone(),
                stop: options.aria2_may_stop.then(|| Arc::clone(&stop)),
            };
            let aria2 = aria2::routes_for_programs(aria2, &own.engine, &sessions, LIMITS, stopped.clone());
            let page = Arc::new(PageInterface {
                service: own.service(),
                sessions,
                data_dir: data_dir.to_owned(),
                roots: options.roots,
                base_path: base_path.clone(),
                limits: LIMITS,
                now: clock::now,
                tickets: Mutex::default(),
                bodies: BodyStore::default(),
                stopped,
            });
            merged(interfaces(page, aria2), &base_path, origins)
        });
        tracing::info!(?address, "other devices can connect");
        Ok(Self { server, address, sockets, stop, _file: file })
    }

    /// Returns the addresses of the page on this machine.
    pub fn urls(&self) -> Vec<String> {
        let url = |listener| format!("http://{listener}{}", self.address.base_path);
        self.address.listeners.iter().map(url).collect()
    }

    /// Whether others on the network can read the traffic, as far as this server knows. True if the server listens
    /// beyond loopback and no public address promises TLS.
    pub fn is_readable_by_network(&self) -> bool {
        let has_tls = self.address.public_url.as_ref().is_some_and(|url| url.starts_with("https:"));
        !has_tls && self.address.listeners.iter().any(|listener| !listener.ip().is_loopback())
    }

    /// Waits until a client asks to end this program. Cancel safe.
    pub async fn stop_requested(&self) {
        self.stop.notified().await;
    }

    /// Closes the server. Call this function before the engine closes.
    pub async fn stop(self) {
        self.server.stop().await;
        for socket in self.sockets {
            if let Err(error) = fs::remove_file(&socket) {
                tracing::debug!(%error, "socket file could not be removed");
            }
        }
    }
}

/// Returns the routes of all interfaces. Only the routes of the page have a fallback.
pub(crate) fn interfaces(page: Arc<PageInterface>, aria2: Router) -> Router {
    let routes = page::routes(Arc::clone(&page)).merge(rest::routes(Arc::clone(&page))).merge(aria2);
    metrics::counted(routes.layer(from_fn(finish_changes)), page)
}

/// Returns the routes of all interfaces below `base_path`.
pub(crate) fn merged(page: Router, base_path: &str, origins: Arc<AcceptedHosts>) -> Router {
    let routes = match base_path.trim_end_matches('/') {
        "" => page,
        path => {
            let target = base_path.to_owned();
            let to_page = get(async move || Redirect::permanent(&target));
            Router::new().route(path, to_page).nest_service(base_path, page)
        }
    };
    routes.layer(from_fn_with_state(origins, check_origin)).layer(from_fn(add_headers))
}

/// Refuses requests from foreign pages.
async fn check_origin(State(origins): State<Arc<AcceptedHosts>>, request: Request, next: Next) -> Response {
    if origins.has_origin(request.headers()) {
        return next.run(request).await;
    }
    RequestProblem::new(StatusCode::FORBIDDEN, message!("remote-request.origin")).into_response()
}

/// Runs a request in a task of its own, unless its method only reads.
///
/// axum drops a request when its connection ends. A call that changes something must not end between two of its steps.
async fn finish_changes(request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return next.run(request).await;
    }
    let peer = request.extensions().get::<RemotePeer>().cloned();
    let answering = tokio::spawn(async move {
        // The task owns `peer`, so the connection keeps its place in the limits until the request has been carried out.
        let _peer = peer;
        next.run(request).await
    });
    answering.await.unwrap_or_else(|error| {
        tracing::error!(%error, "request failed");
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    })
}

async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns a path that begins and ends with a slash. [pure]
fn normalized(path: &str) -> String {
    match path.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}

/// Returns the accepted values of `Host` and `Origin`. [pure]
fn accepted(options: &RemoteOptions, listeners: &[SocketAddr]) -> AcceptedHosts {
    let mut hosts = AcceptedHosts::of_listeners(listeners);
    options.allowed_hosts.iter().for_each(|host| hosts.allow_host(host));
    options.allowed_origins.iter().for_each(|origin| hosts.allow_origin(origin));
    hosts.trust_proxies(&options.trusted_proxies);
    if let Some(url) = &options.public_url {
        // A proxy may replace the Host by its own name, but the browser still sends the public Origin.
        hosts.allow_origin(&url.origin().ascii_serialization());
        hosts.allow_public(&url[Position::BeforeHost..Position::AfterPort], url.scheme() == "https");
    }
    hosts
}

type Bound = (Vec<RemoteListener>, Vec<SocketAddr>, Vec<PathBuf>);

/// Listens on all addresses and on the inherited sockets. Fails with the error of the first address that cannot be used.
async fn bind_all(wanted: &[ListenAddress], inherited: Vec<InheritedListener>) -> Result<Bound, UserMessage> {
    let is_usual = wanted.is_empty() && inherited.is_empty();
    let usual: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    let usual = usual.map(|ip| ListenAddress::Tcp(SocketAddr::new(ip, PORT)));
    let (mut listeners, mut addresses, mut sockets) = Bound::default();
    let fault = |text: String, error: &io::Error| message!("remote-listen", address = text, why = error);
    for socket in inherited {
        let (listener, address) = adopt(socket).map_err(|error| fault("LISTEN_FDS".to_owned(), &error))?;
        listeners.push(listener);
        addresses.extend(address);
    }
    for address in if is_usual { &usual } else { wanted } {
        match address {
            ListenAddress::Tcp(address) => match bind(*address).await {
                Ok((listener, address)) => {
                    listeners.push(RemoteListener::Tcp(listener));
                    addresses.push(address);
                }
                // Ignore the error: a machine without IPv6 has no such address, and no option requested the address.
                Err(error) if is_usual && address.is_ipv6() && !listeners.is_empty() && is_missing(&error) => {}
                Err(error) => return Err(fault(address.to_string(), &error)),
            },
            ListenAddress::Unix(path) => {
                let listener = bind_socket(path).map_err(|error| fault(path.display().to_string(), &error))?;
                listeners.push(RemoteListener::Unix(listener));
                sockets.push(path.clone());
            }
        }
    }
    Ok((listeners, addresses, sockets))
}

/// Returns the inherited socket and, for TCP, its address.
fn adopt(socket: InheritedListener) -> io::Result<(RemoteListener, Option<SocketAddr>)> {
    match socket {
        InheritedListener::Tcp(listener) => {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((RemoteListener::Tcp(TcpListener::from_std(listener)?), Some(address)))
        }
        InheritedListener::Unix(listener) => {
            listener.set_nonblocking(true)?;
            Ok((RemoteListener::Unix(UnixListener::from_std(listener)?), None))
        }
    }
}

async fn bind(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AddrNotAvailable || error.raw_os_error() == Some(Errno::AFNOSUPPORT.raw_os_error())
}

/// Listens on a Unix socket. Replaces a socket that a dead process left over.
fn bind_socket(path: &Path) -> io::Result<UnixListener> {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    if is_socket && UnixStream::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
        fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, Permissions::from_mode(SOCKET_MODE))?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listen_address_may_omit_the_default_port_or_be_a_unix_socket() {
        let parsed = |text: &str| text.parse::<ListenAddress>().ok();
        let tcp = |text: &str| Some(ListenAddress::Tcp(text.parse().unwrap()));
        assert_eq!(parsed("127.0.0.1:1"), tcp("127.0.0.1:1"));
        assert_eq!(parsed("0.0.0.0"), tcp("0.0.0.0:6800"));
        assert_eq!(parsed("::1"), tcp("[::1]:6800"));
        assert_eq!(parsed("unix:/run/a"), Some(ListenAddress::Unix("/run/a".into())));
        for text in ["", "unix:", "nas.local:6800", "6800", "127.0.0.1:99999"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn public_address_must_be_a_web_url_without_credentials_or_query() {
        for text in ["https://nas.example", "http://192.0.2.7:8080/a/"] {
            assert!(RemoteOptions::parse_url(text).is_some(), "{text}");
        }
        for text in [
            "nas.example",
            "ftp://nas.example",
            "https://",
            "https://a.example/?b",
            "https://a.example/#b",
            "https://u@a.example",
        ] {
            assert!(RemoteOptions::parse_url(text).is_none(), "{text}");
        }
    }

    #[test]
    fn base_path_begins_and_ends_with_slash() {
        for (path, expected) in [("", "/"), ("/", "/"), ("/a", "/a/"), ("a/b/", "/a/b/")] {
            assert_eq!(normalized(path), expected);
        }
    }

    #[tokio::test]
    async fn stale_unix_socket_is_replaced_and_live_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let first = bind_socket(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, SOCKET_MODE);
        assert_eq!(bind_socket(&path).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(first);
        bind_socket(&path).unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "kept").unwrap();
        assert!(bind_socket(&file).is_err() && fs::read_to_string(&file).unwrap() == "kept");
    }
}
