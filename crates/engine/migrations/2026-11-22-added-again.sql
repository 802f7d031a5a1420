-- What is asked for again is recognised: by all that was asked for while it is in the list, and by its address within one
-- minute. Where somebody asks for it deliberately, or by a name of his own, it is not looked at.
ALTER TABLE given ADD COLUMN content BLOB;               -- 16 bytes; null for what has a name of its own or sends a body
ALTER TABLE given ADD COLUMN source INTEGER NOT NULL DEFAULT 5;  -- 0 window 1 command line 2 feed 3 clipboard 4 other device 5 program
ALTER TABLE active_name ADD COLUMN content BLOB;         -- that of given, as long as it is active
CREATE INDEX name_content ON active_name (owner_id, content) WHERE content IS NOT NULL;
ALTER TABLE face ADD COLUMN asked_again_us INTEGER;

-- What programs, feeds and the clipboard have asked for in this minute; older rows go with the next one.
CREATE TABLE asked_lately (
  minute INTEGER NOT NULL,
  owner_id INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
  address BLOB NOT NULL,                                 -- 16 bytes, of the only request's address
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  PRIMARY KEY (minute, owner_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX lately_registration ON asked_lately (reg_id);
CREATE INDEX lately_owner ON asked_lately (owner_id);
