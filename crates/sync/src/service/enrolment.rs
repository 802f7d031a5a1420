//! Makes this machine a device of a list: creates the list, joins it with a link, or recovers it with its words.
//!
//! - The secrets are written to the keychain before the ledger states that sync is on.
//! - Before the request for an enrolment, the machine checks that it can store the result. The server accepts a link
//!   only once, so a full disk after the request would waste the link.
//! - `meta/global` and `crypto/keys` are only created, never replaced. If two machines create a list at the same time,
//!   one of them wins.

use ashore_engine::{Engine, SyncRecordRow, SyncWrite};
use zeroize::Zeroizing;

use crate::{
    cycle::{SyncAccount, SyncEnv, SyncFault},
    keys::{DeviceKey, JoinLink, JoinLinkFault, JoinPin, KeyRing, RecoveryWords, RootKey},
    records::{DeviceId, MetadataRecord, STORAGE_VERSION},
    server::{
        DeviceEnrolled, DeviceEnrolment, DeviceToken, HttpServer, OutgoingObject, ServerAddress, ServerFailure, ServerFault,
        SyncServer,
    },
    service::unlock::{KEYS, META, SyncSecrets, open_keys},
};

/// Collection and id of a test record. It is written before an enrolment, and deleted at once.
const REHEARSAL: &str = "rehearsal";
/// Size of the test record in bytes. An enrolment writes less data.
const REHEARSED_BYTES: usize = 64 << 10;

/// Server at which a machine enrols, the rule for the certificate of the server, and the name of the machine.
#[derive(Debug)]
pub struct EnrolmentPlace<'a> {
    /// Host and port.
    pub address: &'a str,
    /// Rule for the certificate.
    pub pin: &'a str,
    /// Name of this machine.
    pub name: &'a str,
}

/// Creates a user and a list with a set-up link. Returns the words of the new list.
pub async fn set_up(engine: &Engine, env: &SyncEnv, link: &JoinLink, name: &str) -> Result<RecoveryWords, SyncFault> {
    if !link.is_set_up() {
        return Err(SyncFault::LinkJoins);
    }
    let pin = link.pin().write();
    let place = EnrolmentPlace { address: link.address(), pin: &pin, name };
    let device = prepare(engine, env).await?;
    let enrolled = enrol(&place, link.uid(), Some(link.id()), link.auth().as_str()).await?;
    let uid = enrolled.token.uid();
    let mut random = |bytes: &mut [u8]| (env.random)(bytes);
    let root = RootKey::generate(&mut random);
    let secrets = SyncSecrets { root, token: enrolled.token, device };
    secrets.store(engine).await?;
    let server = server_of(link.address(), &pin, &secrets)?;
    let ring = KeyRing::create(&mut random);
    write_keys(&server, &ring, &secrets.root, uid, env).await?;
    // From now on, the words authorise the enrolment of a device.
    server.change_auth(&secrets.root.auth(uid).hash()).await?;
    begin(engine, &place, uid, &ring, &secrets).await?;
    Ok(RecoveryWords::from_root(&secrets.root))
}

/// Joins a list with the link of another machine.
pub async fn join(engine: &Engine, env: &SyncEnv, link: &JoinLink, name: &str) -> Result<(), SyncFault> {
    if link.is_set_up() {
        return Err(SyncFault::LinkSetsUp);
    }
    let pin = link.pin().write();
    let place = EnrolmentPlace { address: link.address(), pin: &pin, name };
    let device = prepare(engine, env).await?;
    let enrolled = enrol(&place, link.uid(), Some(link.id()), link.auth().as_str()).await?;
    let wrapped = enrolled.wrapped.as_deref().ok_or(SyncFault::Link(JoinLinkFault::Invite))?;
    let handover = link.unwrap_root(wrapped).map_err(|_| SyncFault::Link(JoinLinkFault::Secret))?;
    take_part(engine, &place, (enrolled.token, device), handover.root, handover.generation).await
}

/// Joins a list with its recovery words. `uid` is the user id that was shown together with the words.
pub async fn recover(
    engine: &Engine,
    env: &SyncEnv,
    place: &EnrolmentPlace<'_>,
    uid: i64,
    words: RecoveryWords,
) -> Result<(), SyncFault> {
    let root = words.into_root();
    let auth = root.auth(uid);
    let device = prepare(engine, env).await?;
    let enrolled = enrol(place, uid, None, auth.as_str()).await?;
    take_part(engine, place, (enrolled.token, device), root, 0).await
}

/// Opens the keys of the list, and turns sync on.
///
/// If `generation` is 0, accepts any generation that the server states. Recovery words contain no generation.
async fn take_part(
    engine: &Engine,
    place: &EnrolmentPlace<'_>,
    (token, device): (DeviceToken, DeviceKey),
    root: RootKey,
    generation: u64,
) -> Result<(), SyncFault> {
    let uid = token.uid();
    let secrets = SyncSecrets { root, token, device };
    let server = server_of(place.address, place.pin, &secrets)?;
    let opened = open_keys(&server, uid, (None, generation), &secrets.root, None).await?;
    secrets.store(engine).await?;
    begin(engine, place, uid, &opened.ring, &secrets).await
}

/// Checks that the ledger and the keychain can be written, and returns the key of a new device.
async fn prepare(engine: &Engine, env: &SyncEnv) -> Result<DeviceKey, SyncFault> {
    let [collection, id] = [REHEARSAL; 2].map(str::to_owned);
    let record =
        SyncRecordRow { collection, id, local: Some("-".repeat(REHEARSED_BYTES)), change: 1, ..SyncRecordRow::default() };
    let [collection, id] = [REHEARSAL; 2].map(str::to_owned);
    // The record already exists if the program was killed during an earlier check.
    engine.write_sync(&[SyncWrite::Record { record: Box::new(record), seen: 0, is_edit: false }]).await?;
    engine.write_sync(&[SyncWrite::Forget { collection, id, seen: 1 }]).await?;
    let mut random = |bytes: &mut [u8]| (env.random)(bytes);
    let device = DeviceKey::generate(&mut random).map_err(SyncFault::Renewal)?;
    SyncSecrets::keep_device(engine, &device).await?;
    Ok(device)
}

async fn enrol(place: &EnrolmentPlace<'_>, uid: i64, invite: Option<&str>, auth: &str) -> Result<DeviceEnrolled, SyncFault> {
    let address = ServerAddress::from_link(place.address, place.pin).map_err(|_| SyncFault::Link(JoinLinkFault::Address))?;
    let server = HttpServer::new(address)?;
    let enrolment = DeviceEnrolment {
        uid,
        invite: invite.map(str::to_owned),
        auth: Zeroizing::new(auth.to_owned()),
        name: place.name.to_owned(),
    };
    let refused = |failure: ServerFailure| match failure.fault {
        ServerFault::Unauthorized if invite.is_some() => SyncFault::LinkUsed,
        ServerFault::Unauthorized => SyncFault::OtherWords,
        _ => SyncFault::Server(failure),
    };
    Ok(server.enrol(&enrolment).await.map_err(refused)?.value)
}

/// Returns the server of an account.
pub fn server_of(address: &str, pin: &str, secrets: &SyncSecrets) -> Result<HttpServer, SyncFault> {
    let address = ServerAddress::from_link(address, pin).map_err(|_| SyncFault::Link(JoinLinkFault::Address))?;
    Ok(HttpServer::new(address)?.with_token(secrets.token.clone()))
}

/// Writes the keys of a new list. Fails with `Server(Conflict)` if a list already exists.
pub async fn write_keys<S: SyncServer>(
    server: &S,
    ring: &KeyRing,
    root: &RootKey,
    uid: i64,
    env: &SyncEnv,
) -> Result<(), SyncFault> {
    let sealed = ring.seal(root, uid, env.bytes())?;
    put_new(server, KEYS, sealed).await?;
    put_new(server, META, metadata(ring.sync_id())).await
}

/// Returns the payload of `meta/global`.
pub fn metadata(sync_id: &str) -> String {
    let record =
        MetadataRecord { v: 1, storage_version: STORAGE_VERSION, sync_id: sync_id.to_owned(), unknown: serde_json::Map::new() };
    // Serializing cannot fail, because all keys of the map are texts.
    serde_json::to_string(&record).unwrap_or_default()
}

/// Creates an object, which must not exist yet.
pub async fn put_new<S: SyncServer>(server: &S, (collection, id): (&str, &str), payload: String) -> Result<(), SyncFault> {
    let object = OutgoingObject { id: id.to_owned(), payload, ttl_s: None };
    server.put_object(collection, &object, Some(0)).await?;
    Ok(())
}

async fn begin(
    engine: &Engine,
    place: &EnrolmentPlace<'_>,
    uid: i64,
    ring: &KeyRing,
    secrets: &SyncSecrets,
) -> Result<(), SyncFault> {
    let device: DeviceId = secrets.token.device().parse().map_err(|_| SyncFault::Damaged)?;
    let account = SyncAccount {
        v: SyncAccount::VERSION,
        address: place.address.to_owned(),
        uid,
        pin: JoinPin::read(place.pin).map(|pin| pin.write()).ok_or(SyncFault::Link(JoinLinkFault::Pin))?,
        device,
        name: place.name.to_owned(),
        sync_id: ring.sync_id().to_owned(),
        generation: ring.generation(),
        epoch: 1,
        synced_ms: None,
        restored: None,
        trusted: Vec::new(),
    };
    engine.begin_sync(&account.write()).await?;
    Ok(())
}
