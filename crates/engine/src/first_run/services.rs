//! Finds out on the session bus whether a service runs or can be activated.
//!
//! Starts no service, and does not make a keychain ask the user to unlock it.

use std::{os::unix::net::UnixStream, time::Duration};

use ashore_messages::{UserMessage, message};
use tokio::time::timeout;
use zbus::{
    Address, Connection,
    address::transport::{Transport, UnixSocket},
    connection::Builder,
    fdo::DBusProxy,
    names::BusName,
};

/// Maximum time for the bus to answer.
///
/// A bus that does not answer counts as missing, so that a first start does not wait for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Succeeds if the bus at `address`, or the default bus, offers the service `name`.
///
/// Fails with the reason as the end of a sentence.
pub(super) async fn offered(address: Option<String>, name: &'static str) -> Result<(), UserMessage> {
    match timeout(PATIENCE, ask(address, name)).await {
        Ok(Ok(true)) => Ok(()),
        Ok(Ok(false)) => Err(message!("fault-start.no-service", name = name)),
        Ok(Err(why)) => Err(message!("fault-start.no-bus", why = why)),
        Err(_) => Err(message!("fault-start.bus-silent")),
    }
}

async fn ask(address: Option<String>, name: &'static str) -> Result<bool, String> {
    let address = match address {
        Some(address) => address.parse(),
        None => Address::session(),
    };
    let address = address.map_err(|error| error.to_string())?;
    knock(&address).await?;
    let answer = async {
        let bus: Connection = Builder::address(address)?.build().await?;
        let daemon = DBusProxy::new(&bus).await?;
        if daemon.name_has_owner(BusName::try_from(name)?).await? {
            return Ok(true);
        }
        Ok(daemon.list_activatable_names().await?.iter().any(|there| there.as_str() == name))
    };
    answer.await.map_err(|error: zbus::Error| error.to_string())
}

/// Fails if no program listens at `address`. Connects without zbus, which would need its own thread.
async fn knock(address: &Address) -> Result<(), String> {
    let Transport::Unix(unix) = address.transport() else { return Ok(()) };
    let UnixSocket::File(path) = unix.path() else { return Ok(()) };
    let path = path.clone();
    let knocked = tokio::task::spawn_blocking(move || UnixStream::connect(path).map(drop)).await;
    knocked.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn missing_session_bus_is_reported() {
        let nowhere = Some("unix:path=/nonexistent/bus".to_owned());
        let why = offered(nowhere, "org.freedesktop.secrets").await.unwrap_err();
        assert!(why.text.starts_with("there is no session bus ("), "{why}");
    }

    #[tokio::test]
    async fn silent_session_bus_times_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bus");
        let _silent = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let address = Some(format!("unix:path={}", path.display()));
        let why = offered(address, "org.freedesktop.secrets").await.unwrap_err();
        assert_eq!(why, message!("fault-start.bus-silent"));
    }
}
