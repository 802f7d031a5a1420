//! Accesses the system's keychain: on Linux the Secret Service.
//!
//! A keyring or a password manager offers the Secret Service on the session bus. This module opens the store at its
//! first use, instead of using the default store of `keyring_core`.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use ashore_messages::{UserMessage, message};
use keyring_core::{CredentialStore, Entry, Error};

/// Service name of all entries that Ashore stores in the keychain.
const SERVICE: &str = "ashore";

type Open = fn() -> Result<Arc<CredentialStore>, Error>;

/// Keychain of this session, shared by all clones. Every call blocks, because the keychain may ask the user to unlock
/// it.
#[derive(Clone)]
pub(super) struct SecretService {
    open: Open,
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
    #[cfg(test)]
    test: Arc<TestKeychain>,
}

/// Behaviour of a keychain in a test.
#[cfg(test)]
#[derive(Default)]
struct TestKeychain {
    /// Lock that a test holds while the keychain does not answer.
    answering: Mutex<()>,
    /// Called after an entry was stored.
    on_store: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Default for SecretService {
    fn default() -> Self {
        Self::opened_by(secret_service)
    }
}

impl fmt::Debug for SecretService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("System")
    }
}

fn secret_service() -> Result<Arc<CredentialStore>, Error> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

impl SecretService {
    fn opened_by(open: Open) -> Self {
        Self {
            open,
            store: Arc::default(),
            #[cfg(test)]
            test: Arc::default(),
        }
    }

    /// Stores `text` in `entry`, which [`Self::entry`] returned.
    pub fn store(&self, entry: &Entry, text: &str) -> Result<(), UserMessage> {
        #[cfg(test)]
        drop(self.test.answering.lock().unwrap());
        entry.set_password(text).map_err(reason)?;
        #[cfg(test)]
        self.test.on_store.lock().unwrap().iter().for_each(|on_store| on_store());
        Ok(())
    }

    /// Text stored under `name`.
    pub fn get(&self, name: &str) -> Result<String, UserMessage> {
        self.entry(name)?.get_password().map_err(reason)
    }

    /// Removes the entry `name`. Succeeds even if it does not exist.
    pub fn remove(&self, name: &str) -> Result<(), UserMessage> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(reason(error)),
        }
    }

    /// Returns the entry `name`, even if it does not exist yet. Fails if there is no keychain.
    pub fn entry(&self, name: &str) -> Result<Entry, UserMessage> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match &*store {
            Some(open) => open.clone(),
            // Try to open the keychain at every call, because it may appear later.
            None => store.insert((self.open)().map_err(reason)?).clone(),
        };
        open.build(SERVICE, name, None).map_err(reason)
    }
}

/// Returns the reason for a failure. Leaves out the secret, which some errors contain as unreadable data.
fn reason(error: Error) -> UserMessage {
    match error {
        Error::NoEntry => message!("fault-keychain.gone"),
        Error::NoStorageAccess(cause) => message!("fault-keychain.locked", why = cause.to_string()),
        Error::PlatformFailure(cause) => message!("fault-keychain.broken", why = cause.to_string()),
        Error::Ambiguous(_) => message!("fault-keychain.several"),
        Error::BadEncoding(_) | Error::BadDataFormat(..) => message!("fault-keychain.unreadable"),
        other => message!("fault-keychain.broken", why = other.to_string()),
    }
}

/// Keychain that does not answer.
#[cfg(test)]
pub(super) struct HeldKeychain<'a> {
    _guard: std::sync::MutexGuard<'a, ()>,
}

/// Whether a test has unlocked the keychain of [`SecretService::locked`].
#[cfg(test)]
static IS_UNLOCKED: (Mutex<bool>, std::sync::Condvar) = (Mutex::new(false), std::sync::Condvar::new());

#[cfg(test)]
impl SecretService {
    /// Returns a keychain whose calls block until `unlock`, and then fail.
    pub fn locked() -> Self {
        let open = || {
            let (is_unlocked, changed) = &IS_UNLOCKED;
            drop(changed.wait_while(is_unlocked.lock().unwrap(), |is_unlocked| !*is_unlocked).unwrap());
            Err(Error::NoStorageAccess("locked".into()))
        };
        Self::opened_by(open)
    }

    pub fn unlock() {
        *IS_UNLOCKED.0.lock().unwrap() = true;
        IS_UNLOCKED.1.notify_all();
    }

    /// Makes the keychain wait before it stores an entry, until the returned value is dropped.
    pub fn hold(&self) -> HeldKeychain<'_> {
        HeldKeychain { _guard: self.test.answering.lock().unwrap() }
    }

    /// Calls `on_store` after each entry that is stored from now on.
    pub fn on_store(&self, on_store: impl Fn() + Send + 'static) {
        *self.test.on_store.lock().unwrap() = Some(Box::new(on_store));
    }

    pub fn mock() -> Self {
        let open = || Ok(keyring_core::mock::Store::new()? as Arc<CredentialStore>);
        Self::opened_by(open)
    }

    pub fn broken() -> Self {
        let open = || Err(Error::NoStorageAccess("no bus".into()));
        Self::opened_by(open)
    }
}
