//! Admits requests.
//!
//! Checks the rate limit and the authentication. Also checks that the path belongs to the caller.

use axum::extract::{FromRequestParts, RawPathParams};
use bytes::Bytes;
use http::{HeaderMap, header, request::Parts};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::{ConnectedPeer, SyncApp, failure::RequestFailure, request::RequestBody};
use crate::{
    auth::{self, AuthenticatedCaller, Unauthorized, hawk},
    protocol::{ProtocolRefusal, is_collection_name, is_id},
};

/// Decoded parts of a path.
#[derive(Debug, Default)]
pub(super) struct EnrolPage {
    pub uid: String,
    pub collection: String,
    pub id: String,
}

impl<S: Send + Sync> FromRequestParts<S> for EnrolPage {
    type Rejection = RequestFailure;

    /// Fails with 404 if a name or an id is not valid.
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RequestFailure> {
        let params = RawPathParams::from_request_parts(parts, state).await.map_err(|_| ProtocolRefusal::NOT_FOUND)?;
        let mut place = Self::default();
        for (name, value) in &params {
            match name {
                "uid" => place.uid = value.to_owned(),
                "collection" if is_collection_name(value) => place.collection = value.to_owned(),
                "id" if is_id(value) => place.id = value.to_owned(),
                _ => return Err(ProtocolRefusal::NOT_FOUND.into()),
            }
        }
        Ok(place)
    }
}

/// Admitted request.
#[derive(Debug)]
pub(super) struct EnrolRequest {
    pub caller: AuthenticatedCaller,
    /// Time in milliseconds, read once for the whole request.
    pub now: i64,
    /// Whether a write of this request may create the user.
    pub makes_user: bool,
}

impl SyncApp {
    /// Admits a request to the storage of `uid`.
    pub(super) async fn enter(&self, parts: &Parts, uid: &str, allows_expired: bool) -> Result<EnrolRequest, RequestFailure> {
        let entered = self.enter_any(parts, allows_expired).await?;
        match auth::read_uid(uid) == Some(entered.caller.uid) {
            true => Ok(entered),
            false => Err(ProtocolRefusal::BAD_REQUEST.into()),
        }
    }

    /// Admits a request to any path.
    pub(super) async fn enter_any(&self, parts: &Parts, allows_expired: bool) -> Result<EnrolRequest, RequestFailure> {
        let now = now(self, parts);
        self.check_rate(parts, now)?;
        let header = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let header = header.ok_or(Unauthorized::Missing)?;
        if let Some((uid, device, secret)) = auth::read_bearer(header) {
            let (hash, seen) = self.store.device(uid, device).await?.ok_or(Unauthorized::Revoked)?;
            if !auth::is_same(&hash, &auth::hash(secret)) {
                return Err(Unauthorized::Revoked.into());
            }
            self.note_device(uid, device, seen, now).await;
            return Ok(EnrolRequest {
                caller: AuthenticatedCaller { uid, device: Some(device.to_owned()) },
                now,
                makes_user: false,
            });
        }
        let hawk = hawk::HawkHeader::read(header).ok_or(Unauthorized::Missing)?;
        let token = self.secret.read(&hawk.id, now)?;
        self.check_signature(parts, &hawk, &token.key)?;
        let skew = hawk.ts - now / 1000;
        if skew.abs() > hawk::SKEW {
            return Err(Unauthorized::Skew(skew).into());
        }
        if token.is_expired && !allows_expired {
            return Err(Unauthorized::Expired.into());
        }
        if let Some(device) = &token.device {
            let (_, seen) = self.store.device(token.uid, device).await?.ok_or(Unauthorized::Revoked)?;
            self.note_device(token.uid, device, seen, now).await;
        } else if !self.settings.allows_new_users && !self.store.is_user(token.uid).await? {
            return Err(Unauthorized::NoUser.into());
        }
        let makes_user = self.settings.allows_new_users && token.device.is_none();
        Ok(EnrolRequest { caller: AuthenticatedCaller { uid: token.uid, device: token.device }, now, makes_user })
    }

    /// Stores, at most once a day, that a device was active.
    ///
    /// Errors are only logged, because a read must succeed even if the database accepts no writes at the moment.
    async fn note_device(&self, uid: i64, device: &str, seen: i64, now: i64) {
        if let Err(error) = self.store.note_device(uid, device, seen, now).await {
            tracing::debug!(%error, "last-seen day of a device could not be recorded");
        }
    }

    fn check_rate(&self, parts: &Parts, now: i64) -> Result<(), RequestFailure> {
        let peer = peer(parts);
        if peer.address.is_loopback() {
            return Ok(());
        }
        // The key contains the address. Without the address, a stranger could claim a device id and use up the rate of
        // that device.
        let key = format!("{} {}", peer.address, claimed(&parts.headers));
        self.requests.take(&key, now).map_err(RequestFailure::TooMany)
    }

    /// Counts an enrolment against a limit of ten per minute for each address.
    ///
    /// Fails with 429 above the limit. The limit also applies to loopback addresses.
    pub(super) fn check_enrolment(&self, parts: &Parts) -> Result<i64, RequestFailure> {
        let now = now(self, parts);
        self.enrolments.take(&peer(parts).address.to_string(), now).map_err(RequestFailure::TooMany)?;
        Ok(now)
    }

    fn check_signature(&self, parts: &Parts, hawk: &hawk::HawkHeader, key: &str) -> Result<(), Unauthorized> {
        let resource = parts.uri.path_and_query().map_or("/", |resource| resource.as_str());
        let (host, port) = host(parts).and_then(hawk::read_host).ok_or(Unauthorized::Missing)?;
        // If a proxy terminates TLS, the client signs the default port of its own scheme, not the port of this server.
        let standard = if peer(parts).is_secure { [443, 80] } else { [80, 443] };
        let ports = port.map_or(standard, |port| [port, port]);
        let signed = |port| hawk::HawkSignature { method: parts.method.as_str(), resource, host, port };
        match ports.iter().any(|port| hawk.is_of(&signed(*port), key)) {
            true => Ok(()),
            false => Err(Unauthorized::Mac { host: host.to_owned(), port: ports[0] }),
        }
    }

    /// Reads a body of at most `most` bytes.
    ///
    /// Fails with status 413 and code 17 if the body is longer, with status 408 if it takes too long, and with status
    /// 400 and code 8 if the connection ends early.
    pub(super) async fn read_body(
        &self,
        headers: &HeaderMap,
        body: axum::body::Body,
        most: usize,
    ) -> Result<Bytes, ProtocolRefusal> {
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > most) {
            return Err(ProtocolRefusal::TOO_LARGE);
        }
        let read = Limited::new(body, most).collect();
        let read = tokio::time::timeout(self.settings.body_time, read).await.map_err(|_| ProtocolRefusal::TOO_SLOW)?;
        let read = read.map_err(|error| match error.is::<LengthLimitError>() {
            true => ProtocolRefusal::TOO_LARGE,
            false => ProtocolRefusal::BAD_BODY,
        })?;
        Ok(read.to_bytes())
    }
}

/// Returns host and port as the client wrote them.
pub(super) fn host(parts: &Parts) -> Option<&str> {
    let named = parts.uri.authority().map(|authority| authority.as_str());
    parts.headers.get(header::HOST).and_then(|host| host.to_str().ok()).or(named)
}

/// Returns the arrival time of the request, in milliseconds.
pub(super) fn now(app: &SyncApp, parts: &Parts) -> i64 {
    parts.extensions.get::<RequestBody>().map_or_else(|| app.clock.now(), |came| came.0)
}

fn peer(parts: &Parts) -> ConnectedPeer {
    parts.extensions.get::<ConnectedPeer>().copied().unwrap_or_default()
}

/// Returns the device or the token that a request names. Neither is verified yet.
fn claimed(headers: &HeaderMap) -> String {
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match (auth::read_bearer(header), hawk::HawkHeader::read(header)) {
        (Some((uid, device, _)), _) => format!("{uid}.{device}"),
        (None, Some(hawk)) => auth::hash(&hawk.id),
        (None, None) => String::new(),
    }
}
