//! The address of the page, for the links that people open. [pure]

use std::net::{IpAddr, SocketAddr};

use serde::{Deserialize, Serialize};

use crate::listening_state::ListeningReport;

/// Address of the page, as its server reports it to other programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageAddress {
    pub listeners: Vec<SocketAddr>,
    /// Public address at a proxy, without a slash at its end.
    pub public_url: Option<String>,
    /// Path of the page, which begins and ends with a slash.
    pub base_path: String,
}

impl ListeningReport for PageAddress {
    const FILE: &'static str = "remote-page.json";
}

impl PageAddress {
    /// Returns the best address for another device; `None` if there is no address. The second value is true if only
    /// this machine can reach the address.
    ///
    /// `own` is the address of this machine on its network. It replaces an unspecified address such as `0.0.0.0`.
    pub(crate) fn best(&self, own: Option<IpAddr>) -> Option<(String, bool)> {
        if let Some(url) = &self.public_url {
            return Some((format!("{url}/"), false));
        }
        let reachable = self.listeners.iter().find(|listener| !listener.ip().is_loopback());
        let listener = reachable.or(self.listeners.first())?;
        let ip = if listener.ip().is_unspecified() { own.unwrap_or([127, 0, 0, 1].into()) } else { listener.ip() };
        let address = SocketAddr::new(ip, listener.port());
        Some((format!("http://{address}{}", self.base_path), ip.is_loopback()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(listeners: &[&str], public_url: Option<&str>, own: Option<&str>) -> Option<(String, bool)> {
        let listeners = listeners.iter().map(|address| address.parse().unwrap()).collect();
        let address = PageAddress { listeners, public_url: public_url.map(str::to_owned), base_path: "/a/".to_owned() };
        address.best(own.map(|own| own.parse().unwrap()))
    }

    #[test]
    fn sign_in_link_prefers_public_address_and_then_reachable_address() {
        let found = |url: &str, is_local| Some((url.to_owned(), is_local));
        assert_eq!(best(&["127.0.0.1:1"], Some("https://nas.example/a"), None), found("https://nas.example/a/", false));
        assert_eq!(best(&["127.0.0.1:1", "192.0.2.7:2"], None, None), found("http://192.0.2.7:2/a/", false));
        assert_eq!(best(&["[::1]:1"], None, Some("192.0.2.8")), found("http://[::1]:1/a/", true));
        assert_eq!(best(&["0.0.0.0:1"], None, Some("192.0.2.8")), found("http://192.0.2.8:1/a/", false));
        assert_eq!(best(&["[::]:1"], None, None), found("http://127.0.0.1:1/a/", true));
        assert_eq!(best(&[], None, None), None);
    }
}
