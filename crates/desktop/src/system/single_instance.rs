//! Allows one instance for each list.
//!
//! The first instance owns a name on the session bus. A later instance passes its arguments to the first one and exits.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest, Sha256};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use zbus::{
    Connection,
    fdo::{DBusProxy, PeerProxy, RequestNameFlags, RequestNameReply},
};

/// Application id, used in names of files and on the session bus.
pub const IDENTIFIER: &str = "org.ashore.Ashore";

/// Maximum time for another instance to answer or to exit.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

const PATH: &str = "/org/ashore/Ashore/SingleInstance";

/// Arguments of a later start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceStart {
    /// Arguments, including the name of the program.
    pub arguments: Vec<String>,
    /// Working directory.
    pub at: PathBuf,
}

/// Result of claiming the instance name.
pub enum InstanceClaim {
    /// This process owns the name and receives later starts. `None` means that there is no session bus, so no starts
    /// arrive.
    Ours(Option<SingleInstance>, mpsc::UnboundedReceiver<InstanceStart>),
    /// Another instance owns the name and received the arguments.
    HandedOver,
}

/// Ownership of the instance name.
#[derive(Debug)]
pub struct SingleInstance {
    bus: Connection,
    name: String,
}

impl SingleInstance {
    /// Releases the instance name.
    pub async fn release(&self) {
        if let Err(error) = self.bus.release_name(self.name.as_str()).await {
            tracing::debug!(%error, "instance name on the session bus could not be released");
        }
    }
}

/// Returns the bus name of the first instance for `data_dir`. Each data folder has its own name.
pub fn name(identifier: &str, data_dir: &Path) -> String {
    let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
    format!("{identifier}.d{}", hex::encode(&digest[..8]))
}

/// Waits until the instance name is free, or until its owner answers.
///
/// A killed instance may own the name for a short time. Arguments sent to this instance would be lost.
pub async fn settle(instance: &str) {
    let name = on_bus(instance);
    let asked = async {
        let bus = Connection::session().await?;
        let daemon = DBusProxy::new(&bus).await?;
        while daemon.name_has_owner(name.as_str().try_into()?).await? {
            // If the owner disconnects during the call, the bus itself returns an error.
            let peer = PeerProxy::builder(&bus).destination(name.as_str())?.path("/")?.build().await?;
            if peer.ping().await.is_ok() {
                break;
            }
            sleep(PAUSE).await;
        }
        Ok::<_, zbus::Error>(())
    };
    match timeout(PATIENCE, asked).await {
        Ok(Ok(())) => {}
        // Without a session bus there is no other instance, so continue.
        Ok(Err(error)) => tracing::debug!(%error, "session bus query for another instance failed"),
        Err(_) => tracing::warn!("another instance owns the bus name and does not respond"),
    }
}

/// Claims the instance name, or passes `arguments` to the instance that owns the name.
///
/// The arguments include the name of the program.
pub async fn claim(instance: &str, arguments: Vec<String>) -> InstanceClaim {
    let (started, starts) = mpsc::unbounded_channel();
    match timeout(PATIENCE, take(on_bus(instance), arguments, started)).await {
        Ok(Ok(Some(instance))) => InstanceClaim::Ours(Some(instance), starts),
        Ok(Ok(None)) => InstanceClaim::HandedOver,
        Ok(Err(error)) => {
            tracing::debug!(%error, "session bus not available; single-instance check skipped");
            InstanceClaim::Ours(None, starts)
        }
        Err(_) => {
            tracing::warn!("session bus did not respond; single-instance check skipped");
            InstanceClaim::Ours(None, starts)
        }
    }
}

/// Requests the instance name. Returns `None` if another instance owns the name and received the arguments.
async fn take(
    name: String,
    arguments: Vec<String>,
    started: mpsc::UnboundedSender<InstanceStart>,
) -> zbus::Result<Option<SingleInstance>> {
    let bus = Connection::session().await?;
    // Serve the object before requesting its name, so that no client finds the name without the object.
    bus.object_server().at(PATH, LaunchListener(started)).await?;
    match bus.request_name_with_flags(name.as_str(), RequestNameFlags::DoNotQueue.into()).await {
        Ok(RequestNameReply::PrimaryOwner | RequestNameReply::AlreadyOwner) => return Ok(Some(SingleInstance { bus, name })),
        Ok(RequestNameReply::InQueue | RequestNameReply::Exists) | Err(zbus::Error::NameTaken) => {}
        Err(error) => return Err(error),
    }
    let other = FirstProxy::builder(&bus).destination(name)?.build().await?;
    let at = env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    other.start(arguments, at).await?;
    Ok(None)
}

fn on_bus(instance: &str) -> String {
    format!("{instance}.SingleInstance")
}

/// Receives later starts.
struct LaunchListener(mpsc::UnboundedSender<InstanceStart>);

#[zbus::interface(name = "org.ashore.Ashore.SingleInstance")]
impl LaunchListener {
    fn start(&self, arguments: Vec<String>, at: String) {
        // Ignore the error: sending fails only while this instance exits.
        let _ = self.0.send(InstanceStart { arguments, at: at.into() });
    }
}

#[zbus::proxy(
    interface = "org.ashore.Ashore.SingleInstance",
    default_path = "/org/ashore/Ashore/SingleInstance",
    gen_blocking = false
)]
trait First {
    fn start(&self, arguments: Vec<String>, at: String) -> zbus::Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_data_folder_has_its_own_instance_name() {
        let name = |folder: &str| name("org.ashore.Ashore", Path::new(folder));
        assert_ne!(name("/a"), name("/b"));
        assert_eq!(name("/a"), name("/a"));
        assert!(name("/a").starts_with("org.ashore.Ashore.d"));
    }
}
