//! Stores users, their devices, and invites. Secrets are stored as hashes only.

use super::{
    StoreError, SyncStore,
    retry::transact,
    statement::statements,
    transaction::{DatabaseTransaction, on},
    user_lock::make_user,
};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Maximum number of tries for one invite.
const TRIES: i32 = 5;

statements! {
    IS_USER = "SELECT CAST(1 AS BIGINT) FROM users WHERE user_id = $1";
    AUTH = "SELECT auth_hash FROM users WHERE user_id = $1";
    SET_AUTH = "UPDATE users SET auth_hash = $2 WHERE user_id = $1";
    SET_QUOTA = "UPDATE users SET quota_bytes = $2 WHERE user_id = $1";
    DELETE_USER = "DELETE FROM users WHERE user_id = $1";
    DELETE_INVITES = "DELETE FROM invites WHERE user_id = $1";
    NEW_DEVICE = "INSERT INTO devices (user_id, device_id, name, secret_hash, created, last_seen) VALUES ($1, $2, $3, $4, $5, $5)";
    DEVICE = "SELECT secret_hash, last_seen FROM devices WHERE user_id = $1 AND device_id = $2";
    SEEN = "UPDATE devices SET last_seen = $3 WHERE user_id = $1 AND device_id = $2 AND last_seen < $3";
    DEVICES = "SELECT device_id, name, created, last_seen FROM devices WHERE user_id = $1 ORDER BY device_id";
    DELETE_DEVICE = "DELETE FROM devices WHERE user_id = $1 AND device_id = $2";
    NEW_INVITE = "INSERT INTO invites (user_id, invite_id, secret_hash, expiry, wrapped, tries_left) VALUES ($1, $2, $3, $4, $5, $6)";
    /// Counts a try in the same statement that reads the invite.
    ///
    /// Simultaneous guesses are therefore counted individually.
    TRY_INVITE = "UPDATE invites SET tries_left = tries_left - 1 WHERE user_id = $1 AND invite_id = $2 AND expiry > $3 \
                  AND tries_left > 0 RETURNING secret_hash, wrapped";
    USE_INVITE = "DELETE FROM invites WHERE user_id = $1 AND invite_id = $2";
    /// Reads all users for display. No client request runs this statement.
    USERS = "SELECT u.user_id, u.modified, u.quota_bytes, u.created, \
             CAST((SELECT COALESCE(SUM(total_bytes), 0) FROM user_collections c WHERE c.user_id = u.user_id) AS BIGINT), \
             CAST((SELECT count(*) FROM devices d WHERE d.user_id = u.user_id) AS BIGINT) FROM users u ORDER BY u.user_id";
    ANY_USER = "SELECT CAST(1 AS BIGINT) FROM users LIMIT 1";
}

/// User, for display.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UserRow {
    /// Ten random digits, or the uid of a signed token.
    pub uid: i64,
    /// Time of the newest write in milliseconds.
    pub modified: i64,
    /// Quota of this user in bytes; `None` for the quota of the server.
    pub quota: Option<i64>,
    /// Time of creation in milliseconds.
    pub created: i64,
    /// Number of payload bytes.
    pub bytes: i64,
    /// Number of devices.
    pub devices: i64,
}

/// Device that may sign in.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DeviceRow {
    /// Number that is unique among the downloads of one user.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Time of creation in milliseconds.
    pub created: i64,
    /// Start of the day on which the device was last seen, in milliseconds.
    pub last_seen: i64,
}

/// Invite that can be used once.
#[derive(Clone, Debug)]
pub struct InviteRow<'a> {
    /// User of the invite; 0 for an invite that creates a user.
    pub user: i64,
    /// Id of the invite.
    pub id: &'a str,
    /// SHA-256 in hex of the proof that a client must present.
    pub secret_hash: &'a str,
    /// Expiry in milliseconds.
    pub expiry: i64,
    /// Encrypted key for the new device.
    pub wrapped: Option<&'a str>,
}

/// New device.
#[derive(Clone, Debug)]
pub struct EnrolledDevice<'a> {
    /// Id of the device.
    pub id: &'a str,
    /// Display name.
    pub name: &'a str,
    /// SHA-256 in hex of the secret in the device's token.
    pub secret_hash: &'a str,
}

impl SyncStore {
    /// Whether the user exists.
    pub async fn is_user(&self, user: i64) -> Result<bool, StoreError> {
        let mut tx = self.snapshot().await?;
        let found: Option<i64> =
            on!(&mut tx, |connection| sqlx::query_scalar(IS_USER).bind(user).fetch_optional(connection).await)?;
        Ok(found.is_some())
    }

    /// Whether any user exists.
    pub async fn has_users(&self) -> Result<bool, StoreError> {
        let mut tx = self.snapshot().await?;
        let found: Option<i64> = on!(&mut tx, |connection| sqlx::query_scalar(ANY_USER).fetch_optional(connection).await)?;
        Ok(found.is_some())
    }

    /// Returns all users.
    pub async fn users(&self) -> Result<Vec<UserRow>, StoreError> {
        let mut tx = self.snapshot().await?;
        let rows: Vec<(i64, i64, Option<i64>, i64, i64, i64)> =
            on!(&mut tx, |connection| sqlx::query_as(USERS).fetch_all(connection).await)?;
        let user = |(uid, modified, quota, created, bytes, devices)| UserRow { uid, modified, quota, created, bytes, devices };
        Ok(rows.into_iter().map(user).collect())
    }

    /// Deletes a user with all data; returns whether the user existed.
    pub async fn delete_user(&self, user: i64) -> Result<bool, StoreError> {
        transact!(self, |tx| {
            on!(&mut *tx, |connection| sqlx::query(DELETE_INVITES).bind(user).execute(connection).await.map(|_| ()))?;
            on!(tx, |connection| sqlx::query(DELETE_USER).bind(user).execute(connection).await.map(|done| done.rows_affected()))?
                == 1
        })
    }

    /// Sets the quota of a user; `None` for the quota of the server.
    ///
    /// Returns whether the user exists.
    pub async fn set_quota(&self, user: i64, quota: Option<i64>) -> Result<bool, StoreError> {
        transact!(self, |tx| {
            on!(tx, |connection| {
                sqlx::query(SET_QUOTA).bind(user).bind(quota).execute(connection).await.map(|done| done.rows_affected())
            })? == 1
        })
    }

    /// Returns the SHA-256 in hex of the proof that is derived from the recovery words.
    ///
    /// `None` if the user or its recovery words do not exist.
    pub async fn auth_hash(&self, user: i64) -> Result<Option<String>, StoreError> {
        let mut tx = self.snapshot().await?;
        let found: Option<Option<String>> =
            on!(&mut tx, |connection| sqlx::query_scalar(AUTH).bind(user).fetch_optional(connection).await)?;
        Ok(found.flatten())
    }

    /// Replaces the hash of the proof that is derived from the recovery words.
    pub async fn set_auth_hash(&self, user: i64, hash: &str) -> Result<(), StoreError> {
        transact!(self, |tx| {
            on!(tx, |connection| sqlx::query(SET_AUTH).bind(user).bind(hash).execute(connection).await.map(|_| ()))?
        })
    }

    /// Adds a device to a user.
    pub async fn make_device(&self, user: i64, device: &EnrolledDevice<'_>, now: i64) -> Result<(), StoreError> {
        transact!(self, |tx| add_device(tx, user, device, now).await?)
    }

    /// Uses an invite to create a device, and also its user if the invite creates a user.
    ///
    /// `matches` compares the hash of the secret. Returns `None` if the invite does not exist, has expired, or has no
    /// tries left. A wrong secret also returns `None` and uses up a try. Fails with `Taken`, without any change, if the
    /// id of the new user is already in use.
    pub async fn use_invite(
        &self,
        invite: (i64, &str),
        matches: impl Fn(&str) -> bool + Send + Sync,
        new_user: i64,
        device: &EnrolledDevice<'_>,
        now: i64,
    ) -> Result<Option<(i64, Option<String>)>, StoreError> {
        transact!(self, |tx| {
            let found: Option<(String, Option<String>)> = on!(&mut *tx, |connection| {
                sqlx::query_as(TRY_INVITE).bind(invite.0).bind(invite.1).bind(now).fetch_optional(connection).await
            })?;
            match found {
                Some((hash, wrapped)) if matches(&hash) => {
                    let user = if invite.0 == 0 { new_user } else { invite.0 };
                    on!(&mut *tx, |connection| {
                        sqlx::query(USE_INVITE).bind(invite.0).bind(invite.1).execute(connection).await.map(|_| ())
                    })?;
                    if invite.0 == 0 && !make_user(tx, user, now).await? {
                        return Err(StoreError::Taken);
                    }
                    add_device(tx, user, device, now).await?;
                    Some((user, wrapped))
                }
                // A wrong secret also commits the transaction, so that the try stays counted.
                _ => None,
            }
        })
    }

    /// Stores an invite.
    pub async fn make_invite(&self, invite: &InviteRow<'_>) -> Result<(), StoreError> {
        transact!(self, |tx| {
            on!(tx, |connection| {
                let query =
                    sqlx::query(NEW_INVITE).bind(invite.user).bind(invite.id).bind(invite.secret_hash).bind(invite.expiry);
                query.bind(invite.wrapped).bind(TRIES).execute(connection).await.map(|_| ())
            })?
        })
    }

    /// Returns the hash of a device's secret, and the day on which the device was last seen.
    ///
    /// The hash is SHA-256 in hex. Returns `None` if the device does not exist.
    pub async fn device(&self, user: i64, device: &str) -> Result<Option<(String, i64)>, StoreError> {
        let mut tx = self.snapshot().await?;
        Ok(on!(&mut tx, |connection| sqlx::query_as(DEVICE).bind(user).bind(device).fetch_optional(connection).await)?)
    }

    /// Records the day of `now` for a device, if `seen` is an earlier day.
    ///
    /// The caller must have verified the secret of the device.
    pub async fn note_device(&self, user: i64, device: &str, seen: i64, now: i64) -> Result<(), StoreError> {
        let today = now - now.rem_euclid(DAY);
        if seen >= today {
            return Ok(());
        }
        transact!(self, |tx| {
            on!(tx, |connection| sqlx::query(SEEN).bind(user).bind(device).bind(today).execute(connection).await.map(|_| ()))?
        })
    }

    /// Returns the devices of a user.
    pub async fn devices(&self, user: i64) -> Result<Vec<DeviceRow>, StoreError> {
        let mut tx = self.snapshot().await?;
        let rows: Vec<(String, String, i64, i64)> =
            on!(&mut tx, |connection| sqlx::query_as(DEVICES).bind(user).fetch_all(connection).await)?;
        let device = |(id, name, created, last_seen)| DeviceRow { id, name, created, last_seen };
        Ok(rows.into_iter().map(device).collect())
    }

    /// Deletes a device and revokes its token; returns whether the device existed.
    pub async fn delete_device(&self, user: i64, device: &str) -> Result<bool, StoreError> {
        transact!(self, |tx| {
            on!(tx, |connection| {
                sqlx::query(DELETE_DEVICE).bind(user).bind(device).execute(connection).await.map(|done| done.rows_affected())
            })? == 1
        })
    }
}

async fn add_device(tx: &mut DatabaseTransaction, user: i64, device: &EnrolledDevice<'_>, now: i64) -> Result<(), sqlx::Error> {
    on!(tx, |connection| {
        let query = sqlx::query(NEW_DEVICE).bind(user).bind(device.id).bind(device.name).bind(device.secret_hash).bind(now);
        query.execute(connection).await.map(|_| ())
    })
}
