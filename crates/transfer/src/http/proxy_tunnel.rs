//! Reads the challenge that a proxy sends when it refuses a tunnel.
//!
//! The HTTP client reports only that there was a challenge, not its content. This module therefore requests the tunnel
//! again over a plain connection.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};
use url::Url;

/// Maximum length of the head of a refusal, in bytes.
const LONGEST_HEAD: usize = 64 << 10;

/// Requests a tunnel to `target` from `proxy`, and returns the head of the refusal.
///
/// `target` is `host:port`. Returns `None` if the proxy requires encryption, does not answer within `patience`, or
/// answers with another status than 407.
pub(crate) async fn challenge_of_tunnel(proxy: &Url, target: &str, patience: Duration) -> Option<HeaderMap> {
    if proxy.scheme() != "http" {
        return None;
    }
    let address = format!("{}:{}", proxy.host_str()?, proxy.port_or_known_default()?);
    let asked = async {
        let mut proxy = TcpStream::connect(address).await.ok()?;
        proxy.write_all(format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n").as_bytes()).await.ok()?;
        let mut head = Vec::new();
        while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < LONGEST_HEAD {
            if proxy.read_buf(&mut head).await.ok()? == 0 {
                break;
            }
        }
        refusal(&String::from_utf8_lossy(&head))
    };
    timeout(patience, asked).await.ok()?
}

/// Returns the fields of `head` if its status is 407.
fn refusal(head: &str) -> Option<HeaderMap> {
    let mut lines = head.split("\r\n");
    if lines.next()?.split(' ').nth(1) != Some("407") {
        return None;
    }
    let headers = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value.trim()).ok()?))
    });
    Some(headers.fold(HeaderMap::new(), |mut all, (name, value)| {
        all.append(name, value);
        all
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_refusal_is_parsed_only_from_407_response() {
        let head = "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Digest realm=r\r\nbroken\r\nProxy-Authenticate: Basic\r\n\r\nX: y";
        let headers = refusal(head).unwrap();
        let all: Vec<&str> = headers.get_all("proxy-authenticate").iter().map(|value| value.to_str().unwrap()).collect();
        assert_eq!((all, headers.len()), (vec!["Digest realm=r", "Basic"], 2));
        for other in ["HTTP/1.1 200 Fine\r\n\r\n", "", "407"] {
            assert_eq!(refusal(other), None, "{other}");
        }
    }
}
