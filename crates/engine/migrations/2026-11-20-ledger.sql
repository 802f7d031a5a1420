-- The ledger, first version. Never edited once released; a change is a new file.
--
-- Two ideas carry it. One row, one state: every write names the state it expects, and zero rows touched means that
-- somebody else decided. Two levels for "next": a partial index over runnable registrations, then one over the lanes
-- (the requests of one registration to one host), so that pausing, aborting or settling takes any number of requests out
-- of the queue by writing one row, and nothing ever reads a request it does not need.
--
-- Times are microseconds of Unix time. Flags are 0 or 1. Paths are text; what is not Unicode is refused before it gets here.

CREATE TABLE owner (
  owner_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Narrow on purpose: each operation on a request rewrites this row.
CREATE TABLE registration (
  reg_id INTEGER PRIMARY KEY,
  unique_id BLOB NOT NULL UNIQUE CHECK (length(unique_id) = 16),
  owner_id INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
  created_us INTEGER NOT NULL,
  settled_us INTEGER,
  active INTEGER NOT NULL DEFAULT 1,           -- 0 once settled or aborted; a row of active_name exists exactly while it is 1
  paused INTEGER NOT NULL DEFAULT 0,           -- a wish: people write it, the queue reads it
  doomed INTEGER NOT NULL DEFAULT 0,           -- out of every list, waiting for its deletion
  doomed_files INTEGER NOT NULL DEFAULT 0,     -- what it placed is to go as well
  priority INTEGER NOT NULL DEFAULT 0,
  lane_rank INTEGER NOT NULL,                  -- order among equals: "to the top" writes min - 1, a new one max + 1
  n_requests INTEGER NOT NULL,
  n_pending INTEGER NOT NULL CHECK (n_pending >= 0),
  n_active INTEGER NOT NULL DEFAULT 0 CHECK (n_active >= 0),
  n_waiting INTEGER NOT NULL DEFAULT 0 CHECK (n_waiting >= 0),
  n_succeeded INTEGER NOT NULL DEFAULT 0 CHECK (n_succeeded >= 0),
  n_failed INTEGER NOT NULL DEFAULT 0 CHECK (n_failed >= 0),
  n_aborted INTEGER NOT NULL DEFAULT 0 CHECK (n_aborted >= 0),
  n_unsized INTEGER NOT NULL CHECK (n_unsized >= 0),                    -- requests whose size is not known
  n_partial INTEGER NOT NULL DEFAULT 0 CHECK (n_partial >= 0),          -- incomplete requests with bytes on disk
  expected INTEGER NOT NULL DEFAULT 0,         -- the sum of the sizes that are known
  downloaded INTEGER NOT NULL DEFAULT 0,       -- the sum of what is kept
  completed_bytes INTEGER NOT NULL DEFAULT 0,  -- the same of succeeded requests alone
  uploaded INTEGER NOT NULL DEFAULT 0,
  download_total INTEGER NOT NULL DEFAULT 0,
  upload_total INTEGER NOT NULL DEFAULT 0,
  result INTEGER NOT NULL DEFAULT 0,           -- 0 none, 1 success, 2 failure
  failure INTEGER NOT NULL DEFAULT 0,          -- 0 none, 1 aborted, 2 bad-status, 3 fetch-error, 4 quota, 5 total exceeded
  trouble_code TEXT NOT NULL DEFAULT '',
  trouble_text TEXT NOT NULL DEFAULT '',
  event INTEGER NOT NULL DEFAULT 0,            -- the outbox: 0 none, 1 owed, 2 delivered
  CHECK (n_pending + n_active + n_waiting + n_succeeded + n_failed + n_aborted = n_requests)
) STRICT;
CREATE INDEX reg_runnable ON registration (priority DESC, lane_rank, reg_id) WHERE active = 1 AND paused = 0 AND n_pending > 0;
CREATE INDEX reg_rank     ON registration (lane_rank) WHERE active = 1;
CREATE INDEX reg_active   ON registration (reg_id) WHERE active = 1;
CREATE INDEX reg_settled  ON registration (reg_id) WHERE active = 0 AND doomed = 0;
CREATE INDEX reg_ended    ON registration (settled_us) WHERE active = 0;
CREATE INDEX reg_running  ON registration (reg_id) WHERE active = 1 AND n_active > 0;
CREATE INDEX reg_idle     ON registration (reg_id) WHERE active = 1 AND paused = 0 AND n_active = 0;
CREATE INDEX reg_finished ON registration (reg_id) WHERE active = 1 AND n_pending + n_active + n_waiting = 0;
CREATE INDEX reg_owed     ON registration (settled_us, reg_id) WHERE event = 1;
CREATE INDEX reg_doomed   ON registration (reg_id) WHERE doomed = 1;
CREATE INDEX reg_kept     ON registration (reg_id) WHERE active = 0 AND n_partial > 0;
CREATE INDEX reg_owner    ON registration (owner_id) WHERE doomed = 0;

-- The owner's name for it belongs to a registration only while it is active.
CREATE TABLE active_name (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  owner_id INTEGER NOT NULL,
  developer_id TEXT NOT NULL,
  UNIQUE (owner_id, developer_id)
) STRICT;

-- What the creator gave and nothing changes.
CREATE TABLE given (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  developer_id TEXT NOT NULL,
  folder TEXT NOT NULL
) STRICT;

-- What people see; changed without rewriting anything else.
CREATE TABLE face (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  title TEXT NOT NULL DEFAULT '',
  icon TEXT
) STRICT;

-- Ids are never used twice: the scheduler holds on to them.
CREATE TABLE host (
  host_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE                    -- host:port, whatever the scheme
) STRICT;

-- A registration's requests to one host. first_idx means something only while n_pending > 0.
CREATE TABLE lane (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  host_id INTEGER NOT NULL REFERENCES host,
  first_idx INTEGER NOT NULL,
  n_pending INTEGER NOT NULL CHECK (n_pending >= 0),
  PRIMARY KEY (reg_id, host_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_ready ON lane (reg_id, first_idx) WHERE n_pending > 0;
CREATE INDEX lane_host  ON lane (host_id);

-- Immutable and wide; never rewritten by a change of state.
CREATE TABLE request (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  url_key INTEGER NOT NULL,                    -- FNV-1a (64 bits) of the URL without query and fragment
  headers TEXT NOT NULL DEFAULT '[]',          -- JSON, pairs of name and value
  body_path TEXT,
  body_size INTEGER NOT NULL DEFAULT 0,
  name TEXT,
  digest TEXT,
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_key ON request (reg_id, url_key);

CREATE TABLE req_state (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  host_id INTEGER NOT NULL,
  optional INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL DEFAULT 0,            -- 0 pending 1 active 2 active with head 3 completed 4 waiting 5 aborted 6 dead
  guid BLOB,                                   -- minted when first handed out, kept for life: its partial carries it
  attempt INTEGER NOT NULL DEFAULT 0,          -- failed tries without progress, what the backoff counts
  tries INTEGER NOT NULL DEFAULT 0,            -- tries that ended, ever
  not_before_us INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,             -- durable body bytes
  sent INTEGER NOT NULL DEFAULT 0,
  size INTEGER,                                -- body bytes there will be; for a dead one, those there are
  PRIMARY KEY (reg_id, idx),
  CHECK (state BETWEEN 0 AND 6),
  CHECK (state NOT IN (1, 2, 3) OR guid IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX rs_pending     ON req_state (reg_id, host_id, idx) WHERE state = 0;
CREATE INDEX rs_active      ON req_state (reg_id, guid) WHERE state IN (1, 2);
CREATE INDEX rs_stopped     ON req_state (reg_id, host_id, idx) WHERE state >= 4;
CREATE INDEX rs_waiting     ON req_state (not_before_us, reg_id, idx) WHERE state = 4;
CREATE INDEX rs_due         ON req_state (reg_id, not_before_us, idx) WHERE state = 4;
CREATE UNIQUE INDEX rs_guid ON req_state (guid) WHERE guid IS NOT NULL;

CREATE TABLE response_head (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  status INTEGER NOT NULL,
  status_text TEXT NOT NULL,
  headers TEXT NOT NULL,                       -- JSON, pairs of name and value
  url_chain TEXT NOT NULL,                     -- JSON
  total_size INTEGER,
  name TEXT NOT NULL,
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;

-- A completed request. How a dead one ended is its last attempt.
CREATE TABLE response_done (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  path TEXT,
  size INTEGER NOT NULL,
  digest TEXT,
  verified INTEGER NOT NULL,                   -- 0 no, 1 on resume, 2 by digest
  finished_us INTEGER NOT NULL,
  device INTEGER, inode INTEGER, file_size INTEGER, modified_ns INTEGER,   -- what the file was when it was placed
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;

-- Why it took three tries: tries that failed, the latest twenty of a request.
CREATE TABLE attempt (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  number INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  reason INTEGER NOT NULL DEFAULT 0,           -- as registration.failure; 0 where it was tried again
  code TEXT NOT NULL,
  text TEXT NOT NULL,
  status INTEGER,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (reg_id, idx, number)
) STRICT, WITHOUT ROWID;

-- Files to unlink after the commit that wrote them here; then the row goes.
CREATE TABLE file_gc (
  path TEXT PRIMARY KEY,
  device INTEGER, inode INTEGER, file_size INTEGER, modified_ns INTEGER    -- null for files of our own data folder
) STRICT, WITHOUT ROWID;

CREATE TABLE wish (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  paused INTEGER NOT NULL DEFAULT 0            -- everything waits for "go on"
) STRICT;
INSERT INTO wish (one) VALUES (1);

CREATE TABLE executor (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  holder TEXT NOT NULL,
  started_us INTEGER NOT NULL,
  heartbeat_us INTEGER NOT NULL
) STRICT;
