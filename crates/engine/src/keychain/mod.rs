//! What signs in where, and the cookies that were given for it, kept beyond this run: in the system's keychain, or, where there is none that works, in a file that
//! only this user can read, which is said to whoever signs in.
//!
//! `sign-ins.json` in the data folder lists the origins and says where each one's secret is, so that the system's keychain
//! (which may ask a person to unlock it) is only asked about origins that have one. Nothing of it is ever in the ledger.

mod secret_service;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ashore_transfer::{HttpSecret, SecretStore};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::{
    EngineError,
    model::{KeptIn, KeptSignIn},
    platform::atomic_file,
};
use secret_service::SecretService;

/// The file in the data folder.
const FILE: &str = "sign-ins.json";
/// Follows the origin in the name under which its cookies are kept; no origin has a space in it.
const COOKIES: &str = " cookies";
/// A keychain that asks a person to unlock it may take this long where the person is there...
const ASKING: Duration = Duration::from_secs(60);
/// ...and this long where a download waits for it.
const LOOKING: Duration = Duration::from_secs(10);

/// Where secrets may be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretStorage {
    /// In the system's keychain, and where that does not work in the file.
    #[default]
    Auto,
    /// In the system's keychain or not at all.
    System,
    /// In the file.
    File,
    /// Nowhere: what signs in is forgotten when Ashore ends.
    None,
}

/// The secrets of one data folder.
pub(crate) struct Keychain {
    path: PathBuf,
    keeping: Mutex<SecretStorage>,
    kept: Mutex<BTreeMap<String, Kept>>,
    system: SecretService,
}

/// Where one origin's secret is.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kept {
    System,
    Here(String),
}

impl Keychain {
    /// What the data folder lists. A list that cannot be read is an error: writing it anew would lose what it says.
    pub fn open(data_dir: &Path, keeping: SecretStorage) -> Result<Self, EngineError> {
        Self::over(data_dir, keeping, SecretService::default())
    }

    fn over(data_dir: &Path, keeping: SecretStorage, system: SecretService) -> Result<Self, EngineError> {
        let path = data_dir.join(FILE);
        let io = |source| EngineError::Io { what: format!("Could not read {}", path.display()), source };
        let kept = match atomic_file::read(&path, atomic_file::SymlinkPolicy::Followed) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| io(error.into()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(io(error)),
        };
        Ok(Self { path, keeping: Mutex::new(keeping), kept: Mutex::new(kept), system })
    }

    /// From now on, secrets are kept there; those that are kept stay where they are.
    pub fn keep_in(&self, keeping: SecretStorage) {
        *self.keeping.lock().unwrap_or_else(PoisonError::into_inner) = keeping;
    }

    fn keeping(&self) -> SecretStorage {
        *self.keeping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps `secret` for `origin`, in place of what was kept. Fails where the settings allow the system's keychain alone
    /// and that does not take it, and where the file cannot be written.
    pub async fn store_secret(&self, origin: &str, secret: &HttpSecret) -> Result<KeptIn, EngineError> {
        self.keep_text(origin, written(secret)).await
    }

    /// The same with cookies, as a `Cookie` has them.
    pub async fn keep_cookies(&self, origin: &str, cookies: String) -> Result<KeptIn, EngineError> {
        self.keep_text(&format!("{origin}{COOKIES}"), cookies).await
    }

    async fn keep_text(&self, origin: &str, text: String) -> Result<KeptIn, EngineError> {
        let keeping = self.keeping();
        let by_system = match keeping {
            SecretStorage::None => return Ok(KeptIn::Memory),
            SecretStorage::File => Err("the settings say so".to_owned()),
            SecretStorage::Auto | SecretStorage::System => {
                let (system, origin, text) = (self.system.clone(), origin.to_owned(), text.clone());
                in_time(ASKING, move || system.store(&origin, &text)).await
            }
        };
        let kept = match by_system {
            Ok(()) => Kept::System,
            Err(why) if keeping == SecretStorage::System => {
                return Err(EngineError::Invalid(format!(
                    "The system's keychain did not take it: {why}. Unlock it, or set keychain = \"auto\" to use a file that only you can read."
                )));
            }
            Err(why) => {
                tracing::info!(why, "a sign-in is kept in a file");
                Kept::Here(text)
            }
        };
        let place = if kept == Kept::System { KeptIn::System } else { KeptIn::File };
        self.list().insert(origin.to_owned(), kept);
        self.write()?;
        Ok(place)
    }

    /// Forgets what is kept for `origin`. False where nothing was.
    pub async fn forget(&self, origin: &str) -> Result<bool, EngineError> {
        let had_secret = self.forget_text(origin).await?;
        Ok(self.forget_text(&format!("{origin}{COOKIES}")).await? || had_secret)
    }

    async fn forget_text(&self, origin: &str) -> Result<bool, EngineError> {
        let Some(kept) = self.list().remove(origin) else { return Ok(false) };
        self.write()?;
        if kept == Kept::System {
            let (system, name) = (self.system.clone(), origin.to_owned());
            if let Err(why) = in_time(ASKING, move || system.remove(&name)).await {
                return Err(EngineError::Invalid(format!(
                    "Ashore will not use it any more, but the system's keychain did not let it go: {why}. Remove \"ashore\" for {origin} there."
                )));
            }
        }
        Ok(true)
    }

    /// Every origin that has a secret or cookies, in order.
    pub fn origins(&self) -> Vec<KeptSignIn> {
        let kept_in = |kept: &Kept| if *kept == Kept::System { KeptIn::System } else { KeptIn::File };
        let bare = |name: &str| name.strip_suffix(COOKIES).unwrap_or(name).to_owned();
        let mut all: Vec<_> =
            self.list().iter().map(|(name, kept)| KeptSignIn { origin: bare(name), kept: kept_in(kept) }).collect();
        // The cookies of an origin follow its secret.
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
                        tracing::warn!(origin, why, "the system's keychain does not give a sign-in");
                        return None;
                    }
                }
            }
        };
        Some(text)
    }

    fn write(&self) -> Result<(), EngineError> {
        let bytes = serde_json::to_vec_pretty(&*self.list()).map_err(std::io::Error::from);
        let written = bytes.and_then(|bytes| atomic_file::replace(&self.path, &bytes));
        written.map_err(|source| EngineError::Io { what: format!("Could not write {}", self.path.display()), source })
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

/// The keychain as the transfers see it.
#[derive(Clone, Debug)]
pub(crate) struct KeychainBackend(pub Arc<Keychain>);

impl SecretStore for KeychainBackend {
    fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<HttpSecret>> {
        Box::pin(self.0.find(origin))
    }

    fn find_cookies<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move { self.0.find_text(&format!("{origin}{COOKIES}")).await })
    }
}

/// As it would stand in an `Authorization`, but for the encoding: people who look into their keychain can read it.
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

/// What asks a person blocks a thread for as long as that takes; nobody waits longer than `patience`.
async fn in_time<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    match tokio::time::timeout(patience, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it does not answer".to_owned()),
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
    async fn the_system_s_keychain_is_taken_where_it_works_and_the_file_says_only_that() {
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
    async fn a_file_for_this_user_alone_takes_its_place_and_that_is_said() {
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
    async fn cookies_are_kept_beside_what_signs_in_and_forgotten_with_it() {
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
    async fn who_wants_the_system_alone_or_nothing_at_all_gets_that() {
        let folder = tempfile::tempdir().unwrap();
        let strict = Keychain::over(folder.path(), SecretStorage::System, SecretService::broken()).unwrap();
        let refused = strict.store_secret("https://a.test", &ann()).await.unwrap_err().to_string();
        assert!(refused.contains("keychain did not take it") && !refused.contains("can:ary"), "{refused}");
        let none = Keychain::over(folder.path(), SecretStorage::None, SecretService::mock()).unwrap();
        assert_eq!(none.store_secret("https://a.test", &ann()).await.unwrap(), KeptIn::Memory);
        assert!(!folder.path().join(FILE).exists());
    }

    #[tokio::test]
    async fn a_list_that_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "{ torn").unwrap();
        assert!(Keychain::open(folder.path(), SecretStorage::File).is_err());
        assert_eq!(file(folder.path()), "{ torn");
    }
}
