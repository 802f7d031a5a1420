//! One Ashore for each list: the first that starts has a name on the session bus, and a second one hands over what it was
//! started with, and ends.

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

/// For another instance to answer, or to be gone, and between two looks.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

const PATH: &str = "/org/ashore/Ashore/SingleInstance";

/// What a second start was started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceStart {
    /// The program's name among them.
    pub arguments: Vec<String>,
    /// In which folder.
    pub at: PathBuf,
}

/// Whose the name is.
pub enum InstanceClaim {
    /// Ours, with what later starts say; none and nothing where there is no bus.
    Ours(Option<SingleInstance>, mpsc::UnboundedReceiver<InstanceStart>),
    /// Another one's, who was told.
    HandedOver,
}

/// The name, as long as it is ours.
#[derive(Debug)]
pub struct SingleInstance {
    bus: Connection,
    name: String,
}

impl SingleInstance {
    /// Gives the name back.
    pub async fn release(&self) {
        if let Err(error) = self.bus.release_name(self.name.as_str()).await {
            tracing::debug!(%error, "the instance kept its name");
        }
    }
}

/// The name under which the first instance for `data_dir` is found on the session bus: each folder has its own.
pub fn name(identifier: &str, data_dir: &Path) -> String {
    let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
    format!("{identifier}.d{}", hex::encode(&digest[..8]))
}

/// Waits until the instance's name is free, or belongs to a program that answers. One that was killed a moment ago still
/// has its name, and a start handed over to it would open nothing.
pub async fn settle(instance: &str) {
    let name = on_bus(instance);
    let asked = async {
        let bus = Connection::session().await?;
        let daemon = DBusProxy::new(&bus).await?;
        while daemon.name_has_owner(name.as_str().try_into()?).await? {
            // The bus itself says so when the owner goes away in the meantime.
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
        // Without a bus there is no other instance to find.
        Ok(Err(error)) => tracing::debug!(%error, "the session bus was not asked"),
        Err(_) => tracing::warn!("another instance has the name and does not answer"),
    }
}

/// Takes the name, or hands over to whoever has it.
pub async fn claim(instance: &str) -> InstanceClaim {
    let (started, starts) = mpsc::unbounded_channel();
    match timeout(PATIENCE, take(on_bus(instance), started)).await {
        Ok(Ok(Some(instance))) => InstanceClaim::Ours(Some(instance), starts),
        Ok(Ok(None)) => InstanceClaim::HandedOver,
        Ok(Err(error)) => {
            tracing::debug!(%error, "there is no session bus to be found on");
            InstanceClaim::Ours(None, starts)
        }
        Err(_) => {
            tracing::warn!("the session bus does not answer");
            InstanceClaim::Ours(None, starts)
        }
    }
}

/// None where it is another one's, who was told.
async fn take(name: String, started: mpsc::UnboundedSender<InstanceStart>) -> zbus::Result<Option<SingleInstance>> {
    let bus = Connection::session().await?;
    // Served before it can be found.
    bus.object_server().at(PATH, LaunchListener(started)).await?;
    match bus.request_name_with_flags(name.as_str(), RequestNameFlags::DoNotQueue.into()).await {
        Ok(RequestNameReply::PrimaryOwner | RequestNameReply::AlreadyOwner) => return Ok(Some(SingleInstance { bus, name })),
        Ok(RequestNameReply::InQueue | RequestNameReply::Exists) | Err(zbus::Error::NameTaken) => {}
        Err(error) => return Err(error),
    }
    let other = FirstProxy::builder(&bus).destination(name)?.build().await?;
    let at = env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    other.start(env::args().collect(), at).await?;
    Ok(None)
}

fn on_bus(instance: &str) -> String {
    format!("{instance}.SingleInstance")
}

/// Hears of later starts.
struct LaunchListener(mpsc::UnboundedSender<InstanceStart>);

#[zbus::interface(name = "org.ashore.Ashore.SingleInstance")]
impl LaunchListener {
    fn start(&self, arguments: Vec<String>, at: String) {
        // Nobody listens any more: this one ends.
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
    fn each_folder_has_its_own_instance() {
        let name = |folder: &str| name("org.ashore.Ashore", Path::new(folder));
        assert_ne!(name("/a"), name("/b"));
        assert_eq!(name("/a"), name("/a"));
        assert!(name("/a").starts_with("org.ashore.Ashore.d"));
    }
}
