//! Determines the address of a server for its clients.
//!
//! `serve` records the address, and `invite` puts the address into links.

use std::{
    fs,
    io::Write as _,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    path::Path,
};

use ashore_sync_server::auth::enrol::{EnrolLink, NO_PIN, WEB_PIN};
use serde::{Deserialize, Serialize};

use crate::problem::ServerProblem;

/// Name of the file in the data folder.
const FILE: &str = "address";

/// Record about the server that last used a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownAddress {
    /// Kind of the server's database. The server cannot see an invite in another database.
    pub database: String,
    /// Address of the server; `None` behind a proxy without a public URL.
    pub reach: Option<ReachableServer>,
}

/// Address and certificate of a server, in the form that links contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachableServer {
    /// Host and port.
    pub address: String,
    /// SHA-256 of the certificate, or a marker for a server without a certificate of its own.
    pub pin: String,
}

/// Names and address under which other machines can reach this machine.
#[derive(Clone, Debug, Default)]
pub struct LocalMachine {
    /// Host name, with or without a domain.
    pub name: String,
    /// Whether the name is announced with `.local` in this network.
    pub is_announced: bool,
    /// Address of the network interface for connections to other networks.
    pub address: Option<IpAddr>,
}

impl ReachableServer {
    /// Determines the address of a server. [pure]
    ///
    /// `listening` contains addresses, each with a flag that says whether it uses TLS; `pin` is the pin of the server's
    /// certificate. Returns `None` behind a proxy if there is no public URL, because the address of the proxy is
    /// unknown.
    pub fn for_arguments(
        public_url: Option<&str>,
        has_proxy: bool,
        listening: &[(SocketAddr, bool)],
        pin: Option<&str>,
        machine: &LocalMachine,
    ) -> Option<Self> {
        let has_own_tls = listening.iter().any(|(_, is_secure)| *is_secure) && !has_proxy;
        match public_url {
            Some(url) => {
                let web = Self::of_url(url)?;
                let own = pin.filter(|_| has_own_tls && web.pin == WEB_PIN);
                Some(Self { pin: own.map_or(web.pin, str::to_owned), address: web.address })
            }
            None if has_proxy => None,
            None => {
                // Other machines cannot reach loopback addresses, so prefer any other address.
                let (address, is_secure) = listening.iter().max_by_key(|(address, _)| !address.ip().is_loopback())?;
                let pin = pin.filter(|_| *is_secure).unwrap_or(NO_PIN).to_owned();
                Some(Self { address: machine.reachable(*address), pin })
            }
        }
    }

    /// Returns the address that a URL contains. Clients verify the certificate at this address by name and issuer, not
    /// by a pin. [pure]
    ///
    /// Returns `None` without a scheme and a host.
    pub fn of_url(url: &str) -> Option<Self> {
        let (scheme, authority) = url.split_once("://")?;
        let (port, pin) = if scheme == "https" { (443, WEB_PIN) } else { (80, NO_PIN) };
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let address = if has_port { authority.to_owned() } else { format!("{authority}:{port}") };
        Some(Self { address, pin: pin.to_owned() })
    }

    /// Builds a link that contains an invite of this server.
    pub fn link(self, id: String, secret: String) -> String {
        EnrolLink { address: self.address, uid: 0, id, secret, pin: self.pin }.write()
    }
}

impl KnownAddress {
    /// Reads the record of the server that last used this folder.
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(FILE)).ok()?).ok()
    }

    /// Writes the record.
    pub fn write(&self, folder: &Path) -> Result<(), ServerProblem> {
        let path = folder.join(FILE);
        let failed =
            |error: std::io::Error| ServerProblem::failed("file", format!("{} cannot be written: {error}.", path.display()));
        // Write a temporary file first, so that `invite` never reads an incomplete record. Temporary files have mode
        // 0600.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(serde_json::to_string(self).unwrap_or_default().as_bytes()).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

impl LocalMachine {
    /// Returns the names and the address of the current machine.
    pub fn this() -> Self {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
        // No packet is sent: the system only selects the interface.
        let towards = |own: IpAddr, other: IpAddr| {
            let socket = UdpSocket::bind((own, 0)).ok()?;
            socket.connect((other, 9)).ok()?;
            Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_unspecified() && !address.is_loopback())
        };
        // These addresses are reserved for documentation (RFC 5737, RFC 3849), so only a default route matches them.
        let address = towards(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into())
            .or_else(|| towards(Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into()));
        Self { name, is_announced: Path::new("/run/avahi-daemon/socket").exists(), address }
    }

    /// Returns the form of `address` that other machines can use: an unspecified address becomes the name or address of
    /// this machine. [pure]
    fn reachable(&self, address: SocketAddr) -> String {
        let port = address.port();
        match self.address {
            _ if !address.ip().is_unspecified() => address.to_string(),
            _ if self.name.contains('.') => format!("{}:{port}", self.name),
            _ if self.is_announced && !self.name.is_empty() => format!("{}.local:{port}", self.name),
            // Other machines may be unable to resolve a host name without a domain, so prefer the address.
            Some(own) => SocketAddr::new(own, port).to_string(),
            None if self.name.is_empty() => address.to_string(),
            None => format!("{}:{port}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> LocalMachine {
        LocalMachine { name: "laptop".to_owned(), is_announced: false, address: Some("192.168.1.5".parse().unwrap()) }
    }

    fn shown(url: Option<&str>, has_proxy: bool, listening: &[(&str, bool)]) -> Option<(String, String)> {
        let listening: Vec<_> = listening.iter().map(|(address, is_secure)| (address.parse().unwrap(), *is_secure)).collect();
        let pin = listening.iter().any(|(_, is_secure)| *is_secure).then_some("pin");
        ReachableServer::for_arguments(url, has_proxy, &listening, pin, &machine()).map(|reach| (reach.address, reach.pin))
    }

    fn address_and_pin(address: &str, pin: &str) -> Option<(String, String)> {
        Some((address.to_owned(), pin.to_owned()))
    }

    #[test]
    fn server_address_comes_from_public_url_or_machine() {
        let (web, every) = ("https://sync.example", "0.0.0.0:6000");
        assert_eq!(shown(Some(web), true, &[("127.0.0.1:5350", false)]), address_and_pin("sync.example:443", "tls"));
        assert_eq!(
            shown(Some("https://sync.example:8443"), true, &[(every, false)]),
            address_and_pin("sync.example:8443", "tls")
        );
        assert_eq!(
            shown(Some(web), true, &[(every, true)]),
            address_and_pin("sync.example:443", "tls"),
            "the proxy has another certificate"
        );
        assert_eq!(shown(Some(web), false, &[("127.0.0.1:5350", false)]), address_and_pin("sync.example:443", "tls"));
        assert_eq!(shown(Some("https://[2001:db8::1]"), false, &[(every, true)]), address_and_pin("[2001:db8::1]:443", "pin"));
        assert_eq!(shown(Some("http://sync.example"), true, &[(every, false)]), address_and_pin("sync.example:80", "-"));
        assert_eq!(shown(None, true, &[(every, false)]), None);
        assert_eq!(shown(None, false, &[("127.0.0.1:6000", false)]), address_and_pin("127.0.0.1:6000", "-"));
        assert_eq!(shown(None, false, &[("127.0.0.1:6000", false), (every, true)]), address_and_pin("192.168.1.5:6000", "pin"));
        assert_eq!(shown(None, false, &[("10.0.0.7:6000", true)]), address_and_pin("10.0.0.7:6000", "pin"));
    }

    #[test]
    fn machine_name_is_used_as_address_if_other_machines_can_resolve_it() {
        let reachable = |machine: LocalMachine| machine.reachable("[::]:5350".parse().unwrap());
        assert_eq!(reachable(LocalMachine { name: "laptop.example".to_owned(), ..machine() }), "laptop.example:5350");
        assert_eq!(reachable(LocalMachine { is_announced: true, ..machine() }), "laptop.local:5350");
        assert_eq!(reachable(machine()), "192.168.1.5:5350");
        assert_eq!(reachable(LocalMachine { address: Some("2001:db8::7".parse().unwrap()), ..machine() }), "[2001:db8::7]:5350");
        assert_eq!(reachable(LocalMachine { address: None, ..machine() }), "laptop:5350");
    }
}
