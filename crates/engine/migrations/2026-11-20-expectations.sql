-- What the creator knows of a file beyond one checksum. A request that is an address and nothing else has no row here.
CREATE TABLE expectation (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  size INTEGER,                                -- bytes
  digests TEXT NOT NULL DEFAULT '[]',          -- JSON, texts like sha-256=HEX, beside request.digest
  mirrors TEXT NOT NULL DEFAULT '[]',          -- JSON, further addresses, the best first
  piece_algorithm TEXT NOT NULL DEFAULT '',    -- '' without pieces
  piece_length INTEGER NOT NULL DEFAULT 0,     -- bytes; the last piece may be shorter
  pieces TEXT NOT NULL DEFAULT '',             -- the digests in hexadecimal digits, one after the other
  PRIMARY KEY (reg_id, idx)
) STRICT, WITHOUT ROWID;
