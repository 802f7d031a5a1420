//! Stores sign-ins and cookies permanently, in the system's keychain or in a file.
//!
//! - The file is used if no keychain works. Only this user can read it, and its use is reported to the caller.
//! - `sign-ins.json` in the data folder lists the origins and the place of each secret. The keychain is queried only
//!   for secrets that are stored there, because it may ask the user to unlock it.
//! - The ledger never contains sign-ins or cookies.

mod secret_list;
mod secret_service;

use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_messages::{UserMessage, message};
use ashore_transfer::{DownloadCredentials, HttpSecret, SecretStore};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    EngineError,
    model::{KeptIn, KeptSignIn},
};
use secret_list::{KeptSecret, SecretList, StoreCall, StoreFault};
use secret_service::SecretService;

/// Name of the file for secrets, in the data folder.
const FILE: &str = "sign-ins.json";
/// Suffix of the key for the cookies of an origin. It contains a space, which no origin contains.
const COOKIES: &str = " cookies";
/// Prefix of the names of sync secrets. It contains a space, which no origin contains.
const SYNC: &str = "sync ";
/// Prefix of the names of credentials for one download. The unique id of the download follows.
///
/// The prefix contains a space, which no origin contains.
const DOWNLOAD: &str = "download ";
/// Maximum time to wait for a keychain while the user is present.
///
/// The keychain may ask the user to unlock it.
const ASKING: Duration = Duration::from_secs(60);
/// Maximum time to wait for the keychain when a download needs a secret from it.
const LOOKING: Duration = Duration::from_secs(10);
/// Maximum time to wait for the keychain while a browser waits for the answer to its hand-over.
///
/// After 15 s, the browser continues its own download. A later answer would leave the file in two places.
const HANDING_OVER: Duration = Duration::from_secs(5);

/// Place where secrets are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretStorage {
    /// Secrets are stored in the system's keychain, or in the file if no keychain works.
    #[default]
    Auto,
    /// Secrets are stored only in the system's keychain.
    System,
    /// Secrets are stored in the file.
    File,
    /// Secrets are only in memory: Ashore forgets sign-ins when it exits.
    None,
}

/// Secrets of one data folder.
pub(crate) struct Keychain {
    keeping: Mutex<SecretStorage>,
    list: Arc<SecretList>,
    system: SecretService,
}

impl Keychain {
    /// Loads the list of the data folder. Fails if the list is unreadable, because rewriting it would lose its
    /// contents.
    pub fn open(data_dir: &Path, keeping: SecretStorage) -> Result<Self, EngineError> {
        Self::over(data_dir, keeping, SecretService::default())
    }

    fn over(data_dir: &Path, keeping: SecretStorage, system: SecretService) -> Result<Self, EngineError> {
        let list = Arc::new(SecretList::load(data_dir.join(FILE))?);
        Ok(Self { keeping: Mutex::new(keeping), list, system })
    }

    /// Sets where new secrets are stored. Existing secrets stay where they are.
    pub fn keep_in(&self, keeping: SecretStorage) {
        *self.keeping.lock().unwrap_or_else(PoisonError::into_inner) = keeping;
    }

    fn keeping(&self) -> SecretStorage {
        *self.keeping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores `secret` for `origin`, and replaces the previous one.
    ///
    /// Fails if the settings allow only the system's keychain and it refuses the secret, or if the file cannot be
    /// written.
    pub async fn store_secret(&self, origin: &str, secret: &HttpSecret) -> Result<KeptIn, EngineError> {
        self.keep_text(origin, written(secret), ASKING).await
    }

    /// Stores the cookies of `origin`, in the form of a `Cookie` header. Fails as [`Self::store_secret`] does.
    pub async fn keep_cookies(&self, origin: &str, cookies: String) -> Result<KeptIn, EngineError> {
        self.keep_text(&format!("{origin}{COOKIES}"), cookies, ASKING).await
    }

    /// Stores a sync secret under `name`, which is not an origin. Fails as [`Self::store_secret`] does.
    pub async fn keep_sync_secret(&self, name: &str, secret: String) -> Result<KeptIn, EngineError> {
        self.keep_text(&format!("{SYNC}{name}"), secret, ASKING).await
    }

    /// Returns the sync secret with this name; `None` if it is missing or the keychain does not return it.
    pub async fn sync_secret(&self, name: &str) -> Option<String> {
        self.find_text(&format!("{SYNC}{name}")).await
    }

    /// Forgets a sync secret. Returns false if it was missing.
    pub async fn forget_sync_secret(&self, name: &str) -> Result<bool, EngineError> {
        self.forget_text(&format!("{SYNC}{name}")).await
    }

    /// Stores the credentials that only the registration `id` uses. Fails as [`Self::store_secret`] does.
    pub async fn keep_for_download(&self, id: Uuid, credentials: &DownloadCredentials) -> Result<KeptIn, EngineError> {
        let by_origin: BTreeMap<&str, WrittenCredentials> = credentials
            .iter()
            .map(|(origin, own)| {
                let written = WrittenCredentials { cookies: own.cookies.clone(), sign_in: own.secret.as_ref().map(written) };
                (origin, written)
            })
            .collect();
        // Serialization cannot fail, because all keys are texts.
        let text = serde_json::to_string(&by_origin).unwrap_or_default();
        self.keep_text(&format!("{DOWNLOAD}{id}"), text, HANDING_OVER).await
    }

    /// Returns the credentials that only the registration `id` uses; `None` if they are missing or the keychain does
    /// not return them.
    async fn find_for_download(&self, id: Uuid) -> Option<DownloadCredentials> {
        let text = self.find_text(&format!("{DOWNLOAD}{id}")).await?;
        let by_origin: BTreeMap<String, WrittenCredentials> = serde_json::from_str(&text).ok()?;
        let mut credentials = DownloadCredentials::default();
        for (origin, stored) in by_origin {
            let own = credentials.for_origin(&origin);
            (own.cookies, own.secret) = (stored.cookies, stored.sign_in.as_deref().and_then(read));
        }
        Some(credentials)
    }

    /// Forgets the credentials that only the registration `id` used.
    ///
    /// If the keychain does not remove them, they stay in the list, and the next start tries again.
    pub async fn forget_download(&self, id: Uuid) -> Result<(), EngineError> {
        self.forget_text(&format!("{DOWNLOAD}{id}")).await.map(drop)
    }

    /// Returns whether the list names credentials of the registration `id`.
    pub fn has_download(&self, id: Uuid) -> bool {
        self.list.get(&format!("{DOWNLOAD}{id}")).is_some()
    }

    /// Returns the registrations that have credentials in the list.
    pub fn downloads(&self) -> Vec<Uuid> {
        self.list.all().iter().filter_map(|(name, _)| name.strip_prefix(DOWNLOAD)?.parse().ok()).collect()
    }

    async fn keep_text(&self, origin: &str, text: String, patience: Duration) -> Result<KeptIn, EngineError> {
        let refused = |why| Err(EngineError::Invalid(message!("invalid.keychain", why = why)));
        let why = match self.keeping() {
            SecretStorage::None => return Ok(KeptIn::Memory),
            SecretStorage::File => None,
            keeping => match self.store_in_system(origin, &text, patience, keeping).await? {
                Ok(place) => return Ok(place),
                Err(why) if keeping == SecretStorage::System => return refused(why),
                Err(why) => Some(why),
            },
        };
        log_file(why.as_ref());
        if self.list.keep_here(origin, text)?
            && let Err(why) = self.remove_from_system(origin).await
        {
            tracing::warn!(%why, "previous credential stays in the system keychain until the next start");
        }
        Ok(KeptIn::File)
    }

    /// Stores a secret in the keychain, or in the file if the keychain does not answer in time.
    ///
    /// If the settings permit only the keychain, the file is not used. If the keychain stores the entry after the wait
    /// has ended, the entry is removed again.
    ///
    /// If neither the keychain nor the file has the secret, returns the reason.
    async fn store_in_system(
        &self,
        name: &str,
        text: &str,
        patience: Duration,
        keeping: SecretStorage,
    ) -> Result<Result<KeptIn, UserMessage>, EngineError> {
        let call = Arc::new(StoreCall::default());
        let (list, system, own) = (Arc::clone(&self.list), self.system.clone(), Arc::clone(&call));
        let (own_name, own_text) = (name.to_owned(), text.to_owned());
        let mut storing = tokio::task::spawn_blocking(move || list.store(&system, &own_name, &own_text, &own));
        let ended = match tokio::time::timeout(patience, &mut storing).await {
            Ok(ended) => ended,
            Err(_) => {
                let copy = (keeping == SecretStorage::Auto).then(|| text.to_owned());
                let is_copied = copy.is_some();
                if self.list.abandon(name, copy, &call)? {
                    let why = message!("fault-keychain.silent");
                    return Ok(if is_copied {
                        log_file(Some(&why));
                        Ok(KeptIn::File)
                    } else {
                        Err(why)
                    });
                }
                storing.await
            }
        };
        match ended {
            Ok(Ok(())) => Ok(Ok(KeptIn::System)),
            Ok(Err(StoreFault::Keychain(why))) => Ok(Err(why)),
            Ok(Err(StoreFault::List(error))) => Err(error),
            Err(error) => Ok(Err(message!("fault-keychain.broken", why = error.to_string()))),
        }
    }

    /// Forgets the sign-in and cookies of `origin`. Returns false if there were none.
    pub async fn forget(&self, origin: &str) -> Result<bool, EngineError> {
        let had_secret = self.forget_text(origin).await?;
        Ok(self.forget_text(&format!("{origin}{COOKIES}")).await? || had_secret)
    }

    async fn forget_text(&self, name: &str) -> Result<bool, EngineError> {
        let Some(may_be_in_system) = self.list.forget(name)? else { return Ok(false) };
        if may_be_in_system {
            self.remove_from_system(name).await?;
        }
        Ok(true)
    }

    /// Removes the entry of a name in the state `Unsettled` from the keychain. If this fails, the next start tries
    /// again.
    async fn remove_from_system(&self, origin: &str) -> Result<(), EngineError> {
        let (list, system, name) = (Arc::clone(&self.list), self.system.clone(), origin.to_owned());
        let removing = tokio::task::spawn_blocking(move || list.remove(&system, &name));
        let kept = |why: UserMessage| EngineError::Invalid(message!("invalid.keychain-kept", why = why, origin = origin));
        match tokio::time::timeout(ASKING, removing).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(StoreFault::Keychain(why)))) => Err(kept(why)),
            Ok(Ok(Err(StoreFault::List(error)))) => Err(error),
            Ok(Err(error)) => Err(kept(message!("fault-keychain.broken", why = error.to_string()))),
            Err(_) => Err(kept(message!("fault-keychain.silent"))),
        }
    }

    /// Returns whether an earlier run did not finish storing or removing an entry of the keychain.
    pub fn is_unsettled(&self) -> bool {
        self.list.all().iter().any(|(_, kept)| matches!(kept, KeptSecret::Unsettled(_)))
    }

    /// Removes the entries that an earlier run did not finish storing or removing. Called at the start.
    pub async fn settle(&self) {
        let all = self.list.all();
        for (name, _) in all.into_iter().filter(|(_, kept)| matches!(kept, KeptSecret::Unsettled(_))) {
            if let Err(why) = self.remove_from_system(&name).await {
                tracing::warn!(%why, "credential stays in the system keychain until the next start");
            }
        }
    }

    /// Origins with a secret or cookies, sorted.
    pub fn origins(&self) -> Vec<KeptSignIn> {
        let place = |kept| match kept {
            KeptSecret::System => Some(KeptIn::System),
            KeptSecret::Here(_) | KeptSecret::Unsettled(Some(_)) => Some(KeptIn::File),
            KeptSecret::Unsettled(None) => None,
        };
        let bare = |name: &str| name.strip_suffix(COOKIES).unwrap_or(name).to_owned();
        let origins = self.list.all().into_iter().filter(|(name, _)| !name.starts_with(SYNC) && !name.starts_with(DOWNLOAD));
        let mut all: Vec<_> =
            origins.filter_map(|(name, kept)| Some(KeptSignIn { origin: bare(&name), kept: place(kept)? })).collect();
        // The cookies of an origin directly follow its secret in the sorted list.
        all.dedup_by(|one, before| one.origin == before.origin);
        all
    }

    async fn find(&self, origin: &str) -> Option<HttpSecret> {
        read(&self.find_text(origin).await?)
    }

    async fn find_text(&self, origin: &str) -> Option<String> {
        match self.list.get(origin)? {
            KeptSecret::Here(text) => Some(text),
            KeptSecret::Unsettled(text) => text,
            KeptSecret::System => {
                let (system, name) = (self.system.clone(), origin.to_owned());
                let found = in_time(LOOKING, move || system.get(&name)).await;
                found.inspect_err(|why| tracing::warn!(origin, %why, "system keychain did not return a credential")).ok()
            }
        }
    }
}

impl fmt::Debug for Keychain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keychain").field("path", &self.list.path()).field("keeping", &self.keeping).finish_non_exhaustive()
    }
}

/// Access to the keychain for the transfers, as a `SecretStore`.
#[derive(Clone, Debug)]
pub(crate) struct KeychainBackend(pub Arc<Keychain>);

impl SecretStore for KeychainBackend {
    fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<HttpSecret>> {
        Box::pin(self.0.find(origin))
    }

    fn find_cookies<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move { self.0.find_text(&format!("{origin}{COOKIES}")).await })
    }

    fn find_for_download(&self, download: Uuid) -> BoxFuture<'_, Option<DownloadCredentials>> {
        Box::pin(self.0.find_for_download(download))
    }
}

/// Logs that a secret was stored in the file. `why` is the reason why the keychain did not store it, if it was asked.
fn log_file(why: Option<&UserMessage>) {
    match why {
        Some(why) => tracing::info!(%why, "credential stored in a file, not in the system keychain"),
        None => tracing::info!(why = "the settings say so", "credential stored in a file, not in the system keychain"),
    }
}

/// JSON of the credentials of one download for one origin.
#[derive(Serialize, Deserialize)]
struct WrittenCredentials {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cookies: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sign_in: Option<String>,
}

/// Returns the text form of a secret: like an `Authorization` value, but readable for users in their keychain.
fn written(secret: &HttpSecret) -> String {
    match secret {
        HttpSecret::Basic { user, password } => format!("Basic {user}:{password}"),
        HttpSecret::Bearer(token) => format!("Bearer {token}"),
        HttpSecret::Other(value) => format!("Other {value}"),
    }
}

fn read(text: &str) -> Option<HttpSecret> {
    match text.split_once(' ')? {
        ("Basic", pair) => {
            let (user, password) = pair.split_once(':')?;
            Some(HttpSecret::Basic { user: user.to_owned(), password: password.to_owned() })
        }
        ("Bearer", token) => Some(HttpSecret::Bearer(token.to_owned())),
        ("Other", value) => Some(HttpSecret::Other(value.to_owned())),
        _ => None,
    }
}

/// Runs `work` in a separate thread and waits at most `patience`.
///
/// The keychain may block the thread while it asks the user.
async fn in_time<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> Result<T, UserMessage> + Send + 'static,
) -> Result<T, UserMessage> {
    match tokio::time::timeout(patience, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => Err(message!("fault-keychain.broken", why = error.to_string())),
        Err(_) => Err(message!("fault-keychain.silent")),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn ann() -> HttpSecret {
        HttpSecret::Basic { user: "ann".to_owned(), password: "can:ary".to_owned() }
    }

    fn file(folder: &Path) -> String {
        std::fs::read_to_string(folder.join(FILE)).unwrap()
    }

    #[tokio::test]
    async fn secret_is_stored_in_system_keychain_instead_of_file() {
        let folder = tempfile::tempdir().unwrap();
        let keychain = Keychain::over(folder.path(), SecretStorage::Auto, SecretService::mock()).unwrap();
        assert_eq!(keychain.store_secret("https://a.test", &ann()).await.unwrap(), KeptIn::System);
        assert_eq!(keychain.find("https://a.test").await, Some(ann()));
        assert_eq!(keychain.find("http://a.test").await, None, "another origin");
        assert!(!file(folder.path()).contains("can:ary"), "{}", file(folder.path()));
        assert!(keychain.forget("https://a.test").await.unwrap());
        assert!(!keychain.forget("https://a.test").await.unwrap());
        assert_eq!((keychain.find("https://a.test").await, keychain.origins()), (None, Vec::new()));
    }

    #[tokio::test]
    async fn secret_is_stored_in_private_file_if_keychain_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let keychain = Keychain::over(folder.path(), SecretStorage::Auto, SecretService::broken()).unwrap();
        assert_eq!(keychain.store_secret("https://a.test", &ann()).await.unwrap(), KeptIn::File);
        assert_eq!(keychain.store_secret("https://b.test", &HttpSecret::Bearer("t".to_owned())).await.unwrap(), KeptIn::File);
        let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = Keychain::over(folder.path(), SecretStorage::Auto, SecretService::broken()).unwrap();
        assert_eq!(again.find("https://a.test").await, Some(ann()));
        assert_eq!(again.find("https://b.test").await, Some(HttpSecret::Bearer("t".to_owned())));
        let other = HttpSecret::Other("token x=1, y".to_owned());
        again.store_secret("https://c.test", &other).await.unwrap();
        assert_eq!(again.find("https://c.test").await, Some(other));
        assert_eq!(again.origins().len(), 3);
        assert!(!format!("{again:?}").contains("can:ary"));
    }

    #[tokio::test]
    async fn sign_in_and_cookies_of_origin_are_stored_and_removed_together() {
        let folder = tempfile::tempdir().unwrap();
        for system in [SecretService::mock(), SecretService::broken()] {
            let keychain = Arc::new(Keychain::over(folder.path(), SecretStorage::Auto, system).unwrap());
            let door = KeychainBackend(Arc::clone(&keychain));
            keychain.store_secret("https://a.test", &ann()).await.unwrap();
            keychain.keep_cookies("https://a.test", "id=1; x=y".to_owned()).await.unwrap();
            keychain.keep_cookies("https://b.test", "id=2".to_owned()).await.unwrap();
            assert_eq!(door.find("https://a.test").await, Some(ann()));
            assert_eq!(door.find_cookies("https://a.test").await.as_deref(), Some("id=1; x=y"));
            assert_eq!((door.find("https://b.test").await, door.find_cookies("http://a.test").await), (None, None));
            let origins: Vec<_> = keychain.origins().into_iter().map(|one| one.origin).collect();
            assert_eq!(origins, ["https://a.test", "https://b.test"]);
            assert!(keychain.forget("https://a.test").await.unwrap() && keychain.forget("https://b.test").await.unwrap());
            assert_eq!((keychain.origins().len(), door.find_cookies("https://a.test").await), (0, None));
        }
    }

    #[tokio::test]
    async fn no_secret_file_is_written_if_settings_allow_only_the_keychain_or_only_memory() {
        let folder = tempfile::tempdir().unwrap();
        let strict = Keychain::over(folder.path(), SecretStorage::System, SecretService::broken()).unwrap();
        let refused = strict.store_secret("https://a.test", &ann()).await.unwrap_err().message();
        assert_eq!(refused.variant.as_deref(), Some("keychain"));
        assert!(
            refused.text.contains("keychain did not store the sign-in") && !format!("{refused:?}").contains("can:ary"),
            "{refused:?}"
        );
        let none = Keychain::over(folder.path(), SecretStorage::None, SecretService::mock()).unwrap();
        assert_eq!(none.store_secret("https://a.test", &ann()).await.unwrap(), KeptIn::Memory);
        assert!(!folder.path().join(FILE).exists());
    }

    #[tokio::test(start_paused = true)]
    async fn credentials_of_download_are_stored_in_file_if_keychain_stays_locked() {
        let folder = tempfile::tempdir().unwrap();
        let mut own = DownloadCredentials::default();
        own.for_origin("https://a.test").cookies = Some("id=1".to_owned());
        let keychain = Keychain::over(folder.path(), SecretStorage::Auto, SecretService::locked()).unwrap();
        let (kept, ()) = tokio::join!(
            keychain.keep_for_download(Uuid::from_u128(7), &own),
            tokio::time::advance(HANDING_OVER + Duration::from_millis(1))
        );
        SecretService::unlock();
        assert_eq!(kept.unwrap(), KeptIn::File);
    }

    fn own() -> DownloadCredentials {
        let mut own = DownloadCredentials::default();
        own.for_origin("https://a.test").cookies = Some("id=1".to_owned());
        own
    }

    /// Returns a keychain whose list is in `folder`.
    fn over(folder: &Path, keeping: SecretStorage, system: &SecretService) -> Keychain {
        Keychain::over(folder, keeping, system.clone()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn keychain_entry_is_removed_again_if_stored_too_late() {
        let folder = tempfile::tempdir().unwrap();
        let (id, name) = (Uuid::from_u128(7), format!("{DOWNLOAD}{}", Uuid::from_u128(7)));
        for keeping in [SecretStorage::Auto, SecretStorage::System] {
            let system = SecretService::mock();
            let keychain = over(folder.path(), keeping, &system);
            let slow = system.hold();
            let own = own();
            let time_out = async {
                while !folder.path().join(FILE).exists() || !file(folder.path()).contains("unsettled") {
                    tokio::task::yield_now().await;
                }
                tokio::time::advance(HANDING_OVER + Duration::from_millis(1)).await;
            };
            let (kept, ()) = tokio::join!(keychain.keep_for_download(id, &own), time_out);
            assert_eq!(kept.ok(), (keeping == SecretStorage::Auto).then_some(KeptIn::File));
            assert_eq!(keychain.find_for_download(id).await.is_some(), keeping == SecretStorage::Auto);
            assert!(file(folder.path()).contains("unsettled"), "{}", file(folder.path()));
            drop(slow);
            // This waits for the late call, because only one call at a time changes the keychain.
            keychain.settle().await;
            assert!(system.get(&name).is_err(), "{keeping:?}");
            assert!(!file(folder.path()).contains("unsettled"), "{}", file(folder.path()));
            assert_eq!(keychain.find_for_download(id).await.is_some(), keeping == SecretStorage::Auto);
            keychain.forget_download(id).await.unwrap();
        }
    }

    #[tokio::test]
    async fn keychain_entry_is_removed_at_next_start_if_kill_interrupted_storing() {
        let folder = tempfile::tempdir().unwrap();
        let system = SecretService::mock();
        let keychain = over(folder.path(), SecretStorage::Auto, &system);
        for name in ["https://a.test", "https://b.test"] {
            system.on_store({
                let (folder, name) = (folder.path().to_owned(), name.to_owned());
                // Copy the file as it is directly after the keychain has stored the entry.
                move || std::fs::copy(folder.join(FILE), folder.join(format!("{}.json", &name[8..9]))).map(drop).unwrap()
            });
            keychain.keep_in(SecretStorage::File);
            if name == "https://b.test" {
                keychain.store_secret(name, &HttpSecret::Bearer("old".to_owned())).await.unwrap();
            }
            keychain.keep_in(SecretStorage::Auto);
            assert_eq!(keychain.store_secret(name, &ann()).await.unwrap(), KeptIn::System);
        }
        for (copy, name, found) in [("a", "https://a.test", None), ("b", "https://b.test", Some("old"))] {
            std::fs::copy(folder.path().join(format!("{copy}.json")), folder.path().join(FILE)).unwrap();
            let again = over(folder.path(), SecretStorage::Auto, &system);
            let found = found.map(|token| HttpSecret::Bearer(token.to_owned()));
            assert_eq!(again.find(name).await, found, "{name}");
            again.settle().await;
            assert!(system.get(name).is_err(), "{name}");
            assert_eq!(again.find(name).await, found, "{name}");
        }
    }

    #[tokio::test]
    async fn secret_that_keychain_failed_to_delete_is_removed_at_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let working = SecretService::mock();
        over(folder.path(), SecretStorage::Auto, &working).store_secret("https://a.test", &ann()).await.unwrap();
        let broken = over(folder.path(), SecretStorage::Auto, &SecretService::broken());
        broken.forget("https://a.test").await.unwrap_err();
        assert_eq!((broken.origins(), broken.find("https://a.test").await), (Vec::new(), None));
        let again = over(folder.path(), SecretStorage::Auto, &working);
        again.settle().await;
        assert!(working.get("https://a.test").is_err());
        assert_eq!(file(folder.path()), "{}");
        // When a secret moves to the file, its entry is removed from the keychain.
        again.store_secret("https://a.test", &ann()).await.unwrap();
        let broken = over(folder.path(), SecretStorage::Auto, &SecretService::broken());
        assert_eq!(broken.store_secret("https://a.test", &HttpSecret::Bearer("new".to_owned())).await.unwrap(), KeptIn::File);
        let again = over(folder.path(), SecretStorage::Auto, &working);
        again.settle().await;
        assert!(working.get("https://a.test").is_err());
        assert_eq!(again.find("https://a.test").await, Some(HttpSecret::Bearer("new".to_owned())));
    }

    #[tokio::test]
    async fn credentials_of_download_stay_listed_until_keychain_has_removed_them() {
        let folder = tempfile::tempdir().unwrap();
        let id = Uuid::from_u128(7);
        let mut own = DownloadCredentials::default();
        own.for_origin("https://a.test").cookies = Some("id=1".to_owned());
        let working = SecretService::mock();
        let open = |system| Keychain::over(folder.path(), SecretStorage::Auto, system).unwrap();
        assert_eq!(open(working.clone()).keep_for_download(id, &own).await.unwrap(), KeptIn::System);
        open(SecretService::broken()).forget_download(id).await.unwrap_err();
        let again = open(working);
        assert_eq!(again.downloads(), [id]);
        again.forget_download(id).await.unwrap();
        assert_eq!((again.downloads(), again.find_for_download(id).await.is_some()), (Vec::new(), false));
        again.forget_download(id).await.unwrap();
    }

    #[tokio::test]
    async fn unreadable_sign_in_list_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "{ torn").unwrap();
        assert!(Keychain::open(folder.path(), SecretStorage::File).is_err());
        assert_eq!(file(folder.path()), "{ torn");
    }
}
