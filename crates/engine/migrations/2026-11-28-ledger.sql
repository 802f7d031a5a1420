-- The schema of the ledger's first released version. Never edited once released; a change is a new file.
--
-- One row has one state. Every write names the state that it expects; zero changed rows mean that another writer decided
-- first. The next request is found in two steps: a partial index over runnable registrations, then one over the lanes (the
-- requests of one registration to one host). Pausing, aborting or settling a registration therefore writes one row, and
-- takes any number of its requests out of the queue.
--
-- Times are microseconds of Unix time. Flags are 0 or 1. Paths are text; a path that is not UTF-8 is stored as a file URL.

CREATE TABLE owner (
  owner_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  has_client INTEGER NOT NULL DEFAULT 0,       -- a client has registered for end events
  doomed INTEGER NOT NULL DEFAULT 0            -- the row is deleted with the owner's last registration
) STRICT;

-- Narrow on purpose, because each operation on a request rewrites this row.
CREATE TABLE registration (
  reg_id INTEGER PRIMARY KEY,
  unique_id BLOB NOT NULL UNIQUE CHECK (length(unique_id) = 16),
  owner_id INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
  created_us INTEGER NOT NULL,
  settled_us INTEGER,
  active INTEGER NOT NULL DEFAULT 1,           -- 0 once settled or aborted; a row of active_name exists exactly while it is 1
  paused INTEGER NOT NULL DEFAULT 0,           -- 1: paused by the user; the queue only reads it
  doomed INTEGER NOT NULL DEFAULT 0,           -- not listed any more, waiting for its deletion
  doomed_files INTEGER NOT NULL DEFAULT 0,     -- its published files are removed as well
  priority INTEGER NOT NULL DEFAULT 0,
  lane_rank INTEGER NOT NULL,                  -- order within a priority; gaps between ranks leave room for insertions
  n_requests INTEGER NOT NULL,
  n_pending INTEGER NOT NULL CHECK (n_pending >= 0),
  n_active INTEGER NOT NULL DEFAULT 0 CHECK (n_active >= 0),
  n_waiting INTEGER NOT NULL DEFAULT 0 CHECK (n_waiting >= 0),
  n_succeeded INTEGER NOT NULL DEFAULT 0 CHECK (n_succeeded >= 0),
  n_failed INTEGER NOT NULL DEFAULT 0 CHECK (n_failed >= 0),
  n_aborted INTEGER NOT NULL DEFAULT 0 CHECK (n_aborted >= 0),
  n_unsized INTEGER NOT NULL CHECK (n_unsized >= 0),            -- requests of unknown size
  n_partial INTEGER NOT NULL DEFAULT 0 CHECK (n_partial >= 0),  -- incomplete requests with bytes on disk
  expected INTEGER NOT NULL DEFAULT 0,         -- bytes, sum of the known sizes
  downloaded INTEGER NOT NULL DEFAULT 0,       -- bytes, sum of the durable bytes
  completed_bytes INTEGER NOT NULL DEFAULT 0,  -- bytes, sum of the durable bytes of succeeded requests
  uploaded INTEGER NOT NULL DEFAULT 0,         -- bytes
  download_total INTEGER NOT NULL DEFAULT 0,   -- bytes
  upload_total INTEGER NOT NULL DEFAULT 0,     -- bytes
  result INTEGER NOT NULL DEFAULT 0,           -- 0 none, 1 success, 2 failure
  failure INTEGER NOT NULL DEFAULT 0,          -- 0 none, 1 aborted, 2 bad-status, 3 fetch-error, 4 quota, 5 total exceeded
  trouble_code TEXT NOT NULL DEFAULT '',
  trouble_detail TEXT NOT NULL DEFAULT '',     -- JSON, variant and arguments of the message, or a text of an older version
  event INTEGER NOT NULL DEFAULT 0,            -- notification of the user: 0 none, 1 pending, 2 delivered
  parallel INTEGER NOT NULL DEFAULT 0,         -- maximum number of active requests; 0: only the settings limit it
  keep_for_us INTEGER,                         -- retention that its creator requested; null: wish.forget_after_us
  takes_files INTEGER NOT NULL DEFAULT 0,      -- 1: its files go to the trash when it leaves the list
  expires_us INTEGER,                          -- null while it is active
  delivers INTEGER NOT NULL DEFAULT 0,         -- end event: 0 for no client, 1 for clients that register, 2 always
  delivery INTEGER NOT NULL DEFAULT 0,         -- end event: 0 none, 1 pending, 2 acknowledged, 3 pending without keeping the row
  ends INTEGER NOT NULL DEFAULT 0,             -- number of times it has settled; an acknowledgement applies only to the end that it names
  CHECK (n_pending + n_active + n_waiting + n_succeeded + n_failed + n_aborted = n_requests)
) STRICT;
-- Owners take turns, and an owner with many waiting registrations does not delay the others.
CREATE INDEX reg_runnable ON registration (priority, owner_id, lane_rank, reg_id)
  WHERE active = 1 AND paused = 0 AND n_pending > 0 AND (parallel = 0 OR n_active < parallel);
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
CREATE INDEX reg_delivery ON registration (owner_id, settled_us, reg_id) WHERE delivery IN (1, 3);
CREATE INDEX reg_expires ON registration (expires_us)
  WHERE active = 0 AND doomed = 0 AND event <> 1 AND delivery <> 1 AND expires_us IS NOT NULL;
-- Contains every registration, so that an owner's row can be deleted without reading those of other owners.
CREATE INDEX reg_owner ON registration (owner_id);

-- The owner's name for a registration, taken only while the registration is active.
CREATE TABLE active_name (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  owner_id INTEGER NOT NULL,
  developer_id TEXT NOT NULL,
  content BLOB,                                -- as given.content
  UNIQUE (owner_id, developer_id)
) STRICT;
CREATE INDEX name_content ON active_name (owner_id, content) WHERE content IS NOT NULL;

-- Values from the creator that never change.
CREATE TABLE given (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  developer_id TEXT NOT NULL,
  folder TEXT NOT NULL,
  content BLOB,                                -- 16 bytes, hash of requests and folder; null: repeats are not recognised (developer_id, unreadable body)
  source INTEGER NOT NULL DEFAULT 5,           -- 0 window 1 command line 2 feed 3 clipboard 4 other device 5 program
  day INTEGER NOT NULL DEFAULT 0,              -- day it was added on, in days since 1970-01-01, in local time of that day
  category INTEGER NOT NULL DEFAULT 6          -- as in req_state, of most of its files by their names
) STRICT;

-- Values that users see; changed without rewriting any other row.
CREATE TABLE face (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  title TEXT NOT NULL DEFAULT '',
  asked_again_us INTEGER,
  description TEXT NOT NULL DEFAULT '',
  icons TEXT NOT NULL DEFAULT '[]'             -- JSON: src, sizes, type, label of each, in their order
) STRICT;

-- Ids are never used twice, because the scheduler keeps them.
CREATE TABLE host (
  host_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE                    -- host:port, regardless of the scheme
) STRICT;

-- A registration's requests to one host. first_idx is valid only while n_pending > 0.
CREATE TABLE lane (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  host_id INTEGER NOT NULL REFERENCES host,
  first_idx INTEGER NOT NULL,
  n_pending INTEGER NOT NULL CHECK (n_pending >= 0),
  PRIMARY KEY (reg_id, host_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_ready ON lane (reg_id, first_idx) WHERE n_pending > 0;
CREATE INDEX lane_host  ON lane (host_id);

-- Immutable and wide; a change of state never rewrites it.
CREATE TABLE request (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  url_key INTEGER NOT NULL,                    -- FNV-1a (64 bits) of the URL without query and fragment
  headers TEXT NOT NULL DEFAULT '[]',          -- JSON, pairs of name and value
  body_path TEXT,
  body_size INTEGER NOT NULL DEFAULT 0,        -- bytes
  name TEXT,
  digest TEXT,
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;
-- Finds a link in all registrations, or in a single registration.
CREATE INDEX request_key ON request (url_key, reg_id);

CREATE TABLE req_state (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  host_id INTEGER NOT NULL,
  optional INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL DEFAULT 0,            -- 0 pending 1 active 2 completed 3 waiting 4 aborted 5 dead
  guid BLOB,                                   -- made when the request first becomes active, kept for ever: its partial carries it
  attempt INTEGER NOT NULL DEFAULT 0,          -- failed tries without progress, the input of the backoff
  tries INTEGER NOT NULL DEFAULT 0,            -- ended tries, in all
  not_before_us INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,             -- durable bytes of the body
  sent INTEGER NOT NULL DEFAULT 0,             -- bytes
  size INTEGER,                                -- expected bytes of the body; for a dead request, the bytes on disk
  category INTEGER NOT NULL DEFAULT 6,         -- 0 video 1 music 2 picture 3 document 4 archive 5 program 6 other
  PRIMARY KEY (reg_id, idx),
  CHECK (state BETWEEN 0 AND 5),
  CHECK (state NOT IN (1, 2) OR guid IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX rs_pending     ON req_state (reg_id, host_id, idx) WHERE state = 0;
CREATE INDEX rs_active      ON req_state (reg_id, idx) WHERE state = 1;
CREATE INDEX rs_stopped     ON req_state (reg_id, host_id, idx) WHERE state >= 3;
CREATE INDEX rs_waiting     ON req_state (not_before_us, reg_id, idx) WHERE state = 3;
CREATE INDEX rs_due         ON req_state (reg_id, not_before_us, idx) WHERE state = 3;
-- Contains only requests that may still have a partial. GUIDs are random: with all of them in the index, each new one would be
-- written to a page of its own.
CREATE UNIQUE INDEX rs_guid ON req_state (guid) WHERE guid IS NOT NULL AND state <> 2;
-- Finds pending optional requests of a host in cooldown: they are skipped instead of keeping their registration active.
CREATE INDEX rs_optional ON req_state(host_id, reg_id, idx) WHERE state = 0 AND optional = 1;

-- Expectations of the creator beyond one checksum. A request with nothing but an address has no row here.
CREATE TABLE expectation (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  size INTEGER,                                -- bytes
  digests TEXT NOT NULL DEFAULT '[]',          -- JSON, texts like sha-256=HEX, beside request.digest
  mirrors TEXT NOT NULL DEFAULT '[]',          -- JSON, further addresses, the best first
  piece_algorithm TEXT NOT NULL DEFAULT '',    -- '' without pieces
  piece_length INTEGER NOT NULL DEFAULT 0,     -- bytes; the last piece may be shorter
  pieces TEXT NOT NULL DEFAULT '',             -- the digests in hexadecimal digits, one after the other
  skip_existing INTEGER NOT NULL DEFAULT 0,    -- 1: a correct file in the folder is not downloaded again
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;

-- Checksum files (by_idx) and the files of the same registration (idx) that they may name. Either file may
-- complete first: each writes its digest here, and the later file is compared.
CREATE TABLE voucher (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  by_idx INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  algorithm TEXT NOT NULL,                     -- the same for all checksum files of one file
  said TEXT NOT NULL DEFAULT '',               -- sha-256=HEX, once the checksum file is complete and names the file
  found TEXT NOT NULL DEFAULT '',              -- sha-256=HEX, once the file is complete
  PRIMARY KEY (reg_id, by_idx, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX voucher_of ON voucher (reg_id, idx);

-- The request that follows a request. The transaction that creates the follower deletes the row, so it is created once.
CREATE TABLE follow_on (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  next TEXT NOT NULL,                          -- JSON, as the creator gave it
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;

-- The head of a response whose body is on its way or complete. An active request has a head exactly if it has a row here.
CREATE TABLE response_head (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  status INTEGER NOT NULL,
  status_text TEXT NOT NULL,
  headers TEXT NOT NULL,                       -- JSON, pairs of name and value
  url_chain TEXT NOT NULL,                     -- JSON
  total_size INTEGER,                          -- bytes
  name TEXT NOT NULL,
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;

-- A completed request. The end of a dead request is in its last row of `attempt`.
CREATE TABLE response_done (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  path TEXT,
  size INTEGER NOT NULL,                       -- bytes
  digest TEXT,
  verified INTEGER NOT NULL,                   -- 0 no, 1 on resume, 2 by digest, 3 no, and the server stated no size
  finished_us INTEGER NOT NULL,
  device INTEGER, inode INTEGER, file_size INTEGER, modified_ns INTEGER,   -- identity of the published file
  started_us INTEGER,                          -- of the last try
  brought INTEGER,                             -- durable bytes that the last try added
  missing INTEGER NOT NULL DEFAULT 0,          -- sum of the guarantees that the file system lacks: 1 permissions, 2 sync,
                                               -- 4 sync of the folder, 8 exclusive name, 16 complete at once under its name
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;
-- Answers with one lookup whether a registration has a file of unstated size; most have none.
CREATE INDEX done_unmeasured ON response_done (reg_id) WHERE verified = 3;

-- Failed tries, the latest twenty of a request.
CREATE TABLE attempt (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  number INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  reason INTEGER NOT NULL DEFAULT 0,           -- as registration.failure; 0 if it was tried again
  code TEXT NOT NULL,
  detail TEXT NOT NULL,                        -- as registration.trouble_detail
  status INTEGER,
  bytes INTEGER NOT NULL,
  started_us INTEGER,                          -- null after a crash during the try
  brought INTEGER,                             -- durable bytes that the try added; null after a crash
  url_chain TEXT,                              -- JSON, redirects before the failure
  PRIMARY KEY (reg_id, idx, number)
) STRICT, WITHOUT ROWID;

-- Tries in which a file began again from zero though bytes of it were on disk.
CREATE TABLE restart (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  number INTEGER NOT NULL,                     -- as attempt.number; the try may still be running
  why INTEGER NOT NULL,                        -- 0 changed, 1 no ranges, 2 differs, 3 gone
  bytes INTEGER NOT NULL,                      -- bytes on disk before
  PRIMARY KEY (reg_id, idx, number)
) STRICT, WITHOUT ROWID;

-- Requests of programs, feeds and the clipboard within this minute; the next insert deletes older rows.
CREATE TABLE asked_lately (
  minute INTEGER NOT NULL,
  owner_id INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
  content BLOB NOT NULL,                       -- as given.content
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  PRIMARY KEY (minute, owner_id, content)
) STRICT, WITHOUT ROWID;
CREATE INDEX lately_registration ON asked_lately (reg_id);
CREATE INDEX lately_owner ON asked_lately (owner_id);

-- Files to unlink or to move to the trash after the commit that wrote the row; then the row is deleted.
CREATE TABLE file_gc (
  path TEXT PRIMARY KEY,
  device INTEGER, inode INTEGER, file_size INTEGER, modified_ns INTEGER,   -- null for files of our own data folder
  outright INTEGER NOT NULL DEFAULT 0,         -- 1: the bytes are wrong, and the file does not go to the trash
  why TEXT                                     -- reason of a failed removal; null before the first try
) STRICT, WITHOUT ROWID;

-- Settings that the queue reads in the same transaction as its rows.
CREATE TABLE wish (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  paused INTEGER NOT NULL DEFAULT 0,           -- the whole queue is paused
  rate INTEGER NOT NULL DEFAULT 0 CHECK (rate >= 0),  -- bytes a second of everything together; 0 without a limit
  forget_after_us INTEGER                      -- setting forget-finished-after of the last engine that ran transfers
) STRICT;
INSERT INTO wish (one) VALUES (1);

-- Speed limit of a host, in bytes a second. A host without a row has no limit of its own.
CREATE TABLE host_rate (
  name TEXT PRIMARY KEY,                       -- without a port, as in a URL
  rate INTEGER NOT NULL CHECK (rate > 0)
) STRICT, WITHOUT ROWID;

-- Speed limit of a registration, in bytes a second.
CREATE TABLE reg_rate (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  rate INTEGER NOT NULL CHECK (rate > 0)
) STRICT;

-- Storage used by an owner, by kind of file. Each row equals a count over req_state; the transaction that changes those
-- rows moves it by the difference.
CREATE TABLE usage (
  owner_id INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
  category INTEGER NOT NULL,                   -- as in req_state
  files INTEGER NOT NULL DEFAULT 0,            -- complete or begun files that are not active
  kept INTEGER NOT NULL DEFAULT 0,             -- their bytes
  running INTEGER NOT NULL DEFAULT 0,          -- active files
  expected INTEGER NOT NULL DEFAULT 0,         -- bytes of the active files, as far as sizes are known
  PRIMARY KEY (owner_id, category)
) STRICT, WITHOUT ROWID;

CREATE TABLE quota (
  owner_id INTEGER NOT NULL,                   -- 0 for all owners together
  category INTEGER NOT NULL,                   -- as in req_state; -1 for all together
  bytes INTEGER CHECK (bytes > 0),
  files INTEGER CHECK (files > 0),
  PRIMARY KEY (owner_id, category),
  CHECK (bytes IS NOT NULL OR files IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Running totals of an owner's requests. They outlive its registrations and are deleted with the owner.
CREATE TABLE queue_stat (
  owner_id INTEGER PRIMARY KEY REFERENCES owner ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,            -- added
  successes INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0          -- not tried again since
) STRICT;

-- Running totals of the requests that were added on a day, by source, so that statistics need no scan. A later event of a
-- request changes the row of the day it was added on. The row stays when a download is removed.
CREATE TABLE statistic (
  day INTEGER NOT NULL,                        -- as given.day
  source INTEGER NOT NULL,                     -- as given.source
  added INTEGER NOT NULL DEFAULT 0,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,           -- not tried again since
  retried INTEGER NOT NULL DEFAULT 0,          -- retries that a user asked for
  downloaded INTEGER NOT NULL DEFAULT 0,       -- bytes of succeeded requests
  uploaded INTEGER NOT NULL DEFAULT 0,         -- bytes
  PRIMARY KEY (day, source)
) STRICT, WITHOUT ROWID;

-- The engine that works on the queue.
CREATE TABLE executor (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  holder TEXT NOT NULL,
  started_us INTEGER NOT NULL,
  heartbeat_us INTEGER NOT NULL
) STRICT;

-- Version of the finished one-time work of a first start or an update.
CREATE TABLE bootstrap (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO bootstrap (one, version) VALUES (1, 0);

-- Result of each step of that work.
CREATE TABLE bootstrap_step (
  step TEXT PRIMARY KEY,                       -- data-folder, ledger, defaults, download-folder, keychain, notifications
  version INTEGER NOT NULL,                    -- of the work that performed the step
  missing TEXT NOT NULL DEFAULT '',            -- reason why it is not available here; empty if it is done
  checked_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
