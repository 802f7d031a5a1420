-- What comes after a request. The row goes in the transaction that makes it, so it is made once.
CREATE TABLE follow_on (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  next TEXT NOT NULL,                          -- JSON, as the creator gave it
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;
