-- The end of a registration is delivered twice, and neither consumes the other: `event` is the person's notification, and
-- `delivery` is what the clients of its owner acknowledge. `ends` numbers the end events, so that an acknowledgement of an
-- earlier end does not acknowledge a later one.
ALTER TABLE owner ADD COLUMN has_client INTEGER NOT NULL DEFAULT 0;       -- a client has registered for end events
ALTER TABLE owner ADD COLUMN doomed INTEGER NOT NULL DEFAULT 0;           -- the row goes with the owner's last registration
ALTER TABLE registration ADD COLUMN delivers INTEGER NOT NULL DEFAULT 0;  -- 0 to nobody, 1 to whoever registers, 2 as its creator asked
ALTER TABLE registration ADD COLUMN delivery INTEGER NOT NULL DEFAULT 0;  -- 0 none, 1 owed, 2 acknowledged, 3 owed, and keeps no row
ALTER TABLE registration ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;      -- times it has settled

UPDATE registration SET ends = 1 WHERE active = 0 AND settled_us IS NOT NULL;
UPDATE registration SET delivers = 1,
  delivery = CASE WHEN active = 1 OR settled_us IS NULL THEN 0 WHEN event = 1 THEN 3 ELSE 2 END
  WHERE owner_id NOT IN (SELECT owner_id FROM owner WHERE name IN ('window', 'command-line'));

CREATE INDEX reg_delivery ON registration (owner_id, settled_us, reg_id) WHERE delivery IN (1, 3);
DROP INDEX reg_expires;
CREATE INDEX reg_expires ON registration (expires_us)
  WHERE active = 0 AND doomed = 0 AND event <> 1 AND delivery <> 1 AND expires_us IS NOT NULL;
-- Of every registration, so that an owner's row can be deleted without reading those of other owners.
DROP INDEX reg_owner;
CREATE INDEX reg_owner ON registration (owner_id);

-- Running totals of an owner's requests. They outlive its registrations and go with the owner.
CREATE TABLE queue_stat (
  owner_id INTEGER PRIMARY KEY REFERENCES owner ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,            -- added
  successes INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0          -- and not tried again since
) STRICT;
INSERT INTO queue_stat (owner_id, total, successes, failures)
  SELECT owner_id, sum(n_requests), sum(n_succeeded), sum(n_failed) FROM registration GROUP BY owner_id;
