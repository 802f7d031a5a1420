-- In which of its tries a file began anew though some of it had come, why, and how much that was.
CREATE TABLE restart (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  number INTEGER NOT NULL,                      -- as attempt.number; the try may be under way
  why INTEGER NOT NULL,                         -- 0 changed, 1 no ranges, 2 differs, 3 gone
  bytes INTEGER NOT NULL,
  PRIMARY KEY (reg_id, idx, number)
) STRICT, WITHOUT ROWID;
