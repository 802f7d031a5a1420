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

/// Service name of all our entries.
const SERVICE: &str = "ashore";

type Open = fn() -> Result<Arc<CredentialStore>, Error>;

/// Keychain of this session, shared by all clones. Every call blocks, because the keychain may ask the user to unlock
/// it.
#[derive(Clone)]
pub(super) struct SecretService {
    open: Open,
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
}

impl Default for SecretService {
    fn default() -> Self {
        Self { open: secret_service, store: Arc::default() }
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
    /// Stores `text` under `name`.
    pub fn store(&self, name: &str, text: &str) -> Result<(), UserMessage> {
        self.entry(name)?.set_password(text).map_err(reason)
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

    fn entry(&self, name: &str) -> Result<Entry, UserMessage> {
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
        Self { open, store: Arc::default() }
    }

    pub fn unlock() {
        *IS_UNLOCKED.0.lock().unwrap() = true;
        IS_UNLOCKED.1.notify_all();
    }

    pub fn mock() -> Self {
        let open = || Ok(keyring_core::mock::Store::new()? as Arc<CredentialStore>);
        Self { open, store: Arc::default() }
    }

    pub fn broken() -> Self {
        let open = || Err(Error::NoStorageAccess("no bus".into()));
        Self { open, store: Arc::default() }
    }
}
