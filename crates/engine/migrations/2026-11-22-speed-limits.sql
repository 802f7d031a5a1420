-- How fast bytes may come and go, in bytes a second: of everything together (0: as fast as it goes), from a host, of a
-- registration. What has no row has no limit of its own.
ALTER TABLE wish ADD COLUMN rate INTEGER NOT NULL DEFAULT 0 CHECK (rate >= 0);

CREATE TABLE host_rate (
  name TEXT PRIMARY KEY,                       -- without a port, as in a URL
  rate INTEGER NOT NULL CHECK (rate > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE reg_rate (
  reg_id INTEGER PRIMARY KEY REFERENCES registration ON DELETE CASCADE,
  rate INTEGER NOT NULL CHECK (rate > 0)
) STRICT;
