//! Actions of the user on a machine, and the lists that the machine shows.

use ashore_engine::{ListQuery, NewRegistration, NewRequest, NotificationIcon, UniqueId};
use ashore_sync::service::{SendState, SyncService};
use ashore_testkit::home::Home;

/// Machine with a list of downloads and the sync service of this list.
pub trait PersonActions {
    /// Engine of the machine.
    fn home(&self) -> &Home;

    /// Sync service of the engine.
    fn service(&self) -> &SyncService;

    /// Adds a paused download to the list of this machine.
    async fn add(&self, title: &str) {
        let request = request(title);
        let (title, owner) = (Some(title.to_owned()), "window".to_owned());
        let new = NewRegistration { owner, title, paused: true, requests: vec![request], ..NewRegistration::default() };
        self.home().create(new).await.unwrap();
    }

    /// Removes a download of this machine.
    async fn remove(&self, title: &str) {
        self.home().remove(self.key(title).await, false).await.unwrap();
    }

    /// Renames a download of this machine.
    async fn rename_download(&self, title: &str, new_title: &str) {
        let face = NotificationIcon { title: Some(new_title.to_owned()), ..NotificationIcon::default() };
        self.home().update_ui(self.key(title).await, face).await.unwrap();
    }

    /// Returns the key of the download with this title on this machine.
    async fn key(&self, title: &str) -> UniqueId {
        let all = self.home().list(ListQuery::default()).await.unwrap();
        all.into_iter().find(|one| one.title == title).unwrap().unique_id
    }

    /// Name of this machine in the list.
    async fn name(&self) -> String {
        self.service().status().await.unwrap().name
    }

    /// Titles of the downloads of other machines, each with the name of its machine, sorted.
    async fn others(&self) -> Vec<(String, String)> {
        let others = self.service().remote_downloads().await.unwrap();
        let mut others: Vec<_> = others.into_iter().map(|one| (one.title, one.device_name)).collect();
        others.sort();
        others
    }

    /// Queues a new download for another machine.
    async fn send(&self, title: &str, to: &str) -> String {
        let request = request(title);
        self.service().send_new(Some(title.to_owned()), &[request], to).await.unwrap()
    }

    /// Titles and states of the downloads that this machine sent, sorted.
    async fn sends(&self) -> Vec<(String, SendState)> {
        let sends = self.service().sends().await.unwrap();
        let mut sends: Vec<_> = sends.into_iter().map(|send| (send.title, send.state)).collect();
        sends.sort_by(|one, other| one.0.cmp(&other.0));
        sends
    }

    /// Titles of the downloads of this machine, sorted.
    async fn titles(&self) -> Vec<String> {
        let all = self.home().list(ListQuery::default()).await.unwrap();
        let mut titles: Vec<String> = all.into_iter().map(|one| one.title).collect();
        titles.sort();
        titles
    }
}

/// Returns a request for a file that no test downloads.
pub fn request(name: &str) -> NewRequest {
    NewRequest { url: format!("https://files.test/{name}"), ..NewRequest::default() }
}
