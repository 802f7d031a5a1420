//! Opens a session: reads the secrets from the keychain, and verifies that the server holds the list of this machine.

use ashore_engine::Engine;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::{
    cycle::{DEVICE_SECRET, ROOT_SECRET, STARTS_SECRET, SyncFault, TOKEN_SECRET},
    keys::{DeviceKey, KeyRing, KeyRingFault, RenewalStep, RootKey, RootRenewal},
    records::{MetadataRecord, STORAGE_VERSION},
    server::{DeviceToken, StoredObject, SyncServer},
};

/// Collection and id of the object that describes the list.
pub const META: (&str, &str) = ("meta", "global");
/// Collection and id of the object that contains the sealed keys of all records.
pub const KEYS: (&str, &str) = ("crypto", "keys");

/// Secrets of this machine.
pub struct SyncSecrets {
    /// Key from which other keys are derived.
    pub root: RootKey,
    /// Token for the server.
    pub token: DeviceToken,
    /// Key pair of this device. Other devices encrypt a renewed root key to its public key.
    pub device: DeviceKey,
}

impl std::fmt::Debug for SyncSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SyncSecrets(..)")
    }
}

impl SyncSecrets {
    /// Reads the secrets from the keychain.
    pub async fn read(engine: &Engine) -> Result<Self, SyncFault> {
        let root = bytes(engine, ROOT_SECRET).await?;
        let device = bytes(engine, DEVICE_SECRET).await?;
        let token = engine.sync_secret(TOKEN_SECRET).await.and_then(|text| DeviceToken::parse(&text));
        Ok(Self {
            root: RootKey::from_bytes(root),
            token: token.ok_or(SyncFault::SecretMissing(TOKEN_SECRET))?,
            device: DeviceKey::from_bytes(device).map_err(|_| SyncFault::SecretMissing(DEVICE_SECRET))?,
        })
    }

    /// Stores the secrets in the keychain.
    pub async fn store(&self, engine: &Engine) -> Result<(), SyncFault> {
        keep_root(engine, &self.root).await?;
        Self::keep_device(engine, &self.device).await?;
        engine.keep_sync_secret(TOKEN_SECRET, self.token.expose().to_owned()).await?;
        Ok(())
    }

    /// Stores the key of this device in the keychain.
    pub async fn keep_device(engine: &Engine, device: &DeviceKey) -> Result<(), SyncFault> {
        engine.keep_sync_secret(DEVICE_SECRET, URL_SAFE_NO_PAD.encode(device.bytes())).await?;
        Ok(())
    }

    /// Removes the secrets from the keychain.
    pub async fn forget(engine: &Engine) -> Result<(), SyncFault> {
        for name in [TOKEN_SECRET, DEVICE_SECRET, ROOT_SECRET, STARTS_SECRET] {
            engine.forget_sync_secret(name).await?;
        }
        Ok(())
    }
}

/// Stores the root key in the keychain.
pub async fn keep_root(engine: &Engine, root: &RootKey) -> Result<(), SyncFault> {
    engine.keep_sync_secret(ROOT_SECRET, URL_SAFE_NO_PAD.encode(root.bytes())).await?;
    Ok(())
}

async fn bytes(engine: &Engine, name: &'static str) -> Result<[u8; 32], SyncFault> {
    let text = engine.sync_secret(name).await.ok_or(SyncFault::SecretMissing(name))?;
    let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or(SyncFault::SecretMissing(name))
}

/// Opened keys of the list, and the object in which the server stores them in sealed form.
#[derive(Debug)]
pub struct OpenedKeys {
    /// Keys of the records.
    pub ring: KeyRing,
    /// Root key of the generation of the key ring. `None` if this is the root key that was passed to [`open_keys`].
    pub renewed: Option<RootKey>,
    /// Object on the server that contains the sealed key ring.
    pub sealed: StoredObject,
}

/// Reads and opens the keys of the list.
///
/// `known` is the id of the list and the generation of `root`. Without an id, any list is accepted.
///
/// Fails with `OtherList`, `Newer`, `Keys` or `Renewal` before anything is written. Refuses keys of an earlier
/// generation than `root` with `Keys(Older)`: a removed machine knows them, and a server can replay them.
pub async fn open_keys<S: SyncServer>(
    server: &S,
    uid: i64,
    known: (Option<&str>, u64),
    root: &RootKey,
    device: Option<(&str, &DeviceKey)>,
) -> Result<OpenedKeys, SyncFault> {
    let metadata = server.read_object(META.0, META.1).await?.value.ok_or(SyncFault::Reset)?;
    let metadata: MetadataRecord = serde_json::from_str(&metadata.payload).map_err(|_| SyncFault::OtherList)?;
    if metadata.storage_version > STORAGE_VERSION {
        return Err(SyncFault::Newer);
    }
    let (sync_id, mut generation) = known;
    // Recovery words contain no generation, so a machine that recovers a list accepts the generation that the server
    // states.
    if sync_id.is_some_and(|known| known != metadata.sync_id) {
        return Err(SyncFault::OtherList);
    }
    let sealed = server.read_object(KEYS.0, KEYS.1).await?.value.ok_or(SyncFault::Reset)?;
    let wanted = KeyRing::generation_of_payload(&sealed.payload).map_err(|fault| SyncFault::Keys(KeyRingFault::Seal(fault)))?;
    if wanted < generation {
        return Err(KeyRingFault::Older(wanted).into());
    }
    // After the ledger was restored from a backup, its generation is older than the root key in the keychain.
    let is_opened = |ring: &Result<KeyRing, KeyRingFault>| generation == 0 || ring.is_ok();
    if is_opened(&KeyRing::open(root, wanted, uid, &metadata.sync_id, &sealed.payload)) {
        generation = wanted;
    }
    let mut renewed: Option<RootKey> = None;
    while generation < wanted {
        // Each renewal is sealed under the previous root key, so no renewal can be skipped or forged.
        let Some((device, key)) = device else { break };
        let previous = renewed.as_ref().unwrap_or(root);
        let id = RootRenewal::record_id(generation + 1);
        let Some(object) = server.read_object(KEYS.0, &id).await?.value else { break };
        let step = RenewalStep { uid, sync_id: &metadata.sync_id, generation: generation + 1, previous };
        let renewal = RootRenewal::read(&object.payload).map_err(SyncFault::Renewal)?;
        let next = renewal.open(&step, device, key).map_err(SyncFault::Renewal)?;
        (renewed, generation) = (Some(next), generation + 1);
    }
    let ring = KeyRing::open(renewed.as_ref().unwrap_or(root), generation, uid, &metadata.sync_id, &sealed.payload)?;
    Ok(OpenedKeys { ring, renewed, sealed })
}
