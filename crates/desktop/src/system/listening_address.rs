//! Addresses on which this program listens for other devices.

use std::{
    env,
    net::{Ipv4Addr, SocketAddr},
};

use ashore_remote::ListenAddress;

/// Environment variable with another listening address. The default is all addresses of this machine.
const LISTEN: &str = "ASHORE_REMOTE_LISTEN";
/// Usual port of the server for other devices, as of `ashore serve`.
const PORT: u16 = 6800;

/// Returns the listening address of the server for other devices.
///
/// If [`LISTEN`] is set but its value is not valid, returns an address that only this machine can reach, because the
/// user may have meant to restrict access.
pub fn for_other_devices() -> SocketAddr {
    match env::var_os(LISTEN) {
        None => SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT)),
        Some(named) => named.to_str().and_then(parsed).unwrap_or_else(|| {
            tracing::warn!("{LISTEN} is not an address to listen on; only this machine can connect");
            SocketAddr::from((Ipv4Addr::LOCALHOST, PORT))
        }),
    }
}

/// Returns an address in the form that `ashore serve --listen` accepts; `None` if it is not valid or is a Unix socket.
/// [pure]
fn parsed(text: &str) -> Option<SocketAddr> {
    match text.parse() {
        Ok(ListenAddress::Tcp(address)) => Some(address),
        Ok(ListenAddress::Unix(_)) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_address_may_omit_usual_port_but_must_be_an_address() {
        assert_eq!(parsed("127.0.0.1"), Some(SocketAddr::from((Ipv4Addr::LOCALHOST, PORT))));
        assert_eq!(parsed("127.0.0.1:0"), Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
        for text in ["", "localhost", "unix:/run/socket"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
