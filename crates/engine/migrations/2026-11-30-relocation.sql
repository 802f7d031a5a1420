-- Registrations whose files move to another folder. The row is written before the first file moves, and deleted after the
-- last one, so that the next start continues an interrupted move.
CREATE TABLE relocation (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  folder TEXT NOT NULL,                        -- folder that the files get
  idx INTEGER,                                 -- request whose complete file moves now
  source TEXT,                                 -- path of this file before the move; removed after the new path is recorded
  target TEXT                                  -- path that this file gets
) STRICT;
