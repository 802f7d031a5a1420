//! Fake file manager that records which files and folders it is asked to show.

use std::path::PathBuf;

use ashore_testkit::waits::DEADLINE;
use tokio::{sync::watch, time::timeout};
use url::Url;
use zbus::{Connection, connection::Builder, interface};

const NAME: &str = "org.freedesktop.FileManager1";
const PATH: &str = "/org/freedesktop/FileManager1";

struct Service(watch::Sender<Vec<PathBuf>>);

/// Fake file manager, and the paths that it was asked to show.
pub struct FileManager {
    asked: watch::Receiver<Vec<PathBuf>>,
    _bus: Connection,
}

impl FileManager {
    /// Serves `org.freedesktop.FileManager1` on the bus at `address`.
    pub async fn serve(address: &str) -> Self {
        let (ask, asked) = watch::channel(Vec::new());
        let builder = Builder::address(address).unwrap().serve_at(PATH, Service(ask)).unwrap();
        Self { asked, _bus: builder.name(NAME).unwrap().build().await.unwrap() }
    }

    /// Waits for at least `count` paths and returns all paths requested so far.
    pub async fn asked(&self, count: usize) -> Vec<PathBuf> {
        let mut asked = self.asked.clone();
        let found = timeout(DEADLINE, asked.wait_for(|all| all.len() >= count)).await;
        found.unwrap_or_else(|_| panic!("not within {DEADLINE:?}: a file is to be shown in its folder")).unwrap().clone()
    }
}

#[interface(name = "org.freedesktop.FileManager1")]
impl Service {
    fn show_items(&self, uris: Vec<String>, _startup_id: String) {
        let paths = uris.iter().map(|uri| Url::parse(uri).unwrap().to_file_path().unwrap());
        self.0.send_modify(|all| all.extend(paths));
    }

    fn show_folders(&self, uris: Vec<String>, startup_id: String) {
        self.show_items(uris, startup_id);
    }
}
