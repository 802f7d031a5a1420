-- The one-time work of a first start or an update that is done, as the version it belongs to.
CREATE TABLE bootstrap (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO bootstrap (one, version) VALUES (1, 0);
