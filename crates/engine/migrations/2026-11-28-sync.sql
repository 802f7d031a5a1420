-- Sync: the records that this machine and the sync server agree on, and what changed here since. All tables are empty
-- while sync is off.
--
-- Every changed row carries the number of the change that wrote it. A row is due while that number is higher than the
-- number that was last sent. Records are JSON in the formats of the crate `ashore-sync`; the ledger never reads them.

-- One row while this machine takes part in sync.
CREATE TABLE sync_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  account TEXT NOT NULL,                       -- JSON: address of the server, user, device, certificate pin; no secret
  clock TEXT NOT NULL DEFAULT '',              -- latest hybrid time
  change INTEGER NOT NULL DEFAULT 0            -- number of the latest change
) STRICT;

-- A registration that is synced. The sync id is stored before the registration is sent for the first time.
CREATE TABLE sync_mark (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  sync_id TEXT UNIQUE,
  change INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  title_us INTEGER NOT NULL DEFAULT 0,         -- when the title was last changed on this machine
  requested_us INTEGER NOT NULL DEFAULT 0      -- when it was last paused or resumed on this machine
) STRICT;
CREATE INDEX sync_mark_due ON sync_mark (change) WHERE change > sent;

-- Every record of every collection. Of a registration on this machine, `local` is null: the registration is the local version.
CREATE TABLE sync_record (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  base TEXT,                                   -- version that this machine and the server agreed on; null before the first time
  modified INTEGER NOT NULL DEFAULT 0,         -- milliseconds, the server's time of `base`
  local TEXT,                                  -- version of this machine; null if it equals `base`
  change INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  gone INTEGER NOT NULL DEFAULT 0,             -- 1: the registration was removed on this machine
  held TEXT,                                   -- sealed version of the server that this machine cannot apply
  held_code TEXT,                              -- why: newer, or the code of the fault
  url_key INTEGER,                             -- of the download history: as request.url_key
  PRIMARY KEY (collection, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_record_due ON sync_record (collection, change) WHERE change > sent;
CREATE INDEX sync_record_held ON sync_record (collection, id) WHERE held_code IS NOT NULL;
CREATE INDEX sync_record_url ON sync_record (url_key) WHERE url_key IS NOT NULL;

-- How far each collection has been read.
CREATE TABLE sync_cursor (
  collection TEXT PRIMARY KEY,
  modified INTEGER NOT NULL,                   -- milliseconds; everything up to this time of the server was received
  page_modified INTEGER,                       -- milliseconds; time of the collection during an interrupted read
  page_offset TEXT                             -- where an interrupted read continues
) STRICT, WITHOUT ROWID;

-- Values that lost against another machine's, for the user to take after all.
CREATE TABLE sync_conflict (
  conflict_id INTEGER PRIMARY KEY,
  found_us INTEGER NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  edit TEXT NOT NULL,                          -- field and time stamp of the edit that lost, so that it is found once
  conflict TEXT NOT NULL,                      -- JSON: field, both values, device
  UNIQUE (collection, id, edit)
) STRICT;
CREATE INDEX sync_conflict_found ON sync_conflict (found_us);

-- Sends and hand-overs that became registrations, so that none does so twice.
CREATE TABLE sync_applied (
  command TEXT PRIMARY KEY,
  unique_id BLOB,                              -- null if it was refused
  applied_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
