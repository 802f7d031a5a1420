//! Users, their devices, and invites. Secrets are here as hashes only.

use super::{DatabaseTransaction, StoreError, SyncStore, on, retry::transact, statements, write};

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;

/// Tries of one invite.
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
    /// Counts a try in the statement that reads the invite: simultaneous guesses are counted one by one.
    TRY_INVITE = "UPDATE invites SET tries_left = tries_left - 1 WHERE user_id = $1 AND invite_id = $2 AND expiry > $3 \
                  AND tries_left > 0 RETURNING secret_hash, wrapped";
    USE_INVITE = "DELETE FROM invites WHERE user_id = $1 AND invite_id = $2";
    /// Reads all users: for people, never for a request.
    USERS = "SELECT u.user_id, u.modified, u.quota_bytes, u.created, \
             CAST((SELECT COALESCE(SUM(total_bytes), 0) FROM user_collections c WHERE c.user_id = u.user_id) AS BIGINT), \
             CAST((SELECT count(*) FROM devices d WHERE d.user_id = u.user_id) AS BIGINT) FROM users u ORDER BY u.user_id";
    ANY_USER = "SELECT CAST(1 AS BIGINT) FROM users LIMIT 1";
}

/// A user, for people.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UserRow {
    /// Ten random digits, or what a signed token says.
    pub uid: i64,
    /// Milliseconds of the newest write.
    pub modified: i64,
    /// Its own quota in bytes; None: that of the server.
    pub quota: Option<i64>,
    /// Milliseconds.
    pub created: i64,
    /// Payload bytes.
    pub bytes: i64,
    /// Devices that may sign in.
    pub devices: i64,
}

/// A device that may sign in.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DeviceRow {
    /// Id inside its user.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Milliseconds.
    pub created: i64,
    /// Milliseconds, to the day.
    pub last_seen: i64,
}

/// An invite that can be used once.
#[derive(Clone, Debug)]
pub struct InviteRow<'a> {
    /// For this user; 0: makes a new one.
    pub user: i64,
    /// Its id.
    pub id: &'a str,
    /// SHA-256 in hex of what has to be shown.
    pub secret_hash: &'a str,
    /// Milliseconds.
    pub expiry: i64,
    /// Encrypted key that is handed over.
    pub wrapped: Option<&'a str>,
}

/// A new device.
#[derive(Clone, Debug)]
pub struct EnrolledDevice<'a> {
    /// Its id.
    pub id: &'a str,
    /// Name for people.
    pub name: &'a str,
    /// SHA-256 in hex of its token's secret.
    pub secret_hash: &'a str,
}

impl SyncStore {
    /// Whether there is such a user.
    pub async fn is_user(&self, user: i64) -> Result<bool, StoreError> {
        let mut tx = self.snapshot().await?;
        let found: Option<i64> =
            on!(&mut tx, |connection| sqlx::query_scalar(IS_USER).bind(user).fetch_optional(connection).await)?;
        Ok(found.is_some())
    }

    /// Whether there is any user at all.
    pub async fn has_users(&self) -> Result<bool, StoreError> {
        let mut tx = self.snapshot().await?;
        let found: Option<i64> = on!(&mut tx, |connection| sqlx::query_scalar(ANY_USER).fetch_optional(connection).await)?;
        Ok(found.is_some())
    }

    /// All users.
    pub async fn users(&self) -> Result<Vec<UserRow>, StoreError> {
        let mut tx = self.snapshot().await?;
        let rows: Vec<(i64, i64, Option<i64>, i64, i64, i64)> =
            on!(&mut tx, |connection| sqlx::query_as(USERS).fetch_all(connection).await)?;
        let user = |(uid, modified, quota, created, bytes, devices)| UserRow { uid, modified, quota, created, bytes, devices };
        Ok(rows.into_iter().map(user).collect())
    }

    /// Deletes a user with everything. False where there is none.
    pub async fn delete_user(&self, user: i64) -> Result<bool, StoreError> {
        transact!(self, |tx| {
            on!(&mut *tx, |connection| sqlx::query(DELETE_INVITES).bind(user).execute(connection).await.map(|_| ()))?;
            on!(tx, |connection| sqlx::query(DELETE_USER).bind(user).execute(connection).await.map(|done| done.rows_affected()))?
                == 1
        })
    }

    /// Gives a user a quota of its own, or that of the server. False where there is no such user.
    pub async fn set_quota(&self, user: i64, quota: Option<i64>) -> Result<bool, StoreError> {
        transact!(self, |tx| {
            on!(tx, |connection| {
                sqlx::query(SET_QUOTA).bind(user).bind(quota).execute(connection).await.map(|done| done.rows_affected())
            })? == 1
        })
    }

    /// SHA-256 in hex of what the recovery words derive. None: no user, or no words.
    pub async fn auth_hash(&self, user: i64) -> Result<Option<String>, StoreError> {
        let mut tx = self.snapshot().await?;
        let found: Option<Option<String>> =
            on!(&mut tx, |connection| sqlx::query_scalar(AUTH).bind(user).fetch_optional(connection).await)?;
        Ok(found.flatten())
    }

    /// Replaces the hash of what the recovery words derive.
    pub async fn set_auth_hash(&self, user: i64, hash: &str) -> Result<(), StoreError> {
        transact!(self, |tx| {
            on!(tx, |connection| sqlx::query(SET_AUTH).bind(user).bind(hash).execute(connection).await.map(|_| ()))?
        })
    }

    /// Adds a device to a user.
    pub async fn make_device(&self, user: i64, device: &EnrolledDevice<'_>, now: i64) -> Result<(), StoreError> {
        transact!(self, |tx| add_device(tx, user, device, now).await?)
    }

    /// Uses an invite that shows `matches` to be the right one: makes the device, and the user where the invite makes one.
    ///
    /// None: no such invite, too late, too many tries, or the wrong secret, which counts a try. Fails with `Taken` and changes
    /// nothing where a new user was to be made and there is one of that number.
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
                    if invite.0 == 0 && !write::make_user(tx, user, now).await? {
                        return Err(StoreError::Taken);
                    }
                    add_device(tx, user, device, now).await?;
                    Some((user, wrapped))
                }
                // The commit keeps the counted try.
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

    /// SHA-256 in hex of a device's secret, and the day on which the device was seen last. None: no such device.
    pub async fn device(&self, user: i64, device: &str) -> Result<Option<(String, i64)>, StoreError> {
        let mut tx = self.snapshot().await?;
        Ok(on!(&mut tx, |connection| sqlx::query_as(DEVICE).bind(user).bind(device).fetch_optional(connection).await)?)
    }

    /// Notes the day of `now` for a device that has proved its secret, if `seen` is an earlier day.
    pub async fn note_device(&self, user: i64, device: &str, seen: i64, now: i64) -> Result<(), StoreError> {
        let today = now - now.rem_euclid(DAY);
        if seen >= today {
            return Ok(());
        }
        transact!(self, |tx| {
            on!(tx, |connection| sqlx::query(SEEN).bind(user).bind(device).bind(today).execute(connection).await.map(|_| ()))?
        })
    }

    /// Devices of a user.
    pub async fn devices(&self, user: i64) -> Result<Vec<DeviceRow>, StoreError> {
        let mut tx = self.snapshot().await?;
        let rows: Vec<(String, String, i64, i64)> =
            on!(&mut tx, |connection| sqlx::query_as(DEVICES).bind(user).fetch_all(connection).await)?;
        let device = |(id, name, created, last_seen)| DeviceRow { id, name, created, last_seen };
        Ok(rows.into_iter().map(device).collect())
    }

    /// Takes a device's token away. False where there is none.
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
