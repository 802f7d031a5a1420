-- Tables of Sync Storage 1.5, and three tables that only this server has: users, devices, invites.
--
-- SQLite and PostgreSQL share this text. {bytewise} is empty on SQLite, which compares bytes by default, and COLLATE "C" on
-- PostgreSQL, so that both list ids in the same order. Times are milliseconds since 1970 and multiples of 10. An expiry of
-- NULL means never. Keys of user data begin with user_id, so that the tables can be distributed by user.

CREATE TABLE users (
    user_id BIGINT NOT NULL PRIMARY KEY,
    -- Time of the newest write. The time only grows, even when everything is deleted.
    modified BIGINT NOT NULL DEFAULT 0 CHECK (modified >= 0 AND modified % 10 = 0),
    -- NULL: the quota of the server.
    quota_bytes BIGINT CHECK (quota_bytes >= 0),
    -- SHA-256 of the value derived from the recovery words, in hex. NULL: no words yet.
    auth_hash TEXT CHECK (length(auth_hash) = 64),
    created BIGINT NOT NULL
);

CREATE TABLE devices (
    user_id BIGINT NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    device_id TEXT{bytewise} NOT NULL,
    name TEXT NOT NULL,
    -- SHA-256 of the token's secret, in hex.
    secret_hash TEXT NOT NULL CHECK (length(secret_hash) = 64),
    created BIGINT NOT NULL,
    -- Rounded to the day, because an exact time would need a write for each request.
    last_seen BIGINT NOT NULL,
    PRIMARY KEY (user_id, device_id)
);

CREATE TABLE invites (
    -- 0: an invite that creates a new user.
    user_id BIGINT NOT NULL,
    invite_id TEXT{bytewise} NOT NULL,
    secret_hash TEXT NOT NULL CHECK (length(secret_hash) = 64),
    expiry BIGINT NOT NULL,
    -- Root key, encrypted by the inviting device. NULL if the server created the invite.
    wrapped TEXT,
    tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
    PRIMARY KEY (user_id, invite_id)
);
CREATE INDEX invites_expiry_idx ON invites (expiry);

CREATE TABLE collections (
    collection_id INTEGER NOT NULL PRIMARY KEY,
    name VARCHAR(32){bytewise} NOT NULL UNIQUE
);

CREATE TABLE user_collections (
    user_id BIGINT NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL,
    -- 0: the collection does not exist yet; the row is here because a batch is open.
    modified BIGINT NOT NULL CHECK (modified >= 0 AND modified % 10 = 0),
    count BIGINT NOT NULL DEFAULT 0 CHECK (count >= 0),
    total_bytes BIGINT NOT NULL DEFAULT 0 CHECK (total_bytes >= 0),
    PRIMARY KEY (user_id, collection_id)
);

CREATE TABLE bsos (
    user_id BIGINT NOT NULL,
    collection_id INTEGER NOT NULL,
    bso_id TEXT{bytewise} NOT NULL,
    sortindex BIGINT,
    payload TEXT NOT NULL,
    -- Every row has a time above 0. Only the statements of listings contain this condition, so that no look-up by id
    -- uses the partial index of listings.
    modified BIGINT NOT NULL CHECK (modified > 0 AND modified % 10 = 0),
    expiry BIGINT CHECK (expiry > 0),
    payload_bytes BIGINT NOT NULL CHECK (payload_bytes >= 0),
    -- Bytes that the last write replaced, for the counters. Negative: the write created the row, or replaced an expired one.
    replaced_bytes BIGINT NOT NULL,
    PRIMARY KEY (user_id, collection_id, bso_id),
    FOREIGN KEY (user_id, collection_id) REFERENCES user_collections (user_id, collection_id) ON DELETE CASCADE
);
CREATE INDEX bsos_modified_idx ON bsos (user_id, collection_id, modified, bso_id) WHERE modified > 0;
CREATE INDEX bsos_expiry_idx ON bsos (expiry, user_id, collection_id) WHERE expiry IS NOT NULL;
-- Expired objects of one user, oldest first, for the purge and the quota.
CREATE INDEX bsos_user_expiry_idx ON bsos (user_id, expiry, collection_id) WHERE expiry IS NOT NULL;

CREATE TABLE batches (
    user_id BIGINT NOT NULL,
    collection_id INTEGER NOT NULL,
    batch_id TEXT{bytewise} NOT NULL,
    expiry BIGINT NOT NULL,
    records BIGINT NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, collection_id, batch_id),
    FOREIGN KEY (user_id, collection_id) REFERENCES user_collections (user_id, collection_id) ON DELETE CASCADE
);
CREATE INDEX batch_expiry_idx ON batches (expiry);

CREATE TABLE batch_bsos (
    user_id BIGINT NOT NULL,
    collection_id INTEGER NOT NULL,
    batch_id TEXT{bytewise} NOT NULL,
    batch_bso_id TEXT{bytewise} NOT NULL,
    sortindex BIGINT,
    -- NULL: the client did not send it.
    payload TEXT,
    -- Seconds. NULL: the client did not send it. -1: the object never expires.
    ttl BIGINT,
    payload_bytes BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, collection_id, batch_id, batch_bso_id),
    FOREIGN KEY (user_id, collection_id, batch_id) REFERENCES batches (user_id, collection_id, batch_id) ON DELETE CASCADE
);

-- The 13 standard collections have fixed ids. No collection has the id 100, because the document of Sync Storage
-- contradicts itself: custom ids begin at 100, but additions to the standard begin after 100.
INSERT INTO collections (collection_id, name) VALUES
    (1, 'clients'), (2, 'crypto'), (3, 'forms'), (4, 'history'), (5, 'keys'), (6, 'meta'), (7, 'bookmarks'),
    (8, 'prefs'), (9, 'tabs'), (10, 'passwords'), (11, 'addons'), (12, 'addresses'), (13, 'creditcards'),
    (101, 'dl-items'), (102, 'dl-history'), (103, 'dl-feeds'), (104, 'dl-prefs'), (105, 'dl-sends'), (106, 'dl-rules'),
    (107, 'dl-parts');
