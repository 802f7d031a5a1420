-- Running totals, so that statistics need no scan: of the requests of downloads that were added on a day, by source. What
-- becomes of a request later, and on whatever day, moves the numbers of that one row, so no row ever has more that ended
-- than were added. They stay when a download is removed.
ALTER TABLE given ADD COLUMN day INTEGER NOT NULL DEFAULT 0;  -- it was added on, in days since 1970-01-01, in local time then
UPDATE given SET day = (SELECT created_us / 86400000000 FROM registration r WHERE r.reg_id = given.reg_id);

CREATE TABLE statistic (
  day INTEGER NOT NULL,
  source INTEGER NOT NULL,                     -- as given.source
  added INTEGER NOT NULL DEFAULT 0,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,           -- and not tried again since
  retried INTEGER NOT NULL DEFAULT 0,          -- times that somebody had one tried again
  downloaded INTEGER NOT NULL DEFAULT 0,       -- bytes of those that succeeded
  uploaded INTEGER NOT NULL DEFAULT 0,         -- bytes
  PRIMARY KEY (day, source)
) STRICT, WITHOUT ROWID;
INSERT INTO statistic (day, source, added, succeeded, failed, downloaded, uploaded)
  SELECT g.day, g.source, sum(r.n_requests), sum(r.n_succeeded), sum(r.n_failed), sum(r.completed_bytes), sum(r.uploaded)
  FROM registration r JOIN given g ON g.reg_id = r.reg_id GROUP BY g.day, g.source;
