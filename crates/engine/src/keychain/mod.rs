//! Stores sign-ins and cookies permanently, in the system's keychain or in a file.
//!
//! - The file is used if no keychain works. Only this user can read it, and its use is reported to the caller.
//! - `sign-ins.json` in the data folder lists the origins and the place of each secret. The keychain may ask the user
//!   to unlock it, so it is queried only for origins with a secret there.
//! - The ledger never contains sign-ins or cookies.

mod secret_service;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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
    platform::atomic_file,
};
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
/// Maximum time to wait for the keychain if a download needs a secret from it.
const LOOKING: Duration = Duration::from_secs(10);
/// Maximum time to wait for the keychain while a browser waits for the answer to its hand-over.
///
/// After 15 s, the browser continues its own download. A later answer would leave the file in two places.
const HANDING_OVER: Duration = Duration::from_secs(5);

/// Place for secrets.
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
    path: PathBuf,
    keeping: Mutex<SecretStorage>,
    kept: Mutex<BTreeMap<String, Kept>>,
    system: SecretService,
}

/// Place of the secret of one origin.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kept {
    System,
    Here(String),
}

impl Keychain {
    /// Loads the list of the data folder. Fails if the list is unreadable, because rewriting it would lose its
    /// contents.
    pub fn open(data_dir: &Path, keeping: SecretStorage) -> Result<Self, EngineError> {
        Self::over(data_dir, keeping, SecretService::default())
    }

    fn over(data_dir: &Path, keeping: SecretStorage, system: SecretService) -> Result<Self, EngineError> {
        let path = data_dir.join(FILE);
        let io = |source| EngineError::io(message!("disk.unread", path = &path, why = &source), source);
        let kept = match atomic_file::read(&path, atomic_file::SymlinkPolicy::Followed) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| io(error.into()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(io(error)),
        };
        Ok(Self { path, keeping: Mutex::new(keeping), kept: Mutex::new(kept), system })
    }

    /// Sets the place for new secrets. Existing secrets stay where they are.
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
        let name = format!("{DOWNLOAD}{id}");
        let Some(kept) = self.list().get(&name).cloned() else { return Ok(()) };
        if kept == Kept::System {
            self.remove_from_system(&name).await?;
        }
        self.list().remove(&name);
        self.write()
    }

    /// Returns whether credentials are stored for the registration `id` alone.
    pub fn has_download(&self, id: Uuid) -> bool {
        self.list().contains_key(&format!("{DOWNLOAD}{id}"))
    }

    /// Returns the registrations with credentials of their own.
    pub fn downloads(&self) -> Vec<Uuid> {
        self.list().keys().filter_map(|name| name.strip_prefix(DOWNLOAD)?.parse().ok()).collect()
    }

    async fn keep_text(&self, origin: &str, text: String, patience: Duration) -> Result<KeptIn, EngineError> {
        let keeping = self.keeping();
        let kept = match keeping {
            SecretStorage::None => return Ok(KeptIn::Memory),
            SecretStorage::File => {
                tracing::info!(why = "the settings say so", "credential stored in a file, not in the system keychain");
                Kept::Here(text)
            }
            SecretStorage::Auto | SecretStorage::System => {
                let (system, name, copy) = (self.system.clone(), origin.to_owned(), text.clone());
                match in_time(patience, move || system.store(&name, &copy)).await {
                    Ok(()) => Kept::System,
                    Err(why) if keeping == SecretStorage::System => {
                        return Err(EngineError::Invalid(message!("invalid.keychain", why = why)));
                    }
                    Err(why) => {
                        tracing::info!(%why, "credential stored in a file, not in the system keychain");
                        Kept::Here(text)
                    }
                }
            }
        };
        let place = if kept == Kept::System { KeptIn::System } else { KeptIn::File };
        let old = self.list().insert(origin.to_owned(), kept);
        self.write()?;
        if place == KeptIn::File && old == Some(Kept::System) {
            // Remove the old secret from the keychain now, because the list no longer contains it.
            let (system, name) = (self.system.clone(), origin.to_owned());
            if let Err(why) = in_time(ASKING, move || system.remove(&name)).await {
                tracing::warn!(%why, "previous credential stays in the system keychain");
            }
        }
        Ok(place)
    }

    /// Forgets the sign-in and cookies of `origin`. Returns false if there were none.
    pub async fn forget(&self, origin: &str) -> Result<bool, EngineError> {
        let had_secret = self.forget_text(origin).await?;
        Ok(self.forget_text(&format!("{origin}{COOKIES}")).await? || had_secret)
    }

    async fn forget_text(&self, origin: &str) -> Result<bool, EngineError> {
        let Some(kept) = self.list().remove(origin) else { return Ok(false) };
        self.write()?;
        if kept == Kept::System {
            self.remove_from_system(origin).await?;
        }
        Ok(true)
    }

    async fn remove_from_system(&self, origin: &str) -> Result<(), EngineError> {
        let (system, name) = (self.system.clone(), origin.to_owned());
        let removed = in_time(ASKING, move || system.remove(&name)).await;
        removed.map_err(|why| EngineError::Invalid(message!("invalid.keychain-kept", why = why, origin = origin)))
    }

    /// Origins with a secret or cookies, sorted.
    pub fn origins(&self) -> Vec<KeptSignIn> {
        let kept_in = |kept: &Kept| if *kept == Kept::System { KeptIn::System } else { KeptIn::File };
        let bare = |name: &str| name.strip_suffix(COOKIES).unwrap_or(name).to_owned();
        let list = self.list();
        let origins = list.iter().filter(|(name, _)| !name.starts_with(SYNC) && !name.starts_with(DOWNLOAD));
        let mut all: Vec<_> = origins.map(|(name, kept)| KeptSignIn { origin: bare(name), kept: kept_in(kept) }).collect();
        // The list is sorted, so the cookies of an origin directly follow its secret.
        all.dedup_by(|one, before| one.origin == before.origin);
        all
    }

    async fn find(&self, origin: &str) -> Option<HttpSecret> {
        read(&self.find_text(origin).await?)
    }

    async fn find_text(&self, origin: &str) -> Option<String> {
        let kept = self.list().get(origin).cloned()?;
        let text = match kept {
            Kept::Here(text) => text,
            Kept::System => {
                let (system, name) = (self.system.clone(), origin.to_owned());
                match in_time(LOOKING, move || system.get(&name)).await {
                    Ok(text) => text,
                    Err(why) => {
                        tracing::warn!(origin, %why, "system keychain did not return a credential");
                        return None;
                    }
                }
            }
        };
        Some(text)
    }

    fn write(&self) -> Result<(), EngineError> {
        // Hold the lock until the file is replaced, so that no older list replaces a newer one.
        let list = self.list();
        let bytes = serde_json::to_vec_pretty(&*list).map_err(std::io::Error::from);
        let written = bytes.and_then(|bytes| atomic_file::replace(&self.path, &bytes));
        written.map_err(|source| EngineError::io(message!("disk.unwritten", path = &self.path, why = &source), source))
    }

    fn list(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Keychain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keychain").field("path", &self.path).field("keeping", &self.keeping).finish_non_exhaustive()
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
    async fn keychain_only_and_memory_only_settings_write_no_secret_file() {
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
