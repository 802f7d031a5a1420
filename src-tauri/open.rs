//! Links from outside the page: the command line, a second start, the desktop. They wait here until the page takes them;
//! what to do with them is asked there. Nothing is fetched from here.

use std::{
    mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use clap::Parser;
use sha2::{Digest, Sha256};
use tauri::{AppHandle, Emitter, Manager};
use tokio::time::{sleep, timeout};

use crate::window;

/// For another instance to answer, or to be gone, and between two looks.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// A download manager that never loses a byte.
#[derive(Clone, Debug, Parser)]
#[command(name = "ashore-desktop", version)]
pub struct Arguments {
    /// The folder of the list of downloads.
    #[arg(long, value_name = "DIR", env = "ASHORE_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// Start in the tray, without a window.
    #[arg(long)]
    pub hidden: bool,
    /// Links to add.
    #[arg(value_name = "LINK")]
    pub links: Vec<String>,
}

/// Links that wait for the page.
#[derive(Debug, Default)]
pub struct Links(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    links: Vec<String>,
    /// The page listens, and has taken what waited before.
    page_listens: bool,
}

impl Links {
    /// Takes what waits. From now on links go to the page straight away.
    pub fn take(&self) -> Vec<String> {
        let mut waiting = self.lock();
        waiting.page_listens = true;
        mem::take(&mut waiting.links)
    }

    /// The page is gone.
    pub fn keep(&self) {
        self.lock().page_listens = false;
    }

    /// The links that can go to the page straight away; the others wait.
    fn add(&self, links: Vec<String>) -> Vec<String> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return links;
        }
        waiting.links.extend(links);
        Vec::new()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives `links` to the page, now or as soon as there is one.
pub fn hand_over(app: &AppHandle, links: Vec<String>) {
    let now = app.state::<Links>().add(links);
    if !now.is_empty()
        && let Err(error) = app.emit_to(window::LABEL, "links", now)
    {
        tracing::warn!(%error, "links did not reach the window");
    }
}

/// What a second start means for the first: its links, and the window in front.
pub fn second_start(app: &AppHandle, arguments: Vec<String>) {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => {
            hand_over(app, arguments.links);
            if !arguments.hidden {
                window::show(app);
            }
        }
        Err(error) => tracing::warn!(%error, "a second start said something that makes no sense"),
    }
}

/// Waits until the instance's name is free, or belongs to a program that answers. One that was killed a moment ago still
/// has its name, and a start handed over to it would open nothing.
pub async fn settle(instance: &str) {
    let name = format!("{instance}.SingleInstance");
    let asked = async {
        let bus = zbus::Connection::session().await?;
        let daemon = zbus::fdo::DBusProxy::new(&bus).await?;
        while daemon.name_has_owner(name.as_str().try_into()?).await? {
            // The bus itself says so when the owner goes away in the meantime.
            let peer = zbus::fdo::PeerProxy::builder(&bus).destination(name.as_str())?.path("/")?.build().await?;
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

/// The name under which the first instance for `data_dir` is found on the session bus: each folder has its own.
pub fn instance_name(identifier: &str, data_dir: &Path) -> String {
    let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
    format!("{identifier}.d{}", hex::encode(&digest[..8]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_wait_for_the_page_and_come_once() {
        let links = Links::default();
        let list = |one: &str| vec![one.to_owned()];
        assert!(links.add(list("a")).is_empty());
        assert_eq!(links.take(), ["a"]);
        assert_eq!(links.add(list("b")), ["b"]);
        links.keep();
        assert!(links.add(list("c")).is_empty());
        assert_eq!(links.take(), ["c"]);
        assert!(links.take().is_empty());
    }

    #[test]
    fn each_folder_has_its_own_instance() {
        let name = |folder: &str| instance_name("org.ashore.Ashore", Path::new(folder));
        assert_ne!(name("/a"), name("/b"));
        assert_eq!(name("/a"), name("/a"));
        assert!(name("/a").starts_with("org.ashore.Ashore.d"));
    }
}
