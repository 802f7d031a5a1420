-- An active request has one state, with a head and without: its row of response_head says which. The state is in six
-- indexes, and a head need not touch them.
CREATE TABLE state_of (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  host_id INTEGER NOT NULL,
  optional INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL DEFAULT 0,            -- 0 pending 1 active 2 completed 3 waiting 4 aborted 5 dead
  guid BLOB,                                   -- minted when first handed out, kept for life: its partial carries it
  attempt INTEGER NOT NULL DEFAULT 0,          -- failed tries without progress, what the backoff counts
  tries INTEGER NOT NULL DEFAULT 0,            -- tries that ended, ever
  not_before_us INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,             -- durable body bytes
  sent INTEGER NOT NULL DEFAULT 0,
  size INTEGER,                                -- body bytes there will be; for a dead one, those there are
  PRIMARY KEY (reg_id, idx),
  CHECK (state BETWEEN 0 AND 5),
  CHECK (state NOT IN (1, 2) OR guid IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO state_of
  SELECT reg_id, idx, host_id, optional, CASE WHEN state < 2 THEN state ELSE state - 1 END, guid, attempt, tries,
    not_before_us, kept, sent, size
  FROM req_state;
DROP TABLE req_state;
ALTER TABLE state_of RENAME TO req_state;
CREATE INDEX rs_pending     ON req_state (reg_id, host_id, idx) WHERE state = 0;
CREATE INDEX rs_active      ON req_state (reg_id, idx) WHERE state = 1;
CREATE INDEX rs_stopped     ON req_state (reg_id, host_id, idx) WHERE state >= 3;
CREATE INDEX rs_waiting     ON req_state (not_before_us, reg_id, idx) WHERE state = 3;
CREATE INDEX rs_due         ON req_state (reg_id, not_before_us, idx) WHERE state = 3;
-- Of those that may still have a partial. GUIDs come in no order: with all that ever were in it, each new one would be
-- written to a page of its own.
CREATE UNIQUE INDEX rs_guid ON req_state (guid) WHERE guid IS NOT NULL AND state <> 2;
