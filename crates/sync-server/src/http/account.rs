//! Handles enrolment, invites, devices, and tokens for Hawk, which extend the protocol.

use axum::{
    extract::{Request, State},
    response::Response,
};
use http::request::Parts;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use super::{
    ConnectedPeer,
    app::SharedApp,
    enter::{EnrolPage, EnrolRequest, host},
    failure::RequestFailure,
    reply,
};
use crate::{
    auth::{self, Unauthorized, enrol, token},
    protocol::ProtocolRefusal,
    store::{EnrolledDevice, InviteRow, StoreError, SyncStore},
};

type Answer = Result<Response, RequestFailure>;

/// Maximum length of the body of an account request, in bytes.
const LONGEST: usize = 16 << 10;

/// Maximum number of other user ids to try if the first id is already in use.
const DRAWS: usize = 4;
/// Maximum length of a device name in characters, and of an encrypted key in bytes.
const LONGEST_NAME: usize = 100;
const LONGEST_KEY: usize = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enrolment {
    /// User; 0 with an invite that creates a user.
    uid: i64,
    /// Invite; `None` for an enrolment with the recovery words.
    invite: Option<String>,
    /// Proof derived from the invite's secret or the root key.
    auth: String,
    /// Display name of the device.
    name: String,
}

impl Enrolment {
    /// Returns the display name; `None` if the name has no visible character.
    fn shown_name(&self) -> Option<String> {
        let name: String = self.name.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    }
}

/// Reads user, proof and name of an enrolment, for the fuzzer.
#[cfg(debug_assertions)]
pub(crate) fn read_enrolment(body: &[u8]) -> Option<(i64, String, String)> {
    let asked: Enrolment = serde_json::from_slice(body).ok()?;
    let name = asked.shown_name()?;
    Some((asked.uid, asked.auth, name))
}

/// `POST /1.0/enrol`: creates a device, with an invite or with the recovery words.
pub(super) async fn enrol(State(app): State<SharedApp>, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let now = app.check_enrolment(&parts)?;
    let asked: Enrolment = read(&app, &parts, body).await?;
    let name = asked.shown_name().ok_or(ProtocolRefusal::BAD_BODY)?;
    let (device, secret) = (auth::random::<9>(), auth::random::<32>());
    let (shown, secret_hash) = (auth::hash(&asked.auth), auth::hash(&secret));
    let enrolled = EnrolledDevice { id: &device, name: &name, secret_hash: &secret_hash };
    let (uid, wrapped) = match &asked.invite {
        // PostgreSQL cannot store null bytes, so no stored invite contains them.
        Some(invite) if invite.contains('\0') => return Err(Unauthorized::Missing.into()),
        Some(invite) => {
            let is_right = |hash: &str| auth::is_same(hash, &shown);
            let use_it = async |new_user| app.store.use_invite((asked.uid, invite), is_right, new_user, &enrolled, now).await;
            let mut used = use_it(auth::random_uid()).await;
            // Even with a million users, only one random id in ten thousand is already in use. Two such ids in a row
            // are practically impossible.
            for _ in 0..DRAWS {
                if !matches!(used, Err(StoreError::Taken)) {
                    break;
                }
                used = use_it(auth::random_uid()).await;
            }
            used?.ok_or(Unauthorized::Missing)?
        }
        None => {
            let hash = app.store.auth_hash(asked.uid).await?.ok_or(Unauthorized::NoUser)?;
            if !auth::is_same(&hash, &shown) {
                return Err(Unauthorized::NoUser.into());
            }
            app.store.make_device(asked.uid, &enrolled, now).await?;
            (asked.uid, None)
        }
    };
    tracing::info!("device enrolled");
    let answer = json!({ "uid": uid, "device": device, "token": format!("{uid}.{device}.{secret}"), "wrapped": wrapped });
    Ok(reply::json(201, answer.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inviting {
    /// SHA-256 in hex of the proof that is derived from the invite's secret.
    auth_hash: String,
    /// Root key of the user, encrypted with a second key that is derived from the invite's secret.
    wrapped: Option<String>,
}

/// `POST /1.0/invites`: creates an invite for another device of the user.
pub(super) async fn invite(State(app): State<SharedApp>, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let (entered, _) = device(&app, &parts).await?;
    let asked: Inviting = read(&app, &parts, body).await?;
    if !is_hash(&asked.auth_hash) || asked.wrapped.as_ref().is_some_and(|key| key.len() > LONGEST_KEY || key.contains('\0')) {
        return Err(ProtocolRefusal::BAD_BODY.into());
    }
    let (id, expiry) = (auth::random::<9>(), entered.now + enrol::LIFETIME);
    let (user, secret_hash, wrapped) = (entered.caller.uid, asked.auth_hash.as_str(), asked.wrapped.as_deref());
    app.store.make_invite(&InviteRow { user, id: &id, secret_hash, expiry, wrapped }).await?;
    Ok(reply::json(201, json!({ "id": id, "uid": user, "expires": expiry / 1000 }).to_string()))
}

/// `GET /1.0/devices`
pub(super) async fn devices(State(app): State<SharedApp>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let (entered, own) = device(&app, &parts).await?;
    let devices = app.store.devices(entered.caller.uid).await?;
    let shown = devices.iter().map(|device| {
        let (created, seen) = (device.created / 1000, device.last_seen / 1000);
        json!({ "id": device.id, "name": device.name, "created": created, "last_seen": seen, "is_own": device.id == own })
    });
    Ok(reply::json(200, serde_json::Value::from_iter(shown).to_string()))
}

/// `DELETE /1.0/devices/ID`: removes a device and revokes its token.
pub(super) async fn remove_device(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let (entered, _) = device(&app, &parts).await?;
    match app.store.delete_device(entered.caller.uid, &place.id).await? {
        true => Ok(reply::json(200, "{}".to_owned())),
        false => Err(ProtocolRefusal::NOT_FOUND.into()),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// SHA-256 in hex of the proof that is derived from the root key.
    auth_hash: String,
}

/// `PUT /1.0/account/auth`: replaces the recovery words.
pub(super) async fn set_auth(State(app): State<SharedApp>, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let (entered, _) = device(&app, &parts).await?;
    let asked: Words = read(&app, &parts, body).await?;
    if !is_hash(&asked.auth_hash) {
        return Err(ProtocolRefusal::BAD_BODY.into());
    }
    app.store.set_auth_hash(entered.caller.uid, &asked.auth_hash).await?;
    Ok(reply::json(200, "{}".to_owned()))
}

/// `GET /1.0/sync/1.5`: creates a Hawk token for a device.
pub(super) async fn token(State(app): State<SharedApp>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let (entered, device) = device(&app, &parts).await?;
    let node = app.settings.public_url.clone().unwrap_or_else(|| node(&parts));
    let uid = entered.caller.uid;
    let (id, key) = app.secret.make(uid, &device, &node, &auth::random::<6>(), entered.now);
    let endpoint = format!("{node}/1.5/{uid}");
    let answer = json!({
        "id": id, "key": key, "uid": uid, "api_endpoint": endpoint, "duration": token::LIFETIME, "hashalg": "sha256",
    });
    let mut response = reply::json(200, answer.to_string());
    let seconds = entered.now / 1000;
    response.headers_mut().insert(http::HeaderName::from_static("x-timestamp"), reply::text(&seconds.to_string()));
    Ok(response)
}

/// Returns the server address that the client requested.
fn node(parts: &Parts) -> String {
    let is_secure = parts.extensions.get::<ConnectedPeer>().is_some_and(|peer| peer.is_secure);
    format!("{}://{}", if is_secure { "https" } else { "http" }, host(parts).unwrap_or("localhost"))
}

/// Admits devices only, not clients with a token that another program created.
async fn device(app: &SharedApp, parts: &Parts) -> Result<(EnrolRequest, String), RequestFailure> {
    let is_bearer = |value: &http::HeaderValue| value.to_str().is_ok_and(|text| auth::read_bearer(text).is_some());
    if !parts.headers.get(http::header::AUTHORIZATION).is_some_and(is_bearer) {
        return Err(Unauthorized::Missing.into());
    }
    let entered = app.enter_any(parts, false).await?;
    let device = entered.caller.device.clone().ok_or(Unauthorized::Missing)?;
    Ok((entered, device))
}

async fn read<T: DeserializeOwned>(app: &SharedApp, parts: &Parts, body: axum::body::Body) -> Result<T, RequestFailure> {
    crate::protocol::headers::sent(&parts.headers)?;
    let body = app.read_body(&parts.headers, body, LONGEST).await?;
    Ok(serde_json::from_slice(&body).map_err(|_| ProtocolRefusal::BAD_BODY)?)
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|letter| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter))
}

/// Creates an invite that creates a user, for the command line.
///
/// Returns the id and the secret of the invite.
pub async fn set_up_invite(store: &SyncStore, now: i64) -> Result<(String, String), StoreError> {
    let (id, secret) = (auth::random::<9>(), auth::random::<16>());
    let hash = auth::hash(&enrol::auth_of(&secret, 0));
    store.make_invite(&InviteRow { user: 0, id: &id, secret_hash: &hash, expiry: now + enrol::LIFETIME, wrapped: None }).await?;
    Ok((id, secret))
}
