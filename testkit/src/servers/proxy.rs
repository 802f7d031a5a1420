//! Proxies on loopback: HTTP (CONNECT and absolute form) and SOCKS5.
//!
//! Every name resolves to 127.0.0.1, so that tests can use names that do not exist. Each request is recorded with its
//! head and with the target that the client named.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::TcpStream,
};

use crate::servers::{digest::Gatekeeper, listening::Listening};

/// A proxy. Dropping it stops it and closes all its connections.
#[derive(Debug)]
pub struct Proxy {
    listening: Listening,
    scheme: &'static str,
    passed: Arc<Mutex<Vec<ProxiedRequest>>>,
}

/// Request that a proxy received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxiedRequest {
    /// Kind of the request: `connect`, `forward` or `socks`.
    pub way: &'static str,
    /// Target as `host:port`, as sent by the client.
    pub target: String,
    /// Head of an HTTP request; empty for SOCKS.
    pub head: String,
    /// Whether the proxy forwarded the request.
    pub is_allowed: bool,
}

#[derive(Clone, Debug)]
struct ProxyRules {
    /// Required user and password, if any.
    guest: Option<(String, String)>,
    /// Gatekeeper for Digest authentication, if the proxy requires it.
    keeper: Option<Arc<Gatekeeper>>,
    passed: Arc<Mutex<Vec<ProxiedRequest>>>,
}

impl Proxy {
    /// Starts an HTTP proxy without authentication.
    pub async fn http() -> Self {
        Self::start("http", None, None).await
    }

    /// Starts an HTTP proxy that requires this user and password.
    pub async fn http_for(user: &str, password: &str) -> Self {
        Self::start("http", Some((user.to_owned(), password.to_owned())), None).await
    }

    /// Starts an HTTP proxy that requires Digest authentication.
    pub async fn http_asking(keeper: Gatekeeper) -> Self {
        Self::start("http", None, Some(Arc::new(keeper))).await
    }

    /// Starts a SOCKS5 proxy without authentication (RFC 1928).
    pub async fn socks5() -> Self {
        Self::start("socks5h", None, None).await
    }

    /// Starts a SOCKS5 proxy that requires this user and password (RFC 1929).
    pub async fn socks5_for(user: &str, password: &str) -> Self {
        Self::start("socks5h", Some((user.to_owned(), password.to_owned())), None).await
    }

    async fn start(scheme: &'static str, guest: Option<(String, String)>, keeper: Option<Arc<Gatekeeper>>) -> Self {
        let passed = Arc::new(Mutex::new(Vec::new()));
        let rules = ProxyRules { guest, keeper, passed: passed.clone() };
        let serve = move |stream| {
            let rules = rules.clone();
            async move {
                match scheme {
                    "http" => over_http(stream, &rules).await,
                    _ => over_socks(stream, &rules).await,
                }
            }
        };
        Self { listening: Listening::start(serve).await, scheme, passed }
    }

    /// Returns the address of the proxy, as written in a setting or variable.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.listening.address())
    }

    /// Returns the address of the proxy, including this user and password.
    pub fn url_for(&self, user: &str, password: &str) -> String {
        format!("{}://{user}:{password}@{}", self.scheme, self.listening.address())
    }

    /// Returns all requests that the proxy received, in order.
    pub fn passed(&self) -> Vec<ProxiedRequest> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ProxyRules {
    fn note(&self, way: &'static str, target: &str, head: &str, is_allowed: bool) {
        let passed = ProxiedRequest { way, target: target.to_owned(), head: head.to_owned(), is_allowed };
        self.passed.lock().unwrap_or_else(PoisonError::into_inner).push(passed);
    }
}

async fn over_http(mut stream: TcpStream, rules: &ProxyRules) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut words = head.split(' ');
    let (method, asked) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_tunnel = method == "CONNECT";
    let (target, path) = match is_tunnel {
        true => (asked.to_owned(), String::new()),
        false => {
            let rest = asked.strip_prefix("http://").unwrap_or(asked);
            let (target, path) = rest.split_once('/').unwrap_or((rest, ""));
            let port = if target.ends_with(']') || !target.contains(':') { ":80" } else { "" };
            (format!("{target}{port}"), format!("/{path}"))
        }
    };
    let way = if is_tunnel { "connect" } else { "forward" };
    let is_allowed = match &rules.guest {
        None => true,
        Some((user, password)) => {
            let expected = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
            let mut lines = head.lines().filter_map(|line| line.split_once(':'));
            lines.any(|(name, value)| name.eq_ignore_ascii_case("proxy-authorization") && value.trim() == expected)
        }
    };
    let asks = rules.keeper.as_ref().and_then(|keeper| keeper.refuses(&head, "proxy-authorization"));
    let is_allowed = is_allowed && asks.is_none();
    rules.note(way, &target, &head, is_allowed);
    if !is_allowed {
        let challenge = asks.unwrap_or_else(|| "Basic realm=\"proxy\"".to_owned());
        let refusal = format!(
            "HTTP/1.1 407 Who Are You\r\nProxy-Authenticate: {challenge}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(refusal.as_bytes()).await?;
        return stream.shutdown().await;
    }
    let Ok(mut server) = connect(&target).await else {
        stream.write_all(b"HTTP/1.1 502 Not There\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await?;
        return stream.shutdown().await;
    };
    if is_tunnel {
        stream.write_all(b"HTTP/1.1 200 Go On\r\n\r\n").await?;
    } else {
        let mut onward = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let lines = head.lines().skip(1).filter(|line| !line.is_empty());
        for line in lines.filter(|line| !line.to_ascii_lowercase().starts_with("proxy-")) {
            onward.push_str(line);
            onward.push_str("\r\n");
        }
        onward.push_str("\r\n");
        server.write_all(onward.as_bytes()).await?;
    }
    copy_bidirectional(&mut stream, &mut server).await.map(drop)
}

async fn over_socks(mut stream: TcpStream, rules: &ProxyRules) -> io::Result<()> {
    let _version = stream.read_u8().await?;
    let mut methods = vec![0; usize::from(stream.read_u8().await?)];
    stream.read_exact(&mut methods).await?;
    let mut is_allowed = true;
    if let Some((user, password)) = &rules.guest {
        if !methods.contains(&2) {
            rules.note("socks", "", "", false);
            return stream.write_all(&[5, 0xff]).await;
        }
        stream.write_all(&[5, 2]).await?;
        let _version = stream.read_u8().await?;
        let given_user = counted(&mut stream).await?;
        let given_password = counted(&mut stream).await?;
        is_allowed = given_user == *user && given_password == *password;
        stream.write_all(&[1, u8::from(!is_allowed)]).await?;
    } else {
        stream.write_all(&[5, 0]).await?;
    }
    if !is_allowed {
        rules.note("socks", "", "", false);
        return stream.shutdown().await;
    }
    let mut request = [0; 4];
    stream.read_exact(&mut request).await?;
    let host = match request[3] {
        1 => {
            let mut octets = [0; 4];
            stream.read_exact(&mut octets).await?;
            Ipv4Addr::from(octets).to_string()
        }
        4 => {
            let mut octets = [0; 16];
            stream.read_exact(&mut octets).await?;
            format!("[{}]", Ipv6Addr::from(octets))
        }
        _ => counted(&mut stream).await?,
    };
    let target = format!("{host}:{}", stream.read_u16().await?);
    rules.note("socks", &target, "", true);
    let server = connect(&target).await;
    let reply = if server.is_ok() { 0 } else { 5 };
    stream.write_all(&[5, reply, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    copy_bidirectional(&mut stream, &mut server?).await.map(drop)
}

async fn counted(stream: &mut TcpStream) -> io::Result<String> {
    let mut text = vec![0; usize::from(stream.read_u8().await?)];
    stream.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Connects to 127.0.0.1, regardless of the name.
async fn connect(target: &str) -> io::Result<TcpStream> {
    let (host, port) = target.rsplit_once(':').ok_or(io::ErrorKind::InvalidInput)?;
    let port = port.parse().map_err(|_| io::ErrorKind::InvalidInput)?;
    let address: IpAddr = host.trim_matches(['[', ']']).parse().unwrap_or(Ipv4Addr::LOCALHOST.into());
    TcpStream::connect((address, port)).await
}
