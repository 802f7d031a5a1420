-- How much of what is in the list belongs to whom, by kind of file; and how much it may be. Each row of usage is what a
-- count over req_state would give, kept by delta in the transaction that changes those rows. What was asked for before
-- is "other": its names were never looked at.
ALTER TABLE req_state ADD COLUMN category INTEGER NOT NULL DEFAULT 6;  -- 0 video 1 music 2 picture 3 document 4 archive 5 program 6 other

CREATE TABLE usage (
  owner_id INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
  category INTEGER NOT NULL,
  files INTEGER NOT NULL DEFAULT 0,            -- that are there or begun, and do not run
  kept INTEGER NOT NULL DEFAULT 0,             -- their bytes
  running INTEGER NOT NULL DEFAULT 0,          -- files that run
  expected INTEGER NOT NULL DEFAULT 0,         -- bytes that they will have, as far as that is known
  PRIMARY KEY (owner_id, category)
) STRICT, WITHOUT ROWID;
INSERT INTO usage (owner_id, category, files, kept, running, expected)
  SELECT r.owner_id, s.category, sum(s.state = 2 OR s.state NOT IN (1, 4) AND s.kept > 0),
    sum(CASE WHEN s.state IN (1, 4) THEN 0 ELSE s.kept END), sum(s.state = 1),
    sum(CASE WHEN s.state = 1 THEN max(s.kept, coalesce(s.size, 0)) ELSE 0 END)
  FROM req_state s JOIN registration r ON r.reg_id = s.reg_id GROUP BY r.owner_id, s.category;

CREATE TABLE quota (
  owner_id INTEGER NOT NULL,                   -- 0 for all owners together
  category INTEGER NOT NULL,                   -- as in req_state; -1 for all together
  bytes INTEGER CHECK (bytes > 0),
  files INTEGER CHECK (files > 0),
  PRIMARY KEY (owner_id, category),
  CHECK (bytes IS NOT NULL OR files IS NOT NULL)
) STRICT, WITHOUT ROWID;
